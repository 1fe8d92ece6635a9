"""Speed, measured: ``durak bench``.

Every measurement counts player decisions per second of wall time, in one process and one thread,
deals included. It is warmed up, then repeated; the median, the slowest and the fastest repetition
are reported. Peers are other people's environments, measured in the same run by the same protocol:
compare ratios, since absolute figures depend on the machine and on what else it does.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from durak_env.actions import action_table
from durak_env.encoding.flat import FlatEncoder, sheet
from durak_env.encoding.flat.kernels import play_random_observed
from durak_env.engine import new_rows, play_random
from durak_env.errors import DurakError
from durak_env.rules import PRESETS, Rules
from durak_env.view.kernels import OWN

GAMES = 1024
"""Games at once where many are played."""

PPO_GAMES = 512

REPETITIONS = 5

Measured = Callable[[], int]
"""One short burst of work; returns its number of decisions."""


@dataclass(frozen=True)
class Benchmark:
    """One named measurement. ``prepare`` builds it and returns the work to be timed."""

    name: str
    prepare: Callable[[], Measured]
    games: int
    rules: Rules | None = None
    needs: tuple[str, ...] = ()

    def available(self) -> bool:
        """Whether the modules it needs are installed."""
        return all(importlib.util.find_spec(module) is not None for module in self.needs)

    def measure(self, seconds: float) -> dict[str, Any]:
        """The result, as ``durak bench --json`` prints it."""
        work = self.prepare()
        work()
        rates = [rate(work, seconds / REPETITIONS) for _ in range(REPETITIONS)]
        return {
            "name": self.name,
            "rules": str(self.rules) if self.rules else None,
            "players": self.rules.players if self.rules else None,
            "games": self.games,
            "threads": 1,
            "per_second": {
                "median": statistics.median(rates),
                "min": min(rates),
                "max": max(rates),
            },
        }


def rate(work: Measured, seconds: float) -> float:
    """Decisions per second of work that is repeated for at least this long."""
    decisions, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or not decisions:
        decisions += work()
    return decisions / elapsed


# --- our own ----------------------------------------------------------------------------------


def kernel(rules: Rules) -> Measured:
    """Random legal play inside the kernel."""
    rows, streams = new_rows(rules, GAMES), np.arange(GAMES, dtype=np.uint64)

    def work() -> int:
        play_random(rows, streams, 1000)
        return GAMES * 1000

    return work


def batched(rules: Rules) -> Measured:
    """Random legal play, all games in step, with observation and mask of every decision."""
    rows, streams = new_rows(rules, GAMES), np.arange(GAMES, dtype=np.uint64)
    encoder = FlatEncoder(rules)
    own, written = np.zeros(1, dtype=OWN), sheet(encoder.buffer(GAMES))
    masks = np.zeros((GAMES, len(action_table(rules))), dtype=np.int8)

    def work() -> int:
        play_random_observed(rows, streams, own, *written, masks, 100)
        return GAMES * 100

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
    """The Gymnasium environment of one seat against `greedy`, random legal actions."""
    from durak_env.envs.single import DurakEnv  # noqa: PLC0415

    env = DurakEnv(opponents="greedy", players=rules.players)
    state = {"mask": env.reset(seed=0)[1]["action_mask"]}

    def work() -> int:
        for _ in range(1000):
            action = random.choice(np.flatnonzero(state["mask"]).tolist())
            _, _, over, _, info = env.step(action)
            state["mask"] = env.reset()[1]["action_mask"] if over else info["action_mask"]
        return 1000

    return work


def vector(rules: Rules) -> Measured:
    """The vector environment against `greedy`, random legal actions drawn by NumPy."""
    from durak_env.envs.vector import DurakVectorEnv  # noqa: PLC0415

    env = DurakVectorEnv(GAMES, opponents="greedy", players=rules.players)
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


# --- peers ------------------------------------------------------------------------------------


def peer_leduc() -> Measured:
    """PettingZoo's Leduc hold'em by the same protocol as `aec`."""
    from pettingzoo.classic import leduc_holdem_v4  # noqa: PLC0415

    return aec_turns(leduc_holdem_v4.env())


def peer_rlcard() -> Measured:
    """RLCard's Leduc hold'em, random legal actions through its environment."""
    import rlcard  # noqa: PLC0415

    env = rlcard.make("leduc-holdem", config={"seed": 0})
    state = {"now": env.reset()[0]}

    def work() -> int:
        for _ in range(1000):
            action = random.choice(list(state["now"]["legal_actions"]))
            state["now"], _ = env.step(action)
            if env.is_over():
                state["now"], _ = env.reset()
        return 1000

    return work


def peer_cartpole() -> Measured:
    """Gymnasium's natively vectorised CartPole, the fastest environment that it ships."""
    import gymnasium  # noqa: PLC0415

    env = gymnasium.make_vec("CartPole-v1", num_envs=GAMES, vectorization_mode="vector_entry_point")
    env.reset(seed=0)
    generator = np.random.default_rng(0)

    def work() -> int:
        for _ in range(10):
            env.step(generator.integers(0, 2, GAMES))
        return 10 * GAMES

    return work


