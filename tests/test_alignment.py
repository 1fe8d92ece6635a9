"""The engine replayed against the plain-Python oracle: every state of a deal must be the same."""

from __future__ import annotations

import itertools
import random

import pytest

from durak_env import Rules
from durak_env.rules import PRESETS, OptionValue
from tests.alignment import Pair, random_rules

PRESET_STATES = 5_500
RANDOM_STATES = 9_000
RANDOM_BLOCKS = 50
SLOW_PRESET_STATES = 110_000
SLOW_RANDOM_STATES = 125_000
SLOW_RANDOM_BLOCKS = 80

TABLES = [
    Rules.preset(name, players=players, deck=deck)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
    for deck in preset.decks
    if players * 6 <= deck and name != "armenian_tricks"
]
"""Every preset of bouts with every number of players and each of its decks."""

SPECIAL = [
    Rules.parse(text)
    for text in (
        "plus(players=4,transfer=true,show_transfer=true,first_limit=5,throwers=neighbours)",
        "plus(players=3,throw_in=none,transfer=true,show_transfer=true)",
        "armenian(players=3,transfer=true)",
        "american(players=3,self_throw=free)",
        "jokers(players=6,hand_size=9)",
        "jokers(players=6,hand_size=9,joker_turned_up=no_trump)",
        "jokers(joker_turned_up=no_trump,transfer=true,show_transfer=true)",
        "perevodnoy(players=4,transfer_chain=1)",
        "podkidnoy(players=6,trump_when_dealt_out=exposed)",
        "podkidnoy(deck=24,rank_order=lowest_beats_ace)",
        "epaulettes(deck=24,hang_by_throw_in=true)",
        "perevodnoy(deck=12,suits=2,hand_size=4,show_transfer=true)",
    )
]
"""What the presets are also played with; in the fifth a joker may be the last card dealt (P23)."""


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


@pytest.mark.parametrize("rules", TABLES + SPECIAL, ids=str)
def test_preset_agrees_with_the_oracle(rules: Rules) -> None:
    assert compare_deals(rules, 0, PRESET_STATES) >= PRESET_STATES


@pytest.mark.parametrize("block", range(RANDOM_BLOCKS))
def test_random_options_agree_with_the_oracle(block: int) -> None:
    """B20: the options are independent of each other."""
    assert compare_deals(None, block, RANDOM_STATES) >= RANDOM_STATES


def test_the_default_run_compares_a_million_states() -> None:
    assert len(TABLES) * PRESET_STATES + RANDOM_BLOCKS * RANDOM_STATES >= 1_000_000


def test_the_slow_run_compares_twenty_million_states() -> None:
    presets = (len(TABLES) + len(SPECIAL)) * SLOW_PRESET_STATES
    assert presets + SLOW_RANDOM_BLOCKS * SLOW_RANDOM_STATES >= 20_000_000


@pytest.mark.slow
@pytest.mark.parametrize("rules", TABLES + SPECIAL, ids=str)
def test_preset_agrees_with_the_oracle_for_long(rules: Rules) -> None:
    assert compare_deals(rules, 1, SLOW_PRESET_STATES) >= SLOW_PRESET_STATES


@pytest.mark.slow
@pytest.mark.parametrize("block", range(RANDOM_BLOCKS, RANDOM_BLOCKS + SLOW_RANDOM_BLOCKS))
def test_random_options_agree_with_the_oracle_for_long(block: int) -> None:
    assert compare_deals(None, block, SLOW_RANDOM_STATES) >= SLOW_RANDOM_STATES


# --- the comparison itself ----------------------------------------------------------------------

CLOSE: dict[str, OptionValue] = {"players": 2, "hand_size": 2, "deck": 24}
NO_STOCK: dict[str, OptionValue] = {"players": 4, "hand_size": 6, "deck": 24}
PASSED_ON: dict[str, OptionValue] = {"players": 3, "transfer": True}
SHOWN: dict[str, OptionValue] = {
    **{"transfer": True, "show_transfer": True, "deck": 12, "hand_size": 4},
    "transfer_hand": "unrestricted",
}
JOKERS: dict[str, OptionValue] = {"players": 4, "deck": 54}
EPAULETTES: dict[str, OptionValue] = {"epaulettes": True, "deck": 24}
CHANGES: list[tuple[dict[str, OptionValue], dict[str, OptionValue]]] = [
    ({}, {"cap": 5}),
    ({}, {"rank_order": "lowest_beats_ace"}),
    ({"rank_order": "lowest_beats_ace"}, {"rank_order": "lowest_trump_beats_ace"}),
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
    ({}, {"transfer": True}),
    (PASSED_ON, {"transfer_hand": "unrestricted"}),
    (PASSED_ON, {"transfer_first_bout": False}),
    (PASSED_ON, {"transfer_cards": "many"}),
    (PASSED_ON, {"transfer_chain": 1}),
    ({"transfer": True}, {"transfer_two_players": False}),
    (PASSED_ON, {"new_attacker": "leader"}),
    (PASSED_ON, {"draw_first_after_transfer": "leader"}),
    (PASSED_ON, {"show_transfer": True}),
    (SHOWN, {"show_limit": "once_per_deal_per_player"}),
    (SHOWN, {"show_limit": "none"}),
    ({}, {"self_throw": "atomic"}),
    ({"self_throw": "atomic"}, {"self_throw": "free"}),
    ({"self_throw": "atomic", "cap": 3, "first_limit": None}, {"self_throw_in_cap": False}),
    ({}, {"stock_lead": True}),
    ({"stock_lead": True}, {"stock_lead_scope": "first_lead_of_deal"}),
    ({**NO_STOCK, "trump_when_dealt_out": "exposed"}, {"trump_when_dealt_out": "last_dealt"}),
    (JOKERS, {"trump_joker": False}),
    (JOKERS, {"joker_turned_up": "no_trump"}),
    ({**JOKERS, "joker_turned_up": "no_trump"}, {"joker_turned_up": "reveal_next"}),
    (JOKERS, {"plain_joker": "beats_all"}),
    (JOKERS, {"plain_joker": "off"}),
    (JOKERS, {"joker_may_attack": False}),
    ({**JOKERS, **PASSED_ON}, {"joker_transfer": False}),
    (EPAULETTES, {"epaulettes": False}),
    (EPAULETTES, {"trump_exempt": False}),
    ({**EPAULETTES, "deck": 12, "hand_size": 4}, {"hang_ignores_hand_cap": True}),
    ({**EPAULETTES, "hang_by_throw_in": True}, {"hang_by_throw_in": False}),
    (EPAULETTES, {"dead_lead": "no_result"}),
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
