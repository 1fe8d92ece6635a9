"""The cards: suits, ranks, decks and their text form.

A card is written as its rank followed by the letter of its suit: ``6s``, ``10h``, ``Qd``, ``Ac``.
Ranks are compared by index, never by text (P4).
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from durak_env.errors import NotationError


class Suit(IntEnum):
    """A suit by its printed name; the trump suit is a matter of the deal, not of the card."""

    SPADES = 0
    CLUBS = 1
    HEARTS = 2
    DIAMONDS = 3

    @property
    def letter(self) -> str:
        """``s``, ``c``, ``h`` or ``d``."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """``♠``, ``♣``, ``♥`` or ``♦``."""
        return SUIT_SYMBOLS[self]

    @property
    def same_colour(self) -> Suit:
        """The other suit of this suit's colour."""
        return Suit(self ^ 1)


SUIT_LETTERS = "schd"
SUIT_SYMBOLS = "♠♣♥♦"

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""All ranks from low to high."""

DECKS = (24, 32, 36, 52)
"""The sizes of deck: four suits of the highest ``size / 4`` ranks (P1)."""


class Card(NamedTuple):
    """One card. ``rank`` is an index into `RANKS`."""

    rank: int
    suit: Suit

    def __str__(self) -> str:
        return RANKS[self.rank] + self.suit.letter

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``8s``, ``10h`` (``Th`` and ``10♥`` are understood too).

        Raises:
            NotationError: the text names no card.
        """
        text = text.strip()
        rank_text, suit_text = text[:-1].upper(), text[-1:].lower()
        rank_text = "10" if rank_text == "T" else rank_text
        suit = max(SUIT_LETTERS.find(suit_text), SUIT_SYMBOLS.find(suit_text)) if suit_text else -1
        if rank_text not in RANKS or suit < 0:
            raise NotationError(
                f"{text!r} is no card; a card is a rank ({' '.join(RANKS)}) "
                f"and a suit ({' '.join(SUIT_LETTERS)}), such as 10h"
            )
        return cls(RANKS.index(rank_text), Suit(suit))


def parse_cards(text: str) -> list[Card]:
    """Read cards separated by blanks.

    Raises:
        NotationError: a word is no card.
    """
    return [Card.parse(word) for word in text.split()]


def format_cards(cards: list[Card]) -> str:
    """The cards separated by blanks, in the order given."""
    return " ".join(map(str, cards))


def lowest_rank(deck: int) -> int:
    """Index into `RANKS` of the lowest rank of a deck of this size."""
    return len(RANKS) - deck // len(Suit)


def full_deck(deck: int) -> list[Card]:
    """All cards of a deck of this size, suit by suit, low to high."""
    return [Card(rank, suit) for suit in Suit for rank in range(lowest_rank(deck), len(RANKS))]