def benchmarks() -> dict[str, Benchmark]:
    """Every measurement by name."""
    rules = Rules()
    sb3 = ("torch", "sb3_contrib")

    def own(name: str, make: Callable[[Rules], Measured], games: int) -> Benchmark:
        needs = sb3 if name == "ppo" else ()
        return Benchmark(name, lambda: make(rules), games, rules, needs)

    listed = [
        own("kernel", kernel, GAMES),
        own("batched", batched, GAMES),
        own("aec", aec, 1),
        own("single", single, 1),
        own("vector", vector, GAMES),
        own("ppo", ppo, PPO_GAMES),
        Benchmark("peer:pettingzoo-leduc", peer_leduc, 1, needs=("rlcard", "pygame")),
        Benchmark("peer:rlcard-leduc", peer_rlcard, 1, needs=("rlcard",)),
        Benchmark("peer:gymnasium-cartpole", peer_cartpole, GAMES, needs=("gymnasium",)),
    ]
    return {benchmark.name: benchmark for benchmark in listed}


def tables() -> list[Benchmark]:
    """`kernel` for every preset with every number of players, on the preset's own deck."""
    listed = []
    for name, preset in PRESETS.items():
        for players in range(preset.players[0], preset.players[1] + 1):
            rules = Rules.preset(name, players=players)
            listed.append(Benchmark("kernel", partial(kernel, rules), GAMES, rules))
    return listed


def run(
    names: Sequence[str] = (),
    *,
    everything: bool = False,
    seconds: float = 5.0,
    started: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Measure.

    Args:
        names: what to measure; every measurement whose packages are installed if empty.
        everything: measure `kernel` not for podkidnoy alone but for all `tables`.
        seconds: time for each measurement, warming up not counted.
        started: called with the name of each measurement when it begins.

    Returns:
        ``{"machine": {...}, "results": [...]}`` as ``durak bench --json`` prints it.

    Raises:
        DurakError: a name that does not exist, or a measurement whose packages are not installed.
    """
    known = benchmarks()
    chosen = []
    for name in names:
        if name not in known:
            raise DurakError(f"unknown measurement {name!r}; known: {', '.join(known)}")
        if not known[name].available():
            packages = ", ".join(known[name].needs)
            raise DurakError(
                f"{name} needs {packages}: pip install 'durak_env[train]' 'durak_env[bench]'"
            )
        chosen.append(known[name])
    chosen = chosen or [one for one in known.values() if one.available()]
    if everything:
        chosen = tables() + [one for one in chosen if one.name != "kernel"]
    results = []
    for benchmark in chosen:
        if started is not None:
            started(benchmark.name)
        results.append(benchmark.measure(seconds))
    return {"machine": machine(), "results": results}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    installed = ("durak_env", "numpy", "numba", "gymnasium", "pettingzoo")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": load,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in installed},
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
