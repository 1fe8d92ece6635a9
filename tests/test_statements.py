"""Statements of the sources that the other tests leave out, each on a readable position.

Trump is diamonds, seat 0 leads at seat 1.
"""

from __future__ import annotations

import pytest

from durak_env import Game, Rules, RulesError
from durak_env.cards import full_deck
from durak_env.engine import Phase
from durak_env.rules import PRESETS
from tests.positions import askers, dealt, hand, legal, play, position

ALL_PRESETS = sorted(set(PRESETS) - {"armenian_tricks"})
SINGLE_LEAD = ["site", "plus", "armenian", "american"]
THREE_HANDS = "7s 8s 9s 10s Js Qs | 7d 8h 9h 10h Jh Qh | 8d 8c 9c 10c Jc Qc"


# --- the deck, the seats and the deal -----------------------------------------------------------


@pytest.mark.parametrize(("deck", "ranks"), [(36, "6 7 8 9 10 J Q K A"), (52, "2 3 4 5")])
def test_ranks_of_the_deck(deck: int, ranks: str) -> None:
    """S000-100, S001-1, S002-1, S003-13, S003-43: from six, or from two, to ace."""
    if deck == 52:
        ranks += " 6 7 8 9 10 J Q K A"
    wanted = {rank + suit for rank in ranks.split() for suit in "schd"}
    assert len(full_deck(deck)) == deck
    assert set(map(str, full_deck(deck))) == wanted
    for name in ("podkidnoy", "site", "plus", "armenian"):
        assert Rules.preset(name, deck=deck).deck == deck
        assert Rules.preset(name).deck == 36


def test_order_of_the_ranks() -> None:
    """S000-100, S001-1, S003-13: 6 is the lowest, then 7 ... 10, J, Q, K, ace."""
    ranks = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    for place, rank in enumerate(ranks):
        others = [other for other in ranks if other != rank]
        held = " ".join(f"{other}s" for other in others)
        game = play(position(f"{rank}s Kh | {held}", "lead_mode=single"), f"{rank}s")
        assert legal(game) == {f"{other}s" for other in ranks[place + 1 :]} | {"take"}


def test_epaulettes_are_podkidnoy_for_two() -> None:
    """S000-3, S000-4: 36 cards and the options of podkidnoy; only the aim differs."""
    rules, base = Rules.preset("epaulettes"), Rules.preset("podkidnoy")
    assert (rules.deck, rules.transfer, rules.throw_in) == (36, False, "on")
    differ = {key for key, value in rules.options().items() if value != base.options()[key]}
    assert differ == {"epaulettes"}


@pytest.mark.parametrize(
    ("name", "most"),
    [("podkidnoy", 6), ("plus", 6), ("perevodnoy", 6), ("armenian", 6), ("jokers", 8)],
)
def test_number_of_players(name: str, most: int) -> None:
    """S000-35, S000-93, S002-1, S003-42: two to six seats, with jokers two to eight."""
    for players in range(2, most + 1):
        assert Game(Rules.preset(name, players=players), seed=1).players == players
    for players in (1, most + 1):
        with pytest.raises(RulesError, match="players"):
            Rules.preset(name, players=players)


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_deal(name: str) -> None:
    """S000-37, S000-71, S000-72, S000-95, S000-96, S000-97, S001-2, S002-5, S003-14: six each.

    The next card names the trumps. Every seat sees it, and it is the last to be drawn.
    """
    rules = Rules.preset(name)
    deck = full_deck(rules.deck)[::-1] if rules.deck != 54 else full_deck(54)
    game = Game(rules, deck=deck)
    assert [len(game.hand(seat)) for seat in range(game.players)] == [6] * game.players
    assert game.trump_card == deck[6 * game.players]
    assert all(game.view(seat).trump_card == game.trump_card for seat in range(game.players))
    assert game.stock[-1] == game.trump_card
    assert len(game.stock) == rules.deck - 6 * game.players


@pytest.mark.parametrize("name", ["podkidnoy", "site", "plus", "american"])
def test_lowest_trump_leads(name: str) -> None:
    """S000-39, S000-73, S000-75, S001-4: seat 1 holds the 7d, seat 2 the 8d; any card is led."""
    game = dealt(Rules.preset(name, players=3), THREE_HANDS)
    assert (game.leader, game.actor, str(game.announced)) == (1, 1, "7d")
    assert legal(game) == hand(game, 1)


