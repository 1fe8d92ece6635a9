"""Who plays which seat of many games, and playing on until somebody else is asked."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows
from durak_env.engine.batch import apply_many, forfeit
from durak_env.errors import OpponentError
from durak_env.opponents.base import Ids, Opponent, Randoms, reads_history
from durak_env.opponents.kernels import SIMPLE, draw_randoms, play_on
from durak_env.opponents.scripted import Scripted
from durak_env.view.kernels import VIEW, histories_of, observe_many

EXTERNAL = -1
"""A seat whose actions come from outside."""


class Seating:
    """Opponents at the seats of many games.

    ``who[i, seat]`` is an index into ``opponents``, or `EXTERNAL`. Each row has a stream of its own
    for the opponents' chance, so that what happens in one row never depends on the others.

    An opponent that returns an illegal action loses the deal (`durak_env.engine.Reason.FORFEIT`);
    ``illegal[k]`` counts these for opponent ``k``, ``decisions[k]`` all its decisions, and
    ``seconds[k]`` is the wall time that they took it; scripted opponents, which play in compiled
    code together, share theirs by their decisions. Where ``need_history``, the rows must keep their
    events.
    """

    def __init__(self, opponents: Sequence[Opponent], who: Ids, streams: Randoms) -> None:
        self.who = who
        self.streams = streams
        self.seat(opponents)
        self._views = np.zeros(len(who), dtype=VIEW)
        self._randoms = np.zeros(len(who), dtype=np.uint64)

    def seat(self, opponents: Sequence[Opponent]) -> None:
        """Let these opponents play; the counts begin anew."""
        self.opponents = list(opponents)
        self.illegal = np.zeros(len(self.opponents), dtype=np.int64)
        self.decisions = np.zeros(len(self.opponents), dtype=np.int64)
        self.seconds = np.zeros(len(self.opponents), dtype=np.float64)
        self.need_history = any(map(reads_history, self.opponents))
        self._levels = np.array(list(map(simple_level, self.opponents)), dtype=np.int64)

    def play(self, rows: Rows, which: Ids | None = None, *, skip_forced: bool = False) -> None:
        """Play every row (of ``which``) until it is over or an external seat is asked.

        With ``skip_forced`` an external seat is not asked where it has a single legal action.
        """
        which = np.arange(len(rows)) if which is None else which
        while True:
            self._play_on(rows, which, skip_forced)
            actors = rows["actor"][which].astype(np.int64)
            players = np.where(actors < 0, EXTERNAL, self.who[which, actors])
            which = which[players != EXTERNAL]
            if not which.size:
                return
            players, actors = players[players != EXTERNAL], actors[players != EXTERNAL]
            for k in np.unique(players):
                mine = players == k
                self._decide(int(k), rows, which[mine], actors[mine])

    def _play_on(self, rows: Rows, which: Ids, skip_forced: bool) -> None:
        """What needs no Python, in compiled code, each row to where another one is asked."""
        if not skip_forced and (self._levels < 0).all():
            return
        began, before = perf_counter(), self.decisions.copy()
        play_on(
            rows,
            which,
            self.who,
            self._levels,
            self.streams,
            self._views[:1],
            self.decisions,
            skip_forced,
        )
        made = self.decisions - before
        self.seconds += (perf_counter() - began) * made / max(1, made.sum())

    def _decide(self, k: int, rows: Rows, which: Ids, seats: Ids) -> None:
        views, randoms = self._views[: which.size], self._randoms[: which.size]
        observe_many(rows, which, seats, views)
        draw_randoms(self.streams, which, randoms)
        began = perf_counter()
        actions = self._ask(self.opponents[k], views, randoms, rows, which)
        self.seconds[k] += perf_counter() - began
        if actions.shape != which.shape or actions.dtype != np.int64:
            raise OpponentError(
                f"{self.opponents[k].name} gave {actions.dtype} of shape {actions.shape} for "
                f"{which.size} views; an opponent gives one int64 action id per view"
            )
        self.decisions[k] += which.size
        wrong = np.empty(which.size, dtype=np.bool_)
        if apply_many(rows, which, actions, wrong):
            self.illegal[k] += int(wrong.sum())
            for i, seat in zip(which[wrong], seats[wrong], strict=True):
                forfeit(rows, i, seat)

    def _ask(
        self, opponent: Opponent, views: Rows, randoms: Randoms, rows: Rows, which: Ids
    ) -> Ids:
        if reads_history(opponent):
            return opponent.act_with_history(views, randoms, histories_of(rows, which))
        return opponent.act(views, randoms)


def simple_level(opponent: Opponent) -> int:
    """The level of an opponent that plays on in compiled code, or -1."""
    if isinstance(opponent, Scripted) and opponent.level <= SIMPLE:
        return opponent.level
    return -1


def seat_everybody(opponent: int, rows: int, players: int) -> npt.NDArray[np.int64]:
    """A table of ``who`` in which one opponent plays every seat."""
    return np.full((rows, players), opponent, dtype=np.int64)
