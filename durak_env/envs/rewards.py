"""Reward schemes: what a deal or a match is worth to every seat.

Every scheme is zero-sum and stays within [-1, 1]:

- ``durak``: the durak loses 1, which the others share; a draw is 0 for everybody.
- ``places``: from 1 for the first seat that goes out to -1 for the durak, in equal steps; seats
  without a place share what is left.
- ``points``: what the deal counts in a match. With epaulettes 1 for hanging them on the other and 0
  without a hang; in a game of tricks the difference of the tricks, 1 for all of them; in any other
  game as ``durak``.

Who ends a deal by an illegal action is its durak in every scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from durak_env.engine import Reason, Rows

Scheme = Literal["durak", "places", "points"]
SCHEMES: tuple[Scheme, ...] = ("durak", "places", "points")

Rewards = npt.NDArray[np.float64]
"""Shape (n, players), or (players,) for one deal."""


def deal_rewards(rows: Rows, players: int, scheme: Scheme = "durak") -> Rewards:
    """The rewards of every seat, shape (n, players), for n deals that are over."""
    rewards = durak_rewards(rows["durak"], players)
    if scheme == "durak":
        return rewards
    other = place_rewards(rows, players) if scheme == "places" else point_rewards(rows, players)
    forfeit = rows["reason"] == Reason.FORFEIT
    return np.where(forfeit[:, None], rewards, other)


def durak_rewards(durak: npt.NDArray[np.int8], players: int) -> Rewards:
    """The scheme ``durak`` for the duraks of n deals; -1: nobody."""
    lost = np.arange(players) == durak[:, None]
    won = (durak >= 0)[:, None] & ~lost
    return np.where(lost, -1.0, 0.0) + np.where(won, 1.0 / (players - 1), 0.0)


def place_values(players: int) -> Rewards:
    """What each place is worth, the first one first: equal steps from 1 to -1."""
    return np.linspace(1.0, -1.0, players)


def place_rewards(rows: Rows, players: int) -> Rewards:
    """The scheme ``places``."""
    values = place_values(players)
    rewards = np.zeros((rows.size, players))
    for i, row in enumerate(rows):
        placed = row["places"][: row["placed"]]
        rewards[i] = values[placed.size :].mean() if placed.size < players else 0.0
        rewards[i, placed] = values[: placed.size]
    return rewards


def point_rewards(rows: Rows, players: int) -> Rewards:
    """The scheme ``points``."""
    first = rows[:1]
    if first["plays_tricks"].any():
        tricks = rows["tricks"].astype(np.float64)
        ahead = (tricks[:, 0] - tricks[:, 1]) / tricks.sum(axis=1)
        return np.stack([ahead, -ahead], axis=1)
    if first["epaulettes"].any():
        hung = rows["hung"][:, None]
        return np.where(hung < 0, 0.0, np.where(np.arange(players) == hung, 1.0, -1.0))
    return durak_rewards(rows["durak"], players)


def match_rewards(ranking: Sequence[Sequence[int]], players: int, scheme: Scheme) -> Rewards:
    """The rewards of a match that is over, shape (players,), by the final ranking.

    With ``durak`` those who stand last share the loss of 1 and the others share the gain; with
    ``places`` each place has its value and who stands equal shares theirs. ``points`` are paid deal
    by deal, so nothing is left.
    """
    rewards = np.zeros(players)
    if scheme == "points" or len(ranking) == 1:
        return rewards
    if scheme == "durak":
        last = list(ranking[-1])
        rewards[:] = 1.0 / (players - len(last))
        rewards[last] = -1.0 / len(last)
        return rewards
    values, at = place_values(players), 0
    for group in ranking:
        rewards[list(group)] = values[at : at + len(group)].mean()
        at += len(group)
    return rewards
