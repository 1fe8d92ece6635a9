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
    ("height of a plain card", -5.75, -20.55, -13.45, -10.42),
    ("trump", -13.00, -41.27, -28.22, -17.43),
    ("height of a trump", -27.17, -14.15, -17.67, -6.12),
    ("plain cards of its rank besides it", -1.89, 3.33, 2.99, 6.30),
    ("rank that the seat hangs", -17.92, -14.51, 0.00, 0.00),
    ("rank that the other hangs", -0.88, -0.72, 0.00, 0.00),
    ("the height, for each of those", 7.13, -8.22, -4.12, -6.64),
    ("beaters expected, at most 3", -0.71, 2.25, -2.64, 7.02),
    ("no beater expected", 6.50, -4.39, 8.06, -2.15),
    ("trump of its rank besides it", 8.69, -2.70, -0.85, 0.65),
    ("square of a plain height", -1.23, -15.81, -5.64, -8.46),
    ("beaters expected, at most 1", -6.04, 14.03, -5.79, 5.85),
    ("plain cards of its rank, if none is thrown in later", -3.05, 0.54, 0.00, 0.00),
    ("one by the defender's cards", 0.62, 1.89, 0.00, 0.00),
    ("one by one's own cards", 0.38, 2.03, 0.00, 0.00),
    ("height by one's own cards", 1.37, -1.43, 0.00, 0.00),
)

MORE_WEIGHTS: Table = (
    ("height of a plain card", 1.38, 3.29, 1.59, -1.03),
    ("trump", -3.52, -34.59, -10.66, -23.81),
    ("height of a trump", -0.19, -8.10, -1.45, -9.53),
    ("plain cards of its rank besides it", -1.85, -3.21, -2.57, -5.33),
    ("rank that the seat hangs", -4.45, -1.51, 0.00, 0.00),
    ("rank that the other hangs", -1.88, 0.52, 0.00, 0.00),
    ("any card", 5.70, -0.31, 17.60, 4.11),
    ("the defender takes", -8.06, 3.40, 2.17, 4.88),
    ("height, when it takes", -2.73, -1.90, -7.06, -3.50),
    ("trump, when it takes", -14.98, -3.85, -19.37, -2.95),
    ("beaters expected, at most 2", -1.75, 1.54, -2.78, 4.66),
    ("still the lead", -17.46, 1.29, -5.92, 1.15),
    ("one by one's own cards", 22.71, 16.25, 0.07, 3.22),
    ("one by the defender's cards", 8.65, 14.39, 12.71, 1.92),
    ("square of a plain height", 0.01, -0.29, -3.31, -4.82),
    ("the defender sits to the left", 4.20, -1.81, -4.75, -0.90),
    ("still the lead, if none is thrown in later", 16.58, 0.92, 0.00, 0.00),
)

COVER_WEIGHTS: Table = (
    ("height of a plain card", -0.81, -0.24, 1.54, 3.92),
    ("trump", -9.58, -20.17, -17.31, -14.60),
    ("height of a trump", -4.87, -10.97, -9.90, -5.51),
    ("plain cards of its rank besides it", -2.75, -1.75, 0.56, 3.33),
    ("rank that the seat hangs", -0.40, -12.34, 0.00, 0.00),
    ("rank that the other hangs", 12.99, -9.50, 0.00, 0.00),
    ("opens a new rank", -0.91, 0.07, -4.35, -4.22),
    ("cards of that rank that may be thrown in", -7.00, -1.91, -4.19, -1.99),
    ("square of a plain height", -7.55, -6.84, -5.96, 1.99),
    ("square of a trump's height", -5.07, -6.19, -0.13, 2.41),
    ("one by one's own cards", 4.50, 2.75, 0.00, 0.00),
    ("cards to beat", -0.67, 1.16, 0.00, 0.00),
)

