"""A person against opponents: the session, what inputs mean, saved games, and `durak play`."""

from __future__ import annotations

import builtins
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from durak_env import Game, Rules
from durak_env.cards import Suit, format_cards, parse_cards
from durak_env.cli import main
from durak_env.engine import Rows
from durak_env.errors import ConfigError, DurakError, IllegalActionError, OpponentError
from durak_env.opponents import SCRIPTED, Ids, Randoms
from durak_env.play import session as session_module
from durak_env.play.choice import Order, options, sort_key, uses_of
from durak_env.play.session import FORMAT, Session, Setup, random_word
from durak_env.play.store import Store
from durak_env.rules import PRESETS
from durak_env.view import VIEW

SHOWING = "perevodnoy(players=3,show_transfer=true,transfer_hand=unrestricted)"

EITHER = "rules: perevodnoy; trump: Ad; hands: 8c 8h 9s Kd | 7s 8s 9c; leader: 1"
"""Seat 0 is asked after ``8s``: its 8c transfers, its 9s beats, its Kd beats."""


def run(path: Path, *args: str, text: str = "") -> Result:
    """``durak play`` with its game in ``path``; ``text`` is what the person types."""
    return CliRunner().invoke(main, ["play", "--file", str(path), *args], input=text)


def succeed(path: Path, *args: str, text: str = "") -> str:
    """What it prints where it goes well."""
    result = run(path, *args, text=text)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a game that is not there yet."""
    return tmp_path / "new folder" / "game.json"


def dealt(rules: str, opponents: tuple[str, ...] = ("easy",), seed: int = 3) -> Session:
    """A session up to the person's first move."""
    session = Session(Setup(Rules.parse(rules), opponents, seed=seed))
    wait(session)
    return session


def wait(session: Session) -> None:
    """Let the opponents move until the person is asked."""
    while session.let_opponent_move():
        pass


def take_turn(session: Session, number: int = 0) -> None:
    """Let the person do something that depends on the number only, and the opponents answer."""
    legal = session.game.legal_actions()
    session.play(legal[number % len(legal)])
    wait(session)


def put(path: Path, position: str, *actions: str, opponents: tuple[str, ...] = ("greedy",)) -> None:
    """Save the game of a position, with the person at seat 0."""
    facts = {
        "format": FORMAT,
        "opponents": list(opponents),
        "seat": 0,
        "seed": 1,
        "transcript": f"{position}; actions: {', '.join(actions)}",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(facts), encoding="utf-8")


def saved(path: Path) -> Game:
    """The game that is saved."""
    transcript: str = json.loads(path.read_text(encoding="utf-8"))["transcript"]
    return Game.from_transcript(transcript)


def history(path: Path) -> list[str]:
    """The actions of the saved game."""
    return list(map(str, saved(path).history))


# --- the session --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["podkidnoy(players=3)", "site(players=3)", SHOWING])
def test_saving_between_moves_changes_nothing(rules: str) -> None:
    """S003-11."""
    straight, broken = (dealt(rules, ("easy", "random")) for _ in range(2))
    for number in range(200):
        if straight.game.outcome:
            break
        take_turn(straight, number)
        take_turn(broken, number)
        if number % 4 == 0:
            text = broken.to_text()
            broken = Session.from_text(text)
            assert broken.to_text() == text
            assert [move.action for move in broken.news] == [move.action for move in straight.news]
    assert straight.game.outcome is not None
    assert broken.game.transcript() == straight.game.transcript()
    assert broken.result == straight.result


def test_another_seed_is_another_game() -> None:
    assert dealt("podkidnoy", seed=3).to_text() != dealt("podkidnoy", seed=4).to_text()
    words = {int(random_word(seed, number)[0]) for seed in range(3) for number in range(50)}
    assert len(words) == 150


class Spy:
    """An opponent that keeps what it was given."""

    name = "spy"

    def __init__(self) -> None:
        self.seen: list[tuple[Rows, Randoms]] = []

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        self.seen.append((views.copy(), randoms.copy()))
        return SCRIPTED["easy"].act(views, randoms)


