"""Between printed cards and the engine's codes: which suit is trump is a matter of the deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from durak_env.cards import Card, Suit, lowest_rank
from durak_env.engine.bits import LANE
from durak_env.engine.state import PASS, TAKE, TARGET
from durak_env.errors import NotationError


@dataclass(frozen=True)
class CardCodes:
    """The naming of one deal. ``suits[k]`` is the printed suit of engine suit ``k``; 0 is trump."""

    deck: int
    suits: tuple[int, ...]

    @classmethod
    def of_trump(cls, deck: int, trump: Suit) -> CardCodes:
        """The naming when this suit is trump: then its colour's other suit, then the rest."""
        others = sorted({*Suit} - {trump, trump.same_colour})
        return cls(deck, (trump, trump.same_colour, *others))

    @property
    def trump(self) -> Suit:
        """The printed trump suit."""
        return Suit(self.suits[0])

    def card(self, code: int) -> Card:
        """The printed card of a code."""
        return Card(lowest_rank(self.deck) + code % LANE, Suit(self.suits[code // LANE]))

    def code(self, card: Card) -> int:
        """The code of a printed card.

        Raises:
            NotationError: the deck does not have this card.
        """
        return self.suits.index(card.suit) * LANE + rank_index(card, self.deck)

    def cards(self, mask: int) -> list[Card]:
        """The printed cards of a set, trumps first, each suit from low to high."""
        mask = int(mask)
        return [self.card(code) for code in range(64) if mask >> code & 1]

    def mask(self, cards: Iterable[Card]) -> int:
        """The set of these cards."""
        return sum({1 << self.code(card) for card in cards})

    def action_text(self, code: int) -> str:
        """The notation of an action code."""
        if code == PASS:
            return "pass"
        if code == TAKE:
            return "take"
        return str(self.card(code)) if code < PASS else f"target {self.card(code - TARGET)}"

    def action_code(self, text: str) -> int:
        """The code of an action's notation.

        Raises:
            NotationError: the text is no action.
        """
        words = text.split()
        if words == ["pass"]:
            return PASS
        if words == ["take"]:
            return TAKE
        if len(words) == 2 and words[0] == "target":
            return TARGET + self.code(Card.parse(words[1]))
        if len(words) != 1:
            raise NotationError(
                f"{text!r} is no action; write a card such as 8s, pass, take or target 8s"
            )
        try:
            return self.code(Card.parse(words[0]))
        except NotationError as error:
            raise NotationError(
                f"{text!r} is no action; write a card such as 8s, pass, take or target 8s ({error})"
            ) from None


def rank_index(card: Card, deck: int) -> int:
    """The rank counted from the deck's lowest.

    Raises:
        NotationError: the deck does not have this rank.
    """
    index = card.rank - lowest_rank(deck)
    if index < 0:
        raise NotationError(f"{card} is not in a deck of {deck} cards")
    return index
