"""Endurance: very many random games of every table, with every state checked (``durak soak``).

After every decision the state must keep the invariants of the rules study that can be seen in it
(I1 ... I4, I6 ... I8, I11, I14), and every game must end. In a sample of states everything that is
hidden from a random seat is dealt anew: the seat's view, flat observation and mask must stay the
same bytes (I10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from typing import Any, TypeAlias

import numpy as np

from durak_env.actions import action_table
from durak_env.encoding.flat import FlatEncoder, packed_words
from durak_env.engine import new_rows
from durak_env.errors import ConfigError
from durak_env.rules import PRESETS, Rules
from durak_env.soak.kernels import play_checked
from durak_env.view import VIEW

CHECK_EVERY = 200
"""A state of so many is checked for leaks."""

MOST_DECISIONS = 100_000
"""A game with more decisions counts as unfinished."""

GAMES_AT_ONCE = 2_000
"""Games between two reports of progress."""

Progress: TypeAlias = Callable[[int], None]
"""Is told how many games have been played since it was last called."""


@dataclass(frozen=True)
class Tally:
    """What was found in the games of one table."""

    rules: str
    players: int
    games: int
    decisions: int
    unsound: int
    checks: int
    leaks: int
    unfinished: int

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.unsound or self.leaks or self.unfinished)

    def as_json(self) -> dict[str, Any]:
        """The counts by name."""
        return asdict(self)


def tables() -> list[Rules]:
    """Every preset with every number of players."""
    return [
        Rules.preset(name, players=players)
        for name, preset in PRESETS.items()
        for players in range(preset.players[0], preset.players[1] + 1)
    ]


def soak(games: int, seed: int = 0, progress: Progress | None = None) -> Iterator[Tally]:
    """Play ``games`` random games, divided evenly among all `tables`.

    Raises:
        ConfigError: there is no such number of games.
    """
    if games < 1:
        raise ConfigError(f"games={games} is not accepted; it takes 1 or more")
    every = tables()
    shares = [0] * len(every)
    for k in islice(cycle(range(len(every))), games % len(every)):
        shares[k] += 1
    for k, rules in enumerate(every):
        share = shares[k] + games // len(every)
        if share:
            yield soak_table(rules, share, [seed, k], progress=progress)


def soak_table(
    rules: Rules,
    games: int,
    seed: list[int],
    *,
    every: int = CHECK_EVERY,
    most: int = MOST_DECISIONS,
    progress: Progress | None = None,
) -> Tally:
    """Play random games of one table."""
    rows, views = new_rows(rules, 2), np.zeros(2, dtype=VIEW)
    size = FlatEncoder(rules).size
    scratch = (
        rows.view(np.uint64).reshape(2, -1),
        views,
        views.view(np.uint64).reshape(2, -1),
        np.zeros((2, packed_words(size)), dtype=np.uint64),
        np.zeros((2, len(action_table(rules))), dtype=np.int8),
    )
    streams = np.random.PCG64(seed).random_raw(2)
    counts = np.zeros(5, dtype=np.int64)
    for done in range(0, games, GAMES_AT_ONCE):
        now = min(GAMES_AT_ONCE, games - done)
        play_checked(rows, *scratch, streams, now, every, most, counts)
        if progress is not None:
            progress(now)
    return Tally(str(rules), rules.players, games, *counts.tolist())
