"""``durak soak``: it finds nothing in our games, and every fault that is planted."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import durak_env
from durak_env import Game, Rules
from durak_env.cli import main
from durak_env.engine import Rows
from durak_env.errors import ConfigError
from durak_env.rules import PRESETS
from durak_env.soak import soak, soak_table, tables
from durak_env.soak.kernels import count_unsound
from tests.test_encoding import play_on

Fault = Callable[[Rows], None]


def test_nothing_is_wrong() -> None:
    """Every table; the games are divided evenly, and the same seed finds the same."""
    tallies = list(soak(420, seed=3))
    assert [tally.rules for tally in tallies] == [str(rules) for rules in tables()]
    assert {tally.games for tally in tallies} == {10}
    assert all(tally.clean for tally in tallies)
    assert sum(tally.checks for tally in tallies) > 100
    assert list(soak(420, seed=3)) == tallies
    assert list(soak(420, seed=4)) != tallies


def test_tables_are_every_preset_and_number_of_players() -> None:
    assert len(tables()) == sum(
        high - low + 1 for low, high in (p.players for p in PRESETS.values())
    )
    assert sum(tally.games for tally in soak(45)) == 45
    with pytest.raises(ConfigError, match="games=0 is not accepted; it takes 1 or more"):
        list(soak(0))


def lose_a_card(rows: Rows) -> None:
    rows["hands"][0, 0] &= rows["hands"][0, 0] - np.uint64(1)


def double_a_card(rows: Rows) -> None:
    rows["hands"][0, 1] |= rows["hands"][0, 0] & ~(rows["hands"][0, 0] - np.uint64(1))


def forget_the_actor(rows: Rows) -> None:
    rows["actor"] = -1


def ask_nothing(rows: Rows) -> None:
    rows["legal_cards"] = rows["legal_words"] = 0


def offer_a_strange_card(rows: Rows) -> None:
    rows["legal_cards"] |= rows["hands"][0, 1]


def know_what_nobody_holds(rows: Rows) -> None:
    rows["known"][0, 0] = rows["hands"][0, 1]


def bury_the_trump_card(rows: Rows) -> None:
    last = int(rows["stock_end"][0]) - 1
    rows["stock"][0, [last - 1, last]] = rows["stock"][0, [last, last - 1]]


def miscount_the_table(rows: Rows) -> None:
    rows["attacks"] += 1


def end_too_early(rows: Rows) -> None:
    rows["phase"], rows["reason"], rows["durak"] = 4, 1, 0


FAULTS = [
    lose_a_card,
    double_a_card,
    forget_the_actor,
    ask_nothing,
    offer_a_strange_card,
    know_what_nobody_holds,
    bury_the_trump_card,
    miscount_the_table,
    end_too_early,
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_state_is_counted(fault: Fault) -> None:
    """Seat 0 leads, the stock lies there; each fault breaks that state."""
    game = Game(Rules(), seed=1, leader=0)
    rows = game.rows.copy()
    assert count_unsound(rows) == 0
    fault(rows)
    assert count_unsound(rows) == 1


def test_a_durak_without_cards_is_counted() -> None:
    game = Game(Rules(), seed=2)
    for _ in play_on(game, random.Random(2), 2000):
        pass
    rows = game.rows.copy()
    assert game.outcome is not None
    assert count_unsound(rows) == 0
    rows["durak"] = 1 - int(rows["durak"][0])
    assert count_unsound(rows) == 1


def test_a_game_that_does_not_end_is_counted() -> None:
    tally = soak_table(Rules(), 20, [1], most=10)
    assert tally.unfinished == 20
    assert tally.decisions == 200
    assert not tally.clean


@pytest.mark.slow
def test_a_planted_leak_is_counted(tmp_path: Path) -> None:
    """In a copy of the package a view tells how many trumps the other seat holds."""
    copy = tmp_path / "durak_env"
    shutil.copytree(
        Path(durak_env.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__")
    )
    source = copy / "view" / "kernels.py"
    text = source.read_text(encoding="utf-8")
    line = '    own["stock_count"] = stock_count(s)\n'
    assert text.count(line) == 1
    leaky = '    own["stock_count"] = popcount(s["hands"][1 - seat] & np.uint64(0xFFFF))\n'
    source.write_text(text.replace(line, leaky), encoding="utf-8")
    program = "from durak_env import Rules; from durak_env.soak import soak_table as run; "
    program += "print(run(Rules(), 40, [1], every=5).leaks)"
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert int(done.stdout) > 100


def test_the_command() -> None:
    done = CliRunner().invoke(main, ["soak", "--games", "84", "--seed", "5"])
    assert done.exit_code == 0
    assert "games: 84, decisions: " in done.stdout
    assert "unsound: 0, checks: " in done.stdout
    assert "leaks: 0, unfinished: 0" in done.stdout
    told = json.loads(CliRunner().invoke(main, ["soak", "--games", "84", "--json"]).stdout)
    assert told["games"] == 84
    assert told["decisions"] == sum(table["decisions"] for table in told["tables"])


def test_the_command_fails_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak_table, "__kwdefaults__", {"every": 200, "most": 5, "progress": None})
    done = CliRunner().invoke(main, ["soak", "--games", "42"])
    assert done.exit_code == 1
    assert "unfinished: 42" in done.stdout


@pytest.mark.parametrize("options", [["--games", "0"], ["--games", "x"], ["--seed", "-1"]])
def test_bad_usage(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["soak", *options])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
