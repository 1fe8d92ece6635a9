"""The edge cases of the rules study, sections 3.A, 3.B, 3.C, 3.E and 3.F, on the engine.

Trump is diamonds, seat 0 leads at seat 1. Where the study's example is only schematic (7.1) a
position that a game can reach shows the same point.
"""

from __future__ import annotations

import pytest

from durak_env import Game, IllegalActionError, Rules, RulesError
from durak_env.cards import full_deck
from durak_env.engine import Phase
from durak_env.rules import OptionValue
from tests.positions import askers, dealt, first_bout, hand, known, legal, play, position

# --- 3.A deal and first lead --------------------------------------------------------------------

NO_TRUMP = "7s 8s 9s 10s Js Qs | 6h 8h 9h 10h Jh Qh"
SEVEN_LOWEST = "7s 8s 9s 10s Js Qs | 7d 8h 9h 10h Jh Qh"
TWO_SIXES_AND_ONE = "6s 6c 9s 10s Js Qs | 6h 8h 9h 10h Jh Qh | 7s 7c 8c 9c 10c Jc"


def test_e1_six_players_deal_everything_out() -> None:
    """E1, P23, B13: the dealer's last card gives the trump and is public; the 6d leads."""
    deck = [card for card in map(str, full_deck(36)) if card not in ("9d", "6d")]
    deck.insert(2, "6d")
    game = Game(Rules(players=6), deck=" ".join([*deck, "9d"]))
    assert (game.stock, str(game.trump_card)) == ([], "9d")
    assert known(game, 5) == {"9d"}
    assert game.leader == 2
    assert known(game, 2) == {"6d"}


ALL_DEALT = (
    "8s 8c 8h 8d 9s 9h | 9c 10s Js Qs Ks As | 9d 10d Jd Qd Kd 10c"
    "| 6s 6c 6h 6d 7s 7c | 7h 7d 10h Jh Qh Kh | Ah Ac Ad Jc Qc Kc"
)


def test_e1_an_empty_hand_is_out_after_the_first_bout() -> None:
    """E1: six players start with an empty stock, so seat 0 cannot draw."""
    game = position(ALL_DEALT, "first_limit=none", trump="Ad")
    play(game, "8c, 8s, 8h, 8d, 9c, take, 9s, 9h")
    assert (game.bout, game.places, game.leader) == (2, (0,), 2)


def test_e2_lowest_card_leads_without_trumps() -> None:
    """E2, P29: the holder of the only six leads and announces it."""
    game = dealt(Rules(), NO_TRUMP, "7d")
    assert (game.leader, str(game.announced), known(game, 1)) == (1, "6h", {"6h"})


def leaders(rules: Rules, hands: str) -> set[tuple[int, str]]:
    """Who leads, and by which card, over deals of these hands with different stocks."""
    found = set()
    start = [str(card) for card in full_deck(rules.deck)]
    front = [card for turn in zip(*map(str.split, hands.split("|")), strict=True) for card in turn]
    rest = [card for card in start if card not in front and card != "7d"]
    for k in range(len(rest)):
        game = Game(rules, deck=" ".join([*front, "7d", *rest[k:], *rest[:k]]))
        found.add((game.leader, str(game.announced)))
    return found


def test_e2_equal_lowest_cards_draw_lots() -> None:
    """E2: a lot among the holders only; suits have no order."""
    lots = leaders(Rules(players=3), TWO_SIXES_AND_ONE)
    assert lots == {(0, "6s"), (0, "6c"), (1, "6h")}


def test_e2_lot_among_all() -> None:
    """E2, option: every seat may be drawn, nothing is announced."""
    rules = Rules(players=3, no_trump_fallback="lot")
    assert leaders(rules, TWO_SIXES_AND_ONE) == {(0, "None"), (1, "None"), (2, "None")}


def test_e3_lowest_trump_leads_any_card() -> None:
    """E3, P28: the turned-up 6d does not count; the 7d is shown, any card may be led."""
    game = dealt(Rules(), SEVEN_LOWEST)
    assert (game.leader, known(game, 1)) == (1, {"7d"})
    assert legal(game) == hand(game, 1)
    assert str(game.stock[-1]) == "6d"


