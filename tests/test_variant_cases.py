"""The edge cases of the rules study, sections 3.G to 3.J: Armenian, American, jokers, epaulettes.

Seat 0 leads at seat 1; trump is diamonds, in 3.H and 3.I hearts where the study's example says so.
Where the study's example is only schematic (7.1) a position that a game can reach shows the point.
"""

from __future__ import annotations

import pytest

from durak_env import Game, Rules
from durak_env.cards import full_deck
from durak_env.engine import Phase
from tests.positions import askers, first_bout, hand, known, legal, play, position

# --- 3.G Armenian -------------------------------------------------------------------------------

STOCK = "stock_lead=true,lead_mode=single,throw_order=priority,first_limit=none"
SIX_EACH = "8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Qh Kh"


def test_e78_leading_from_the_stock() -> None:
    """E78, S002-11: the top card is the lead; the hand stays and draws nothing for it."""
    game = first_bout(SIX_EACH, STOCK)
    top, before, left = game.stock[0], hand(game, 0), len(game.stock)
    assert legal(game) == before | {"stock"}
    play(game, "stock")
    assert (hand(game, 0), [card for card, _ in game.table]) == (before, [top])
    play(game, "take")
    while game.bout == 1:
        game.play("pass")
    assert (hand(game, 0), len(game.stock)) == (before, left - 1)


@pytest.mark.parametrize(("stock", "offered"), [("", False), ("6d", False), ("Ah 6d", True)])
def test_e79_the_trump_card_is_not_led(stock: str, offered: bool) -> None:
    """E79, E80, S002-12, I14: two cards must be left in the stock."""
    more = " Ac" if stock == "6d" else ""
    game = position(f"{SIX_EACH}{more}", STOCK, stock=stock)
    assert ("stock" in legal(game)) == offered


def test_e80_the_defender_draws_the_trump_card() -> None:
    """E80: the lead leaves the trump card alone, and the defender needs one card."""
    hands = "8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Kh Ac"
    game = play(position(hands, STOCK, stock="Qh 6d"), "stock, Kh")
    while game.bout == 1:
        game.play("pass")
    assert (hand(game, 1), game.stock) == ({"8h", "9h", "10h", "Jh", "Ac", "6d"}, [])


@pytest.mark.parametrize(("peek", "same"), [("false", True), ("true", False)])
def test_e81_looking_first(peek: str, same: bool) -> None:
    """E81, P22a: no view holds the card before the lead, unless the leader may peek."""
    views = []
    for top in ("Ah Ac", "Ac Ah"):
        game = position(SIX_EACH, f"{STOCK},stock_lead_peek={peek}", stock=f"{top} 7c 6d")
        views.append([game.view(seat).record.tobytes() for seat in (0, 1)])
    assert (views[0][0] == views[1][0]) == same
    assert views[0][1] == views[1][1]


def test_e82_ranks_of_a_stock_lead() -> None:
    """E82, S002-15: a jack from the stock, beaten by a king: both ranks are open."""
    hands = "8s 9s 10s Js Qs Kd | 8h 9h 10h Jh Qh Kc"
    game = play(position(hands, STOCK, stock="Jc 6d"), "stock, Kc")
    assert (game.actor, legal(game)) == (0, {"Js", "Kd", "pass"})


def test_e82_transfer_of_a_stock_lead() -> None:
    """E82, S002-22: with transfer the defender may pass a jack on instead."""
    hands = "8s 9s 10s Js Qs Kd | 8h 9h 10h Jh Qh Kc"
    game = play(position(hands, f"{STOCK},transfer=true", stock="Jc 6d"), "stock")
    assert legal(game) == {"Kc", "transfer Jh", "take"}
    assert play(game, "transfer Jh").defender == 0


@pytest.mark.parametrize(("answer", "leader"), [("Kh", 1), ("take", 0)])
def test_e83_stock_lead_without_throw_ins(answer: str, leader: int) -> None:
    """E83, S002-22: one card, beaten or taken, next."""
    hands = "8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Kh Ac"
    game = play(position(hands, f"{STOCK},throw_in=none", stock="Qh 6d"), f"stock, {answer}")
    assert (game.bout, game.leader) == (2, leader)


def test_e84_a_stock_lead_counts_as_an_attack_card() -> None:
    """E84: with a cap of two one card more fits."""
    hands = "8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Kh Ac"
    game = position(hands, f"{STOCK},cap=2", stock="Qh 6d")
    assert game.room == 2
    assert play(game, "stock").room == 1


