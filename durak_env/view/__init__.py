"""`PlayerView`: all that one seat may know, and nothing else."""

from __future__ import annotations

import numpy as np

from durak_env.cards import Card, Suit, full_deck
from durak_env.codes import CardCodes
from durak_env.engine.batch import action_id
from durak_env.engine.bits import JOKER, JOKERS, LANE
from durak_env.engine.state import (
    PASS,
    SELF,
    SHOW,
    STOCK,
    TAKE,
    TARGET,
    TRANSFER,
    Phase,
    Rows,
)
from durak_env.rules import Rules
from durak_env.view.kernels import VIEW, observe, observe_many

RARE_KINDS = {
    "legal_targets": TARGET,
    "legal_transfers": TRANSFER,
    "legal_shows": SHOW,
    "legal_selfs": SELF,
}
"""Fields of legal cards by the code that their kind of action begins at."""

ALL_JOKERS = int(JOKERS)
CARDS_THEN_JOKERS = sorted(range(64), key=lambda code: code % LANE == JOKER)
"""The codes in the order of action ids."""

__all__ = ["VIEW", "PlayerView", "observe", "observe_many"]


class PlayerView:
    """One seat's view of a game, with printed cards.

    Seats are relative: 0 is the viewer, 1 the seat to the left, and so on. A view is a copy: it
    does not change when the game goes on. ``record`` holds it as the kernels do.
    """

    def __init__(self, rules: Rules, record: Rows) -> None:
        """``record`` is an array with the one record of dtype `VIEW` to read."""
        self.rules = rules
        self.record = record
        self._v = record[0]
        self._codes = CardCodes.of_row(rules, self._v)

    @classmethod
    def of(cls, rules: Rules, rows: Rows, i: int, seat: int) -> PlayerView:
        """The view of an absolute seat on row ``i``."""
        record = np.zeros(1, dtype=VIEW)
        observe(rows, i, seat, record, 0)
        return cls(rules, record)

    def _relative(self, seat: int) -> int:
        return (seat - self.seat) % self.players

    def _absolute(self, seat: int) -> int:
        return (seat + self.seat) % self.players

    @property
    def seat(self) -> int:
        """The viewer's own seat, the only absolute number here."""
        return int(self._v["seat"])

    @property
    def players(self) -> int:
        """How many seats there are."""
        return int(self._v["players"])

    @property
    def phase(self) -> Phase:
        """What the actor is asked for."""
        return Phase(int(self._v["phase"]))

    @property
    def actor(self) -> int | None:
        """The seat that is asked; None when the deal is over."""
        actor = int(self._v["actor"])
        return None if actor < 0 else self._relative(actor)

    @property
    def leader(self) -> int:
        """The seat that opened the bout."""
        return self._relative(int(self._v["leader"]))

    @property
    def attacker(self) -> int:
        """The seat with the first right to throw in."""
        return self._relative(int(self._v["attacker"]))

    @property
    def defender(self) -> int:
        """The seat that must answer."""
        return self._relative(int(self._v["defender"]))

    @property
    def room(self) -> int:
        """How many more attack cards may be laid now."""
        return int(self._v["room"])

    @property
    def hand(self) -> list[Card]:
        """The viewer's own cards, trumps first."""
        return self._codes.cards(self._v["hand"])

    def known(self, seat: int) -> list[Card]:
        """The cards of a seat's hand that everybody has seen (one's own hand: all of it)."""
        if seat == 0:
            return self.hand
        return self._codes.cards(self._v["known"][self._absolute(seat)])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The number of cards of each seat."""
        sizes = self._v["hand_sizes"]
        return tuple(int(sizes[self._absolute(seat)]) for seat in range(self.players))

    @property
    def table(self) -> list[tuple[Card, Card | None]]:
        """Attack cards in the order in which they were laid, each with its cover."""
        pairs = zip(self._v["attack"], self._v["cover"], strict=True)
        card = self._codes.card
        return [
            (card(int(attack)), card(int(cover)) if cover >= 0 else None)
            for attack, cover in list(pairs)[: int(self._v["attacks"])]
        ]

    @property
    def discard(self) -> list[Card]:
        """The cards that were discarded; everybody saw them fall."""
        return self._codes.cards(self._v["discard"])

    @property
    def unseen(self) -> list[Card]:
        """The cards that are in the stock or in other hands, the viewer cannot tell which."""
        seen = int(self._v["discard"]) | int(self._v["table"]) | int(self._v["hand"])
        for seat in range(self.players):
            seen |= int(self._v["known"][seat])
        if self.stock_count:
            seen |= 1 << int(self._v["trump_card"])  # a game of tricks has no stock
        for card in self._v["revealed"]:
            seen |= 1 << int(card) if card >= 0 else 0
        deck = self._codes.mask(full_deck(self.rules.deck, self.rules.suits))
        return self._codes.cards(deck & ~seen)

    @property
    def peek(self) -> Card | None:
        """The top card of the stock, for a leader who may look at it before leading it (P22a)."""
        return self._codes.card(int(self._v["peek"])) if self._v["peek"] >= 0 else None

    @property
    def stock_count(self) -> int:
        """Cards left in the stock, the face-up trump included."""
        return int(self._v["stock_count"])

    @property
    def trump_card(self) -> Card | None:
        """The card that was turned up and named the trump suit; it lies under the stock until it is
        drawn. A joker says that there are no trumps (P24); None in a game of tricks."""
        code = int(self._v["trump_card"])
        return None if code < 0 else self._codes.card(code)

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in a deal without trumps."""
        return self._codes.trump

    def row(self, seat: int) -> list[tuple[bool, Card | None]]:
        """The places of a seat's row in a game of tricks: whether a face-down card lies there, and
        the face-up card, if any. Empty in any other game."""
        if not self.rules.tricks:
            return []
        absolute = self._absolute(seat)
        covered = int(self._v["covered"][absolute])
        ups = [int(code) for code in self._v["up"][absolute][: self.rules.hand_size]]
        return [
            (bool(covered >> place & 1), None if up < 0 else self._codes.card(up))
            for place, up in enumerate(ups)
        ]

    @property
    def tricks(self) -> tuple[int, ...]:
        """The tricks that each seat has won in a game of tricks; empty in any other game."""
        seats = range(self.players if self.rules.tricks else 0)
        return tuple(int(self._v["tricks"][self._absolute(seat)]) for seat in seats)

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that left the deal, in that order."""
        return tuple(self._relative(int(p)) for p in self._v["places"][: int(self._v["placed"])])

    def legal_codes(self) -> list[int]:
        """The engine codes of what the viewer may do now; empty if the viewer is not asked."""
        return legal_codes(self.record)

    def legal_ids(self) -> list[int]:
        """Their ids in the action table."""
        return [int(action_id(self.record, 0, code)) for code in self.legal_codes()]

    def legal_actions(self) -> list[str]:
        """The same in notation."""
        return [self._codes.action_text(code) for code in self.legal_codes()]

    def __repr__(self) -> str:
        return (
            f"<PlayerView of seat {self.seat}: {self.phase.name.lower()}, {len(self.hand)} cards>"
        )


def legal_codes(rows: Rows) -> list[int]:
    """The legal action codes of the first record, of a game or of a view, in the order of ids."""
    record = rows[0]
    codes = bits_of(record["legal_cards"], 0)
    words = int(record["legal_words"])
    codes += [word for word in (PASS, TAKE, STOCK) if words >> (word - PASS) & 1]
    for name, first in RARE_KINDS.items():
        codes += bits_of(record[name], first)
    return codes


def bits_of(mask: int, first: int) -> list[int]:
    """The numbers ``first + k`` for every card k of a set, the jokers last as in action ids."""
    mask = int(mask)
    order = CARDS_THEN_JOKERS if mask & ALL_JOKERS else range(64)
    return [first + k for k in order if mask >> k & 1] if mask else []
