"""Positions of the rules study replayed on the oracle; trump is diamonds, seat 0 leads at seat 1.

Where the printed example of the study is only schematic (7.1) a reachable position with an even
discard shows the same point.
"""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import POD, POD3, POD4, askers, cards, dealt, first_bout, play, position
from .model import Oracle, beats, full_deck, rank_of

# ---------------------------------------------------------------------- 3.A deal and first lead

NO_TRUMP = ["7s 8s 9s 10s Js Qs", "6h 8h 9h 10h Jh Qh"]
SEVEN_LOWEST = ["7s 8s 9s 10s Js Qs", "7d 8h 9h 10h Jh Qh"]
TWO_SIXES_AND_ONE = ["6s 6c 9s 10s Js Qs", "6h 8h 9h 10h Jh Qh", "7s 7c 8c 9c 10c Jc"]


def test_e1_six_players_deal_everything_out() -> None:
    """E1, P23, B13: the dealer's last card gives the trump and is public; the 6d leads."""
    deck = [card for card in full_deck(36) if card not in ("9d", "6d")]
    deck.insert(2, "6d")
    oracle = Oracle({"players": 6}, [*deck, "9d"])
    assert (oracle.stock, oracle.trump_card) == ([], "9d")
    assert "9d" in oracle.hands[5]
    assert oracle.known[5] == {"9d"}
    assert oracle.leader == 2
    assert oracle.announced == oracle.known[2] == {"6d"}


def test_e2_lowest_card_leads_without_trumps() -> None:
    """E2, P29: the holder of the only six leads and announces it."""
    oracle = Oracle(POD, dealt(NO_TRUMP, "7d"))
    assert oracle.possible_leaders == {1}
    assert oracle.leader == 1
    assert oracle.announced == oracle.known[1] == {"6h"}


def test_e2_equal_lowest_cards_need_a_lot() -> None:
    """E2: a lot among the holders only; with two sixes it is open which one was shown."""
    deck = dealt(TWO_SIXES_AND_ONE, "7d")
    with pytest.raises(ValueError, match="lot"):
        Oracle(POD3, deck)
    oracle = Oracle(POD3, deck, leader=0)
    assert oracle.possible_leaders == {0, 1}
    assert oracle.announced == {"6s", "6c"}
    assert oracle.known[0] == set()
    assert Oracle(POD3, deck, leader=0, announced="6c").known[0] == {"6c"}
    assert Oracle(POD3, deck, leader=1).known[1] == {"6h"}
    with pytest.raises(ValueError, match="announce"):
        Oracle(POD3, deck, leader=1, announced="8h")


def test_e2_lot_among_all() -> None:
    """E2, option: the lot allows every seat and announces nothing."""
    oracle = Oracle({"no_trump_fallback": "lot"}, dealt(NO_TRUMP, "7d"), leader=0)
    assert oracle.possible_leaders == {0, 1}
    assert oracle.announced == frozenset()


def test_e3_lowest_trump_leads_any_card() -> None:
    """E3, P28: the turned-up 6d does not count; the 7d is shown, any card may be led."""
    oracle = Oracle(POD, dealt(SEVEN_LOWEST, "6d"))
    assert oracle.leader == 1
    assert oracle.known[1] == {"7d"}
    assert oracle.legal() == oracle.hands[1]
    assert oracle.stock[-1] == "6d"
    play(oracle, "7d, take")
    assert oracle.known == [{"7d"}, set()]


def test_e4_ace_as_the_only_trump_leads() -> None:
    """E4: the lowest trump may be the highest one."""
    oracle = Oracle(POD, dealt(["7s 8s 9s 10s Js Qs", "Ad 8h 9h 10h Jh Qh"], "6d"))
    assert oracle.leader == 1


def test_forced_leader_announces_nothing() -> None:
    """P30: a leader given from outside shows nothing, even with the lowest trump in hand."""
    deck = dealt(SEVEN_LOWEST, "6d")
    for leader in (0, 1):
        oracle = Oracle(POD, deck, leader=leader)
        assert oracle.leader == leader
        assert oracle.possible_leaders == {1}
        assert oracle.known == [set(), set()]
    assert Oracle(POD, deck, leader=1, by_rule=True).known[1] == {"7d"}
    assert Oracle(POD, deck, leader=0, announced="7s").known[0] == {"7s"}


