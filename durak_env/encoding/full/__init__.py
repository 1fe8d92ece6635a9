"""The ``full`` encoding: all hands, the order of the stock, and ``flat``.

It is for training, such as for a critic that is thrown away afterwards. No opponent may have it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.encoding.base import Part, Section, number_sections
from durak_env.encoding.flat import flat_parts, sheet, whole_octets
from durak_env.encoding.full.kernels import encode_open
from durak_env.engine import Rows
from durak_env.errors import DurakError
from durak_env.rules import Rules
from durak_env.view.kernels import OWN


class FullEncoder:
    """What is hidden (`hidden_parts`), then the sections of `FlatEncoder`."""

    name = "full"
    version = 1
    high = 1
    dtype = np.dtype(np.int8)
    perfect_information = True

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        parts = [*hidden_parts(rules), *flat_parts(rules)]
        self.sections: tuple[Section, ...] = number_sections(whole_octets(parts))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return (self.sections[-1].stop,)

    def buffer(self, count: int) -> npt.NDArray[np.int8]:
        """A new array for ``count`` observations."""
        return np.zeros((count, *self.shape), dtype=self.dtype)

    def encode(
        self,
        views: Rows,  # noqa: ARG002
        out: npt.NDArray[np.int8] | None = None,  # noqa: ARG002
    ) -> npt.NDArray[np.int8]:
        """
        Raises:
            DurakError: always: a view does not hold what is hidden.
        """
        raise DurakError(
            f"the encoder {self.name} has perfect information, which needs rows: no view holds it"
        )

    def encode_rows(
        self,
        rows: Rows,
        which: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        out: npt.NDArray[np.int8],
    ) -> None:
        """Write the observations of ``seats[k]`` on row ``which[k]`` into ``out[k]``."""
        encode_open(rows, which, seats, np.zeros(1, dtype=OWN), *sheet(out))


def hidden_parts(rules: Rules) -> list[Part]:
    """What a seat does not see."""
    in_binary = "1 + 16 x suit + rank of each card, in binary"
    hands = [(f"hand_{k}", rules.deck, f"all cards of seat {k}") for k in range(1, rules.players)]
    rows = [
        (f"face_down_{k}", 7 * rules.hand_size, f"face-down cards of seat {k}: {in_binary}")
        for k in range(2 if rules.tricks else 0)
    ]
    stock = ("stock_order", 7 * rules.deck, f"the stock from the top: {in_binary}")
    return [*hands, stock, *rows]
