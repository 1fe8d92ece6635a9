"""`Table`: the deals of one pairing of a knockout tournament (4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from durak_env.errors import IllegalActionError
from durak_env.game import Game
from durak_env.match.deals import Deal, actions_of, lots
from durak_env.match.series import Series
from durak_env.rules import Rules

Advance = Literal["winner", "loser_out", "top_half"]
"""Who goes on: the first, all but the durak, or the first half."""

LOT = 2
"""What is drawn from the seed of a table, beside the dealer and the decks."""

FORFEIT = "forfeit"
"""What ends the actions of a deal whose seat to move left the tournament."""


class Table(Series):
    """The deals of one table of a tournament, until they decide who goes on.

    A drawn game is replayed ``draw_replays`` times; the deal after the last drawn replay is played
    with ``draw_policy=last_defender_loses``, and if even that has no durak, a lot decides (E119,
    7.17). With two seats the first to win more than half of ``best_of`` games wins the table;
    with more seats one game decides.
    """

    def __init__(
        self,
        entrants: Sequence[str],
        rules: Rules,
        *,
        seed: int,
        best_of: int = 1,
        draw_replays: int = 3,
        advance: Advance = "winner",
    ) -> None:
        self.entrants = tuple(entrants)
        self.best_of = best_of
        self.draw_replays = draw_replays
        self.advance = advance
        self._forfeited: int | None = None
        super().__init__(replace(rules, players=len(self.entrants)), seed)

    # --- what the deals decide --------------------------------------------------------------

    @property
    def games(self) -> tuple[tuple[int, ...], ...]:
        """The places of every decided game: the seats, best first, the durak last."""
        return self._decided(self.deals)[0]

    def _decided(self, deals: Sequence[Deal]) -> tuple[tuple[tuple[int, ...], ...], int]:
        """The places of every decided game, and how many draws were played since."""
        games, draws = [], 0
        for deal in deals:
            if deal.outcome.durak is None and draws <= self.draw_replays:
                draws += 1
                continue
            drawn = deal.outcome.durak is None
            places = deal.outcome.places
            games.append(self._by_lot(places, deal.number) if drawn else places)
            draws = 0
        return tuple(games), draws

    def _by_lot(self, first: Sequence[int], deal: int) -> tuple[int, ...]:
        """The seats that went out of this deal, then the others as the lot has it."""
        drawn = lots(self.seed, self.players, LOT, deal)
        return (*first, *(seat for seat in drawn if seat not in first))

    def _deal_rules(self) -> Rules:
        decider = self._decided(self._finished)[1] > self.draw_replays
        return replace(self.rules, draw_policy="last_defender_loses") if decider else self.rules

    # --- results ----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether it is decided who goes on."""
        return bool(self.places)

    @property
    def places(self) -> tuple[int, ...]:
        """The seats, best first, the durak last; empty while nothing is decided."""
        if self._forfeited is not None:
            order = self._by_lot(tuple(map(self.seat_of, self._game.places)), self.number)
            return (*(seat for seat in order if seat != self._forfeited), self._forfeited)
        games = self.games
        wins = Counter(places[0] for places in games)
        decided = games and wins[games[-1][0]] > self.best_of // 2
        return games[-1] if decided else ()

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats, best first; all equal while nothing is decided."""
        if not self.over:
            return (tuple(range(self.players)),)
        return tuple((seat,) for seat in self.places)

    @property
    def advancing(self) -> tuple[str, ...]:
        """The entrants that go on, best first; empty while nothing is decided."""
        size = self.players
        count = {"winner": 1, "loser_out": size - 1, "top_half": (size + 1) // 2}[self.advance]
        return tuple(self.entrants[seat] for seat in self.places[:count])

    @property
    def eliminated(self) -> tuple[str, ...]:
        """The entrants that leave the tournament; empty while nothing is decided."""
        going_on = self.advancing
        return tuple(name for name in self.entrants if self.over and name not in going_on)

    @property
    def forfeited(self) -> str | None:
        """The entrant that left during a deal and so lost the table."""
        return None if self._forfeited is None else self.entrants[self._forfeited]

    # --- play -------------------------------------------------------------------------------

    def settle(self, game: Game) -> None:
        """Take the deal in progress, played on elsewhere; deal again unless the table is decided.

        A deal that is not over is forfeited by its seat to move: it is the durak of the table.

        Raises:
            IllegalActionError: the table is decided already.
        """
        if self.over:
            raise IllegalActionError(f"{' - '.join(self.entrants)}: decided already")
        self._game = game
        self._forfeited = self.actor
        if not self.over:
            self.next_deal()

    def deal_lines(self) -> list[str]:
        """The actions of every deal that ended, by its outcome or by leaving."""
        lines = [actions_of(deal.transcript) for deal in self.deals]
        if self._forfeited is not None:
            played = actions_of(self._game.transcript())
            lines.append(f"{played}, {FORFEIT}" if played else FORFEIT)
        return lines

    def __repr__(self) -> str:
        return f"<Table {' - '.join(self.entrants)}: {len(self.deals)} deals>"