def test_left_of_dealer_and_lot() -> None:
    """P28: seat 0 is left of the dealer; a lot may choose any seat."""
    deck = dealt(SEVEN_LOWEST, "6d")
    assert Oracle({"first_lead": "left_of_dealer"}, deck).leader == 0
    with pytest.raises(ValueError, match="lot"):
        Oracle({"first_lead": "lot"}, deck)


def test_e7_too_many_players() -> None:
    """E7, B25: seven hands do not fit 36 cards; eight fit 52."""
    with pytest.raises(ValueError, match="too small"):
        Oracle({"players": 7}, full_deck(36))
    assert len(Oracle({"players": 8, "deck": 52}, full_deck(52)).stock) == 4


def test_e8_short_hands_go_on() -> None:
    """E8: seats 0 and 2 draw two each, seat 1 goes on with two cards and leads."""
    rest = [card for card in full_deck(52) if rank_of(card) not in ("3", "4") and card != "2d"]
    sizes = [4, 2, 4, 6, 6, 6, 6, 6]
    hands = [{rest.pop() for _ in range(size)} for size in sizes]
    hands[1].add("4d")
    table = [("3s", "4s"), ("3h", "4h"), ("3c", "4c"), ("3d", None)]
    oracle = Oracle.from_position(
        {"players": 8, "deck": 52}, hands=hands, table=table, stock=[*rest, "2d"], trump="2d"
    )
    oracle.play("4d")
    assert [len(hand) for hand in oracle.hands] == [6, 2, 6, 6, 6, 6, 6, 6]
    assert oracle.known[2] == {"2d"}
    assert (oracle.leader, oracle.places) == (1, [])


def test_unknown_options_are_refused() -> None:
    """7.13, 7.14: names and values are fixed."""
    for options in ({"colour": 1}, {"throw_in": "off"}, {"repetition": 1}, {"cap": True}):
        with pytest.raises(ValueError, match="option"):
            Oracle(options, full_deck(36))


# -------------------------------------------------------------------------- 3.B lead and defence


def test_e9_set_lead_is_limited_by_the_hand() -> None:
    """E9, S000-44: three nines, but only two fit a defender with two cards."""
    oracle = position(POD, "9s 9h 9c Kc", "Qs Qh")
    play(oracle, "9s, 9h")
    assert (oracle.actor, oracle.phase) == (1, "defend")


def test_e10_mixed_set_lead() -> None:
    """E10: after the first card only its rank may follow; cards not held are illegal."""
    oracle = position(POD, "6c 7c 6s", "Qs Qh Qc")
    oracle.play("6c")
    assert oracle.legal() == {"6s", "pass"}
    for wrong in ("7c", "6c", "6h", "take", "nonsense"):
        with pytest.raises(ValueError, match="illegal"):
            oracle.play(wrong)
    assert oracle.table == [("6c", None)]


def test_e11_single_lead() -> None:
    """E11, S001-22: the second seven is thrown in after the first one is beaten."""
    oracle = position({"lead_mode": "single"}, "7s 7c", "8s 9c 10c")
    oracle.play("7s")
    assert oracle.actor == 1
    oracle.play("8s")
    assert oracle.actor == 0
    assert oracle.legal() == {"7c", "pass"}


def test_e12_lead_of_four_in_the_first_bout() -> None:
    """E12, S000-63/64: room 1 after four beaten, 2 when the defender takes."""
    hands = ("8s 8h 8c 8d 10c Jc", "9s 9h 9c 10d Js Qs", "9d Kh Kc Ks Qh 10h")
    beaten, taken = first_bout(POD3, *hands), first_bout(POD3, *hands)
    play(beaten, "8s, 8h, 8c, 8d, 9s, 9h, 9c, 10d")
    assert (beaten.phase, beaten.room) == ("throw", 1)
    play(taken, "8s, 8h, 8c, 8d, 9s, 9h, 9c, take")
    assert (taken.phase, taken.room) == ("add", 2)


