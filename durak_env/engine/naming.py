"""The naming of the suits: which printed suit is the engine's suit 0, 1, 2 and 3 in this deal."""

from __future__ import annotations

import numpy as np

from durak_env.engine.bits import JOKER, LANE, bit
from durak_env.engine.jit import kernel
from durak_env.engine.state import NOBODY, Row


@kernel
def name_suits(s: Row, trump: int) -> None:
    """Suit 0 becomes the trump suit, then comes the other of its colour, then the rest."""
    s["suits"][0] = trump
    named = 1
    for other in (trump ^ 1, min(trump ^ 2, trump ^ 3), max(trump ^ 2, trump ^ 3)):
        if has_suit(s, other):
            s["suits"][named] = other
            named += 1
    for k in range(named, 4):
        s["suits"][k] = NOBODY


@kernel
def has_suit(s: Row, suit: int) -> bool:
    """Whether the deck has this printed suit: spades and hearts always, clubs with three suits."""
    count = s["suit_count"]
    return bool(count == 4 or suit == 0 or suit == 2 or (suit == 1 and count == 3))


@kernel
def relabel_deck(s: Row) -> None:
    """Rewrite the deck from printed suits to the engine's."""
    first_of = 0  # byte p: the first code of the engine suit that is printed as suit p
    for suit in range(s["suit_count"]):
        first_of |= suit * LANE << (8 * s["suits"][suit])
    for k in range(s["deck_size"]):
        card = s["stock"][k]
        if card % LANE == JOKER:
            s["stock"][k] = joker_code(s, int(card) // LANE)
        else:
            s["stock"][k] = ((first_of >> (8 * (card // LANE))) & 0xFF) + card % LANE


@kernel
def joker_code(s: Row, colour: int) -> int:
    """The code of the black (0) or red (2) joker, once the suits are named (P5, P6, P24)."""
    if s["suits"][0] // 2 != colour // 2:
        return 2 * LANE + JOKER
    return own_colour_joker(s)


@kernel
def own_colour_joker(s: Row) -> int:
    """The code of the joker of suit 0's colour."""
    return JOKER if s["trump_joker"] and not s["no_trump"] else LANE + JOKER


@kernel
def all_cards(s: Row) -> np.uint64:
    """Every card of the deck."""
    cards = np.uint64(0)
    for suit in range(s["suit_count"]):
        cards |= (bit(int(s["ranks"])) - np.uint64(1)) << np.uint64(LANE * suit)
    if s["deck_size"] > s["suit_count"] * s["ranks"]:
        cards |= bit(own_colour_joker(s)) | bit(2 * LANE + JOKER)
    return cards
