"""The ``universal`` encoding: one layout for all rules, for one network that plays every game.

It is the widest layout of ``flat`` after the options of the rules, which are read from each view
too: views of different rules may stand in one array. Its actions are those of
`durak_env.actions.universal_table`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.encoding.base import Section, number_sections
from durak_env.encoding.flat import sheet, whole_octets, wide_parts
from durak_env.encoding.universal.kernels import Records, encode_wide_seats, encode_wide_views
from durak_env.encoding.universal.options import feature_table, option_parts
from durak_env.engine import Rows
from durak_env.rules import Rules
from durak_env.view.kernels import OWN


class UniversalEncoder:
    """The options and the sections of the widest layout; 54 cards, eight seats, ranks from the
    two."""

    name = "universal"
    version = 1
    high = 1
    dtype = np.dtype(np.int8)
    universal_actions = True

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        parts = whole_octets([*option_parts(), *wide_parts()])
        self.sections: tuple[Section, ...] = number_sections(parts)
        self._features = feature_table()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return (self.sections[-1].stop,)

    def buffer(self, count: int) -> npt.NDArray[np.int8]:
        """A new array for ``count`` observations."""
        return np.zeros((count, *self.shape), dtype=self.dtype)

    def encode(self, views: Rows, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The observations of an array of views of any rules: int8, shape (n, size)."""
        out = self.buffer(views.size) if out is None else out
        encode_wide_views(views, bytes_of(views), self._features, *sheet(out))
        return out

    def encode_rows(
        self,
        rows: Rows,
        which: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        out: npt.NDArray[np.int8],
    ) -> None:
        """Write the observations of ``seats[k]`` on row ``which[k]`` into ``out[k]``."""
        own = np.zeros(1, dtype=OWN)
        encode_wide_seats(rows, bytes_of(rows), which, seats, own, self._features, *sheet(out))


def bytes_of(rows: Rows) -> Records:
    """The bytes of rows or views, one line for each."""
    whole = np.ascontiguousarray(rows)
    return whole.view(np.int8).reshape(rows.size, rows.dtype.itemsize)