def test_e13_what_beats_what() -> None:
    """E13, P4: the beating table, compared by place and not as text."""
    assert beats("6d", "As", "d")
    assert not beats("As", "6d", "d")
    assert beats("7s", "6s", "d")
    assert not beats("7s", "6c", "d")
    assert not beats("9s", "9h", "d")
    assert beats("10h", "9h", "d")
    assert beats("Qd", "Jd", "d")


def test_e13_no_duty_to_follow_suit() -> None:
    """E13: a trump may be used by one who could follow suit."""
    oracle = position(POD, "7s Kc", "8s 7d 9c")
    oracle.play("7s")
    assert oracle.legal() == {"8s", "7d", "take"}


def test_e14_taker_gets_his_own_cover_back() -> None:
    """E14, S000-45, S003-4: everything is taken in sight of all; the next seat leads."""
    oracle = position(POD3, "8s 8c Kc", "Js Kh Qh", "10c 10h")
    play(oracle, "8s, 8c, Js, take")
    assert oracle.hands[1] == {"8s", "Js", "8c", "Kh", "Qh"}
    assert oracle.known[1] == {"8s", "Js", "8c"}
    assert (oracle.leader, oracle.defender) == (2, 0)


def test_e15_nothing_to_take() -> None:
    """E15: no take while everything is beaten, nor at an empty table."""
    oracle = position(POD, "8s 8c Kc", "Js Kh Qh")
    assert "take" not in oracle.legal()
    play(oracle, "8s, pass, Js")
    assert oracle.phase == "throw"
    with pytest.raises(ValueError, match="illegal"):
        oracle.play("take")


def test_e16_nothing_after_the_take() -> None:
    """E16: no cover after the take, no second cover on a card."""
    oracle = position(POD, "8s 8c Kc", "9s Js Kh")
    play(oracle, "8s, pass, take")
    with pytest.raises(ValueError, match="illegal"):
        oracle.play("9s")
    assert oracle.legal() == {"8c", "pass"}


def test_e17_the_defender_chooses_the_target() -> None:
    """E17, S003-8, 7.5: with cover_order=any the target is named first, then covered."""
    oracle = position({"cover_order": "any"}, "8s 8c Kc", "7d Jc Kh")
    play(oracle, "8s, 8c")
    assert oracle.legal() == {"target 8s", "target 8c", "take"}
    oracle.play("target 8c")
    assert oracle.legal() == {"7d", "Jc"}
    oracle.play("Jc")
    assert oracle.table == [("8s", None), ("8c", "Jc")]
    assert oracle.legal() == {"7d", "take"}


def test_table_order_covers_the_oldest_card() -> None:
    """7.5: with cover_order=table only the oldest unbeaten card may be covered."""
    oracle = position(POD, "8s 8c Kc", "7d Jc Kh")
    play(oracle, "8s, 8c")
    assert oracle.legal() == {"7d", "take"}


# --------------------------------------------------------------------------- 3.C throwing in


def after_king_of_trumps(throw_order: str) -> Oracle:
    """E18: 7c beaten by 9c, 0 passes, 2 throws in 9d, beaten by Kd."""
    oracle = position(
        POD4 | {"throw_order": throw_order},
        "7s Kh Ah",
        "Kd 10s Js Qs",
        "9d Kc Ac",
        "7h Ks 8h",
        table=[("7c", "9c")],
    )
    assert oracle.actor == 0
    play(oracle, "pass, 9d, Kd")
    return oracle


def test_e18_throw_orders() -> None:
    """E18, P11, S000-60: priority asks the attacker again, round robin goes on from seat 2."""
    assert askers(after_king_of_trumps("priority")) == [0, 2, 3]
    assert askers(after_king_of_trumps("free")) == [0, 2, 3]
    assert askers(after_king_of_trumps("round_robin")) == [2, 3, 0]


def test_e19_a_pass_lapses() -> None:
    """E19, S004-10, 7.3: seat 0 passed, a cover opens the eights, he may throw in again."""
    oracle = position(POD3, "7s 8d Kc", "8h Qh Qc", "7h Ac", table=[("7c", "Jc")])
    play(oracle, "pass, 7h, 8h")
    assert oracle.actor == 0
    assert oracle.legal() == {"7s", "8d", "pass"}


