"""The scripted opponents, compiled: a view record and a random word give an action code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.barred import beaters, trumps
from durak_env.engine.batch import Ids, id_of, legal_count, pick
from durak_env.engine.bits import lowest, ranks_of, same_rank
from durak_env.engine.chance import next_random, scale
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.state import (
    DEFEND,
    LEAD,
    OVER,
    PASS,
    PASS_WORD,
    SHOW,
    STOCK,
    TAKE,
    TAKE_WORD,
    TARGET,
    TRANSFER,
    TRANSFERRING,
    Row,
    Rows,
)
from durak_env.view.kernels import observe

Randoms = npt.NDArray[np.uint64]
"""One random word per decision."""

RANDOM, GREEDY, EASY = 0, 1, 2

TAKE_WITHOUT_NEED = 15
SKIP_THROW_IN = 30
PLAY_AT_RANDOM = 10
"""How often `easy` errs in each of its three ways, in per cent (S003-35)."""


@kernel
def lowest_by_rank(cards: np.uint64) -> int:
    """The card of the lowest rank of a set; among equal ranks the first suit."""
    return lowest(cards & same_rank(lowest(ranks_of(cards))))


@kernel
def highest_by_rank(cards: np.uint64) -> int:
    """The card of the highest rank of a set; among equal ranks the first suit."""
    ranks = ranks_of(cards)
    while ranks & (ranks - np.uint64(1)) != 0:
        ranks &= ranks - np.uint64(1)
    return lowest(cards & same_rank(lowest(ranks)))


@kernel
def cheapest(v: Row, cards: np.uint64) -> int:
    """The lowest plain card of a set, or the lowest trump if there is none."""
    plain = cards & ~trumps(v)
    return lowest_by_rank(plain) if plain != 0 else lowest(cards)


@kernel
def greedy_action(v: Row) -> int:
    """Lead low, transfer and throw in plain cards, beat cheaply, take only if one must.

    In a game of tricks: lead high, win as cheaply as possible, else lose the cheapest card.
    """
    if v["plays_tricks"]:
        return greedy_trick(v)
    if v["phase"] == DEFEND:
        return greedy_defence(v)
    cards = v["legal_cards"] | v["legal_transfers"]
    if v["phase"] == LEAD and (v["attacks"] == 0 or v["legal_words"] & PASS_WORD == 0):
        return cheapest(v, cards) if cards != 0 else STOCK
    plain = cards & ~trumps(v)
    if plain == 0:
        return PASS
    return lowest_by_rank(plain) + (TRANSFER if v["phase"] == TRANSFERRING else 0)


@kernel
def greedy_defence(v: Row) -> int:
    """Show a trump or transfer a plain card, else beat as cheaply as possible, else take."""
    plain = v["legal_transfers"] & ~trumps(v)
    if v["legal_shows"] != 0:
        return SHOW + lowest(v["legal_shows"])
    if plain != 0:
        return TRANSFER + lowest_by_rank(plain)
    if v["legal_targets"] != 0:
        return TARGET + cheapest(v, v["legal_targets"])
    if v["legal_cards"] != 0:
        return cheapest(v, v["legal_cards"])
    return TAKE if v["legal_words"] & TAKE_WORD else TRANSFER + lowest(v["legal_transfers"])


@kernel
def greedy_trick(v: Row) -> int:
    """The highest card to lead; to answer, the cheapest card that wins, or else the cheapest."""
    if v["phase"] == LEAD:
        return highest_by_rank(v["legal_cards"])
    winning = v["legal_cards"] & beaters(v, int(v["target_card"]))
    return cheapest(v, winning if winning != 0 else v["legal_cards"])


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
def decide(level: int, v: Row, random: np.uint64) -> int:
    """The action code of the scripted opponent of this level."""
    if level == RANDOM:
        return pick(v, random)
    if level == GREEDY:
        return greedy_action(v)
    return easy_action(v, random)


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
    """Let scripted opponents play until somebody else is asked.

    ``levels[k]`` is the level of opponent ``k``, -1 for one that is not scripted; ``decisions[k]``
    counts its decisions. ``scratch`` is one view: an opponent gets nothing else. With
    ``skip_forced`` a seat without an opponent is not asked where a single action is legal.
    """
    for k in range(which.size):
        i = which[k]
        s = rows[i]
        while s["phase"] != OVER:
            opponent = who[i, s["actor"]]
            if opponent >= 0 and levels[opponent] >= 0:
                observe(rows, i, s["actor"], scratch, 0)
                code = decide(levels[opponent], scratch[0], next_random(streams, i))
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