def test_opponents_get_their_view_and_one_random_word(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr(session_module, "resolve", lambda *_: spy)
    session = dealt("podkidnoy(players=3)", ("spy", "spy"))
    while session.is_asked:
        take_turn(session)
    numbers = [k for k, move in enumerate(session.moves) if move.seat != session.seat]
    assert len(spy.seen) == len(numbers) > 10
    for (views, randoms), number in zip(spy.seen, numbers, strict=True):
        assert (views.shape, views.dtype) == ((1,), VIEW)
        assert views["seat"][0] == session.moves[number].seat
        np.testing.assert_array_equal(randoms, random_word(session.setup.seed, number))


def test_a_hint_is_what_greedy_does() -> None:
    session = dealt("perevodnoy(players=3)", ("easy", "greedy"))
    while session.is_asked:
        word = random_word(0, 0)
        (wanted,) = SCRIPTED["greedy"].act(session.game.view(session.seat).record, word)
        assert session.hint().id == wanted
        session.play(session.hint())
        wait(session)


def test_nobody_plays_out_of_turn() -> None:
    session = Session(Setup(Rules(), ("greedy",), seed=3))
    while session.is_asked:
        session.play(session.hint())
    assert not session.is_asked
    with pytest.raises(IllegalActionError, match="seat 0 is not asked"):
        session.play(session.game.legal_actions()[0])
    wait(session)
    assert not session.let_opponent_move()


def test_opponents_sit_from_the_left_of_the_person() -> None:
    session = Session(Setup(Rules.parse("podkidnoy(players=3)"), ("easy", "random"), seat=1))
    assert {seat: one.name for seat, one in session.opponents.items()} == {2: "easy", 0: "random"}


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ({"seat": 2}, "seat 2 is no seat; seats are 0 to 1"),
        ({"seed": -1}, "seed -1"),
        ({"opponents": ("easy", "easy")}, "2 opponents for 1 other seats"),
    ],
)
def test_setups_that_cannot_be(setup: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Setup(**{"rules": Rules(), "opponents": ("easy",), **setup})  # type: ignore[arg-type]


def test_an_opponent_that_does_not_exist() -> None:
    with pytest.raises(OpponentError, match="unknown opponent 'nobody'"):
        Session(Setup(Rules(), ("nobody",)))


# --- what an input means ------------------------------------------------------------------------


def meanings(text: str, game: Game) -> list[list[str]]:
    """All that an input means."""
    return [use.actions for use in uses_of(text, game, options(game, Order.RANK))]


def test_what_a_card_can_do() -> None:
    """S003-8: one use is meant at once, several are asked for."""
    game = Game.from_transcript(f"{EITHER}; actions: 8s")
    assert [str(action) for action in options(game, Order.RANK)] == [
        *("9s", "Kd", "transfer 8c", "transfer 8h", "take")
    ]
    assert meanings("9s", game) == meanings("1", game) == meanings("beat 9S", game) == [["9s"]]
    assert meanings("8c", game) == meanings("transfer 8c", game) == [["transfer 8c"]]
    assert meanings("8♣", game) == [["transfer 8c"]]
    assert meanings("transfer", game) == [["transfer 8c"], ["transfer 8h"]]
    for text in ("7s", "done", "show Kd", "play 8c"):
        with pytest.raises(
            IllegalActionError, match=f"'{text}' is not possible now: type a number"
        ):
            meanings(text, game)
    for text in ("8x", "hop", "transfer 8s 8c", "0", "6", "99999999999999999999"):
        with pytest.raises(DurakError, match=f"'{text}' is no move|no move {text}"):
            meanings(text, game)


def test_a_card_that_beats_several() -> None:
    """S003-8."""
    game = Game.from_position(
        "rules: site; trump: Ad; hands: 9s Kd 6c | 7h; table: 7s 8s 8c; "
        "leader: 1; start: 3; phase: defend"
    )
    assert meanings("9s", game) == [["target 7s", "9s"], ["target 8s", "9s"]]
    assert meanings("8c", game) == meanings("target 8c", game) == [["target 8c"]]
    assert len(meanings("Kd", game)) == 3


def test_the_two_orders() -> None:
    """S003-9; trumps and jokers come last."""
    hand = parse_cards("Kd 7s 6c 7d 9s *r Qh 6h")
    by_rank = sorted(hand, key=sort_key(Order.RANK, Suit.HEARTS))
    by_suit = sorted(hand, key=sort_key(Order.SUIT, Suit.HEARTS))
    assert by_rank == parse_cards("6c 7s 7d 9s Kd 6h Qh *r")
    assert by_suit == parse_cards("7s 9s 6c 7d Kd 6h Qh *r")


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        *PRESETS,
        "podkidnoy(players=6)",
        SHOWING,
        "american(players=3,self_throw=free)",
        "armenian(stock_lead_peek=true)",
        "site(players=3,transfer=true,discard_visible=true,open_hands=true)",
    ],
)
def test_a_whole_game_by_the_first_number(rules: str, path: Path) -> None:
    text = succeed(path, rules, "-o", "easy", "--seed", "5", text="1\n" * 500)
    name = str(Rules.parse(rules))
    assert text.startswith(f"A new game: {name} against easy, seat 0, seed 5.\n")
    assert re.search(
        r"^(You|A) (won|lost|draw): ((you are|seat \d is|nobody is) the durak|\d+ : \d+ tricks)",
        text,
        re.M,
    )
    assert f"{name}: 1 game, " in text
    assert not path.exists()
    again = succeed(path, rules, "-o", "easy", "--seed", "5", text="1\n" * 500)
    told, told_again = text.partition(f"\n{name}: 1 game"), again.partition(f"\n{name}: 2 games")
    assert told_again[0] == told[0]


