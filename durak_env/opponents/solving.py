"""Any opponent with exact endgames: ``"hard+solver"``."""

from __future__ import annotations

import numpy as np

from durak_env.belief.kernels import complete_views
from durak_env.engine import STATE, Rows
from durak_env.opponents.base import Ids, Opponent, Randoms, reads_history
from durak_env.rules import Rules
from durak_env.solver import Solver, best_action
from durak_env.view.kernels import Histories

SUFFIX = "+solver"

NODES = 100_000
"""The budget of a decision's searches, each: some 15 ms."""


class WithSolver:
    """Plays as another opponent does, but from the moment that two seats are left without a stock
    by the solver, where that is within its budget.

    The view is all that it has: with two seats and no stock it leaves one world only. Among actions
    of equal value it takes the other opponent's.
    """

    def __init__(self, base: Opponent, rules: Rules) -> None:
        self.base = base
        self.needs_history = reads_history(base)
        self._solver = Solver(rules, NODES)

    @property
    def name(self) -> str:
        """The other opponent's name and the suffix."""
        return self.base.name + SUFFIX

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One action id per view; see `durak_env.opponents.Opponent.act`."""
        return self._improve(views, self.base.act(views, randoms))

    def act_with_history(self, views: Rows, randoms: Randoms, histories: Histories) -> Ids:
        """`act` for an opponent that reads what has happened."""
        assert reads_history(self.base)
        return self._improve(views, self.base.act_with_history(views, randoms, histories))

    def _improve(self, views: Rows, actions: Ids) -> Ids:
        """The actions, those of endgames replaced by exact ones."""
        late = np.flatnonzero(views["stock_count"] == 0)
        worlds, found = np.zeros(late.size, dtype=STATE), np.empty(late.size, dtype=np.bool_)
        streams = np.zeros(late.size, dtype=np.uint64)
        complete_views(views, late, worlds, np.arange(late.size), streams, found)
        for k in np.flatnonzero(found):
            if self._solver.can_solve(worlds, int(k)):
                wished = int(actions[late[k]])
                best = best_action(self._solver, worlds, int(k), wished)
                actions[late[k]] = wished if best is None else best
        return actions
