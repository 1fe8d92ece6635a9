"""Duplicate deals: every deck is played with the candidate at every seat in turn.

Everything follows from the seed and the number of the deal: its deck, and the random words of the
opponents, which all games of the deal begin with alike. So a comparison is the same however many
games are played at once, and the first deals of a longer one are those of a shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.arena.intervals import confidence_interval
from durak_env.engine import Rows, deal_many, new_rows
from durak_env.errors import ConfigError
from durak_env.opponents import Opponent, OpponentLike, Seating, resolve
from durak_env.rules import Rules

Progress: TypeAlias = Callable[[int], None]
"""Is told how many deals have been finished since it was last called."""

GAMES_AT_ONCE = 4096
"""The most rows that are in play together."""

QUICK = 0.5
"""Seconds: after a chunk of deals that took less than this the next one is larger."""

GROWTH = 4

A, B = 0, 1
"""The two sides as `Seating` numbers them."""


@dataclass(frozen=True)
class Pairing:
    """What came of one candidate ``a`` against ``players - 1`` copies of ``b``.

    ``wins``, ``draws`` and ``losses`` count games from the point of view of ``a``: a loss is to be
    the durak, a draw a game without one. ``low`` and ``high`` bound ``score`` with 95 % confidence
    (`durak_env.arena.intervals`). ``illegal`` counts the illegal actions of ``a`` and of ``b``,
    each of which cost its deal; ``ms_per_decision`` is the wall time of ``a`` and of ``b``, who
    decide for many games at once.
    """

    a: str
    b: str
    players: int
    deals: int
    wins: int
    draws: int
    losses: int
    low: float
    high: float
    illegal: tuple[int, int]
    ms_per_decision: tuple[float, float]

    @property
    def games(self) -> int:
        """How many games there were: every deal once per seat."""
        return self.deals * self.players

    @property
    def score(self) -> float:
        """The score of ``a``.

        For two players its wins plus half the draws, for more the games in which it was not the
        durak, as a share of all games.
        """
        points = self.wins * 2 + self.draws * draw_points(self.players)
        return points / (2 * self.games)

    @property
    def fair(self) -> float:
        """What ``score`` is on average over the seats: that of an ``a`` as strong as ``b``.

        One half for two players. For more it is ``(players - 1) / players`` of the games that had a
        durak, and the draws, which nobody lost.
        """
        if self.players == 2:
            return 0.5
        return 1 - (1 - self.draw_share) / self.players

    @property
    def draw_share(self) -> float:
        """The share of games without a durak."""
        return self.draws / self.games

    def as_json(self) -> dict[str, Any]:
        """The pairing as ``durak arena --json`` prints it; ``draws`` is a share there, and
        ``illegal`` the sum of both sides."""
        facts: dict[str, Any] = {
            "a": self.a,
            "b": self.b,
            "deals": self.deals,
            "games": self.games,
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "draws": self.draw_share,
            "illegal": sum(self.illegal),
            "ms_per_decision": list(self.ms_per_decision),
        }
        return facts if self.players == 2 else {**facts, "fair": self.fair}


def draw_points(players: int) -> int:
    """What a draw is worth where a win is worth 2: half for two players, as much for more."""
    return 1 if players == 2 else 2


def compare(
    a: OpponentLike,
    b: OpponentLike,
    rules: Rules,
    deals: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> Pairing:
    """Play ``deals`` duplicate deals of one candidate ``a`` against ``b`` at all other seats.

    Args:
        a: the candidate: a name, the path of an exported agent, or an opponent.
        b: whom it meets.
        rules: the game; it is played ``rules.players`` times per deal, with ``a`` at each seat.
        deals: how many decks, 1 or more.
        seed: of the decks and of the opponents' chance, 0 or more.
        progress: called with the number of deals finished since the last call.

    Raises:
        OpponentError: there is no such opponent, or it does not fit the rules.
        ConfigError: there is no such number of deals, or no such seed.
    """
    if deals < 1:
        raise ConfigError(f"deals={deals} is not accepted; it takes 1 or more")
    if seed < 0:
        raise ConfigError(f"seed={seed} is not accepted; it takes 0 or more")
    sides = [resolve(a, rules), resolve(b, rules)]
    play_deals(sides, rules, random_words(np.random.PCG64(0), 1))  # what loads late loads untimed
    tally = Tally()
    generator = np.random.PCG64(seed)
    for count in chunks(deals, rules.players):
        tally.add(*play_deals(sides, rules, random_words(generator, count)))
        if progress is not None:
            progress(count)
    return tally.pairing(sides, rules.players)


def table(
    pairs: Iterable[tuple[OpponentLike, OpponentLike]],
    rules: Rules,
    deals: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Pairing]:
    """`compare` every pair, all on the same deals. All opponents are looked up before any plays.

    Raises:
        OpponentError: there is no such opponent, or it does not fit the rules.
        ConfigError: there is no such number of deals, or no such seed.
    """
    sides = [(resolve(a, rules), resolve(b, rules)) for a, b in pairs]
    return [compare(a, b, rules, deals, seed, progress) for a, b in sides]


def chunks(deals: int, players: int) -> Iterator[int]:
    """How many deals to play at once, time after time: more and more while that is quick."""
    most = max(1, GAMES_AT_ONCE // players)
    size = 1
    while deals:
        count = min(size, deals)
        began = perf_counter()
        yield count
        deals -= count
        if perf_counter() - began < QUICK:
            size = min(size * GROWTH, most)


def random_words(generator: np.random.PCG64, deals: int) -> npt.NDArray[np.uint64]:
    """The next deals' random words, uint64 of shape (deals, 2): for the deck, for the opponents."""
    return generator.random_raw(2 * deals).reshape(deals, 2)


