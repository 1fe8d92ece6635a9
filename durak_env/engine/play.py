"""The rules of one deal: who is asked, what is legal, and what an action does.

Every function takes one row ``s`` of `durak_env.engine.state.STATE`. `act` carries out one legal
action and then moves on to the next decision (`settle`): seats that could only pass are not asked
(7.4), and a bout that is over is resolved, drawn for, and the next one begun, all in the same step.
"""

from __future__ import annotations

import numpy as np

from durak_env.engine.barred import (
    barred,
    beatable,
    covers,
    hang_by_throw_in_possible,
    hang_possible,
    special,
    trumps,
)
from durak_env.engine.bits import popcount
from durak_env.engine.bout import end_deal, leave_at_once, resolve
from durak_env.engine.events import note
from durak_env.engine.jit import kernel
from durak_env.engine.seats import cap_room, next_live, next_seat, offer, room, stock_count
from durak_env.engine.state import (
    ADD,
    DEFEND,
    HANG_COMMITTED,
    LEAD,
    NOBODY,
    OVER,
    PASS,
    PASS_WORD,
    SELF,
    SELF_ATOMIC,
    SHOW,
    STOCK,
    STOCK_WORD,
    TAKE,
    TAKE_WORD,
    TARGET,
    THROW,
    THROWERS_ALL,
    THROWERS_NEIGHBOURS,
    TRANSFER,
    TRANSFERRING,
    Reason,
    Row,
)
from durak_env.engine.table import (
    attack,
    beat,
    choose_target,
    end_lead,
    lay_transfer,
    lead_from_stock,
    may_transfer,
    show_trump,
    shown_before,
    target,
    throw_to_self,
    transfer_cards,
    transfer_fits,
)
from durak_env.engine.tricks import offer_trick, play_trick_card

DEAD_LEAD = int(Reason.DEAD_LEAD)


# --- the leader -------------------------------------------------------------------------------


@kernel
def offer_lead(s: Row) -> bool:
    """Ask the leader, if there is anything left to lead."""
    if s["attacks"] == 0:
        offer_first_lead(s)
        return True
    leader = int(s["leader"])
    hand = s["hands"][leader]
    if s["hang"]:
        offer(s, leader, hand, 0 if s["hang"] == HANG_COMMITTED else PASS_WORD)
        return bool(hand != 0)
    if not s["lead_set"] or s["dead_lead"] or room(s) == 0:
        return False
    more = hand & s["open"] & ~barred(s, leader)
    if more == 0 and not (s["ask_everyone"] and hand != 0):
        return False
    offer(s, leader, more, PASS_WORD)
    return True


@kernel
def offer_first_lead(s: Row) -> None:
    """Ask the leader for the first card of the bout."""
    leader = int(s["leader"])
    hand = s["hands"][leader]
    cards = hand & ~barred(s, leader)
    if s["epaulettes"] and hang_possible(s):
        cards = hand
    words = STOCK_WORD if may_lead_from_stock(s) else 0
    if cards == 0 and words == 0:  # a dead lead: one special (H6), or a joker if all are (E98)
        s["dead_lead"] = 1
        specials = hand & special(s, leader)
        cards = specials if specials != 0 else hand
        if s["epaulettes"] and s["dead_lead_ends"]:
            end_deal(s, NOBODY, DEAD_LEAD)
            offer(s, NOBODY, np.uint64(0), 0)
            return
    offer(s, leader, cards, words)


@kernel
def may_lead_from_stock(s: Row) -> bool:
    """P22: never the trump card, and only in the first bout if the scope says so."""
    if not s["stock_lead"] or stock_count(s) < 2:
        return False
    return bool(s["bout"] == 1 or not s["stock_lead_first_only"])


# --- throwing in ------------------------------------------------------------------------------


@kernel
def offer_throw(s: Row) -> bool:
    """Ask the next seat that may throw in, or add after a take (P10 ... P14, P21)."""
    if (s["phase"] == ADD and not s["add_after_take"]) or room(s) == 0:
        return False
    if s["throw_in"] and offer_others(s):
        return True
    return bool(s["self_throw"] and s["phase"] == THROW and offer_self_throw(s))


@kernel
def offer_others(s: Row) -> bool:
    """Ask the next seat, the defender left out, that may throw in."""
    attacker, defender = int(s["attacker"]), int(s["defender"])
    neighbour = next_live(s, defender) if s["throwers"] == THROWERS_NEIGHBOURS else NOBODY
    seat = int(s["last_layer"]) if s["throw_order"] else attacker
    for _ in range(s["players"]):
        allowed = s["throwers"] == THROWERS_ALL or seat == attacker or seat == neighbour
        passed = (s["passed"] >> seat) & 1
        if allowed and not passed and seat != defender:
            hand = s["hands"][seat]
            cards = hand & s["open"] & ~barred(s, seat)
            if hang_by_throw_in_possible(s):
                cards = hand
            if cards != 0 or (s["ask_everyone"] and hand != 0):
                offer(s, seat, cards, PASS_WORD)
                return True
        seat = next_seat(s, seat)
    return False