def test_e20_throwing_in_at_an_unbeaten_card() -> None:
    """E20, P13, 7.6: not yet with when_all_beaten, at once with anytime."""
    hands = ("7c Kc", "8c Qh Qc", "7h Ac")
    waiting = position(POD3, *hands)
    waiting.play("7c")
    assert waiting.actor == 1
    anytime = position(POD3 | {"throw_timing": "anytime"}, *hands)
    anytime.play("7c")
    assert (anytime.actor, anytime.phase) == (2, "throw")
    anytime.play("7h")
    assert (anytime.actor, anytime.room) == (1, 1)
    assert anytime.legal() == {"target 7c", "target 7h", "take"}


def test_anytime_asks_throwers_after_each_cover() -> None:
    """7.6: a cover opens a rank and the throwers come before the next cover."""
    oracle = position(POD3 | {"throw_timing": "anytime"}, "7c 7s Kc", "8c 9s Qh Qc", "8h Ac")
    play(oracle, "7c, 7s, target 7c, 8c")
    assert oracle.actor == 2
    assert oracle.legal() == {"8h", "pass"}
    oracle.play("pass")
    assert oracle.actor == 1
    assert oracle.legal() == {"9s", "take"}


def test_e21_room_counts_unbeaten_cards_only() -> None:
    """E21: six cards, four beaten, two left: two more fit."""
    table = [("8s", "9s"), ("8h", "9h"), ("8c", "10c"), ("8d", "10d")]
    oracle = position(POD, "9c 10s Kc", "Qh Qc", table=table)
    assert (oracle.phase, oracle.room) == ("throw", 2)


def test_e22_two_more_after_the_take() -> None:
    """E22, S000-58, B1: three cards in hand, one laid, he takes: two more, of any seat."""
    oracle = position(POD3, "8s 8h Kc", "Qh Qc Qs", "8c 8d Ac")
    play(oracle, "8s, pass, take")
    assert (oracle.phase, oracle.room) == ("add", 2)
    oracle.play("8h")
    assert (oracle.actor, oracle.room) == (2, 1)
    oracle.play("8c")
    assert oracle.hands[1] == {"8s", "8h", "8c", "Qh", "Qc", "Qs"}


def test_e23_one_more_after_the_take() -> None:
    """E23: four cards, one beaten, two unbeaten: one more fits."""
    table = [("8s", "9s"), ("8h", None), ("8c", None)]
    oracle = position(POD, "8d Kc", "Qh 10c Qs", table=table)
    oracle.play("take")
    assert (oracle.phase, oracle.room) == ("add", 1)


FOUR_BEATEN_FIFTH_NOT = [
    ("8s", "9s"),
    ("8h", "9h"),
    ("8c", "10c"),
    ("8d", "10d"),
    ("9d", None),
]


def test_e24_five_beaten_end_the_first_bout() -> None:
    """E24, S000-63: no pass is needed although seat 0 holds a nine."""
    oracle = first_bout(POD, "9c Ks", "Qd Qc", table=FOUR_BEATEN_FIFTH_NOT)
    oracle.play("Qd")
    assert len(oracle.discard) == 10
    assert oracle.leader == 1


def test_e24_sixth_card_on_take() -> None:
    """E24, S000-64: one more when he takes; none with a cap of five on take (S003-48)."""
    oracle = first_bout(POD, "9c Ks", "Qd Qc", table=FOUR_BEATEN_FIFTH_NOT)
    oracle.play("take")
    assert (oracle.phase, oracle.room) == ("add", 1)
    strict = first_bout({"first_cap_on_take": 5}, "9c Ks", "Qd Qc", table=FOUR_BEATEN_FIFTH_NOT)
    strict.play("take")
    assert strict.bout == 2