def play_deals(
    sides: list[Opponent], rules: Rules, words: npt.NDArray[np.uint64]
) -> tuple[Rows, Seating]:
    """Play every deal with ``a`` at every seat.

    Returns:
        the finished games, shape (deals, players): column ``k`` has ``a`` at seat ``k``; and the
        seating, which has counted.
    """
    deals, players = len(words), rules.players
    decks, chance = np.repeat(words, players, axis=0).T.copy()
    seating = Seating(sides, np.tile(who_sits_where(players), (deals, 1)), chance)
    rows = new_rows(rules, deals * players)
    rows["keeps_events"] = seating.need_history
    deal_many(rows, np.arange(len(rows)), decks)
    seating.play(rows)
    return rows.reshape(deals, players), seating


def who_sits_where(players: int) -> npt.NDArray[np.int64]:
    """The sides by game and seat, shape (players, players): ``a`` at seat ``k`` of game ``k``."""
    return np.where(np.eye(players, dtype=np.bool_), A, B)


class Tally:
    """Counts over deals. All are whole numbers, so that they do not depend on the chunks."""

    def __init__(self) -> None:
        self.deals = self.wins = self.draws = self.losses = 0
        self.points = self.squares = 0  # the sums over deals of their points and of the squares
        self.illegal = np.zeros(2, dtype=np.int64)
        self.decisions = np.zeros(2, dtype=np.int64)
        self.seconds = np.zeros(2, dtype=np.float64)

    def add(self, games: Rows, seating: Seating) -> None:
        """Count finished games of shape (deals, players)."""
        deals, players = games.shape
        drawn = games["durak"] < 0
        lost = games["durak"] == np.arange(players)
        won = ~(drawn | lost)
        points = (2 * won + draw_points(players) * drawn).sum(axis=1)
        self.deals += deals
        self.wins += int(won.sum())
        self.draws += int(drawn.sum())
        self.losses += int(lost.sum())
        self.points += int(points.sum())
        self.squares += int((points**2).sum())
        self.illegal += seating.illegal
        self.decisions += seating.decisions
        self.seconds += seating.seconds

    def pairing(self, sides: list[Opponent], players: int) -> Pairing:
        """What came of it."""
        most = 2 * players
        low, high = confidence_interval(
            self.points / (self.deals * most), self.variance() / most**2, self.deals
        )
        milliseconds = 1000 * self.seconds / np.maximum(self.decisions, 1)
        return Pairing(
            a=sides[A].name,
            b=sides[B].name,
            players=players,
            deals=self.deals,
            wins=self.wins,
            draws=self.draws,
            losses=self.losses,
            low=low,
            high=high,
            illegal=(int(self.illegal[A]), int(self.illegal[B])),
            ms_per_decision=(float(milliseconds[A]), float(milliseconds[B])),
        )

    def variance(self) -> float:
        """The sample variance of the deals' points; 0 for a single deal."""
        spread = self.squares * self.deals - self.points**2
        return spread / (self.deals * max(1, self.deals - 1))
