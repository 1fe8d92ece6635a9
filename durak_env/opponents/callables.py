"""Any function as an opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsIndex, TypeAlias

import numpy as np

from durak_env.codes import CardCodes
from durak_env.engine import Rows, action_id
from durak_env.errors import NotationError, OpponentError
from durak_env.opponents.base import Ids, Randoms
from durak_env.rules import Rules
from durak_env.view import PlayerView

Decide: TypeAlias = Callable[[PlayerView, np.random.Generator], SupportsIndex | str]
"""What a seat sees, and a source of chance, to an action: its id or its notation."""


class CallableOpponent:
    """A function as an opponent.

    The generator is seeded anew for every decision by the game, so that the same seed plays the
    same game. A function must not keep anything from one call to the next: it serves many games.
    """

    def __init__(self, decide: Decide, rules: Rules) -> None:
        self.decide = decide
        self.rules = rules

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.decide, "__name__", type(self.decide).__name__))

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """One action id per view; see `durak_env.opponents.Opponent.act`.

        Raises:
            OpponentError: the function gave neither an action id nor a notation.
        """
        actions = np.empty(views.size, dtype=np.int64)
        for k in range(views.size):
            view = PlayerView(self.rules, views[k : k + 1].copy())
            choice = self.decide(view, np.random.default_rng(int(randoms[k])))
            actions[k] = self._id_of(choice, view.record)
        return actions

    def _id_of(self, choice: object, record: Rows) -> int:
        try:
            if isinstance(choice, str):
                codes = CardCodes.of_row(self.rules, record[0])
                return int(action_id(record, 0, codes.action_code(choice)))
            return choice.__index__()  # type: ignore[attr-defined, no-any-return]
        except (AttributeError, NotationError) as error:
            raise OpponentError(
                f"{self.name} gave {choice!r}, which is no action id and no action ({error})"
            ) from None