def test_e4_ace_as_the_only_trump_leads() -> None:
    """E4: the lowest trump may be the highest one."""
    assert dealt(Rules(), "7s 8s 9s 10s Js Qs | Ad 8h 9h 10h Jh Qh").leader == 1


@pytest.mark.parametrize(
    ("later_first", "leader"),
    [("pod_duraka", 1), ("iz_pod_duraka", 3), ("prev_winner", 0), ("lowest_trump", None)],
)
def test_e5_who_leads_the_next_deal(later_first: str, leader: int | None) -> None:
    """E5, P30, S002-8, S002-9, S000-40: four seats, the durak is seat 2, seat 0 was out first."""
    over = {"phase": "over", "reason": "durak", "durak": "2", "places": "0 3 1 2"}
    game = position(" | | Kh Ks | ", f"later_first={later_first}", **over)
    assert game.next_leader() == leader


@pytest.mark.parametrize("later_first", ["pod_duraka", "iz_pod_duraka", "prev_winner"])
def test_e6_nobody_is_designated_after_a_draw(later_first: str) -> None:
    """E6, P31: the lowest trump leads again."""
    game = play(position("9s | 10s", f"later_first={later_first}"), "9s, 10s")
    assert game.next_leader() is None


@pytest.mark.parametrize("options", [{"players": 7}, {"players": 6, "hand_size": 7}], ids=str)
def test_e7_too_many_cards_to_deal(options: dict[str, int]) -> None:
    """E7, B25: more hands than the deck has cards are refused."""
    with pytest.raises(RulesError, match="players"):
        Rules.preset("podkidnoy", deck=36, **options)


def test_e8_short_hands_go_on() -> None:
    """E8 (with six hands of eight): seats 0 and 2 draw two each, seat 1 goes on with four cards."""
    fill = " ".join("?" * 8)
    game = position(
        f"? ? ? ? ? ? | 4d ? ? ? ? | ? ? ? ? ? ? | {fill} | {fill} | {fill}",
        "deck=52,hand_size=8",
        trump="2d",
        table="3s/4s 3h/4h 3c/4c 3d",
        stock="? ? ? 2d",
    )
    play(game, "4d")
    assert [len(game.hand(seat)) for seat in range(6)] == [8, 4, 8, 8, 8, 8]
    assert known(game, 2) == {"2d"}
    assert (game.leader, game.places) == (1, ())


# --- 3.B lead and defence -----------------------------------------------------------------------


def refuse(game: Game, *actions: str) -> None:
    """Demand that each of these actions is refused and changes nothing."""
    before = game.position()
    for action in actions:
        with pytest.raises(IllegalActionError, match="not legal"):
            game.play(action)
        assert game.position() == before


def test_e9_set_lead_is_limited_by_the_hand() -> None:
    """E9, S000-44: three nines, but only two fit a defender with two cards."""
    game = play(position("9s 9h 9c Kc | Qs Qh"), "9s, 9h")
    assert (game.actor, game.phase) == (1, Phase.DEFEND)


def test_e10_mixed_set_lead() -> None:
    """E10, B15: after the first card only its rank may follow; what is not held is illegal."""
    game = play(position("6c 7c 6s | Qs Qh Qc"), "6c")
    assert legal(game) == {"6s", "pass"}
    refuse(game, "7c", "6c", "6h", "take")


def test_e11_single_lead() -> None:
    """E11, S001-22, S003-31: the second seven is thrown in after the first one is beaten."""
    game = play(position("7s 7c | 8s 9c", "lead_mode=single"), "7s")
    assert game.actor == 1
    play(game, "8s")
    assert (game.actor, legal(game)) == (0, {"7c", "pass"})


@pytest.mark.parametrize(("last", "phase", "room"), [("10d", "THROW", 1), ("take", "ADD", 2)])
def test_e12_lead_of_four_in_the_first_bout(last: str, phase: str, room: int) -> None:
    """E12, S000-63, S000-64: room 1 after four beaten, 2 when the defender takes."""
    hands = "8s 8h 8c 8d 10c Jc | 9s 9h 9c 10d Js Qs | 9d Kh Kc Ks Qh 10h"
    game = play(first_bout(hands), f"8s, 8h, 8c, 8d, 9s, 9h, 9c, {last}")
    assert (game.phase.name, game.room) == (phase, room)


