"""What a measurement is."""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from durak_env.rules import Rules

REPETITIONS = 5

Measured: TypeAlias = Callable[[], int]
"""One short burst of work; returns its number of decisions."""


@dataclass(frozen=True)
class Benchmark:
    """One named measurement.

    ``prepare`` builds it and returns the work to be timed; ``needs`` are the modules that it
    imports. ``against`` names our own measurement that a peer is compared with.
    """

    name: str
    prepare: Callable[[], Measured]
    games: int
    rules: Rules | None = None
    needs: tuple[str, ...] = ()
    threads: int = 1
    against: str = ""

    def available(self) -> bool:
        """Whether the modules that it needs are installed."""
        return not self.missing()

    def missing(self) -> list[str]:
        """The modules that it needs and that are not installed."""
        return [module for module in self.needs if importlib.util.find_spec(module) is None]

    def measure(self, seconds: float) -> dict[str, Any]:
        """The result, as ``durak bench --json`` prints it."""
        work = self.prepare()
        work()
        rates = [rate(work, seconds / REPETITIONS) for _ in range(REPETITIONS)]
        return {
            "name": self.name,
            "rules": str(self.rules) if self.rules else None,
            "players": self.rules.players if self.rules else None,
            "games": self.games,
            "threads": self.threads,
            "per_second": {
                "median": statistics.median(rates),
                "min": min(rates),
                "max": max(rates),
            },
        }


def rate(work: Measured, seconds: float) -> float:
    """Decisions per second of work that is repeated for at least this long."""
    decisions, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or not decisions:
        decisions += work()
    return decisions / elapsed
