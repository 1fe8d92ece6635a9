"""The action table of a game: what each action id means, and how it is written.

An action is one card or one word. Playing a card leads, throws in, adds or beats, as the phase
says. The notation of a card action is the card (``8s``); the words are ``pass``, ``take`` and,
where the rules let the defender choose what to beat, ``target 8s``.

The table is part of the public contract. Its ids are relative to the trump suit, as everything that
a learner sees: id 0 is the lowest trump.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from durak_env.cards import RANKS, lowest_rank
from durak_env.rules import Rules


class Kind(StrEnum):
    """What an action does."""

    CARD = "card"
    PASS = "pass"
    TAKE = "take"
    TARGET = "target"


SUIT_NAMES = ("trump", "trump's colour", "other 1", "other 2")
"""The suits as an action id counts them."""


@dataclass(frozen=True)
class ActionSpec:
    """One row of the action table. ``suit`` counts from the trump suit, ``rank`` from the deck's
    lowest rank; both are -1 for a word."""

    id: int
    kind: Kind
    suit: int = -1
    rank: int = -1

    @property
    def is_word(self) -> bool:
        """Whether the action names no card."""
        return self.kind in (Kind.PASS, Kind.TAKE)


@dataclass(frozen=True)
class ActionTable:
    """All actions of a game under these rules, by id."""

    rules: Rules

    @cached_property
    def specs(self) -> tuple[ActionSpec, ...]:
        """Every action; ``specs[k].id == k``."""
        ranks = self.rules.deck // 4
        cards = [(suit, rank) for suit in range(4) for rank in range(ranks)]
        rows: list[tuple[Kind, int, int]] = [(Kind.CARD, suit, rank) for suit, rank in cards]
        rows += [(Kind.PASS, -1, -1), (Kind.TAKE, -1, -1)]
        if self.rules.cover_order == "any":
            rows += [(Kind.TARGET, suit, rank) for suit, rank in cards]
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
        low = lowest_rank(self.rules.deck)
        lines = [
            f"{spec.id} {spec.kind} "
            + ("" if spec.is_word else f"{spec.suit} {RANKS[low + spec.rank]}")
            for spec in self.specs
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def describe(self, action: int) -> str:
        """An action in words, for documentation: ``play 8 of trump``."""
        spec = self.specs[action]
        if spec.is_word:
            return str(spec.kind)
        rank = RANKS[lowest_rank(self.rules.deck) + spec.rank]
        verb = "play" if spec.kind is Kind.CARD else "beat next:"
        return f"{verb} {rank} of {SUIT_NAMES[spec.suit]}"


@lru_cache(maxsize=64)
def action_table(rules: Rules) -> ActionTable:
    """The action table of these rules."""
    return ActionTable(rules)