@pytest.mark.parametrize(
    ("card", "attack", "beats"),
    [
        ("6d", "As", True),
        ("As", "6d", False),
        ("7s", "6s", True),
        ("7s", "6c", False),
        ("9s", "9h", False),
        ("10h", "9h", True),
        ("Qd", "Jd", True),
    ],
)
def test_e13_what_beats_what(card: str, attack: str, beats: bool) -> None:
    """E13, P4: a higher card of the suit, or a trump; ranks are compared by place, not as text."""
    game = play(position(f"{attack} | {card}"), attack)
    assert (card in legal(game)) == beats


def test_e13_no_duty_to_follow_suit() -> None:
    """E13: a trump may be used by one who could follow suit."""
    assert legal(play(position("7s | 8s 7d 9c"), "7s")) == {"8s", "7d", "take"}


def test_e14_taker_gets_his_own_cover_back() -> None:
    """E14, S000-45, S001-14, S003-4: everything is taken in sight of all; the next seat leads."""
    game = play(position("8s 8c Kc | Js Kh Qh | 10c 10h"), "8s, 8c, Js, take")
    assert hand(game, 1) == {"8s", "Js", "8c", "Kh", "Qh"}
    assert known(game, 1) == {"8s", "Js", "8c"}
    assert (game.leader, game.defender) == (2, 0)


def test_e15_nothing_to_take() -> None:
    """E15, P36: no take at an empty table, nor while everything is beaten."""
    game = position("8s 8c Kc | Js Kh Qh")
    refuse(game, "take")
    play(game, "8s, pass, Js")
    assert game.phase is Phase.THROW
    refuse(game, "take")


def test_e16_nothing_after_the_take() -> None:
    """E16, B6, B14: no cover after the take, and only the defender covers."""
    game = position("8s 8c Kc | 9s Js Kh")
    refuse(game, "9s")
    play(game, "8s, pass, take")
    assert legal(game) == {"8c", "pass"}
    refuse(game, "9s", "take")
    with pytest.raises(IllegalActionError):
        game.play(999)


def test_e16_no_second_cover() -> None:
    """E16, B6: a card that is beaten cannot be beaten again."""
    game = play(position("8s 8c | 9s Js 9c Jc"), "8s, 8c, 9s")
    assert legal(game) == {"9c", "Jc", "take"}


def test_e17_the_defender_chooses_the_target() -> None:
    """E17, S003-8, 7.5: with cover_order=any the target is named first, then covered."""
    game = play(position("8s 8c Kc | 7d Jc Kh", "cover_order=any"), "8s, 8c")
    pairs = {(str(attack), str(card)) for attack, card in game.covers()}
    assert pairs == {("8s", "7d"), ("8c", "7d"), ("8c", "Jc")}
    assert legal(game) == {"target 8s", "target 8c", "take"}
    assert legal(play(game, "target 8c")) == {"7d", "Jc"}
    play(game, "Jc")
    assert [(str(a), str(c)) for a, c in game.table] == [("8s", "None"), ("8c", "Jc")]
    assert legal(game) == {"7d", "take"}


def test_e17_table_order() -> None:
    """7.5: with cover_order=table only the oldest unbeaten card may be covered."""
    assert legal(play(position("8s 8c Kc | 7d Jc Kh"), "8s, 8c")) == {"7d", "take"}


# --- 3.C throwing in ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("throw_order", "asked"),
    [("priority", [0, 2, 3]), ("free", [0, 2, 3]), ("round_robin", [2, 3, 0])],
)
def test_e18_throw_orders(throw_order: str, asked: list[int]) -> None:
    """E18, P11, S000-60: who is asked after seat 0 passed and seat 2's 9d is beaten by Kd."""
    hands = "7s Kh Ah | Kd 10s Js Qs | 9d Kc Ac | 7h Ks"
    game = position(hands, f"throw_order={throw_order}", table="7c/9c")
    assert game.actor == 0
    assert askers(play(game, "pass, 9d, Kd")) == asked


