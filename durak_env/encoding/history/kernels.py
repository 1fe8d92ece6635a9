"""The tokens of the ``history`` layout, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.batch import card_index, id_of
from durak_env.engine.jit import kernel
from durak_env.engine.state import BEATEN, CODES, EVENTS, MAX_EVENTS, TURNED_UP, Row, Rows
from durak_env.view.kernels import Histories

Tokens = npt.NDArray[np.int16]

BOUT_ENDS = 2
"""Events after those of the cards: all is beaten (or a trick is won), and the cards are taken."""


@kernel
def event_number(v: Row, event: int, actions: int) -> int:
    """An event as tokens count it: an action id, a card that was turned up, the end of a bout."""
    if event < CODES:
        return id_of(v, event)
    if event < BEATEN:
        return actions + card_index(v, event - TURNED_UP)
    return actions + int(v["deck_size"]) + event - BEATEN


@kernel
def write_tokens(views: Rows, histories: Histories, actions: int, out: Tokens) -> None:
    """Write the number of tokens and the tokens, oldest first, as each viewer counts the seats.

    ``actions`` is the length of the action table; zeros fill up.
    """
    for k in range(views.size):
        v, kept = views[k], int(histories[k, 0])
        kinds, players = actions + int(v["deck_size"]) + BOUT_ENDS, int(v["players"])
        out[k, 0] = kept
        for j in range(1, 1 + MAX_EVENTS):
            event = int(histories[k, j])
            steps = event // EVENTS - int(v["seat"])
            seat = steps if steps >= 0 else steps + players
            token = 1 + seat * kinds + event_number(v, event % EVENTS, actions)
            out[k, j] = token if j <= kept else 0
