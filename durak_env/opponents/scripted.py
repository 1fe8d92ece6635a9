"""The scripted opponents. They play every variant with any number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from durak_env.engine import STATE, Rows
from durak_env.opponents.base import Ids, Randoms
from durak_env.opponents.insane.kernels import MOST_ACTIONS, SHORT_STOCK, WORLDS, look_ahead_many
from durak_env.opponents.kernels import EASY, GREEDY, HARD, MEDIUM, RANDOM, decide_many
from durak_env.view import VIEW


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


class LookAhead:
    """Hard, which near the end tries every action on worlds of its view (S003-38)."""

    name: ClassVar[str] = "insane"
    doc: ClassVar[str] = (
        f"hard, but with {SHORT_STOCK} or fewer cards in the stock it plays every legal action out "
        f"on {WORLDS} possible layouts of the cards it cannot see, and takes the best (S003-38)"
    )

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One action id per view; see `durak_env.opponents.Opponent.act`."""
        actions = np.empty(views.size, dtype=np.int64)
        look_ahead_many(
            views,
            randoms,
            np.zeros(2, dtype=STATE),
            np.zeros(1, dtype=VIEW),
            np.zeros(1, dtype=np.uint64),
            np.zeros(MOST_ACTIONS, dtype=np.int64),
            np.zeros(MOST_ACTIONS, dtype=np.float64),
            actions,
        )
        return actions


SCRIPTED: dict[str, Scripted | LookAhead] = {
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
        Scripted(
            "medium",
            MEDIUM,
            "moves by cost and leads pairs, remembers what is out, beats all or nothing, spares "
            "its trumps early in the deal (S003-36)",
        ),
        Scripted(
            "hard",
            HARD,
            "weighs every action by what is out, how far its hand would grow and how near the end "
            "is (S003-37)",
        ),
        LookAhead(),
    )
}
"""Every scripted opponent by name, from weak to strong."""
