"""What an encoder is."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from durak_env.engine import Rows
from durak_env.rules import Rules


class Section(NamedTuple):
    """A named stretch of an observation: ``observation[start:stop]``."""

    name: str
    start: int
    stop: int
    doc: str


class Encoder(Protocol):
    """Turns views into observations of one fixed size."""

    name: str
    version: int
    rules: Rules
    sections: tuple[Section, ...]

    @property
    def size(self) -> int:
        """Numbers in one observation."""
        ...

    def encode(
        self, views: Rows, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """The observations of an array of views (dtype `VIEW`): float32, shape (n, size).

        ``out``, if given, is written and returned.
        """
        ...


def number_sections(parts: list[tuple[str, int, str]]) -> tuple[Section, ...]:
    """Sections one after the other, from (name, length, doc)."""
    sections, at = [], 0
    for name, length, doc in parts:
        sections.append(Section(name, at, at + length, doc))
        at += length
    return tuple(sections)
