"""Encoders: a `PlayerView` becomes an array of named sections.

An encoder gets views, so it cannot leak; only one that says so (``perfect_information``) reads what
is hidden, and no opponent may have it. `make` finds an encoder by name; an exported agent names its
encoder and the version that it was trained with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from durak_env.actions import action_table
from durak_env.encoding.base import (
    DirectEncoder,
    Encoder,
    HistoryReader,
    Observations,
    Section,
    has_perfect_information,
    has_universal_actions,
    needs_history,
)
from durak_env.encoding.flat import FlatEncoder
from durak_env.encoding.full import FullEncoder
from durak_env.encoding.history import HistoryEncoder
from durak_env.encoding.kernels import Masks, observe_masks
from durak_env.encoding.numbering import Numbering
from durak_env.encoding.planes import PlanesEncoder
from durak_env.encoding.universal import UniversalEncoder
from durak_env.engine import Rows
from durak_env.errors import DurakError
from durak_env.rules import Rules
from durak_env.view.kernels import VIEW, histories_of, observe_many

__all__ = [
    "ENCODERS",
    "DirectEncoder",
    "Encoder",
    "EncoderLike",
    "FlatEncoder",
    "FullEncoder",
    "HistoryEncoder",
    "HistoryReader",
    "Numbering",
    "Observations",
    "PlanesEncoder",
    "Section",
    "UniversalEncoder",
    "has_perfect_information",
    "has_universal_actions",
    "make",
    "needs_history",
    "observe",
    "observe_only",
]

ENCODERS: dict[str, Callable[[Rules], Encoder]] = {
    "flat": FlatEncoder,
    "planes": PlanesEncoder,
    "universal": UniversalEncoder,
    "history": HistoryEncoder,
    "full": FullEncoder,
}
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
    numbering: Numbering | None = None,
) -> None:
    """Write observations and masks of ``seats[k]`` on row ``which[k]``, for every k.

    A seat that is not asked has an empty mask; the masks of a deal that is over are full, so that
    no sampler fails. The masks are those of ``numbering``, which is that of the encoder if absent.
    """
    observe_only(encoder, rows, which, seats, out)
    if not has_universal_actions(encoder):
        observe_masks(rows, which, seats, masks)
        return
    own = np.empty((which.size, len(action_table(encoder.rules))), dtype=np.int8)
    observe_masks(rows, which, seats, own)
    masks[:] = (numbering or Numbering(encoder)).spread(own)


def observe_only(
    encoder: Encoder,
    rows: Rows,
    which: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    out: Observations,
) -> None:
    """`observe` without masks."""
    encode_rows = getattr(encoder, "encode_rows", None)  # as `DirectEncoder` has
    if encode_rows is not None:
        encode_rows(rows, which, seats, out)
        return
    views = np.zeros(which.size, dtype=VIEW)
    observe_many(rows, which, seats, views)
    if needs_history(encoder):
        cast("HistoryReader", encoder).encode_history(views, histories_of(rows, which), out)
    else:
        encoder.encode(views, out)
