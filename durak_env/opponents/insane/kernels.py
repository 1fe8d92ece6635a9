"""The level insane, compiled: every legal action is tried on the same worlds (S003-38)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.belief.kernels import complete_view
from durak_env.engine.batch import Ids, Streams, id_of, legal_count, legal_of_kind
from durak_env.engine.bits import ONE, lowest
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.state import OVER, Row, Rows
from durak_env.opponents.hard.kernels import hard_action
from durak_env.view.kernels import observe

WORLDS = 32
"""On how many layouts of the cards that it cannot see each action is tried."""

SHORT_STOCK = 12
"""From so many cards in the stock on it looks ahead, the face-up trump among them (S003-38)."""

MOST_ACTIONS = 128
"""More than can ever be legal at once."""

Values = npt.NDArray[np.float64]


@kernel
def list_actions(v: Row, codes: Ids) -> int:
    """Write the legal action codes of a view; returns how many there are."""
    count = 0
    for group in range(6):
        rest = np.uint64(v["legal_words"]) if group == 1 else legal_of_kind(v, group)
        while rest != 0:
            codes[count] = 64 * group + lowest(rest)
            rest &= rest - ONE
            count += 1
    return count


@kernel
def play_out(rows: Rows, i: int, code: int, scratch: Rows) -> None:
    """Carry out an action in row ``i`` and let everybody play on as hard does."""
    s = rows[i]
    act(s, code)
    while s["phase"] != OVER:
        observe(rows, i, int(s["actor"]), scratch, 0)
        act(s, hard_action(scratch[0]))


@kernel
def worth(s: Row, seat: int) -> float:
    """What a finished deal is worth to a seat: 1, nothing to the durak, a draw of two a half."""
    if s["durak"] < 0:
        return 0.5 if s["players"] == 2 else 1.0
    return 0.0 if s["durak"] == seat else 1.0


@kernel
def try_actions(
    views: Rows,
    j: int,
    streams: Streams,
    rows: Rows,
    scratch: Rows,
    codes: Ids,
    values: Values,
) -> int:
    """Sum up what every legal action of view ``j`` is worth over the same worlds.

    Row 0 is for the world, row 1 to play it out. Returns how many actions there are; none where
    the view has no world.
    """
    v = views[j]
    count = list_actions(v, codes)
    values[:] = 0.0
    for _ in range(WORLDS):
        if not complete_view(views, j, rows, 0, streams, 0):
            return 0
        for k in range(count):
            rows[1] = rows[0]
            play_out(rows, 1, codes[k], scratch)
            values[k] += worth(rows[1], int(v["seat"]))
    return count


@kernel
def look_ahead_many(
    views: Rows,
    randoms: Streams,
    rows: Rows,
    scratch: Rows,
    streams: Streams,
    codes: Ids,
    values: Values,
    actions: Ids,
) -> None:
    """One action id per view: the one of the highest mean, hard's own choice among equal ones.

    To work with: two ``rows``, one view, one stream, and `MOST_ACTIONS` codes and values.
    """
    for j in range(views.size):
        v = views[j]
        best = hard_action(v)
        if v["stock_count"] <= SHORT_STOCK and legal_count(v) > 1:
            streams[0] = randoms[j]
            count = try_actions(views, j, streams, rows, scratch, codes, values)
            highest = 0.0
            for k in range(count):
                highest = values[k] if codes[k] == best else highest
            for k in range(count):
                if values[k] > highest:
                    best, highest = codes[k], values[k]
        actions[j] = id_of(v, best)
