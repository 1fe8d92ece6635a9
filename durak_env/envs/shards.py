"""Learners on several threads: disjoint rows, the same results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from durak_env.envs.learners import Ids, Learners
from durak_env.errors import DurakError


class Shards(Learners):
    """`Learners` of which every thread has a part of the rows.

    The parts share the arrays of the whole. As a row never depends on the others, the results are
    those of one thread. The kernels run without the GIL; opponents in Python share it.
    """

    def __init__(self, threads: int, *arguments: Any, **options: Any) -> None:
        """
        Args:
            threads: how many.
            arguments, options: as for `Learners`.

        Raises:
            DurakError: fewer than one thread, or more than rows.
        """
        super().__init__(*arguments, **options)
        if not 1 <= threads <= len(self):
            raise DurakError(f"threads={threads} is not accepted; it takes 1 to {len(self)} here")
        edges = np.linspace(0, len(self), threads + 1).astype(np.int64)
        self._edges = edges
        self._parts = [
            self._part(int(first), int(last), *arguments, **options)
            for first, last in pairwise(edges)
        ]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="durak")

    def _part(self, first: int, last: int, *arguments: Any, **options: Any) -> Learners:
        rules, _, *others = arguments
        part = Learners(rules, last - first, *others, **options)
        rows = slice(first, last)
        part.rows, part.seats, part.decks = self.rows[rows], self.seats[rows], self.decks[rows]
        part.observations, part.masks = self.observations[rows], self.masks[rows]
        part.seating.who = self.seating.who[rows]
        part.seating.streams = self.seating.streams[rows]
        return part

    def _split(self, which: Ids) -> list[tuple[Learners, Ids, slice]]:
        """The parts that these rows, in ascending order, belong to, and which of them they are."""
        bounds = np.searchsorted(which, self._edges)
        return [
            (part, which[first:last] - self._edges[k], slice(int(first), int(last)))
            for k, (part, first, last) in enumerate(
                zip(self._parts, bounds, bounds[1:], strict=False)
            )
            if first < last
        ]

    def _each(self, work: Callable[[Learners, Ids, slice], Any], which: Ids) -> list[Any]:
        """Let every part do its share, each on a thread."""
        split = self._split(which)
        return list(self._pool.map(work, *zip(*split, strict=True))) if split else []

    def deal(self, which: Ids) -> None:
        """See `Learners.deal`."""
        self._each(lambda part, rows, _: part.deal(rows), which)

    def act(self, actions: Ids, which: Ids | None = None) -> npt.NDArray[np.bool_]:
        """See `Learners.act`."""
        which = self._all if which is None else which
        results = self._each(lambda part, rows, share: part.act(actions[share], rows), which)
        return np.concatenate(results) if results else np.zeros(0, dtype=np.bool_)

    def observe(self) -> None:
        """See `Learners.observe`."""
        self._each(lambda part, _rows, _share: part.observe(), self._all)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()
