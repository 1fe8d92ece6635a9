"""Epaulettes for two players (4.1, E99..E111); trump is diamonds, seat 0 leads at seat 1."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import play, position
from .model import Oracle, full_deck

POG: dict[str, Any] = {"epaulettes": True}
ALL_SPECIAL = POG | {"trump_exempt": False}


def pogony(*hands: str, levels: str = "6 7", options: dict[str, Any] = POG, **rest: Any) -> Oracle:
    return position(options, *hands, levels=levels.split(), **rest)


def result(oracle: Oracle) -> tuple[int | None, str | None, int | None]:
    return (oracle.durak, oracle.reason, oracle.hung)


# ---------------------------------------------------------------------------------- levels


def test_levels() -> None:
    """S000-9: the lowest rank of the deck at first."""
    assert Oracle(POG, full_deck(36), leader=0).levels == ["6", "6"]
    assert Oracle(POG | {"deck": 24}, full_deck(24), leader=0).levels == ["9", "9"]
    assert Oracle(POG, full_deck(36), leader=0, levels=["10", "A"]).levels == ["10", "A"]


def test_wrong_levels() -> None:
    """S000-2: two players, ranks of the deck, and only in epaulettes."""
    wrong: list[tuple[dict[str, Any], list[str]]] = [({}, ["6", "6"]), (POG, ["5", "6"])]
    for options, levels in [*wrong, (POG, ["6"]), (POG | {"deck": 54}, ["*", "6"])]:
        with pytest.raises(ValueError, match="level"):
            Oracle(options, full_deck(options.get("deck", 36)), leader=0, levels=levels)
    with pytest.raises(ValueError, match="two players"):
        Oracle(POG | {"players": 3}, full_deck(36), leader=0)


# ----------------------------------------------------------------------------- the hanging


def test_e99_hung() -> None:
    """E99, S000-5: the defender takes."""
    oracle = pogony("6s 6c", "7h 8h 9h", levels="6 6")
    assert oracle.legal() == {"6s", "6c"}
    oracle.play("6s")
    assert oracle.legal() == {"6c"}
    assert not oracle.hang
    oracle.play("6c")
    assert (oracle.actor, oracle.phase) == (1, "defend")
    assert oracle.legal() == {"take"}
    oracle.play("take")
    assert result(oracle) == (1, "durak", 0)


def test_e100_beaten_but_cards_are_left() -> None:
    """E100: the defender is the durak, so it hangs."""
    oracle = pogony("6s 6c", "9s 9c Kh")
    play(oracle, "6s, 6c, 9s, 9c")
    assert result(oracle) == (1, "durak", 0)


def test_e101_both_empty() -> None:
    """E101, S000-8: a draw hangs nothing, not even if the last defender loses."""
    oracle = pogony("6s 6c", "9s 9c")
    play(oracle, "6s, 6c, 9s, 9c")
    assert result(oracle) == (None, "draw", None)
    assert oracle.hang
    strict = pogony("6s 6c", "9s 9c", options=POG | {"draw_policy": "last_defender_loses"})
    play(strict, "6s, 6c, 9s, 9c")
    assert result(strict) == (1, "last_defender", None)


@pytest.mark.parametrize("hand", ["6s 6c", "6s 6c 6h", "6s 6c 6h 6d"])
@pytest.mark.parametrize("lead_mode", ["set", "single"])
def test_sizes_of_a_hang(hand: str, lead_mode: str) -> None:
    """S000-6, 7.2: two, three or four cards, card by card in either lead mode."""
    oracle = pogony(hand, "9h 8h 10h Jh Qh", options=ALL_SPECIAL | {"lead_mode": lead_mode})
    for card in hand.split():
        assert oracle.legal() == oracle.hands[0]
        oracle.play(card)
    assert oracle.hang
    oracle.play("take")
    assert oracle.hung == 0


def test_hang_with_going_out_at_once() -> None:
    """P27, H8: the deal is over with the last card led; the other holds cards."""
    oracle = pogony("6s 6c", "9s 9c", options=POG | {"go_out": "immediately"})
    play(oracle, "6s, 6c")
    assert result(oracle) == (1, "durak", 0)


# ------------------------------------------------------------------------- special cards


def test_e102_a_special_card_must_be_taken() -> None:
    """E102, S000-19: the defender of level 7 holds trumps and may not use them."""
    oracle = pogony("7c Kh", "8c Ad Kd")
    oracle.play("7c")
    assert oracle.legal() == {"take"}


def test_e103_the_trap() -> None:
    """E103, S000-33: he covers with his exempt nine of trumps and gets a plain nine."""
    oracle = pogony("8s 9s Kh", "9d Ad Kd", levels="6 9")
    oracle.play("8s")
    assert "9d" in oracle.legal()
    oracle.play("9d")
    assert oracle.legal() == {"9s", "pass"}
    oracle.play("9s")
    assert oracle.legal() == {"take"}


def test_special_cards_do_not_cover() -> None:
    """H3, S000-16: neither plain nor, without the exemption, in trumps."""
    oracle = pogony("8s Kh", "9s 9d 10s", levels="6 9")
    oracle.play("8s")
    assert oracle.legal() == {"9d", "10s", "take"}
    strict = pogony("8s Kh", "9s 9d 10s", levels="6 9", options=ALL_SPECIAL)
    strict.play("8s")
    assert strict.legal() == {"10s", "take"}


def test_targets_leave_out_special_cards() -> None:
    """H3: the other cards may still be covered."""
    table = [("8s", None), ("9s", None)]
    oracle = pogony("Kh", "10c Ad Kd", levels="6 9", table=table)
    assert oracle.legal() == {"Ad", "Kd", "take"}
    options = POG | {"cover_order": "any"}
    oracle = pogony("Kh", "10c Ad", levels="6 9", options=options, table=table)
    assert oracle.legal() == {"target 8s", "take"}


def test_e104_a_shorter_hand() -> None:
    """E104, H5, H6: two cards do not fit one; a dead lead of one six."""
    oracle = pogony("6s 6c", "8h")
    assert oracle.legal() == {"6s", "6c"}
    oracle.play("6s")
    assert (oracle.actor, oracle.phase, oracle.hang) == (1, "defend", False)
    oracle.play("take")
    assert (oracle.bout, oracle.leader) == (2, 0)


def test_e104_the_hand_limit_ignored() -> None:
    """E104, option: both cards are led, and can only be taken."""
    oracle = pogony("6s 6c", "7s", options=POG | {"hang_ignores_hand_cap": True})
    play(oracle, "6s, 6c")
    assert oracle.hang
    oracle.play("take")
    assert result(oracle) == (1, "durak", 0)


def test_a_cap_stops_the_hang() -> None:
    """H4: three cards do not fit a cap of two, whatever the hand limit."""
    options = POG | {"cap": 2, "cap_when_stock_empty": "same", "hang_ignores_hand_cap": True}
    oracle = pogony("6s 6c 6h", "8h 9h 10h", options=options)
    oracle.play("6s")
    assert oracle.actor == 1


@pytest.mark.parametrize("everyone", [False, True])
def test_e105_a_single_special_card(everyone: bool) -> None:
    """E105, S000-6: a dead lead, no epaulette."""
    oracle = pogony("6s", "8h 9h", options=POG | {"ask_everyone": everyone})
    play(oracle, "6s, take")
    assert result(oracle) == (1, "durak", None)


@pytest.mark.parametrize("everyone", [False, True])
def test_a_dead_lead_is_one_card(everyone: bool) -> None:
    """H6: no continuation."""
    oracle = pogony("6s 6c", "8h", options=POG | {"ask_everyone": everyone})
    oracle.play("6s")
    assert oracle.actor == 1


@pytest.mark.parametrize("hand", ["6s", "6s 6c"])
def test_dead_lead_without_result(hand: str) -> None:
    """H6, 7.19: the deal ends like a draw."""
    oracle = pogony(hand, "8h", options=POG | {"dead_lead": "no_result"})
    assert result(oracle) == (None, "dead_lead", None)
    assert (oracle.phase, oracle.actor, oracle.places) == ("over", None, [])


def test_e106_equal_levels() -> None:
    """E106: sixes are not led, not beaten, and do not beat."""
    oracle = pogony("6s 7s Kh", "8s 6h 6c", levels="6 6", options=ALL_SPECIAL)
    assert oracle.legal() == {"7s", "Kh"}


def test_e107_an_exempt_trump_in_the_set() -> None:
    """E107, S000-30: a valid set; the other may beat the trump."""
    oracle = pogony("6d 6s", "8d 9s 10h")
    play(oracle, "6s, 6d")
    assert oracle.hang
    play(oracle, "9s, 8d")
    assert result(oracle) == (1, "durak", 0)


def test_an_exempt_trump_led_first_leaves_the_choice() -> None:
    """7.18: the hang stays optional until a special card is led."""
    oracle = pogony("6d 6s 6h", "8d 9s 10h")
    oracle.play("6d")
    assert oracle.legal() == {"6s", "6h", "pass"}
    oracle.play("6s")
    assert oracle.legal() == {"6h"}
    oracle.play("6h")
    assert oracle.hang


@pytest.mark.parametrize("lead_mode", ["set", "single"])
def test_the_hang_is_optional(lead_mode: str) -> None:
    """H4, H2: no duty to hang; afterwards the six cannot be thrown in."""
    oracle = pogony("6d 6s", "8d 9s 10h", options=POG | {"lead_mode": lead_mode})
    oracle.play("6d")
    assert oracle.legal() == {"6s", "pass"}
    oracle.play("pass")
    assert (oracle.hang, oracle.actor) == (False, 1)
    oracle.play("8d")
    assert oracle.bout == 2


def test_an_exempt_trump_that_cannot_hang() -> None:
    """H5: the set does not fit, so only the trump may be led, alone."""
    oracle = pogony("6d 6s", "8d")
    assert oracle.legal() == {"6d"}
    oracle.play("6d")
    assert oracle.actor == 1


def test_e108_not_with_a_stock() -> None:
    """E108: the sixes may not be led."""
    hand = "6s 6c 7s 8s 9s 10s"
    oracle = pogony(hand, "7h 8h 9h 10h Jh Qh", stock=["As", "6d"])
    assert oracle.legal() == {"7s", "8s", "9s", "10s"}


def test_e109_no_hang_by_throwing_in() -> None:
    """E109: rank 6 is open, yet the sixes stay in the hand."""
    oracle = pogony("Kh 6s 6c", "6d Jh 8s")
    play(oracle, "Kh, 6d")
    assert (oracle.bout, oracle.leader) == (2, 1)


def test_e110_no_result() -> None:
    """E110, S000-13: a plain durak hangs nothing."""
    oracle = pogony("9s", "8h 10h")
    play(oracle, "9s, take")
    assert result(oracle) == (1, "durak", None)


def test_e111_aces() -> None:
    """E111, S000-25: nobody beats the ace of trumps."""
    oracle = pogony("As Ad", "8d 9s 10h", levels="A 7")
    play(oracle, "As, Ad, 8d")
    assert oracle.legal() == {"take"}
    oracle.play("take")
    assert result(oracle) == (1, "durak", 0)
