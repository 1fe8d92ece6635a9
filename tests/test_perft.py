"""How many sequences of actions there are from fixed deals of 24 cards, to every depth.

The numbers were counted by the oracle; a deal that is over has no further sequences.
"""

from __future__ import annotations

import copy

import pytest

from durak_env import Game, Rules
from tests.alignment import Pair, TrickPair
from tests.oracle.model import Oracle
from tests.oracle.tricks import ArmenianTricks

Plain = Oracle | ArmenianTricks
"""A deal of either oracle."""

# fmt: off
COUNTS = {
    "podkidnoy(deck=24,hand_size=2)":
        [2, 4, 8, 14, 34, 99, 234, 522, 1153, 2583, 5929, 13750, 31954],
    "podkidnoy(players=3,deck=24,hand_size=2)":
        [2, 2, 4, 8, 20, 34, 66, 114, 256, 569, 1306, 2715, 5728, 12006, 26207],
    "podkidnoy(players=3,deck=24,hand_size=3,ask_everyone=true)":
        [3, 5, 8, 10, 14, 26, 44, 70, 122, 173, 301, 540, 979, 1874, 3034, 5342, 9413, 17294],
    "podkidnoy(players=4,deck=24,go_out=immediately)":
        [6, 17, 45, 133, 391, 1087, 2771, 7157, 19001],
    "podkidnoy(players=4,deck=24,hand_size=3,throwers=neighbours,throw_order=priority)":
        [3, 6, 18, 35, 87, 218, 554, 1355, 3290, 7753, 18192],
    "armenian_tricks(deck=24,hand_size=4)":
        [8, 15, 112, 271, 1881, 5292, 33777, 88474],
    "prostoy(players=3,deck=24,hand_size=3)":
        [3, 8, 16, 38, 87, 203, 521, 1353, 3516, 8736, 21887],
    "site(players=2,deck=24,hand_size=3)":
        [3, 6, 18, 52, 152, 369, 1074, 2526, 7165, 17279],
    "site(players=4,deck=24,hand_size=2)":
        [2, 4, 9, 16, 29, 57, 115, 238, 472, 976, 1976, 3997, 8212, 16885],
}
# fmt: on
"""The number of sequences of 1, 2, 3, ... actions from the deal of seed 1."""


def legal(game: Game | Plain) -> list[str]:
    """The legal actions, sorted."""
    return sorted(map(str, game.legal_actions() if isinstance(game, Game) else game.legal()))


def pair(text: str) -> Pair | TrickPair:
    """The deal of seed 1 on both sides."""
    rules = Rules.parse(text)
    return TrickPair(rules, seed=1) if rules.tricks else Pair(rules, seed=1)


def counts(game: Game | Plain, depth: int) -> list[int]:
    """The number of sequences of 1, 2, ... ``depth`` actions."""
    actions = legal(game)
    totals = [len(actions)] + [0] * (depth - 1)
    for action in actions if depth > 1 else []:
        twin = copy.deepcopy(game)
        twin.play(action)
        for length, number in enumerate(counts(twin, depth - 1), start=1):
            totals[length] += number
    return totals


@pytest.mark.parametrize("rules", COUNTS)
def test_the_engine_meets_the_numbers(rules: str) -> None:
    expected = COUNTS[rules]
    assert counts(pair(rules).game, len(expected)) == expected


@pytest.mark.parametrize("rules", COUNTS)
def test_the_oracle_counts_the_same(rules: str) -> None:
    expected = COUNTS[rules][:-1]
    assert counts(pair(rules).oracle, len(expected)) == expected


# --- small decks, to the end of the deal --------------------------------------------------------

COMPLETE = {
    "podkidnoy(deck=6,suits=2,hand_size=3)": 779,
    "perevodnoy(deck=6,suits=2,hand_size=3)": 1025,
    "american(deck=6,suits=2,hand_size=3)": 993,
    "american(deck=6,suits=2,hand_size=2,self_throw=free)": 6802,
    "armenian(deck=6,suits=2,hand_size=3)": 654,
    "epaulettes(deck=8,suits=2,hand_size=2)": 363,
    "armenian(deck=6,suits=2,hand_size=3,transfer=true)": 870,
    "site(deck=6,suits=2,hand_size=3)": 922,
    "prostoy(deck=6,suits=2,hand_size=3)": 582,
    "armenian_tricks(deck=12,suits=2,hand_size=2)": 5162,
    "armenian_tricks(deck=12,suits=2,hand_size=2,flip=after_trick,trump_suit=h)": 3743,
    "perevodnoy(deck=6,suits=2,hand_size=3,transfer_chain=1,rank_order=lowest_beats_ace)": 1408,
}
"""The number of complete sequences of actions from the deal of seed 1."""


def state_of(game: Game | Plain) -> object:
    """A key that only equal states share."""
    if isinstance(game, Game):
        row = game.row.copy()
        row["events"] = row["event_count"] = 0  # how it came about is no part of a state
        return row.tobytes()
    return repr([(name, ordered(value)) for name, value in vars(game).items()])


def ordered(value: object) -> object:
    """Sets as sorted lists, also within lists."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return [ordered(item) for item in value] if isinstance(value, list) else value


def complete(game: Game | Plain, counted: dict[object, int]) -> int:
    """The number of action sequences to the end of the deal; each state is counted once."""
    key, actions = state_of(game), legal(game)
    if key not in counted:
        total = 0 if actions else 1
        for action in actions:
            twin = copy.deepcopy(game)
            twin.play(action)
            total += complete(twin, counted)
        counted[key] = total
    return counted[key]


@pytest.mark.parametrize("rules", COMPLETE)
def test_the_engine_plays_a_small_deck_out(rules: str) -> None:
    assert complete(pair(rules).game, {}) == COMPLETE[rules]


@pytest.mark.parametrize("rules", COMPLETE)
def test_the_oracle_plays_a_small_deck_out(rules: str) -> None:
    assert complete(pair(rules).oracle, {}) == COMPLETE[rules]
