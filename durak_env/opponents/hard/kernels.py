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
from durak_env.engine.jit import kernel
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
"""Shape (2, 2, kinds, features): two players or more; an empty stock or a full one."""

FULL_STOCK = 12
"""Cards in the stock from which on a deal is young: the weights are those of a full stock."""

SURE = 0.01
"""Below so many beaters expected a card is as good as unbeatable (S001-24)."""

OPENING, MORE, COVER, TAKING, PASSING_ON, SHOWING, FROM_STOCK, TO_SELF = range(8)
"""Kinds of actions: the first card of a bout, a card to those on the table, a cover, to take, to
transfer by a card or by showing one, to lead from the stock, to throw in to oneself."""

FEATURES = 17
"""The most features of one kind."""

Table: TypeAlias = tuple[tuple[str, float, float, float, float], ...]
"""The features of one kind, and their weights: for two players with an empty stock and with a full
one, then the same for more players."""

OPENING_WEIGHTS: Table = (
    ("height of a plain card", -6.55, -14.09, -12.18, -9.01),
    ("trump", -9.21, -25.45, -23.96, -14.82),
    ("height of a trump", -15.93, -12.15, -15.21, -5.56),
    ("plain cards of its rank besides it", -0.42, 2.38, 2.71, 5.12),
    ("rank that the seat hangs", -7.07, -7.05, 0.00, 0.00),
    ("rank that the other hangs", -7.07, -7.05, 0.00, 0.00),
    ("the height, for each of those", 3.36, -4.81, -3.61, -5.63),
    ("beaters expected, at most 3", 0.05, 2.96, -2.26, 7.26),
    ("no beater expected", 5.47, -3.05, 6.87, -1.66),
    ("trump of its rank besides it", 6.77, -1.93, -0.85, -0.17),
    ("square of a plain height", -0.34, -9.53, -5.28, -7.08),
    ("beaters expected, at most 1", -5.33, 6.97, -5.30, 5.09),
)

MORE_WEIGHTS: Table = (
    ("height of a plain card", 1.44, 3.47, 1.47, -0.73),
    ("trump", -2.67, -23.12, -8.79, -21.09),
    ("height of a trump", 2.60, -14.41, -1.26, -9.39),
    ("plain cards of its rank besides it", -0.80, -0.44, -2.29, -4.84),
    ("rank that the seat hangs", 0.01, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.01, 0.00, 0.00, 0.00),
    ("any card", 4.91, -0.10, 14.67, 3.42),
    ("the defender takes", -7.42, 3.37, 1.48, 4.39),
    ("height, when it takes", -0.11, -0.80, -5.76, -2.47),
    ("trump, when it takes", -11.10, -2.09, -16.89, -2.92),
    ("beaters expected, at most 2", -2.39, 2.87, -2.37, 4.20),
    ("still the lead", -8.23, -0.36, -5.35, 0.40),
    ("one by one's own cards", 11.60, 5.72, 1.00, 2.08),
    ("one by the defender's cards", 9.28, 6.30, 10.71, 1.43),
    ("square of a plain height", 1.26, 1.29, -2.56, -3.66),
    ("the defender sits to the left", 3.41, -1.60, -3.63, -1.07),
)

COVER_WEIGHTS: Table = (
    ("height of a plain card", -0.59, -1.33, 1.31, 3.64),
    ("trump", -7.20, -13.44, -14.72, -13.70),
    ("height of a trump", -4.50, -9.31, -9.09, -5.63),
    ("plain cards of its rank besides it", -2.97, -0.41, 0.54, 2.94),
    ("rank that the seat hangs", 2.18, -5.63, 0.00, 0.00),
    ("rank that the other hangs", 2.18, -5.63, 0.00, 0.00),
    ("opens a new rank", -0.55, -0.11, -4.30, -3.51),
    ("cards of that rank that may be thrown in", -5.24, -1.16, -3.87, -1.45),
    ("square of a plain height", -4.26, -3.96, -5.04, 2.47),
    ("square of a trump's height", -4.10, -5.54, -1.24, 1.06),
)

TAKING_WEIGHTS: Table = (
    ("taking", -12.54, -8.31, -17.56, -7.05),
    ("cards on the table", -2.39, -4.48, -2.90, -3.40),
    ("heights of plain ones", 1.00, 5.13, 3.12, 1.77),
    ("trumps among them", 3.14, 9.28, 4.93, 0.93),
    ("not all can be beaten", 6.05, 2.76, 9.83, 4.75),
    ("trumps that beating all would cost", -5.97, 0.47, -10.83, 6.40),
    ("heights of these", -8.41, 2.56, -9.38, 1.07),
    ("heights of plain cards that it would cost", -9.05, -3.45, -9.27, -7.22),
    ("room for more, at most 6", 1.09, -1.95, 1.36, 0.72),
    ("own cards", 0.04, 0.58, 0.28, -0.23),
    ("cards to beat", -1.88, -1.82, -5.79, 0.03),
    ("heights of plain ones to beat", 1.96, 8.99, 2.69, 7.54),
    ("trumps it would cost, if several", 3.37, 5.03, 5.67, 3.82),
    ("one by the attacker's cards", -8.99, -5.93, 0.26, -4.87),
)

