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

JOKER_RANK = 13
"""The rank of both jokers: above the ace, and a rank of its own (P7)."""

JOKER_TEXTS = {"*r": Suit.HEARTS, "*b": Suit.SPADES}
"""The red and the black joker; the suit of a joker only stands for its colour."""

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""All ranks from low to high."""

DECKS = (24, 32, 36, 52, 54)
"""The usual sizes of deck: four suits of the highest ranks; 54 has two jokers as well (P1)."""

SUITS_OF = {
    2: (Suit.SPADES, Suit.HEARTS),
    3: (Suit.SPADES, Suit.CLUBS, Suit.HEARTS),
    4: tuple(Suit),
}
"""The suits of a deck by their number; fewer than four make small decks for research."""


class Card(NamedTuple):
    """One card. ``rank`` is an index into `RANKS`."""

    rank: int
    suit: Suit

    def __str__(self) -> str:
        if self.rank == JOKER_RANK:
            return "*r" if self.suit is Suit.HEARTS else "*b"
        return RANKS[self.rank] + self.suit.letter

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``8s``, ``10h`` (``Th`` and ``10♥`` are understood too), ``*r``, ``*b``.

        Raises:
            NotationError: the text names no card.
        """
        text = text.strip()
        if text.lower() in JOKER_TEXTS:
            return cls(JOKER_RANK, JOKER_TEXTS[text.lower()])
        rank_text, suit_text = text[:-1].upper(), text[-1:].lower()
        rank_text = "10" if rank_text == "T" else rank_text
        suit = max(SUIT_LETTERS.find(suit_text), SUIT_SYMBOLS.find(suit_text)) if suit_text else -1
        if rank_text not in RANKS or suit < 0:
            raise NotationError(
                f"{text!r} is no card; a card is a rank ({' '.join(RANKS)}) "
                f"and a suit ({' '.join(SUIT_LETTERS)}), such as 10h, or a joker, *r or *b"
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


def rank_count(deck: int, suits: int = 4) -> int:
    """The number of ranks of a deck, jokers not counted."""
    return (deck - joker_count(deck)) // suits


def joker_count(deck: int) -> int:
    """Two in a deck of 54, none in any other."""
    return 2 if deck == 54 else 0


def lowest_rank(deck: int, suits: int = 4) -> int:
    """Index into `RANKS` of the lowest rank of a deck."""
    return len(RANKS) - rank_count(deck, suits)


def full_deck(deck: int, suits: int = 4) -> list[Card]:
    """All cards of a deck, suit by suit, low to high, then the jokers."""
    ranks = range(lowest_rank(deck, suits), len(RANKS))
    cards = [Card(rank, suit) for suit in SUITS_OF[suits] for rank in ranks]
    jokers = [Card(JOKER_RANK, suit) for suit in JOKER_TEXTS.values()]
    return cards + (jokers if joker_count(deck) else [])