@pytest.mark.parametrize(
    ("scope", "offered"), [("every_lead", True), ("first_lead_of_deal", False)]
)
def test_scope_of_stock_leads(scope: str, offered: bool) -> None:
    """P22b: every lead, or the first one of the deal only."""
    game = first_bout(SIX_EACH, f"{STOCK},stock_lead_scope={scope}")
    assert "stock" in legal(game)
    play(game, "8s, take")
    assert ("stock" in legal(game)) == offered


# --- 3.H American -------------------------------------------------------------------------------

SELF = (
    "self_throw=atomic,lead_mode=single,throw_order=priority,first_limit=none,"
    "cap_when_stock_empty=same"
)


def selfs(game: Game) -> set[str]:
    """The cards that the actor may throw in to itself."""
    return {action.removeprefix("self ") for action in legal(game) if action.startswith("self")}


def test_e85_the_golden_example() -> None:
    """E85, S004-10: four attack cards, six cards of seat 1 gone, eight discarded."""
    hands = "6d 8d 10s Qd 9h Qh | 6s 7d Ad As 8h 10h"
    text = f"rules: american; hands: {hands}; stock: {'? ' * 23}7h; leader: 0"
    game = Game.from_position(text, seed=1)
    play(game, "6d, 7d")
    assert (game.actor, legal(game)) == (1, {"self 6s", "pass"})
    play(game, "self 6s")
    assert legal(game) == {"As", "8h", "10h"}
    play(game, "As")
    assert (game.actor, selfs(game)) == (1, {"Ad"})
    play(game, "self Ad, 8h")
    assert (game.actor, legal(game)) == (0, {"8d", "pass"})
    play(game, "8d, 10h")
    assert (len(game.discard), game.bout, game.leader) == (8, 2, 1)
    assert [len(game.hand(seat)) for seat in (0, 1)] == [6, 6]
    assert {"10s", "Qd", "9h", "Qh"} < hand(game, 0)


def test_e85_the_first_attacker_draws_first() -> None:
    """E85, S004-13: seat 0 draws two, then seat 1 six."""
    hands = "6d 8d 10s Qd 9h Qh | 6s 7d Ad As 8h 10h"
    stock = "7s 7c 8s 8c 9s 9c 10c 10d 7h"
    game = Game.from_position(f"rules: american; hands: {hands}; stock: {stock}")
    play(game, "6d, 7d, self 6s, As, self Ad, 8h, 8d, 10h")
    assert hand(game, 0) == {"10s", "Qd", "9h", "Qh", "7s", "7c"}
    assert hand(game, 1) == {"8s", "8c", "9s", "9c", "10c", "10d"}


@pytest.mark.parametrize(("kept", "offered"), [("9c", set()), ("9c Kd As", {"9c"})])
def test_e86_a_self_throw_needs_a_card_and_its_cover(kept: str, offered: set[str]) -> None:
    """E86: with one card left there is nothing to cover it with."""
    game = play(position(f"9s Kh Kc | 10s {kept} | Qc Qs Qh", SELF), "9s, 10s")
    assert (game.bout, selfs(game)) == ((1, offered) if offered else (2, set()))


@pytest.mark.parametrize(("value", "offered"), [("atomic", set()), ("free", {"9s"})])
def test_e87_a_self_throw_that_cannot_be_beaten(value: str, offered: set[str]) -> None:
    """E87, 7.12: illegal where the cover must follow; else he may lay it, and take."""
    game = position("9c Kh Kc Ac | 10c 9s 6h | Qc", SELF.replace("atomic", value))
    play(game, "9c, 10c")
    assert (selfs(game) if game.bout == 1 else set()) == offered
    if offered:
        play(game, "self 9s")
        assert legal(game) == {"take"}
        play(game, "take")
        assert hand(game, 1) == {"9c", "10c", "9s", "6h"}


@pytest.mark.parametrize(("value", "answers"), [("atomic", {"10s"}), ("free", {"10s", "take"})])
def test_the_cover_of_a_self_throw(value: str, answers: set[str]) -> None:
    """7.12: after a self throw only its cover is legal, or also the take."""
    game = position("9c Kh Kc Ac | 10c 9s 10s | Qc", SELF.replace("atomic", value))
    assert legal(play(game, "9c, 10c, self 9s")) == answers


@pytest.mark.parametrize(("more", "offered"), [("", {"9c"}), (" 10c/Qc", set())])
def test_e88_self_throws_count_in_the_cap(more: str, offered: set[str]) -> None:
    """E88, P21a: five attack cards allow one self throw, six none."""
    table = f"7s/8s 7c/8c 7h/8h 8d/9d 9s/10s{more}"
    game = position("Kh Kc Ks | 9c Jc Jd | Ac Ah Kd Qd", SELF, table=table, start="9")
    assert (selfs(game) if game.bout == 1 else set()) == offered