def test_e19_a_pass_lapses() -> None:
    """E19, S004-10, 7.3: seat 0 passed, a cover opens the eights, he may throw in again."""
    game = position("7s 8d Kc | 8h Qh Qc | 7h Ac", table="7c/Jc")
    play(game, "pass, 7h, 8h")
    assert (game.actor, legal(game)) == (0, {"7s", "8d", "pass"})


def test_e20_throwing_in_waits_until_all_is_beaten() -> None:
    """E20, P13, S003-19: seat 2's seven has to wait."""
    assert play(position("7c Kc | 8c Qh Qc | 7h"), "7c").actor == 1


def test_e20_throwing_in_at_any_time() -> None:
    """E20, P13, S001-10, 7.6: with throw_timing=anytime it is legal at once."""
    game = play(position("7c Kc | 8c Qh Qc | 7h", "throw_timing=anytime"), "7c")
    assert (game.actor, game.phase) == (2, Phase.THROW)
    play(game, "7h")
    assert (game.actor, game.room) == (1, 1)
    assert legal(game) == {"target 7c", "target 7h", "take"}


def test_anytime_asks_throwers_after_each_cover() -> None:
    """7.6: a cover opens a rank and the throwers come before the next cover."""
    game = position("7c 7s Kc | 8c 9s Qh | 8h Ac", "throw_timing=anytime")
    play(game, "7c, 7s, target 7c, 8c")
    assert (game.actor, legal(game)) == (2, {"8h", "pass"})
    play(game, "pass")
    assert (game.actor, legal(game)) == (1, {"9s", "take"})


def test_e21_room_counts_unbeaten_cards_only() -> None:
    """E21, B29: six cards, four beaten, two left: two more fit."""
    game = position("9c 10s | Qh Qc", table="8s/9s 8h/9h 8c/10c 8d/10d")
    assert (game.phase, game.room) == (Phase.THROW, 2)


def test_e22_two_more_after_the_take() -> None:
    """E22, S000-58, B1: three cards in hand, one laid, he takes: two more, of any seat."""
    game = play(position("8s 8h Kc | Qh Qc Qs | 8c 8d"), "8s, pass, take")
    assert (game.phase, game.room) == (Phase.ADD, 2)
    play(game, "8h")
    assert (game.actor, game.room) == (2, 1)
    play(game, "8c")
    assert hand(game, 1) == {"8s", "8h", "8c", "Qh", "Qc", "Qs"}


def test_e23_one_more_after_the_take() -> None:
    """E23: four cards, one beaten, two unbeaten: one more fits."""
    game = play(position("8d | Qh 10c Qs", table="8s/9s 8h 8c"), "take")
    assert (game.phase, game.room) == (Phase.ADD, 1)


FOUR_BEATEN_FIFTH_NOT = "8s/9s 8h/9h 8c/10c 8d/10d 9d"


def test_e24_five_beaten_end_the_first_bout() -> None:
    """E24, S000-63: no pass is needed although seat 0 holds a nine."""
    game = play(first_bout("9c | Qd Qc", table=FOUR_BEATEN_FIFTH_NOT), "Qd")
    assert (len(game.discard), game.bout, game.leader) == (10, 2, 1)


def test_e24_sixth_card_on_take() -> None:
    """E24, S000-64: one more when he takes."""
    game = play(first_bout("9c | Qd Qc", table=FOUR_BEATEN_FIFTH_NOT), "take")
    assert (game.phase, game.room) == (Phase.ADD, 1)


def test_e24_no_sixth_card_on_take() -> None:
    """E24, S003-48, P17: none with first_cap_on_take=5."""
    game = first_bout("9c | Qd Qc", "first_cap_on_take=5", table=FOUR_BEATEN_FIFTH_NOT)
    assert play(game, "take").bout == 2