@pytest.mark.parametrize(("scope", "room"), [("until_first_discard", 5), ("first_bout", 6)])
def test_e25_scope_of_the_first_limit(scope: str, room: int) -> None:
    """E25, P16: after a take nothing is discarded yet."""
    oracle = first_bout({"first_limit_scope": scope}, "8s 9s 10s Js Qs Ks", "8h 9h 10h Jh Qh Kh")
    assert oracle.room == 5
    play(oracle, "8s, take")
    assert (oracle.bout, oracle.room) == (2, room)


NINE_CARDS = "6c 7c 8c 9c 10c Jc Qc Kc Ac"


@pytest.mark.parametrize(("when_empty", "room"), [("none", 9), ("same", 6)])
def test_e26_cap_with_an_empty_stock(when_empty: str, room: int) -> None:
    """E26, S000-62: nine cards in hand, the cap of six is lifted or not."""
    oracle = position({"cap_when_stock_empty": when_empty}, "8s", NINE_CARDS)
    assert oracle.room == room


def test_e27_cap_is_settled_at_the_bout_start() -> None:
    """E27: a stock at the bout start keeps the cap; the first bout without one is free of it."""
    oracle = position(POD, "8s 9s 10s Js Qs Ks", NINE_CARDS, stock=["6h", "6d"])
    assert oracle.room == 6
    play(oracle, "8s, take")
    assert (oracle.stock, oracle.room) == (["6d"], 6)
    play(oracle, "9s, take")
    assert (oracle.stock, oracle.room) == ([], 11)


def test_e28_first_limit_with_an_empty_stock() -> None:
    """E28: six players; the first limit does not care about the empty stock."""
    oracle = Oracle({"players": 6}, full_deck(36))
    assert (oracle.stock, oracle.room) == ([], 5)
    lead = min(oracle.legal())
    oracle.play(lead)
    while oracle.phase == "lead":
        oracle.play("pass")
    oracle.play("take")
    assert oracle.phase == "add"
    assert oracle.room == 6 - len(oracle.table)


def test_e29_an_empty_defender_ends_the_bout() -> None:
    """E29: h = 0, the bout is beaten whatever the others hold."""
    oracle = position(POD3, "8s 9h Kc", "9s", "8c 9c")
    oracle.play("8s")
    oracle.play("9s")
    assert (oracle.places, oracle.leader) == ([1], 2)


def test_e30_ranks_of_this_table_only() -> None:
    """E30: a rank that lies only in the discard opens nothing."""
    oracle = position(POD3, "8s 9h Kc", "9s Ah Ac", "6c 7c")
    play(oracle, "8s, 9s")
    assert oracle.actor == 0
    assert oracle.legal() == {"9h", "pass"}


def test_e32_covers_open_ranks_for_additions() -> None:
    """E32, S000-84: the K of the defender's own cover may be added after the take."""
    oracle = position(POD3, "8s 8h Ac", "Ks 7h 7s", "Kc 6c")
    play(oracle, "8s, 8h, Ks, take")
    assert oracle.actor == 2
    assert oracle.legal() == {"Kc", "pass"}


# ------------------------------------------------------------------------- who may throw in

FIVE_HANDS = ("7c Ac", "8c Ah As", "7h Kc", "7d Kh", "7s Ks")


@pytest.mark.parametrize(
    ("throwers", "asked"),
    [("all", [2, 3, 4]), ("neighbours", [2]), ("attacker_only", [])],
)
def test_throwers(throwers: str, asked: list[int]) -> None:
    """P10, P12, E44: all, the seats next to the defender, or the attacker alone."""
    oracle = position({"players": 5, "throwers": throwers}, *FIVE_HANDS)
    play(oracle, "7c, 8c")
    assert askers(oracle) == asked
    assert oracle.bout == 2


def test_neighbours_follow_the_live_seats() -> None:
    """7.16: the stock is empty and seat 2 lays his last card, so seat 3 is next to seat 1."""
    hands = ("7c Ac", "8c 9h As", "7h", "7d Kh", "7s Ks")
    oracle = position({"players": 5, "throwers": "neighbours"}, *hands)
    play(oracle, "7c, 8c, 7h, 9h")
    assert askers(oracle) == [3]


