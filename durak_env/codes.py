"""Between printed cards and the engine's codes: which suit is trump is a matter of the deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from durak_env.cards import (
    JOKER_RANK,
    SUITS_OF,
    Card,
    Suit,
    full_deck,
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
    """The naming of one deal. ``suits[k]`` is the printed suit of engine suit ``k``; 0 is trump,
    unless there are no trumps."""

    rules: Rules
    suits: tuple[int, ...]
    no_trump: bool = False

    @classmethod
    def of_row(cls, rules: Rules, row: Any) -> CardCodes:
        """The naming of a row's deal (or a view's)."""
        return card_codes(rules, tuple(row["suits"][: rules.suits].tolist()), bool(row["no_trump"]))

    @classmethod
    def of_first_suit(cls, rules: Rules, first: Suit, *, no_trump: bool = False) -> CardCodes:
        """The naming that begins with this suit, the trumps if there are any: then comes the other
        suit of its colour, then the rest."""
        suits = SUITS_OF[rules.suits]
        order = sorted(suits, key=lambda suit: (suit != first, suit != first.same_colour, suit))
        return cls(rules, tuple(order), no_trump)

    @property
    def first_suit(self) -> Suit:
        """The printed suit of engine suit 0."""
        return Suit(self.suits[0])

    @property
    def trump(self) -> Suit | None:
        """The printed trump suit; None in a deal without trumps."""
        return None if self.no_trump else self.first_suit

    @cached_property
    def _codes(self) -> dict[Card, int]:
        """The code of every card of the deck."""
        deck = full_deck(self.rules.deck, self.rules.suits)
        return {card: self._code_of(card) for card in deck}

    @cached_property
    def _cards(self) -> dict[int, Card]:
        """The card of every code."""
        return {code: card for card, code in self._codes.items()}

    def card(self, code: int) -> Card:
        """The printed card of a code."""
        return self._cards[code]

    def code(self, card: Card) -> int:
        """The code of a printed card.

        Raises:
            NotationError: the deck does not have this card.
        """
        if card not in self._codes:
            raise NotationError(f"{card} is not in a deck of {self.rules.deck} cards")
        return self._codes[card]

    def _code_of(self, card: Card) -> int:
        if card.rank == JOKER_RANK:
            first_colour = (card.suit in RED) == (self.first_suit in RED)
            is_trump = self.rules.trump_joker and not self.no_trump
            suit = 2 if not first_colour else 0 if is_trump else 1
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


@lru_cache(maxsize=256)
def card_codes(rules: Rules, suits: tuple[int, ...], no_trump: bool) -> CardCodes:
    """The naming of a deal; equal deals share one, which holds tables of its cards."""
    return CardCodes(rules, suits, no_trump)