def test_e88_self_throws_outside_the_cap() -> None:
    """P21a, option: a self throw leaves room for the others' cards."""
    rooms = []
    for counted in ("true", "false"):
        hands, options = "9c 9h Kc Ac | 10c 9s 10s 7d 6d 8d", f"{SELF},cap=3"
        game = position(hands, f"{options},self_throw_in_cap={counted}")
        rooms.append(play(game, "9c, 10c, pass, self 9s, 10s").room)
    assert rooms == [1, 2]


def test_e89_everything_must_be_beaten() -> None:
    """E89, S004-7: no self throw over an unbeaten card, nor after the take."""
    game = play(position("9c Kh Kc 9d | 10c 9s 10s Jd", SELF), "9c")
    assert selfs(game) == set()
    play(game, "take")
    assert (game.actor, game.phase, selfs(game)) == (0, Phase.ADD, set())


def test_e90_passes_lapse_after_a_self_throw() -> None:
    """E90, S004-8, S004-10: seats 0 and 2 passed; an ace covered by the 8d: seat 0 is asked first
    and may throw in an eight or an ace."""
    game = position("8c Ac 6h Kh | As 8d Kc | 6c Ah Jc", SELF, table="6s/Ad", trump="9d")
    play(game, "pass, pass, self As, 8d")
    assert (game.actor, game.passed, legal(game)) == (0, set(), {"8c", "Ac", "6h", "pass"})


def test_e91_the_bout_ends_when_all_have_passed() -> None:
    """E91: seats 0, 2 and then the defender pass; the cards are discarded and he leads."""
    game = play(position("9c 10h Kc Ac | 10c 9s 10s Jd 6c | 9h Qc 7s", SELF), "9c, 10c")
    assert askers(game.copy()) == [0, 2, 1]
    play(game, "pass, pass, self 9s, 10s")
    assert (game.actor, game.passed) == (0, set())
    assert askers(game) == [0, 2]
    assert (game.bout, game.leader, hand(game, 1)) == (2, 1, {"Jd", "6c"})


def test_e92_draw_order_of_three() -> None:
    """E92: seats 0, 2 and then the defender."""
    hands = "9c Kh Kc Ac 6s 6h | Qs 10c 9s 10s Jd Qd Kd | 9h Qc 7s 7c 7h 8s"
    game = position(hands, SELF, stock="As Ah 6d")
    play(game, "9c, 10c")
    play(game, "9h, Jd")
    while game.bout == 1:
        game.play("pass")
    assert hand(game, 0) >= {"As"}
    assert hand(game, 2) >= {"Ah"}
    assert known(game, 1) == {"6d"}


# --- 3.I jokers ---------------------------------------------------------------------------------

J54 = "deck=54"


@pytest.mark.parametrize(
    ("attack", "card", "options", "beats"),
    [
        ("*b", "*r", "", True),
        ("Ah", "*r", "", True),
        ("As", "*r", "", True),
        ("*r", "*b", "", False),
        ("*r", "Ah", "", False),
        ("As", "*b", "", True),
        ("2c", "*b", "", True),
        ("2d", "*b", "", False),
        ("2h", "*b", "", False),
        ("*b", "2h", "", True),
        ("*b", "As", "", False),
        ("2d", "*b", ",plain_joker=beats_all", True),
        ("2h", "*b", ",plain_joker=beats_all", True),
        ("*r", "*b", ",plain_joker=beats_all", False),
        ("*b", "2h", ",plain_joker=beats_all", True),
        ("As", "*b", ",plain_joker=off", False),
        ("*b", "2h", ",plain_joker=off", True),
        ("Ad", "*r", ",trump_joker=false", True),
        ("As", "*r", ",trump_joker=false", False),
        ("*r", "3h", ",trump_joker=false", True),
    ],
)
def test_e93_what_jokers_beat(attack: str, card: str, options: str, beats: bool) -> None:
    """E93, E95, P5, P6, 7.19: hearts are trump, so the red joker is the highest trump."""
    game = play(position(f"{attack} | {card}", J54 + options, trump="4h"), attack)
    assert (card in legal(game)) == beats


def test_e93_colours_swapped() -> None:
    """E93: with a black trump the black joker is the trump joker."""
    game = play(position("*r | *b", J54, trump="6s"), "*r")
    assert legal(game) == {"*b", "take"}


