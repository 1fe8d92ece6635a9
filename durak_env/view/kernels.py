"""What one seat may know, copied out of a row: the only door to a game for whatever decides.

A view is one record of `VIEW`: everything that everybody at the table sees
(`durak_env.engine.state.PUBLIC_FIELDS`), the viewer's own hand, and nothing else. An opponent, a
search or an encoder gets a view and never a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import Ids
from durak_env.engine.bits import popcount
from durak_env.engine.jit import kernel
from durak_env.engine.seats import room, stock_count
from durak_env.engine.state import (
    DEFEND,
    FOLLOW,
    MAX_EVENTS,
    NOBODY,
    OVER,
    STOCK_WORD,
    Row,
    Rows,
    public_words,
    with_public,
)
from durak_env.engine.table import target
from durak_env.rules import MAX_PLAYERS

PUBLIC_WORDS = public_words()

Histories = npt.NDArray[np.int16]
"""What everybody saw happen in each game: the number of events, then the last of them, oldest
first, each ``EVENTS * seat + event`` (`durak_env.engine.state`); zeros fill up."""

OWN_FIELDS: list[tuple[Any, ...]] = [
    ("hand", np.uint64),
    ("seat", np.int8),  # the viewer
    ("room", np.int8),
    ("stock_count", np.int8),
    ("target_card", np.int8),  # the attack card that a cover would beat now, or -1
    ("peek", np.int8),  # the top of the stock, for a leader who may look at it (P22a), or -1
    ("sees_dead_lead", np.int8),  # whether the lead is a dead one, as far as the viewer knows (H6)
    ("hand_sizes", np.int8, (MAX_PLAYERS,)),
]

OWN = np.dtype(OWN_FIELDS, align=True)
"""What one seat knows besides the public fields, and what it can count."""

VIEW = with_public(
    [
        *OWN_FIELDS,
        # what the viewer may do now; zero when the viewer is not asked
        ("legal_cards", np.uint64),
        ("legal_targets", np.uint64),
        ("legal_transfers", np.uint64),
        ("legal_shows", np.uint64),
        ("legal_selfs", np.uint64),
        ("legal_words", np.uint8),
    ]
)
"""One seat's view of one game. Seats are absolute here; `PlayerView` and the encoders count them
from the viewer."""


@kernel
def look(s: Row, seat: int, own: Row) -> None:
    """Write what ``seat`` knows of a row, besides the public fields, into a record of `OWN`."""
    for k in range(s["players"]):
        own["hand_sizes"][k] = popcount(s["hands"][k])
    own["seat"] = seat
    own["hand"] = s["hands"][seat]
    own["room"] = 0 if s["phase"] == OVER else room(s)
    own["stock_count"] = stock_count(s)
    own["target_card"] = target_card(s)
    # what the leader may lead is its secret until the card lies there
    own["sees_dead_lead"] = s["dead_lead"] and (s["attacks"] > 0 or s["leader"] == seat)
    may_look = s["stock_lead_peek"] and s["actor"] == seat and s["legal_words"] & STOCK_WORD
    own["peek"] = s["stock"][s["stock_next"]] if may_look else NOBODY


@kernel
def observe(rows: Rows, i: int, seat: int, views: Rows, j: int) -> None:
    """Write the view that ``seat`` has of row ``i`` into record ``j`` of ``views``.

    Any seat may be observed at any time; a seat that is not asked has nothing legal.
    """
    s, v = rows[i], views[j]
    for k in range(PUBLIC_WORDS):
        v["public"][k] = s["public"][k]
    look(s, seat, v)
    v["dead_lead"] = v["sees_dead_lead"]
    asked = s["actor"] == seat
    v["legal_cards"] = s["legal_cards"] if asked else np.uint64(0)
    v["legal_targets"] = s["legal_targets"] if asked else np.uint64(0)
    v["legal_transfers"] = s["legal_transfers"] if asked else np.uint64(0)
    v["legal_shows"] = s["legal_shows"] if asked else np.uint64(0)
    v["legal_selfs"] = s["legal_selfs"] if asked else np.uint64(0)
    v["legal_words"] = s["legal_words"] if asked else 0


@kernel
def target_card(s: Row) -> int:
    """The attack card that a cover would beat now, or the led card of a trick; else -1."""
    if s["phase"] == FOLLOW:
        return int(s["attack"][0])
    open_choice = s["cover_any"] and s["unbeaten_count"] > 1 and s["target"] < 0
    if s["phase"] != DEFEND or open_choice:
        return NOBODY
    return int(s["attack"][target(s)])


@kernel
def rotate(seats: int, viewer: int, players: int) -> int:
    """A set of seats as the viewer counts them."""
    both = seats | (seats << players)
    return (both >> viewer) & ((1 << players) - 1)


@kernel
def observe_many(rows: Rows, which: Ids, seats: Ids, views: Rows) -> None:
    """Write the view of ``seats[k]`` on row ``which[k]`` into record ``k``, for every k."""
    for k in range(which.size):
        observe(rows, which[k], seats[k], views, k)


@kernel
def gather_histories(rows: Rows, which: Ids, out: Histories) -> None:
    """Write the number of events of row ``which[k]`` and the events, oldest first, into
    ``out[k]``."""
    for k in range(which.size):
        s = rows[which[k]]
        kept = min(int(s["event_count"]), MAX_EVENTS)
        out[k, 0] = kept
        first = int(s["event_count"]) - kept
        for j in range(kept):
            out[k, 1 + j] = s["events"][(first + j) % MAX_EVENTS]
        for j in range(kept, MAX_EVENTS):
            out[k, 1 + j] = 0


def histories_of(rows: Rows, which: Ids) -> Histories:
    """What has happened in these rows: int16 (n, 1 + MAX_EVENTS), see `Histories`."""
    histories = np.empty((which.size, 1 + MAX_EVENTS), dtype=np.int16)
    gather_histories(rows, which, histories)
    return histories
