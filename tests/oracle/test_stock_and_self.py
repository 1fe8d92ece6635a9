"""Leads from the stock (P22, E78..E84) and self throws (P21, E85..E92)."""

from __future__ import annotations

from typing import Any

import pytest

from .cards import full_deck
from .helpers import POD, POD3, askers, cards, first_bout, play, position
from .model import Oracle

AR1: dict[str, Any] = {
    "stock_lead": True,
    "lead_mode": "single",
    "throw_order": "priority",
    "first_limit": None,
}
AME: dict[str, Any] = {
    "self_throw": "atomic",
    "lead_mode": "single",
    "throw_order": "priority",
    "first_limit": None,
}

# --------------------------------------------------------------------------- 3.G Armenian 1

LEADER = "7s Kh 8s 9s 10s 9h"


def with_stock(options: dict[str, Any], stock: str, *hands: str, **rest: Any) -> Oracle:
    return position(AR1 | options, *hands, stock=cards(stock), **rest)


def test_e78_lead_from_the_stock() -> None:
    """E78, S002-11: the top card becomes the lead; the leader draws nothing for it."""
    oracle = with_stock({}, "Jc Ac Ah 6d", LEADER, "Qc 8h Qh Kc Kd 10h")
    assert oracle.legal() == {*cards(LEADER), "stock"}
    oracle.play("stock")
    assert (oracle.table, oracle.stock) == ([("Jc", None)], ["Ac", "Ah", "6d"])
    assert oracle.actor == 1
    oracle.play("Qc")
    assert oracle.hands == [set(cards(LEADER)), set(cards("8h Qh Kc Kd 10h Ac"))]
    assert (oracle.bout, oracle.leader, oracle.stock) == (2, 1, ["Ah", "6d"])


def test_no_stock_lead_in_podkidnoy() -> None:
    """P22: off unless asked for."""
    assert "stock" not in position(POD, "7s", "8s", stock=["Ac", "6d"]).legal()


def test_e79_the_lone_trump_card_stays() -> None:
    """E79, S002-12: with one card in the stock, and with none."""
    assert "stock" not in with_stock({}, "6d", LEADER, "Jc 8h").legal()
    assert "stock" not in with_stock({}, "", LEADER, "Jc 8h").legal()


def test_e80_two_cards_are_enough() -> None:
    """E80: the defender covers and draws the trump, for all to see."""
    oracle = with_stock({}, "Jc 6d", LEADER, "Qc 8h Qh Kc Kd 10h")
    play(oracle, "stock, Qc")
    assert oracle.stock == []
    assert oracle.known[1] == {"6d"}


def test_e81_peek() -> None:
    """E81: no view before the lead, unless peeking is on; only while the card may be led."""
    hands = (LEADER, "Qc 8h Qh Kc Kd 10h")
    assert with_stock({}, "Jc Ac 6d", *hands).peek is None
    oracle = with_stock({"stock_lead_peek": True}, "Jc Ac 6d", *hands)
    assert oracle.peek == "Jc"
    oracle.play("stock")
    assert not oracle.peek
    assert with_stock({"stock_lead_peek": True}, "6d", *hands).peek is None


def test_e82_throwing_in_after_a_stock_lead() -> None:
    """E82: J and K are open, cards come from the hands."""
    oracle = with_stock({}, "Jc Ac Ah 6d", "7s Js Kh 8s 9s 10s", "Qh 8h Kc Kd 10h As")
    play(oracle, "stock, Kc")
    assert oracle.legal() == {"Js", "Kh", "pass"}


def test_e82_transfer_of_a_stock_lead() -> None:
    """E82, S002-22: the defender transfers by a jack."""
    options = {"transfer": True}
    oracle = with_stock(options, "Jc Ac Ah 6d", LEADER, "Jh 8h Kc Kd 10h As")
    oracle.play("stock")
    assert oracle.legal() == {"Kc", "Kd", "transfer Jh", "take"}
    oracle.play("transfer Jh")
    assert (oracle.attacker, oracle.defender, len(oracle.table)) == (1, 0, 2)


def test_e83_prostoy() -> None:
    """E83: one card, beaten or taken."""
    oracle = with_stock({"throw_in": "none"}, "Jc Ac 6d", "7s Js", "Jh 8h Kc")
    play(oracle, "stock, take")
    assert oracle.bout == 2
    assert {"Jh", "8h", "Kc", "Jc"} <= oracle.hands[1]


def test_e84_a_stock_lead_is_an_attack_card() -> None:
    """E84: it counts for the limits."""
    oracle = first_bout(AR1 | {"first_limit": 1}, "7s Js", "Jh 8h Kc")
    oracle.play("stock")
    assert oracle.room == 0


def test_stock_lead_in_a_set() -> None:
    """S000-42: with a set lead he goes on with hand cards of the rank."""
    oracle = with_stock({"lead_mode": "set"}, "Jc Ac 6d", "7s Js Kh", "Qc 8h Qh Kc")
    oracle.play("stock")
    assert (oracle.actor, oracle.phase) == (0, "lead")
    assert oracle.legal() == {"Js", "pass"}


