"""The ``flat`` layout, compiled.

Two things are read: the public fields, which a row and a view share, and what is the viewer's own
(`durak_env.view.kernels.OWN`), which a view holds as well. So a game is encoded straight from its
row, of which nothing but the public fields is touched, or from a view, and the result is the same.

The sections are packed into 64-bit words first and then spread, eight numbers at a time.

``wide`` is the layout of ``universal``: 54 cards, thirteen ranks and eight seats whatever the rules
have, and every section that only some rules have.
"""

from __future__ import annotations

import numpy as np

from durak_env.encoding.kernels import (
    WIDE_DECK,
    WIDE_RANKS,
    Bytes,
    Counts,
    Masks,
    Octets,
    Tail,
    Words,
    close_up,
    compact,
    finish,
    has_jokers,
    one_hot,
    push,
    spread_all,
    widen,
    write_mask,
)
from durak_env.engine.barred import trumps
from durak_env.engine.batch import Ids, Streams, deal_given, random_code
from durak_env.engine.bits import JOKER, LANE, ONE, bit
from durak_env.engine.chance import shuffle_deck
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.state import MAX_ATTACKS, NOBODY, OVER, Row, Rows
from durak_env.rules import MAX_PLAYERS
from durak_env.view.kernels import look, rotate

CARD_BITS = 7
"""A card in binary: one more than 16 x suit + rank, or zero for none."""

EVERY_LANE = np.uint64(0x0001000100010001)
HAND_BITS = 15
ROLES = 8
PLACE_NUMBER = 4
"""Bits of a place or turn among eight seats."""

BOUT_BITS = 52
COUNTER_BITS = 28
PLACE_BITS = 2 * CARD_BITS
WIDE_ORDER = MAX_ATTACKS
TRICK_NUMBERS = 19
"""One-hot numbers of tricks: 0 ... 18."""


@kernel
def put_cards(p: Row, words: Words, tail: Tail, cards: np.uint64, wide: bool) -> Tail:
    """Append a set of cards, one bit per card of the deck."""
    if wide:
        return push(words, tail, widen(p, cards), WIDE_DECK)
    return push(words, tail, compact(p, cards), int(p["deck_size"]))


@kernel
def number_of(p: Row, card: int, wide: bool) -> np.uint64:
    """A card in seven bits: one more than 16 x suit + rank; zero for none."""
    shift = WIDE_RANKS - int(p["ranks"]) if wide and card >= 0 and card % LANE != JOKER else 0
    return np.uint64(card + 1 + shift)


@kernel
def rank_of(p: Row, card: int, wide: bool) -> int:
    """The rank of a card, the jokers last; -1 for none."""
    ranks = int(p["ranks"])
    rank = min(card % LANE, ranks)
    return NOBODY if card < 0 else rank + (WIDE_RANKS - ranks if wide else 0)


@kernel
def table_seat(p: Row, own: Row, k: int) -> int:
    """The seat of the table that is ``k`` seats to the viewer's left."""
    seat, players = int(own["seat"]) + k, int(p["players"])
    return seat if seat < players else seat - players


