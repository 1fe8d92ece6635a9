"""The level hard, compiled: every legal action gets a score, and the best is played.

A score is a sum of features of the action, each times a weight. Which features there are depends on
what the action does (`KINDS`); the weights change as the stock runs out, and are others for two
players than for more.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.belief.kernels import hidden_cards
from durak_env.engine.barred import beaters, special, trumps
from durak_env.engine.batch import legal_of_kind
from durak_env.engine.bits import (
    LANE,
    ONE,
    bit,
    lowest,
    popcount,
    same_rank,
)
from durak_env.engine.jit import array_kernel, kernel
from durak_env.engine.state import (
    ADD,
    DEFEND,
    LEAD,
    PASS,
    SELF,
    SHOW,
    STOCK,
    TAKE,
    TAKE_WORD,
    TARGET,
    TRANSFER,
    TRANSFERRING,
    Row,
)
from durak_env.opponents.greedy.kernels import greedy_trick
from durak_env.opponents.medium.kernels import height, plan_covers

Features = npt.NDArray[np.float64]
"""The features of one action."""

Weights = npt.NDArray[np.float64]
"""Shape (4, 2, kinds, features): the game (`TWO` ...); an empty stock or a full one."""

TWO, MORE_PLAYERS, NO_THROW_INS, CROWD = range(4)
"""Games with weights of their own: two players; three to six; three or more without throw-ins;
seven or eight."""

FULL_STOCK = 12
"""Cards in the stock from which on a deal is young: the weights are those of a full stock."""

SURE = 0.01
"""Below so many beaters expected a card is as good as unbeatable (S001-24)."""

OPENING, MORE, COVER, TAKING, PASSING_ON, SHOWING, FROM_STOCK, TO_SELF = range(8)
"""Kinds of actions: the first card of a bout, a card to those on the table, a cover, to take, to
transfer by a card or by showing one, to lead from the stock, to throw in to oneself."""

FEATURES = 17
"""The most features of one kind."""

Pair: TypeAlias = tuple[float, float]
"""The weight with an empty stock and with a full one."""

Table: TypeAlias = tuple[tuple[str, Pair, Pair, Pair, Pair], ...]
"""The features of one kind, and their weights in the four games (`TWO` ...)."""

OPENING_WEIGHTS: Table = (
    ("height of a plain card", (-5.8, -20.5), (-14.5, -11.7), (-12.9, -14.5), (-15.1, -11.5)),
    ("trump", (-13.0, -41.3), (-30.9, -19.7), (-30.9, -21.1), (-32.4, -19.7)),
    ("height of a trump", (-27.2, -14.2), (-19.7, -6.5), (-21.7, -7.1), (-19.7, -6.5)),
    ("plain cards of its rank besides it", (-1.9, 3.3), (3.2, 6.9), (1.9, 5.1), (4.5, 7.9)),
    ("rank that the seat hangs", (-17.9, -14.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (-0.9, -0.7), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("the height, for each of those", (7.1, -8.2), (-4.2, -7.7), (-4.5, -9.6), (-5.4, -7.4)),
    ("beaters expected, at most 3", (-0.7, 2.2), (-3.3, 5.9), (-7.0, 2.2), (-4.3, 5.7)),
    ("no beater expected", (6.5, -4.4), (8.9, -2.4), (8.1, -2.7), (8.2, -2.4)),
    ("trump of its rank besides it", (8.7, -2.7), (-1.1, 0.2), (-10.6, 1.2), (-1.7, 0.6)),
    ("square of a plain height", (-1.2, -15.8), (-5.9, -9.3), (-4.2, -10.2), (-6.7, -9.4)),
    ("beaters expected, at most 1", (-6.0, 14.0), (-5.9, 7.0), (-5.2, 7.4), (-4.9, 7.0)),
    (
        "plain cards of its rank, if none is thrown in later",
        (-3.1, 0.5),
        (2.4, -1.5),
        (1.0, -3.3),
        (2.4, -1.5),
    ),
    ("one by the defender's cards", (0.6, 1.9), (0.9, 0.2), (0.9, 0.2), (0.9, 0.2)),
    ("one by one's own cards", (0.4, 2.0), (0.8, 0.2), (0.8, 0.2), (0.8, 0.2)),
    ("height by one's own cards", (1.4, -1.4), (1.6, -0.6), (2.5, -1.6), (2.4, -0.5)),
)

MORE_WEIGHTS: Table = (
    ("height of a plain card", (1.4, 3.3), (1.6, -1.4), (3.1, -1.4), (1.1, -1.4)),
    ("trump", (-3.5, -34.6), (-11.9, -26.0), (-12.6, -26.2), (-19.3, -27.0)),
    ("height of a trump", (-0.2, -8.1), (-1.2, -10.4), (3.0, -10.4), (-6.1, -10.9)),
    ("plain cards of its rank besides it", (-1.8, -3.2), (-2.8, -5.5), (-1.7, -5.6), (-2.6, -6.5)),
    ("rank that the seat hangs", (-4.5, -1.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (-1.9, 0.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("any card", (5.7, -0.3), (19.5, 4.4), (19.4, 4.2), (16.8, 4.4)),
    ("the defender takes", (-8.1, 3.4), (2.2, 4.8), (2.2, 4.8), (2.2, 5.0)),
    ("height, when it takes", (-2.7, -1.9), (-7.5, -4.6), (-7.5, -4.6), (-7.8, -4.6)),
    ("trump, when it takes", (-15.0, -3.8), (-21.0, -3.0), (-21.0, -3.0), (-21.1, -3.0)),
    ("beaters expected, at most 2", (-1.8, 1.5), (-3.0, 5.5), (-0.9, 5.2), (-4.2, 5.2)),
    ("still the lead", (-17.5, 1.3), (-7.5, 1.5), (-7.6, 1.4), (-7.3, 1.8)),
    ("one by one's own cards", (22.7, 16.2), (-0.8, 3.8), (3.9, 3.7), (0.4, 3.9)),
    ("one by the defender's cards", (8.7, 14.4), (13.8, 1.6), (15.9, 1.6), (11.4, 1.5)),
    ("square of a plain height", (0.0, -0.3), (-3.3, -5.7), (-2.0, -5.8), (-4.8, -6.1)),
    ("the defender sits to the left", (4.2, -1.8), (-5.3, -0.1), (-5.4, -0.2), (-0.6, 0.1)),
    ("still the lead, if none is thrown in later", (16.6, 0.9), (3.4, 0.3), (3.3, 0.1), (3.4, 0.3)),
)

COVER_WEIGHTS: Table = (
    ("height of a plain card", (-0.8, -0.2), (1.2, 3.2), (0.3, -1.9), (2.3, 5.6)),
    ("trump", (-9.6, -20.2), (-20.5, -15.1), (-19.6, -14.4), (-22.5, -15.3)),
    ("height of a trump", (-4.9, -11.0), (-11.6, -6.6), (-13.9, -6.6), (-10.5, -5.3)),
    ("plain cards of its rank besides it", (-2.8, -1.8), (0.6, 2.5), (-6.1, -2.6), (0.8, 3.2)),
    ("rank that the seat hangs", (-0.4, -12.3), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (13.0, -9.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("opens a new rank", (-0.9, 0.1), (-5.0, -5.7), (-5.0, -5.7), (-5.2, -4.7)),
    (
        "cards of that rank that may be thrown in",
        (-7.0, -1.9),
        (-5.9, -1.5),
        (-5.9, -1.5),
        (-5.6, -0.4),
    ),
    ("square of a plain height", (-7.6, -6.8), (-7.1, 0.2), (-7.4, -5.3), (-7.4, 2.2)),
    ("square of a trump's height", (-5.1, -6.2), (-0.2, 1.7), (-3.1, 0.7), (3.1, 3.4)),
    ("one by one's own cards", (4.5, 2.8), (5.7, 1.4), (6.2, 1.9), (6.2, 1.6)),
    ("cards to beat", (-0.7, 1.2), (-0.4, 0.8), (-0.0, 0.8), (-0.7, 0.9)),
)

TAKING_WEIGHTS: Table = (
    ("taking", (-13.8, -9.6), (-20.2, -7.4), (-21.0, -8.2), (-19.9, -7.6)),
    ("cards on the table", (-2.6, -7.1), (-3.6, -3.9), (-4.3, -3.9), (-3.8, -4.3)),
    ("heights of plain ones", (1.0, 8.5), (3.8, 2.3), (3.2, 4.9), (4.1, 2.7)),
    ("trumps among them", (4.0, 15.4), (5.9, 2.6), (4.9, 3.3), (5.1, 1.7)),
    ("not all can be beaten", (5.0, 1.1), (11.6, 5.5), (11.1, 5.6), (11.1, 5.3)),
    ("trumps that beating all would cost", (-5.7, -2.0), (-13.4, 6.6), (-13.4, 6.4), (-14.2, 6.5)),
    ("heights of these", (-7.9, 2.2), (-9.9, 0.6), (-10.4, -0.3), (-11.2, -0.2)),
    (
        "heights of plain cards that it would cost",
        (-10.0, -1.1),
        (-9.2, -9.1),
        (-8.7, -8.2),
        (-6.6, -8.9),
    ),
    ("room for more, at most 6", (1.5, -2.9), (2.0, 0.8), (1.0, -0.1), (2.5, 1.0)),
    ("own cards", (-0.4, 1.4), (-0.2, -0.7), (-0.8, -1.4), (-0.7, -0.9)),
    ("cards to beat", (-0.8, -3.6), (-6.2, -0.5), (-6.5, -0.6), (-5.9, -0.6)),
    ("heights of plain ones to beat", (1.2, 14.7), (3.7, 10.9), (3.4, 14.0), (3.9, 11.2)),
    ("trumps it would cost, if several", (3.2, 6.4), (8.9, 3.2), (10.7, 6.8), (9.7, 3.4)),
    ("one by the attacker's cards", (-19.6, -11.5), (0.9, -7.8), (-0.4, -8.2), (1.6, -7.9)),
    ("nothing is thrown in", (1.2, -0.9), (-3.2, -6.2), (-4.0, -6.9), (-3.2, -6.2)),
    ("one by one's own cards", (-6.9, -2.6), (-5.6, -1.3), (-6.1, -1.8), (-6.0, -1.5)),
)

PASSING_ON_WEIGHTS: Table = (
    ("height of a plain card", (9.6, 2.9), (6.1, 3.8), (6.1, 3.8), (6.1, 3.8)),
    ("trump", (-8.4, -18.6), (-12.7, -20.2), (-12.7, -20.2), (-12.7, -20.2)),
    ("height of a trump", (-3.9, -22.1), (-5.3, -9.6), (-5.3, -9.6), (-5.3, -9.6)),
    ("plain cards of its rank besides it", (0.2, -2.6), (1.7, 0.7), (1.7, 0.7), (1.7, 0.7)),
    ("rank that the seat hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("transferring", (-5.2, -2.1), (3.1, -1.9), (3.1, -1.9), (3.1, -1.9)),
    ("cards on the table", (2.9, -2.4), (-0.9, -2.1), (-0.9, -2.1), (-0.9, -2.1)),
    ("the receiver's cards, by 6, at most 8", (0.4, -3.8), (1.0, -3.3), (1.0, -3.3), (1.0, -3.3)),
    ("its beaters expected, at most 3", (-5.8, 4.6), (-1.7, 6.1), (-1.7, 6.1), (-1.7, 6.1)),
    ("one more to a transfer", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
)

SHOWING_WEIGHTS: Table = (
    ("height of a plain card", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("trump", (-6.1, 2.3), (-3.0, -0.1), (-3.0, -0.1), (-3.0, -0.1)),
    ("height of a trump", (-5.9, 2.5), (-1.6, -0.5), (-1.6, -0.5), (-1.6, -0.5)),
    ("plain cards of its rank besides it", (-0.1, 1.6), (-1.1, 0.1), (-1.1, 0.1), (-1.1, 0.1)),
    ("rank that the seat hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("transferring", (-4.1, 4.3), (-1.0, 1.9), (-1.0, 1.9), (-1.0, 1.9)),
    ("cards on the table", (-7.4, 1.9), (-2.4, -0.3), (-2.4, -0.3), (-2.4, -0.3)),
    (
        "the receiver's cards, by 6, at most 8",
        (-2.8, 2.8),
        (-2.2, -0.0),
        (-2.2, -0.0),
        (-2.2, -0.0),
    ),
    ("its beaters expected, at most 3", (-2.0, 2.7), (-1.3, 0.2), (-1.3, 0.2), (-1.3, 0.2)),
    ("one more to a transfer", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
)

FROM_STOCK_WEIGHTS: Table = (
    ("leading from the stock", (-2.8, -14.4), (-14.1, -8.4), (-14.1, -8.4), (-14.1, -8.4)),
)

TO_SELF_WEIGHTS: Table = (
    ("height of a plain card", (-1.2, -7.6), (-6.3, -8.2), (-6.3, -8.2), (-6.3, -8.2)),
    ("trump", (-7.9, -9.5), (-13.8, -5.3), (-13.8, -5.3), (-13.8, -5.3)),
    ("height of a trump", (-4.5, -4.9), (-5.7, -1.6), (-5.7, -1.6), (-5.7, -1.6)),
    ("plain cards of its rank besides it", (-1.3, -4.7), (-1.4, -3.7), (-1.4, -3.7), (-1.4, -3.7)),
    ("rank that the seat hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("rank that the other hangs", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("any card", (1.4, -3.7), (3.2, -3.3), (3.2, -3.3), (3.2, -3.3)),
    ("the defender takes", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("height, when it takes", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("trump, when it takes", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("beaters expected, at most 2", (4.6, -2.2), (4.4, -0.7), (4.4, -0.7), (4.4, -0.7)),
    ("still the lead", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ("one by one's own cards", (8.8, 2.1), (9.6, -0.3), (9.6, -0.3), (9.6, -0.3)),
    ("one by the defender's cards", (8.8, 2.1), (9.6, -0.3), (9.6, -0.3), (9.6, -0.3)),
    ("square of a plain height", (-3.0, -6.4), (-4.8, -6.5), (-4.8, -6.5), (-4.8, -6.5)),
    ("the defender sits to the left", (4.7, 0.0), (6.0, 0.0), (6.0, 0.0), (6.0, 0.0)),
    ("still the lead, if none is thrown in later", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
)

TABLES = (
    OPENING_WEIGHTS,
    MORE_WEIGHTS,
    COVER_WEIGHTS,
    TAKING_WEIGHTS,
    PASSING_ON_WEIGHTS,
    SHOWING_WEIGHTS,
    FROM_STOCK_WEIGHTS,
    TO_SELF_WEIGHTS,
)


def weights_of(tables: tuple[Table, ...]) -> Weights:
    """The weights as the kernels read them."""
    weights = np.zeros((4, 2, len(tables), FEATURES))
    for kind, table in enumerate(tables):
        for feature, (_name, *pairs) in enumerate(table):
            weights[:, :, kind, feature] = pairs
    return weights


WEIGHTS = weights_of(TABLES)
"""Found by playing: each was moved along the gradient of the score against greedy, medium and hard
itself, in every preset but the game of tricks, with 2 to 8 players."""


@kernel
def describe_card(v: Row, card: int, f: Features) -> None:
    """The features that all cards have, the first of those of every kind but taking.

    S000-26, S000-28, S000-32: cards that a seat has to hang, or the other one.
    """
    trump = trumps(v) & bit(card) != 0
    f[0] = 0.0 if trump else height(v, card)
    f[1] = 1.0 if trump else 0.0
    f[2] = height(v, card) if trump else 0.0
    f[3] = popcount(v["hand"] & same_rank(card) & ~trumps(v) & ~bit(card))
    if v["epaulettes"]:
        f[4] = card % LANE == v["level"][v["seat"]]
        f[5] = card % LANE == v["level"][1 - v["seat"]]


@kernel
def beaters_expected(v: Row, seat: int, card: int, hidden: np.uint64) -> float:
    """How many cards that beat this one a seat may be expected to hold (S003-5, S003-32,
    S003-33)."""
    better = beaters(v, card)
    known = popcount(v["known"][seat])
    share = (int(v["hand_sizes"][seat]) - known) / max(1, popcount(hidden))
    return popcount(v["known"][seat] & better) + popcount(hidden & better) * share


@kernel
def seat_after(v: Row, seat: int) -> int:
    """The nearest seat to the left that is still in the deal."""
    for _ in range(v["players"]):
        seat = 0 if seat + 1 == v["players"] else seat + 1
        if v["hand_sizes"][seat] > 0 or v["stock_count"] > 0:
            break
    return seat


@kernel
def describe_opening(v: Row, card: int, hidden: np.uint64, f: Features) -> None:
    """The first card of a bout: weak and plain ones early, pairs, what is hard to beat near the end
    (S003-28, S003-31, S000-70, S000-77, S001-24).
    """
    expected = beaters_expected(v, int(v["defender"]), card, hidden)
    describe_card(v, card, f)
    f[6] = f[3] * f[0]
    f[7] = min(expected, 3.0)
    f[8] = expected < SURE
    f[9] = popcount(v["hand"] & same_rank(card) & trumps(v) & ~bit(card))
    f[10] = f[0] * f[0]
    f[11] = min(expected, 1.0)
    f[12] = 0.0 if v["throw_in"] else f[3]
    f[13] = 1.0 / max(1, int(v["hand_sizes"][v["defender"]]))
    f[14] = 1.0 / popcount(v["hand"])
    f[15] = f[0] / popcount(v["hand"])


@kernel
def describe_more(v: Row, card: int, hidden: np.uint64, f: Features) -> None:
    """Another card to those on the table, compared with passing: trumps are held back (S003-37),
    and few cards left are to go together (S003-34).
    """
    defender = int(v["defender"])
    describe_card(v, card, f)
    adding = v["phase"] == ADD
    f[6] = 1.0
    f[7] = adding
    f[8] = f[0] if adding else 0.0
    f[9] = f[1] if adding else 0.0
    f[10] = 0.0 if adding else min(beaters_expected(v, defender, card, hidden), 2.0)
    f[11] = v["phase"] == LEAD
    f[12] = 1.0 / popcount(v["hand"])
    f[13] = 1.0 / max(1, int(v["hand_sizes"][defender]))
    f[14] = f[0] * f[0]
    f[15] = v["defender"] == seat_after(v, int(v["seat"]))
    f[16] = v["phase"] == LEAD and not v["throw_in"]


@kernel
def describe_cover(v: Row, card: int, hidden: np.uint64, f: Features) -> None:
    """A card that beats one on the table: trumps are kept for the end (S003-29, S001-21), and no
    rank is opened without need. One's own rank goes only at the end (S000-26, S000-31), after the
    other's (S000-29).
    """
    describe_card(v, card, f)
    twins = same_rank(card)
    opened = v["throw_in"] and v["open"] & bit(card) == 0
    f[6] = opened
    f[7] = popcount(hidden & twins) if opened else 0.0
    f[8] = f[0] * f[0]
    f[9] = f[2] * f[2]
    f[10] = 1.0 / popcount(v["hand"])
    f[11] = int(v["unbeaten_count"])


@kernel
def heights(v: Row, cards: np.uint64) -> float:
    """The sum of the heights of a set."""
    total = 0.0
    while cards != 0:
        total += height(v, lowest(cards))
        cards &= cards - ONE
    return total


@kernel
def describe_taking(v: Row, plan: np.uint64, f: Features) -> None:
    """To take what lies on the table: how far the hand grows by it (S003-37), and what beating it
    would cost instead (S003-30, S001-23).
    """
    plain = ~trumps(v)
    f[0] = 1.0
    f[1] = popcount(v["table"])
    f[2] = heights(v, v["table"] & plain)
    f[3] = popcount(v["table"] & trumps(v))
    f[4] = plan == 0
    f[5] = popcount(plan & trumps(v))
    f[6] = heights(v, plan & trumps(v))
    f[7] = heights(v, plan & plain)
    f[8] = min(int(v["room"]), 6)
    f[9] = popcount(v["hand"])
    f[10] = int(v["unbeaten_count"])
    f[11] = heights(v, v["unbeaten"] & plain)
    f[12] = f[5] if f[5] > 1 else 0.0
    f[13] = 1.0 / max(1, int(v["hand_sizes"][v["attacker"]]))
    f[14] = 0.0 if v["throw_in"] else 1.0
    f[15] = 1.0 / max(1, popcount(v["hand"]))


@kernel
def describe_passing_on(v: Row, card: int, hidden: np.uint64, f: Features) -> None:
    """To transfer the attack by this card."""
    receiver = seat_after(v, int(v["defender"]))
    describe_card(v, card, f)
    f[6] = 1.0
    f[7] = int(v["attacks"])
    f[8] = min(int(v["hand_sizes"][receiver]), 8) / 6.0
    f[9] = min(beaters_expected(v, receiver, card, hidden), 3.0)
    f[10] = v["phase"] == TRANSFERRING


@kernel
def describe_laid(v: Row, card: int, hidden: np.uint64, f: Features) -> int:
    """A card that is laid on the table from the hand; returns the kind of the action."""
    if v["phase"] == DEFEND:
        describe_cover(v, card, hidden, f)
        return COVER
    if v["phase"] == LEAD and v["attacks"] == 0:
        describe_opening(v, card, hidden, f)
        return OPENING
    describe_more(v, card, hidden, f)
    return MORE


@kernel
def describe_rare(v: Row, code: int, hidden: np.uint64, f: Features) -> int:
    """An action that only some rules have; returns its kind.

    To choose a card to beat is judged by the cheapest card that beats it.
    """
    card = code % 64
    if code < TRANSFER:
        able = v["hand"] & beaters(v, card) & ~special(v, int(v["seat"]))
        plain = able & ~trumps(v)
        describe_cover(v, lowest(plain) if plain != 0 else lowest(able), hidden, f)
        return COVER
    if code >= SELF:
        describe_more(v, card, hidden, f)
        return TO_SELF
    describe_passing_on(v, card, hidden, f)
    return SHOWING if code >= SHOW else PASSING_ON


@kernel
def describe(v: Row, code: int, hidden: np.uint64, plan: np.uint64, f: Features) -> int:
    """Write the features of an action other than to pass; returns its kind."""
    for k in range(FEATURES):
        f[k] = 0.0
    if code < PASS:
        return describe_laid(v, code, hidden, f)
    if code == TAKE:
        describe_taking(v, plan, f)
        return TAKING
    if code == STOCK:
        f[0] = 1.0
        return FROM_STOCK
    return describe_rare(v, code, hidden, f)


@kernel
def game_of(v: Row) -> int:
    """Which weights hold for a game."""
    if v["players"] == 2:
        return TWO
    if not v["throw_in"]:
        return NO_THROW_INS
    return CROWD if v["players"] > 6 else MORE_PLAYERS


@kernel
def weigh(v: Row, kind: int, f: Features, w: Weights) -> float:
    """The sum of the features, each times its weight."""
    fullness = min(int(v["stock_count"]), FULL_STOCK) / FULL_STOCK
    game = game_of(v)
    late, early = 0.0, 0.0
    for k in range(FEATURES):
        late += w[game, 0, kind, k] * f[k]
        early += w[game, 1, kind, k] * f[k]
    return late + fullness * (early - late)


@kernel
def is_hopeless(v: Row, plan: np.uint64) -> bool:
    """Whether the defender may take and cannot beat the whole table (S003-36)."""
    return bool(v["phase"] == DEFEND and plan == 0 and v["legal_words"] & TAKE_WORD)


@array_kernel
def best_action(v: Row, w: Weights) -> int:
    """The legal action with the highest score; to pass scores nothing. The first of equal ones.

    Who cannot beat everything beats nothing.
    """
    f = np.empty(FEATURES)
    hidden = hidden_cards(v)
    plan = plan_covers(v) if v["phase"] == DEFEND else np.uint64(0)
    hopeless = is_hopeless(v, plan)
    best, highest = PASS, -np.inf
    for group in range(6):
        rest = np.uint64(v["legal_words"]) if group == 1 else legal_of_kind(v, group)
        covering = group == 0 or group == TARGET // 64
        while rest != 0 and not (hopeless and covering):
            code = 64 * group + lowest(rest)
            rest &= rest - ONE
            score = 0.0
            if code != PASS:
                score = weigh(v, describe(v, code, hidden, plan, f), f, w)
            if score > highest:
                best, highest = code, score
    return best


@kernel
def hard_action(v: Row) -> int:
    """The best action by `WEIGHTS`; tricks are played as greedy plays them."""
    return greedy_trick(v) if v["plays_tricks"] else best_action(v, WEIGHTS)
