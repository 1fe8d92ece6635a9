"""The edge cases of the rules study, section 3.D: transfer and show (E33 ... E53).

Trump is diamonds, seat 0 leads at seat 1. Where the study's example is only schematic (7.1) a
position that a game can reach shows the same point.
"""

from __future__ import annotations

import pytest

from durak_env import Game, IllegalActionError
from durak_env.engine import Phase
from tests.positions import askers, first_bout, hand, known, legal, play, position

ON = "transfer=true,throw_order=priority,first_limit=none"
SHOW = f"{ON},show_transfer=true"
PLUS = f"{ON},lead_mode=single,cap_when_stock_empty=same,draw_first_after_transfer=leader"


def roles(game: Game) -> tuple[int, int, int]:
    """Leader, attacker and defender."""
    return game.leader, game.attacker, game.defender


def words(game: Game, word: str) -> set[str]:
    """The cards of the legal actions of this kind."""
    return {action.removeprefix(f"{word} ") for action in legal(game) if action.startswith(word)}


# --- what a transfer changes --------------------------------------------------------------------


def test_e33_transfer_without_throw_ins() -> None:
    """E33, S003-44: the limit of one attack card binds leading and throwing in only."""
    game = position("9c 9h Kc | 9s Kh Ks | Qc Qs 10c 9d | Jc Js Jh Jd", f"{PLUS},throw_in=none")
    play(game, "9c, transfer 9s")
    assert (roles(game), len(game.table), legal(game)) == (
        (0, 1, 2),
        2,
        {"10c", "Qc", "9d", "transfer 9d", "take"},
    )
    play(game, "take")
    assert (game.bout, roles(game)) == (2, (3, 3, 0))


FOUR = "8s 8d Kc Ad | 8c Kh Ks 10c | 9c 9s Qc Qd | 8h Jc Jh Js"


def test_e34_roles_after_a_transfer() -> None:
    """E34, P19h: the transferrer attacks, the new hand counts, the leader throws last."""
    game = play(position(FOUR, ON), "8s, pass, transfer 8c")
    assert (roles(game), game.room) == ((0, 1, 2), 2)
    play(game, "9s, 9c")
    assert askers(game) == [3, 0]


def test_e34_the_leader_may_stay_the_attacker() -> None:
    """P19h, option."""
    game = play(position(FOUR, f"{ON},new_attacker=leader"), "8s, pass, transfer 8c, 9s, 9c")
    assert roles(game) == (0, 0, 2)
    assert askers(game) == [0, 3]


def test_e35_nothing_may_be_beaten() -> None:
    """E35, S003-45: after the first cover the attack stays."""
    game = play(position("8s 8c Kc As | 9s 8h Kh | Kd Qd Ad", ON), "8s, 8c")
    assert words(game, "transfer") == {"8h"}
    play(game, "9s")
    assert words(game, "transfer") == set()


@pytest.mark.parametrize(
    ("held", "lay", "show"),
    [("", set(), {"7d"}), ("Qc 6s", {"7d"}, {"7d"})],
)
def test_e36_laying_needs_one_card_more_than_showing(
    held: str, lay: set[str], show: set[str]
) -> None:
    """E36, S003-46, S003-47, B11, B28: one card on the table; the next seat holds one, or three."""
    game = play(position(f"7s Ac Kc As | 7d Kh Ks | Kd {held}", SHOW), "7s")
    assert (words(game, "transfer"), words(game, "show")) == (lay, show)


def test_e36_unrestricted() -> None:
    """P19c, option: a short hand may be given more than it holds, and can only take it all."""
    game = position("7s 7c Kc Ks | 7d Kh Ac | Qc", f"{ON},transfer_hand=unrestricted")
    play(game, "7s, 7c, transfer 7d")
    assert (game.defender, game.room) == (2, 0)
    play(game, "take")
    assert hand(game, 2) == {"7s", "7c", "7d", "Qc"}