@kernel
def offer_self_throw(s: Row) -> bool:
    """Ask the defender, last in the order, to throw in to itself (P21b)."""
    defender = int(s["defender"])
    hand = s["hands"][defender]
    if s["unbeaten_count"] > 0 or (s["passed"] >> defender) & 1 or popcount(hand) < 2:
        return False
    cards = hand & s["open"] & ~barred(s, defender)
    if s["self_throw"] == SELF_ATOMIC:
        cards = beatable(s, cards)
    if cards == 0 and not s["ask_everyone"]:
        return False
    offer(s, defender, np.uint64(0), PASS_WORD)
    s["legal_selfs"] = cards
    return True


# --- the defender -----------------------------------------------------------------------------


@kernel
def offer_defence(s: Row) -> None:
    """Ask the defender to beat a card, to transfer, or to take."""
    defender = int(s["defender"])
    if s["cover_any"] and s["unbeaten_count"] > 1 and s["target"] < 0:
        offer(s, defender, np.uint64(0), TAKE_WORD)
        s["legal_targets"] = beatable(s, s["unbeaten"])
    else:
        bound = s["target"] >= 0 or (s["self_pending"] and s["self_throw"] == SELF_ATOMIC)
        cards = covers(s, defender, int(s["attack"][target(s)]))
        offer(s, defender, cards, 0 if bound else TAKE_WORD)
    if may_transfer(s):
        offer_transfer(s, defender)


@kernel
def offer_transfer(s: Row, defender: int) -> None:
    """Add transfers and shows to what the defender is offered."""
    cards = transfer_cards(s, defender)
    if transfer_fits(s, 1):
        s["legal_transfers"] = cards
    if s["show"] and transfer_fits(s, 0):
        s["legal_shows"] = cards & trumps(s) & ~shown_before(s, defender)


@kernel
def offer_more_transfer(s: Row) -> bool:
    """Ask the seat that transferred for another card of the rank (P19e)."""
    seat = int(s["last_layer"])
    hand = s["hands"][seat]
    if not s["transfer_many"] or hand == 0 or cap_room(s) < 1:
        return False
    if not s["transfer_unrestricted"] and popcount(s["hands"][s["defender"]]) <= s["attacks"]:
        return False
    cards = transfer_cards(s, seat)
    if cards == 0 and not s["ask_everyone"]:
        return False
    offer(s, seat, np.uint64(0), PASS_WORD)
    s["legal_transfers"] = cards
    return True


# --- play -------------------------------------------------------------------------------------


@kernel
def settle(s: Row) -> None:
    """Move on to the next decision, resolving what needs no decision on the way."""
    if s["plays_tricks"]:
        offer_trick(s)
        return
    while s["phase"] != OVER:
        phase = s["phase"]
        if phase == LEAD:
            if offer_lead(s):
                return
            end_lead(s)
        elif phase == DEFEND:
            offer_defence(s)
            return
        elif phase == TRANSFERRING:
            if offer_more_transfer(s):
                return
            end_lead(s)
        elif offer_throw(s):
            return
        elif phase == THROW and s["unbeaten_count"] > 0:
            s["phase"] = DEFEND
        else:
            resolve(s)
    offer(s, NOBODY, np.uint64(0), 0)


@kernel
def act(s: Row, code: int) -> None:
    """Carry out a legal action and move on to the next decision."""
    note(s, int(s["actor"]), code)
    if s["plays_tricks"]:
        play_trick_card(s, code)
        return
    phase = s["phase"]
    if code < PASS:
        if phase == DEFEND:
            beat(s, code)
        else:
            attack(s, code)
    elif code == PASS:
        s["passed"] |= np.uint8(1 << s["actor"])
        if phase == LEAD:
            s["hang"] = 0
        if phase == LEAD or phase == TRANSFERRING:
            end_lead(s)
    elif code == TAKE:
        s["passed"] = 0
        s["self_pending"] = 0
        s["phase"] = ADD
    else:
        act_rarely(s, code)
    if s["out_immediately"]:
        leave_at_once(s)
    settle(s)


@kernel
def act_rarely(s: Row, code: int) -> None:
    """The actions that only some rules have."""
    if code == STOCK:
        lead_from_stock(s)
    elif code < TRANSFER:
        choose_target(s, code - TARGET)
    elif code < SHOW:
        lay_transfer(s, code - TRANSFER)
    elif code < SELF:
        show_trump(s, code - SHOW)
    else:
        throw_to_self(s, code - SELF)
