"""The ``history`` encoding: what has happened as tokens, and ``flat``; for policies with a memory.

A token is one more than ``seat * kinds + event``, the seat counted from the viewer; 0 fills up. An
event is an action id; or, from the length of the action table on, a card that lies face up now
though no action named it (a stock card that was led, a row card that was turned up), in the order
of action ids; or, last, that the seat has beaten everything (or won the trick), or has taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.actions import action_table
from durak_env.encoding.base import Section, number_sections
from durak_env.encoding.flat import FlatEncoder
from durak_env.encoding.history.kernels import BOUT_ENDS, write_tokens
from durak_env.engine import Rows
from durak_env.engine.state import MAX_EVENTS
from durak_env.errors import DurakError
from durak_env.rules import Rules
from durak_env.view.kernels import Histories


class HistoryEncoder:
    """The last `MAX_EVENTS` public events, oldest first, then the sections of `FlatEncoder`.

    Attributes:
        kinds: the events that there are.
        tokens: how many different numbers stand for a token, 0 among them.
    """

    name = "history"
    version = 1
    dtype = np.dtype(np.int16)
    needs_history = True

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.flat = FlatEncoder(rules)
        self.kinds = len(action_table(rules)) + rules.deck + BOUT_ENDS
        self.tokens = 1 + rules.players * self.kinds
        self.high = max(self.tokens - 1, MAX_EVENTS)
        own = [
            ("length", 1, "how many tokens there are"),
            ("tokens", MAX_EVENTS, "the last events, oldest first: 1 + seat x kinds + event"),
        ]
        flat = [(name, stop - start, doc) for name, start, stop, doc in self.flat.sections]
        self.sections: tuple[Section, ...] = number_sections([*own, *flat])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return (self.sections[-1].stop,)

    def buffer(self, count: int) -> npt.NDArray[np.int16]:
        """A new array for ``count`` observations."""
        return np.zeros((count, *self.shape), dtype=self.dtype)

    def encode(
        self,
        views: Rows,  # noqa: ARG002
        out: npt.NDArray[np.int16] | None = None,  # noqa: ARG002
    ) -> npt.NDArray[np.int16]:
        """
        Raises:
            DurakError: always: a view does not say what has happened.
        """
        raise DurakError(
            f"the encoder {self.name} reads what has happened, which a view does not say: "
            "use encode_history"
        )

    def encode_history(
        self, views: Rows, histories: Histories, out: npt.NDArray[np.int16]
    ) -> npt.NDArray[np.int16]:
        """The observations of views with what has happened in each game, written into ``out``."""
        write_tokens(views, histories, len(action_table(self.rules)), out)
        out[:, 1 + MAX_EVENTS :] = self.flat.encode(views)
        return out