def test_e94_the_trump_joker_is_led() -> None:
    """E94, P7c: it is taken, or passed on by the other joker."""
    hands, options = "*r Kc Ks | *b Ah Qs", f"{J54},transfer=true,lead_mode=single"
    game = play(position(hands, options, trump="6h"), "*r")
    assert legal(game) == {"transfer *b", "take"}
    game = play(position(hands, f"{options},joker_transfer=false", trump="6h"), "*r")
    assert legal(game) == {"take"}


def test_e96_a_joker_opens_its_own_rank() -> None:
    """E96, P7b: after the black joker as a cover only the red one, and the rank it beat."""
    game = play(position("9s *r Ac 9d Kc | *b Qh Qc", J54, trump="6h"), "9s, pass, *b")
    assert legal(game) == {"*r", "9d", "pass"}


def turned_up(first: str) -> Game:
    """A deal in which these cards are turned up."""
    front = first.split()
    hands = [str(card) for card in full_deck(54) if str(card) not in front][:12]
    rest = [str(card) for card in full_deck(54) if str(card) not in front + hands]
    return Game(Rules.preset("jokers"), deck=" ".join(hands + front + rest))


@pytest.mark.parametrize(
    ("first", "trump", "end"),
    [("*r 9h", "9h", "*r 9h"), ("*b *r 9h", "9h", "*b *r 9h"), ("9h *r", "9h", "Ad *b 9h")],
)
def test_e97_a_joker_turned_up(first: str, trump: str, end: str) -> None:
    """E97, P24, 7.11: the next card names the trump; the jokers lie right above it."""
    game = turned_up(first)
    assert str(game.trump_card) == trump
    assert " ".join(map(str, game.stock[-3:])).endswith(end)
    assert len(game.stock) == 42


def test_a_joker_dealt_last_to_the_dealer() -> None:
    """P23, P24: everything is dealt; the last card that is no joker names the trump; all that was
    shown is known, and so is the lowest trump."""
    cards = [str(card) for card in full_deck(54)]
    game = Game("jokers(players=6,hand_size=9)", deck=" ".join(cards))
    assert (str(game.trump_card), game.stock) == ("Ad", [])
    assert [known(game, seat) for seat in (3, 4, 5)] == [{"2d", "Ad"}, {"*r"}, {"*b"}]


def test_e98_jokers_for_defence_only() -> None:
    """E98, P7a: neither led nor thrown in nor passed on; a hand of jokers must lead one."""
    options = f"{J54},joker_may_attack=false,transfer=true"
    game = position("9s *r Kc Ks | *b Qh Qc Qd", options, trump="6h")
    assert legal(game) == {"9s", "Kc", "Ks"}
    play(game, "9s, *b")
    assert game.bout == 2
    game = play(position("*r *b | Qh Qc", options, trump="6h"), "*r")
    assert (game.actor, legal(game)) == (1, {"take"})
    game = play(position("*r | *b Qc Qd", options, trump="6h"), "*r")
    assert legal(game) == {"take"}


# --- 3.J epaulettes -----------------------------------------------------------------------------


def hanging(hands: str, levels: str = "6 7", options: str = "", **fields: str) -> Game:
    """A position of epaulettes; trump is diamonds."""
    return position(hands, f"epaulettes=true,{options}", levels=levels, trump="Jd", **fields)


def hung(game: Game) -> tuple[int | None, int | None]:
    """Who hung and who is the durak."""
    assert game.outcome is not None
    return game.outcome.hung, game.outcome.durak


@pytest.mark.parametrize(
    ("hands", "actions", "result"),
    [
        ("6s 6c | 9s 9h Kh Qh", "6s, 6c, take", (0, 1)),  # E99
        ("6s 6c | 9s 9c Kh Qh", "6s, 6c, 9s, 9c", (0, 1)),  # E100
        ("6s 6c | 9s 9c", "6s, 6c, 9s, 9c", (None, None)),  # E101
        ("6s 6c 6h | 9s 9c Kh", "6s, 6c, 6h, take", (0, 1)),
        ("6s 6c 6h 6d | 9s 9c Kh 9d", "6s, 6c, 6h, 6d, take", (0, 1)),
    ],
)
def test_e99_hanging(hands: str, actions: str, result: tuple[int | None, int | None]) -> None:
    """E99 ... E101, S000-5, S000-6, S000-8, H8: hung if the other still has cards."""
    game = hanging(hands)
    first, *rest = actions.split(", ")
    play(game, first)
    assert "pass" not in legal(game)
    assert hung(play(game, ", ".join(rest))) == result


