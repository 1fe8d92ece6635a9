"""Our own measurements."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from durak_env.actions import action_table
from durak_env.bench.measure import Measured
from durak_env.encoding.flat import FlatEncoder, sheet
from durak_env.encoding.flat.kernels import play_random_observed
from durak_env.engine import new_rows, play_random
from durak_env.rules import Rules
from durak_env.view.kernels import OWN

GAMES = 1024
"""Games at once where many are played."""

PPO_GAMES = 512

OPPONENT = "easy"
"""Who plays the other seats where there are opponents."""


def kernel(rules: Rules) -> Measured:
    """Random legal play inside the kernel."""
    rows, streams = new_rows(rules, GAMES), np.arange(GAMES, dtype=np.uint64)

    def work() -> int:
        play_random(rows, streams, 1000)
        return GAMES * 1000

    return work


def batched(rules: Rules, games: int = GAMES, first_seed: int = 0) -> Measured:
    """Random legal play, all games in step, with observation and mask of every decision."""
    rows, streams = new_rows(rules, games), np.arange(games, dtype=np.uint64) + first_seed
    encoder = FlatEncoder(rules)
    own, written = np.zeros(1, dtype=OWN), sheet(encoder.buffer(games))
    masks = np.zeros((games, len(action_table(rules))), dtype=np.int8)

    def work() -> int:
        play_random_observed(rows, streams, own, *written, masks, 100)
        return games * 100

    return work


def batched_on_threads(rules: Rules, threads: int) -> Measured:
    """`batched` with the games divided among threads, which wait for each other after a burst."""
    share = GAMES // threads
    parts = [batched(rules, share, share * k) for k in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def work() -> int:
        return sum(pool.map(lambda part: part(), parts))

    return work


def aec_turns(env: Any) -> Measured:
    """The loop of PettingZoo's ``performance_benchmark``: `last`, a random legal action, `step`."""
    env.reset(seed=0)

    def work() -> int:
        turns = 0
        for _ in range(100):
            for _ in env.agent_iter(env.num_agents):
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                else:
                    legal = np.flatnonzero(observation["action_mask"]).tolist()
                    action = random.choice(legal)
                env.step(action)
                turns += 1
                if all(env.terminations.values()) or all(env.truncations.values()):
                    env.reset()
        return turns

    return work


def aec(rules: Rules) -> Measured:
    """The AEC environment by PettingZoo's protocol."""
    from durak_env import podkidnoy_v0  # noqa: PLC0415

    return aec_turns(podkidnoy_v0.env(players=rules.players))


def single(rules: Rules) -> Measured:
    """The Gymnasium environment of one seat against `OPPONENT`, random legal actions."""
    from durak_env.envs.single import DurakEnv  # noqa: PLC0415

    env = DurakEnv(opponents=OPPONENT, players=rules.players)
    state = {"mask": env.reset(seed=0)[1]["action_mask"]}

    def work() -> int:
        for _ in range(1000):
            action = random.choice(np.flatnonzero(state["mask"]).tolist())
            _, _, over, _, info = env.step(action)
            state["mask"] = env.reset()[1]["action_mask"] if over else info["action_mask"]
        return 1000

    return work


def vector(rules: Rules) -> Measured:
    """The vector environment against `OPPONENT`, random legal actions drawn by NumPy."""
    from durak_env.envs.vector import DurakVectorEnv  # noqa: PLC0415

    env = DurakVectorEnv(GAMES, opponents=OPPONENT, players=rules.players)
    state = {"masks": env.reset(seed=0)[1]["action_mask"]}
    generator = np.random.default_rng(0)

    def work() -> int:
        for _ in range(10):
            masks = state["masks"]
            actions = (generator.random(masks.shape, dtype=np.float32) * masks).argmax(axis=1)
            state["masks"] = env.step(actions)[4]["action_mask"]
        return 10 * GAMES

    return work


def ppo(rules: Rules) -> Measured:
    """MaskablePPO end to end against `greedy`: rollouts and updates, the learner's decisions."""
    import torch  # noqa: PLC0415
    from sb3_contrib import MaskablePPO  # noqa: PLC0415

    from durak_env.integrations.sb3 import DurakVecEnv  # noqa: PLC0415

    torch.set_num_threads(1)
    steps = 64
    env = DurakVecEnv(PPO_GAMES, rules, opponents="greedy")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=steps,
        batch_size=2048,
        n_epochs=3,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=0,
    )

    def work() -> int:
        model.learn(PPO_GAMES * steps, reset_num_timesteps=False)
        return PPO_GAMES * steps

    return work
