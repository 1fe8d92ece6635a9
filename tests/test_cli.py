"""The command line: what it prints, what scripts rely on, and one line for every error."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from durak_env import Game, __version__, arena
from durak_env.actions import Kind
from durak_env.bench import tables
from durak_env.cli import in_words, main, steps
from durak_env.opponents import SCRIPTED
from durak_env.rulebook import cited
from durak_env.rules import OPTIONS, PRESETS

SHOWING = "perevodnoy(players=3,show_transfer=true,show_limit=none,transfer_hand=unrestricted)"


def run(*args: str, text: str | None = None) -> Result:
    """A command line; ``text`` is its standard input."""
    return CliRunner().invoke(main, args, input=text)


def succeed(*args: str, text: str | None = None) -> str:
    """What a command line that goes well prints."""
    result = run(*args, text=text)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def facts(*args: str, text: str | None = None) -> dict[str, Any]:
    """The JSON object that a command line prints."""
    read: dict[str, Any] = json.loads(succeed(*args, "--json", text=text))
    return read


def played(rules: str, seed: int, most: int = 10_000) -> Game:
    """A game of random legal actions."""
    game, rng = Game(rules, seed=seed), random.Random(seed)
    while game.actor is not None and len(game.history) < most:
        game.play(rng.choice(game.legal_actions()))
    return game


def file_of(folder: Path, text: str) -> str:
    """The path of a file with this text."""
    path = folder / "game.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- the program --------------------------------------------------------------------------------


def test_version_and_help() -> None:
    assert succeed("--version") == f"durak {__version__}\n"
    text = succeed("--help")
    assert succeed() == text
    assert len(text.splitlines()) < 24
    for command in main.commands:
        assert command in text
        assert len(succeed(command, "--help").splitlines()) < 40


def test_the_program_starts_without_the_engine() -> None:
    code = "import sys, durak_env.cli; print({'numba', 'torch', 'rich'} & set(sys.modules))"
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout == "set()\n"


def test_the_installed_program() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "durak_env.cli", "variants", "nonsense"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("durak: error: unknown preset 'nonsense'")
    assert process.stderr.count("\n") == 1


# --- variants -----------------------------------------------------------------------------------


def test_variants() -> None:
    text = succeed("variants")
    for name, preset in PRESETS.items():
        assert name in text
        assert all(alias in text for alias in preset.aliases)


def test_variants_as_json() -> None:
    listed = facts("variants")["variants"]
    assert [variant["name"] for variant in listed] == list(PRESETS)
    for variant in listed:
        assert set(variant) == {"name", "players", "decks", "aliases"}
        assert (variant["players"], variant["decks"]) == (
            list(PRESETS[variant["name"]].players),
            list(PRESETS[variant["name"]].decks),
        )


@pytest.mark.parametrize("name", PRESETS)
def test_the_options_of_a_variant(name: str) -> None:
    text = succeed("variants", name)
    assert PRESETS[name].summary in text
    for option in OPTIONS:
        assert re.search(rf"^{option}\b", text, re.MULTILINE)
    (variant,) = facts("variants", PRESETS[name].aliases[0])["variants"]
    assert variant["name"] == name
    options = {option.pop("name"): option for option in variant["options"]}
    assert list(options) == list(OPTIONS)
    for option, value in PRESETS[name].options.items():
        assert options[option]["value"] == value
    low, high = PRESETS[name].players
    assert options["players"] == {
        "value": 2,
        "default": 2,
        "accepts": f"{low} to {high}",
        "doc": OPTIONS["players"].metadata["doc"],
    }


# --- arena --------------------------------------------------------------------------------------


def test_an_arena_as_json() -> None:
    report = facts("arena", "greedy", "random", "easy", "--deals", "60", "--seed", "3")
    assert list(report) == ["rules", "players", "seed", "table"]
    assert (report["rules"], report["players"], report["seed"]) == ("podkidnoy", 2, 3)
    assert [(row["a"], row["b"]) for row in report["table"]] == [
        ("greedy", "random"),
        ("greedy", "easy"),
    ]
    for row in report["table"]:
        assert set(row) == {
            *("a", "b", "deals", "games", "score", "low", "high", "draws", "illegal"),
            "ms_per_decision",
        }
        assert (row["deals"], row["games"], row["illegal"]) == (60, 120, 0)
        assert 0 <= row["low"] < row["score"] < row["high"] <= 1
        assert len(row["ms_per_decision"]) == 2


def test_an_arena_says_what_the_library_says() -> None:
    rules = "podkidnoy(players=3,first_limit=none)"
    (row,) = facts("arena", "easy", "random", "--rules", rules, "--deals", "30")["table"]
    (pairing,) = arena.table([("easy", "random")], Game(rules, seed=1).rules, 30)
    expected = pairing.as_json()
    del row["ms_per_decision"], expected["ms_per_decision"]
    assert row == expected
    assert row["fair"] == pytest.approx(2 / 3, abs=0.02)


def test_an_arena_for_people() -> None:
    text = succeed("arena", "greedy", "greedy", "--players", "4", "--rules", "site", "--deals", "5")
    assert text.startswith("site(players=4), 4 players, seed 0\n")
    heading, *_, row = text.splitlines()[1:]
    assert heading.split()[:3] == ["a", "b", "score"]
    assert row.split()[:2] == ["greedy", "greedy"]
    assert "5 " in row
    assert "20 " in row


# --- replay -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["prostoy(players=4)", "site(players=3)", SHOWING, *PRESETS])
def test_a_replay(rules: str, tmp_path: Path) -> None:
    game = played(rules, seed=2)
    text = succeed("replay", file_of(tmp_path, game.transcript()))
    trump = "no trumps" if game.trump is None else f"trump {game.trump_card}"
    assert text.startswith(f"{game.rules}, {game.players} players, {trump}\n")
    assert len(re.findall(r"^(Bout|Trick) ", text, re.MULTILINE)) == game.bout
    lines = re.findall(r"^ *\d+\. (.*)", text, re.MULTILINE)
    assert len(lines) == len(game.history)
    for line, action in zip(lines, game.history, strict=True):
        word = str(action).split()[-1]
        if action.kind is Kind.STOCK:
            assert re.search(r"leads from the stock: \S+$", line)
        else:
            assert line.split()[-1] == {"pass": "passes", "take": "takes"}.get(word, word)
    assert game.outcome is not None
    if game.outcome.reason == "durak":
        assert f"Seat {game.outcome.durak} is the durak. Places: " in text.splitlines()[-1]


def test_every_kind_of_action_in_words() -> None:
    """Transfers, shown trumps and self throws are not told as covers."""
    told: dict[str, str] = {}
    for seed in range(5):
        for rules in (SHOWING, "american(players=3)", "armenian", "site"):
            for before, action in steps(played(rules, seed)):
                words = in_words(before, action)
                told.setdefault(str(action.kind), words.rpartition(" ")[0] or words)
    assert set(told) == set(Kind)
    assert [told[kind] for kind in ("transfer", "show", "self", "target", "stock")] == [
        "transfers with",
        "transfers by showing",
        "throws in to itself:",
        "turns to",
        "leads from the stock:",
    ]


@pytest.mark.parametrize("rules", ["podkidnoy(players=3)", "site(players=3)", "jokers", SHOWING])
def test_what_beats_what(rules: str) -> None:
    beaten = 0
    for before, action in steps(played(rules, seed=5)):
        pair = re.fullmatch(r"beats (\S+) with (\S+)", in_words(before, action))
        if pair:
            assert pair.groups() in {(str(a), str(c)) for a, c in before.covers()}
            beaten += 1
    assert beaten > 5


def test_a_replay_as_json() -> None:
    game = played("podkidnoy(players=3)", seed=4)
    report = facts("replay", "-", text=game.transcript())
    assert set(report) == {"rules", "players", "trump", "moves", "actor", "outcome"}
    assert [move["action"] for move in report["moves"]] == list(map(str, game.history))
    assert set(report["moves"][0]) == {"number", "bout", "seat", "phase", "action"}
    assert report["moves"][0]["phase"] == "lead"
    assert game.outcome is not None
    assert report["outcome"] == {
        "durak": game.outcome.durak,
        "places": list(game.outcome.places),
        "reason": game.outcome.reason,
        "hung": None,
        "tricks": [],
    }


def test_a_replay_of_a_hang() -> None:
    """4.1 H8."""
    game = Game.from_position(
        "rules: epaulettes; trump: As; hands: 6h 6c | 9h 9c 9d; levels: 6 6; leader: 0"
    )
    while game.actor is not None:
        words = {str(action) for action in game.legal_actions()} & {"take"}
        game.play(words.pop() if words else game.legal_actions()[0])
    text = succeed("replay", "-", text=game.transcript())
    assert "Seat 1 is the durak. Places: 0, 1. Seat 0 hung epaulettes on it." in text
    assert facts("replay", "-", text=game.transcript())["outcome"]["hung"] == 0


def test_a_replay_of_a_game_that_goes_on() -> None:
    game = played("podkidnoy", seed=4, most=15)
    middle = Game.from_position(game.position())
    middle.play(middle.legal_actions()[0])
    text = succeed("replay", "-", text=middle.transcript())
    assert text.count("\n   1. ") == 1
    assert f"The game goes on: seat {middle.actor} is asked" in text
    report = facts("replay", "-", text=middle.transcript())
    assert (report["outcome"], report["actor"]) == (None, middle.actor)


def test_a_replay_of_a_draw() -> None:
    text = succeed("replay", "-", text=drawn().transcript())
    assert "Nobody is the durak (draw)." in text


def drawn() -> Game:
    """A short end in which the last cards beat each other."""
    game = Game.from_position("rules: podkidnoy; trump: 6s; hands: 7h | 8h; leader: 0")
    return game.play("7h").play("8h")


@pytest.mark.parametrize("name", PRESETS)
def test_a_variant_is_printed_with_its_statements(name: str) -> None:
    sources = cited(PRESETS[name].summary)
    assert sources
    text = succeed("variants", name)
    for one in sources:
        assert re.search(rf"^{one.id} +{re.escape(one.text[:20])}", text, re.MULTILINE)
    [variant] = facts("variants", name)["variants"]
    assert variant["statements"] == [
        {"id": one.id, "kind": one.kind, "text": one.text} for one in sources
    ]


def test_the_ladder() -> None:
    """Every scripted opponent against the one below it, in a table for every game."""
    options = ("--rules", "podkidnoy", "--rules", "plus", "--players", "2", "--players", "3")
    told = facts("arena", "--ladder", *options, "--deals", "2")
    games = [("podkidnoy", 2), ("podkidnoy(players=3)", 3), ("plus", 2), ("plus(players=3)", 3)]
    assert [(table["rules"], table["players"]) for table in told["tables"]] == games
    names = list(SCRIPTED)
    for table in told["tables"]:
        assert [(row["a"], row["b"]) for row in table["table"]] == list(
            zip(names[1:], names, strict=False)
        )
    text = succeed("arena", "--ladder", "--deals", "1")
    assert text.startswith("podkidnoy, 2 players, seed 0\n")


# --- bench --------------------------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, float]]]:
    """Puts a quick module in the place of the measurements; every call of it."""
    seen: list[tuple[list[str], dict[str, float]]] = []

    def measure(names: list[str], **options: float) -> dict[str, Any]:
        seen.append((names, options))
        return REPORT

    module = ModuleType("durak_env.bench")
    module.run = measure  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "durak_env.bench", module)
    return seen


KERNEL = {
    "name": "kernel",
    "rules": "podkidnoy",
    "players": 2,
    "games": 64,
    "threads": 1,
    "per_second": {"median": 41e6, "min": 40e6, "max": 42e6},
}
PEER = {**KERNEL, "name": "peer:chess", "rules": None, "players": None}
PEER["against"], PEER["ratio"] = "kernel", 2.5
REPORT = {
    "machine": {"cpu": "abacus", "cores": 2},
    "results": [KERNEL, PEER],
    "missing": {"peer:go": ["stones"]},
}


def test_a_bench(calls: list[tuple[list[str], dict[str, float]]]) -> None:
    text = succeed("bench", "kernel", "aec")
    assert text.startswith("cpu: abacus, cores: 2\n")
    kernel, peer, missing = (line.split() for line in text.splitlines()[-3:])
    assert kernel[:6] == ["kernel", "podkidnoy", "2", "64", "1", "41,000,000"]
    assert peer[:3] == ["peer:chess", "-", "-"]
    assert peer[-3:] == ["2.5", "x", "(kernel)"]
    assert " ".join(missing) == "peer:go: not measured, stones is not installed"
    assert facts("bench", "--all", "--seconds", "0.5") == REPORT
    assert calls == [
        (["kernel", "aec"], {"everything": False, "with_peers": False}),
        ([], {"everything": True, "with_peers": False, "seconds": 0.5}),
    ]


def test_a_bench_of_everything_has_every_table() -> None:
    measured = {(one.rules.variant, one.rules.players) for one in tables() if one.rules}
    assert measured == {
        (name, players)
        for name, preset in PRESETS.items()
        for players in range(preset.players[0], preset.players[1] + 1)
    }


# --- errors -------------------------------------------------------------------------------------


def assert_one_line(result: Result, code: int, *named: str) -> None:
    """Demand an exit code, nothing on standard output and one line that names what is wrong."""
    assert result.exit_code == code
    assert result.stdout == ""
    assert re.fullmatch(r"durak: error: .+\n", result.stderr)
    for word in named:
        assert word in result.stderr


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("nonsense", "nonsense"),
        ("--nonsense", "--nonsense"),
        ("variants nonsense", "unknown preset 'nonsense'; known: podkidnoy"),
        ("variants --nonsense", "--nonsense"),
        ("variants podkidnoy prostoy", "prostoy"),
        ("arena", "give A and one B or more, or --ladder alone"),
        ("arena greedy", "give A and one B or more, or --ladder alone"),
        ("arena greedy easy --ladder", "give A and one B or more, or --ladder alone"),
        ("arena greedy nobody", "unknown opponent 'nobody'; known: random"),
        ("arena nobody greedy --json", "unknown opponent 'nobody'; known: random"),
        ("arena greedy missing.onnx", "missing.onnx"),
        ("arena greedy easy --rules nonsense", "unknown preset 'nonsense'"),
        ("arena greedy easy --rules podkidnoy(nonsense=1)", "unknown option 'nonsense'"),
        ("arena greedy easy --rules podkidnoy(deck=37)", "deck=37 is not accepted"),
        ("arena greedy easy --rules podkidnoy(", "is no rules text"),
        ("arena greedy easy --players 7", "players=7"),
        ("arena greedy easy --players two", "--players"),
        ("arena greedy easy --deals 0", "--deals"),
        ("arena greedy easy --seed -1", "--seed"),
        ("replay", "'FILE'"),
        ("replay missing.txt", "missing.txt"),
        ("replay .", "'.'"),
        ("bench kernel --all", "--all"),
        ("bench --peers --all", "--peers"),
        ("bench kernel --seconds 0", "--seconds"),
    ],
)
def test_bad_usage(line: str, named: str) -> None:
    assert_one_line(run(*line.split()), 2, named)


def test_broken_transcripts(tmp_path: Path) -> None:
    game = played("podkidnoy", seed=1)
    whole = game.transcript().rstrip()
    last = whole.rindex(",")
    for text, named in [
        ("nonsense", "'nonsense' is not of the form key: value"),
        (whole.replace("rules: podkidnoy", "rules: nonsense"), "unknown preset"),
        (whole.replace("deck: ", "deck: 6s "), "a deck of 36 cards has every card once"),
        (whole.replace("actions: ", "actions: hop, "), "action 1: 'hop' is no action"),
        (whole + ", 6s", f"action {len(game.history) + 1}: 6s is not legal: the deal is over"),
        (whole[:last] + ", 3s", "3s is not in a deck of 36 cards"),
    ]:
        path = file_of(tmp_path, text)
        assert_one_line(run("replay", path), 2, path, named)
        assert_one_line(run("replay", path, "--json"), 2, path, named)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(256)))
    assert_one_line(run("replay", str(path)), 2, "noise", "UTF-8")


def test_a_part_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "durak_env.bench", None)
    assert_one_line(run("bench"), 1, "durak_env.bench")


@pytest.mark.parametrize(
    ("error", "code", "named"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError("disk\nfull"), 1, "error: disk full"),
    ],
)
def test_a_run_that_fails(
    error: BaseException, code: int, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(arena, "table", stop)
    result = run("arena", "greedy", "easy")
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == f"durak: {named}\n"