BACK_AND_FORTH = "7s 7h Kh Kc Ks 10c | 7c 7d Qh Qc Qs Js"
AND_BACK = "7s, transfer 7c, transfer 7h, transfer 7d"


def test_e37_to_and_fro() -> None:
    """E37, P19g: four sevens laid in turn; the leader defends against all, nothing fits more."""
    game = first_bout(BACK_AND_FORTH, f"{PLUS}")
    play(game, AND_BACK)
    assert (roles(game), len(game.table), game.room) == ((0, 1, 0), 4, 0)
    assert len(game.hand(0)) == 4
    play(game, "take")
    assert (game.leader, len(game.hand(0)), len(game.hand(1))) == (1, 8, 6)


def test_e37_beaten_the_leader_draws_last_and_leads() -> None:
    """E37: seat 1 draws first although seat 0 led; two cards are left for him."""
    hands = "7s 7h 8s 8h 8d 9c | 7c 7d Qh Qc Qs Js"
    game = position(hands, PLUS, stock="Ah Ac Kh 6d")
    play(game, f"{AND_BACK}, 8s, 9c, 8h, 8d")
    assert (game.leader, hand(game, 0)) == (0, {"Kh", "6d"})
    assert {"Ah", "Ac"} <= hand(game, 1)


def test_e37_not_with_two() -> None:
    """P19g, option: with two players left there is no transfer."""
    game = play(first_bout(BACK_AND_FORTH, f"{PLUS},transfer_two_players=false"), "7s")
    assert words(game, "transfer") == set()


ROUND = "7s Kc Ks Jc Qs| 7h Kh 10h Ac| 7c Qh Qc Ah| 7d Jh Js 10c Kd"


def test_e38_all_the_way_round() -> None:
    """E38: the leader defends his own card and three others; he must hold four."""
    game = play(position(ROUND, PLUS), "7s, transfer 7h, transfer 7c, transfer 7d")
    assert (roles(game), len(game.table)) == ((0, 3, 0), 4)
    game = position(ROUND.replace("Kc Ks Jc Qs|", "Kc Ks|"), PLUS)
    play(game, "7s, transfer 7h, transfer 7c")
    assert words(game, "transfer") == set()


def test_e39_the_leader_does_not_throw_at_himself() -> None:
    """E39, B4: seat 0 led, and defends after three transfers."""
    game = position("7s 7d Kc Ks As | 7h Kh 10h | 7c Kd Qc Ac", PLUS)
    play(game, "7s, transfer 7h, transfer 7c")
    assert (roles(game), game.actor) == ((0, 2, 0), 0)
    play(game, "take")
    assert (game.phase, game.leader) == (Phase.LEAD, 1)


def test_e40_the_next_live_seat() -> None:
    """E40, B19: seat 2 is out; the attack goes to seat 3, never to oneself."""
    game = position("8s Kc | 8c Kh Ks | | Jc Jh Jd", ON, places="2")
    play(game, "8s, transfer 8c")
    assert roles(game) == (0, 1, 3)


def test_e41_an_empty_leader_is_no_target() -> None:
    """E41, B35: seat 0 led his last card; seat 2's transfer goes past him to seat 1."""
    game = play(position("7s | 7c Kh Ks Jc | 7h Qc Qs", ON), "7s, transfer 7c, transfer 7h")
    assert roles(game) == (0, 2, 1)
    game = play(position("7s | 7c Kh Ks | 7h Qc Qs Qh", ON), "7s, transfer 7c")
    assert words(game, "transfer") == set()


def test_e41_nobody_to_pass_it_to() -> None:
    """E41, two players: the leader has no cards left."""
    assert legal(play(position("7s | 7c Kh Kc", ON), "7s")) == {"take"}