def test_e102_a_special_card_can_only_be_taken() -> None:
    """E102, S000-19, H3: level 7 may not beat the seven, whatever it holds."""
    game = play(hanging("7c Kc Ks | Ad 9c Qc", "6 7", "trump_exempt=false"), "7c")
    assert legal(game) == {"take"}


def test_e103_the_trap() -> None:
    """E103, S000-33: he covers with his trump nine, the plain nine thrown in must be taken."""
    game = play(hanging("8s 9s Kc | 9d As Ad", "6 9"), "8s, 9d, 9s")
    assert legal(game) == {"take"}


@pytest.mark.parametrize(
    ("exempt", "legal_covers"), [("true", {"9d", "take"}), ("false", {"take"})]
)
def test_an_exempt_trump(exempt: str, legal_covers: set[str]) -> None:
    """S000-21 ... S000-23, P37: the trump of the own rank covers, or does not."""
    game = play(hanging("8s Kc | 9d Qc", "6 9", f"trump_exempt={exempt}"), "8s")
    assert legal(game) == legal_covers


def test_e104_a_hang_against_a_short_hand() -> None:
    """E104, H5, H6: two sixes against one card are no hang; one of them is a dead lead."""
    game = play(hanging("6s 6c | 9d Qc", "6 7"), "6s, 6c, take")
    assert hung(game) == (0, 1)
    game = play(hanging("6s 6c 6h | Qc", "6 7"), "6s")
    assert game.actor == 1
    assert play(game, "take").leader == 0
    game = hanging("6s 6c 6h | Qc", "6 7", "hang_ignores_hand_cap=true")
    assert hung(play(game, "6s, 6c, 6h, take")) == (0, 1)


def test_e104_a_dead_lead_may_have_no_result() -> None:
    """H6, 7.19, option: the deal ends at once."""
    game = hanging("6s 6c 6h | Qc", "6 7", "dead_lead=no_result")
    assert game.outcome is not None
    assert (game.outcome.reason, hung(game)) == ("dead_lead", (None, None))


def test_e105_one_card_is_no_epaulette() -> None:
    """E105, S000-6: it may be led, and hangs nothing."""
    game = play(hanging("6s | 9c Qc Qs"), "6s, take")
    assert hung(game) == (None, 1)


def test_e106_equal_levels() -> None:
    """E106, S000-29: a hang of sixes can only be taken by level 6."""
    game = play(hanging("6s 6c | 9s 9c", "6 6"), "6s, 6c")
    assert legal(game) == {"take"}
    assert hung(play(game, "take")) == (0, 1)


def test_e107_an_exempt_trump_in_the_hang() -> None:
    """E107, S000-30, 7.18: led first it leaves the choice; the other card is beaten or not."""
    game = play(hanging("6d 6s | 9d Qc Ks Kc"), "6d")
    assert legal(game) == {"6s", "pass"}
    play(game, "6s")
    assert legal(game) == {"9d", "take"}
    assert hung(play(game, "9d, Ks")) == (0, 1)
    game = play(hanging("6d 6s | 9d Qc Ks Kc"), "6s")
    assert legal(game) == {"6d"}


def test_e108_no_hang_while_there_is_a_stock() -> None:
    """E108, H4: six cards hold at most four of the rank, and none of them may be led."""
    game = hanging("6s 6c 6h 9s Ks Qs | 8h 9h 10h Jh Qh Kh", stock="Ah Jd")
    assert legal(game) == {"9s", "Ks", "Qs"}


def test_e109_a_hang_is_a_lead() -> None:
    """E109: the sixes may not be thrown in."""
    game = play(hanging("Kh 6s 6c | 6d As Ac"), "Kh, 6d")
    assert (game.bout, game.leader, hand(game, 0)) == (2, 1, {"6s", "6c"})


@pytest.mark.parametrize("actions", ["Kh, take", "Kh, Ah"])
def test_e110_no_result(actions: str) -> None:
    """E110, S000-13: a plain durak or a draw hangs nothing."""
    hands = "Kh | Ah Qc Qs" if actions.endswith("take") else "Kh | Ah"
    assert hung(play(hanging(hands), actions))[0] is None


def test_e111_aces() -> None:
    """E111, S000-14: the aces are hung like any rank."""
    assert hung(play(hanging("As Ac | 9s 9c Kd Qd", "A 6"), "As, Ac, take")) == (0, 1)


def test_levels_start_at_the_lowest_rank() -> None:
    """S000-9: sixes first; a deal may be begun at any levels."""
    assert "levels: 6 6" in Game("epaulettes", seed=1).position()
    assert "levels: 9 A" in Game("epaulettes", seed=1, levels=["9", "A"]).position()
