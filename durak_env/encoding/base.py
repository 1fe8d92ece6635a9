"""What an encoder is."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows
from durak_env.rules import Rules
from durak_env.view.kernels import Histories

Observations = npt.NDArray[Any]
"""Observations, the first axis counting them."""

Part = tuple[str, int, str]
"""Name, length and meaning of a section."""


class Section(NamedTuple):
    """A named stretch of an observation: ``observation[..., start:stop]``."""

    name: str
    start: int
    stop: int
    doc: str


class Encoder(Protocol):
    """Turns views into observations of one fixed shape.

    Any object of this form will do wherever an encoding is named; see ``docs/encodings.md``.

    What is special about an encoder it says by attributes that others need not have:
    ``perfect_information`` (it reads what is hidden: for training only, no opponent may have it),
    ``universal_actions`` (its learners act by `durak_env.actions.universal_table`) and
    ``needs_history`` (it is a `HistoryReader`).
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


class HistoryReader(Encoder, Protocol):
    """An encoder that also reads what has happened, which a view does not say."""

    needs_history: bool

    def encode_history(self, views: Rows, histories: Histories, out: Observations) -> Observations:
        """The observations of views with what has happened in each game, written into ``out``."""
        ...


def has_perfect_information(encoder: Encoder) -> bool:
    """Whether an encoder reads what is hidden."""
    return bool(getattr(encoder, "perfect_information", False))


def has_universal_actions(encoder: Encoder) -> bool:
    """Whether an encoder goes with the action table that serves all rules."""
    return bool(getattr(encoder, "universal_actions", False))


def needs_history(reader: object) -> bool:
    """Whether an encoder or an opponent reads what has happened."""
    return bool(getattr(reader, "needs_history", False))


def number_sections(parts: list[Part]) -> tuple[Section, ...]:
    """Sections one after the other, from (name, length, doc)."""
    sections, at = [], 0
    for name, length, doc in parts:
        sections.append(Section(name, at, at + length, doc))
        at += length
    return tuple(sections)
