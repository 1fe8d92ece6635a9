"""The level medium, compiled: moves by their cost, from a memory of what is out (S003-36)."""

from __future__ import annotations

import numpy as np

from durak_env.belief.kernels import hidden_cards
from durak_env.engine.barred import beaters, special, trumps
from durak_env.engine.bits import (
    JOKER,
    LANE,
    ONE,
    bit,
    lowest,
    popcount,
    same_rank,
)
from durak_env.engine.jit import kernel
from durak_env.engine.state import (
    ADD,
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
from durak_env.opponents.greedy.kernels import greedy_trick

PAIR = 2
"""Ranks by which a card may be higher than another and still be led before it, as it has a twin
(S003-31, S001-22)."""

TRUMP = 20
"""What a trump costs besides its rank: more than any plain card."""

LAST = 5
"""With so few cards left and no stock, trumps are thrown in as well (S003-34)."""

HIGH_TRUMP = 0.8
"""From this share of its suit on a trump is a high one (S001-21, S003-29)."""

WORTH_HAVING = 0.8
"""A plain card above this share of its suit is rather taken than beaten with a trump (S001-23)."""

CHEAP_COUNT = 2
"""So many low cards are rather taken than beaten with a high trump (S003-30)."""


@kernel
def height(v: Row, card: int) -> float:
    """How high a card is in its suit, 0 to 1; a joker is higher than that."""
    rank = card % LANE
    return 1.25 if rank == JOKER else rank / max(1, int(v["ranks"]) - 1)


@kernel
def cost(v: Row, card: int) -> int:
    """What it costs to give a card away: its rank, and more for a trump (S003-29)."""
    rank = card % LANE
    return rank + TRUMP if trumps(v) & bit(card) != 0 else rank


@kernel
def twins(v: Row, card: int) -> int:
    """How many plain cards of the same rank the viewer has besides this one."""
    return popcount(v["hand"] & same_rank(card) & ~trumps(v) & ~bit(card))


@kernel
def cheapest_of(v: Row, cards: np.uint64) -> int:
    """The card that it costs least to give away; among equal ones the first suit."""
    best, least = lowest(cards), 1000
    while cards != 0:
        card = lowest(cards)
        cards &= cards - ONE
        if cost(v, card) < least:
            best, least = card, cost(v, card)
    return best


@kernel
def below_height(v: Row, cards: np.uint64, limit: float) -> np.uint64:
    """The plain cards of a set that are not higher than this."""
    found, rest = np.uint64(0), cards & ~trumps(v)
    while rest != 0:
        card = lowest(rest)
        rest &= rest - ONE
        if height(v, card) <= limit:
            found |= bit(card)
    return found


@kernel
def never_beaten(v: Row, cards: np.uint64) -> np.uint64:
    """The cards of a set that no card of the defender can beat, as all that could are out
    (S001-24, S003-5, S003-32)."""
    may_hold = hidden_cards(v) | v["known"][v["defender"]]
    found = np.uint64(0)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - ONE
        if may_hold & beaters(v, card) == 0:
            found |= bit(card)
    return found


@kernel
def plan_covers(v: Row) -> np.uint64:
    """The cards that would beat all that is not beaten yet; the empty set if they cannot.

    Those with the fewest beaters first, each by the cheapest card: in one suit, what beats the
    higher card beats the lower one as well, so that no other choice could beat more.
    """
    hand = v["hand"] & ~special(v, int(v["seat"]))
    plan, left = np.uint64(0), v["unbeaten"]
    if left & special(v, int(v["seat"])) != 0:
        return np.uint64(0)
    while left != 0:
        hardest, fewest, rest = lowest(left), 65, left
        while rest != 0:
            card = lowest(rest)
            rest &= rest - ONE
            count = popcount(beaters(v, card))
            if count < fewest:
                hardest, fewest = card, count
        left ^= bit(hardest)
        able = hand & beaters(v, hardest)
        if able == 0:
            return np.uint64(0)
        chosen = bit(cheapest_of(v, able))
        hand ^= chosen
        plan |= chosen
    return plan


@kernel
def medium_action(v: Row) -> int:
    """Lead and throw in by cost, beat all or nothing; tricks are played as greedy plays them."""
    if v["plays_tricks"]:
        return greedy_trick(v)
    if v["phase"] == DEFEND:
        return medium_defence(v)
    if v["phase"] == LEAD and (v["attacks"] == 0 or v["legal_words"] & PASS_WORD == 0):
        return medium_lead(v) if v["legal_cards"] != 0 else STOCK
    cards = v["legal_cards"] | v["legal_transfers"]
    if not finishes(v):
        cards &= ~trumps(v)
    if cards == 0:
        return PASS
    return cheapest_of(v, cards) + (TRANSFER if v["phase"] == TRANSFERRING else 0)


@kernel
def finishes(v: Row) -> bool:
    """Whether the deal is so near its end that a trump is better gone (S003-34).

    With epaulettes a trump is worth keeping: it may be one to hang (S000-30).
    """
    if v["stock_count"] > 0 or v["epaulettes"]:
        return False
    left, holders = popcount(v["hand"]), 0
    for seat in range(v["players"]):
        holders += v["hand_sizes"][seat] > 0
    return left <= (1 if v["phase"] == ADD or holders > 2 else LAST)


@kernel
def medium_lead(v: Row) -> int:
    """The cheapest card, rather one of a pair; without a stock one that cannot be beaten."""
    rest = v["legal_cards"]
    if v["stock_count"] == 0:
        sure = never_beaten(v, rest & ~trumps(v))
        rest = sure if sure != 0 else rest
    best, least = lowest(rest), 1000
    while rest != 0:
        card = lowest(rest)
        rest &= rest - ONE
        price = cost(v, card) - PAIR * min(1, twins(v, card))
        if price < least:
            best, least = card, price
    return best


@kernel
def medium_defence(v: Row) -> int:
    """Show a trump or transfer a plain card; beat the whole table cheaply, else take."""
    plain = v["legal_transfers"] & ~trumps(v)
    if v["legal_shows"] != 0:
        return SHOW + lowest(v["legal_shows"])
    if plain != 0:
        return TRANSFER + cheapest_of(v, plain)
    if v["legal_words"] & TAKE_WORD:
        plan = plan_covers(v)
        if plan == 0 or wastes_trumps(v, plan):
            return TAKE
    if v["legal_targets"] != 0:
        return TARGET + cheapest_of(v, v["legal_targets"])
    if v["legal_cards"] != 0:
        return cheapest_of(v, v["legal_cards"])
    return TRANSFER + lowest(v["legal_transfers"])


@kernel
def wastes_trumps(v: Row, plan: np.uint64) -> bool:
    """Whether, early in the deal, these covers would spend trumps where taking is the better deal:
    on a plain card worth having, or high ones on a few low cards (S001-23, S003-30)."""
    spent = plan & trumps(v)
    if v["stock_count"] == 0 or spent == 0 or v["attacks"] > CHEAP_COUNT:
        return False
    if below_height(v, v["unbeaten"], WORTH_HAVING) != v["unbeaten"]:
        return bool(v["unbeaten"] & trumps(v) == 0)
    highest = 0.0
    while spent != 0:
        highest = max(highest, height(v, lowest(spent)))
        spent &= spent - ONE
    return highest >= HIGH_TRUMP