def test_a_game_goes_on(path: Path, tmp_path: Path) -> None:
    """S003-11."""
    options = ("podkidnoy(players=3)", "-o", "easy", "-o", "random", "--seed", "8")
    other = tmp_path / "other.json"
    succeed(other, *options, text="1\n2\n1\n2\n1\nquit\n")
    text = succeed(path, *options, text="1\n2\nquit\n")
    assert text.endswith(f"Saved in {path}; start again to go on.\n")
    before = path.read_text()
    text = succeed(path, text="1\n2\n1\n")
    assert text.startswith("The saved game goes on: podkidnoy(players=3) against easy, random, ")
    assert path.read_text() == other.read_text() != before


def test_what_happened_is_told_again(path: Path) -> None:
    """The moves since one's own last one are listed, after a break too."""
    text = succeed(path, "podkidnoy(players=4)", "--seed", "2", text="1\n")
    news = re.split(r"^> 1$", text, flags=re.M)[1].partition("bout")[0].strip()
    assert re.match(r"seat \d ", news)
    assert news in succeed(path)


def test_what_the_table_shows(path: Path) -> None:
    put(
        path,
        "rules: podkidnoy(players=3); hands: 7s Ah | 9s 10s | Kc; known: | 9s | ; "
        "table: 7c/8c; stock: 6h 6s 9h; leader: 2; attacker: 2; defender: 1; passed: 2; start: 3",
        opponents=("easy", "random"),
    )
    text = succeed(path)
    assert "trump 9h   stock 3   discard 26" in text
    assert re.search(r"^seat 1 +easy +defends +2 cards +9s \+ 1 unknown *$", text, re.M)
    assert re.search(r"^seat 2 +random +attacks +1 card *$", text, re.M)
    assert re.search(r"^you +2 cards +7s Ah *$", text, re.M)
    assert "table: 7c/8c\n" in text
    assert "You may throw in:\n  1 throw in 7s   2 done" in text


def test_a_joker_that_was_turned_up_is_shown(path: Path) -> None:
    """It lies in the stock above the trump card, and everybody has seen it."""
    rules = Rules.preset("jokers")
    sessions = (Session(Setup(rules, ("greedy",), seed=seed)) for seed in range(1000))
    session = next(session for session in sessions if session.turned_up)
    assert session.turned_up[0] in session.game.stock
    text = succeed(path, "jokers", "--seed", str(session.setup.seed))
    assert f"turned up {format_cards(session.turned_up)}   discard 0" in text


def test_a_leader_who_may_look_at_the_stock_sees_it(path: Path) -> None:
    """P22a."""
    text = succeed(path, "armenian(stock_lead_peek=true)", "--seed", "5", text="1\n" * 500)
    assert re.search(r"\d stock \(\w+\)", text)
    assert re.search(r"\d stock\b(?! \()", text) is None


