"""Rewards of a deal, by the scheme ``durak``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def deal_rewards(durak: npt.NDArray[np.int8], players: int) -> npt.NDArray[np.float64]:
    """The rewards of every seat, shape (n, players), for the duraks of n deals (-1: nobody).

    The durak loses 1, which the others share; a draw is 0 for everybody. They always sum to zero.
    """
    lost = np.arange(players) == durak[:, None]
    won = (durak >= 0)[:, None] & ~lost
    return np.where(lost, -1.0, 0.0) + np.where(won, 1.0 / (players - 1), 0.0)