@pytest.mark.parametrize(("scope", "room"), [("until_first_discard", 5), ("first_bout", 6)])
def test_e25_scope_of_the_first_limit(scope: str, room: int) -> None:
    """E25, P16: after a take nothing is discarded yet."""
    hands = "8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Qh Kh"
    game = first_bout(hands, f"first_limit_scope={scope}")
    assert game.room == 5
    play(game, "8s, take")
    assert (game.bout, game.room) == (2, room)


@pytest.mark.parametrize(("when_empty", "room"), [("none", 9), ("same", 6)])
def test_e26_cap_with_an_empty_stock(when_empty: str, room: int) -> None:
    """E26, P18, S000-62, S001-12, S003-24: nine cards in hand, the cap of six is lifted or not."""
    game = position("8s | 6c 7c 8c 9c 10c Jc Qc Kc Ac", f"cap_when_stock_empty={when_empty}")
    assert game.room == room


def test_e27_cap_is_settled_at_the_bout_start() -> None:
    """E27: a stock at the bout start keeps the cap; the first bout without one is free of it."""
    game = position("8s 9s 10s Js Qs Ks | 6c 7c 8c 9c 10c Jc Qc Kc", stock="6h 6d")
    assert game.room == 6
    play(game, "8s, take")
    assert (list(map(str, game.stock)), game.room) == (["6d"], 6)
    play(game, "9s, take")
    assert (game.stock, game.room) == ([], 10)


def test_e28_first_limit_with_an_empty_stock() -> None:
    """E28: six players; the first limit does not care about the empty stock."""
    game = position(ALL_DEALT, trump="Ad")
    assert (game.stock, game.discard, game.room) == ([], [], 5)
    play(game, "8s, pass")
    assert game.room == 4
    play(game, "take")
    assert (game.phase, game.room) == (Phase.ADD, 5)


def test_e29_an_empty_defender_ends_the_bout() -> None:
    """E29: h = 0, the bout is beaten whatever the others hold."""
    game = play(position("8s 9h Kc | 9s | 8c 9c"), "8s, 9s")
    assert (game.places, game.leader) == ((1,), 2)


def test_e30_ranks_of_this_table_only() -> None:
    """E30, S001-10: a rank that lies only in the discard opens nothing."""
    game = play(position("8s 9h Kc | 9s Ah Ac | 6c 7c"), "8s, 9s")
    assert {"Kd", "Ks"} <= set(map(str, game.discard))
    assert (game.actor, legal(game)) == (0, {"9h", "pass"})


def test_e31_no_throwing_in_before_the_answer() -> None:
    """E31, P13: with a single lead the second eight waits for the defender."""
    game = position("8s 8h Kc | 9s Ah Ac", "lead_mode=single,throw_order=priority")
    play(game, "8s")
    assert game.actor == 1
    refuse(game, "8h")


def test_e32_covers_open_ranks_for_additions() -> None:
    """E32, S003-23, S000-84: the K of the defender's own cover may be added after the take."""
    game = play(position("8s 8h Ac | Ks 7h 7s | Kc 6c"), "8s, 8h, Ks, take")
    assert (game.actor, legal(game)) == (2, {"Kc", "pass"})


# --- who may throw in ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("throwers", "asked"), [("all", [2, 3, 4]), ("neighbours", [2]), ("attacker_only", [])]
)
def test_throwers(throwers: str, asked: list[int]) -> None:
    """P10, P12, E44: all, the seats next to the defender, or the attacker alone."""
    hands = "7c Ac | 8c Ah As | 7h Kc | 7d Kh | 7s"
    game = play(position(hands, f"throwers={throwers}"), "7c, 8c")
    assert askers(game) == asked
    assert game.bout == 2


def test_neighbours_follow_the_live_seats() -> None:
    """7.16: the stock is empty and seat 2 lays his last card, so seat 3 is next to seat 1."""
    game = position("7c Ac | 8c 9h As | 7h | 7d Kh | 7s Ks", "throwers=neighbours")
    assert askers(play(game, "7c, 8c, 7h, 9h")) == [3]