def test_open_hands(path: Path) -> None:
    """S003-50: the hands lie open, and the opponents play as before."""
    line = ("podkidnoy", "-o", "easy", "--seed", "4")
    hidden, shown = (
        succeed(path, *line, "--new", *more, text="1\n1\nquit\n") for more in ((), ("--open",))
    )
    game = saved(path)
    hand = sorted(game.hand(1), key=sort_key(Order.RANK, game.trump_card.suit))
    assert format_cards(hand) in shown
    assert format_cards(hand) not in hidden
    for one, other in zip(hidden.splitlines(), shown.splitlines(), strict=True):
        assert one.rstrip() == other.rstrip() or one.startswith("seat 1  easy ")


# --- what the person types ----------------------------------------------------------------------


def test_a_card_with_one_use_is_played(path: Path) -> None:
    """S003-8."""
    put(path, EITHER, "8s")
    succeed(path, text="8c\n")
    assert history(path)[:2] == ["8s", "transfer 8c"]


BEAT_OR_TRANSFER = "rules: perevodnoy; trump: Ad; hands: 8d 9s Kc | 7s 8s 9c Ks; leader: 1"


@pytest.mark.parametrize(
    ("answers", "played"),
    [
        ("2", "8d"),
        ("beat", "8d"),
        ("transfer", "transfer 8d"),
        ("3", "transfer 8d"),
        ("8d\ntransfer 8d", "transfer 8d"),
        ("9s", "9s"),
        ("hint\nnonsense\ntake", "take"),
    ],
)
def test_a_card_with_several_uses_is_asked_for(answers: str, played: str, path: Path) -> None:
    """S003-8."""
    put(path, BEAT_OR_TRANSFER, "8s")
    text = succeed(path, text=f"8d\n{answers}\n")
    assert "8d can mean 2 beat 8s with 8d or 3 transfer 8d: type the number.\n" in text
    assert history(path)[1] == played


@pytest.mark.parametrize("answer", ["2", "8s", "target 8s"])
def test_which_card_to_beat(answer: str, path: Path) -> None:
    """S003-8."""
    put(
        path,
        "rules: site; trump: Ad; hands: 9s Kd 6c | 7h; table: 7s 8s 8c; "
        "leader: 1; start: 3; phase: defend",
    )
    text = succeed(path, text=f"9s\n{answer}\n")
    assert "9s can mean 1 beat 7s or 2 beat 8s: type the number.\n" in text
    assert history(path)[:2] == ["target 8s", "9s"]


@pytest.mark.parametrize("word", ["done", "DONE", " pass ", "2"])
def test_done(word: str, path: Path) -> None:
    """S003-9."""
    put(
        path,
        "rules: podkidnoy; trump: Ad; hands: 7h Kd | 9c Ks; table: 7s/8s",
    )
    succeed(path, text=f"{word}\n")
    assert history(path)[0] == "pass"


def test_commands(path: Path) -> None:
    """S003-9: the hand is sorted by suit, and by rank again."""
    put(path, "rules: podkidnoy; trump: Ad; hands: 9s 7h 10s 6d | 9c Ks")
    text = succeed(path, text="help\n\nsort\nhint\nSORT\nhop\n77\n9c\n")
    assert "hint            what a plain player would do" in text
    by_rank, by_suit, again = re.findall(r"^you .* cards +(\S.*?) *$", text, re.M)
    assert (by_rank, by_suit, again) == ("7h 9s 10s 6d", "9s 10s 7h 6d", "7h 9s 10s 6d")
    assert "greedy would choose 3: lead 7h" in text
    assert "'hop' is no move: type a number of the list, a card such as 8s, or help.\n" in text
    assert "There is no move 77: type a number from 1 to 4.\n" in text
    assert "'9c' is not possible now: type a number from 1 to 4.\n" in text
    assert history(path) == []
    assert re.search(r"cards +9s 10s 7h 6d", succeed(path, "--sort", "suit"))