def test_scope_of_the_stock_lead() -> None:
    """P22b: every lead, or only the first one of the deal."""
    for bout, possible in ((1, True), (2, False)):
        options = {"stock_lead_scope": "first_lead_of_deal"}
        oracle = with_stock(options, "Jc Ac 6d", "7s", "8s Qc", bout=bout)
        assert ("stock" in oracle.legal()) == possible
    assert "stock" in with_stock({}, "Jc Ac 6d", "7s", "8s Qc", bout=2).legal()


# ------------------------------------------------------------------------------ 3.H American

S004_10 = ("6d 8d 10s Qd 9h Qh", "6s 7d Ad As 8h 10h")


def test_e85_the_worked_example() -> None:
    """E85, S004-10: four attack cards, eight discarded, seat 0 draws two, seat 1 six; he leads."""
    oracle = first_bout(AME, *S004_10, trump="6h")
    play(oracle, "6d, 7d")
    assert (oracle.phase, oracle.actor) == ("throw", 1)
    assert oracle.legal() == {"self 6s", "pass"}
    oracle.play("self 6s")
    assert (oracle.phase, oracle.actor) == ("defend", 1)
    assert oracle.legal() == {"As", "8h", "10h"}
    oracle.play("As")
    assert oracle.legal() == {"self Ad", "pass"}
    play(oracle, "self Ad, 8h")
    assert oracle.actor == 0
    assert oracle.legal() == {"8d", "pass"}
    oracle.play("8d")
    assert len(oracle.table) == 4
    drawn = oracle.stock[:8]
    oracle.play("10h")
    assert len(oracle.discard) == 8
    assert oracle.hands[0] == {"10s", "Qd", "9h", "Qh", *drawn[:2]}
    assert oracle.hands[1] == set(drawn[2:])
    assert (oracle.leader, oracle.bout) == (1, 2)


def test_e85_with_everyone_asked() -> None:
    """S004-10: seat 0 says that he has nothing, and still throws in later."""
    oracle = first_bout(AME | {"ask_everyone": True}, *S004_10, trump="6h")
    play(oracle, "6d, 7d, pass, self 6s, As, pass, self Ad, 8h")
    assert oracle.actor == 0
    assert oracle.legal() == {"8d", "pass"}
    play(oracle, "8d, 10h")
    assert (oracle.bout, oracle.leader) == (2, 1)


def test_everyone_is_asked_for_self_throws() -> None:
    """7.4: with two cards and room the defender is asked although he can throw nothing."""
    oracle = position(AME | {"ask_everyone": True}, "8s Kh", "9s Jc Qc")
    play(oracle, "8s, 9s, pass")
    assert (oracle.phase, oracle.actor) == ("throw", 1)
    assert oracle.legal() == {"pass"}
    oracle.play("pass")
    assert (oracle.bout, oracle.leader) == (2, 1)


def test_e86_two_cards_are_needed() -> None:
    """E86: with one card in hand nothing is left to cover with."""
    oracle = position(AME, "8s Kh", "9s 9d")
    play(oracle, "8s, 9s")
    assert (oracle.bout, oracle.leader) == (2, 1)


def test_e87_atomic_needs_a_cover() -> None:
    """E87: 9s cannot be covered by 6h: illegal, or legal and then only to be taken."""
    hands, table = ("Kh Ks", "9s 6h 9h"), [("8h", "9c")]
    atomic = position(AME, *hands, table=table)
    assert atomic.bout == 2
    free = position(AME | {"self_throw": "free"}, *hands, table=table)
    assert free.legal() == {"self 9s", "self 9h", "pass"}
    free.play("self 9s")
    assert free.legal() == {"take"}
    free.play("take")
    assert (free.bout, free.leader) == (2, 0)
    assert free.hands[1] == {"8h", "9c", "9s", "6h", "9h"}


def test_e88_the_cap() -> None:
    """E88: with five attack cards one self throw, with six none."""
    table = [("8s", "9s"), ("8h", "9h"), ("8c", "10c"), ("8d", "10d"), ("9c", "Jc")]
    options = AME | {"cap_when_stock_empty": "same"}
    hands = ("Kh Ks", "10s Js Jd Qd Kd")
    oracle = position(options, *hands, table=table)
    assert oracle.legal() == {"self 10s", "self Js", "self Jd", "pass"}
    play(oracle, "self 10s, Js")
    assert oracle.bout == 2


def test_self_throws_outside_the_cap() -> None:
    """P21a, option: they count in the hand limit only."""
    table = [("8s", "9s"), ("8h", "9h"), ("8c", "10c"), ("8d", "10d"), ("9c", "Jc")]
    options = AME | {"cap_when_stock_empty": "same", "self_throw_in_cap": False}
    oracle = position(options, "Kh Ks", "10s Js Jd Qd Kd", table=table)
    play(oracle, "self 10s, Js")
    assert (oracle.room, oracle.actor) == (1, 1)
    assert oracle.legal() == {"self Jd", "pass"}


