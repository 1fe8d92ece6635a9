"""Views to vectors, compiled.

A set of cards becomes one number per card of the deck, in the order of action ids: suit by suit
from the trumps, low to high. It is written eight cards at a time from a table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import Ids, Streams, deal, random_code
from durak_env.engine.bits import JOKER, JOKERS, LANE, TRUMPS, bit
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.state import (
    MAX_QUIET_BOUTS,
    OVER,
    PASS_WORD,
    STOCK_WORD,
    TAKE_WORD,
    Row,
    Rows,
)
from durak_env.view.kernels import observe, rotate

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]

SEAT_SIZE = 18
"""Numbers about one seat."""

BITS = np.array([[byte >> k & 1 for k in range(8)] for byte in range(256)], dtype=np.float32)
BITS_INT8 = BITS.astype(np.int8)


@kernel
def compact(v: Row, cards: np.uint64) -> np.uint64:
    """A set of cards with one bit per card of the deck, in the order of action ids."""
    ranks = int(v["ranks"])
    lane = (np.uint64(1) << np.uint64(ranks)) - np.uint64(1)
    packed = cards & lane
    for suit in range(1, 4):
        packed |= ((cards >> np.uint64(LANE * suit)) & lane) << np.uint64(ranks * suit)
    if cards & JOKERS != 0:
        packed |= pack_jokers(v, cards)
    return packed


@kernel
def pack_jokers(v: Row, cards: np.uint64) -> np.uint64:
    """The jokers of a set as the last two bits of the deck."""
    first = np.uint64(v["deck_size"] - 2)
    trumps_colour = (cards & (bit(JOKER) | bit(LANE + JOKER))) != 0
    other = (cards & bit(2 * LANE + JOKER)) != 0
    return (np.uint64(trumps_colour) | np.uint64(other) << np.uint64(1)) << first


@kernel
def write_bits(out: Floats, at: int, bits: np.uint64, size: int) -> int:
    """Write ``size`` bits as zeros and ones; returns the place after them.

    Up to seven numbers past the end are overwritten: seven or more must follow. The unsigned index
    spares Numba's test for negative ones; so the eight stores become one.
    """
    place, end = np.uint64(at), np.uint64(at + size)
    while place < end:
        byte = bits & np.uint64(0xFF)
        bits >>= np.uint64(8)
        for k in range(8):
            out[place + np.uint64(k)] = BITS[byte, np.uint64(k)]
        place += np.uint64(8)
    return at + size


@kernel
def write_cards(v: Row, out: Floats, at: int, cards: np.uint64) -> int:
    """Write a set of cards, one number per card of the deck."""
    return write_bits(out, at, compact(v, cards), int(v["deck_size"]))


@kernel
def one_hot(index: int, at: int) -> np.uint64:
    """The bit ``at + index``; no bit for a negative index."""
    return np.uint64(0) if index < 0 else np.uint64(1) << np.uint64(at + index)


@kernel
def write_mask(v: Row, out: Masks) -> None:
    """Write the action mask of a view (or of a row): one where an action id is legal."""
    deck = int(v["deck_size"])
    words = np.uint64(v["legal_words"] & (PASS_WORD | TAKE_WORD)) << np.uint64(deck)
    write_exactly(out, 0, compact(v, v["legal_cards"]) | words, deck + 2)
    if out.size > deck + 2:
        write_rare_mask(v, out)


@kernel
def write_rare_mask(v: Row, out: Masks) -> None:
    """The mask of the kinds of action that only some rules have."""
    if v["stock_id"]:
        out[v["stock_id"]] = (v["legal_words"] & STOCK_WORD) != 0
    if v["target_id"]:
        write_mask_block(v, out, int(v["target_id"]), v["legal_targets"])
    if v["transfer_id"]:
        write_mask_block(v, out, int(v["transfer_id"]), v["legal_transfers"])
    if v["self_id"]:
        write_mask_block(v, out, int(v["self_id"]), v["legal_selfs"])
    if v["show_id"]:
        ranks, jokers = int(v["ranks"]), int(v["deck_size"]) > v["suit_count"] * v["ranks"]
        for rank in range(ranks):
            out[v["show_id"] + rank] = (v["legal_shows"] & bit(rank)) != 0
        if jokers:
            out[v["show_id"] + ranks] = (v["legal_shows"] & bit(JOKER)) != 0


@kernel
def write_mask_block(v: Row, out: Masks, at: int, cards: np.uint64) -> None:
    """Write a set of cards as zeros and ones and nothing past them."""
    packed = compact(v, cards)
    for k in range(v["deck_size"]):
        out[at + k] = (packed >> np.uint64(k)) & np.uint64(1)


@kernel
def write_exactly(out: Masks, at: int, bits: np.uint64, size: int) -> None:
    """Write ``size`` bits as zeros and ones; the last eight may overlap.

    A deck of four cards has fewer than eight, which are written one by one.
    """
    if size < 8:
        for k in range(size):
            out[at + k] = (bits >> np.uint64(k)) & np.uint64(1)
        return
    last = np.uint64(size - 8)
    done = np.uint64(0)
    while done <= last:
        copy_byte(out, np.uint64(at) + done, bits >> done)
        done += np.uint64(8)
    copy_byte(out, np.uint64(at) + last, bits >> last)


@kernel
def copy_byte(out: Masks, place: np.uint64, bits: np.uint64) -> None:
    """Write the lowest eight bits."""
    byte = bits & np.uint64(0xFF)
    for k in range(8):
        out[place + np.uint64(k)] = BITS_INT8[byte, np.uint64(k)]


@kernel
def write_mask_of(views: Rows, j: int, masks: Masks) -> None:
    """`write_mask` of record ``j``; all ones once the deal is over, so that no sampler fails."""
    if views[j]["phase"] == OVER:
        masks[:] = 1
    else:
        write_mask(views[j], masks)


@kernel
def encode_flat(v: Row, out: Floats) -> int:
    """Write the ``flat`` encoding of a view; the sections are those of `FlatEncoder`, in order.

    The last section, the options, never changes: it stands in the buffer already. Returns the place
    where it begins.
    """
    players, viewer = int(v["players"]), int(v["seat"])
    at = write_cards(v, out, 0, v["hand"])
    at = write_cards(v, out, at, v["unbeaten"])
    at = write_cards(v, out, at, v["table"] ^ v["unbeaten"])
    at = write_cards(v, out, at, v["discard"])
    for k in range(1, players):
        at = write_cards(v, out, at, v["known"][absolute(viewer + k, players)])
    at = write_single_cards(v, out, at)
    for k in range(players):
        at = write_seat(v, out, at, absolute(viewer + k, players))
    write_places(v, out, at)
    at = write_bits(out, at, bout_bits(v), 34)
    if v["show"] or v["self_throw"] or v["epaulettes"] or v["revealed"][0] >= 0 or has_jokers(v):
        at = write_rare(v, out, at)
    if v["stock_lead_peek"]:
        at = write_cards(v, out, at, np.uint64(0) if v["peek"] < 0 else bit(int(v["peek"])))
    return write_numbers(v, out, at)


@kernel
def absolute(seat: int, players: int) -> int:
    """The seat of the table that a viewer's count ends at."""
    return seat if seat < players else seat - players


