"""What a series is made of: the turned table, finished deals, standings, lots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from durak_env.errors import NotationError
from durak_env.game import Game, Outcome

MAX_SEED = 2**128 - 1


@dataclass(frozen=True)
class Rotation:
    """How the table of a series is turned for one deal (P32).

    The engine deals from seat 0 and the dealer is the last seat. Seats of a series never change;
    so in a deal the seat to the dealer's left plays as game seat 0, and so on clockwise.
    """

    players: int
    dealer: int
    """The seat of the series that deals."""

    def seat_of(self, game_seat: int) -> int:
        """The seat of the series that plays as this seat of the game."""
        return (self.dealer + 1 + game_seat) % self.players

    def game_seat_of(self, seat: int) -> int:
        """The seat of the game as which this seat of the series plays."""
        return (seat - self.dealer - 1) % self.players

    def outcome(self, outcome: Outcome) -> Outcome:
        """A game's outcome in the seats of the series."""
        durak, hung = (
            None if seat is None else self.seat_of(seat) for seat in (outcome.durak, outcome.hung)
        )
        places = tuple(map(self.seat_of, outcome.places))
        seats = map(self.game_seat_of, range(self.players))
        tricks = tuple(outcome.tricks[seat] for seat in seats) if outcome.tricks else ()
        return Outcome(durak, places, outcome.reason, hung, tricks)


@dataclass(frozen=True)
class Deal:
    """A finished deal.

    All seats are those of the series, but ``transcript`` is the game's own and counts the game's
    seats; ``rotation`` leads from one to the other.
    """

    number: int
    """From 1."""
    rotation: Rotation
    leader: int
    """The seat that led the first bout."""
    outcome: Outcome
    transcript: str
    hung_cards: int = 0
    """How many epaulettes were hung (S000-6); 0 if none."""

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.rotation.dealer


@dataclass(frozen=True)
class Standings:
    """The results of a series. Tuples have one entry per seat."""

    deals: int
    losses: tuple[int, ...]
    """How often each seat was the durak."""
    draws: int
    """Deals without a durak."""
    places: tuple[tuple[int, ...], ...]
    """``places[seat][k]``: how often the seat took place ``k``, in deals that had a durak."""

    @classmethod
    def of(cls, players: int, deals: Sequence[Deal]) -> Standings:
        """The standings after these deals."""
        places = [[0] * players for _ in range(players)]
        losses = [0] * players
        for deal in deals:
            if deal.outcome.durak is not None:
                losses[deal.outcome.durak] += 1
                for place, seat in enumerate(deal.outcome.places):
                    places[seat][place] += 1
        draws = len(deals) - sum(losses)
        return cls(len(deals), tuple(losses), draws, tuple(map(tuple, places)))


def ranked(seats: Iterable[int], key: Callable[[int], Any]) -> tuple[tuple[int, ...], ...]:
    """The seats in ascending order of a key; those with the same key share a group."""
    return tuple(tuple(group) for _, group in groupby(sorted(seats, key=key), key))


def check_seed(seed: int) -> int:
    """The seed itself.

    Raises:
        NotationError: it is negative or has more than 128 bits.
    """
    if not 0 <= seed <= MAX_SEED:
        raise NotationError(f"seed={seed}: a seed is 0 or more and less than 2**128")
    return int(seed)


def seed_of(seed: int, *path: int) -> int:
    """The seed of one part of a series: ``path`` names the part, such as its kind and number."""
    sequence = np.random.SeedSequence(seed, spawn_key=path)
    return int(sequence.generate_state(1, dtype=np.uint64)[0])


def lots(seed: int, count: int, *path: int) -> list[int]:
    """The numbers 0 to ``count - 1`` in an order drawn by lot."""
    words = np.random.SeedSequence(seed, spawn_key=path).generate_state(count, dtype=np.uint64)
    return [int(number) for number in np.argsort(words, kind="stable")]


def actions_of(transcript: str) -> str:
    """The actions of a transcript, separated by commas."""
    return transcript.rpartition("actions:")[2].strip()


def last_lead(transcript: str) -> int:
    """How many cards the leader of the last bout held before leading."""
    game, held = Game.from_transcript(transcript.rpartition("actions:")[0]), 0
    for action in actions_of(transcript).split(","):
        if game.phase.name == "LEAD" and not game.table:
            held = len(game.hand(game.leader))
        game.play(action)
    return held