def test_the_end_of_the_input_is_quit(path: Path) -> None:
    text = succeed(path, "--seed", "1")
    assert text.endswith(f"> \nSaved in {path}; start again to go on.\n")
    assert path.exists()


def test_an_interrupt_is_quit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    assert "\nSaved in " in succeed(path, "--seed", "1")


# --- saved games --------------------------------------------------------------------------------


class Sleeper:
    """An opponent that never answers: the person gets tired of it."""

    name = "sleeper"

    def act(self, _views: Rows, _randoms: Randoms) -> Ids:
        raise KeyboardInterrupt


def test_every_move_is_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S003-11: one's own move stands even if the opponent never answers."""
    put(path, EITHER, "8s")
    monkeypatch.setattr(session_module, "resolve", lambda *_: Sleeper())
    assert "\nSaved in " in succeed(path, text="9s\n")
    assert history(path) == ["8s", "9s"]


def test_another_game_is_not_lost(path: Path) -> None:
    succeed(path, "podkidnoy(players=3)", "-o", "easy", "--seed", "1", text="1\n")
    before = path.read_text()
    for line in (["prostoy"], ["-o", "greedy"], ["--seat", "1"], ["--seed", "2"]):
        result = run(path, *line, text="1\n")
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.fullmatch(
            r"durak: error: .* holds another game .*, or give --new .*\n", result.stderr
        )
        assert path.read_text() == before
    same = ["podkidnoy(players=3)", "-o", "easy", "-o", "easy", "--seat", "0", "--seed", "1"]
    assert succeed(path, *same).startswith("The saved game goes on: ")
    assert succeed(path, "prostoy", "--new").startswith("A new game: prostoy against greedy")
    assert saved(path).rules.variant == "prostoy"


def damaged_texts() -> list[str]:
    """A saved game, damaged in many ways."""
    session = dealt("podkidnoy")
    take_turn(session)
    whole = session.to_text()
    facts = json.loads(whole)
    changes: list[dict[str, object]] = [
        {"format": "durak_env-play-0"},
        {"opponents": "easy"},
        {"opponents": [1]},
        {"opponents": ["easy", "easy"]},
        {"opponents": ["missing.onnx"]},
        {"seat": 5},
        {"seat": True},
        {"seed": -1},
        {"seed": 1.5},
        {"transcript": None},
        {"transcript": "hop"},
        {"transcript": facts["transcript"] + ", 3s"},
        {"transcript": facts["transcript"].replace("rules: podkidnoy", "rules: hop")},
    ]
    broken = [json.dumps({**facts, **change}) for change in changes]
    return ["", "null", "[" * 100_000, whole[: len(whole) // 2], *broken]


@pytest.mark.parametrize("text", damaged_texts())
def test_a_damaged_game(text: str, path: Path) -> None:
    path.parent.mkdir()
    path.write_text(text)
    result = run(path, text="1\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"durak: error: .+\n", result.stderr)
    assert f"{path}: this saved game cannot go on: " in result.stderr
    assert result.stderr.endswith("; give --new to begin anew\n")
    assert path.read_text() == text
    assert succeed(path, "--new").startswith("A new game: ")


def test_a_damaged_game_that_is_no_text(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(bytes(range(256)))
    assert run(path).exit_code == 2


def test_writing_that_fails_leaves_the_old_game(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, session = Store(path), dealt("podkidnoy")
    store.save(session)
    before = path.read_text()
    take_turn(session)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="full"):
            store.save(session)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_text() == before


def test_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / name))
    result = CliRunner().invoke(main, ["play", "--seed", "1"], input="quit\n")
    assert result.exit_code == 0
    assert (tmp_path / "durak_env" / "game.json").exists()


def test_a_file_is_found_again_from_any_folder(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "resolve", lambda *_: SCRIPTED["easy"])
    assert "against agent.onnx, seat 0" in succeed(path, "-o", "agent.onnx")
    assert json.loads(path.read_text())["opponents"] == [str(Path("agent.onnx").resolve())]
    monkeypatch.chdir(path.parent)
    assert "against agent.onnx, seat 0" in succeed(path)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (["nonsense"], "unknown preset 'nonsense'"),
        (["podkidnoy("], "is no rules text"),
        (["-o", "nobody"], "unknown opponent 'nobody'; known: random"),
        (["-o", "missing.onnx"], "missing.onnx: there is no such file"),
        (["-o", "easy", "-o", "easy"], "2 opponents for 1 other seats"),
        (["--seat", "2"], "seat 2 is no seat"),
        (["--seed", "-1"], "--seed"),
        (["--sort", "colour"], "--sort"),
        (["--file", "."], "--file"),
    ],
)
def test_bad_usage(line: list[str], named: str, path: Path) -> None:
    result = run(path, *line)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"durak: error: .+\n", result.stderr)
    assert named in result.stderr
    assert not path.exists()


