"""What all encodings are made of, compiled: sets as zeros and ones, and action masks.

A set of cards becomes one number per card of the deck, in the order of action ids: suit by suit
from the trumps, low to high. It is written eight cards at a time from a table.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import Ids
from durak_env.engine.bits import JOKER, JOKERS, LANE, bit
from durak_env.engine.jit import kernel
from durak_env.engine.state import OVER, PASS_WORD, STOCK_WORD, TAKE_WORD, Row, Rows

WIDE_DECK, WIDE_RANKS = 54, 13
"""The cards and ranks of the widest deck."""

Words = npt.NDArray[np.uint64]
"""Bits packed into words, those of one observation or one row for each."""

Tail: TypeAlias = tuple[np.uint64, int]
"""The word that is being packed, and how many bits are packed so far."""

Bytes = npt.NDArray[np.uint8]
"""The same, byte by byte."""

Octets = npt.NDArray[np.uint64]
"""Numbers that are 0 or 1, one byte each, eight at a time."""

FIRST_OF_PAIRS = np.uint64(0x0000FFFF0000FFFF)
SECOND_OF_PAIRS = np.uint64(0xFFFF0000FFFF0000)
"""The first and third lane, and the second and fourth."""

Masks = npt.NDArray[np.int8]

Counts = npt.NDArray[np.uint64]

BITS = np.array([[byte >> k & 1 for k in range(8)] for byte in range(256)], dtype=np.int8)
"""Every byte as eight numbers, the lowest bit first."""
OCTETS = BITS.view(np.uint64).ravel()
"""The same, eight numbers in one word."""


@kernel
def compact(v: Row, cards: np.uint64) -> np.uint64:
    """A set of cards with one bit per card of the deck, in the order of action ids."""
    packed = close_up(cards, np.uint64(v["ranks"]))
    if cards & JOKERS != 0:
        packed |= pack_jokers(cards, np.uint64(v["deck_size"]))
    return packed


@kernel
def close_up(cards: np.uint64, ranks: np.uint64) -> np.uint64:
    """The lanes of a set side by side, of so many ranks each; without jokers.

    First the second lane moves up to the first one and the fourth to the third, then both pairs.
    """
    plain = cards & ~JOKERS
    pairs = (plain & FIRST_OF_PAIRS) | ((plain & SECOND_OF_PAIRS) >> (np.uint64(LANE) - ranks))
    return (pairs & np.uint64(0xFFFFFFFF)) | ((pairs >> np.uint64(32)) << (ranks + ranks))


@kernel
def pack_jokers(cards: np.uint64, deck: np.uint64) -> np.uint64:
    """The jokers of a set as the last two bits of a deck of this size."""
    trumps_colour = (cards & (bit(JOKER) | bit(LANE + JOKER))) != 0
    other = (cards & bit(2 * LANE + JOKER)) != 0
    return (np.uint64(trumps_colour) | np.uint64(other) << np.uint64(1)) << (deck - np.uint64(2))


@kernel
def widen(p: Row, cards: np.uint64) -> np.uint64:
    """A set of cards with one bit per card of the widest deck."""
    ranks = np.uint64(WIDE_RANKS)
    packed = close_up((cards & ~JOKERS) << (ranks - np.uint64(p["ranks"])), ranks)
    return packed | pack_jokers(cards, np.uint64(WIDE_DECK))


@kernel
def push(words: Words, tail: Tail, bits: np.uint64, size: int) -> Tail:
    """Append ``size`` bits to those packed so far.

    ``tail`` is the word that is not full yet and the number of all bits so far. It stays in
    registers: reading a word back just after writing it would take longer than all the rest.
    """
    word, at = tail
    offset, after = np.uint64(at) & np.uint64(63), at + size
    word |= bits << offset
    if after >> 6 == at >> 6:
        return word, after
    words[np.uint64(at) >> np.uint64(6)] = word
    return (bits >> np.uint64(1)) >> (np.uint64(63) - offset), after


@kernel
def finish(words: Words, tail: Tail) -> None:
    """Write the last word, and at the very end how many octets are packed: the rest is zero."""
    word, at = tail
    words[np.uint64(at) >> np.uint64(6)] = word
    words[np.uint64(words.size - 1)] = np.uint64((at + 7) >> 3)


@kernel
def spread_all(packed: Words, octets: Bytes, out: Octets, used: Counts) -> None:
    """Write packed observations, one per row of ``packed``, as numbers, eight at a time.

    All are packed before any is spread, as it is slow to read a word at once after writing it. The
    unsigned index spares Numba's test for negative ones.

    Args:
        packed, octets: the observations, and the same bytes.
        out: where to write.
        used: how many octets of each row of ``out`` may be other than zero, before and after: no
            zero is written over a zero, which are a third of all numbers.
    """
    for j in range(out.shape[0]):
        bits, numbers, count = octets[j], out[j], packed[j, packed.shape[1] - 1]
        for k in range(count):
            numbers[np.uint64(k)] = OCTETS[bits[np.uint64(k)]]
        for k in range(count, used[j]):
            numbers[np.uint64(k)] = np.uint64(0)
        used[j] = count


@kernel
def copy_byte(out: Masks, place: np.uint64, bits: np.uint64) -> None:
    """Write the lowest eight bits."""
    byte = bits & np.uint64(0xFF)
    for k in range(8):
        out[place + np.uint64(k)] = BITS[byte, np.uint64(k)]


@kernel
def has_jokers(p: Row) -> bool:
    """Whether the deck has jokers."""
    return bool(p["deck_size"] > p["suit_count"] * p["ranks"])


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
def write_mask_of(views: Rows, j: int, masks: Masks) -> None:
    """`write_mask` of record ``j``; all ones once the deal is over, so that no sampler fails."""
    if views[j]["phase"] == OVER:
        masks[:] = 1
    else:
        write_mask(views[j], masks)


@kernel
def mask_many(views: Rows, out: Masks) -> None:
    """`write_mask_of` of every record into the rows of ``out``."""
    for j in range(views.size):
        write_mask_of(views, j, out[j])


@kernel
def observe_masks(rows: Rows, which: Ids, seats: Ids, masks: Masks) -> None:
    """`observe_mask` of ``seats[k]`` on row ``which[k]``, for every k."""
    for k in range(which.size):
        observe_mask(rows, which[k], seats[k], masks[k])


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
