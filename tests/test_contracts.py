"""The test suites of others on every preset with every number of players: PettingZoo, Gymnasium,
stable-baselines3, TorchRL."""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_sb3

from durak_env import podkidnoy_v0
from durak_env.envs.aec import DurakAECEnv
from durak_env.envs.single import DurakEnv
from durak_env.rules import PRESETS
from tests.alignment import random_rules

with warnings.catch_warnings():
    # PettingZoo's tests import one of its games in the way that PettingZoo calls deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test
    from pettingzoo.test.render_test import render_test
    from pettingzoo.test.state_test import test_state as check_state
    from pettingzoo.test.state_test import test_state_space as check_state_space

TABLES = [
    (name, players)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
]
"""Every preset with every number of players."""

tables = pytest.mark.parametrize(("preset", "players"), TABLES)

pettingzoo = pytest.mark.filterwarnings(
    # PettingZoo would rather have arrays, except in the classic games, which it lists by name
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    # the test passes the option "options", which no environment knows
    "ignore:.*reset options options are ignored",
)


def aec(preset: str, **arguments: Any) -> DurakAECEnv:
    """The AEC environment of a preset."""
    env: DurakAECEnv = importlib.import_module(f"durak_env.{preset}_v0").env(**arguments)
    return env


@pytest.fixture(autouse=True)
def unseen_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows that nobody sees, without the pauses for people who look at them."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    kinds = [importlib.import_module(f"durak_env.{name}_v0").raw_env for name in PRESETS]
    for kind in (*kinds, DurakEnv):
        monkeypatch.setitem(kind.metadata, "render_fps", 1000)
    yield
    import pygame

    pygame.display.quit()


# --- PettingZoo ---------------------------------------------------------------------------------


@pettingzoo
@tables
class TestPettingZoo:
    def test_api(self, preset: str, players: int) -> None:
        api_test(aec(preset, players=players), num_cycles=200)

    def test_seeds(self, preset: str, players: int) -> None:
        seed_test(lambda: aec(preset, players=players), num_cycles=50)

    def test_state(self, preset: str, players: int) -> None:
        """Both parts that are about AEC environments; the third is about parallel ones."""
        env = aec(preset, players=players)
        check_state_space(env)
        check_state(env, num_cycles=60)
        assert len({env.state().tobytes() for _ in steps(env, 40)}) > 20


def steps(env: DurakAECEnv, count: int) -> Iterator[None]:
    """Random legal actions, so many of them, over as many deals as it takes."""
    rng = random.Random(1)
    env.reset(seed=1)
    for _ in range(count):
        if not env.agents or all(env.terminations.values()):
            env.reset()
        yield
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask).tolist()))


@tables
def test_rendering(preset: str, players: int) -> None:
    """PettingZoo's own test, in every mode."""
    render_test(lambda render_mode: aec(preset, players=players, render_mode=render_mode))


@pettingzoo
@pytest.mark.parametrize("deck", [24, 52, 54])
@pytest.mark.parametrize("preset", ["podkidnoy", "jokers", "plus", "armenian", "prostoy"])
def test_pettingzoo_with_other_decks(preset: str, deck: int) -> None:
    if deck not in PRESETS[preset].decks:
        return
    api_test(aec(preset, deck=deck), num_cycles=300)
    seed_test(lambda: aec(preset, deck=deck), num_cycles=100)


@pettingzoo
@pytest.mark.parametrize("seed", range(16))
def test_pettingzoo_with_any_options(seed: int) -> None:
    """The same with random values of any options."""
    options = random_rules(random.Random(seed)).options()
    api_test(podkidnoy_v0.env(**options), num_cycles=300)
    seed_test(lambda: podkidnoy_v0.env(**options), num_cycles=200)


@pettingzoo
@pytest.mark.parametrize("encoder", ["planes", "history", "universal"])
def test_pettingzoo_with_other_encodings(encoder: str) -> None:
    api_test(podkidnoy_v0.env(encoder=encoder), num_cycles=300)
    seed_test(lambda: podkidnoy_v0.env(encoder=encoder), num_cycles=50)


# --- Gymnasium and stable-baselines3 ------------------------------------------------------------


# the checker would like to make the environment itself, to try its render modes
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@tables
def test_gymnasium(preset: str, players: int) -> None:
    check_env(DurakEnv(preset=preset, players=players, opponents=["easy", "greedy"]))


@tables
def test_stable_baselines3(preset: str, players: int) -> None:
    check_env_sb3(DurakEnv(preset=preset, players=players, opponents=["easy", "greedy"]))


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("encoder", ["planes", "history", "universal"])
def test_gymnasium_with_other_encodings(encoder: str) -> None:
    check_env(DurakEnv(encoder=encoder))


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("seed", range(14))
def test_gymnasium_with_any_options(seed: int) -> None:
    """Gymnasium's and SB3's checks under random values of any options."""
    options = random_rules(random.Random(seed)).options()
    check_env(DurakEnv(**options))
    check_env_sb3(DurakEnv(**options))


# --- TorchRL ------------------------------------------------------------------------------------


def torchrl_env(make: Callable[[], DurakAECEnv]) -> Any:
    """The environment in TorchRL's wrapper."""
    from torchrl.envs import PettingZooWrapper

    return PettingZooWrapper(make(), use_mask=True, categorical_actions=True, seed=0)


# TorchRL names an old PettingZoo as the one that it was tested with
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version")
@tables
def test_torchrl(preset: str, players: int) -> None:
    """Its sampler finds a legal action also at the end of a deal, and nothing illegal is played."""
    from torchrl.envs import check_env_specs

    env = torchrl_env(lambda: aec(preset, players=players, illegal_action="raise"))
    check_env_specs(env)
    rollout = env.rollout(150, break_when_any_done=False)
    played = 0
    for group in env.group_map:
        masks, acting = rollout[group, "action_mask"], rollout[group, "mask"]
        actions = rollout[group, "action"].unsqueeze(-1)
        legal = masks.gather(-1, actions).squeeze(-1)[acting]
        played += legal.numel()
        assert bool(legal.all())
    assert played == 150
