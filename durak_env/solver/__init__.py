"""The exact endgame: with two seats left and no stock, whoever remembers knows every card.

>>> from durak_env import Game, solver
>>> game = Game.from_position(
...     "rules: podkidnoy; trump: Kh; phase: lead; hands: 6s 7s | 8s 9c; stock: "
... )
>>> solution = solver.solve(game)
>>> solution.value, solution.best
(-1, ['6s', '7s'])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from durak_env.actions import action_table
from durak_env.engine import Rows, new_rows
from durak_env.engine.batch import action_code, is_legal, play_id
from durak_env.engine.state import STATE, copy_rows
from durak_env.errors import DurakError
from durak_env.game import Game
from durak_env.rules import Rules
from durak_env.solver.kernels import MAX_DEPTH, cards_left, endgame_state, other_contender, value_of

__all__ = ["NODES", "Solution", "Solver", "solve"]

NODES = 1_000_000
"""The most positions with a choice that a search looks at, unless it is told otherwise."""

MOST_MOVES = 256
TABLE_BITS = 20

assert STATE.fields is not None
STEP_WORDS = -(-STATE.fields["down"][1] // 8)
"""The words of a row that an action without a stock may read or change."""


@dataclass(frozen=True)
class Solution:
    """What is known of an endgame.

    Attributes:
        value: for the seat that is asked: 1, the other one is the durak; 0, a draw; -1, it is the
            durak itself. None: not solved within the budget, and nothing is claimed.
        values: the same for every legal action, in notation; None where that is not solved.
        line: best play to the end, in notation; empty if the value is not known.
        nodes: positions with a choice that were looked at.
    """

    value: int | None
    values: dict[str, int | None]
    line: tuple[str, ...]
    nodes: int

    @property
    def best(self) -> list[str]:
        """The actions that keep the value; empty if the value is not known."""
        if self.value is None:
            return []
        return [action for action, value in self.values.items() if value == self.value]


class Solver:
    """Searches endgames of these rules; keeps the memory that a search needs.

    The same position gets the same answer, whatever was searched before. Not to be shared between
    threads.
    """

    def __init__(self, rules: Rules, nodes: int = NODES, table_bits: int = TABLE_BITS) -> None:
        """
        Args:
            rules: the game.
            nodes: the budget of one search, in positions with a choice; 1 or more.
            table_bits: the table holds two to the power of so many positions.

        Raises:
            DurakError: a budget or a size that is not accepted.
        """
        if nodes < 1:
            raise DurakError(f"nodes={nodes} is not accepted; it takes 1 or more")
        if not 1 <= table_bits <= 28:
            raise DurakError(f"table_bits={table_bits} is not accepted; it takes 1 to 28")
        self.rules = rules
        self.budget = nodes
        self.nodes = 0
        self._rows = new_rows(rules, MAX_DEPTH + 1)
        self._memory = (
            np.zeros(1 << table_bits, dtype=np.uint64),
            np.zeros(1 << table_bits, dtype=np.uint64),
            np.zeros((MAX_DEPTH, MOST_MOVES), dtype=np.int64),
            np.zeros((MAX_DEPTH + 1, 4), dtype=np.int64),
            np.zeros(MAX_DEPTH + 1, dtype=np.uint64),
        )
        self._searches = 0

    def can_solve(self, rows: Rows, i: int) -> bool:
        """Whether row ``i`` is an endgame whose past does not matter."""
        return int(endgame_state(rows, i)) == 2

    def value(self, rows: Rows, i: int) -> int | None:
        """The value of row ``i`` for the seat that is asked: 1, 0 or -1; None if the budget is
        spent. `nodes` then says how many positions were looked at.

        The row must be one that `can_solve` accepts.
        """
        seat = int(rows[i]["actor"])
        return self._value(rows, i, seat, int(other_contender(rows, i, seat)))

    def _value(self, rows: Rows, i: int, seat: int, other: int) -> int | None:
        self._searches += 1
        salt = np.uint64(self._searches * 0x9E3779B97F4A7C15 & (1 << 64) - 1)
        counted = np.zeros(1, dtype=np.int64)
        words = self._rows.view(np.uint64).reshape(MAX_DEPTH + 1, -1)
        start = rows[i : i + 1].view(np.uint64)
        value = value_of(
            self._rows,
            words,
            start,
            STEP_WORDS,
            seat,
            other,
            salt,
            *self._memory,
            self.budget,
            counted,
        )
        self.nodes = int(counted[0])
        return None if value == 2 else int(value)

    def action_values(self, rows: Rows, i: int) -> dict[int, int | None]:
        """The value of every legal action of row ``i``, by its id, for the seat that is asked.

        `nodes` is the sum of all searches.
        """
        seat, total = int(rows[i]["actor"]), 0
        other = int(other_contender(rows, i, seat))
        values: dict[int, int | None] = {}
        for action in self.legal_actions(rows, i):
            after = copy_rows(rows[i : i + 1])
            after["repetition"] = 0
            play_id(after, 0, action)
            values[action] = self._value(after, 0, seat, other)
            total += self.nodes
        self.nodes = total
        return values

    def legal_actions(self, rows: Rows, i: int) -> list[int]:
        """The ids of what may be done in row ``i``."""
        everything = range(len(action_table(self.rules)))
        return [k for k in everything if is_legal(rows, i, action_code(rows, i, k))]


def solve(game: Game, nodes: int = NODES) -> Solution:
    """Solve an endgame.

    Args:
        game: two seats left, no stock, somebody is asked.
        nodes: the budget of each search.

    Raises:
        DurakError: it is no endgame, or one whose past may matter.
    """
    check_endgame(game)
    solver = Solver(game.rules, nodes)
    assert game.actor is not None
    value = solver.value(game.rows, 0)
    looked_at = solver.nodes
    ids = solver.action_values(game.rows, 0)
    looked_at += solver.nodes
    texts = {action.id: str(action) for action in game.legal_actions()}
    values = {texts[action]: found for action, found in ids.items()}
    if value is None and None not in values.values():
        value = max(found for found in values.values() if found is not None)
    line = best_line(game, solver) if value is not None else ()
    return Solution(value, values, line, looked_at)


def check_endgame(game: Game) -> None:
    """
    Raises:
        DurakError: a game is no endgame, or one whose past may matter.
    """
    state = int(endgame_state(game.rows, 0))
    if game.rules.tricks:
        raise DurakError("a game of tricks has face-down cards: it is not solved")
    if state == 0:
        raise DurakError(
            "it is no endgame: two seats must be left, the stock empty and the deal not over"
        )
    if state == 1:
        raise DurakError(
            "its past may matter: the repetitions and bouts without a discard that are behind it"
        )


def best_line(game: Game, solver: Solver) -> tuple[str, ...]:
    """Best play to the end; shorter if the budget is spent on the way."""
    game = game.copy()
    line: list[str] = []
    while game.actor is not None and len(line) < MAX_DEPTH:
        choice = game.legal_actions()[0]
        if len(game.legal_actions()) > 1:
            found = best_action(solver, game.rows, 0)
            if found is None:
                break
            choice = next(action for action in game.legal_actions() if action.id == found)
        line.append(str(choice))
        game.play(choice)
    return tuple(line)


def best_action(solver: Solver, rows: Rows, i: int, wished: int = -1) -> int | None:
    """The id of an action that keeps the value of row ``i``: ``wished``, if that one does, else the
    first one. None if the budget is spent."""
    legal = solver.legal_actions(rows, i)
    if len(legal) == 1:
        return legal[0]
    values = solver.action_values(rows, i)
    if None in values.values():
        known = [action for action, value in values.items() if value == 1]
        return known[0] if known else None
    best = max(value for value in values.values() if value is not None)
    good = [action for action, value in values.items() if value == best]
    return wished if wished in good else good[0]


def count_cards(game: Game) -> int:
    """The cards that are in hands or on the table."""
    return int(cards_left(game.rows, 0))
