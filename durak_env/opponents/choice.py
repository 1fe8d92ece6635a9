"""From logits to actions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.opponents.base import Ids, Randoms


def choose(
    logits: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], randoms: Randoms | None
) -> Ids:
    """One legal action per row: the most likely one, or a draw where random words are given.

    Args:
        logits: float32 (n, actions).
        masks: int8 (n, actions), one where an action is legal; no row is empty.
        randoms: uint64 (n,), or None.
    """
    legal = np.where(masks != 0, logits, -np.inf)
    if randoms is None:
        best: Ids = legal.argmax(axis=1)
        return best
    weights = np.exp(legal - legal.max(axis=1, keepdims=True))
    cumulative = weights.cumsum(axis=1, dtype=np.float64)
    uniform = (randoms >> np.uint64(11)) * 2.0**-53
    thresholds = uniform * cumulative[:, -1]
    drawn: Ids = (cumulative <= thresholds[:, None]).sum(axis=1).astype(np.int64)
    return drawn
