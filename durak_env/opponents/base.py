"""What an opponent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows

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
