"""The end of a bout and of the deal, and the start of the next bout."""

from __future__ import annotations

import numpy as np

from durak_env.engine.bits import bit, popcount, signed
from durak_env.engine.events import note
from durak_env.engine.jit import kernel
from durak_env.engine.seats import (
    is_live,
    live_count,
    next_live,
    next_seat,
    set_limits,
    stock_count,
)
from durak_env.engine.state import (
    ADD,
    BEATEN,
    HANG_COMMITTED,
    LEAD,
    MAX_ATTACKS,
    MAX_QUIET_BOUTS,
    NOBODY,
    OVER,
    TAKEN,
    Reason,
    Row,
)
from durak_env.rules import MAX_PLAYERS

DURAK = int(Reason.DURAK)
DRAW = int(Reason.DRAW)
LAST_DEFENDER = int(Reason.LAST_DEFENDER)
REPETITION = int(Reason.REPETITION)
NO_PROGRESS = int(Reason.NO_PROGRESS)


# --- the end of a bout ------------------------------------------------------------------------


@kernel
def resolve(s: Row) -> None:
    """The bout is over: clear the table, draw, let seats go out, and begin the next bout."""
    defender = int(s["defender"])
    taken = s["phase"] == ADD
    note(s, defender, TAKEN if taken else BEATEN)
    if taken:
        s["hands"][defender] |= s["table"]
        s["known"][defender] |= s["table"]
        s["quiet"] += 1
    else:
        s["discard"] |= s["table"]
        s["discarded"] = 1
        s["quiet"] = 0
        forget_positions(s)
    draw_cards(s)
    if stock_count(s) == 0:
        go_out(s)
    clear_table(s)
    if live_count(s) < 2:
        finish(s)
        return
    if s["quiet"] >= MAX_QUIET_BOUTS:
        end_deal(s, NOBODY, NO_PROGRESS)
        return
    leads = next_live(s, defender) if taken or not is_live(s, defender) else defender
    begin_bout(s, leads)


@kernel
def clear_table(s: Row) -> None:
    """Nothing lies on the table and nobody has passed."""
    for k in range(MAX_ATTACKS):  # all of them: a loop of fixed length is the faster one
        s["attack"][k] = NOBODY
        s["cover"][k] = NOBODY
    for k in range(MAX_PLAYERS):
        s["emptied"][k] = NOBODY
    s["attacks"] = 0
    s["unbeaten_count"] = 0
    s["unbeaten"] = np.uint64(0)
    s["table"] = np.uint64(0)
    s["open"] = np.uint64(0)
    s["passed"] = 0
    s["emptied_count"] = 0
    s["target"] = NOBODY
    s["shown"] = np.uint64(0)
    s["transfers"] = 0
    s["self_throws"] = 0
    s["self_pending"] = 0


@kernel
def draw_seat(s: Row, turn: int) -> int:
    """The seat that draws at this turn: the first attacker first, the defender last (P25, P26)."""
    first = int(s["leader"] if s["leader_draws_first"] else s["attacker"])
    defender, players = int(s["defender"]), int(s["players"])
    before_defender = defender - first if defender >= first else defender - first + players
    if not s["strict_clockwise"]:
        if turn == players - 1:
            return defender
        turn += turn >= before_defender
    seat = first + turn
    return seat if seat < players else seat - players


@kernel
def draw_cards(s: Row) -> None:
    """Each seat in turn fills its hand before the next one draws (E56)."""
    for turn in range(s["players"]):
        if s["stock_next"] >= s["stock_end"]:
            return
        seat = draw_seat(s, turn)
        missing = int(s["hand_size"]) - popcount(s["hands"][seat])
        for _ in range(min(missing, stock_count(s))):
            card = s["stock"][s["stock_next"]]
            s["stock_next"] += 1
            s["hands"][seat] |= bit(int(card))
            if card == s["trump_card"] or card == s["revealed"][0] or card == s["revealed"][1]:
                s["known"][seat] |= bit(int(card))


@kernel
def place(s: Row, seat: int) -> None:
    """Give a seat without cards the next place, once."""
    mark = np.uint8(1 << seat)
    if s["hands"][seat] == 0 and not s["out"] & mark:
        s["out"] |= mark
        s["places"][s["placed"]] = seat
        s["placed"] += 1


