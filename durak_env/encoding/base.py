"""What an encoder is."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows
from durak_env.rules import Rules

Observations = npt.NDArray[Any]
"""Observations, the first axis counting them."""


class Section(NamedTuple):
    """A named stretch of an observation: ``observation[..., start:stop]``."""

    name: str
    start: int
    stop: int
    doc: str


class Encoder(Protocol):
    """Turns views into observations of one fixed shape.

    Any object of this form will do wherever an encoding is named; see ``docs/encodings.md``.
    """

    name: str
    version: int
    rules: Rules
    sections: tuple[Section, ...]
    high: int
    """The largest number; the smallest is 0."""
    dtype: np.dtype[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        ...

    def buffer(self, count: int) -> Observations:
        """A new array for ``count`` observations, for `encode` to write into."""
        ...

    def encode(self, views: Rows, out: Observations | None = None) -> Observations:
        """The observations of an array of views (dtype `VIEW`): shape (n, *shape).

        ``out``, if given, is written and returned; it came from `buffer` or is any array of that
        shape and dtype.
        """
        ...


class DirectEncoder(Encoder, Protocol):
    """An encoder that can also read rows, without views in between."""

    def encode_rows(
        self,
        rows: Rows,
        which: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        out: Observations,
    ) -> None:
        """Write the observations of ``seats[k]`` on row ``which[k]`` into ``out[k]``."""
        ...


def number_sections(parts: list[tuple[str, int, str]]) -> tuple[Section, ...]:
    """Sections one after the other, from (name, length, doc)."""
    sections, at = [], 0
    for name, length, doc in parts:
        sections.append(Section(name, at, at + length, doc))
        at += length
    return tuple(sections)