def test_no_throwing_in_closes_the_additions() -> None:
    """P9, 7.7: prostoy has neither throw-ins nor additions after the take."""
    oracle = position(POD3 | {"throw_in": "none"}, "8s 8h Kc", "9s Qc Qs", "8c 9d Ac")
    play(oracle, "8s, pass, 9s")
    assert (oracle.bout, oracle.leader) == (2, 1)
    oracle = position(POD3 | {"throw_in": "none"}, "8s 8h Kc", "9s Qc Qs", "8c 9d Ac")
    play(oracle, "8s, pass, take")
    assert (oracle.bout, oracle.leader) == (2, 2)


def test_no_additions_after_the_take() -> None:
    """P14: the bout ends with the word."""
    oracle = position(POD3 | {"add_after_take": False}, "8s 8h Kc", "9s Qc Qs", "8c 9d Ac")
    play(oracle, "8s, pass, take")
    assert (oracle.bout, oracle.leader) == (2, 2)


def test_everyone_is_asked() -> None:
    """7.4: with ask_everyone a seat that can only pass is asked as well."""
    oracle = position(POD3 | {"ask_everyone": True}, "8s Kh Kc", "9s Qc Qs", "10c 10d Ac")
    oracle.play("8s")
    assert oracle.phase == "lead"
    assert oracle.legal() == {"pass"}
    play(oracle, "pass, 9s")
    assert oracle.legal() == {"pass"}
    assert askers(oracle) == [0, 2]


def test_round_robin_additions() -> None:
    """7.15: additions start at the seat that attacked last; the take clears its pass."""
    hands = ("7s Kh 9s", "Kd 10s Js Qs", "9d Kc Ac", "7h 9h 8h")
    oracle = position(POD4, *hands, table=[("7c", "9c")])
    play(oracle, "pass, 9d, take")
    assert askers(oracle) == [3, 0]
    oracle = position(POD4 | {"throw_order": "priority"}, *hands, table=[("7c", "9c")])
    play(oracle, "pass, 9d, take")
    assert askers(oracle) == [0, 3]


# ------------------------------------------------------------------------------- 3.E drawing


def drawn(held: list[int], stock: int, draw_order: str) -> list[int]:
    """Cards that each seat draws after seat 1 has covered the last of four eights by the 9d."""
    rest = [card for card in full_deck(36) if rank_of(card) not in ("8", "9") and card != "6d"]
    hands = [{rest.pop() for _ in range(count)} for count in held]
    hands[1].add("9d")
    oracle = Oracle.from_position(
        {"players": len(held), "draw_order": draw_order},
        hands=hands,
        table=[("8s", "9s"), ("8h", "9h"), ("8c", "9c"), ("8d", None)],
        stock=[*rest[: stock - 1], "6d"],
        trump="6d",
    )
    assert len(oracle.discard) % 2 == 0
    oracle.play("9d")
    return [len(hand) - before for hand, before in zip(oracle.hands, held, strict=True)]


DEFENDER_LAST = "leader_then_clockwise_defender_last"


def test_e54_everybody_draws() -> None:
    """E54 (reachable): 0 laid two, 2 and 3 one each, 1 covered four; six cards are left."""
    assert drawn([4, 2, 5, 5], 6, DEFENDER_LAST) == [2, 2, 1, 1]


def test_e55_short_stock() -> None:
    """E55 (reachable): the defender goes empty, or comes second in the literal order."""
    assert drawn([4, 2, 5, 5], 4, DEFENDER_LAST) == [2, 0, 1, 1]
    assert drawn([4, 2, 5, 5], 2, DEFENDER_LAST) == [2, 0, 0, 0]
    assert drawn([4, 2, 5, 5], 4, "strict_clockwise") == [2, 2, 0, 0]


def test_e56_each_fills_before_the_next() -> None:
    """E56: seat 0 needs three, seat 2 one; three cards are left and seat 0 gets them all."""
    assert drawn([3, 2, 5, 7], 3, DEFENDER_LAST) == [3, 0, 0, 0]


