"""Stable-Baselines3: the batched environment as an SB3 ``VecEnv``, and its policies as networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
from torch import nn

from durak_env import encoding
from durak_env.envs.learners import Learners, Opponents
from durak_env.envs.rewards import Scheme
from durak_env.envs.spaces import observation_box
from durak_env.errors import DurakError
from durak_env.rules import Rules


class DurakVecEnv(VecEnv):
    """N games at once, one learner in each, for SB3 and sb3-contrib's ``MaskablePPO``.

    Observations are (N, *encoder.shape). Masks come by ``env_method("action_masks")``, as
    sb3-contrib asks for them. When a deal ends, the row is dealt anew in the same step; the last
    observation is in ``infos[i]["terminal_observation"]``, the result in ``infos[i]["episode"]``.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules | str = "podkidnoy",
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        encoder: encoding.EncoderLike = "flat",
        rewards: Scheme = "durak",
        skip_forced: bool = True,
    ) -> None:
        """
        Args:
            num_envs: the number of games.
            rules: a `Rules` or its text.
            opponents: who plays the other seats; see `durak_env.envs.learners.Opponents`.
            seat: the learner's seat; None: it moves on by one seat with every deal.
            encoder: how observations are made, by name or by its class (`durak_env.encoding`).
            rewards: how a deal is rewarded; see `durak_env.envs.rewards`.
            skip_forced: play a decision that leaves no choice without asking.

        Raises:
            RulesError, DurakError, OpponentError: an argument that is not accepted.
        """
        self.rules = Rules.parse(rules) if isinstance(rules, str) else rules
        self.learners = Learners(
            self.rules, num_envs, opponents, seat, encoder, rewards, skip_forced
        )
        self.render_mode = None
        self._all = np.arange(num_envs)
        self._lengths = np.zeros(num_envs, dtype=np.int64)
        self._actions = np.zeros(num_envs, dtype=np.int64)
        self._needs_seed = True
        actions = self.learners.masks.shape[1]
        super().__init__(
            num_envs,
            observation_box(self.learners.encoder),
            spaces.Discrete(actions),
        )

    def reset(self) -> npt.NDArray[Any]:
        """Deal every game anew; seeds given by `seed` are used once."""
        given = any(seed is not None for seed in self._seeds)
        if given or self._needs_seed:
            self.learners.seed(self._seeds)
            self._needs_seed = False
        self._reset_seeds()
        self._reset_options()
        self.learners.deal(self._all)
        self._lengths[:] = 0
        self.learners.observe()
        return self.learners.observations.copy()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = np.asarray(actions, dtype=np.int64)

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out one action per row, the opponents' answers included."""
        illegal = self.learners.act(self._actions)
        if illegal.any():
            action = self._actions[illegal][0]
            raise DurakError(f"action {action} is illegal: the policy does not use the action mask")
        self._lengths += 1
        dones = self.learners.over
        rewards = np.zeros(self.num_envs, dtype=np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if ended.size:
            rewards[ended] = self.learners.rewards(ended)
            self.learners.observe()
            for i in ended:
                episode = {"r": float(rewards[i]), "l": int(self._lengths[i]), "t": 0.0}
                last = self.learners.observations[i].copy()
                infos[i] = {"episode": episode, "terminal_observation": last}
            self._lengths[ended] = 0
            self.learners.deal(ended)
        self.learners.observe()
        return self.learners.observations.copy(), rewards, dones, infos

    def state(self) -> dict[str, Any]:
        """Everything that the games to come depend on, as arrays; `restore` goes on from it."""
        return {**self.learners.state(), "lengths": self._lengths.copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`."""
        self._lengths[:] = state["lengths"]
        self._needs_seed = False
        self.learners.restore(state)

    def close(self) -> None:
        """Nothing is held open."""

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The masks of all rows: bool (N, actions)."""
        return self.learners.masks.view(np.bool_)

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have this attribute; sb3-contrib asks for ``action_masks``."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same attribute of the batch for every row asked for."""
        return [getattr(self, attr_name)] * len(self._rows_of(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Rows share everything: an attribute can be set for all of them only."""
        if indices is not None:
            raise DurakError(f"{attr_name} can only be set for all rows at once")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method of the batch; ``action_masks`` gives one row per game."""
        result = getattr(self, method_name)(*args, **kwargs)
        rows = self._rows_of(indices)
        if method_name == "action_masks":
            return [result[i] for i in rows] if indices is not None else result
        return [result] * len(rows)

    def env_is_wrapped(
        self,
        wrapper_class: Any,  # noqa: ARG002
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """No row is wrapped."""
        return [False] * len(self._rows_of(indices))

    def _rows_of(self, indices: VecEnvIndices) -> Sequence[int] | npt.NDArray[np.int64]:
        if indices is None:
            return self._all
        return list(indices) if isinstance(indices, Iterable) else [indices]


class PolicyNetwork(nn.Module):
    """An sb3-contrib policy as observations to (logits, value); it shares the policy's weights."""

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.policy.pi_features_extractor(observation)
        latent_policy, latent_value = self.policy.mlp_extractor(features)
        return self.policy.action_net(latent_policy), self.policy.value_net(latent_value)
