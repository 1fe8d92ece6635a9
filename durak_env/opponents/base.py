"""What an opponent is."""

from __future__ import annotations

from typing import Protocol, TypeGuard, runtime_checkable

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows
from durak_env.view.kernels import Histories

Randoms = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.int64]


@runtime_checkable
class Opponent(Protocol):
    """Decides for seats of many games at once, from their views only."""

    @property
    def name(self) -> str:
        """What tables and errors call it."""
        ...

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One legal action id per view.

        Args:
            views: shape (n,), dtype `durak_env.view.VIEW`; each of a seat that is asked.
            randoms: shape (n,), one random word per view, the only source of chance: the decision
                is a function of the view and its word.

        Returns:
            int64 of shape (n,): ids into the action table of the rules.
        """
        ...


@runtime_checkable
class HistoryOpponent(Opponent, Protocol):
    """An opponent that, if ``needs_history``, also reads what has happened."""

    needs_history: bool

    def act_with_history(self, views: Rows, randoms: Randoms, histories: Histories) -> Ids:
        """`act` with what has happened in each game (`durak_env.view.kernels.Histories`)."""
        ...


def reads_history(opponent: Opponent) -> TypeGuard[HistoryOpponent]:
    """Whether an opponent asks for what has happened, which rows then must keep."""
    return isinstance(opponent, HistoryOpponent) and opponent.needs_history