def test_e57_drawing_is_not_optional() -> None:
    """E57 (reachable), B24: seat 0 must draw the trump and is the durak."""
    table = [
        ("7s", "8s"),
        ("7h", "8h"),
        ("7c", "9c"),
        ("7d", "9d"),
        ("8c", "10c"),
        ("8d", None),
    ]
    oracle = position(POD, "Kh", "Jd", table=table, stock=["6d"])
    oracle.play("Jd")
    assert oracle.hands == [{"Kh", "6d"}, set()]
    assert oracle.known == [{"6d"}, set()]
    assert (oracle.durak, oracle.places, oracle.reason) == (0, [1, 0], "durak")


def test_e59_an_empty_hand_draws_and_leads() -> None:
    """E59, E60, E74: with a stock left an empty hand is not out."""
    rest = [card for card in full_deck(36) if card not in cards("8s 9s 6d 7h Kh")]
    oracle = position(POD3, "7h", "9s", "Kh", table=[("8s", None)], stock=[*rest, "6d"])
    oracle.play("9s")
    assert len(oracle.hands[1]) == 6
    assert (oracle.leader, oracle.places) == (1, [])


# --------------------------------------------------------- 3.F going out, successor, end, draw


def test_e61_leader_out() -> None:
    """E61: seat 0 leads his last card and is out; seat 1 leads at seat 2."""
    oracle = position(POD3, "9s", "10s Kh Kc", "9h Ah")
    play(oracle, "9s, 10s, pass")
    assert (oracle.places, oracle.leader, oracle.defender) == ([0], 1, 2)


def test_e62_defender_out() -> None:
    """E62: seat 1 beats with his last card; seat 2 leads at seat 0."""
    oracle = position(POD3, "9s Kh Kc", "10s", "9h Ah")
    play(oracle, "9s, 10s")
    assert (oracle.places, oracle.leader, oracle.defender) == ([1], 2, 0)


def test_e63_durak_without_an_attack() -> None:
    """E63: both fighters are out, the third is the durak."""
    oracle = position(POD3, "9s", "10s", "Kh Kc")
    play(oracle, "9s, 10s")
    assert (oracle.durak, oracle.places, oracle.reason) == (2, [0, 1, 2], "durak")
    assert (oracle.phase, oracle.actor, oracle.legal()) == ("over", None, frozenset())


def test_e64_a_taker_may_be_the_durak_at_once() -> None:
    """E64, B3: the others gave away their last cards; the deal ends after a take too."""
    oracle = position(POD3, "9s", "7h 8h", "9c")
    play(oracle, "9s, take, 9c")
    assert (oracle.durak, oracle.places) == (1, [0, 2, 1])
    assert oracle.hands[1] == {"7h", "8h", "9s", "9c"}


def test_e65_thrower_out_after_a_take() -> None:
    """E65: seat 2 is out, seat 3 leads at seat 0."""
    oracle = position(POD4, "9s Kh", "7h 8h", "9c", "Ks")
    play(oracle, "9s, take, 9c")
    assert (oracle.places, oracle.leader, oracle.defender) == ([2], 3, 0)


def test_e66_defender_and_thrower_out() -> None:
    """E66: seats 2 and 1 are out, seat 3 leads at seat 0."""
    oracle = position(POD4, "9s Kh", "10s Jd", "10c", "Ks")
    play(oracle, "9s, 10s, 10c, Jd")
    assert (oracle.places, oracle.leader, oracle.defender) == ([2, 1], 3, 0)


@pytest.mark.parametrize("throw_order", ["priority", "round_robin"])
def test_e67_an_empty_attacker_is_skipped(throw_order: str) -> None:
    """E67: seat 0 has no cards, the others may still add."""
    oracle = position(POD4 | {"throw_order": throw_order}, "9s", "7h 8h", "9c Kh", "9h Kc Ac")
    play(oracle, "9s, take")
    assert askers(oracle) == [2, 3]


def test_e68_draw() -> None:
    """E68, S000-54: both last cards leave together."""
    oracle = position(POD, "9s", "10s")
    play(oracle, "9s, 10s")
    assert (oracle.durak, oracle.places, oracle.reason) == (None, [0, 1], "draw")