@kernel
def has_jokers(v: Row) -> bool:
    """Whether the deck has jokers."""
    return bool(v["deck_size"] > v["suit_count"] * v["ranks"])


@kernel
def write_single_cards(v: Row, out: Floats, at: int) -> int:
    """The trump card by its rank, the target by rank and suit."""
    ranks, target = int(v["ranks"]), int(v["target_card"])
    target_ranks = ranks + has_jokers(v)
    bits = one_hot(int(v["trump_card"]) % LANE, 0)
    if target >= 0:
        bits |= one_hot(target % LANE, ranks) | one_hot(target // LANE, ranks + target_ranks)
    return write_bits(out, at, bits, ranks + target_ranks + 4)


@kernel
def write_rare(v: Row, out: Floats, at: int) -> int:
    """What only some rules have: shown trumps, self throws, epaulettes, revealed jokers."""
    players, viewer, ranks = int(v["players"]), int(v["seat"]), int(v["ranks"])
    if v["show"]:
        at = write_bits(out, at, v["shown"] & TRUMPS, JOKER + 1)
        showed = rotate(int(v["showed"]), viewer, players)
        at = write_bits(out, at, np.uint64(showed), players)
    if v["self_throw"]:
        out[at] = np.float32(v["self_throws"]) / np.float32(v["deck_size"])
        out[at + 1] = v["self_pending"]
        at += 2
    if v["epaulettes"]:
        for k in range(players):
            level = int(v["level"][absolute(viewer + k, players)])
            at = write_bits(out, at, one_hot(level, 0), ranks)
        at = write_bits(out, at, one_hot(int(v["hang"]), 0), 3)
        out[at] = v["dead_lead"]
        at += 1
    if has_jokers(v):
        for k in range(2):
            joker = int(v["revealed"][k])
            at = write_bits(out, at, one_hot(joker // LANE if joker >= 0 else -1, 0), 3)
    return at


@kernel
def seat_bits(v: Row, seat: int) -> np.uint64:
    """Hand size and roles of a seat."""
    roles = (
        np.uint64(v["actor"] == seat)
        | np.uint64(v["leader"] == seat) << np.uint64(1)
        | np.uint64(v["attacker"] == seat) << np.uint64(2)
        | np.uint64(v["defender"] == seat) << np.uint64(3)
        | np.uint64(v["last_layer"] == seat) << np.uint64(4)
        | np.uint64((v["passed"] >> seat) & 1) << np.uint64(5)
        | np.uint64((v["out"] >> seat) & 1) << np.uint64(6)
    )
    return one_hot(min(8, int(v["hand_sizes"][seat])), 0) | roles << np.uint64(9)


@kernel
def write_seat(v: Row, out: Floats, at: int, seat: int) -> int:
    """Hand size and roles of a seat; its place, written later, is the last number."""
    at = write_bits(out, at, seat_bits(v, seat), 16)
    out[at] = np.float32(v["hand_sizes"][seat]) / np.float32(v["deck_size"])
    out[at + 1] = np.float32(0.0)
    return at + 2


@kernel
def write_places(v: Row, out: Floats, end: int) -> None:
    """The places of the seats that are out, into the seats' sections that end here."""
    players = int(v["players"])
    for k in range(v["placed"]):
        seat = absolute(int(v["places"][k]) - int(v["seat"]) + players, players)
        out[end - SEAT_SIZE * (players - seat) + SEAT_SIZE - 1] = np.float32((k + 1) / players)


@kernel
def bout_bits(v: Row) -> np.uint64:
    """The phase, the room, the attack cards and the stock."""
    return (
        one_hot(int(v["phase"]), 0)
        | one_hot(min(6, int(v["room"])), 6)
        | one_hot(min(6, int(v["attacks"])), 13)
        | np.uint64(v["discarded"]) << np.uint64(20)
        | one_hot(min(12, int(v["stock_count"])), 21)
    )


@kernel
def write_numbers(v: Row, out: Floats, at: int) -> int:
    """The scaled numbers."""
    card = np.float32(1.0) / np.float32(v["deck_size"])
    out[at] = np.float32(v["stock_count"]) * card
    out[at + 1] = np.float32(v["room"]) * card
    out[at + 2] = np.float32(v["attacks"]) * card
    out[at + 3] = np.float32(v["defender_start"]) * card
    out[at + 4] = np.float32(v["limit"]) * np.float32(1 / 128)
    out[at + 5] = np.float32(v["limit_on_take"]) * np.float32(1 / 128)
    out[at + 6] = np.float32(v["bout"]) / (np.float32(v["bout"]) + np.float32(16))
    out[at + 7] = min(np.float32(1.0), np.float32(v["quiet"]) * np.float32(1 / MAX_QUIET_BOUTS))
    out[at + 8] = min(np.float32(1.0), np.float32(v["occurrences"]) * np.float32(1 / 4))
    return at + 9


@kernel
def encode_flat_at(views: Rows, j: int, out: Floats) -> int:
    """`encode_flat` of record ``j``."""
    return encode_flat(views[j], out)


@kernel
def encode_flat_many(views: Rows, out: Floats) -> None:
    """`encode_flat` of every record into the rows of ``out``."""
    for j in range(views.size):
        encode_flat(views[j], out[j])


@kernel
def mask_many(views: Rows, out: Masks) -> None:
    """`write_mask_of` of every record into the rows of ``out``."""
    for j in range(views.size):
        write_mask_of(views, j, out[j])


@kernel
def observe_mask(rows: Rows, i: int, seat: int, mask: Masks) -> None:
    """The action mask of a seat: zeros for a seat that is not asked, ones once the deal is over."""
    s = rows[i]
    if s["phase"] == OVER:
        mask[:] = 1
    elif s["actor"] == seat:
        write_mask(s, mask)
    else:
        mask[:] = 0


@kernel
def observe_flat(rows: Rows, i: int, seat: int, scratch: Rows, out: Floats) -> None:
    """The observation of a seat, by way of one scratch view."""
    observe(rows, i, seat, scratch, 0)
    encode_flat(scratch[0], out)


@kernel
def observe_flat_many(
    rows: Rows, which: Ids, seats: Ids, scratch: Rows, out: Floats, masks: Masks
) -> None:
    """Observations and masks of ``seats[k]`` on row ``which[k]``, by way of one scratch view."""
    for k in range(which.size):
        observe(rows, which[k], seats[k], scratch, 0)
        encode_flat(scratch[0], out[k])
        write_mask_of(scratch, 0, masks[k])


@kernel
def play_random_observed(
    rows: Rows, streams: Streams, scratch: Rows, out: Floats, masks: Masks, decisions: int
) -> None:
    """`durak_env.engine.play_random`, one decision in every row at a time, with the observation
    and the mask of every decision written."""
    for _ in range(decisions):
        for i in range(rows.size):
            s = rows[i]
            while s["phase"] == OVER:  # more than once where nothing can be led (H6)
                deal(rows, i, streams, -1)
            observe(rows, i, s["actor"], scratch, 0)
            encode_flat(scratch[0], out[i])
            write_mask(scratch[0], masks[i])
            act(s, random_code(s, streams, i))