# --- how games ended ----------------------------------------------------------------------------

LAST_CARD = "rules: podkidnoy; trump: 6s; hands: 7h | 8c 9c; leader: 0"
ENDS = {
    "won": (LAST_CARD, "7h", "You won: seat 1 is the durak."),
    "lost": (
        "rules: podkidnoy; trump: 6s; hands: 8c 9c | 7h; leader: 1",
        "take",
        "You lost: you are the durak.",
    ),
    "drawn": (
        "rules: podkidnoy; trump: 6s; hands: 7h | 8h; leader: 0",
        "7h",
        "A draw: nobody is the durak.",
    ),
}


def test_ends_are_counted(path: Path) -> None:
    """S003-12."""
    for number, (result, (position, action, words)) in enumerate(ENDS.items(), start=1):
        put(path, position)
        text = succeed(path, text=f"{action}\n")
        assert f"\n{words}\npodkidnoy: {number} game" in text
        assert re.search(rf"1 {result}\b", text)
        assert not path.exists()
    assert "3 games, 1 won (33%), 1 lost, 1 drawn; won in a row: 0, at most 1.\n" in text


def test_an_end_with_epaulettes(path: Path) -> None:
    """4.1 H8."""
    position = "rules: epaulettes; trump: As; hands: 6h 6c | 9h 9c 9d; levels: 6 6; leader: 0"
    put(path, position)
    text = succeed(path, text="6c\n6h\n" + "1\n" * 20)
    assert "ranks to hang: you 6, seat 1 6" in text
    assert "You won: seat 1 is the durak, with epaulettes hung by you." in text


def test_statistics_by_rules(path: Path) -> None:
    """S003-41, E122: the opponents change nothing, other rules have statistics of their own."""
    assert succeed(path, "--stats") == "You have finished no game yet.\n"
    for opponents in (("greedy",), ("easy",), ("easy",)):
        put(path, LAST_CARD, opponents=opponents)
        succeed(path, text="7h\n")
    put(path, LAST_CARD.replace("podkidnoy", "podkidnoy(cap=5)"), opponents=("easy",))
    succeed(path, text="7h\n")
    rows = [line.split() for line in succeed(path, "--stats").splitlines()]
    assert rows[0] == ["rules", "games", "won", "lost", "drawn", "share", "streak", "longest"]
    assert rows[2:] == [
        ["podkidnoy", "3", "3", "0", "0", "100%", "3", "3"],
        ["podkidnoy(cap=5)", "1", "1", "0", "0", "100%", "1", "1"],
    ]
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "durak_env-statistics-1"}',
        '{"format": "durak_env-statistics-1", "tallies": [3]}',
        '{"format": "durak_env-statistics-1", "tallies": [{"rules": "x", "won": -1, '
        '"lost": 0, "drawn": 0, "streak": 0, "longest": 0}]}',
        '{"format": "durak_env-statistics-1", "tallies": [{"rules": 1, "won": 1, '
        '"lost": 0, "drawn": 0, "streak": 0, "longest": 0}]}',
    ],
)
def test_damaged_statistics(text: str, path: Path) -> None:
    """They are told of before the game, not when it is over."""
    path.parent.mkdir()
    statistics = path.with_name("game-statistics.json")
    statistics.write_text(text)
    for line in ([], ["--stats"], ["--new"]):
        result = run(path, *line, text="1\n")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"{statistics}: these statistics are damaged: " in result.stderr
        assert result.stderr.count("\n") == 1
    assert statistics.read_text() == text
    assert not path.exists()