def last_cards_of_three(options: dict[str, Any]) -> Oracle:
    """E69: three players lay all their last cards in one bout."""
    oracle = position(POD3 | options, "9s", "10s Jd", "10h")
    play(oracle, "9s, 10s, 10h, Jd")
    return oracle


def test_e69_draw_of_three() -> None:
    """E69, E71, S003-27: nobody has cards; places by the moment of the last card."""
    oracle = last_cards_of_three({})
    assert (oracle.durak, oracle.reason) == (None, "draw")
    assert oracle.places == [0, 2, 1]


def test_e71_places_by_seat() -> None:
    """E71, P41: clockwise from the attacker instead."""
    assert last_cards_of_three({"place_order": "seat"}).places == [0, 1, 2]


def test_e70_the_last_defender_loses() -> None:
    """E70, P33: no draws; the defender of the last bout is the durak and placed last."""
    oracle = last_cards_of_three({"draw_policy": "last_defender_loses", "place_order": "seat"})
    assert (oracle.durak, oracle.reason) == (1, "last_defender")
    assert oracle.places == [0, 2, 1]


def test_e72_same_attacker_after_a_take_of_two() -> None:
    """E72: with two players the taker is attacked again."""
    oracle = position(POD, "9s Kh", "7h 8h")
    play(oracle, "9s, take")
    assert (oracle.leader, oracle.defender) == (0, 1)


E75_BOUTS = "9s, take, 10c, take, 9s, take, 10c, take, 9s, take, 10c, take"


def endless_three(repetition: int | None) -> Oracle:
    """E75 with one card more, so that the discard is even (7.1)."""
    return position(POD3 | {"repetition": repetition}, "9s Ks", "Qh Jh", "10c Kc")


def test_e75_third_occurrence_is_a_draw() -> None:
    """E75, P34, 7.10: after two rounds of six bouts the position stands for the third time."""
    oracle = endless_three(3)
    play(oracle, E75_BOUTS)
    assert (oracle.reason, oracle.leader) == (None, 0)
    assert oracle.hands == [{"9s", "Ks"}, {"Qh", "Jh"}, {"10c", "Kc"}]
    play(oracle, E75_BOUTS)
    assert (oracle.reason, oracle.durak, oracle.places) == ("repetition", None, [])


def test_e75_second_occurrence() -> None:
    """P34: the first time is counted."""
    oracle = endless_three(2)
    play(oracle, E75_BOUTS)
    assert oracle.reason == "repetition"


def test_no_progress() -> None:
    """P34: 200 bouts without a discard are a draw, whether repetitions are counted or not."""
    for repetition in (1000, None):
        oracle = endless_three(repetition)
        for _ in range(33):
            play(oracle, E75_BOUTS)
        play(oracle, "9s, take, 10c")
        assert (oracle.bout, oracle.reason) == (200, None)
        oracle.play("take")
        assert (oracle.reason, oracle.durak, oracle.places) == ("no_progress", None, [])


def test_going_out_immediately() -> None:
    """P27, option: the last card ends the deal of two at once, the table stays."""
    oracle = position({"go_out": "immediately"}, "9s", "10s")
    oracle.play("9s")
    assert (oracle.durak, oracle.places, oracle.reason) == (1, [0, 1], "durak")
    assert oracle.table == [("9s", None)]


def test_an_emptied_defender_goes_out_immediately() -> None:
    """P27, option: with two others left the bout ends as beaten."""
    oracle = position(POD3 | {"go_out": "immediately"}, "9s Kh Kc", "10s", "9h Ah")
    play(oracle, "9s, 10s")
    assert (oracle.places, oracle.leader, oracle.defender) == ([1], 2, 0)


def test_illegal_actions_change_nothing() -> None:
    """E16, I11: a refused action leaves the position as it was."""
    oracle = Oracle(POD, dealt(SEVEN_LOWEST, "6d"))
    before = repr({name: value for name, value in vars(oracle).items() if name != "options"})
    for wrong in ("pass", "take", "target 7d", "As", "7s"):
        with pytest.raises(ValueError, match="illegal"):
            oracle.play(wrong)
    after = repr({name: value for name, value in vars(oracle).items() if name != "options"})
    assert before == after