def test_e89_only_with_everything_beaten() -> None:
    """E89: not while a card is unbeaten, not after the take."""
    oracle = position(AME, "8s Kh Ks", "8c 9s 9d Kd", table=[("8h", None)])
    assert oracle.legal() == {"9d", "Kd", "take"}
    oracle.play("take")
    assert oracle.actor == 0
    assert askers(oracle) == [0]


def test_e90_the_others_may_go_on() -> None:
    """E90: passes are cleared, seat 0 is asked first and may throw in an eight or an ace."""
    hands = ("8s As Kh", "Ac 8d Kc Qd", "8c Ks Jh")
    oracle = position(POD3 | AME, *hands, table=[("8h", "Ah")])
    play(oracle, "pass, pass")
    assert oracle.legal() == {"self Ac", "self 8d", "pass"}
    play(oracle, "self Ac, 8d")
    assert (oracle.passed, oracle.actor) == (set(), 0)
    assert oracle.legal() == {"8s", "As", "pass"}


@pytest.mark.parametrize("throw_order", ["priority", "round_robin", "free"])
def test_e91_the_defender_is_asked_last(throw_order: str) -> None:
    """E91, P21b: the bout ends when 0, 2 and 1 have passed since the last card."""
    options = POD3 | AME | {"throw_order": throw_order}
    hands = ("8s As Kh", "Ac 8d Kc Qd", "8c Ks Jh")
    oracle = position(options, *hands, table=[("8h", "Ah")])
    assert askers(oracle) == [0, 2, 1]
    oracle = position(options, *hands, table=[("8h", "Ah")])
    play(oracle, "pass, pass, self Ac, 8d")
    assert askers(oracle) == ([2, 0] if throw_order == "round_robin" else [0, 2])
    assert oracle.bout == 2  # the king and the queen of seat 1 match nothing


def test_e92_drawing_order() -> None:
    """E92: the defender draws last."""
    table = [("8h", "Ah")]
    stock = cards("Qs Qh Qc 7s 7h 7c 9s 9h 9c 9d 6d")
    oracle = position(POD3 | AME, "Kh As", "Kc Qd 10c Jd", "Ks Jh", table=table, stock=stock)
    assert askers(oracle) == [0]
    assert {"Qs", "Qh", "Qc", "7s"} <= oracle.hands[0]
    assert {"7h", "7c", "9s", "9h"} <= oracle.hands[2]
    assert {"9c", "9d"} <= oracle.hands[1]


def test_self_throw_without_throw_ins() -> None:
    """P21, P9: nobody else throws, the defender still may."""
    options = AME | {"throw_in": "none"}
    oracle = position(options, "8s Ks Kh", "8c 9c 9d", table=[("8h", "Ah")])
    assert oracle.legal() == {"self 8c", "pass"}
    play(oracle, "self 8c, 9c")
    assert oracle.bout == 2  # one card is left


def test_self_throw_is_answered_before_others_throw() -> None:
    """7.12, 7.6: even with throwing at any time the cover follows at once."""
    options = POD3 | AME | {"throw_timing": "anytime"}
    hands = ("8s As Kh", "Ac 8d Kc Qd", "8c Ks Jh")
    oracle = position(options, *hands, table=[("8h", "Ah")])
    play(oracle, "pass, pass, self Ac")
    assert (oracle.phase, oracle.actor) == ("defend", 1)
    assert oracle.legal() == {"8d", "Qd"}
    oracle.play("8d")
    assert oracle.actor == 0


def test_no_transfer_of_a_self_throw() -> None:
    """P19a: the other cards are covered."""
    options = AME | {"transfer": True, "self_throw": "free"}
    oracle = position(options, "7s Ks Kh", "8c 8s 9c 9d", table=[("8h", "Ah")])
    oracle.play("self 8c")
    assert oracle.legal() == {"9c", "9d", "take"}


def test_small_decks() -> None:
    """P1: the highest ranks of two, three or four suits."""
    assert set(full_deck(6, 3)) == set(cards("Ks As Kc Ac Kh Ah"))
    assert set(full_deck(4, 2)) == set(cards("Ks As Kh Ah"))
    assert len(full_deck(40)) == 40
    oracle = Oracle({"deck": 8, "suits": 2, "hand_size": 3}, full_deck(8, 2), leader=0)
    assert (oracle.stock, oracle.trump) == (["Ah", "Kh"], "h")
    for options in ({"deck": 54, "suits": 3}, {"deck": 10}, {"suits": 5}, {"deck": 4}):
        with pytest.raises(ValueError, match=r"deck|suits"):
            Oracle({"hand_size": 1} | options, full_deck(36))
