"""The SB3 ``VecEnv``: rewards, resets, masks, saving."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from gymnasium import spaces
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from durak_env.errors import DurakError
from durak_env.integrations.sb3 import DurakVecEnv
from durak_env.rules import PRESETS


def random_legal(env: DurakVecEnv, rng: np.random.Generator) -> np.ndarray:
    masks = get_action_masks(env)
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("rules", ["podkidnoy(players=3)", *PRESETS])
def test_spaces_and_masks_are_those_that_sb3_contrib_asks_for(rules: str) -> None:
    env = DurakVecEnv(8, rules, opponents="greedy")
    env.seed(1)
    observations = env.reset()
    assert isinstance(env.observation_space, spaces.Box)
    assert observations.dtype == env.observation_space.dtype == np.int8
    assert all(env.observation_space.contains(row) for row in observations)
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    assert masks.shape == (8, env.action_space.n)  # type: ignore[attr-defined]
    assert masks.any(axis=1).all()
    assert env.env_method("action_masks", indices=[2])[0].tolist() == masks[2].tolist()
    assert env.env_is_wrapped(object) == [False] * 8
    assert env.get_attr("num_envs", indices=0) == [8]


@pytest.mark.parametrize(
    ("preset", "players"),
    [("podkidnoy", 2), ("podkidnoy", 3), ("perevodnoy", 5), ("jokers", 4), ("epaulettes", 2)],
)
def test_a_deals_reward_reaches_the_learners_own_last_action(preset: str, players: int) -> None:
    """Whoever moved last, the row of the learner's last decision carries the deal's reward."""
    env = DurakVecEnv(32, f"{preset}(players={players})", opponents=["easy", "greedy"])
    twin = DurakVecEnv(32, f"{preset}(players={players})", opponents=["easy", "greedy"])
    env.seed(3)
    twin.seed(3)
    env.reset()
    twin.reset()
    rng = np.random.default_rng(0)
    ended_by_others = 0
    for _ in range(400):
        actions = random_legal(env, rng)
        last_to_act = twin.learners.rows["actor"].copy()
        _, rewards, dones, infos = env.step(actions)
        twin.learners.act(actions)
        rows, seats = twin.learners.rows, twin.learners.seats
        assert (last_to_act == seats).all()
        over = np.flatnonzero(twin.learners.over)
        assert (np.flatnonzero(dones) == over).all()
        for i in over:
            durak = int(rows["durak"][i])
            expected = 0.0 if durak < 0 else -1.0 if durak == seats[i] else 1 / (players - 1)
            assert rewards[i] == pytest.approx(expected)
            assert infos[i]["episode"]["r"] == pytest.approx(expected)
            ended_by_others += int(rows["last_layer"][i] != seats[i])
        assert not rewards[~dones].any()
        twin.learners.deal(over)
        twin.learners.observe()
        assert (twin.learners.observations == env.learners.observations).all()
    assert ended_by_others > 10


def test_the_learners_seat_moves_on_with_every_deal() -> None:
    env = DurakVecEnv(1, "podkidnoy(players=3)")
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    seats = []
    while len(seats) < 6:
        seat = int(env.learners.seats[0])
        if env.step(random_legal(env, rng))[2][0]:
            seats.append(seat)
    assert [(b - a) % 3 for a, b in pairwise(seats)] == [1] * 5


def test_same_seed_same_games_and_other_seeds_differ() -> None:
    def roll(seed: int) -> np.ndarray:
        env = DurakVecEnv(4, opponents="easy")
        env.seed(seed)
        seen = [env.reset()]
        rng = np.random.default_rng(0)
        for _ in range(100):
            seen.append(env.step(random_legal(env, rng))[0])
        return np.stack(seen)

    assert (roll(5) == roll(5)).all()
    assert (roll(5) != roll(6)).any()


def test_a_saved_state_goes_on_exactly() -> None:
    env, later = DurakVecEnv(8, opponents="easy"), DurakVecEnv(8, opponents="easy")
    env.seed(1)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(37):
        env.step(random_legal(env, rng))
    later.restore(env.state())
    for _ in range(200):
        actions = random_legal(env, rng)
        ours, theirs = env.step(actions), later.step(actions)
        assert (ours[0] == theirs[0]).all()
        assert (ours[1] == theirs[1]).all()
        assert (ours[2] == theirs[2]).all()


def test_an_illegal_action_says_that_the_mask_is_not_used() -> None:
    env = DurakVecEnv(2)
    env.seed(0)
    env.reset()
    illegal = np.argmin(get_action_masks(env), axis=1)
    with pytest.raises(DurakError, match=r"does not use the action mask"):
        env.step(illegal)
