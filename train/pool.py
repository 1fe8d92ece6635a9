"""The opponents that a learner meets: itself, its past, and the scripted ones."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch

from durak_env.encoding import Encoder
from durak_env.envs.learners import Learners
from durak_env.integrations.sb3 import PolicyNetwork
from durak_env.integrations.torch import NetworkOpponent
from durak_env.opponents import OpponentLike
from train.config import Opponents


class Pool:
    """Keeps the shares of a learner's opponents up to date.

    Its opponents are, in this order: the current policy, the snapshots, the scripted ones.
    """

    def __init__(self, settings: Opponents, network: PolicyNetwork, encoder: Encoder) -> None:
        self.settings = settings
        self.network = network
        self.taken = 0
        self.snapshots = [copy.deepcopy(network) for _ in range(settings.snapshot_slots)]
        self.opponents: list[OpponentLike] = [
            NetworkOpponent("current", network, encoder, sample=True),
            *(
                NetworkOpponent(f"snapshot-{slot}", snapshot, encoder, sample=True)
                for slot, snapshot in enumerate(self.snapshots)
            ),
            *settings.scripted,
        ]

    def weights(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The share of every opponent; slots without a snapshot have none."""
        filled = min(self.taken, len(self.snapshots))
        per_snapshot = self.settings.snapshots / max(1, filled)
        return np.array(
            [
                self.settings.current,
                *(per_snapshot if slot < filled else 0.0 for slot in range(len(self.snapshots))),
                *self.settings.scripted.values(),
            ]
        )

    def update(self, iteration: int, learners: Learners) -> None:
        """Take a snapshot if it is time, and set the shares of the deals to come."""
        if iteration % self.settings.snapshot_every == 0 and iteration > 0:
            slot = self.taken % len(self.snapshots)
            self.snapshots[slot].load_state_dict(self.network.state_dict())
            self.taken += 1
        learners.weights = self.weights()

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"taken": self.taken, "snapshots": [s.state_dict() for s in self.snapshots]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.taken = state["taken"]
        for snapshot, weights in zip(self.snapshots, state["snapshots"], strict=True):
            snapshot.load_state_dict(weights)


def random_states() -> dict[str, Any]:
    """The states of the generators that SB3 draws from."""
    return {"torch": torch.get_rng_state(), "numpy": np.random.get_state()}


def restore_random_states(states: dict[str, Any]) -> None:
    """Set the generators that SB3 draws from."""
    torch.set_rng_state(states["torch"])
    np.random.set_state(states["numpy"])