@kernel
def put_common(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """Append the sections of `durak_env.encoding.flat` that all rules have, but the last one."""
    players = int(p["players"])
    seats = MAX_PLAYERS if wide else players
    tail = put_cards(p, words, tail, own["hand"], wide)
    tail = put_cards(p, words, tail, p["unbeaten"], wide)
    tail = put_cards(p, words, tail, p["table"] ^ p["unbeaten"], wide)
    tail = put_cards(p, words, tail, p["discard"], wide)
    for k in range(players):
        tail = put_cards(p, words, tail, p["known"][table_seat(p, own, k)], wide)
    for _ in range(players, seats):
        tail = put_cards(p, words, tail, np.uint64(0), wide)
    tail = put_single_cards(p, own, words, tail, wide)
    for k in range(players):
        tail = push(words, tail, hand_bits(own, table_seat(p, own, k)), HAND_BITS)
    for _ in range(players, seats):
        tail = push(words, tail, np.uint64(0), HAND_BITS)
    tail = push(words, tail, role_bits(p, own, seats), ROLES * seats)
    tail = push(words, tail, leaving_bits(p, own, seats), 2 * PLACE_NUMBER * seats)
    tail = push(words, tail, bout_bits(p, own), BOUT_BITS)
    tail = push(words, tail, counter_bits(p), COUNTER_BITS)
    return put_announced(p, own, words, tail, wide)


@kernel
def put_all(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """Append all sections of `durak_env.encoding.flat`, in order; nothing may follow them.

    Rules without rare sections do without the code for them: they are much the faster.
    """
    tail = put_common(p, own, words, tail, wide)
    tail = put_rare(p, own, words, tail, wide)
    return put_order(p, words, tail, wide)


@kernel
def put_single_cards(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """The trump card by its rank, the target by rank and suit."""
    ranks = WIDE_RANKS if wide else int(p["ranks"])
    target = int(own["target_card"])
    target_ranks = ranks + (wide or has_jokers(p))
    named = p["trump_card"] >= 0 and p["trump_card"] % LANE != JOKER
    bits = one_hot(rank_of(p, int(p["trump_card"]) if named else NOBODY, wide), 0)
    bits |= one_hot(rank_of(p, target, wide), ranks)
    bits |= one_hot(target >> 4, ranks + target_ranks)
    return push(words, tail, bits, ranks + target_ranks + 4)


@kernel
def hand_bits(own: Row, seat: int) -> np.uint64:
    """The number of cards of a seat, one-hot and in binary."""
    size = int(own["hand_sizes"][seat])
    return bit(min(8, size)) | np.uint64(size) << np.uint64(9)


@kernel
def seat_in(lane: int, seat: int) -> np.uint64:
    """A seat as a bit of a lane; no bit for nobody."""
    return (np.uint64(1) << np.uint64(seat + 1)) >> np.uint64(1) << np.uint64(LANE * lane)


@kernel
def role_bits(p: Row, own: Row, seats: int) -> np.uint64:
    """Who plays which part: for each part the seats, counted from the viewer.

    Four parts are turned at once, each in a lane of sixteen bits.
    """
    first = (
        seat_in(0, int(p["actor"]))
        | seat_in(1, int(p["leader"]))
        | seat_in(2, int(p["attacker"]))
        | seat_in(3, int(p["defender"]))
    )
    second = (
        seat_in(0, int(p["last_layer"]))
        | seat_in(1, int(p["durak"]))
        | np.uint64(p["passed"]) << np.uint64(2 * LANE)
        | np.uint64(p["out"]) << np.uint64(3 * LANE)
    )
    size = np.uint64(seats)
    low, high = turn_lanes(p, own, first), turn_lanes(p, own, second)
    return close_up(low, size) | close_up(high, size) << (np.uint64(4) * size)


@kernel
def turn_lanes(p: Row, own: Row, lanes: np.uint64) -> np.uint64:
    """Four sets of seats, counted from the viewer."""
    players = np.uint64(p["players"])
    twice = lanes | lanes << players
    lane = (np.uint64(1) << players) - np.uint64(1)
    return (twice >> np.uint64(own["seat"])) & (lane * EVERY_LANE)


@kernel
def leaving_bits(p: Row, own: Row, seats: int) -> np.uint64:
    """For each seat its place, and its turn in running out of cards in this bout, from 1."""
    bits = np.uint64(0)
    for k in range(p["placed"]):
        bits |= numbered_seat(p, own, int(p["places"][k]), k + 1)
    for k in range(p["emptied_count"]):
        turn = numbered_seat(p, own, int(p["emptied"][k]), k + 1)
        bits |= turn << np.uint64(PLACE_NUMBER * seats)
    return bits


@kernel
def numbered_seat(p: Row, own: Row, seat: int, number: int) -> np.uint64:
    """A number at the place of a seat, counted from the viewer."""
    steps = seat - int(own["seat"])
    steps += int(p["players"]) if steps < 0 else 0
    return np.uint64(number) << np.uint64(PLACE_NUMBER * steps)


@kernel
def bout_bits(p: Row, own: Row) -> np.uint64:
    """The phase, the room, the attack cards, the stock, the bout's start and the deal's end."""
    stock = int(own["stock_count"])
    return (
        bit(int(p["phase"]))
        | bit(7 + min(6, int(own["room"])))
        | bit(14 + min(6, int(p["attacks"])))
        | np.uint64(p["discarded"]) << np.uint64(21)
        | np.uint64(p["stock_was_empty"]) << np.uint64(22)
        | bit(23 + min(12, stock))
        | np.uint64(stock) << np.uint64(36)
        | np.uint64(p["defender_start"]) << np.uint64(42)
        | np.uint64(p["reason"]) << np.uint64(48)
    )


@kernel
def counter_bits(p: Row) -> np.uint64:
    """The number of the bout, the quiet bouts and how often the position came up, in binary."""
    return (
        np.uint64(p["bout"])
        | np.uint64(p["quiet"]) << np.uint64(13)
        | np.uint64(p["occurrences"]) << np.uint64(21)
    )


@kernel
def put_announced(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """The card that decided the first lead, in binary, and whose it was."""
    seats = MAX_PLAYERS if wide else int(p["players"])
    bits = number_of(p, int(p["announced"]), wide)
    if p["announced"] >= 0:
        by = rotate(1 << int(p["announced_by"]), int(own["seat"]), int(p["players"]))
        bits |= np.uint64(by) << np.uint64(CARD_BITS)
    return push(words, tail, bits, CARD_BITS + seats)


@kernel
def put_rare(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """What only some rules have."""
    if wide or p["transfer"]:
        tail = put_transfers(p, own, words, tail, wide)
    if wide or p["self_throw"]:
        bits = np.uint64(p["self_throws"]) | np.uint64(p["self_pending"]) << np.uint64(5)
        tail = push(words, tail, bits, 6)
    if wide or p["epaulettes"]:
        tail = put_epaulettes(p, own, words, tail, wide)
    if wide or has_jokers(p):
        bits = np.uint64(p["no_trump"]) << np.uint64(6)
        for k in range(2):
            joker = int(p["revealed"][k])
            bits |= one_hot(joker // LANE if joker >= 0 else NOBODY, 3 * k)
        tail = push(words, tail, bits, 7)
    if wide or p["stock_lead_peek"]:
        peek = np.uint64(0) if own["peek"] < 0 else bit(int(own["peek"]))
        tail = put_cards(p, words, tail, peek, wide)
    if wide or p["plays_tricks"]:
        tail = put_tricks(p, own, words, tail, wide)
    return tail


@kernel
def put_transfers(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """Trumps shown in the bout, who showed one in the deal, how often the attack was passed on."""
    seats = MAX_PLAYERS if wide else int(p["players"])
    shown = p["shown"] & trumps(p)
    ranks = (shown & np.uint64(0x1FFF)) << np.uint64(WIDE_RANKS - int(p["ranks"]) if wide else 0)
    showed = rotate(int(p["showed"]), int(own["seat"]), int(p["players"]))
    bits = ranks | (shown >> np.uint64(JOKER)) << np.uint64(WIDE_RANKS)
    bits |= np.uint64(p["transfers"]) << np.uint64(WIDE_RANKS + 1)
    bits |= np.uint64(showed) << np.uint64(WIDE_RANKS + 6)
    return push(words, tail, bits, WIDE_RANKS + 6 + seats)


@kernel
def put_epaulettes(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """The rank that both seats hang, how far the hang is, and who hung."""
    ranks = WIDE_RANKS if wide else int(p["ranks"])
    bits = np.uint64(0)
    if p["epaulettes"]:
        for k in range(2):
            level = int(p["level"][table_seat(p, own, k)])
            bits |= one_hot(level + (WIDE_RANKS - int(p["ranks"]) if wide else 0), ranks * k)
            bits |= np.uint64(p["hung"] == table_seat(p, own, k)) << np.uint64(2 * ranks + 4 + k)
        bits |= one_hot(int(p["hang"]), 2 * ranks)
        bits |= np.uint64(own["sees_dead_lead"]) << np.uint64(2 * ranks + 3)
    return push(words, tail, bits, 2 * ranks + 6)


@kernel
def put_tricks(p: Row, own: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """The rows and the tricks of a game of tricks."""
    for k in range(2):
        covering, bits = np.uint64(0), np.uint64(0)
        if p["plays_tricks"]:
            seat = table_seat(p, own, k)
            for place in range(p["hand_size"]):
                if (p["covered"][seat] >> place) & 1:
                    up = int(p["up"][seat, place])
                    covering |= np.uint64(0) if up < 0 else bit(up)
                    bits |= np.uint64(up < 0) << np.uint64(TRICK_NUMBERS)
            bits |= one_hot(int(p["tricks"][seat]), 0)
        tail = put_cards(p, words, tail, covering, wide)
        tail = push(words, tail, bits, TRICK_NUMBERS + 1)
    return tail


@kernel
def put_order(p: Row, words: Words, tail: Tail, wide: bool) -> Tail:
    """Each attack card and its cover in binary, in the order laid, four places at a time.

    Zeros are not written.
    """
    places, attacks = WIDE_ORDER if wide else int(p["order_places"]), int(p["attacks"])
    first = 0
    while first < places and (first == 0 or first < attacks):
        bits = np.uint64(0)
        for k in range(4):
            pair = number_of(p, int(p["attack"][first + k]), wide)
            pair |= number_of(p, int(p["cover"][first + k]), wide) << np.uint64(CARD_BITS)
            bits |= pair << np.uint64(PLACE_BITS * k)
        size = PLACE_BITS * min(4, places - first)
        tail = push(words, tail, bits & (bit(size) - ONE), size)
        first += 4
    return tail


# --- records and rows -------------------------------------------------------------------------


@kernel
def encode_views(
    views: Rows, packed: Words, octets: Bytes, out: Octets, used: Counts, wide: bool
) -> None:
    """The observations of all views.

    ``packed``, ``octets``, ``out`` and ``used`` are a sheet, see `spread_all`.
    """
    for j in range(views.size):
        finish(packed[j], put_all(views[j], views[j], packed[j], (np.uint64(0), 0), wide))
    spread_all(packed, octets, out, used)


@kernel
def encode_seats(
    rows: Rows,
    which: Ids,
    seats: Ids,
    own: Rows,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
) -> None:
    """The observations of ``seats[k]`` on row ``which[k]``, straight from the rows, for rules that
    have no rare sections.

    ``own`` is one scratch record of `OWN`; for the others see `spread_all`.
    """
    for k in range(which.size):
        s = rows[which[k]]
        look(s, seats[k], own[0])
        tail = put_common(s, own[0], packed[k], (np.uint64(0), 0), False)
        finish(packed[k], put_order(s, packed[k], tail, False))
    spread_all(packed, octets, out, used)


@kernel
def encode_seats_rare(
    rows: Rows,
    which: Ids,
    seats: Ids,
    own: Rows,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
    wide: bool,
) -> None:
    """`encode_seats` with the rare sections, or in the widest layout."""
    for k in range(which.size):
        s = rows[which[k]]
        look(s, seats[k], own[0])
        finish(packed[k], put_all(s, own[0], packed[k], (np.uint64(0), 0), wide))
    spread_all(packed, octets, out, used)


@kernel
def play_random_observed(
    rows: Rows,
    streams: Streams,
    own: Rows,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
    masks: Masks,
    decisions: int,
) -> None:
    """`durak_env.engine.play_random`, one decision in every row at a time, with the observation
    and the mask of every decision written; for rules that have no rare sections."""
    for _ in range(decisions):
        for i in range(rows.size):
            s = rows[i]
            while s["phase"] == OVER:  # more than once where nothing can be led (H6)
                shuffle_deck(s, streams, i)
                deal_given(rows, i, NOBODY)
            look(s, s["actor"], own[0])
            tail = put_common(s, own[0], packed[i], (np.uint64(0), 0), False)
            finish(packed[i], put_order(s, packed[i], tail, False))
            write_mask(s, masks[i])
            act(s, random_code(s, streams, i))
        spread_all(packed, octets, out, used)
