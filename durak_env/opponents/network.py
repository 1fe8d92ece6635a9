"""What all networks as opponents have in common: from views to logits to actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import cast

import numpy as np
import numpy.typing as npt

from durak_env import encoding
from durak_env.actions import action_table
from durak_env.encoding.kernels import Masks, mask_many
from durak_env.engine import Rows
from durak_env.opponents.base import Ids, Randoms
from durak_env.opponents.choice import choose
from durak_env.view.kernels import Histories


class NetworkPlayer(ABC):
    """Plays by the logits that a network has for an encoder's observations.

    ``sample``: draw from its policy instead of taking the most likely action.
    """

    def __init__(self, encoder: encoding.Encoder, *, sample: bool) -> None:
        self.encoder = encoder
        self.sample = sample
        self.needs_history = encoding.needs_history(encoder)
        self._numbering = encoding.Numbering(encoder)
        self._actions = len(action_table(encoder.rules))

    @abstractmethod
    def logits(
        self, observations: npt.NDArray[np.float32], masks: Masks
    ) -> npt.NDArray[np.float32]:
        """The logits of all actions, float32 (n, actions)."""

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One action id per view; see `durak_env.opponents.Opponent.act`."""
        return self._choose(self.encoder.encode(views), views, randoms)

    def act_with_history(self, views: Rows, randoms: Randoms, histories: Histories) -> Ids:
        """`act` for an encoder that reads what has happened."""
        reader = cast("encoding.HistoryReader", self.encoder)
        observations = reader.encode_history(views, histories, reader.buffer(views.size))
        return self._choose(observations, views, randoms)

    def _choose(self, observations: encoding.Observations, views: Rows, randoms: Randoms) -> Ids:
        own = np.empty((views.size, self._actions), dtype=np.int8)
        mask_many(views, own)
        masks = self._numbering.spread(own)
        logits = self.logits(observations.astype(np.float32), masks)
        return self._numbering.own_ids(choose(logits, masks, randoms if self.sample else None))
