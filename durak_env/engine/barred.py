"""What beats what, and which cards bind the seat that holds them: jokers and epaulettes."""

from __future__ import annotations

import numpy as np

from durak_env.engine.bits import (
    BEATERS,
    BEATERS_WITHOUT_TRUMPS,
    JOKERS,
    LANE,
    ONE,
    PLAIN_JOKERS,
    TRUMPS,
    bit,
    lowest,
    popcount,
    same_rank,
)
from durak_env.engine.jit import kernel
from durak_env.engine.seats import cap_room, room, stock_count
from durak_env.engine.state import (
    HANG_COMMITTED,
    HANG_OPEN,
    JOKER_NOTHING,
    JOKER_OWN_COLOUR,
    LOWEST_BEATS_ACE,
    RANKS_PLAIN,
    THROW,
    Row,
)


@kernel
def trumps(s: Row) -> np.uint64:
    """Every trump of this deal; the empty set where no suit is trump (P24, P38)."""
    return np.uint64(0) if s["no_trump"] else TRUMPS


@kernel
def special(s: Row, seat: int) -> np.uint64:
    """The cards of a seat's own rank, which bind it (H1); an exempt trump does not."""
    if s["level"][seat] < 0:
        return np.uint64(0)
    cards = same_rank(int(s["level"][seat]))
    return cards & ~trumps(s) if s["trump_exempt"] else cards


@kernel
def barred(s: Row, seat: int) -> np.uint64:
    """The cards that a seat may not attack with (H2, E98)."""
    cards = special(s, seat)
    return cards if s["joker_may_attack"] else cards | JOKERS


@kernel
def beaters(s: Row, card: int) -> np.uint64:
    """The cards that beat a card (S003-18, P6)."""
    cards: np.uint64 = BEATERS_WITHOUT_TRUMPS[card] if s["no_trump"] else BEATERS[card]
    if s["rank_order"] != RANKS_PLAIN:
        cards |= lowest_beats_ace(s, card)
    if s["plain_joker"] == JOKER_OWN_COLOUR:
        return cards
    if s["plain_joker"] == JOKER_NOTHING:
        return cards & ~PLAIN_JOKERS
    return cards if bit(card) & JOKERS != 0 else cards | PLAIN_JOKERS


@kernel
def lowest_beats_ace(s: Row, card: int) -> np.uint64:
    """The lowest card of the suit, where it beats this card because it is the ace (P4)."""
    is_ace = card % LANE == s["ranks"] - 1
    in_every_suit = s["rank_order"] == LOWEST_BEATS_ACE
    if is_ace and (in_every_suit or trumps(s) & bit(card) != 0):
        return bit(card - card % LANE)
    return np.uint64(0)


@kernel
def covers(s: Row, seat: int, card: int) -> np.uint64:
    """The cards with which a seat may beat a card (H3)."""
    mine = special(s, seat)
    if mine & bit(card) != 0:
        return np.uint64(0)
    hand: np.uint64 = s["hands"][seat]
    return hand & beaters(s, card) & ~mine


@kernel
def beatable(s: Row, attacks: np.uint64) -> np.uint64:
    """Those of these cards that the defender can beat by another card of its hand."""
    defender = int(s["defender"])
    cards = np.uint64(0)
    while attacks != 0:
        card = lowest(attacks)
        attacks &= attacks - ONE
        if covers(s, defender, card) & ~bit(card) != 0:
            cards |= bit(card)
    return cards


@kernel
def hang_possible(s: Row) -> bool:
    """H4, H5: the whole hand of the leader is a set of its own rank, and the bout has room."""
    leader = s["leader"]
    hand = s["hands"][leader]
    size = popcount(hand)
    if stock_count(s) > 0 or not 2 <= size <= 4 or hand & ~same_rank(int(s["level"][leader])) != 0:
        return False
    return bool(size <= (cap_room(s) if s["hang_ignores_hand_cap"] else room(s)))


@kernel
def hang_by_throw_in_possible(s: Row) -> bool:
    """Whether the leader may hang what it throws in: its whole hand, of an open rank (E109)."""
    if not s["hang_by_throw_in"] or s["phase"] != THROW:
        return False
    return bool(s["hands"][s["leader"]] & s["open"] != 0 and hang_possible(s))


@kernel
def note_hang(s: Row, card: int) -> None:
    """A card of one's own rank begins a hang; a special one commits to it (7.2, 7.18)."""
    if s["dead_lead"] and not s["hang"]:
        return
    if s["attacks"] == 0 and hang_possible(s):
        s["hang"] = HANG_OPEN
    if s["hang"] and special(s, int(s["leader"])) & bit(card) != 0:
        s["hang"] = HANG_COMMITTED
