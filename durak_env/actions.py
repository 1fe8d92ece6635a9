"""The action table of a game: what each action id means, and how it is written.

An action is one card or one word. Playing a card leads, throws in, adds or beats, as the phase
says. The notation of a card action is the card (``8s``); the words are ``pass``, ``take`` and
``stock`` (lead the top card of the stock). Where the rules have them, ``target 8s`` chooses what is
beaten next, ``transfer 8s`` and ``show 8d`` pass the attack on, and with ``self 8s`` the defender
throws in to itself.

The table is part of the public contract. Its ids are relative to the trump suit, as everything that
a learner sees: id 0 is the lowest trump.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from durak_env.cards import RANKS, joker_count, lowest_rank, rank_count
from durak_env.rules import Rules

JOKER_SUIT = 4


class Kind(StrEnum):
    """What an action does."""

    CARD = "card"
    PASS = "pass"
    TAKE = "take"
    STOCK = "stock"
    TARGET = "target"
    TRANSFER = "transfer"
    SHOW = "show"
    SELF = "self"


WORDS = (Kind.PASS, Kind.TAKE, Kind.STOCK)

VERBS = {
    Kind.CARD: "play",
    Kind.TARGET: "beat next:",
    Kind.TRANSFER: "transfer with",
    Kind.SHOW: "transfer by showing",
    Kind.SELF: "throw in to oneself:",
}

SUIT_NAMES = ("trump", "trump's colour", "other 1", "other 2")
"""The suits as an action id counts them."""

JOKER_NAMES = ("joker of the trump's colour", "other joker")


@dataclass(frozen=True)
class ActionSpec:
    """One row of the action table. ``suit`` counts from the trump suit, ``rank`` from the deck's
    lowest rank; a joker has suit 4 and rank 0 (of the trump's colour) or 1. A word has -1."""

    id: int
    kind: Kind
    suit: int = -1
    rank: int = -1

    @property
    def is_word(self) -> bool:
        """Whether the action names no card."""
        return self.kind in WORDS


@dataclass(frozen=True)
class ActionTable:
    """All actions of a game under these rules, by id."""

    rules: Rules

    @cached_property
    def specs(self) -> tuple[ActionSpec, ...]:
        """Every action; ``specs[k].id == k``."""
        rules = self.rules
        ranks = rank_count(rules.deck, rules.suits)
        cards = [(suit, rank) for suit in range(rules.suits) for rank in range(ranks)]
        jokers = [(JOKER_SUIT, k) for k in range(joker_count(rules.deck))]
        rows: list[tuple[Kind, int, int]] = [(Kind.CARD, *card) for card in cards + jokers]
        rows += [(Kind.PASS, -1, -1), (Kind.TAKE, -1, -1)]
        rows += [(Kind.STOCK, -1, -1)] * rules.stock_lead
        if rules.cover_order == "any":
            rows += [(Kind.TARGET, *card) for card in cards + jokers]
        if rules.transfer:
            rows += [(Kind.TRANSFER, *card) for card in cards + jokers]
        if rules.show_transfer:
            rows += [(Kind.SHOW, *card) for card in cards[:ranks] + jokers[:1]]
        if rules.self_throw != "none":
            rows += [(Kind.SELF, *card) for card in cards + jokers]
        return tuple(ActionSpec(k, *row) for k, row in enumerate(rows))

    def __len__(self) -> int:
        return len(self.specs)

    @property
    def pass_id(self) -> int:
        """Id of ``pass``."""
        return self.rules.deck

    @property
    def take_id(self) -> int:
        """Id of ``take``."""
        return self.rules.deck + 1

    @cached_property
    def digest(self) -> str:
        """A hash of the whole table, written into every exported agent."""
        lines = [self.describe(spec.id) for spec in self.specs]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def describe(self, action: int) -> str:
        """An action in words, for documentation: ``play 8 of trump``."""
        spec = self.specs[action]
        if spec.is_word:
            return str(spec.kind)
        if spec.suit == JOKER_SUIT:
            return f"{VERBS[spec.kind]} {JOKER_NAMES[spec.rank]}"
        rank = RANKS[lowest_rank(self.rules.deck, self.rules.suits) + spec.rank]
        return f"{VERBS[spec.kind]} {rank} of {SUIT_NAMES[spec.suit]}"


@lru_cache(maxsize=64)
def action_table(rules: Rules) -> ActionTable:
    """The action table of these rules."""
    return ActionTable(rules)


# --- one table for all games --------------------------------------------------------------------

UNIVERSAL = Rules.preset(
    "jokers",
    cover_order="any",
    transfer=True,
    show_transfer=True,
    self_throw="free",
    stock_lead=True,
)
"""Rules with every card and every kind of action."""


def universal_table() -> ActionTable:
    """The action table that serves all rules: every card of the largest deck, ranks counted from
    the two, and every kind of action. What a game has no use for is never legal there."""
    return action_table(UNIVERSAL)


@lru_cache(maxsize=64)
def universal_ids(rules: Rules) -> tuple[int, ...]:
    """For every id in the action table of these rules, the id of the same action in
    `universal_table`."""
    lowest = lowest_rank(rules.deck, rules.suits)

    def key(spec: ActionSpec, above: int) -> tuple[Kind, int, int]:
        plain = not spec.is_word and spec.suit != JOKER_SUIT
        return spec.kind, spec.suit, spec.rank + (above if plain else 0)

    wide = {key(spec, 0): spec.id for spec in universal_table().specs}
    return tuple(wide[key(spec, lowest)] for spec in action_table(rules).specs)
