"""Sets of cards as 64-bit masks.

A card's *code* is ``16 * suit + rank``: one lane of sixteen bits per suit. Inside the engine suit 0
is trump, suit 1 has the trump's colour, suits 2 and 3 the other; rank 0 is the deck's lowest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.jit import kernel

LANE = 16
"""Bits per suit."""

ONE = np.uint64(1)
TRUMPS = np.uint64(0xFFFF)
"""Every trump."""

JOKER = 13
"""Rank of the jokers. The trump joker lies in suit 0; without it the joker of the trump's colour
lies in suit 1. The plain joker lies in suit 2 and belongs to suit 3 as well (P5, P6)."""
JOKERS = np.uint64(0x2000200020002000)
PLAIN_JOKERS = np.uint64(0x0000200020000000)
"""The jokers that are no trumps: of the trump's colour, and of the other."""


def _beaters(*, with_trumps: bool) -> npt.NDArray[np.uint64]:
    """The mask of all cards that beat each card (S003-18, E93).

    Without trumps the plain joker of suit 1's colour belongs to suit 0 as well (P6, P24).
    """
    table = np.zeros(64, dtype=np.uint64)
    for code in range(64):
        suit, rank = divmod(code, LANE)
        higher = sum(1 << (LANE * suit + other) for other in range(rank + 1, LANE))
        trumps = 0xFFFF if with_trumps and suit else 0
        plain_joker = 1 << (2 * LANE + JOKER) if suit == 3 else 0
        if not with_trumps and suit == 0:
            plain_joker = 1 << (LANE + JOKER)
        table[code] = np.uint64(higher | trumps | plain_joker)
    return table


BEATERS = _beaters(with_trumps=True)
BEATERS_WITHOUT_TRUMPS = _beaters(with_trumps=False)


@kernel
def signed(value: np.uint64) -> int:
    """The same number as a signed integer: Numba makes a float of any mix of the two."""
    return np.int64(value)  # type: ignore[return-value]


@kernel
def popcount(mask: np.uint64) -> int:
    """The number of cards in a set."""
    mask = mask - ((mask >> np.uint64(1)) & np.uint64(0x5555555555555555))
    mask = (mask & np.uint64(0x3333333333333333)) + (
        (mask >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    mask = (mask + (mask >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return signed((mask * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def lowest(mask: np.uint64) -> int:
    """The code of the lowest card of a set that is not empty: lowest suit, then lowest rank."""
    return popcount((mask & (~mask + ONE)) - ONE)


@kernel
def bit(code: int) -> np.uint64:
    """The set of this one card."""
    return ONE << np.uint64(code)


@kernel
def same_rank(code: int) -> np.uint64:
    """The set of all cards of this card's rank."""
    return np.uint64(0x0001000100010001) << (np.uint64(code) & np.uint64(LANE - 1))


@kernel
def ranks_of(mask: np.uint64) -> np.uint64:
    """The ranks of a set as the mask of one suit."""
    folded = mask | (mask >> np.uint64(32))
    return (folded | (folded >> np.uint64(16))) & np.uint64(0xFFFF)


@kernel
def nth(mask: np.uint64, n: int) -> int:
    """The code of the n-th card of a set, counted from zero and from the lowest."""
    for k in range(6):  # nearly always enough, and without a branch to mispredict
        rest = mask & (mask - ONE)
        mask = rest if k < n else mask
    for _ in range(6, n):
        mask &= mask - ONE
    return lowest(mask)
