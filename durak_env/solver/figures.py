"""What the solver costs, on endgames as they come up in play: ``durak solve --figures``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from durak_env.engine import Rows, deal_many, new_rows
from durak_env.engine.batch import apply_many
from durak_env.engine.state import OVER, copy_rows
from durak_env.rules import Rules
from durak_env.solver import Solver
from durak_env.solver.kernels import cards_left
from durak_env.view import VIEW, observe_many

Act = Callable[[Rows, np.ndarray], np.ndarray]
"""Views and random words to action ids, as opponents have it."""

QUICK_MS = 100.0


@dataclass(frozen=True)
class Figure:
    """The cost of endgames with so many cards in hands and on the table.

    ``solved`` is the share that took no more than `QUICK_MS` and stayed within the budget.
    """

    cards: int
    positions: int
    nodes_median: float
    nodes_mean: float
    nodes_p95: float
    ms_median: float
    ms_mean: float
    ms_p95: float
    solved: float


def first_endgames(act: Act, rules: Rules, deals: int, seed: int) -> list[Rows]:
    """The first endgame of each of these deals, as one player plays all seats; deals that end
    without one give none."""
    rows = new_rows(rules, deals)
    generator = np.random.PCG64(seed)
    which = np.arange(deals)
    deal_many(rows, which, generator.random_raw(deals))
    solver = Solver(rules)
    found: list[Rows] = []
    while which.size:
        ready = np.array([solver.can_solve(rows, int(i)) for i in which], dtype=np.bool_)
        found += [copy_rows(rows[i : i + 1]) for i in which[ready]]
        which = which[~ready]
        which = which[rows["phase"][which] != OVER]
        if not which.size:
            break
        views = np.zeros(which.size, dtype=VIEW)
        observe_many(rows, which, rows["actor"][which].astype(np.int64), views)
        actions = act(views, generator.random_raw(which.size))
        apply_many(rows, which, actions, np.empty(which.size, dtype=np.bool_))
    return found


def measure(endgames: list[Rows], rules: Rules, nodes: int) -> list[Figure]:
    """The cost of the value of each endgame, by the number of cards."""
    solver = Solver(rules, nodes)
    costs: dict[int, list[tuple[int, float, bool]]] = {}
    if endgames:
        solver.value(endgames[0], 0)  # compiled before the clock runs
    for rows in endgames:
        began = perf_counter()
        solved = solver.value(rows, 0) is not None
        spent = 1000 * (perf_counter() - began)
        costs.setdefault(int(cards_left(rows, 0)), []).append((solver.nodes, spent, solved))
    return [figure(cards, costs[cards]) for cards in sorted(costs)]


def figure(cards: int, costs: list[tuple[int, float, bool]]) -> Figure:
    """One line of the table."""
    counts, times, solved = (np.array(column) for column in zip(*costs, strict=True))
    return Figure(
        cards,
        len(costs),
        float(np.median(counts)),
        float(counts.mean()),
        float(np.quantile(counts, 0.95)),
        float(np.median(times)),
        float(times.mean()),
        float(np.quantile(times, 0.95)),
        float((solved & (times <= QUICK_MS)).mean()),
    )
