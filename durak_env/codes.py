"""Between printed cards and the engine's codes: which suit is trump is a matter of the deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from durak_env.cards import (
    JOKER_RANK,
    SUITS_OF,
    Card,
    Suit,
    full_deck,
    joker_count,
    lowest_rank,
)
from durak_env.engine.bits import JOKER, LANE
from durak_env.engine.state import PASS, SELF, SHOW, STOCK, TAKE, TARGET, TRANSFER
from durak_env.errors import NotationError
from durak_env.rules import Rules

RED = (Suit.HEARTS, Suit.DIAMONDS)


ACTION_WORDS = {PASS: "pass", TAKE: "take", STOCK: "stock"}
CARD_WORDS = {TARGET: "target", TRANSFER: "transfer", SHOW: "show", SELF: "self"}
"""The words of the actions that also name a card, by the code that they begin at."""

EXAMPLES = "a card such as 8s, pass, take, stock, or target, transfer, show, self with a card"


@dataclass(frozen=True)
class CardCodes:
    """The naming of one deal. ``suits[k]`` is the printed suit of engine suit ``k``; 0 is trump."""

    rules: Rules
    suits: tuple[int, ...]

    @classmethod
    def of_row(cls, rules: Rules, row: Any) -> CardCodes:
        """The naming of a row's deal (or a view's)."""
        return cls(rules, tuple(int(suit) for suit in row["suits"][: rules.suits]))

    @classmethod
    def of_trump(cls, rules: Rules, trump: Suit) -> CardCodes:
        """The naming when this suit is trump: then its colour's other suit, then the rest."""
        suits = SUITS_OF[rules.suits]
        return cls(
            rules,
            tuple(sorted(suits, key=lambda suit: (suit != trump, suit != trump.same_colour, suit))),
        )

    @property
    def trump(self) -> Suit:
        """The printed trump suit."""
        return Suit(self.suits[0])

    def card(self, code: int) -> Card:
        """The printed card of a code."""
        suit, rank = divmod(code, LANE)
        if rank == JOKER and joker_count(self.rules.deck):
            red = (self.trump in RED) == (suit < 2)
            return Card(JOKER_RANK, Suit.HEARTS if red else Suit.SPADES)
        return Card(lowest_rank(self.rules.deck, self.rules.suits) + rank, Suit(self.suits[suit]))

    def code(self, card: Card) -> int:
        """The code of a printed card.

        Raises:
            NotationError: the deck does not have this card.
        """
        if card not in deck_cards(self.rules.deck, self.rules.suits):
            raise NotationError(f"{card} is not in a deck of {self.rules.deck} cards")
        if card.rank == JOKER_RANK:
            trumps_colour = (card.suit in RED) == (self.trump in RED)
            suit = 2 if not trumps_colour else 0 if self.rules.trump_joker else 1
            return suit * LANE + JOKER
        rank = card.rank - lowest_rank(self.rules.deck, self.rules.suits)
        return self.suits.index(card.suit) * LANE + rank

    def cards(self, mask: int) -> list[Card]:
        """The printed cards of a set, trumps first, each suit from low to high."""
        mask = int(mask)
        return [self.card(code) for code in range(64) if mask >> code & 1]

    def mask(self, cards: Iterable[Card]) -> int:
        """The set of these cards."""
        return sum({1 << self.code(card) for card in cards})

    def action_text(self, code: int) -> str:
        """The notation of an action code."""
        if code in ACTION_WORDS:
            return ACTION_WORDS[code]
        card = str(self.card(code % 64))
        return card if code < PASS else f"{CARD_WORDS[code - code % 64]} {card}"

    def action_code(self, text: str) -> int:
        """The code of an action's notation.

        Raises:
            NotationError: the text is no action.
        """
        words = text.split()
        for code, word in ACTION_WORDS.items():
            if words == [word]:
                return code
        for code, word in CARD_WORDS.items():
            if len(words) == 2 and words[0] == word:
                return code + self.code(Card.parse(words[1]))
        if len(words) != 1:
            raise NotationError(f"{text!r} is no action; write {EXAMPLES}")
        try:
            return self.code(Card.parse(words[0]))
        except NotationError as error:
            raise NotationError(f"{text!r} is no action; write {EXAMPLES} ({error})") from None


def deck_code(card: Card, rules: Rules) -> int:
    """The code of a card in a deck that is not dealt yet: with its printed suit."""
    if card.rank == JOKER_RANK:
        return card.suit * LANE + JOKER
    return card.suit * LANE + card.rank - lowest_rank(rules.deck, rules.suits)


@lru_cache(maxsize=64)
def deck_cards(deck: int, suits: int) -> frozenset[Card]:
    """The cards of a deck as a set."""
    return frozenset(full_deck(deck, suits))