@pytest.mark.parametrize("name", ["american", "armenian"])
@pytest.mark.parametrize(("later_first", "leader"), [("pod_duraka", 1), ("iz_pod_duraka", 3)])
def test_who_leads(name: str, later_first: str, leader: int) -> None:
    """S002-6, S002-7, S002-10, S004-4: the lowest trump, else the lowest card or a lot.

    In later deals it is a neighbour of the durak, by agreement.
    """
    assert dealt(Rules.preset(name, players=3), THREE_HANDS).leader == 1
    plain = "7s 8s 9s 10s Js Qs | 6h 8h 9h 10h Jh Qh"
    lowest = dealt(Rules.preset(name), plain, "7d")
    assert (lowest.leader, str(lowest.announced)) == (1, "6h")
    lot = dealt(Rules.preset(name, no_trump_fallback="lot"), plain, "7d")
    assert lot.announced is None
    rules = f"rules: {name}(players=4,later_first={later_first})"
    over = "phase: over\nreason: durak\ndurak: 2\nplaces: 0 3 1 2"
    ended = Game.from_position(f"{rules}\nhands: | | Kh Ks |\ntrump: 6d\n{over}")
    assert ended.next_leader() == leader


# --- the lead and the defence -------------------------------------------------------------------


@pytest.mark.parametrize("name", SINGLE_LEAD)
def test_any_one_card_is_led(name: str) -> None:
    """S001-6, S002-13, S003-17, S004-5: any card may be led, and then the defender answers."""
    hands = "6s 7h Kc | Qs Qh Qc | Ah Ac As"
    start = Game.from_position(f"rules: {name}(players=3)\nhands: {hands}\ntrump: 6d")
    assert legal(start) == {"6s", "7h", "Kc"}
    for card in ("6s", "7h", "Kc"):
        game = play(start.copy(), card)
        assert (game.actor, [str(attack) for attack, _ in game.table]) == (1, [card])


def test_moves_go_to_the_left() -> None:
    """S000-41, S000-78, S001-5: the seat to the left of the leader is the defender."""
    game = position("8s Kc 10s| 9s Kh 10h| 9c 8h 10c| 8c Jh Jc")
    seen = []
    for _ in range(2):
        seen.append((game.leader, game.defender))
        lead = str(game.hand(game.leader)[0])
        play(game, lead)
        while game.bout == len(seen):
            play(game, "take" if "take" in legal(game) else "pass")
    assert seen == [(0, 1), (2, 3)]


@pytest.mark.parametrize("name", ["podkidnoy", "site", "plus", "armenian"])
def test_trumps_beat(name: str) -> None:
    """S000-72, S000-79, S001-3, S002-14, S003-15, S003-18: any trump beats a plain card."""
    fields = "hands: As Jd | 7d Qd Kd 9d Ah Ac\ntrump: 6d"
    plain = play(Game.from_position(f"rules: {name}\n{fields}"), "As")
    assert legal(plain) == {"7d", "9d", "Qd", "Kd", "take"}
    trump = play(Game.from_position(f"rules: {name}\n{fields}"), "Jd")
    assert legal(trump) == {"Qd", "Kd", "take"}


def test_a_higher_card_of_the_suit_beats() -> None:
    """S000-78, S003-18: the defender beats with a higher card of the suit or with a trump."""
    assert legal(play(position("9s Kc | 8s 10s 10h 7d"), "9s")) == {"10s", "7d", "take"}


def test_taking_is_free() -> None:
    """S000-83, S003-22, S004-12: one who could beat may take, one who cannot has to."""
    able = play(position("9s Kc | 10s Ah"), "9s")
    assert legal(able) == {"10s", "take"}
    unable = play(position("9s Kc | 8s Ah"), "9s")
    assert legal(unable) == {"take"}
    assert hand(play(able, "take"), 1) == {"9s", "10s", "Ah"}
    assert hand(play(unable, "take"), 1) == {"9s", "8s", "Ah"}


def test_all_is_beaten_or_all_is_taken() -> None:
    """S003-2, S003-20: each card thrown in must be beaten as well, or everything is taken."""
    start = play(position("9s 9h Kc | 10s 10h Ac As Qc"), "9s, pass, 10s, 9h")
    assert (start.actor, legal(start)) == (1, {"10h", "take"})
    beaten = play(start.copy(), "10h")
    assert beaten.phase is not Phase.DEFEND
    taken = play(start.copy(), "take")
    assert {"9s", "10s", "9h"} < hand(taken, 1)


# --- throwing in --------------------------------------------------------------------------------


def test_everybody_but_the_defender_throws_in() -> None:
    """S000-76, S000-80, S004-6: ranks on the table, of any suit, once the lead is beaten."""
    game = play(position("8s Kc Ks Kh | 9s 8d Jd Qd | 9h Ac Ah | 9c 8c Qh"), "8s")
    assert game.actor == 1
    play(game, "9s")
    assert (game.actor, legal(game)) == (2, {"9h", "pass"})
    play(game, "9h")
    assert (game.actor, game.phase) == (1, Phase.DEFEND)
    play(game, "Jd")
    assert (game.actor, legal(game)) == (3, {"8c", "9c", "pass"})


