"""Armenian 2, a game of tricks for two with 36 cards (4.2, S002-23..33): plain and slow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .cards import full_deck, strength, suit_of

Place = tuple[str | None, str | None]  # the face-down and the face-up card of one place

ROW = 6
DEFAULTS: dict[str, str | None] = {
    "flip": "immediate",
    "follow_scope": "hand_and_row",
    "trump_suit": None,
}
CHOICES: dict[str, tuple[str | None, ...]] = {
    "flip": ("immediate", "after_trick"),
    "follow_scope": ("hand_and_row", "hand_only"),
    "trump_suit": (None, "s", "c", "h", "d"),
}


def parse_options(given: Mapping[str, Any]) -> dict[str, str | None]:
    """Defaults filled in; an unknown name or value is a ValueError."""
    for name, value in given.items():
        if name not in CHOICES:
            raise ValueError(f"unknown option: {name}")
        if value not in CHOICES[name]:
            raise ValueError(f"option {name} cannot be {value!r}")
    return DEFAULTS | dict(given)


class ArmenianTricks:
    """One deal of eighteen tricks; seat 1 deals, seat 0 leads first (S002-28).

    Actions are card texts. `actor` is the only seat that may act.
    """

    options: dict[str, str | None]
    hands: list[set[str]]
    rows: list[list[Place]]
    trick: list[str]  # the led card while it waits for an answer
    tricks: list[int]
    leader: int
    actor: int | None

    def __init__(self, options: Mapping[str, Any], deck: Sequence[str]) -> None:
        """Face-down cards, face-up cards, hands; always a row to the opponent of the dealer first.

        Rows have six places, fewer with a smaller deck for research.
        """
        row, rest = divmod(len(deck), 6)
        if len(set(deck)) != len(deck) or rest or not set(deck) <= set(full_deck(36)):
            raise ValueError("the deck must hold each card once, six rows of them")
        sixes = [list(deck[start : start + row]) for start in range(0, len(deck), row)]
        rows = [list(zip(sixes[seat], sixes[2 + seat], strict=True)) for seat in (0, 1)]
        self._set_up(options, sixes[4:], rows)

    @classmethod
    def from_position(
        cls,
        options: Mapping[str, Any],
        *,
        hands: Sequence[Iterable[str]],
        rows: Sequence[Sequence[Place]] = ((), ()),
        leader: int = 0,
        tricks: Sequence[int] = (0, 0),
    ) -> ArmenianTricks:
        """A position before a lead; rows are filled up with empty places."""
        game = cls.__new__(cls)
        full = [[*row, *[(None, None)] * (ROW - len(row))] for row in rows]
        game._set_up(options, hands, full)
        game.leader = game.actor = leader
        game.tricks = list(tricks)
        return game

    def _set_up(
        self,
        options: Mapping[str, Any],
        hands: Iterable[Iterable[str]],
        rows: Iterable[Iterable[Place]],
    ) -> None:
        self.options = parse_options(options)
        self.hands = [set(hand) for hand in hands]
        self.rows = [list(row) for row in rows]
        self.trick = []
        self.tricks = [0, 0]
        self.leader = 0
        self.actor = 0

    # ------------------------------------------------------------------------------- views

    @property
    def over(self) -> bool:
        return self.actor is None

    @property
    def difference(self) -> int:
        """What the seat with more tricks scores (S002-32, E116)."""
        return abs(self.tricks[0] - self.tricks[1])

    @property
    def winner(self) -> int | None:
        """The seat with more tricks at the end; nobody at 9-9."""
        if not self.over or self.difference == 0:
            return None
        return 0 if self.tricks[0] > self.tricks[1] else 1

    def available(self, seat: int) -> set[str]:
        """The hand and the face-up cards; a face-down card cannot be played (S002-29, E114)."""
        return self.hands[seat] | {up for _, up in self.rows[seat] if up is not None}

    # ----------------------------------------------------------------------------- actions

    def legal(self) -> frozenset[str]:
        """Any card to lead; the led suit must be followed by who has it (S002-31, E112)."""
        if self.actor is None:
            return frozenset()
        cards = self.available(self.actor)
        if not self.trick:
            return frozenset(cards)
        led = suit_of(self.trick[0])
        hand_only = self.options["follow_scope"] == "hand_only"
        looked_at = self.hands[self.actor] if hand_only else cards
        if any(suit_of(card) == led for card in looked_at):
            return frozenset(card for card in cards if suit_of(card) == led)
        return frozenset(cards)

    def play(self, card: str) -> None:
        """Lead or answer; the second card ends the trick."""
        if self.actor is None or card not in self.legal():
            raise ValueError(f"illegal action {card!r}")
        self._take_from(self.actor, card)
        if self.options["flip"] == "immediate":
            self._flip(self.actor)
        self.trick.append(card)
        if len(self.trick) == 1:
            self.actor = 1 - self.leader
        else:
            self._end_trick()

    def _take_from(self, seat: int, card: str) -> None:
        self.hands[seat].discard(card)
        self.rows[seat] = [(down, None if up == card else up) for down, up in self.rows[seat]]

    def _flip(self, seat: int) -> None:
        """A face-down card with nothing on it is turned up (S002-30, E113)."""
        self.rows[seat] = [
            (None, down) if up is None else (down, up) for down, up in self.rows[seat]
        ]

    def _end_trick(self) -> None:
        """The winner leads; whose cards are all gone leads no more (S002-28)."""
        lead, answer = self.trick
        winner = 1 - self.leader if self._beats(answer, lead) else self.leader
        self.trick = []
        self.tricks[winner] += 1
        for seat in (0, 1):
            self._flip(seat)
        self.leader = winner
        self.actor = winner if self.available(winner) else None

    def _beats(self, answer: str, lead: str) -> bool:
        """Only the led suit counts, unless a trump suit is agreed (E115)."""
        if suit_of(answer) == suit_of(lead):
            return strength(answer) > strength(lead)
        return suit_of(answer) == self.options["trump_suit"]
