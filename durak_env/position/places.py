"""What both kinds of position have in common: each card stands once, ``?`` is drawn by lot."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from durak_env.cards import Card, full_deck
from durak_env.codes import CardCodes
from durak_env.errors import NotationError


def cards_not_in(placed: list[Card], codes: CardCodes) -> list[Card]:
    """The cards of the deck that are not among these.

    Raises:
        NotationError: one of these is not in the deck, or stands twice.
    """
    for card in placed:
        codes.code(card)
        if placed.count(card) > 1:
            raise NotationError(f"{card} stands twice")
    return [card for card in full_deck(codes.rules.deck, codes.rules.suits) if card not in placed]


def fill_unknown(groups: Iterable[list[str]], spare: list[Card], seed: int | None) -> None:
    """Replace every ``?`` by a card drawn from the spare ones, which are used up.

    Raises:
        NotationError: there are not enough of them.
    """
    groups = list(groups)
    missing = sum(words.count("?") for words in groups)
    if missing > len(spare):
        raise NotationError(f"{missing} cards are ?, but only {len(spare)} stand nowhere")
    np.random.default_rng(seed).shuffle(spare)
    for words in groups:
        for k, word in enumerate(words):
            if word == "?":
                words[k] = str(spare.pop())
