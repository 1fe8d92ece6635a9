"""The ``planes`` encoding: one line for every card, for networks that treat all cards alike.

Each line says where the card is and what it is, and then, the same on all lines, what ``flat`` says
besides sets of cards.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from durak_env.actions import JOKER_SUIT, Kind, action_table
from durak_env.cards import joker_count, lowest_rank
from durak_env.encoding.base import Part, Section, number_sections
from durak_env.encoding.flat import FlatEncoder
from durak_env.encoding.kernels import WIDE_RANKS
from durak_env.encoding.planes.kernels import encode_planes
from durak_env.engine import Rows
from durak_env.rules import Rules

SUITS = 4
MAX_SETS = 24
"""More sets than any rules have."""

SETS_OF_FLAT = re.compile(r"hand|unbeaten|beaten|discard|known_\d|peek|covering_\d|padding")
"""The sections of `FlatEncoder` that are columns here, and its filling."""


class PlanesEncoder:
    """One line per card of the deck, in the order of action ids; sections lie along the lines."""

    name = "planes"
    version = 1
    high = 1
    dtype = np.dtype(np.int8)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.flat = FlatEncoder(rules)
        shared = [one for one in self.flat.sections if not SETS_OF_FLAT.fullmatch(one.name)]
        self._shared = np.concatenate([np.arange(one.start, one.stop) for one in shared])
        self._faces = card_faces(rules)
        repeated = [(one.name, one.stop - one.start, one.doc) for one in shared]
        parts = [*set_parts(rules), *face_parts(), *repeated]
        self.sections: tuple[Section, ...] = number_sections(parts)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return (self.rules.deck, self.sections[-1].stop)

    def buffer(self, count: int) -> npt.NDArray[np.int8]:
        """A new array for ``count`` observations."""
        return np.zeros((count, *self.shape), dtype=self.dtype)

    def encode(self, views: Rows, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The observations of an array of views: int8, shape (n, deck, features)."""
        out = self.buffer(views.size) if out is None else out
        sets = np.zeros(MAX_SETS, dtype=np.uint64)
        encode_planes(views, self.flat.encode(views), self._shared, self._faces, sets, out)
        return out


def set_parts(rules: Rules) -> list[Part]:
    """The sets of cards, one number for each card."""
    names = {
        "hand": "in the viewer's own hand",
        "unbeaten": "an attack card that is not beaten",
        "beaten": "an attack card that is beaten, or the card that beats it",
        "discard": "discarded",
        **{f"known_{k}": f"known to be in seat {k}'s hand" for k in range(rules.players)},
        "trump": "a trump",
        "trump_card": "the card that lies face up under the stock",
        "target": "the card that a cover would beat now, or the led card of a trick",
        "unseen": "where it is the viewer cannot tell",
    }
    if rules.transfer:
        names["shown_trump"] = "a trump that was shown in this bout"
    if joker_count(rules.deck):
        names["revealed_joker"] = "a joker that was turned up before the trump card"
    if rules.stock_lead_peek:
        names["peek"] = "the top card of the stock, if the viewer may lead it"
    if rules.tricks:
        names |= {f"covering_{k}": f"seat {k}'s, on a face-down card" for k in range(2)}
    return [(name, 1, doc) for name, doc in names.items()]


def face_parts() -> list[Part]:
    """What a card is."""
    return [
        ("rank", WIDE_RANKS, "its rank, one-hot from the two; none for a joker"),
        ("suit", SUITS, "its suit, one-hot from the trumps; a joker has both of its colour"),
    ]


def card_faces(rules: Rules) -> npt.NDArray[np.int8]:
    """The numbers of `face_parts` for every card of the deck."""
    cards = [spec for spec in action_table(rules).specs if spec.kind is Kind.CARD]
    faces = np.zeros((len(cards), WIDE_RANKS + SUITS), dtype=np.int8)
    for face, spec in zip(faces, cards, strict=True):
        if spec.suit == JOKER_SUIT:
            face[WIDE_RANKS + 2 * spec.rank : WIDE_RANKS + 2 * spec.rank + 2] = 1
        else:
            face[lowest_rank(rules.deck, rules.suits) + spec.rank] = 1
            face[WIDE_RANKS + spec.suit] = 1
    return faces
