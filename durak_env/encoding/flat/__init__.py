"""The ``flat`` encoding: a compact vector of zeros and ones, for multilayer perceptrons.

Small numbers are one-hot, the exact ones besides in binary, the lowest bit first. Everything that a
view says is there, but for the names of the suits: they are relative to trump.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.cards import joker_count, rank_count
from durak_env.encoding.base import Part, Section, number_sections
from durak_env.encoding.flat.kernels import encode_seats, encode_seats_rare, encode_views
from durak_env.encoding.kernels import WIDE_DECK, WIDE_RANKS
from durak_env.engine import Rows
from durak_env.engine.state import MAX_ATTACKS, has_rare_sections, order_places
from durak_env.errors import DurakError
from durak_env.rules import MAX_PLAYERS, Rules
from durak_env.view.kernels import OWN

Sheet: TypeAlias = tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.uint8], npt.NDArray[np.uint64], npt.NDArray[np.uint64]
]
"""Scratch space for packed observations, its bytes, the array to write as octets, and how many
octets of each row of it are in use."""


class FlatEncoder:
    """The sections of `flat_parts`, without those that the rules have no use for."""

    name = "flat"
    version = 2
    high = 1
    dtype = np.dtype(np.int8)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.sections: tuple[Section, ...] = number_sections(whole_octets(flat_parts(rules)))
        self._rare = has_rare_sections(rules)

    @property
    def size(self) -> int:
        """Numbers in one observation."""
        return self.sections[-1].stop

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return (self.size,)

    def encode(self, views: Rows, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The observations of an array of views: int8, shape (n, size)."""
        out = self.buffer(views.size) if out is None else out
        encode_views(views, *sheet(out), False)
        return out

    def encode_rows(
        self,
        rows: Rows,
        which: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        out: npt.NDArray[np.int8],
    ) -> None:
        """Write the observations of ``seats[k]`` on row ``which[k]`` into ``out[k]``."""
        own = np.zeros(1, dtype=OWN)
        if self._rare:
            encode_seats_rare(rows, which, seats, own, *sheet(out), False)
        else:
            encode_seats(rows, which, seats, own, *sheet(out))

    def buffer(self, count: int) -> npt.NDArray[np.int8]:
        """A new array for ``count`` observations, for `encode` to write into."""
        return np.zeros((count, self.size), dtype=self.dtype)


