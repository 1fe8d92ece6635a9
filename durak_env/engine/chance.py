"""Chance: a small seeded generator, the shuffle, the deal and the lots.

The deck order is the only chance of a deal. A lot (equal lowest cards, P29) is drawn from a hash
of the deck, so that (rules, deck, actions) is always the whole game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.barred import trumps
from durak_env.engine.bits import (
    JOKER,
    LANE,
    bit,
    lowest,
    nth,
    popcount,
    ranks_of,
    same_rank,
    signed,
)
from durak_env.engine.bout import clear_table, forget_positions
from durak_env.engine.events import forget_events
from durak_env.engine.jit import kernel
from durak_env.engine.naming import has_suit, name_suits, relabel_deck
from durak_env.engine.state import LEFT_OF_DEALER, LOWEST_TRUMP, NOBODY, Row


@kernel
def next_random(streams: npt.NDArray[np.uint64], i: int) -> np.uint64:
    """The next 64 bits of stream ``i`` (splitmix64, Steele et al. 2014)."""
    z: np.uint64 = streams[i] + np.uint64(0x9E3779B97F4A7C15)
    streams[i] = z
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def scale(random: np.uint64, count: int) -> int:
    """A number below ``count`` from the upper 32 bits of a random word.

    The bias is below ``count / 2**32``, which no experiment of feasible size can see.
    """
    return signed(((random >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@kernel
def below(streams: npt.NDArray[np.uint64], i: int, count: int) -> int:
    """A uniform number 0 ... count - 1 from stream ``i``."""
    return scale(next_random(streams, i), count)


@kernel
def below_many(
    streams: npt.NDArray[np.uint64],
    which: npt.NDArray[np.int64],
    count: int,
    out: npt.NDArray[np.int64],
) -> None:
    """A uniform number below ``count`` from the stream of every row of ``which``."""
    for k in range(which.size):
        out[k] = below(streams, which[k], count)


@kernel
def shuffle_deck(s: Row, streams: npt.NDArray[np.uint64], i: int) -> None:
    """Lay a full deck, shuffled, into the row: codes with printed suits, in dealing order."""
    size, ranks = int(s["deck_size"]), int(s["ranks"])
    k = 0
    for suit in range(4):
        if has_suit(s, suit):
            for rank in range(ranks):
                s["stock"][k] = suit * LANE + rank
                k += 1
    if k < size:  # the jokers, black and red
        s["stock"][k] = JOKER
        s["stock"][k + 1] = 2 * LANE + JOKER
    for k in range(size - 1, 0, -1):
        other = below(streams, i, k + 1)
        card = s["stock"][k]
        s["stock"][k] = s["stock"][other]
        s["stock"][other] = card


@kernel
def clear(s: Row) -> None:
    """Forget the last deal."""
    s["showed"] = 0
    s["hung"] = NOBODY
    s["revealed"][0] = NOBODY
    s["revealed"][1] = NOBODY
    for seat in range(s["hands"].size):
        s["hands"][seat] = np.uint64(0)
        s["known"][seat] = np.uint64(0)
        s["places"][seat] = NOBODY
        s["emptied"][seat] = NOBODY
    for k in range(s["attack"].size):
        s["attack"][k] = NOBODY
        s["cover"][k] = NOBODY
    clear_table(s)
    forget_positions(s)
    forget_events(s)
    s["discard"] = np.uint64(0)
    s["out"] = 0
    s["placed"] = 0
    s["durak"] = NOBODY
    s["reason"] = 0
    s["announced"] = NOBODY
    s["announced_by"] = NOBODY
    s["discarded"] = 0
    s["bout"] = 0
    s["quiet"] = 0


@kernel
def deal_hands(s: Row) -> None:
    """Deal the hands, turn up the trump card and lay the stock.

    One card at a time from seat 0, the dealer last; then the card that is turned up and will be
    drawn last; then the rest of the stock. With nothing left, a card of the dealer names the trump
    suit and is known to all (P23, E1).
    """
    size, players = int(s["deck_size"]), int(s["players"])
    dealt = players * int(s["hand_size"])
    turned_up = trump_place(s, dealt)
    s["no_trump"] = s["stock"][turned_up] % LANE == JOKER
    name_suits(s, int(s["stock"][turned_up]) // LANE)
    relabel_deck(s)
    for start in range(0, dealt, players):
        for seat in range(players):
            s["hands"][seat] |= bit(int(s["stock"][start + seat]))
    s["trump_card"] = s["stock"][turned_up]
    if dealt < size:
        lay_stock(s, dealt, turned_up)
    else:
        s["stock_next"] = size + 1
        s["stock_end"] = size + 1
        shown = turned_up + 1 if s["dealer_exposes"] else size  # a joker on top was shown as well
        for place in range(turned_up, shown):
            s["known"][place % players] |= bit(int(s["stock"][place]))


@kernel
def trump_place(s: Row, dealt: int) -> int:
    """The place in the deck of the card that names the trump suit, or says that there is none."""
    last = int(s["deck_size"]) - 1
    if dealt > last and s["dealer_exposes"]:
        return exposed_place(s)
    place = min(dealt, last)
    if s["joker_ends_trumps"]:
        return place
    while place < last and s["stock"][place] % LANE == JOKER:
        place += 1  # a joker is turned up: the next card that is none names the trump (P24)
    while s["stock"][place] % LANE == JOKER:
        place -= 1
    return place


@kernel
def exposed_place(s: Row) -> int:
    """The card that the dealer shows when all are dealt: one that is no joker, by lot (P23)."""
    players, size = int(s["players"]), int(s["deck_size"])
    choice = 0
    for place in range(players - 1, size, players):
        choice += s["stock"][place] % LANE != JOKER
    choice = lot(s, choice, 2)
    for place in range(players - 1, size, players):
        if s["stock"][place] % LANE != JOKER:
            if choice == 0:
                return place
            choice -= 1
    return size - 1


@kernel
def lay_stock(s: Row, dealt: int, turned_up: int) -> None:
    """The stock: what was not turned up, then the jokers turned up, then the trump card (P24)."""
    end = int(s["deck_size"])
    for k in range(dealt, turned_up):
        s["stock"][end] = s["stock"][k]
        s["revealed"][k - dealt] = s["stock"][k]
        end += 1
    s["stock"][end] = s["trump_card"]
    s["stock_next"] = turned_up + 1
    s["stock_end"] = end + 1


@kernel
def lot(s: Row, count: int, number: int) -> int:
    """Lot ``number`` of the deal, among ``count``, drawn from a hash of the deck (FNV-1a)."""
    mixed = np.uint64(0xCBF29CE484222325) ^ np.uint64(number)
    for k in range(s["deck_size"]):
        mixed = (mixed ^ np.uint64(s["stock"][k])) * np.uint64(0x100000001B3)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
    return scale(mixed, count)


@kernel
def find_leader(s: Row) -> int:
    """The seat that leads the deal (P28, P29)."""
    if s["first_lead"] == LEFT_OF_DEALER:
        return 0
    if s["first_lead"] == LOWEST_TRUMP:
        held = np.uint64(0)
        for seat in range(s["players"]):
            held |= s["hands"][seat] & trumps(s)
        if held != 0:
            return announce(s, lowest(held))
        if not s["fallback_lot"]:
            return lowest_card_leader(s)
    return lot(s, int(s["players"]), 0)


@kernel
def lowest_card_leader(s: Row) -> int:
    """Nobody has a trump: the lowest card leads, equal ranks draw lots (E2)."""
    held = np.uint64(0)
    for seat in range(s["players"]):
        held |= s["hands"][seat]
    lowest_cards = held & same_rank(lowest(ranks_of(held)))
    holders = 0
    for seat in range(s["players"]):
        holders += s["hands"][seat] & lowest_cards != 0
    chosen = lot(s, holders, 0)
    for seat in range(s["players"]):
        mine = s["hands"][seat] & lowest_cards
        if mine != 0:
            if chosen == 0:
                return announce(s, nth(mine, lot(s, popcount(mine), 1)))
            chosen -= 1
    return NOBODY


@kernel
def announce(s: Row, card: int) -> int:
    """Show the card that decides the lead (P28) and return its holder."""
    s["announced"] = card
    for seat in range(s["players"]):
        if s["hands"][seat] & bit(card) != 0:
            s["known"][seat] |= bit(card)
            s["announced_by"] = seat
            return seat
    return NOBODY
