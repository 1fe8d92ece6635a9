"""How learners number actions: by the table of their rules, or by the one that serves all rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.actions import ActionTable, action_table, universal_ids, universal_table
from durak_env.encoding.base import Encoder, has_universal_actions
from durak_env.encoding.kernels import Masks
from durak_env.engine.batch import Ids


class Numbering:
    """The action ids that go with an encoder.

    Attributes:
        table: the action table that its learners act by.
        size: the length of that table, and of a mask.
        own_size: the length of the table of the rules.
    """

    def __init__(self, encoder: Encoder) -> None:
        rules = encoder.rules
        universal = has_universal_actions(encoder)
        self.table: ActionTable = universal_table() if universal else action_table(rules)
        self.size = len(self.table)
        self.own_size = len(action_table(rules))
        self._places = np.array(universal_ids(rules)) if universal else None
        self._own = np.full(self.size, -1, dtype=np.int64)
        if self._places is not None:
            self._own[self._places] = np.arange(self._places.size)

    def spread(self, masks: Masks) -> Masks:
        """Masks by the rules' own table as masks by this one; a full one stays full."""
        if self._places is None:
            return masks
        spread = np.repeat(masks.min(axis=-1, keepdims=True), self.size, axis=-1)
        spread[..., self._places] = masks
        return spread

    def own_ids(self, actions: Ids) -> Ids:
        """The ids in the rules' own table; -1 for an action that these rules do not have."""
        if self._places is None:
            return actions
        known = (actions >= 0) & (actions < self.size)
        ids: npt.NDArray[np.int64] = np.where(known, self._own[actions * known], -1)
        return ids

    def own_id(self, action: int) -> int:
        """`own_ids` of one action."""
        if not 0 <= action < self.size:
            return -1
        return action if self._places is None else int(self._own[action])

    def ids(self, own: Ids) -> Ids:
        """The ids in this table of ids in the rules' own."""
        if self._places is None:
            return own
        ids: npt.NDArray[np.int64] = self._places[own]
        return ids