@pytest.mark.parametrize(
    ("first", "got"),
    [("leader", ["Ah", "Ac", "", "As 6d"]), ("attacker", ["6d", "Ah", "", "Ac As"])],
)
def test_e42_who_draws_first_after_a_transfer(first: str, got: list[str]) -> None:
    """E42, P26, S003-25: the bout's first attacker (0 1 3 2), or the transferrer (1 3 0 2)."""
    hands = "8s Ks Kc Js Jc 6s | 8c Kh Qs Qh 10s 6h | 9s 9c Qc 10c 10h 7c | Qd Kd Ad Jd"
    game = position(hands, f"{ON},draw_first_after_transfer={first}", stock="Ah Ac As 6d")
    before = [hand(game, seat) for seat in range(4)]
    play(game, "8s, transfer 8c, 9s, 9c")
    assert game.bout == 2
    assert [hand(game, seat) - before[seat] for seat in range(4)] == [set(g.split()) for g in got]


@pytest.mark.parametrize(("answer", "leads", "at"), [("9s, 9c", 2, 3), ("take", 3, 0)])
def test_e43_the_successor_follows_the_defender(answer: str, leads: int, at: int) -> None:
    """E43, P40: never computed from the leader."""
    game = play(position(FOUR, ON), f"8s, pass, transfer 8c, {answer}")
    while game.bout == 1:
        game.play("pass")
    assert (game.leader, game.defender) == (leads, at)


def test_e44_neighbours_move_on() -> None:
    """E44, P12, B8: throwers are 1 and 3 after seat 1 transferred to seat 2; seat 0 is none."""
    hands = "8s 8d Kc Ad | 8c 9h Ks | 9c 9s Qc | 8h Jc | 9d Jh"
    game = position(hands, f"{ON},throwers=neighbours")
    play(game, "8s, pass, transfer 8c, 9s, 9c")
    assert askers(game) == [1, 3]


@pytest.mark.parametrize(("held", "cards"), [("Qc Qs", set()), ("Qc Qs Qh Jc", {"7d"})])
def test_e45_a_set_lead_passed_on(held: str, cards: set[str]) -> None:
    """E45, P19c: three sevens and the fourth need a hand of four."""
    game = play(position(f"7s 7c 7h Kc Ac | 7d Kh Ks | {held}", ON), "7s, 7c, 7h")
    assert words(game, "transfer") == cards


def test_e46_transfers_count_in_the_first_limit() -> None:
    """E46, P19i: three cards after two transfers leave room for two more."""
    game = position(
        "8s Kc Jc 6s 6h 10c | 8c Kh Ks Qs Qh Jh | 8h Qc Js 9h 10s 10h | 9s 9c 9d Ac As Ah",
        f"{PLUS},first_limit_scope=first_bout,first_cap_on_take=5".replace("=none", "=5", 1),
        stock="7s 6d",
    )
    play(game, "8s, transfer 8c, transfer 8h")
    assert (game.defender, game.room) == (3, 2)


def test_e47_one_card_or_many() -> None:
    """E47, P19e: with transfer_cards=many the second eight may follow, and counts."""
    hands = "8s Kc Jc As | 8c 8h Ks | Qc Qs 9c"
    game = play(position(hands, ON), "8s, transfer 8c")
    assert game.actor == 2
    game = play(position(hands, f"{ON},transfer_cards=many"), "8s, transfer 8c")
    assert (game.actor, game.phase, legal(game)) == (1, Phase.TRANSFER, {"transfer 8h", "pass"})
    play(game, "transfer 8h")
    assert (game.actor, len(game.table), game.room) == (2, 3, 0)


@pytest.mark.parametrize(("first_bout_too", "cards"), [("true", {"7c"}), ("false", set())])
def test_e48_transfer_in_the_first_bout(first_bout_too: str, cards: set[str]) -> None:
    """E48, P19d, B31: legal, or from the second bout on."""
    game = first_bout(BACK_AND_FORTH, f"{PLUS},transfer_first_bout={first_bout_too}")
    play(game, "7s")
    assert words(game, "transfer") - {"7d"} == cards
    play(game, "take, pass, 7h")
    assert words(game, "transfer") == {"7s", "7c", "7d"}


# --- showing ------------------------------------------------------------------------------------

SHOWN = "7s 7c Kc Ks Jc | 7d Kh Qh Qc Qs"


