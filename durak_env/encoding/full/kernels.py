"""The ``full`` layout, compiled: what is hidden, then the ``flat`` one."""

from __future__ import annotations

import numpy as np

from durak_env.encoding.flat.kernels import (
    CARD_BITS,
    number_of,
    put_all,
    put_cards,
    table_seat,
)
from durak_env.encoding.kernels import Bytes, Counts, Octets, Tail, Words, finish, push, spread_all
from durak_env.engine.batch import Ids
from durak_env.engine.jit import kernel
from durak_env.engine.seats import stock_count
from durak_env.engine.state import NOBODY, Row, Rows
from durak_env.view.kernels import look


@kernel
def put_hands(s: Row, own: Row, words: Words, tail: Tail) -> Tail:
    """The hands of all other seats, from the viewer's left on."""
    for k in range(1, s["players"]):
        tail = put_cards(s, words, tail, s["hands"][table_seat(s, own, k)], False)
    return tail


@kernel
def put_stock(s: Row, words: Words, tail: Tail) -> Tail:
    """The stock from the top, card by card in binary; as many places as the deck has cards."""
    left, first = stock_count(s), int(s["stock_next"])
    for place in range(s["deck_size"]):
        card = int(s["stock"][first + place]) if place < left else NOBODY
        tail = push(words, tail, number_of(s, card, False), CARD_BITS)
    return tail


@kernel
def put_face_down(s: Row, viewer: int, words: Words, tail: Tail) -> Tail:
    """The face-down cards of both rows, the viewer's first, place by place."""
    for k in range(2):
        for place in range(s["hand_size"]):
            card = int(s["down"][viewer ^ k, place])
            tail = push(words, tail, number_of(s, card, False), CARD_BITS)
    return tail


@kernel
def encode_open(
    rows: Rows,
    which: Ids,
    seats: Ids,
    own: Rows,
    packed: Words,
    octets: Bytes,
    out: Octets,
    used: Counts,
) -> None:
    """The observations of ``seats[k]`` on row ``which[k]``, with nothing hidden.

    ``own`` is one scratch record of `OWN`; for the others see `spread_all`.
    """
    for k in range(which.size):
        s, words = rows[which[k]], packed[k]
        look(s, seats[k], own[0])
        own[0]["sees_dead_lead"] = s["dead_lead"]
        tail = put_hands(s, own[0], words, (np.uint64(0), 0))
        tail = put_stock(s, words, tail)
        if s["plays_tricks"]:
            tail = put_face_down(s, int(seats[k]), words, tail)
        finish(words, put_all(s, own[0], words, tail, False))
    spread_all(packed, octets, out, used)
