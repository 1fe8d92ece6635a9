"""Seats and limits: who is in the deal, who is asked, how many attack cards may still be laid."""

from __future__ import annotations

import numpy as np

from durak_env.engine.bits import popcount
from durak_env.engine.jit import kernel
from durak_env.engine.state import ADD, FIRST_BOUT_ONLY, NO_LIMIT, Row


@kernel
def stock_count(s: Row) -> int:
    """Cards left in the stock, the face-up trump included."""
    return int(s["stock_end"]) - int(s["stock_next"])


@kernel
def next_seat(s: Row, seat: int) -> int:
    """The seat to the left, live or not."""
    return 0 if seat + 1 == s["players"] else seat + 1


@kernel
def is_live(s: Row, seat: int) -> bool:
    """Whether a seat is still in the deal: an empty hand is not, once the stock is empty (E41)."""
    return bool(s["hands"][seat] != 0 or s["stock_next"] < s["stock_end"])


@kernel
def next_live(s: Row, seat: int) -> int:
    """The nearest live seat to the left; the seat itself if there is no other."""
    for _ in range(s["players"]):
        seat = next_seat(s, seat)
        if is_live(s, seat):
            break
    return seat


@kernel
def live_count(s: Row) -> int:
    """How many seats are still in the deal."""
    count = 0
    for seat in range(s["players"]):
        count += is_live(s, seat)
    return count


@kernel
def offer(s: Row, seat: int, cards: np.uint64, words: int) -> None:
    """Ask a seat."""
    s["actor"] = seat
    s["legal_cards"] = cards
    s["legal_words"] = words
    s["legal_targets"] = np.uint64(0)
    s["legal_transfers"] = np.uint64(0)
    s["legal_shows"] = np.uint64(0)
    s["legal_selfs"] = np.uint64(0)


@kernel
def room(s: Row) -> int:
    """How many more attack cards may be laid: the one formula of section 0.2, never below zero.

    The second and third terms are equal as long as the defender's hand shrinks by covering only;
    they differ after a self throw.
    """
    by_start = int(s["defender_start"]) - int(s["attacks"])
    by_hand = popcount(s["hands"][s["defender"]]) - int(s["unbeaten_count"])
    return max(0, min(cap_room(s), by_start, by_hand))


@kernel
def cap_room(s: Row) -> int:
    """How many more attack cards the caps of the bout allow."""
    counted = int(s["attacks"]) - (0 if s["self_throw_in_cap"] else int(s["self_throws"]))
    return int(s["limit_on_take"] if s["phase"] == ADD else s["limit"]) - counted


@kernel
def set_limits(s: Row) -> None:
    """The caps of the bout that begins now (P15 ... P18); E28: the first limit is not lifted."""
    cap = int(s["cap"])
    if s["cap_lifted"] and s["stock_was_empty"]:
        cap = NO_LIMIT
    s["limit"] = cap
    s["limit_on_take"] = cap
    if s["first_limit_scope"] == FIRST_BOUT_ONLY:
        first = s["bout"] == 1
    else:
        first = not s["discarded"]
    if first and s["first_limit"]:
        s["limit"] = min(cap, int(s["first_limit"]))
        s["limit_on_take"] = min(cap, int(s["first_cap_on_take"]))