@pytest.mark.parametrize(("answer", "leader"), [("9s", 1), ("take", 2)])
@pytest.mark.parametrize("closed", ["throw_in=none", "throw_in=none,add_after_take=true"])
def test_no_throwing_in_closes_the_additions(answer: str, leader: int, closed: str) -> None:
    """P9, 7.7: without throw-ins there are no additions after the take either."""
    game = play(position("8s 8h Kc | 9s Qc Qs | 8c 9d", closed), f"8s, pass, {answer}")
    assert (game.bout, game.leader) == (2, leader)


def test_no_additions_after_the_take() -> None:
    """P14: the bout ends with the word."""
    game = position("8s 8h Kc | 9s Qc Qs | 8c 9d", "add_after_take=false")
    play(game, "8s, pass, take")
    assert (game.bout, game.leader) == (2, 2)


def test_everyone_is_asked() -> None:
    """7.4: with ask_everyone a seat that can only pass is asked as well."""
    game = play(position("8s Kh Kc | 9s Qc Qs | 10c 10d", "ask_everyone=true"), "8s")
    assert (game.phase, legal(game)) == (Phase.LEAD, {"pass"})
    play(game, "pass, 9s")
    assert legal(game) == {"pass"}
    assert askers(game) == [0, 2]


@pytest.mark.parametrize(("order", "asked"), [("round_robin", [3, 0]), ("priority", [0, 3])])
def test_order_of_additions(order: str, asked: list[int]) -> None:
    """7.15: round-robin additions start at the seat that laid last; the take clears its pass."""
    hands = "7s Kh 9s | Kd 10s Js Qs | 9d Kc Ac | 7h 9h"
    game = position(hands, f"throw_order={order}", table="7c/9c")
    assert askers(play(game, "pass, 9d, take")) == asked


# --- 3.E drawing --------------------------------------------------------------------------------


def drawn(held: list[int], stock: int, options: str = "") -> list[int]:
    """Cards that each seat draws after seat 1 has covered the last of four eights by the 9d."""
    hands = [" ".join("?" * count) for count in held]
    hands[1] += " 9d"
    game = position(
        " | ".join(hands),
        options,
        table="8s/9s 8h/9h 8c/9c 8d",
        stock="? " * (stock - 1) + "6d",
    )
    play(game, "9d")
    assert game.bout == 2
    return [len(game.hand(seat)) - before for seat, before in enumerate(held)]


def test_e54_everybody_draws() -> None:
    """E54, S003-25: 0 laid two, 2 and 3 one each, 1 covered four; the trump is left for 1."""
    assert drawn([4, 3, 5, 5], 5) == [2, 1, 1, 1]


def test_e55_short_stock() -> None:
    """E55, P25: the defender goes empty, or comes second in the literal order (S002-19)."""
    assert drawn([4, 3, 5, 5], 3) == [2, 0, 1, 0]
    assert drawn([4, 3, 5, 5], 3, "draw_order=strict_clockwise") == [2, 1, 0, 0]


def test_e56_each_fills_before_the_next() -> None:
    """E56: seat 0 needs three, seat 2 one; three cards are left and seat 0 gets them all."""
    assert drawn([3, 3, 5, 6], 3) == [3, 0, 0, 0]


def test_e57_drawing_is_not_optional() -> None:
    """E57, B24: seat 0 must draw the trump and is the durak."""
    game = position("Kh | Jd", table="7s/8s 7h/8h 7c/9c 7d/9d 8c/10c 8d", stock="6d")
    play(game, "Jd")
    assert (hand(game, 0), known(game, 0)) == ({"Kh", "6d"}, {"6d"})
    assert game.outcome is not None
    assert (game.outcome.durak, game.outcome.places) == (0, (1, 0))


def test_e58_a_taker_draws_nothing() -> None:
    """E58, I5: what he laid comes back, and he had six at the start."""
    game = first_bout("8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Qh Kh")
    play(game, "8s, take")
    assert [len(game.hand(seat)) for seat in (0, 1)] == [6, 7]
    assert hand(game, 1) == {"8s", "8h", "9h", "10h", "Jh", "Qh", "Kh"}


SIX_LAID = "7s/8s 7h/8h 7c/9c 7d/9d 8c/10c 8d"