def sheet(out: npt.NDArray[np.int8]) -> Sheet:
    """What the kernels need to write observations into ``out``.

    Whoever writes into the same array again and again may keep its sheet, and must then not write
    into it otherwise.

    Raises:
        DurakError: the array is not int8, contiguous and of whole octets.
    """
    if out.dtype != np.int8 or not out.flags.c_contiguous or out.shape[-1] % 8:
        raise DurakError(
            f"observations are written into contiguous int8 arrays of whole octets, "
            f"not {out.dtype} {out.shape}"
        )
    count, size = out.shape
    packed = np.empty((count, packed_words(size)), dtype=np.uint64)
    used = np.empty(count, dtype=np.uint64)
    used.fill(size // 8)
    return packed, packed.view(np.uint8), out.view(np.uint64), used


def packed_words(size: int) -> int:
    """The words of a packed observation: its bits, a word to spare, and its length."""
    return size // 64 + 3


def whole_octets(parts: list[Part]) -> list[Part]:
    """The sections, filled up to a multiple of eight numbers."""
    missing = -sum(length for _, length, _ in parts) % 8
    padding = ("padding", missing, "zeros, so that eight numbers are written at a time")
    return [*parts, padding] if missing else parts


def wide_parts() -> list[Part]:
    """The sections of the widest layout, which has everything that any rules have."""
    return [
        *card_parts(WIDE_DECK, MAX_PLAYERS),
        *single_card_parts(WIDE_RANKS, WIDE_RANKS + 1),
        *seat_parts(MAX_PLAYERS),
        *bout_parts(),
        *announced_parts(MAX_PLAYERS),
        *transfer_parts(MAX_PLAYERS),
        *self_throw_parts(),
        *epaulette_parts(WIDE_RANKS),
        *joker_parts(),
        *peek_parts(WIDE_DECK),
        *trick_parts(WIDE_DECK),
        *order_parts(MAX_ATTACKS),
    ]


def flat_parts(rules: Rules) -> list[Part]:
    """The sections of these rules, in order."""
    deck, ranks, seats = rules.deck, rank_count(rules.deck, rules.suits), rules.players
    jokers = joker_count(deck) > 0
    return [
        *card_parts(deck, seats),
        *single_card_parts(ranks, ranks + jokers),
        *seat_parts(seats),
        *bout_parts(),
        *announced_parts(seats),
        *(transfer_parts(seats) if rules.transfer else []),
        *(self_throw_parts() if rules.self_throw != "none" else []),
        *(epaulette_parts(ranks) if rules.epaulettes else []),
        *(joker_parts() if jokers else []),
        *(peek_parts(deck) if rules.stock_lead_peek else []),
        *(trick_parts(deck) if rules.tricks else []),
        *order_parts(order_places(rules)),
    ]


def card_parts(deck: int, seats: int) -> list[Part]:
    """Sets of cards."""
    return [
        ("hand", deck, "the viewer's own cards"),
        ("unbeaten", deck, "attack cards that are not beaten"),
        ("beaten", deck, "attack cards that are beaten, and the cards that beat them"),
        ("discard", deck, "discarded cards, as everybody saw them fall"),
        *(
            (f"known_{seat}", deck, f"the cards of seat {seat}'s hand that everybody has seen")
            for seat in range(seats)
        ),
    ]


def single_card_parts(ranks: int, target_ranks: int) -> list[Part]:
    """The trump card and the card to beat."""
    return [
        ("trump_rank", ranks, "rank of the trump card, one-hot"),
        (
            "target_rank",
            target_ranks,
            "rank of the card that a cover would beat now, or of the led card of a trick, one-hot",
        ),
        ("target_suit", 4, "its suit, one-hot from the trumps"),
    ]


ROLES = {
    "actor": "the seat that is asked",
    "leader": "the seat that opened the bout",
    "attacker": "the seat with the first right to throw in",
    "defender": "the seat that must answer",
    "layer": "the seat that laid the last attack card",
    "durak": "the durak of a deal that is over",
    "passed": "seats that passed since the last laid card",
    "out": "seats that left the deal",
}


def seat_parts(seats: int) -> list[Part]:
    """Hand sizes, and who plays which part."""
    sizes = [
        part
        for seat in range(seats)
        for part in (
            (f"hand_size_{seat}", 9, f"cards of seat {seat}, one-hot 0 ... 8 or more"),
            (f"hand_count_{seat}", 6, "their number in binary"),
        )
    ]
    return [
        *sizes,
        *((name, seats, doc) for name, doc in ROLES.items()),
        ("places", 4 * seats, "place of each seat from 1 in binary; 0 while it has none"),
        ("emptied", 4 * seats, "each seat's turn in running out of cards in this bout, likewise"),
    ]


def bout_parts() -> list[Part]:
    """The bout and the stock."""
    return [
        ("phase", 7, "lead, throw, defend, add, over, transfer, follow"),
        ("room", 7, "how many more attack cards may be laid, one-hot 0 ... 6 or more"),
        ("attacks", 7, "attack cards on the table, one-hot 0 ... 6 or more"),
        ("discarded", 1, "whether anything was discarded in this deal"),
        ("stock_was_empty", 1, "whether the bout began without a stock"),
        ("stock", 13, "cards in the stock, one-hot 0 ... 12 or more"),
        ("stock_count", 6, "their number in binary"),
        ("start", 6, "the defender's cards at the start of the bout, in binary"),
        ("reason", 4, "why the deal is over, in binary (`durak_env.engine.Reason`)"),
        ("bout", 13, "the number of the bout, or of the trick, in binary"),
        ("quiet", 8, "bouts in a row without a discard, in binary"),
        ("occurrences", 7, "how often the bout's first position came up, in binary"),
    ]


def announced_parts(seats: int) -> list[Part]:
    """Who had the first lead, and why."""
    return [
        ("announced", 7, "the card that decided the first lead: 1 + 16 x suit + rank, in binary"),
        ("announced_by", seats, "the seat that had it"),
    ]


def transfer_parts(seats: int) -> list[Part]:
    """Transfers and shown trumps."""
    return [
        ("shown", 14, "ranks of the trumps shown in this bout from the lowest; the last: joker"),
        ("transfers", 5, "transfers in this bout in binary, where their number is limited"),
        ("showed", seats, "seats that showed a trump in this deal"),
    ]


def self_throw_parts() -> list[Part]:
    """What the defender threw in to itself."""
    return [
        ("self_throws", 5, "self throws on the table, in binary"),
        ("self_pending", 1, "whether one of them waits to be beaten"),
    ]


def epaulette_parts(ranks: int) -> list[Part]:
    """Epaulettes."""
    return [
        ("level_0", ranks, "the rank that the viewer hangs"),
        ("level_1", ranks, "the rank that seat 1 hangs"),
        ("hang", 3, "no hang, hang begun, hang committed"),
        ("dead_lead", 1, "whether the lead is one that is otherwise barred"),
        ("hung", 2, "the seat that hung epaulettes"),
    ]


def joker_parts() -> list[Part]:
    """Jokers."""
    return [
        ("revealed", 6, "first and second joker turned up: trump, its colour, other"),
        ("no_trump", 1, "whether there are no trumps"),
    ]


def peek_parts(deck: int) -> list[Part]:
    """The stock card that may be led."""
    return [("peek", deck, "the top card of the stock, if the viewer may lead it")]


def trick_parts(deck: int) -> list[Part]:
    """The rows and the tricks; all face-up cards stand in ``known``."""
    return [
        part
        for seat in range(2)
        for part in (
            (f"covering_{seat}", deck, f"seat {seat}'s face-up cards on face-down ones"),
            (f"tricks_{seat}", 19, f"tricks of seat {seat}, one-hot 0 ... 18"),
            (f"bare_{seat}", 1, f"whether a face-down card of seat {seat} lies bare"),
        )
    ]


def order_parts(places: int) -> list[Part]:
    """In which order attack cards were laid, and what beats which."""
    doc = "attack card and cover of each place in the order laid: 1 + 16 x suit + rank, in binary"
    return [("order", 14 * places, doc)]