@kernel
def go_out(s: Row) -> None:
    """Every seat without cards leaves the deal; the order is that of P41."""
    if s["place_by_seat"]:
        seat = int(s["attacker"])
        for _ in range(s["players"]):
            place(s, seat)
            seat = next_seat(s, seat)
    elif s["stock_was_empty"]:
        for k in range(s["emptied_count"]):
            place(s, int(s["emptied"][k]))
    else:
        for turn in range(s["players"]):
            place(s, draw_seat(s, turn))


@kernel
def leave_at_once(s: Row) -> None:
    """P27 ``immediately``: out with the last card, and the deal ends when one seat is left.

    A defender with something still to beat is not out: it must take.
    """
    must_answer = s["actor"] == s["defender"] and s["unbeaten_count"] > 0
    if stock_count(s) == 0 and s["hands"][s["actor"]] == 0 and not must_answer:
        place(s, int(s["actor"]))
        if live_count(s) < 2:
            finish(s)


@kernel
def finish(s: Row) -> None:
    """The deal ends: the one seat with cards is the durak; nobody with cards is a draw (P33)."""
    durak, reason = NOBODY, DRAW
    for seat in range(s["players"]):
        if s["hands"][seat] != 0:
            durak, reason = seat, DURAK
    if durak == NOBODY and s["last_defender_loses"]:
        durak, reason = int(s["defender"]), LAST_DEFENDER
        move_to_last_place(s, durak)
    elif durak != NOBODY:
        s["places"][s["placed"]] = durak
        s["placed"] += 1
        if s["hang"] == HANG_COMMITTED and durak != s["leader"]:
            s["hung"] = s["leader"]  # H8
    end_deal(s, durak, reason)


@kernel
def move_to_last_place(s: Row, seat: int) -> None:
    """Take a seat out of the order of places and put it at the end."""
    kept = 0
    for k in range(s["placed"]):
        if s["places"][k] != seat:
            s["places"][kept] = s["places"][k]
            kept += 1
    s["places"][kept] = seat


@kernel
def end_deal(s: Row, durak: int, reason: int) -> None:
    """Write the result down."""
    s["phase"] = OVER
    s["limit"] = 0
    s["limit_on_take"] = 0
    s["stock_was_empty"] = stock_count(s) == 0
    s["durak"] = durak
    s["reason"] = reason


# --- the start of a bout ----------------------------------------------------------------------


@kernel
def begin_bout(s: Row, leads: int) -> None:
    """The next bout, led by this seat, on an empty table."""
    s["phase"] = LEAD
    s["hang"] = 0
    s["dead_lead"] = 0
    s["leader"] = leads
    s["attacker"] = leads
    s["last_layer"] = leads
    s["defender"] = next_live(s, leads)
    s["defender_start"] = popcount(s["hands"][s["defender"]])
    s["bout"] += 1
    s["stock_was_empty"] = stock_count(s) == 0
    set_limits(s)
    if s["repetition"] and s["stock_was_empty"]:
        note_position(s)


@kernel
def position_hash(s: Row) -> int:
    """A 32-bit hash of what a bout starts from: all hands and the leader."""
    mixed = np.uint64(s["leader"])
    for seat in range(s["players"]):
        mixed = (mixed ^ s["hands"][seat]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return signed(mixed & np.uint64(0xFFFFFFFF))


@kernel
def note_position(s: Row) -> None:
    """P34: note what the bout starts from; its n-th occurrence ends the deal (7.10)."""
    now = position_hash(s)
    occurrences = 1
    for k in range(s["seen_count"]):
        occurrences += s["seen"][k] == now
    s["seen"][s["seen_count"]] = now
    s["seen_count"] += 1
    s["occurrences"] = occurrences
    if occurrences >= s["repetition"]:
        end_deal(s, NOBODY, REPETITION)


@kernel
def forget_positions(s: Row) -> None:
    """A discard makes every earlier position unreachable."""
    for k in range(s["seen_count"]):
        s["seen"][k] = 0
    s["seen_count"] = 0
    s["occurrences"] = 0