def test_e59_an_empty_hand_draws_and_leads() -> None:
    """E59, E60: with a stock left a defender without cards is not out."""
    stock = "? " * 11 + "6d"
    game = play(position("Kh Ks | Jd | Qc Qs Ac As", table=SIX_LAID, stock=stock), "Jd")
    assert [len(game.hand(seat)) for seat in range(3)] == [6, 6, 6]
    assert (game.leader, game.places) == (1, ())


def test_e60_draw_before_outs_and_roles() -> None:
    """E60, B24: seat 0 laid all his cards and takes the last one, the defender gets none."""
    game = play(position(" | Jd | Qc Qs Ac As Kh Ks Kc", table=SIX_LAID, stock="6d"), "Jd")
    assert (hand(game, 0), game.places, game.leader) == ({"6d"}, (1,), 2)


def test_e74_an_empty_hand_with_a_stock_is_in_the_deal() -> None:
    """E74: seat 0 laid all his cards, draws after the take and is not out."""
    stock = "? " * 10 + "6d"
    game = play(position(" | Jd | Qc Qs Ac As Kh Ks Kc", table=SIX_LAID, stock=stock), "take")
    assert (len(game.hand(0)), game.places) == (6, ())


# --- 3.F going out, successor, draw -------------------------------------------------------------


def test_e61_leader_out() -> None:
    """E61, P40: seat 0 leads his last card and is out; seat 1 leads at seat 2."""
    game = play(position("9s | 10s Kh Kc | 9h Ah"), "9s, 10s, pass")
    assert (game.places, game.leader, game.defender) == ((0,), 1, 2)


def test_e62_defender_out() -> None:
    """E62, P40: seat 1 beats with his last card; seat 2 leads at seat 0."""
    game = play(position("9s Kh Kc | 10s | 9h Ah"), "9s, 10s")
    assert (game.places, game.leader, game.defender) == ((1,), 2, 0)


def result(game: Game) -> tuple[int | None, tuple[int, ...], str]:
    """Durak, places and reason of a game that is over."""
    outcome = game.outcome
    assert outcome is not None
    assert (game.actor, game.legal_actions()) == (None, ())
    return outcome.durak, outcome.places, outcome.reason


def test_e63_durak_without_an_attack() -> None:
    """E63: both fighters are out, the third is the durak."""
    assert result(play(position("9s | 10s | Kh Kc"), "9s, 10s")) == (2, (0, 1, 2), "durak")


def test_e64_a_taker_may_be_the_durak_at_once() -> None:
    """E64, B3: the others gave away their last cards; the deal ends after a take too."""
    game = play(position("9s | 7h 8h | 9c"), "9s, take, 9c")
    assert result(game) == (1, (0, 2, 1), "durak")
    assert hand(game, 1) == {"7h", "8h", "9s", "9c"}


def test_e65_thrower_out_after_a_take() -> None:
    """E65, P40: seat 2 is out, seat 3 leads at seat 0."""
    game = play(position("9s Kh | 7h 8h | 9c | Ks"), "9s, take, 9c")
    assert (game.places, game.leader, game.defender) == ((2,), 3, 0)


def test_e66_defender_and_thrower_out() -> None:
    """E66: seats 2 and 1 are out, seat 3 leads at seat 0."""
    game = play(position("9s Kh | 10s Jd | 10c | Ks"), "9s, 10s, 10c, Jd")
    assert (game.places, game.leader, game.defender) == ((2, 1), 3, 0)


@pytest.mark.parametrize("throw_order", ["priority", "round_robin"])
def test_e67_an_empty_attacker_is_skipped(throw_order: str) -> None:
    """E67: seat 0 has no cards, the others may still add."""
    game = position("9s | 7h 8h | 9c Kh | 9h Kc Ac", f"throw_order={throw_order}")
    assert askers(play(game, "9s, take")) == [2, 3]


def test_e68_draw() -> None:
    """E68, S000-54: both last cards leave together."""
    assert result(play(position("9s | 10s"), "9s, 10s")) == (None, (0, 1), "draw")


THREE_LAST_CARDS = "9s | 10s Jd | 10h"