PASSING_ON_WEIGHTS: Table = (
    ("height of a plain card", 4.76, 1.53, 4.38, 3.10),
    ("trump", -9.12, -12.20, -10.19, -15.45),
    ("height of a trump", -4.09, -12.22, -4.01, -7.48),
    ("plain cards of its rank besides it", 0.32, -1.21, 1.09, 0.69),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("transferring", -2.57, -1.42, 2.04, -0.63),
    ("cards on the table", 2.55, -1.78, -0.52, -1.02),
    ("the receiver's cards, by 6, at most 8", -2.58, -2.76, 0.60, -1.82),
    ("its beaters expected, at most 3", -3.45, 3.04, -0.93, 4.88),
    ("one more to a transfer", 0.00, 0.00, 0.00, 0.00),
)

SHOWING_WEIGHTS: Table = (
    ("height of a plain card", 0.00, 0.00, 0.00, 0.00),
    ("trump", -5.19, 1.88, -1.99, -0.04),
    ("height of a trump", -5.23, 2.02, -1.27, -0.27),
    ("plain cards of its rank besides it", -0.22, 1.01, -0.89, 0.07),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("transferring", -3.19, 3.88, 0.01, 1.96),
    ("cards on the table", -5.26, 1.99, -2.14, -0.41),
    ("the receiver's cards, by 6, at most 8", -2.78, 2.00, -1.66, 0.01),
    ("its beaters expected, at most 3", -2.29, 1.31, -0.52, 0.27),
    ("one more to a transfer", 0.00, 0.00, 0.00, 0.00),
)

FROM_STOCK_WEIGHTS: Table = (("leading from the stock", -2.30, -7.76, -9.72, -7.03),)

TO_SELF_WEIGHTS: Table = (
    ("height of a plain card", -0.75, -6.48, -4.73, -6.12),
    ("trump", -5.54, -7.75, -10.85, -4.89),
    ("height of a trump", -3.48, -3.73, -5.06, -1.47),
    ("plain cards of its rank besides it", -1.68, -3.87, -1.59, -2.33),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("any card", 1.56, -2.75, 2.61, -3.00),
    ("the defender takes", 0.00, 0.00, 0.00, 0.00),
    ("height, when it takes", 0.00, 0.00, 0.00, 0.00),
    ("trump, when it takes", 0.00, 0.00, 0.00, 0.00),
    ("beaters expected, at most 2", 3.52, -1.11, 3.92, -0.81),
    ("still the lead", 0.00, 0.00, 0.00, 0.00),
    ("one by one's own cards", 5.60, 0.71, 6.94, -0.44),
    ("one by the defender's cards", 5.60, 0.71, 6.94, -0.44),
    ("square of a plain height", -1.62, -5.62, -4.21, -4.66),
    ("the defender sits to the left", 3.65, 0.00, 4.73, 0.00),
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
    weights = np.zeros((2, 2, len(tables), FEATURES))
    for kind, table in enumerate(tables):
        for feature, (_name, *columns) in enumerate(table):
            weights[:, :, kind, feature] = np.reshape(columns, (2, 2))
    return weights


WEIGHTS = weights_of(TABLES)
"""Found by playing: each was moved along the gradient of the score against greedy, medium and hard
itself, over all presets and numbers of players, on seeds that no test uses."""


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
    """How many cards that beat this one a seat may be expected to hold (S003-5, S003-32)."""
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
    """The first card of a bout."""
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
    """Another card to those on the table, compared with passing."""
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
    """A card that beats one on the table."""
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
    """To take what lies on the table, and how far the hand grows by it (S003-37)."""
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
def weigh(v: Row, kind: int, f: Features, w: Weights) -> float:
    """The sum of the features, each times its weight."""
    fullness = min(int(v["stock_count"]), FULL_STOCK) / FULL_STOCK
    many = 1 if v["players"] > 2 else 0
    late, early = 0.0, 0.0
    for k in range(FEATURES):
        late += w[many, 0, kind, k] * f[k]
        early += w[many, 1, kind, k] * f[k]
    return late + fullness * (early - late)


@kernel
def is_hopeless(v: Row, plan: np.uint64) -> bool:
    """Whether the defender may take and cannot beat the whole table (S003-36)."""
    return bool(v["phase"] == DEFEND and plan == 0 and v["legal_words"] & TAKE_WORD)


@kernel
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
