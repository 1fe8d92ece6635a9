"""The level greedy, compiled: the cheapest card, whatever it may be needed for later."""

from __future__ import annotations

import numpy as np

from durak_env.engine.barred import beaters, trumps
from durak_env.engine.bits import lowest, ranks_of, same_rank
from durak_env.engine.jit import kernel
from durak_env.engine.state import (
    DEFEND,
    LEAD,
    PASS,
    PASS_WORD,
    SHOW,
    STOCK,
    TAKE,
    TAKE_WORD,
    TARGET,
    TRANSFER,
    TRANSFERRING,
    Row,
)


@kernel
def lowest_by_rank(cards: np.uint64) -> int:
    """The card of the lowest rank of a set; among equal ranks the first suit."""
    return lowest(cards & same_rank(lowest(ranks_of(cards))))


@kernel
def highest_by_rank(cards: np.uint64) -> int:
    """The card of the highest rank of a set; among equal ranks the first suit."""
    ranks = ranks_of(cards)
    while ranks & (ranks - np.uint64(1)) != 0:
        ranks &= ranks - np.uint64(1)
    return lowest(cards & same_rank(lowest(ranks)))


@kernel
def cheapest(v: Row, cards: np.uint64) -> int:
    """The lowest plain card of a set, or the lowest trump if there is none."""
    plain = cards & ~trumps(v)
    return lowest_by_rank(plain) if plain != 0 else lowest(cards)


@kernel
def greedy_action(v: Row) -> int:
    """Lead low, transfer and throw in plain cards, beat cheaply, take only if one must.

    In a game of tricks: lead high, win as cheaply as possible, else lose the cheapest card.
    """
    if v["plays_tricks"]:
        return greedy_trick(v)
    if v["phase"] == DEFEND:
        return greedy_defence(v)
    cards = v["legal_cards"] | v["legal_transfers"]
    if v["phase"] == LEAD and (v["attacks"] == 0 or v["legal_words"] & PASS_WORD == 0):
        return cheapest(v, cards) if cards != 0 else STOCK
    plain = cards & ~trumps(v)
    if plain == 0:
        return PASS
    return lowest_by_rank(plain) + (TRANSFER if v["phase"] == TRANSFERRING else 0)


@kernel
def greedy_defence(v: Row) -> int:
    """Show a trump or transfer a plain card, else beat as cheaply as possible, else take."""
    plain = v["legal_transfers"] & ~trumps(v)
    if v["legal_shows"] != 0:
        return SHOW + lowest(v["legal_shows"])
    if plain != 0:
        return TRANSFER + lowest_by_rank(plain)
    if v["legal_targets"] != 0:
        return TARGET + cheapest(v, v["legal_targets"])
    if v["legal_cards"] != 0:
        return cheapest(v, v["legal_cards"])
    return TAKE if v["legal_words"] & TAKE_WORD else TRANSFER + lowest(v["legal_transfers"])


@kernel
def greedy_trick(v: Row) -> int:
    """The highest card to lead; to answer, the cheapest card that wins, or else the cheapest."""
    if v["phase"] == LEAD:
        return highest_by_rank(v["legal_cards"])
    winning = v["legal_cards"] & beaters(v, int(v["target_card"]))
    return cheapest(v, winning if winning != 0 else v["legal_cards"])
