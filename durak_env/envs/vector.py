"""N games at once as a Gymnasium vector environment, opponents inside."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from durak_env import encoding
from durak_env.envs.learners import Ids, Learners, Opponents
from durak_env.envs.rewards import Scheme
from durak_env.envs.shards import Shards
from durak_env.envs.spaces import Actions, Observation, check_choice, observation_space
from durak_env.errors import DurakError
from durak_env.rules import OptionValue, Rules

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
StepResult = tuple[Observation, Floats, Flags, Flags, dict[str, Any]]


class DurakVectorEnv(VectorEnv[Observation, Ids, npt.NDArray[Any]]):
    """``num_envs`` games, one learner in each, with the exact semantics of Gymnasium's autoreset.

    Observations are ``{"observation": (N, *encoder.shape), "action_mask": int8 (N, actions)}``;
    masks are never empty. Row i of seed s plays the same deals as the single environment of seed
    s + i. An illegal action ends the deal with the learner as the durak.

    With ``opponents="self"`` the caller acts for every seat: row i shows and asks the seat
    ``infos["seat"][i]``. The reward of a row is that of the seat that acted last; those of all
    seats are in ``infos["all_rewards"]`` where a deal has ended.

    A decision that leaves no choice is played without asking (``skip_forced``). This tells a
    learner nothing that it could not know: what is played for it is the only thing that it may do.
    But it sees fewer states, in which the table may have changed by more than one action since its
    last decision.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012
    preset: ClassVar[str] = "podkidnoy"

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
        encoder: encoding.EncoderLike = "flat",
        rewards: Scheme = "durak",
        skip_forced: bool = True,
        threads: int = 1,
        preset: str | None = None,
        **options: OptionValue,
    ) -> None:
        """
        Args:
            num_envs: the number of games.
            opponents: who plays the other seats; see `durak_env.envs.learners.Opponents`.
            seat: the learner's seat; None: it moves on by one seat with every deal.
            autoreset_mode: what happens after a deal has ended.
            render_mode: only None.
            encoder: how observations are made, by name or by its class (`durak_env.encoding`).
            rewards: how a deal is rewarded: ``durak``, ``places`` or ``points``; see
                `durak_env.envs.rewards`.
            skip_forced: play a decision that leaves no choice without asking.
            threads: the rows are divided among so many; the results stay the same.
            preset: the preset of the rules.
            options: options of `Rules`.

        Raises:
            RulesError, DurakError, OpponentError: an argument that is not accepted.
        """
        check_choice("render_mode", render_mode, (None,))
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.rules = Rules.preset(preset or self.preset, **options)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        setup = (self.rules, num_envs, opponents, seat, encoder, rewards, skip_forced)
        self.learners = Learners(*setup) if threads == 1 else Shards(threads, *setup)
        self.single_observation_space = observation_space(
            self.learners.encoder, self.learners.masks.shape[1]
        )
        self.single_action_space: Actions = spaces.Discrete(self.learners.masks.shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._all = np.arange(num_envs)
        self._seeded = False

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games, or those of ``options["reset_mask"]``, anew.

        ``seed=s`` gives row i the seed s + i. Without a seed the streams go on.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None and not self._seeded:
            raise gymnasium.error.ResetNeeded("the first reset deals all games, without a mask")
        which = self._all if mask is None else np.flatnonzero(self._check_mask(mask))
        seeds = self._row_seeds(seed)
        if seeds is not None:
            self.learners.seed([seeds[i] for i in which], which)
            self._seeded = True
        self.learners.deal(which)
        self._ended[which] = False
        return self._observe()

    def _check_mask(self, mask: object) -> Flags:
        fits = isinstance(mask, np.ndarray) and mask.shape == (self.num_envs,)
        if not fits or mask.dtype != np.bool_ or not mask.any():  # type: ignore[attr-defined]
            raise DurakError(
                f"reset_mask must be a bool array of shape ({self.num_envs},) with one True or more"
            )
        return mask  # type: ignore[return-value]

    def _row_seeds(self, seed: int | list[int | None] | None) -> list[int | None] | None:
        if seed is None:
            return None if self._seeded else [None] * self.num_envs
        if not isinstance(seed, Sequence):
            return [operator.index(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise DurakError(f"{len(seed)} seeds for {self.num_envs} games")
        return list(seed)

    def step(self, actions: Ids) -> StepResult:
        """One action per row. With `AutoresetMode.NEXT_STEP` the action of a row whose deal has
        ended is ignored and the row is dealt anew."""
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("the first call must be reset()")
        actions = np.asarray(actions, dtype=np.int64)
        if actions.shape != (self.num_envs,):
            raise DurakError(f"{actions.shape} actions for {self.num_envs} games")
        before = self._ended.copy()
        if before.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise DurakError("rows whose deal has ended must be reset before the next step")
        playing = np.flatnonzero(~before)
        illegal = np.zeros(self.num_envs, dtype=np.bool_)
        illegal[playing] = self.learners.act(actions[playing], playing)
        self.learners.deal(np.flatnonzero(before))
        terminated = self.learners.over
        rewards = np.zeros(self.num_envs)
        everybody = np.zeros((self.num_envs, self.rules.players))
        ended = np.flatnonzero(terminated)
        everybody[ended] = self.learners.all_rewards(ended)
        rewards[ended] = everybody[ended, self.learners.seats[ended]]
        every = {"all_rewards": everybody, "_all_rewards": terminated & ~before}
        return self._finish(rewards, terminated, illegal, ~before, every if ended.size else {})

    def _finish(
        self,
        rewards: Floats,
        terminated: Flags,
        illegal: Flags,
        acted: Flags,
        all_rewards: dict[str, Any],
    ) -> StepResult:
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            final = self._final(terminated, illegal, all_rewards)
            self.learners.deal(np.flatnonzero(terminated))
            acted = ~terminated
        else:
            self._ended = terminated.copy()
            final = all_rewards
        observation, infos = self._observe()
        infos |= {"illegal": illegal & acted, "_illegal": acted, **final}
        return observation, rewards, terminated, truncated, infos

    def _final(self, ended: Flags, illegal: Flags, all_rewards: dict[str, Any]) -> dict[str, Any]:
        """The last observations and infos of the deals that ended, as Gymnasium hands them over."""
        if not ended.any():
            return {}
        observation, infos = self._observe()
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            last[i] = {key: value[i].copy() for key, value in observation.items()}
        masks = infos["action_mask"] * ended[:, None].astype(np.int8)
        return {
            "final_obs": last,
            "_final_obs": ended.copy(),
            "final_info": {
                "action_mask": masks,
                "_action_mask": ended.copy(),
                "illegal": illegal & ended,
                "_illegal": ended.copy(),
                "seat": infos["seat"] * ended,
                "_seat": ended.copy(),
                **all_rewards,
            },
            "_final_info": ended.copy(),
        }

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        self.learners.observe()
        observation: Observation = {
            "observation": self.learners.observations.copy(),
            "action_mask": self.learners.masks.copy(),
        }
        always = np.ones(self.num_envs, dtype=np.bool_)
        return observation, {
            "action_mask": observation["action_mask"],
            "_action_mask": always,
            "seat": self.learners.seats.copy(),
            "_seat": always,
        }

    def close_extras(self, **_kwargs: Any) -> None:
        """End the threads, if there are several."""
        learners = getattr(self, "learners", None)  # none where the arguments were refused
        if isinstance(learners, Shards):
            learners.close()
