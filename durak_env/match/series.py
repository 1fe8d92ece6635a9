"""`Series`: deals at one table, one after the other."""

from __future__ import annotations

import copy
import secrets
from abc import ABC, abstractmethod
from typing import Self, SupportsIndex

from durak_env.errors import IllegalActionError
from durak_env.game import Action, Game
from durak_env.match.deals import (
    Deal,
    Rotation,
    Standings,
    check_seed,
    last_lead,
    seed_of,
)
from durak_env.rules import Rules

DEALER_LOT, DECK = 0, 1
"""What is drawn from the seed of a series."""


class Series(ABC):
    """Deals at one table, one after the other.

    Seats keep their numbers through the series. The first dealer is drawn by lot; then the durak
    deals, after a draw the same dealer again (S002-3, P32). The next deal is led by the seat that
    ``later_first`` names (P30), after a draw as in a first deal (P31). The deck of a deal follows
    from the seed and the number of the deal. A game of tricks is led by the dealer's opponent, and
    its dealers alternate (S002-26, S002-28).
    """

    def __init__(self, rules: Rules, seed: int | None) -> None:
        self.rules = rules
        self.seed = secrets.randbits(64) if seed is None else check_seed(seed)
        self._finished: list[Deal] = []
        self._ended: Deal | None = None
        first_dealer = seed_of(self.seed, DEALER_LOT) % rules.players
        self._begin(Rotation(rules.players, first_dealer), None)

    # --- what differs between kinds of series -----------------------------------------------

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether no deal follows the ones that are finished."""

    @property
    @abstractmethod
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats as they stand now, best first; seats that stand equal share a group."""

    def _deal_rules(self) -> Rules:
        """The rules of the deal that begins."""
        return self.rules

    def _deal_levels(self) -> tuple[str, ...] | None:
        """The rank that each seat of the series has to hang in the deal that begins."""
        return None

    # --- the table --------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.rules.players

    @property
    def game(self) -> Game:
        """The deal in progress, or the last one until `next_deal`. It counts its own seats."""
        return self._game

    @property
    def number(self) -> int:
        """The number of the deal that `game` is, from 1."""
        return len(self._finished) + 1

    @property
    def dealer(self) -> int:
        """The seat that dealt `game`."""
        return self._rotation.dealer

    @property
    def leader(self) -> int:
        """The seat that led the first bout of `game`."""
        return self._leader

    @property
    def actor(self) -> int | None:
        """The seat to move; None when the deal is over."""
        actor = self._game.actor
        return None if actor is None else self.seat_of(actor)

    def seat_of(self, game_seat: int) -> int:
        """The seat of the series that plays as this seat of `game`."""
        return self._rotation.seat_of(game_seat)

    def game_seat_of(self, seat: int) -> int:
        """The seat of `game` as which this seat of the series plays."""
        return self._rotation.game_seat_of(seat)

    # --- results ----------------------------------------------------------------------------

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The finished deals, that of `game` included once it is over."""
        if self._ended is None and self._game.outcome is not None:
            self._ended = self._end_deal()
        return (*self._finished, *([] if self._ended is None else [self._ended]))

    @property
    def standings(self) -> Standings:
        """Losses, draws and places so far."""
        return Standings.of(self.players, self.deals)

    @property
    def winner(self) -> int | None:
        """The seat that won; None while the series goes on, and where several stand equal."""
        best = self.ranking[0]
        return best[0] if self.over and len(best) == 1 else None

    def _end_deal(self) -> Deal:
        outcome = self._game.outcome
        assert outcome is not None
        transcript = self._game.transcript()
        return Deal(
            self.number,
            self._rotation,
            self._leader,
            self._rotation.outcome(outcome),
            transcript,
            last_lead(transcript) if outcome.hung is not None else 0,
        )

    # --- play -------------------------------------------------------------------------------

    def play(self, action: Action | SupportsIndex | str) -> Self:
        """Carry out an action of the deal in progress and return the series; see `Game.play`.

        Raises:
            NotationError: the text is no action.
            IllegalActionError: the rules do not allow it now; the series is unchanged.
        """
        self._game.play(action)
        return self

    def next_deal(self, *, durak_left: bool = False) -> Game:
        """Deal again and return the game.

        Args:
            durak_left: somebody else sits in the durak's seat now; the deal is led as a first one
                (P31, E6), and dealt by that seat.

        Raises:
            IllegalActionError: the deal is not over, the series is, or there is no durak to leave.
        """
        self._check_next(durak_left)
        deal = self.deals[-1]
        leader = None if durak_left else self._game.next_leader()
        leading_seat = None if leader is None else self.seat_of(leader)
        self._finished.append(deal)
        self._begin(Rotation(self.players, self._next_dealer(deal)), leading_seat)
        return self._game

    def _next_dealer(self, deal: Deal) -> int:
        """The durak, or the same dealer again; for tricks the deal alternates (S002-26)."""
        if self.rules.tricks:
            return (deal.dealer + 1) % self.players
        return deal.dealer if deal.outcome.durak is None else deal.outcome.durak

    def _check_next(self, durak_left: bool) -> None:
        outcome = self._game.outcome
        if outcome is None:
            raise IllegalActionError(
                f"no next deal: deal {self.number} goes on, seat {self.actor} is to move"
            )
        if self.over:
            raise IllegalActionError(f"no next deal: the series is over with deal {self.number}")
        if durak_left and outcome.durak is None:
            raise IllegalActionError(f"durak_left: deal {self.number} has no durak")

    def _begin(self, rotation: Rotation, leader: int | None) -> None:
        """Deal; ``leader`` None: the rules of a first deal."""
        levels = self._deal_levels()
        seats = map(rotation.seat_of, range(rotation.players))
        self._game = Game(
            self._deal_rules(),
            seed=seed_of(self.seed, DECK, self.number),
            leader=None if leader is None else rotation.game_seat_of(leader),
            levels=None if levels is None else [levels[seat] for seat in seats],
        )
        self._rotation = rotation
        self._leader = rotation.seat_of(self._game.leader)
        self._ended = None

    def copy(self) -> Self:
        """An independent copy."""
        twin = copy.copy(self)
        twin._finished = self._finished.copy()
        twin._game = self._game.copy()
        return twin

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.rules}: deal {self.number}, dealer {self.dealer}>"
