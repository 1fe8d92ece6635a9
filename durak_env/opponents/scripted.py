"""The scripted opponents. They play every variant with any number of players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from durak_env.engine import Rows
from durak_env.opponents.base import Ids, Randoms
from durak_env.opponents.kernels import EASY, GREEDY, RANDOM, decide_many


@dataclass(frozen=True)
class Scripted:
    """A compiled rule of thumb."""

    name: str
    level: int
    doc: str

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One action id per view; see `durak_env.opponents.Opponent.act`."""
        actions = np.empty(views.size, dtype=np.int64)
        decide_many(self.level, views, randoms, actions)
        return actions


SCRIPTED = {
    opponent.name: opponent
    for opponent in (
        Scripted("random", RANDOM, "any legal action, all equally likely"),
        Scripted(
            "easy",
            EASY,
            "greedy, but sometimes plays at random, takes without need or skips a throw-in "
            "(S003-35)",
        ),
        Scripted(
            "greedy",
            GREEDY,
            "leads its lowest plain card, throws in every plain card it may, beats with the "
            "cheapest card, takes only if it must",
        ),
    )
}
"""Every scripted opponent by name, from weak to strong."""