@pytest.mark.parametrize("order", ["priority", "round_robin"])
def test_the_right_passes_clockwise(order: str) -> None:
    """S000-56, S000-59, S000-81: first the leader, then clockwise; without cards he is skipped."""
    hands = "7s 7c {} | 8s Kd Js Qs Qc | 7h Ac | 7d Ah"
    rich = position(hands.format("Kc"), f"throw_order={order},lead_mode=single")
    assert askers(play(rich, "7s, 8s")) == [0, 2, 3]
    poor = position("7s Kc Kh | 8s Kd Js Qs Qc | 7h Ac | 7d Ah", f"throw_order={order}")
    assert askers(play(poor, "7s, 8s")) == [2, 3]


def test_with_two_players_bito_ends_the_bout() -> None:
    """S000-82, S001-13, S003-21, S000-49: beaten, discarded, and the defender leads."""
    game = play(position("7s 8h Kc | 8s Jd Qd"), "7s, 8s")
    before = len(game.discard)
    assert (game.actor, legal(game)) == (0, {"8h", "pass"})
    play(game, "pass")
    assert (game.bout, game.leader, len(game.discard)) == (2, 1, before + 2)
    assert {"7s", "8s"} <= set(map(str, game.discard))


def test_cards_are_added_after_the_take() -> None:
    """S000-57, S001-15: before the defender picks up, the others add cards of the ranks."""
    game = play(position("7s Kc Ks | 8s Js Qs Qh Qc | 7h Ac | 7c Ah"), "7s, take")
    assert (game.actor, game.phase, legal(game)) == (2, Phase.ADD, {"7h", "pass"})
    play(game, "7h")
    assert (game.actor, legal(game)) == (3, {"7c", "pass"})
    play(game, "7c")
    assert {"7s", "7h", "7c"} <= hand(game, 1)


def test_six_attack_cards_end_the_bout() -> None:
    """S000-61, S000-87: six are beaten, so all goes to the discard although a nine is left."""
    table = "7s/8s 7h/8h 7c/8c 7d/8d 9s/10s"
    game = position("9h 9c 9d | 10h Kh Kc | As Ah", table=table, stock="? 6d")
    assert game.room == 1
    before = len(game.discard)
    play(game, "9h, 10h")
    assert (game.bout, game.leader, len(game.discard)) == (2, 1, before + 12)


def test_neighbours_or_anyone() -> None:
    """S003-49: with five seats anyone throws in, or only the two next to the defender."""
    hands = "7c 7s | 8c Ah As Qh | 7h Kc | 7d Kh | Js Kd"
    options = "lead_mode=single,throwers="
    assert askers(play(position(hands, options + "all"), "7c, 8c")) == [0, 2, 3]
    assert askers(play(position(hands, options + "neighbours"), "7c, 8c")) == [0, 2]


def test_transfer_passes_the_attack_on() -> None:
    """S001-26: a card of the same rank passes the attack on to the next player."""
    hands = "7s Kc | 7h Kh | 8s 8h Ac Ah"
    assert "transfer 7h" not in legal(play(position(hands), "7s"))
    game = play(position(hands, "transfer=true"), "7s")
    assert legal(game) == {"transfer 7h", "take"}
    play(game, "transfer 7h")
    assert game.defender == 2


def test_american_order_of_throwing_in() -> None:
    """S004-9, S004-11: first mover, clockwise, defender last; all pass, then discard."""
    fields = "hands: 7s 7c Kc | 8s 8h 9h Js Qs Qc | 7h Ac | 7d\ntrump: 6d"
    game = play(Game.from_position(f"rules: american(players=4)\n{fields}"), "7s, 8s")
    before = len(game.discard)
    assert askers(game) == [0, 2, 3, 1]
    assert (game.bout, game.leader, len(game.discard)) == (2, 1, before + 2)
    assert not game.rules.discard_visible


# --- epaulettes ---------------------------------------------------------------------------------


def test_specials_bind_their_owner_only() -> None:
    """S000-17, S000-18, S000-22: plain nines are barred from the one whose rank is nine."""
    hands = "9s 9d 7c Kc | 9h 7h Qh As"
    for levels, leads in [("9 7", {"9d", "7c", "Kc"}), ("7 9", {"9s", "9d", "Kc"})]:
        game = position(hands, "epaulettes=true", levels=levels, trump="Jd")
        assert legal(game) == leads


