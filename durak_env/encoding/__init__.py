"""Encoders: a `PlayerView` becomes an array of named sections.

An encoder gets views and nothing else, so it cannot leak. `make` finds one by name; an exported
agent names its encoder and the version that it was trained with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.encoding.base import DirectEncoder, Encoder, Observations, Section
from durak_env.encoding.flat import FlatEncoder
from durak_env.encoding.kernels import Masks, observe_masks
from durak_env.engine import Rows
from durak_env.errors import DurakError
from durak_env.rules import Rules
from durak_env.view.kernels import VIEW, observe_many

__all__ = [
    "ENCODERS",
    "DirectEncoder",
    "Encoder",
    "EncoderLike",
    "FlatEncoder",
    "Section",
    "make",
    "observe",
]

ENCODERS: dict[str, Callable[[Rules], Encoder]] = {"flat": FlatEncoder}
"""Every encoder by name."""

EncoderLike: TypeAlias = str | Callable[[Rules], Encoder]
"""The name of an encoder, or what makes one for given rules, such as its class."""


def make(encoder: EncoderLike, rules: Rules) -> Encoder:
    """The encoder of this name or making for these rules.

    Raises:
        DurakError: there is no such encoder.
    """
    if callable(encoder):
        return encoder(rules)
    if encoder not in ENCODERS:
        raise DurakError(f"unknown encoder {encoder!r}; known: {', '.join(ENCODERS)}")
    return ENCODERS[encoder](rules)


def observe(
    encoder: Encoder,
    rows: Rows,
    which: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    out: Observations,
    masks: Masks,
) -> None:
    """Write observations and masks of ``seats[k]`` on row ``which[k]``, for every k.

    A seat that is not asked has an empty mask; the masks of a deal that is over are full, so that
    no sampler fails.
    """
    encode_rows = getattr(encoder, "encode_rows", None)  # as `DirectEncoder` has
    if encode_rows is not None:
        encode_rows(rows, which, seats, out)
    else:
        views = np.zeros(which.size, dtype=VIEW)
        observe_many(rows, which, seats, views)
        encoder.encode(views, out)
    observe_masks(rows, which, seats, masks)
