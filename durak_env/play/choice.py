"""What a person may do now, in which order, and what is meant by an input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from durak_env.actions import Kind
from durak_env.cards import JOKER_RANK, Card, Suit
from durak_env.errors import DurakError, IllegalActionError, NotationError
from durak_env.game import Action, Game


class Order(StrEnum):
    """How a hand is sorted (S003-9)."""

    RANK = "rank"
    SUIT = "suit"


KINDS = {
    "play": Kind.CARD,
    "beat": Kind.CARD,
    "done": Kind.PASS,
    **{str(kind): kind for kind in Kind if kind is not Kind.CARD},
}
"""The words that name a kind of action; ``done`` is what the buttons of card games say (S003-9)."""

CARDS_FIRST = (Kind.CARD, Kind.SELF, Kind.TRANSFER, Kind.SHOW, Kind.TARGET)
"""The order in which the kinds of action are offered; the words come last."""


@dataclass(frozen=True)
class Use:
    """One thing to do: an action with its number in the list of options.

    ``cover`` is the card that then beats the target, where the action only turns to a target.
    """

    number: int
    action: Action
    cover: Card | None = None

    @property
    def actions(self) -> list[str]:
        """The actions one after another."""
        return [str(self.action), *([] if self.cover is None else [str(self.cover)])]

    @property
    def card(self) -> Card | None:
        """The card of the hand that is used, or the target."""
        return self.action.card if self.cover is None else self.cover

    def is_named(self, answer: str) -> bool:
        """Whether this tells the use from the others of the same card."""
        kind = self.action.kind
        names = {str(self.number), str(self.action)}
        if kind is Kind.CARD:
            names = {str(self.number), *(word for word, meant in KINDS.items() if meant is kind)}
        elif kind is Kind.TARGET:
            names.add(str(self.action.card))
        else:
            names.add(str(kind))
        return answer.lower() in {name.lower() for name in names}


def sort_key(order: Order, trump: Suit | None) -> Callable[[Card], tuple[int, ...]]:
    """What sorts cards by rank or by suit; trumps and jokers come last."""

    def key(card: Card) -> tuple[int, ...]:
        group = 2 if card.rank == JOKER_RANK else 1 if card.suit is trump else 0
        parts = (card.rank, card.suit) if order is Order.RANK else (card.suit, card.rank)
        return (group, *parts)

    return key


def options(game: Game, order: Order) -> list[Action]:
    """What the actor may do, cards in the order of the hand, words last."""
    by_card = sort_key(order, game.trump)

    def key(action: Action) -> tuple[int, ...]:
        if action.card is None:
            return (len(CARDS_FIRST), action.id)
        return (CARDS_FIRST.index(action.kind), *by_card(action.card))

    return sorted(game.legal_actions(), key=key)


def uses_of(text: str, game: Game, offered: Sequence[Action]) -> list[Use]:
    """All that an input can mean: a number of the list, a card, or an action in notation.

    A card means everything that it can do now (S003-8), a word such as ``transfer`` every action of
    its kind.

    Raises:
        NotationError: it is none of these.
        IllegalActionError: it means nothing that is legal now.
    """
    if text.isdecimal():
        return [use_of_number(text, offered)]
    kind, card = parse_move(text)
    uses = [
        Use(number, action)
        for number, action in enumerate(offered, start=1)
        if kind in (None, action.kind) and card in (None, action.card)
    ]
    if kind in (None, Kind.CARD) and card is not None:
        uses += covers_by(card, game, offered)
    if not uses:
        raise IllegalActionError(f"{text!r} is not possible now: {ask_for_number(offered)}")
    return uses


def use_of_number(text: str, offered: Sequence[Action]) -> Use:
    """The use of a number of the list.

    Raises:
        NotationError: the list does not have it.
    """
    numbered = {str(number): Use(number, action) for number, action in enumerate(offered, start=1)}
    if text not in numbered:
        raise NotationError(f"there is no move {text}: {ask_for_number(offered)}")
    return numbered[text]


def parse_move(text: str) -> tuple[Kind | None, Card | None]:
    """The kind of action and the card that an input names.

    Raises:
        NotationError: it names neither.
    """
    first, _, rest = text.lower().partition(" ")
    kind = KINDS.get(first)
    card_text = text if kind is None else rest
    try:
        return kind, Card.parse(card_text) if card_text.strip() else None
    except DurakError:
        raise NotationError(
            f"{text!r} is no move: type a number of the list, a card such as 8s, or help"
        ) from None


def covers_by(card: Card, game: Game, offered: Sequence[Action]) -> list[Use]:
    """Where the target is chosen first: every target that a card beats."""
    pairs = game.covers()
    return [
        Use(number, action, card)
        for number, action in enumerate(offered, start=1)
        if action.kind is Kind.TARGET and (action.card, card) in pairs
    ]


def ask_for_number(offered: Sequence[Action]) -> str:
    """What to type instead."""
    return "type 1" if len(offered) == 1 else f"type a number from 1 to {len(offered)}"
