"""What an episode of the PettingZoo environments is: one deal, or a match of deals.

The seats of an episode never change. In a deal they are those of the game; in a match the table
turns, as the dealer is always the game's last seat.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np

from durak_env.cards import Card
from durak_env.envs.rewards import Rewards, Scheme, deal_rewards, match_rewards
from durak_env.game import Game
from durak_env.match import EpaulettesMatch, Match, TricksMatch
from durak_env.match.deals import seed_of
from durak_env.rules import Rules

SERIES = 10
"""The deals of a series whose rules say nothing of its end."""


class Episode(ABC):
    """The game that is played, who sits where, and what the end of a deal is worth."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @property
    @abstractmethod
    def game(self) -> Game:
        """The deal in progress."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether no action is left in the whole episode."""

    @abstractmethod
    def begin(
        self,
        seed: int,
        deck: str | Iterable[Card] | None = None,
        leader: int | None = None,
        levels: Sequence[str] | None = None,
    ) -> None:
        """Begin anew; see `Game` for the arguments."""

    @abstractmethod
    def end_deal(self, scheme: Scheme) -> Rewards:
        """The rewards of the deal that has ended, shape (players,); the next one is dealt."""

    @abstractmethod
    def copy(self) -> Episode:
        """An independent copy."""

    def seat_of(self, game_seat: int) -> int:
        """The seat of the episode that plays as this seat of the game."""
        return game_seat

    def game_seat_of(self, seat: int) -> int:
        """The seat of the game as which this seat of the episode plays."""
        return seat


class DealEpisode(Episode):
    """One deal."""

    _game: Game

    @property
    def game(self) -> Game:
        return self._game

    @property
    def over(self) -> bool:
        return self._game.actor is None

    def begin(
        self,
        seed: int,
        deck: str | Iterable[Card] | None = None,
        leader: int | None = None,
        levels: Sequence[str] | None = None,
    ) -> None:
        """Deal; where nothing can be led (H6), deal again until something can."""
        if deck is not None:
            self._game = Game(self.rules, deck=deck, leader=leader, levels=levels)
            return
        self._game = Game(self.rules, seed=seed, leader=leader, levels=levels)
        again = 0
        while self._game.actor is None:
            again += 1
            self._game = Game(self.rules, seed=seed_of(seed, again), leader=leader, levels=levels)

    def end_deal(self, scheme: Scheme) -> Rewards:
        rewards: Rewards = deal_rewards(self._game.rows, self.rules.players, scheme)[0]
        return rewards

    def copy(self) -> DealEpisode:
        twin = DealEpisode.__new__(DealEpisode)
        twin.rules = self.rules
        twin._game = self._game.copy()
        return twin


class MatchEpisode(Episode):
    """A match: of epaulettes, for tricks, or a series of so many deals."""

    _match: Match

    def __init__(self, rules: Rules, deals: int | None) -> None:
        """``deals`` ends the match at the latest; without it a series has `SERIES`."""
        super().__init__(rules)
        endless = not rules.epaulettes and not rules.tricks
        self.deals = SERIES if deals is None and endless else deals

    @property
    def match(self) -> Match:
        """The match itself."""
        return self._match

    @property
    def game(self) -> Game:
        return self._match.game

    @property
    def over(self) -> bool:
        return self._match.game.actor is None

    def begin(
        self,
        seed: int,
        deck: str | Iterable[Card] | None = None,
        leader: int | None = None,
        levels: Sequence[str] | None = None,
    ) -> None:
        """Deal the first deal; its deck, leader and levels are a matter of the match."""
        del deck, leader, levels
        kind: type[Match] = EpaulettesMatch if self.rules.epaulettes else Match
        kind = TricksMatch if self.rules.tricks else kind
        self._match = kind(self.rules, seed=seed, max_deals=self.deals)
        self._skip_dead_deals()

    def _skip_dead_deals(self) -> None:
        """Deals in which nothing can be led (H6) end before anybody is asked."""
        while self._match.actor is None and not self._match.over:
            self._match.next_deal()

    def end_deal(self, scheme: Scheme) -> Rewards:
        """With ``points`` every deal is paid for, else the match at its end."""
        match, players = self._match, self.rules.players
        rewards = np.zeros(players)
        if scheme == "points":
            seats = [match.seat_of(seat) for seat in range(players)]
            rewards[seats] = deal_rewards(match.game.rows, players, scheme)[0]
        forfeited = match.game.outcome is not None and match.game.outcome.reason == "forfeit"
        if forfeited:  # the match ends with it
            seats = [match.seat_of(seat) for seat in range(players)]
            rewards[seats] = deal_rewards(match.game.rows, players)[0]
        elif match.over:
            rewards += match_rewards(match.ranking, players, scheme)
        else:
            match.next_deal()
            self._skip_dead_deals()
        return rewards

    def seat_of(self, game_seat: int) -> int:
        return self._match.seat_of(game_seat)

    def game_seat_of(self, seat: int) -> int:
        return self._match.game_seat_of(seat)

    def copy(self) -> MatchEpisode:
        twin = copy.copy(self)
        twin._match = self._match.copy()
        return twin
