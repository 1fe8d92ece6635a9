"""The entry points of the engine: kernels over ``(rows, i)`` and over whole arrays of rows.

Actions come in two forms. A *code* is what the engine thinks in (`durak_env.engine.state`): the
card's code, `PASS`, `TAKE`, or `TARGET` + card. An *id* is an index into the compact action table
of the rules, which is what learners see: all cards of the deck, suit by suit from the trumps; then
pass; then take; then, where the rules let the defender choose what to beat, one target per card.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.bits import LANE, bit, nth, popcount
from durak_env.engine.chance import below, deal_from_deck, shuffle_deck
from durak_env.engine.jit import kernel
from durak_env.engine.play import (
    act,
    end_deal,
    note_position,
    room,
    set_limits,
    settle,
    stock_count,
)
from durak_env.engine.state import (
    LEAD,
    OVER,
    PASS,
    PASS_WORD,
    TAKE,
    TAKE_WORD,
    TARGET,
    Reason,
    Row,
    Rows,
)

FORFEIT = int(Reason.FORFEIT)

Streams = npt.NDArray[np.uint64]
"""One random stream per row."""

Flags = npt.NDArray[np.bool_]

Ids = npt.NDArray[np.int64]
"""Action ids, or indices of rows."""


# --- one row ----------------------------------------------------------------------------------


@kernel
def deal(rows: Rows, i: int, streams: Streams, first_leader: int) -> None:
    """Shuffle with stream ``i`` and deal; ``first_leader`` -1 leaves the lead to the rules."""
    s = rows[i]
    shuffle_deck(s, streams, i)
    deal_from_deck(s, first_leader)


@kernel
def deal_given(rows: Rows, i: int, first_leader: int) -> None:
    """Deal the deck that was laid into ``stock`` (printed suits, dealing order)."""
    deal_from_deck(rows[i], first_leader)


@kernel
def resume(rows: Rows, i: int) -> None:
    """Ask the first seat of a position that was written into the row field by field."""
    s = rows[i]
    set_limits(s)
    starts = s["phase"] == LEAD and s["attacks"] == 0 and stock_count(s) == 0
    if starts and s["repetition"] and s["seen_count"] == 0:
        note_position(s)
    settle(s)


@kernel
def is_legal(rows: Rows, i: int, code: int) -> bool:
    """Whether the actor of row ``i`` may do this."""
    s = rows[i]
    if code < 0:
        return False
    if code < PASS:
        return bool(s["legal_cards"] & bit(code) != 0)
    if code == PASS:
        return bool(s["legal_words"] & PASS_WORD != 0)
    if code == TAKE:
        return bool(s["legal_words"] & TAKE_WORD != 0)
    return bool(TARGET <= code < TARGET + 64 and s["legal_targets"] & bit(code - TARGET) != 0)


@kernel
def apply(rows: Rows, i: int, code: int) -> bool:
    """Carry out an action. False, and nothing changed, if it is not legal."""
    if not is_legal(rows, i, code):
        return False
    act(rows[i], code)
    return True


@kernel
def code_of(s: Row, action: int) -> int:
    """The code of an action id; -1 for an id that the table does not have."""
    deck, ranks = int(s["deck_size"]), int(s["ranks"])
    if 0 <= action < deck:
        return action // ranks * LANE + action % ranks
    if action == deck:
        return PASS
    if action == deck + 1:
        return TAKE
    card = action - deck - 2
    if 0 <= card < deck and s["cover_any"]:
        return TARGET + card // ranks * LANE + card % ranks
    return -1


@kernel
def id_of(s: Row, code: int) -> int:
    """The id of an action code."""
    deck, ranks = int(s["deck_size"]), int(s["ranks"])
    if code < PASS:
        return code // LANE * ranks + code % LANE
    if code < TARGET:
        return deck + code - PASS
    card = code - TARGET
    return deck + 2 + card // LANE * ranks + card % LANE


@kernel
def action_code(rows: Rows, i: int, action: int) -> int:
    """`code_of` for row ``i``."""
    return code_of(rows[i], action)


@kernel
def action_id(rows: Rows, i: int, code: int) -> int:
    """`id_of` for row ``i``."""
    return id_of(rows[i], code)


@kernel
def room_left(rows: Rows, i: int) -> int:
    """How many more attack cards may be laid in row ``i``."""
    return room(rows[i])


@kernel
def apply_id(rows: Rows, i: int, action: int) -> bool:
    """`apply` for an action id."""
    return apply(rows, i, code_of(rows[i], action))


# --- many rows --------------------------------------------------------------------------------


@kernel
def deal_many(rows: Rows, which: Ids, streams: Streams) -> None:
    """Deal every row of ``which`` anew, each from its own stream."""
    for k in range(which.size):
        deal(rows, which[k], streams, -1)


@kernel
def apply_many(rows: Rows, which: Ids, actions: Ids, illegal: Flags) -> int:
    """Carry out one action id per row of ``which``, and mark those that are illegal.

    An illegal action changes nothing. Returns how many there are.
    """
    count = 0
    for k in range(which.size):
        illegal[k] = not apply_id(rows, which[k], actions[k])
        count += illegal[k]
    return count


@kernel
def forfeit(rows: Rows, i: int, seat: int) -> None:
    """End the deal of row ``i`` at once: this seat is the durak (B16)."""
    s = rows[i]
    end_deal(s, seat, FORFEIT)
    settle(s)


@kernel
def random_code(s: Row, streams: Streams, i: int) -> int:
    """A uniformly random legal action of a row, by stream ``i``."""
    cards = popcount(s["legal_cards"])
    words = int(s["legal_words"])
    word_count = (words & 1) + (words >> 1)
    choice = below(streams, i, cards + word_count + popcount(s["legal_targets"]))
    if choice < cards:
        return nth(s["legal_cards"], choice)
    choice -= cards
    if choice < word_count:
        return TAKE if choice == 1 or words == TAKE_WORD else PASS
    return TARGET + nth(s["legal_targets"], choice - word_count)


@kernel
def play_random(rows: Rows, streams: Streams, decisions: int) -> int:
    """Play random legal actions, ``decisions`` in every row, dealing anew after each deal.

    Returns the number of deals that ended.
    """
    ended = 0
    for i in range(rows.size):
        for _ in range(decisions):
            s = rows[i]
            if s["phase"] == OVER:
                deal(rows, i, streams, -1)
                ended += s["bout"] > 0
            act(s, random_code(s, streams, i))
    return ended