def test_e49_once_per_bout_and_card() -> None:
    """E49, P20a, B22: the second time the 7d may only be laid."""
    game = play(position(SHOWN, f"{SHOW},lead_mode=single"), "7s, show 7d, transfer 7c")
    assert (words(game, "show"), words(game, "transfer")) == (set(), {"7d"})
    assert hand(game, 1) >= {"7d"}


@pytest.mark.parametrize(
    ("limit", "same_bout", "next_bout"),
    [
        ("once_per_bout_per_card", set(), {"7d"}),
        ("once_per_deal_per_player", set(), set()),
        ("none", {"7d"}, {"7d"}),
    ],
)
def test_e49_limits_of_showing(limit: str, same_bout: set[str], next_bout: set[str]) -> None:
    """E49, P20a, options: once per bout and card, once per deal, or without limit."""
    game = position(SHOWN, f"{SHOW},lead_mode=single,show_limit={limit}")
    play(game, "7s, show 7d, transfer 7c")
    assert words(game, "show") == same_bout
    again = position(SHOWN, f"{SHOW},lead_mode=single,show_limit={limit}", bout="2", showed="1")
    assert words(play(again, "7s"), "show") == next_bout


def test_e50_a_shown_card_is_known_and_stays() -> None:
    """E50, P20b: it may be thrown in by its owner, who attacks now."""
    game = play(position("7s 8s Kc Ks | 7d 8h Qh Qc", SHOW), "7s, show 7d")
    assert (known(game, 1), hand(game, 1), roles(game)) == (
        {"7d"},
        {"7d", "8h", "Qh", "Qc"},
        (0, 1, 0),
    )
    play(game, "8s")
    assert legal(game) == {"7d", "8h", "pass"}


def test_e51_the_trump_of_the_rank_is_the_attack() -> None:
    """E51: nobody can show; another seven may be laid."""
    game = play(position("7d Kc Ks | 7c Kh Qh", SHOW), "7d")
    assert (words(game, "show"), words(game, "transfer")) == (set(), {"7c"})


def test_e51_a_plain_card_cannot_be_shown() -> None:
    """P20: only the trump of the rank."""
    game = play(position("7s Kc Ks | 7c 7d Qh", SHOW), "7s")
    assert (words(game, "show"), words(game, "transfer")) == ({"7d"}, {"7c", "7d"})


def test_e52_nothing_after_the_take() -> None:
    """E52, E16: no transfer, no show, no cover."""
    game = play(position("7s 7h Kc Ks | 7d 8s Qh Qc", f"{SHOW},lead_mode=single"), "7s, take")
    assert (game.actor, game.phase) == (0, Phase.ADD)
    for action in ("transfer 7d", "show 7d", "8s", "7d"):
        with pytest.raises(IllegalActionError):
            game.play(action)


def test_e53_one_card_three_uses() -> None:
    """E53, S003-8, S003-9: the 7d beats the 7s, transfers it, or is shown."""
    game = play(position("7s Kc Ks | 7d Qh Qc", SHOW), "7s")
    assert legal(game) == {"7d", "transfer 7d", "show 7d", "take"}


# --- together with other options ----------------------------------------------------------------


def test_a_throw_in_before_the_answer_ends_the_transfer() -> None:
    """E20, S001-10: with throw_timing=anytime a card of another rank cannot lie there yet, but
    the attack grows, and the next hand must hold all of it."""
    hands = "7c Kc | 7s Qh Qc | 7h Ac | Jc Js Jh"
    game = play(position(hands, f"{ON},throw_timing=anytime"), "7c")
    assert game.actor == 2
    twin = play(game.copy(), "pass")
    assert words(twin, "transfer") == {"7s"}
    play(game, "7h")
    assert words(game, "transfer") == set()


def test_transfer_is_off_by_default() -> None:
    """P19, B9: a switch, off in podkidnoy."""
    assert legal(play(position("7s Kc | 7d 7c"), "7s")) == {"7d", "take"}