def test_trump_of_the_special_rank_is_free() -> None:
    """S000-22: plain nines neither beat nor are beaten; the trump nine does and is."""
    options, hands = "epaulettes=true,lead_mode=single", "8s 9h 9d Kc | 9s 10h Qd As Ks Ah"
    for lead, answers in [("8s", {"As", "Ks", "Qd"}), ("9h", set()), ("9d", {"Qd"})]:
        game = play(position(hands, options, levels="6 9", trump="Jd"), lead)
        assert legal(game) == answers | {"take"}
    game = play(position("8s Kc | 9s 9d As Ks", options, levels="6 9", trump="Jd"), "8s")
    assert legal(game) == {"9d", "As", "Ks", "take"}


# --- the next bout ------------------------------------------------------------------------------


def test_a_taker_is_skipped() -> None:
    """S000-46, S000-86, S001-16: seat 1 takes, so seat 2 leads at seat 0."""
    game = play(position("9s Kc | 8s Ah | Qs Qh"), "9s, take")
    assert (game.leader, game.defender) == (2, 0)


def test_one_who_beats_off_leads() -> None:
    """S000-49, S000-86, S001-13, S003-21: nobody throws in, seat 1 leads at seat 2."""
    game = play(position("9s Kc | 10s Ah | Qs Qh"), "9s, 10s")
    assert (game.leader, game.defender) == (1, 2)


@pytest.mark.parametrize("name", ["podkidnoy", "site", "prostoy"])
def test_drawing_up_to_six(name: str) -> None:
    """S000-50, S000-51, S000-85, S000-88, S001-17: leader first, clockwise, defender last."""
    hands = "7d 7h 10s Js Qs Kh | 8d 8h 9h 10h Jh Qh | 9d 7c 9c 10c Jc Qc"
    game = play(dealt(Rules.preset(name, players=3), hands), "7h")
    stock = [str(card) for card in game.stock]
    wishes = {0: ["pass"], 1: ["target 7h", "target 7c", "8h", "8d"], 2: ["7c", "pass"]}
    while game.bout == 1:
        actor = game.actor
        assert actor is not None
        play(game, next(wish for wish in wishes[actor] if wish in legal(game)))
    drawers = [0, 1] if name == "prostoy" else [0, 2, 1]
    assert [len(game.hand(seat)) for seat in range(3)] == [6, 6, 6]
    for seat, card in zip(drawers, stock, strict=False):
        assert card in hand(game, seat)


def test_the_trump_card_is_drawn_last() -> None:
    """S000-52, S003-14: the stock is drawn to its end, and the defender gets the open 6d."""
    game = play(position("7s ? ? ? ? ? | 8s ? ? ? ? ?", "lead_mode=single", stock="? 6d"), "7s, 8s")
    while game.bout == 1:
        play(game, "pass")
    assert game.stock == []
    assert "6d" in hand(game, 1)


def test_an_empty_stock_gives_nothing() -> None:
    """S001-18: nothing is drawn once the stock has ended."""
    game = play(position("9s Kc | 10s Ah | Qs Qh"), "9s, 10s")
    assert [len(game.hand(seat)) for seat in range(3)] == [1, 1, 2]


# --- the end ------------------------------------------------------------------------------------


def test_the_last_with_cards_is_the_durak() -> None:
    """S000-53, S000-90, S000-102, S001-19, S003-1, S003-26, S004-14: seat 1 keeps a card."""
    game = play(position("9s | 10s Ah Ac"), "9s, 10s")
    assert game.phase is Phase.OVER
    assert game.outcome is not None
    assert (game.outcome.durak, game.places[0]) == (1, 0)


def test_the_first_without_cards_leaves() -> None:
    """S000-89, S001-19, S003-26: seat 0 is out and safe, the others go on."""
    game = play(position("9s | 10s Ah | Qs Qh Qc"), "9s, 10s")
    assert (game.places, game.outcome) == ((0,), None)
    assert (game.leader, game.defender) == (1, 2)
    play(game, "Ah, take")
    assert game.outcome is not None
    assert (game.places[:2], game.outcome.durak) == ((0, 1), 2)


def test_an_empty_hand_stays_while_there_is_a_stock() -> None:
    """S000-53, S000-89, S003-26: seat 0 lays its last card and draws, so it is not out."""
    table = "7s/8s 7h/8h 7c/8c 7d/8d 9s/10s"
    game = play(position("9h | 10h Kh Kc | As Ah", table=table, stock="? 6d"), "9h, 10h")
    assert (game.bout, game.places, game.outcome) == (2, (), None)
    assert len(game.hand(0)) == 2


def test_draw_when_both_run_out() -> None:
    """S000-91, S000-105, S001-20: both lay their last cards in one bout, so nobody loses."""
    game = play(position("9s | 10s"), "9s, 10s")
    assert game.outcome is not None
    assert (game.phase, game.outcome.durak) == (Phase.OVER, None)
