"""Other people's environments, by the protocols of our own measurements."""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from durak_env.bench.measure import Benchmark, Measured
from durak_env.bench.own import GAMES, aec_turns


def peers() -> list[Benchmark]:
    """Every peer, and which of our own measurements it is compared with."""

    def peer(name: str, prepare: Callable[[], Measured], games: int, against: str) -> Benchmark:
        return Benchmark(
            f"peer:{name}", prepare, games, needs=NEEDS[name.partition("-")[0]], against=against
        )

    return [
        peer("pettingzoo-leduc", partial(pettingzoo_turns, "leduc_holdem_v4"), 1, "aec"),
        peer("pettingzoo-holdem", partial(pettingzoo_turns, "texas_holdem_no_limit_v6"), 1, "aec"),
        peer("rlcard-leduc", partial(rlcard_decisions, "leduc-holdem"), 1, "aec"),
        peer("rlcard-holdem", partial(rlcard_decisions, "no-limit-holdem"), 1, "aec"),
        peer("openspiel-leduc", partial(open_spiel_decisions, "leduc_poker"), 1, "aec"),
        peer("openspiel-eights", partial(open_spiel_decisions, "crazy_eights"), 1, "aec"),
        peer("openspiel-gin_rummy", partial(open_spiel_decisions, "gin_rummy"), 1, "aec"),
        peer("pgx-leduc", partial(pgx_steps, "leduc_holdem"), GAMES, "batched"),
        peer("gymnasium-cartpole", cartpole_steps, GAMES, "vector"),
    ]


NEEDS = {
    "pettingzoo": ("rlcard", "pygame"),
    "rlcard": ("rlcard",),
    "openspiel": ("pyspiel",),
    "pgx": ("pgx", "jax"),
    "gymnasium": ("gymnasium",),
}
"""The modules that each library's measurements import."""


def pettingzoo_turns(name: str) -> Measured:
    """A classic game of PettingZoo by the protocol of `durak_env.bench.own.aec`."""
    with warnings.catch_warnings():
        # PettingZoo imports its games in the way that it calls deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        module = importlib.import_module(f"pettingzoo.classic.{name}")
    return aec_turns(module.env())


def rlcard_decisions(name: str) -> Measured:
    """A game of RLCard, random legal actions through its environment."""
    import rlcard  # noqa: PLC0415

    env = rlcard.make(name, config={"seed": 0})
    state = {"now": env.reset()[0]}

    def work() -> int:
        for _ in range(1000):
            action = random.choice(list(state["now"]["legal_actions"]))
            state["now"], _ = env.step(action)
            if env.is_over():
                state["now"], _ = env.reset()
        return 1000

    return work


def open_spiel_decisions(name: str) -> Measured:
    """A game of OpenSpiel, random legal actions, the observation of every decision in a NumPy
    buffer. Chance is sampled too, but not counted."""
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.observation import make_observation  # noqa: PLC0415

    game = pyspiel.load_game(name)
    observer = make_observation(game)

    def play_game() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            else:
                observer.set_from(state, state.current_player())
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return lambda: sum(play_game() for _ in range(10))


PGX_STEPS = 50


def pgx_steps(name: str) -> Measured:
    """A game of Pgx, `GAMES` at once, compiled by JAX: random legal actions, observations used,
    games that have ended begun anew."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    pgx: Any = importlib.import_module("pgx")
    auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(state: Any, key: Any) -> tuple[Any, Any]:
        choose, again = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(choose, logits, axis=-1)
        state = step(state, actions, jax.random.split(again, GAMES))
        return state, state.observation.sum()

    turns = jax.jit(lambda state, key: jax.lax.scan(turn, state, jax.random.split(key, PGX_STEPS)))
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES))
    now = {"state": start, "key": jax.random.PRNGKey(1)}

    def work() -> int:
        now["key"], key = jax.random.split(now["key"])
        now["state"], seen = turns(now["state"], key)
        seen.block_until_ready()
        return GAMES * PGX_STEPS

    return work


def cartpole_steps() -> Measured:
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
