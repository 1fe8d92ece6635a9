"""The scripted opponents, compiled: a view record and a random word give an action code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import Ids, id_of
from durak_env.engine.bits import TRUMPS, lowest, nth, popcount, ranks_of, same_rank
from durak_env.engine.chance import next_random, scale
from durak_env.engine.jit import kernel
from durak_env.engine.state import DEFEND, LEAD, PASS, TAKE, TAKE_WORD, TARGET, Row, Rows

Randoms = npt.NDArray[np.uint64]
"""One random word per decision."""

RANDOM, GREEDY, EASY = 0, 1, 2

TAKE_WITHOUT_NEED = 15
SKIP_THROW_IN = 30
PLAY_AT_RANDOM = 10
"""How often `easy` errs in each of its three ways, in per cent (S003-35)."""


@kernel
def random_action(v: Row, random: np.uint64) -> int:
    """A uniformly random legal action."""
    cards, words = popcount(v["legal_cards"]), int(v["legal_words"])
    word_count = (words & 1) + (words >> 1)
    choice = scale(random, cards + word_count + popcount(v["legal_targets"]))
    if choice < cards:
        return nth(v["legal_cards"], choice)
    choice -= cards
    if choice < word_count:
        return TAKE if choice == 1 or words == TAKE_WORD else PASS
    return TARGET + nth(v["legal_targets"], choice - word_count)


@kernel
def lowest_by_rank(cards: np.uint64) -> int:
    """The card of the lowest rank of a set; among equal ranks the first suit."""
    return lowest(cards & same_rank(lowest(ranks_of(cards))))


@kernel
def cheapest(cards: np.uint64) -> int:
    """The lowest plain card of a set, or the lowest trump if there is none."""
    plain = cards & ~TRUMPS
    return lowest_by_rank(plain) if plain != 0 else lowest(cards)


@kernel
def greedy_action(v: Row) -> int:
    """Lead low, throw in every plain card, beat cheaply, take only if one must."""
    cards = v["legal_cards"]
    if v["phase"] == DEFEND:
        if v["legal_targets"] != 0:
            return TARGET + cheapest(v["legal_targets"])
        return cheapest(cards) if cards != 0 else TAKE
    if v["phase"] == LEAD and v["attacks"] == 0:
        return cheapest(cards)
    plain = cards & ~TRUMPS
    return lowest_by_rank(plain) if plain != 0 else PASS


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
        return random_action(v, scrambled)
    if v["phase"] == DEFEND:
        if v["legal_words"] & TAKE_WORD and percent(random, 1) < TAKE_WITHOUT_NEED:
            return TAKE
    elif v["attacks"] > 0 and percent(random, 1) < SKIP_THROW_IN:
        return PASS
    return greedy_action(v)


@kernel
def decide_many(level: int, views: Rows, randoms: Randoms, actions: Ids) -> None:
    """One action id per view, by the scripted opponent of this level."""
    for k in range(views.size):
        v = views[k]
        if level == RANDOM:
            code = random_action(v, randoms[k])
        elif level == GREEDY:
            code = greedy_action(v)
        else:
            code = easy_action(v, randoms[k])
        actions[k] = id_of(v, code)


@kernel
def draw_randoms(streams: Randoms, which: Ids, out: Randoms) -> None:
    """One random word from the stream of every row of ``which``."""
    for k in range(which.size):
        out[k] = next_random(streams, which[k])
