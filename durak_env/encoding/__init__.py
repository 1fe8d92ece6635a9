"""Encoders: a `PlayerView` becomes a vector of named sections.

An encoder gets views and nothing else, so it cannot leak. `make` finds one by name; an exported
agent names its encoder and the version that it was trained with.
"""

from __future__ import annotations

from durak_env.encoding.base import Encoder, Section
from durak_env.encoding.flat import FlatEncoder
from durak_env.errors import DurakError
from durak_env.rules import Rules

__all__ = ["ENCODERS", "Encoder", "FlatEncoder", "Section", "make"]

ENCODERS: dict[str, type[FlatEncoder]] = {"flat": FlatEncoder}
"""Every encoder by name."""


def make(name: str, rules: Rules) -> Encoder:
    """The encoder of this name for these rules.

    Raises:
        DurakError: there is no such encoder.
    """
    if name not in ENCODERS:
        raise DurakError(f"unknown encoder {name!r}; known: {', '.join(ENCODERS)}")
    return ENCODERS[name](rules)
