"""One seat of one game as a Gymnasium environment, opponents inside."""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from durak_env.envs.aec import (
    RENDER_MODES,
    Actions,
    IllegalPolicy,
    Observation,
    check_choice,
    observation_space,
)
from durak_env.envs.learners import Learners, Opponents
from durak_env.errors import IllegalActionError
from durak_env.render.text import render_view
from durak_env.rules import OptionValue, Rules
from durak_env.view import PlayerView


class DurakEnv(gymnasium.Env[Observation, np.int64]):
    """One learner against opponents.

    Observations are ``{"observation": float32 (size,), "action_mask": int8 (actions,)}``; the mask
    is also in ``info`` and returned by `action_masks`. The reward comes with the last step: -1 for
    the durak, 1 / (players - 1) for a seat that is not, 0 after a draw.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012
    preset: ClassVar[str] = "podkidnoy"

    def __init__(
        self,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        illegal_action: IllegalPolicy = "terminate",
        render_mode: str | None = None,
        preset: str | None = None,
        **options: OptionValue,
    ) -> None:
        """
        Args:
            opponents: who plays the other seats; see `durak_env.envs.learners.Opponents`.
            seat: the learner's seat; None: it moves on by one seat with every deal.
            illegal_action: ``terminate`` ends the deal with the learner as the durak; ``raise``
                raises `IllegalActionError` and changes nothing.
            render_mode: ``ansi`` (`render` returns a text), ``human`` (it is printed) or None.
            preset: the preset of the rules.
            options: options of `Rules`.

        Raises:
            RulesError, DurakError, OpponentError: an argument that is not accepted.
        """
        check_choice("illegal_action", illegal_action, ("terminate", "raise"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.rules = Rules.preset(preset or self.preset, **options)
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.learners = Learners(self.rules, 1, opponents, seat)
        actions = self.learners.masks.shape[1]
        self.observation_space = observation_space(self.learners.encoder.size, actions)
        self.action_space: Actions = spaces.Discrete(actions)
        self._row = np.zeros(1, dtype=np.int64)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal anew. Without a seed the streams of decks and opponents go on."""
        super().reset(seed=seed, options=options)
        if seed is not None or not self._seeded:
            self.learners.seed([seed])
            self._seeded = True
        self.learners.deal(self._row)
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action and let the opponents play on.

        Raises:
            IllegalActionError: the action is illegal and ``illegal_action="raise"``.
        """
        if not self._seeded or self.learners.over[0]:
            raise gymnasium.error.ResetNeeded("the deal is over: call reset() before step()")
        action = operator.index(action)
        if self.illegal_action == "raise" and not self._is_legal(action):
            legal = np.flatnonzero(self.learners.masks[0]).tolist()
            raise IllegalActionError(f"action {action} is not legal; legal ids: {legal}")
        possible = 0 <= action < self.learners.masks.shape[1]
        illegal = self.learners.act(np.array([action if possible else -1], dtype=np.int64))
        over = bool(self.learners.over[0])
        reward = float(self.learners.rewards(self._row)[0]) if over else 0.0
        observation, info = self._observe()
        info["illegal"] = bool(illegal[0])
        if self.render_mode == "human":
            self.render()
        return observation, reward, over, False, info

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self.learners.masks.shape[1] and bool(self.learners.masks[0, action])

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        self.learners.observe()
        mask = self.learners.masks[0].copy()
        observation = {"observation": self.learners.observations[0].copy(), "action_mask": mask}
        return observation, {"action_mask": mask}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The action mask as sb3-contrib asks for it: bool (actions,)."""
        legal: npt.NDArray[np.bool_] = self.learners.masks[0].astype(np.bool_)
        return legal

    @property
    def view(self) -> PlayerView:
        """What the learner sees."""
        return PlayerView.of(self.rules, self.learners.rows, 0, int(self.learners.seats[0]))

    def render(self) -> str | None:  # type: ignore[override]
        """The learner's view as text: returned with ``ansi``, printed with ``human``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        text = render_view(self.view)
        if self.render_mode == "human":
            print(text)
            return None
        return text