def test_e69_draw_of_three() -> None:
    """E69, E71, S003-27: nobody has cards; places by the moment of the last card."""
    game = play(position(THREE_LAST_CARDS), "9s, 10s, 10h, Jd")
    assert result(game) == (None, (0, 2, 1), "draw")


def test_e70_the_last_defender_loses() -> None:
    """E70, P33: no draws; the defender of the last bout is the durak and placed last."""
    options = "draw_policy=last_defender_loses"
    assert result(play(position("9s | 10s", options), "9s, 10s")) == (1, (0, 1), "last_defender")
    game = play(position(THREE_LAST_CARDS, f"{options},place_order=seat"), "9s, 10s, 10h, Jd")
    assert result(game) == (1, (0, 2, 1), "last_defender")


def test_e71_places_by_seat() -> None:
    """E71, P41: clockwise from the attacker instead."""
    game = play(position(THREE_LAST_CARDS, "place_order=seat"), "9s, 10s, 10h, Jd")
    assert result(game) == (None, (0, 1, 2), "draw")


def test_e72_same_attacker_after_a_take_of_two() -> None:
    """E72: with two players the taker is attacked again."""
    game = play(position("9s Kh | 7h 8h"), "9s, take")
    assert (game.leader, game.defender) == (0, 1)


@pytest.mark.parametrize("answer", ["10s", "take"])
def test_e73_lost_with_more_cards_than_attacks(answer: str) -> None:
    """E73: seat 0 led his last card, seat 1 holds three: he is asked, and lost anyhow."""
    game = play(position("9s | 10s Kh Kc"), "9s")
    assert legal(game) == {"10s", "take"}
    assert result(play(game, answer)) == (1, (0, 1), "durak")


SIX_BOUTS = "9s, take, 10c, take, 9s, take, 10c, take, 9s, take, 10c, take"


def endless(repetition: OptionValue) -> Game:
    """E75 with one card more in each short hand, so that the discard is even (7.1)."""
    text = str(repetition).lower()
    return position("9s Ks | Qh Jh | 10c Kc", f"repetition={text}")


def test_e75_third_occurrence_is_a_draw() -> None:
    """E75, P34, 7.10, B23: after two rounds of six bouts the position stands for the third time."""
    game = play(endless(3), SIX_BOUTS)
    assert (game.outcome, game.leader) == (None, 0)
    assert [hand(game, seat) for seat in range(3)] == [{"9s", "Ks"}, {"Qh", "Jh"}, {"10c", "Kc"}]
    assert result(play(game, SIX_BOUTS)) == (None, (), "repetition")


def test_e75_second_occurrence() -> None:
    """P34, 7.10: the first time is counted."""
    assert result(play(endless(2), SIX_BOUTS)) == (None, (), "repetition")


def test_e75_no_progress() -> None:
    """P34: 200 bouts without a discard are a draw, whether repetitions are counted or not."""
    for repetition in (100, None):
        game = endless(repetition)
        for _ in range(33):
            play(game, SIX_BOUTS)
        play(game, "9s, take, 10c")
        assert (game.bout, game.outcome) == (200, None)
        assert result(play(game, "take")) == (None, (), "no_progress")


def test_e77_the_bout_is_played_out() -> None:
    """E77: all others have laid their last cards, and seat 1 still has to answer."""
    game = play(position(THREE_LAST_CARDS), "9s, 10s, 10h")
    assert [len(game.hand(seat)) for seat in range(3)] == [0, 1, 0]
    assert (game.actor, game.places, legal(game)) == (1, (), {"Jd", "take"})


def test_e77_going_out_immediately() -> None:
    """P27, option: the last card ends the deal of two at once, the table stays."""
    game = play(position("9s | 10s", "go_out=immediately"), "9s")
    assert result(game) == (1, (0, 1), "durak")
    assert len(game.table) == 1


def test_an_emptied_defender_goes_out_immediately() -> None:
    """P27, option: with two others left the bout ends as beaten."""
    game = play(position("9s Kh Kc | 10s | 9h Ah", "go_out=immediately"), "9s, 10s")
    assert (game.places, game.leader, game.defender) == ((1,), 2, 0)
