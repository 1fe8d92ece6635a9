"""The ``universal`` layout, compiled: the options, then the widest layout of ``flat``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.encoding.flat.kernels import put_all
from durak_env.encoding.kernels import Bytes, Counts, Octets, Tail, Words, finish, push, spread_all
from durak_env.engine.batch import Ids
from durak_env.engine.jit import kernel
from durak_env.engine.state import Rows
from durak_env.view.kernels import look

Features = npt.NDArray[np.int64]
"""One line for each option: the byte of its field, how it is written, the value that counts as
none (or as the first), and how many bits it has."""

Records = npt.NDArray[np.int8]
"""The bytes of rows or views."""

ONE_HOT, BINARY, OR_NONE = 0, 1, 2
"""How an option is written: OR_NONE is in binary with a last bit for none."""


@kernel
def put_options(record: npt.NDArray[np.int8], features: Features, words: Words, tail: Tail) -> Tail:
    """Append the options of the record's rules."""
    for k in range(features.shape[0]):
        value, how = int(record[features[k, 0]]), features[k, 1]
        none, size = features[k, 2], features[k, 3]
        bits = np.uint64(value)
        if how == ONE_HOT:
            bits = np.uint64(1) << np.uint64(value - none)
        elif how == OR_NONE and value == none:
            bits = np.uint64(1) << np.uint64(size - 1)
        tail = push(words, tail, bits, size)
    return tail


@kernel
def encode_wide_views(
    views: Rows,
    records: Records,
    features: Features,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
) -> None:
    """The observations of all views, of whatever rules.

    ``records`` are the bytes of ``views``; for the others see `spread_all`.
    """
    for j in range(views.size):
        tail = put_options(records[j], features, packed[j], (np.uint64(0), 0))
        finish(packed[j], put_all(views[j], views[j], packed[j], tail, True))
    spread_all(packed, octets, out, used)


@kernel
def encode_wide_seats(
    rows: Rows,
    records: Records,
    which: Ids,
    seats: Ids,
    own: Rows,
    features: Features,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
) -> None:
    """`encode_wide_views` of ``seats[k]`` on row ``which[k]``, straight from the rows.

    ``records`` are the bytes of ``rows``; ``own`` is one scratch record of `OWN`.
    """
    for k in range(which.size):
        s, words = rows[which[k]], packed[k]
        look(s, seats[k], own[0])
        tail = put_options(records[which[k]], features, words, (np.uint64(0), 0))
        finish(words, put_all(s, own[0], words, tail, True))
    spread_all(packed, octets, out, used)
