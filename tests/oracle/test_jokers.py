"""Decks of 54 cards with two jokers (P5..P7, P24, E93..E98)."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import cards, play, position
from .model import Oracle, beats, full_deck, is_joker

J54: dict[str, Any] = {"deck": 54}
RED, BLACK = "*r", "*b"


def joker_position(options: dict[str, Any], *hands: str, **rest: Any) -> Oracle:
    """Hearts are trump, so the red joker is the trump joker."""
    rest.setdefault("trump", "2h")
    return position(J54 | options, *hands, **rest)


def dealt(front: str, options: dict[str, Any]) -> Oracle:
    """A deal of a deck of 54 that begins with these cards; seat 0 leads."""
    first = cards(front)
    deck = first + [card for card in full_deck(54) if card not in first]
    return Oracle(J54 | options, deck, leader=0)


# ------------------------------------------------------------------------- what beats what


def test_e93_trump_joker() -> None:
    """E93, P5: it beats all and is beaten by none."""
    others = [card for card in full_deck(54) if card != RED]
    assert all(beats(RED, card, "h") for card in others)
    assert not any(beats(card, RED, "h") for card in others)


def test_e93_plain_joker() -> None:
    """E93, P6: the black joker beats spades and clubs only; any trump beats it."""
    beaten = {card for card in full_deck(54) if beats(BLACK, card, "h")}
    assert beaten == {card for card in full_deck(52) if card[-1] in "sc"}
    assert beats("2h", BLACK, "h")
    assert not beats("As", BLACK, "h")
    assert not beats("Ad", BLACK, "h")


def test_e93_black_trumps() -> None:
    """E93: the colours change places."""
    assert beats(BLACK, "As", "s")
    assert beats("2s", RED, "s")
    assert {card for card in full_deck(54) if beats(RED, card, "s")} == {
        card for card in full_deck(52) if card[-1] in "hd"
    }


def test_plain_joker_beats_all() -> None:
    """7.19: every card except a joker, trumps included; any trump still beats it."""
    beaten = {card for card in full_deck(54) if beats(BLACK, card, "h", "beats_all")}
    assert beaten == set(full_deck(52))
    assert beats("2h", BLACK, "h", "beats_all")


def test_plain_joker_off() -> None:
    """P6: it beats nothing."""
    assert not any(beats(BLACK, card, "h", "off") for card in full_deck(54))


def test_no_trump_joker() -> None:
    """P5, option: the red joker is plain; it beats diamonds, and any heart beats it."""
    beaten = {card for card in full_deck(54) if beats(RED, card, "h", trump_joker=False)}
    assert beaten == {card for card in full_deck(52) if card[-1] == "d"}
    assert beats("2h", RED, "h", trump_joker=False)
    assert not beats(RED, BLACK, "h", "beats_all", trump_joker=False)


def test_e95_joker_against_joker() -> None:
    """E95: the trump joker beats the plain one, never the reverse."""
    assert beats(RED, BLACK, "h")
    assert not beats(BLACK, RED, "h")
    assert not beats(BLACK, RED, "h", "beats_all")


# ------------------------------------------------------------------------------ in the bout


def test_e94_lead_of_the_trump_joker() -> None:
    """E94: take, or transfer with the other joker if jokers may transfer."""
    hands = (f"{RED} 3s 4s", f"{BLACK} Ah Kh", "7s 8s 9s")
    three = {"players": 3, "transfer": True, "first_limit": None}
    oracle = joker_position(three, *hands)
    oracle.play(RED)
    assert oracle.legal() == {f"transfer {BLACK}", "take"}
    oracle = joker_position(three | {"joker_transfer": False}, *hands)
    oracle.play(RED)
    assert oracle.legal() == {"take"}


def test_the_trump_joker_may_be_shown() -> None:
    """P20, P7c: it is a trump of the rank of the plain joker."""
    options = {"players": 3, "transfer": True, "show_transfer": True}
    hands = (f"{BLACK} 3s 4s", f"{RED} Ah", "7s 8s 9s")
    oracle = joker_position(options, *hands)
    oracle.play(BLACK)
    assert oracle.legal() == {RED, "Ah", f"transfer {RED}", f"show {RED}", "take"}
    oracle = joker_position(options | {"joker_transfer": False}, *hands)
    oracle.play(BLACK)
    assert oracle.legal() == {RED, "Ah", "take"}
    oracle = joker_position(options | {"trump_joker": False}, *hands)
    oracle.play(BLACK)
    assert oracle.legal() == {"Ah", f"transfer {RED}", "take"}


def test_e96_a_joker_opens_the_other_joker_only() -> None:
    """E96: as an attack card and as a cover."""
    oracle = joker_position({}, f"3s {RED} As 4s", f"{BLACK} Kd Qd")
    play(oracle, f"3s, {BLACK}")
    assert oracle.legal() == {RED, "pass"}
    oracle = joker_position({}, f"{BLACK} {RED} As 4s", "2h Kd Qd")
    oracle.play(BLACK)
    assert oracle.legal() == {RED, "pass"}


def test_e98_defence_only() -> None:
    """E98, P7a: never led or thrown in; still a cover."""
    options = {"joker_may_attack": False}
    oracle = joker_position(options, f"3s {RED} 4s", f"{BLACK} Kd Qd")
    assert oracle.legal() == {"3s", "4s"}
    oracle.play("3s")
    assert oracle.legal() == {BLACK, "take"}
    oracle.play(BLACK)
    assert oracle.bout == 2


def test_e98_no_additions_and_no_self_throws() -> None:
    """E98: not after a take either, and not to oneself."""
    options = {"joker_may_attack": False, "self_throw": "free"}
    oracle = joker_position(options, "3s 4c Kc", f"{BLACK} {RED} Qd 5d")
    play(oracle, f"3s, {BLACK}")
    assert oracle.bout == 2
    options["joker_may_attack"] = True
    oracle = joker_position(options, "3s 4c Kc", f"{BLACK} {RED} Qd 5d")
    play(oracle, f"3s, {BLACK}")
    assert oracle.legal() == {f"self {RED}", "pass"}


@pytest.mark.parametrize("everyone", [False, True])
def test_e98_a_hand_of_jokers_leads_one(everyone: bool) -> None:
    """E98, I7: one card, no continuation."""
    options = {"joker_may_attack": False, "ask_everyone": everyone}
    oracle = joker_position(options, f"{RED} {BLACK}", "Ah Kd Qd")
    assert oracle.legal() == {RED, BLACK}
    oracle.play(BLACK)
    assert (oracle.actor, oracle.phase) == (1, "defend")
    assert oracle.legal() == {"Ah", "take"}


# -------------------------------------------------------------------------- dealing jokers

TWO_HANDS = "3s 3h 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c"


def test_e97_a_joker_turned_up() -> None:
    """E97: the next card is the trump card, the joker lies just above it, known to all."""
    oracle = dealt(f"{TWO_HANDS} {RED} Kd 2s", {})
    assert oracle.trump_card == "Kd"
    assert oracle.stock[0] == "2s"
    assert oracle.stock[-2:] == [RED, "Kd"]
    assert oracle.stock_known == [None] * 40 + [RED, "Kd"]


def test_e97_two_jokers_turned_up() -> None:
    """7.11: the first one revealed lies on top."""
    oracle = dealt(f"{TWO_HANDS} {BLACK} {RED} Kd 2s", {})
    assert oracle.stock[-3:] == [BLACK, RED, "Kd"]
    assert oracle.stock_known[-4:] == [None, BLACK, RED, "Kd"]


def test_e97_a_known_joker_is_drawn() -> None:
    """E97: known in the hand of who drew it, like the trump card."""
    stock = ["9s", RED, "2h"]
    oracle = joker_position({}, "3s 4s", "5s", stock=stock, known_in_stock=[RED])
    assert oracle.stock_known == [None, RED, "2h"]
    play(oracle, "3s, 5s")
    assert oracle.known == [{RED, "2h"}, set()]


def test_e4_the_trump_joker_leads() -> None:
    """E4, P28: it is the only trump in the hands."""
    front = f"3s 4s 5s {RED} 7c 8c 9c 10c 6s 7s 8s 9s 2h"
    deck = [*cards(front), *(card for card in full_deck(54) if card not in cards(front))]
    oracle = Oracle(J54, deck)
    assert oracle.possible_leaders == {1}
    assert oracle.known[1] == {RED}
    assert Oracle(J54 | {"trump_joker": False}, deck).possible_leaders == {0}


def test_everything_dealt_out() -> None:
    """P24: the last dealt card that is no joker gives the trump suit."""
    deck = [card for card in full_deck(52) if card != "Ah"] + [RED, "Ah", BLACK]
    oracle = Oracle(J54 | {"hand_size": 27}, deck, leader=0)
    assert (oracle.stock, oracle.stock_known) == ([], [])
    assert oracle.trump_card == "Ah"
    assert oracle.known == [{"Ah"}, {BLACK}]


def test_only_jokers_left_in_the_stock() -> None:
    """P24: four hands of thirteen; both jokers stay in the stock, known to all."""
    deck = [*full_deck(52), BLACK, RED]
    oracle = Oracle(J54 | {"players": 4, "hand_size": 13}, deck, leader=0)
    assert oracle.stock == oracle.stock_known == [BLACK, RED]
    assert oracle.trump_card == deck[51]
    assert oracle.known[3] == {deck[51]}
    assert not any(is_joker(card) for hand in oracle.hands for card in hand)
