"""The engine replayed against the plain-Python oracle: every state of a deal must be the same."""

from __future__ import annotations

import itertools
import random

import pytest

from durak_env import Rules
from durak_env.rules import PRESETS, OptionValue
from tests.alignment import Pair, random_rules

PRESET_STATES = 5_000
RANDOM_STATES = 18_000
RANDOM_BLOCKS = 10

TABLES = [
    Rules.preset(name, players=players, deck=deck)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
    for deck in (36, 52)
]
"""Every preset with every number of players and both usual decks."""


def compare_deals(rules: Rules | None, block: int, states: int) -> int:
    """Compare whole deals until this many states are compared; without rules each deal has its own.

    Returns the number of states compared.
    """
    compared = 0
    for deal in itertools.count():
        rng = random.Random(f"{rules} {block} {deal}")
        pair = Pair(rules or random_rules(rng), seed=rng.randrange(2**32))
        compared += pair.play(rng)
        if compared >= states:
            return compared
    raise AssertionError("unreachable")


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_preset_agrees_with_the_oracle(rules: Rules) -> None:
    assert compare_deals(rules, 0, PRESET_STATES) >= PRESET_STATES


@pytest.mark.parametrize("block", range(RANDOM_BLOCKS))
def test_random_options_agree_with_the_oracle(block: int) -> None:
    """B20: the options are independent of each other."""
    assert compare_deals(None, block, RANDOM_STATES) >= RANDOM_STATES


def test_the_default_run_compares_300_000_states() -> None:
    assert len(TABLES) * PRESET_STATES + RANDOM_BLOCKS * RANDOM_STATES >= 300_000


@pytest.mark.slow
@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_preset_agrees_with_the_oracle_for_long(rules: Rules) -> None:
    assert compare_deals(rules, 1, 40_000) >= 40_000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(RANDOM_BLOCKS, RANDOM_BLOCKS + 20))
def test_random_options_agree_with_the_oracle_for_long(block: int) -> None:
    assert compare_deals(None, block, 50_000) >= 50_000


# --- the comparison itself ----------------------------------------------------------------------

CLOSE: dict[str, OptionValue] = {"players": 2, "hand_size": 2, "deck": 24}
NO_STOCK: dict[str, OptionValue] = {"players": 4, "hand_size": 6, "deck": 24}
CHANGES: list[tuple[dict[str, OptionValue], dict[str, OptionValue]]] = [
    ({}, {"cap": 5}),
    ({}, {"lead_mode": "single"}),
    ({}, {"throw_in": "none"}),
    ({"players": 4}, {"throwers": "neighbours"}),
    ({"players": 4}, {"throwers": "attacker_only"}),
    ({"players": 4}, {"throw_order": "priority"}),
    ({}, {"throw_timing": "anytime", "cover_order": "table"}),
    ({}, {"cover_order": "any"}),
    ({}, {"add_after_take": False}),
    ({}, {"first_limit": 4}),
    ({}, {"first_limit": None}),
    ({}, {"first_limit_scope": "first_bout"}),
    ({}, {"first_cap_on_take": 5}),
    ({}, {"cap_when_stock_empty": "same"}),
    ({"players": 3}, {"draw_order": "strict_clockwise"}),
    ({"players": 3}, {"first_lead": "left_of_dealer"}),
    ({**CLOSE, "no_trump_fallback": "lot"}, {"no_trump_fallback": "lowest_card"}),
    (CLOSE, {"draw_policy": "last_defender_loses"}),
    ({"players": 3}, {"go_out": "immediately"}),
    (NO_STOCK, {"place_order": "seat"}),
    ({}, {"ask_everyone": True}),
    (NO_STOCK, {"repetition": 2}),
]
"""Options of the engine, and how the oracle is asked to differ from them."""


def first_difference(rules: Rules, other: Rules, states: int) -> int | None:
    """After how many compared states an oracle under other rules is told apart; None if never."""
    compared = 0
    for deal in itertools.count():
        rng = random.Random(f"difference {deal}")
        try:
            pair = Pair(rules, seed=deal, oracle_rules=other)
            compared += pair.play(rng)
        except (AssertionError, ValueError):  # the oracle refuses what the engine played
            return compared
        if compared >= states:
            return None
    raise AssertionError("unreachable")


@pytest.mark.parametrize(("base", "change"), CHANGES, ids=str)
def test_an_oracle_under_another_option_is_told_apart(
    base: dict[str, OptionValue], change: dict[str, OptionValue]
) -> None:
    rules = Rules.preset("podkidnoy", **base)
    other = Rules.preset("podkidnoy", **{**base, **change})
    assert first_difference(rules, other, 200_000) is not None


def test_an_oracle_under_the_same_rules_is_not_told_apart() -> None:
    assert first_difference(Rules(), Rules(), 1_000) is None