TAKING_WEIGHTS: Table = (
    ("taking", -13.79, -9.57, -19.97, -7.21),
    ("cards on the table", -2.55, -7.05, -3.39, -3.69),
    ("heights of plain ones", 0.97, 8.49, 3.94, 1.81),
    ("trumps among them", 4.05, 15.39, 5.70, 1.73),
    ("not all can be beaten", 5.00, 1.08, 11.04, 5.79),
    ("trumps that beating all would cost", -5.73, -2.04, -13.02, 6.85),
    ("heights of these", -7.87, 2.25, -10.24, 0.97),
    ("heights of plain cards that it would cost", -9.95, -1.08, -10.26, -8.67),
    ("room for more, at most 6", 1.47, -2.87, 1.30, 0.72),
    ("own cards", -0.45, 1.42, 0.39, -0.45),
    ("cards to beat", -0.82, -3.63, -6.79, 0.16),
    ("heights of plain ones to beat", 1.22, 14.70, 3.58, 9.32),
    ("trumps it would cost, if several", 3.19, 6.38, 7.63, 3.95),
    ("one by the attacker's cards", -19.57, -11.52, 1.37, -6.59),
    ("nothing is thrown in", 1.21, -0.89, 0.00, 0.00),
    ("one by one's own cards", -6.87, -2.62, 0.00, 0.00),
)

PASSING_ON_WEIGHTS: Table = (
    ("height of a plain card", 9.60, 2.95, 5.55, 3.25),
    ("trump", -8.42, -18.61, -11.19, -17.88),
    ("height of a trump", -3.95, -22.08, -4.55, -8.66),
    ("plain cards of its rank besides it", 0.17, -2.56, 1.62, 0.69),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("transferring", -5.17, -2.12, 2.94, -1.18),
    ("cards on the table", 2.85, -2.40, -0.64, -1.43),
    ("the receiver's cards, by 6, at most 8", 0.44, -3.78, 0.97, -2.50),
    ("its beaters expected, at most 3", -5.83, 4.64, -1.24, 5.59),
    ("one more to a transfer", 0.00, 0.00, 0.00, 0.00),
)

SHOWING_WEIGHTS: Table = (
    ("height of a plain card", 0.00, 0.00, 0.00, 0.00),
    ("trump", -6.15, 2.25, -2.39, -0.15),
    ("height of a trump", -5.93, 2.45, -1.43, -0.41),
    ("plain cards of its rank besides it", -0.10, 1.55, -1.12, 0.08),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("transferring", -4.15, 4.25, -0.39, 1.85),
    ("cards on the table", -7.39, 1.90, -1.85, -0.38),
    ("the receiver's cards, by 6, at most 8", -2.83, 2.83, -1.79, -0.02),
    ("its beaters expected, at most 3", -1.95, 2.70, -0.79, 0.21),
    ("one more to a transfer", 0.00, 0.00, 0.00, 0.00),
)

FROM_STOCK_WEIGHTS: Table = (("leading from the stock", -2.81, -14.45, -11.74, -7.48),)

TO_SELF_WEIGHTS: Table = (
    ("height of a plain card", -1.16, -7.58, -5.65, -7.00),
    ("trump", -7.93, -9.51, -12.83, -5.15),
    ("height of a trump", -4.46, -4.91, -5.66, -1.53),
    ("plain cards of its rank besides it", -1.31, -4.72, -1.25, -3.15),
    ("rank that the seat hangs", 0.00, 0.00, 0.00, 0.00),
    ("rank that the other hangs", 0.00, 0.00, 0.00, 0.00),
    ("any card", 1.44, -3.73, 2.97, -2.79),
    ("the defender takes", 0.00, 0.00, 0.00, 0.00),
    ("height, when it takes", 0.00, 0.00, 0.00, 0.00),
    ("trump, when it takes", 0.00, 0.00, 0.00, 0.00),
    ("beaters expected, at most 2", 4.65, -2.16, 4.09, -0.36),
    ("still the lead", 0.00, 0.00, 0.00, 0.00),
    ("one by one's own cards", 8.85, 2.06, 8.47, -0.15),
    ("one by the defender's cards", 8.85, 2.06, 8.47, -0.15),
    ("square of a plain height", -3.04, -6.44, -4.71, -5.48),
    ("the defender sits to the left", 4.72, 0.00, 5.52, 0.00),
    ("still the lead, if none is thrown in later", 0.00, 0.00, 0.00, 0.00),
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
