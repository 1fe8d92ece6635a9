"""The scripted opponents, compiled: a view record and a random word give an action code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import Ids, id_of, legal_count, pick
from durak_env.engine.chance import next_random, scale
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.state import DEFEND, OVER, PASS, PASS_WORD, TAKE, TAKE_WORD, Row, Rows
from durak_env.opponents.greedy.kernels import greedy_action
from durak_env.opponents.hard.kernels import hard_action
from durak_env.opponents.medium.kernels import medium_action
from durak_env.view.kernels import observe

Randoms = npt.NDArray[np.uint64]
"""One random word per decision."""

RANDOM, GREEDY, EASY, MEDIUM, HARD = range(5)
SIMPLE = EASY
"""The levels up to this one play on within one loop. The others would be compiled with it, which
takes as long as all the rest, whether anybody asks for them or not."""

TAKE_WITHOUT_NEED = 15
SKIP_THROW_IN = 30
PLAY_AT_RANDOM = 10
"""How often `easy` errs in each of its three ways, in per cent (S003-35)."""


@kernel
def percent(random: np.uint64, which: int) -> int:
    """The ``which``-th of a few independent numbers 0 ... 99 in one random word."""
    part = (random >> np.uint64(16 * which)) & np.uint64(0xFFFF)
    return scale(part << np.uint64(48), 100)


@kernel
def easy_action(v: Row, random: np.uint64) -> int:
    """Greedy play with three kinds of error (S003-35)."""
    if percent(random, 0) < PLAY_AT_RANDOM:
        scrambled = random * np.uint64(0x9E3779B97F4A7C15)
        return pick(v, scrambled)
    if v["phase"] == DEFEND:
        if v["legal_words"] & TAKE_WORD and percent(random, 1) < TAKE_WITHOUT_NEED:
            return TAKE
    elif v["legal_words"] & PASS_WORD and percent(random, 1) < SKIP_THROW_IN:
        return PASS
    return greedy_action(v)


@kernel
def decide_simply(level: int, v: Row, random: np.uint64) -> int:
    """The action code of a scripted opponent up to `SIMPLE`."""
    if level == RANDOM:
        return pick(v, random)
    if level == GREEDY:
        return greedy_action(v)
    return easy_action(v, random)


@kernel
def decide(level: int, v: Row, random: np.uint64) -> int:
    """The action code of the scripted opponent of this level."""
    if level == MEDIUM:
        return medium_action(v)
    if level == HARD:
        return hard_action(v)
    return decide_simply(level, v, random)


@kernel
def decide_many(level: int, views: Rows, randoms: Randoms, actions: Ids) -> None:
    """One action id per view, by the scripted opponent of this level."""
    for k in range(views.size):
        actions[k] = id_of(views[k], decide(level, views[k], randoms[k]))


@kernel
def play_on(
    rows: Rows,
    which: Ids,
    who: Ids,
    levels: Ids,
    streams: Randoms,
    scratch: Rows,
    decisions: Ids,
    skip_forced: bool,
) -> None:
    """Let simple scripted opponents play until somebody else is asked.

    ``levels[k]`` is the level of opponent ``k``, -1 for one above `SIMPLE`; ``decisions[k]`` counts
    its decisions. ``scratch`` is one view: an opponent gets nothing else. With ``skip_forced`` a
    seat without an opponent is not asked where a single action is legal.
    """
    for k in range(which.size):
        i = which[k]
        s = rows[i]
        while s["phase"] != OVER:
            opponent = who[i, s["actor"]]
            if opponent >= 0 and levels[opponent] >= 0:
                observe(rows, i, s["actor"], scratch, 0)
                code = decide_simply(levels[opponent], scratch[0], next_random(streams, i))
                decisions[opponent] += 1
            elif opponent < 0 and skip_forced and legal_count(s) == 1:
                code = pick(s, np.uint64(0))
            else:
                break
            act(s, code)


@kernel
def draw_randoms(streams: Randoms, which: Ids, out: Randoms) -> None:
    """One random word from the stream of every row of ``which``."""
    for k in range(which.size):
        out[k] = next_random(streams, which[k])
