"""Golden playthroughs: one deal of every preset and number of players, state by state.

A file of ``tests/golden`` begins with the transcript of a deal and its outcome. Then comes every
state: the action that led to it, those fields of its position that the action changed, and who may
now do what. After a change of the rules, of positions or of the dealing that is meant,
``python -m tests.test_golden`` writes the files anew; read the difference before committing it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak_env import Game, Rules
from durak_env.notation import parse_fields
from durak_env.position import FIELDS
from durak_env.rules import PRESETS

FOLDER = Path(__file__).parent / "golden"
SEED = 1
DEALS = {
    f"{preset}-{players}": Rules.preset(preset, players=players)
    for preset, details in PRESETS.items()
    for players in range(details.players[0], details.players[1] + 1)
}
"""The rules of every golden deal by the name of its file."""


def facts(game: Game) -> dict[str, str]:
    """The position by field, with one field per hand, and the legal actions."""
    fields = parse_fields(game.position(), FIELDS)
    del fields["rules"]
    for key in ("hands", "known"):
        for seat, cards in enumerate(fields.pop(key, "|" * (game.players - 1)).split("|")):
            fields[f"{key} {seat}"] = cards.strip()
    fields["legal"] = f"{game.actor} {' '.join(map(str, game.legal_actions()))}"
    return fields


def changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """The fields that differ, one per line; a field that is gone is empty."""
    for key in [*after, *(key for key in before if key not in after)]:
        if before.get(key, "") != after.get(key, ""):
            yield f"{key}: {after.get(key, '')}".rstrip()


def playthrough(transcript: str) -> str:
    """The text of a golden file."""
    head, _, actions = transcript.partition("actions: ")
    game = Game.from_transcript(head)
    state = facts(game)
    lines = ["> deal", *changes({}, state)]
    for action in actions.strip().split(", "):
        game.play(action)
        before, state = state, facts(game)
        lines += [f"> {action}", *changes(before, state)]
    return f"{transcript}{game.outcome}\n\n" + "\n".join(lines) + "\n"


def play_at_random(rules: Rules) -> Game:
    """The deal of a golden file."""
    game, rng = Game(rules, seed=SEED), random.Random(SEED)
    while game.actor is not None:
        game.play(rng.choice(game.legal_actions()))
    return game


def path(name: str) -> Path:
    """Where a golden file lies."""
    return FOLDER / f"{name}.txt"


@pytest.mark.parametrize("name", DEALS)
def test_golden_deal(name: str) -> None:
    text = path(name).read_text(encoding="utf-8")
    transcript, _, _ = text.partition("Outcome(")
    assert playthrough(transcript) == text


@pytest.mark.parametrize("name", DEALS)
def test_seeds_deal_what_they_always_dealt(name: str) -> None:
    assert (
        path(name)
        .read_text(encoding="utf-8")
        .startswith(Game(DEALS[name], seed=SEED).transcript().partition("actions:")[0])
    )


def test_no_other_files() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(DEALS)


def write_all() -> None:
    """Write every golden file anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, rules in DEALS.items():
        text = playthrough(play_at_random(rules).transcript())
        path(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_all()
