"""Transferring and showing (P19, P20, E33..E53); trump is diamonds, seat 0 leads at seat 1."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import POD, POD3, POD4, askers, first_bout, play, position
from .model import Oracle, full_deck

PER: dict[str, Any] = {"transfer": True, "throw_order": "priority"}
SHOW = PER | {"show_transfer": True}
MANY = PER | {"transfer_cards": "many"}


def transfers(oracle: Oracle) -> set[str]:
    """The transfers and shows among the legal actions."""
    return {text for text in oracle.legal() if text.startswith(("transfer", "show"))}


# ------------------------------------------------------------------------------- transferring


def test_no_transfer_in_podkidnoy() -> None:
    """P19: off unless asked for."""
    oracle = position(POD, "8s Kc Ks", "8c Qh Qs")
    oracle.play("8s")
    assert transfers(oracle) == set()


def test_e33_prostoy_with_transfer() -> None:
    """E33: no throw-ins and no additions, yet seat 2 faces two cards and may transfer on."""
    prostoy = POD4 | PER | {"throw_in": "none", "lead_mode": "single"}
    oracle = position(prostoy, "9c 9h Kc Ks", "9s Qc Qs", "9d Ac As", "7c 7s 7h")
    play(oracle, "9c, transfer 9s")
    assert (oracle.actor, oracle.table) == (2, [("9c", None), ("9s", None)])
    assert transfers(oracle) == {"transfer 9d"}
    oracle.play("take")
    assert (oracle.bout, oracle.leader) == (2, 3)


def test_e34_roles_after_a_transfer() -> None:
    """E34: L stays, A is the old defender, N0 is counted anew, throwers are asked from A on."""
    hands = ("8s Kh Ks 9h", "8c Qh Qs 9d", "9s 9c Ac As Ah", "10c Jh Js")
    oracle = position(POD4 | PER, *hands)
    play(oracle, "8s, transfer 8c")
    assert (oracle.leader, oracle.attacker, oracle.defender) == (0, 1, 2)
    assert (len(oracle.table), oracle.n0, oracle.room) == (2, 5, 3)
    assert (oracle.actor, oracle.phase) == (2, "defend")
    play(oracle, "9s, 9c")
    assert askers(oracle) == [1, 0]


@pytest.mark.parametrize(("throw_order", "asked"), [("priority", [1, 3, 0]), ("free", [1, 3, 0])])
def test_e34_order_of_throwers(throw_order: str, asked: list[int]) -> None:
    """E34: throwers 1, 3, 0 in that order."""
    hands = ("8s Kh 9h", "8c Qh 9d", "9s 10c Ac As", "Js 8h")
    oracle = position(POD4 | PER | {"throw_order": throw_order}, *hands)
    play(oracle, "8s, transfer 8c, 9s, 10c")
    assert askers(oracle) == asked


def test_round_robin_starts_at_the_transferrer() -> None:
    """7.15: a transfer is laid, so asking starts at who laid it; a show lays nothing."""
    options = POD4 | SHOW | {"throw_order": "round_robin"}
    hands = ("8s Kh 9h", "8d 8c Qh", "10s 10c Ac As", "Js 8h")
    laid, shown = position(options, *hands), position(options, *hands)
    play(laid, "8s, transfer 8c, 10s, 10c")
    assert laid.actor == 1
    play(shown, "8s, show 8d, 10s")
    assert askers(shown) == [1, 3]
    shown = position(options, "8s Kh 10h", "8d 8c Qh", "10s 10c Ac As", "Js 8h")
    play(shown, "8s, show 8d, 10s")
    assert askers(shown) == [0, 1, 3]


def test_e35_nothing_may_be_beaten() -> None:
    """E35, S003-45: one card is covered, no transfer of the other."""
    oracle = position(POD3 | PER, "8s 8c Kc", "8h 9s Qh", "Ac As Ah")
    play(oracle, "8s, 8c, 9s")
    assert oracle.legal() == {"take"}


def test_e36_cards_of_the_next_hand() -> None:
    """E36, S003-46/47: one card is too few for two on the table, enough for a show."""
    oracle = position(POD3 | SHOW, "7s Kc", "7d Qh Qc", "Ah")
    oracle.play("7s")
    assert oracle.legal() == {"7d", "show 7d", "take"}
    free = position(POD3 | SHOW | {"transfer_hand": "unrestricted"}, "7s Kc", "7d Qh Qc", "Ah")
    free.play("7s")
    assert transfers(free) == {"transfer 7d", "show 7d"}
    free.play("transfer 7d")
    assert (free.defender, free.n0, free.room) == (2, 1, 0)


E37_HANDS = ("7s 7h 9s 9h 10s 10h", "7c 7d 9c 10c Jc Qc")


def test_e37_two_players() -> None:
    """E37: back and forth; four cards lie, the leader defends, no room for more."""
    oracle = first_bout(POD | PER, *E37_HANDS)
    play(oracle, "7s, pass, transfer 7c, transfer 7h, transfer 7d")
    assert (oracle.leader, oracle.attacker, oracle.defender) == (0, 1, 0)
    assert (oracle.n0, len(oracle.table), oracle.room) == (4, 4, 0)
    assert oracle.actor == 0
    assert transfers(oracle) == set()
    oracle.play("take")
    assert (oracle.leader, oracle.bout) == (1, 2)
    assert len(oracle.hands[0]) == 8


def test_e37_beaten_by_the_leader() -> None:
    """E37: the attacker draws first, then the leader who has beaten everything; he leads."""
    stock = ["As", "Ah", "Ac", "Kd", "6d"]
    hands = ("7s 7h 8s 9h 10c 10d", "7c 7d Jc Qc 9c Kc")
    for first in ("attacker", "leader"):
        options = POD | PER | {"draw_first_after_transfer": first}
        oracle = position(options, *hands, stock=stock)
        play(oracle, "7s, pass, transfer 7c, transfer 7h, transfer 7d, 8s, 10c, 9h, 10d")
        assert oracle.hands == [{"Ac", "Kd", "6d"}, {"Jc", "Qc", "9c", "Kc", "As", "Ah"}]
        assert (oracle.leader, oracle.stock) == (0, [])


def all_four_sevens() -> Oracle:
    """E38: the attack has come round to the leader."""
    hands = ("7s Kh Ks Kc 9s", "7h Qh Qs 8c", "7c Jh Js Jc", "7d 9h 9c 10h 8s")
    oracle = position(POD4 | PER, *hands)
    play(oracle, "7s, transfer 7h, transfer 7c, transfer 7d")
    return oracle


def test_e38_round_the_table() -> None:
    """E38: the leader defends four sevens, his own among them."""
    oracle = all_four_sevens()
    assert (oracle.leader, oracle.attacker, oracle.defender, oracle.actor) == (0, 3, 0, 0)
    assert oracle.room == 0


def test_e38_needs_four_cards() -> None:
    """E38: with three cards left the leader cannot be attacked by four."""
    hands = ("7s Kh Ks Kc", "7h Qh Qs Qc", "7c Jh Js Jc", "7d 9h 9c 10h")
    oracle = position(POD4 | PER, *hands)
    play(oracle, "7s, transfer 7h, transfer 7c")
    assert transfers(oracle) == set()


def test_e39_the_leader_never_throws_at_himself() -> None:
    """E39, I8, B4: L is D and not among the throwers."""
    hands = ("7s Kh 8s 7c 8h 9h 10h", "7h Qh Qs 8c", "7d Jc 10c")
    oracle = position(POD3 | PER, *hands)
    play(oracle, "7s, pass, transfer 7h, transfer 7d")
    assert (oracle.leader, oracle.defender) == (0, 0)
    oracle.play("take")
    assert askers(oracle) == []
    assert oracle.leader == 1


def test_e40_the_target_is_the_next_live_seat() -> None:
    """E40, B19: seat 2 is out, so seat 3 is attacked."""
    oracle = position(POD4 | PER, "8s Kh", "8c Qh", "", "9s 9c Ac")
    play(oracle, "8s, transfer 8c")
    assert (oracle.places, oracle.defender) == ([2], 3)


def test_e41_an_empty_leader_is_skipped() -> None:
    """E41: seat 0 cannot draw, so the attack passes him by, if seat 1 holds three cards."""
    fits = position(POD3 | PER, "7s", "7c Kh Ks Kc", "7h Ah Ac")
    play(fits, "7s, transfer 7c")
    assert transfers(fits) == {"transfer 7h"}
    fits.play("transfer 7h")
    assert (fits.attacker, fits.defender) == (2, 1)
    too_few = position(POD3 | PER, "7s", "7c Kh Ks", "7h Ah Ac")
    play(too_few, "7s, transfer 7c")
    assert transfers(too_few) == set()


def test_e41_two_players_have_no_target() -> None:
    """E41: the leader of two is empty."""
    oracle = position(POD | SHOW, "7s", "7c 7d Kh Ks")
    oracle.play("7s")
    assert transfers(oracle) == set()


def test_e41_an_empty_leader_lives_while_there_is_a_stock() -> None:
    """E41, 0.1: he is the target, but holds too few cards."""
    options = POD3 | PER | {"transfer_hand": "unrestricted"}
    hands = ("7s", "7c Kh Ks Kc", "7h Ah Ac")
    refused = position(POD3 | PER, *hands, stock=["6h", "6d"])
    play(refused, "7s, transfer 7c")
    assert transfers(refused) == set()
    free = position(options, *hands, stock=["6h", "6d"])
    play(free, "7s, transfer 7c, transfer 7h")
    assert free.defender == 0
    assert free.legal() == {"take"}


@pytest.mark.parametrize(("first", "order"), [("leader", [0, 1, 3, 2]), ("attacker", [1, 3, 0, 2])])
def test_e42_drawing_after_a_transfer(first: str, order: list[int]) -> None:
    """E42, P26: from the leader or from the last transferrer, the defender last."""
    options = POD4 | PER | {"draw_first_after_transfer": first, "first_limit": None}
    hands = ("8s Kh", "8c Qh", "9s 9c", "Js Jc")
    drawing = [f"{rank}{suit}" for rank in ("10", "6", "A") for suit in "shc"] + ["Qs", "Qc"]
    drawing += ["7s", "7h", "7c", "7d", "6d"]
    oracle = position(options, *hands, stock=drawing)
    play(oracle, "8s, transfer 8c")
    play(oracle, "9s, 9c")
    missing = {0: 5, 1: 5, 2: 6, 3: 4}
    for seat in order:
        drawn, drawing = drawing[: missing[seat]], drawing[missing[seat] :]
        assert set(drawn) <= oracle.hands[seat]
    assert oracle.stock == drawing


@pytest.mark.parametrize(("end", "leader", "defender"), [("9s, 9c", 2, 3), ("take", 3, 0)])
def test_e43_next_lead(end: str, leader: int, defender: int) -> None:
    """E43: computed from the defender, never from the leader of the bout."""
    oracle = position(POD4 | PER, "8s Kh", "8c Qh", "9s 9c Ah", "Js Jc")
    play(oracle, f"8s, transfer 8c, {end}")
    assert (oracle.leader, oracle.defender) == (leader, defender)
    assert oracle.attacker == leader


def test_e44_neighbours_after_a_transfer() -> None:
    """E44, P12: seats 1 and 3 may throw in, seat 0 has lost the right."""
    options = PER | {"players": 5, "throwers": "neighbours"}
    hands = ("7s 8h Kh", "7c 8d Qh", "8s 8c Ah As", "7h Jc", "7d Js")
    oracle = position(options, *hands)
    play(oracle, "7s, transfer 7c, 8s, 8c")
    assert askers(oracle) == [1, 3]


def test_e44_attacker_only_after_a_transfer() -> None:
    """P10, P19h: the right of the attacker goes to the transferrer, or stays with the leader."""
    hands = ("7s 8h Kh", "7c 8d Qh", "8s 8c Ah As", "7h Jc")
    for new_attacker, asked in (("transferrer", [1]), ("leader", [0])):
        options = {"throwers": "attacker_only", "new_attacker": new_attacker}
        oracle = position(POD4 | PER | options, *hands)
        play(oracle, "7s, transfer 7c, 8s, 8c")
        assert askers(oracle) == asked


def test_new_attacker_leader() -> None:
    """P19h: the leader stays the attacker, unless he is attacked himself."""
    options = POD3 | PER | {"new_attacker": "leader"}
    oracle = position(options, "7s Kh Ks Kc", "7h Qh Qs Qc", "7c Jh Js Jc")
    play(oracle, "7s, transfer 7h")
    assert (oracle.attacker, oracle.defender) == (0, 2)
    oracle.play("transfer 7c")
    assert (oracle.leader, oracle.attacker, oracle.defender) == (0, 2, 0)


def test_e45_transfer_of_a_set_lead() -> None:
    """E45: three sevens led, the fourth laid: the next hand needs four cards."""
    for next_hand, possible in (("9s 9c 9h 9d", True), ("9s 9c 9h", False)):
        oracle = position(POD3 | PER, "7s 7h 7c Kh", "7d Qh Qs Qc", next_hand)
        play(oracle, "7s, 7h, 7c")
        assert bool(transfers(oracle)) == possible


def test_e46_transferred_cards_count() -> None:
    """E46: three cards after two transfers, first limit 5: two more may be thrown in."""
    hands = ("7s Kh 6h 9s 9h 9c", "7h Qh Qs Qc Jd Jh", "7c Js Jc 8c 8h 6s", "8s 9d 10c 10s As Ac")
    oracle = first_bout(POD4 | PER | {"first_limit_scope": "first_bout"}, *hands)
    play(oracle, "7s, transfer 7h, transfer 7c")
    assert (oracle.n0, oracle.room) == (6, 2)


def test_p19i_the_cap_stops_a_transfer() -> None:
    """P19i: with a small cap or first limit no card may be laid; a show lays nothing."""
    hands = ("7s Kh Ks Kc", "7d Qh Qs Qc", "Jh Js Jc 9s")
    for limit in ({"cap": 1, "cap_when_stock_empty": "same"}, {"first_limit": 1}):
        oracle = first_bout(POD3 | SHOW | limit, *hands)
        oracle.play("7s")
        assert transfers(oracle) == {"show 7d"}


def test_e47_many_cards() -> None:
    """E47, P19e: two sevens in one transfer, each one counted and asked for."""
    hands = ("7s Kh Ks", "7h 7c Qh Qs", "Jh Js Jc 9s")
    one = position(POD3 | PER, *hands)
    play(one, "7s, transfer 7h")
    assert one.actor == 2
    many = position(POD3 | MANY, *hands)
    play(many, "7s, transfer 7h")
    assert (many.actor, many.phase, many.attacker, many.defender) == (1, "transfer", 1, 2)
    assert many.legal() == {"transfer 7c", "pass"}
    many.play("transfer 7c")
    assert (many.actor, many.phase, len(many.table)) == (2, "defend", 3)


def test_e47_a_pass_ends_the_transfer() -> None:
    """7.3: it is his pass until a card is laid; he may throw in later."""
    oracle = position(POD3 | MANY, "7s Kh Ks", "7h 7c Qh", "8s 8h Jc 9s")
    play(oracle, "7s, transfer 7h, pass")
    assert (oracle.actor, oracle.passed) == (2, {1})
    play(oracle, "8s, 8h")
    assert oracle.actor == 1
    assert oracle.legal() == {"7c", "pass"}


def test_e47_many_cards_need_cards_at_the_next_seat() -> None:
    """P19c: two cards at the next seat, so one transfer card is all."""
    oracle = position(POD3 | MANY, "7s Kh Ks", "7h 7c Qh", "8s 8h")
    play(oracle, "7s, transfer 7h")
    assert oracle.actor == 2


def test_e47_everyone_is_asked() -> None:
    """7.4: the transferrer is asked although he holds no other seven."""
    oracle = position(POD3 | MANY | {"ask_everyone": True}, "7s Kh Ks", "7h Qh Qs", "8s 8h 9s")
    play(oracle, "7s, pass, transfer 7h")
    assert (oracle.phase, oracle.actor) == ("transfer", 1)
    assert oracle.legal() == {"pass"}


def test_e47_then_the_next_seat_transfers_on() -> None:
    """P19e: the fourth seven goes back to the leader."""
    oracle = position(POD3 | MANY, "7s Kh Ks 9c 9h", "7h 7c Qh", "7d 8h 9s")
    play(oracle, "7s, transfer 7h, transfer 7c, transfer 7d")
    assert (oracle.attacker, oracle.defender, oracle.n0) == (2, 0, 4)
    assert oracle.actor == 0


def test_e48_first_bout() -> None:
    """E48, P19d: legal, or neither transfer nor show before the second bout."""
    hands = ("7s Kh Ks Kc 9s 9h", "7h 7d Qh Qs 10s 10h")
    oracle = first_bout(POD | SHOW, *hands)
    oracle.play("7s")
    assert transfers(oracle) == {"transfer 7h", "transfer 7d", "show 7d"}
    for bout, possible in ((1, False), (2, True)):
        late = first_bout(POD | SHOW | {"transfer_first_bout": False}, *hands, bout=bout)
        late.play("7s")
        assert bool(transfers(late)) == possible


def test_two_players_may_be_excluded() -> None:
    """P19g: not when only two seats are live."""
    options = SHOW | {"transfer_two_players": False}
    two = position(POD3 | options, "7s Kh Ks", "7h 7d Qh", "")
    two.play("7s")
    assert transfers(two) == set()
    three = position(POD3 | options, "7s Kh Ks", "7h 7d Qh", "9s 9h")
    three.play("7s")
    assert transfers(three) == {"transfer 7h", "transfer 7d", "show 7d"}


def test_anytime_asks_the_throwers_after_a_transfer() -> None:
    """E20, 7.6: throwers before the new defender; their cards count for the next transfer."""
    options = POD3 | PER | {"throw_timing": "anytime"}
    oracle = position(options, "7s 7c Kh", "7h Qh Qs", "7d 8h 9s 9h")
    play(oracle, "7s, pass")
    assert (oracle.actor, oracle.phase) == (2, "throw")
    play(oracle, "pass, transfer 7h")
    assert (oracle.actor, oracle.phase) == (0, "throw")
    oracle.play("7c")
    assert (oracle.actor, len(oracle.table)) == (2, 3)
    assert transfers(oracle) == set()  # seat 0 holds one card


def test_a_chosen_target_excludes_the_transfer() -> None:
    """7.5, P19: after naming the card to cover it must be covered."""
    oracle = position(POD3 | PER | {"cover_order": "any"}, "7s 7c Kh", "7h 8s Qd", "9d 8h 9s")
    play(oracle, "7s, 7c")
    assert oracle.legal() == {"target 7s", "target 7c", "transfer 7h", "take"}
    oracle.play("target 7s")
    assert oracle.legal() == {"8s", "Qd"}


def test_the_last_card_may_transfer() -> None:
    """P27: with going out at once the transferrer is out before the new defender answers."""
    hands = ("7s Kh", "7h", "7d 8h 9s")
    later = position(POD3 | PER, *hands)
    play(later, "7s, transfer 7h")
    assert (later.places, later.attacker, later.defender) == ([], 1, 2)
    play(later, "take")
    assert (later.places, later.leader, later.defender) == ([1], 0, 2)
    at_once = position(POD3 | PER | {"go_out": "immediately"}, *hands)
    play(at_once, "7s, transfer 7h")
    assert (at_once.places, at_once.attacker, at_once.actor) == ([1], 1, 2)


# ------------------------------------------------------------------------------------ showing


def test_show_needs_transfer() -> None:
    """7.9: a contradiction is refused."""
    with pytest.raises(ValueError, match="show_transfer"):
        Oracle({"show_transfer": True}, full_deck(36))


def e49(show_limit: str) -> Oracle:
    """E49: 1 shows 7d, 0 lays 7c, 1 is the defender again."""
    options = POD | SHOW | {"show_limit": show_limit}
    oracle = position(options, "7s 7c Kh Ks 9s", "7d Qh Qc")
    play(oracle, "7s, pass, show 7d")
    assert (oracle.attacker, oracle.defender, oracle.table) == (1, 0, [("7s", None)])
    oracle.play("transfer 7c")
    assert (oracle.attacker, oracle.defender, oracle.n0) == (0, 1, 3)
    return oracle


def test_e49_once_per_bout_per_card() -> None:
    """E49: laying, beating and taking are still open to him."""
    assert e49("once_per_bout_per_card").legal() == {"7d", "transfer 7d", "take"}


def test_e49_other_limits() -> None:
    """P20a: once per deal and player, or no limit."""
    assert e49("once_per_deal_per_player").legal() == {"7d", "transfer 7d", "take"}
    assert e49("none").legal() == {"7d", "transfer 7d", "show 7d", "take"}


@pytest.mark.parametrize(
    ("show_limit", "possible"),
    [("once_per_bout_per_card", True), ("once_per_deal_per_player", False), ("none", True)],
)
def test_e49_in_the_next_bout(show_limit: str, possible: bool) -> None:
    """P20a: seat 1 shows 7d at seat 2, and is attacked by a seven once more."""
    options = POD3 | SHOW | {"show_limit": show_limit}
    oracle = position(options, "7s 7h Kh Ks", "7d Qh Qs", "As Ah Ac")
    play(oracle, "7s, pass, show 7d, take, pass, pass")
    assert (oracle.leader, oracle.defender, oracle.bout) == (0, 1, 2)
    play(oracle, "7h")
    assert ("show 7d" in oracle.legal()) == possible


def test_e50_the_shown_trump_stays_and_is_known() -> None:
    """E50, P20b: everybody knows it; its owner may throw it in or keep it."""
    oracle = position(POD3 | SHOW, "7s Kh Ks", "7d Qh Qs", "8s Ah Ac")
    play(oracle, "7s, show 7d")
    assert "7d" in oracle.hands[1]
    assert oracle.known[1] == {"7d"}
    assert (oracle.actor, oracle.n0, oracle.room) == (2, 3, 2)
    oracle.play("8s")
    assert oracle.actor == 1
    assert oracle.legal() == {"7d", "pass"}
    oracle.play("7d")
    assert oracle.known[1] == set()


def test_e51_a_trump_attack_cannot_be_shown_on() -> None:
    """E51: laying another seven is fine."""
    oracle = position(POD3 | SHOW, "7d Kh Ks", "7s Qh Qs", "8s Ah Ac")
    oracle.play("7d")
    assert transfers(oracle) == {"transfer 7s"}


def test_e52_nothing_after_the_take() -> None:
    """E52: neither transfer nor show."""
    oracle = position(POD3 | SHOW, "7s 7c Kh", "7d 7h Qs", "8s Ah Ac")
    play(oracle, "7s, pass, take")
    assert (oracle.phase, oracle.actor) == ("add", 0)
    assert transfers(oracle) == set()


def test_e53_beating_and_transferring_are_two_actions() -> None:
    """E53: 7d beats the 7s, or transfers it, or is shown."""
    oracle = position(POD3 | SHOW, "7s Kh Ks", "7d Qh Qc", "8s Ah Ac")
    oracle.play("7s")
    assert oracle.legal() == {"7d", "transfer 7d", "show 7d", "take"}


def test_show_asks_the_throwers_first_with_anytime() -> None:
    """7.6: roles change as for a transfer and all passes are void."""
    options = POD3 | SHOW | {"throw_timing": "anytime"}
    oracle = position(options, "7s 7c Kh", "7d Qh Qs", "8s Ah Ac")
    play(oracle, "7s, pass, show 7d")
    assert (oracle.actor, oracle.phase, oracle.passed) == (1, "throw", set())
    assert askers(oracle) == [1, 0]
    assert oracle.actor == 2


def test_an_empty_defender_has_to_take() -> None:
    """P19c unrestricted: he covers one of two with his last card and is not out yet."""
    for go_out in ("bout_end", "immediately"):
        options = POD3 | PER | {"transfer_hand": "unrestricted", "go_out": go_out}
        oracle = position(options, "7s Kh", "7h Qh Qc", "8s")
        play(oracle, "7s, transfer 7h, 8s")
        assert (oracle.actor, oracle.places) == (2, [])
        assert oracle.legal() == {"take"}
        oracle.play("take")
        assert (oracle.leader, oracle.defender, oracle.places) == (0, 1, [])
