"""One seat of one game as a Gymnasium environment, opponents inside."""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from durak_env import encoding
from durak_env.envs.learners import Learners, Opponents
from durak_env.envs.rewards import Scheme
from durak_env.envs.spaces import (
    PICTURE_MODES,
    RENDER_MODES,
    Actions,
    IllegalPolicy,
    Observation,
    check_choice,
    observation_space,
)
from durak_env.errors import IllegalActionError
from durak_env.render.picture import Picture, need_pygame, picture_of_view
from durak_env.render.text import render_view
from durak_env.render.window import Window
from durak_env.rules import OptionValue, Rules
from durak_env.view import PlayerView


class DurakEnv(gymnasium.Env[Observation, np.int64]):
    """One learner against opponents.

    Observations are ``{"observation": encoder.shape, "action_mask": int8 (actions,)}``; the mask
    is also in ``info``, beside the learner's ``seat``, and returned by `action_masks`. The reward
    comes with the last step, by default -1 for the durak, 1 / (players - 1) for a seat that is not,
    0 after a draw; ``info["all_rewards"]`` then has those of every seat.
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
        encoder: encoding.EncoderLike = "flat",
        rewards: Scheme = "durak",
        skip_forced: bool = True,
        preset: str | None = None,
        **options: OptionValue,
    ) -> None:
        """
        Args:
            opponents: who plays the other seats; see `durak_env.envs.learners.Opponents`.
            seat: the learner's seat; None: it moves on by one seat with every deal.
            illegal_action: ``terminate`` ends the deal with the learner as the durak; ``raise``
                raises `IllegalActionError` and changes nothing.
            render_mode: ``ansi`` (`render` returns a text), ``rgb_array`` (it returns a picture),
                ``human`` (every step shows the picture in a window) or None. Pictures need pygame.
            encoder: how observations are made, by name or by its class (`durak_env.encoding`).
            rewards: how a deal is rewarded: ``durak``, ``places`` or ``points``; see
                `durak_env.envs.rewards`.
            skip_forced: play a decision that leaves no choice without asking.
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
        if render_mode in PICTURE_MODES:
            need_pygame()
        self._window = Window()
        self.learners = Learners(self.rules, 1, opponents, seat, encoder, rewards, skip_forced)
        actions = self.learners.masks.shape[1]
        self.observation_space = observation_space(self.learners.encoder, actions)
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
        if self.render_mode == "human":
            self.render()
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
        if over:
            info["all_rewards"] = self.learners.all_rewards(self._row)[0]
        if self.render_mode == "human":
            self.render()
        return observation, reward, over, False, info

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self.learners.masks.shape[1] and bool(self.learners.masks[0, action])

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        self.learners.observe()
        mask = self.learners.masks[0].copy()
        observation = {"observation": self.learners.observations[0].copy(), "action_mask": mask}
        return observation, {"action_mask": mask, "seat": int(self.learners.seats[0])}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The action mask as sb3-contrib asks for it: bool (actions,)."""
        legal: npt.NDArray[np.bool_] = self.learners.masks[0].astype(np.bool_)
        return legal

    @property
    def view(self) -> PlayerView:
        """What the learner sees."""
        return PlayerView.of(self.rules, self.learners.rows, 0, int(self.learners.seats[0]))

    def render(self) -> str | Picture | None:  # type: ignore[override]
        """The learner's view: a text with ``ansi``, pixels (height, width, 3) with ``rgb_array``;
        with ``human`` it is shown in a window.

        Raises:
            ResetNeeded: nothing is dealt yet.
            DurakError: there is no screen to open a window on.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("nothing is dealt: call reset() before render()")
        if self.render_mode == "ansi":
            return render_view(self.view)
        picture = picture_of_view(self.view)
        if self.render_mode == "rgb_array":
            return picture
        self._window.show(picture, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()
