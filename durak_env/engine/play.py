"""The rules of one deal: legal actions and what they do.

Every function takes one row ``s`` of `durak_env.engine.state.STATE`. `act` carries out one legal
action and then moves on to the next decision (`settle`): seats that could only pass are not asked
(7.4), and a bout that is over is resolved, drawn for, and the next one begun, all in the same step.
"""

from __future__ import annotations

import numpy as np

from durak_env.engine.bits import BEATERS, ONE, bit, lowest, popcount, same_rank, signed
from durak_env.engine.jit import kernel
from durak_env.engine.state import (
    ADD,
    DEFEND,
    FIRST_BOUT_ONLY,
    LEAD,
    MAX_QUIET_BOUTS,
    NO_LIMIT,
    NOBODY,
    OVER,
    PASS,
    PASS_WORD,
    TAKE,
    TAKE_WORD,
    TARGET,
    THROW,
    THROWERS_ALL,
    THROWERS_NEIGHBOURS,
    Reason,
    Row,
)

DURAK = int(Reason.DURAK)
DRAW = int(Reason.DRAW)
LAST_DEFENDER = int(Reason.LAST_DEFENDER)
REPETITION = int(Reason.REPETITION)
NO_PROGRESS = int(Reason.NO_PROGRESS)


# --- seats ------------------------------------------------------------------------------------


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


# --- limits -----------------------------------------------------------------------------------


@kernel
def room(s: Row) -> int:
    """How many more attack cards may be laid: the one formula of section 0.2, never below zero.

    The second and third terms are equal as long as the defender's hand shrinks by covering only.
    """
    attacks = int(s["attacks"])
    caps = s["limit_on_take"] if s["phase"] == ADD else s["limit"]
    by_start = int(s["defender_start"]) - attacks
    by_hand = popcount(s["hands"][s["defender"]]) - int(s["unbeaten_count"])
    return max(0, min(int(caps) - attacks, by_start, by_hand))


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


# --- laying cards -----------------------------------------------------------------------------


@kernel
def leave_hand(s: Row, card: int) -> None:
    """Move a card from the actor's hand to the table; every pass lapses (7.3)."""
    seat = s["actor"]
    here = bit(card)
    s["hands"][seat] ^= here
    s["known"][seat] &= ~here
    s["table"] |= here
    s["open"] |= same_rank(card)
    s["passed"] = 0
    if s["hands"][seat] == 0:
        s["emptied"][s["emptied_count"]] = seat
        s["emptied_count"] += 1


@kernel
def attack(s: Row, card: int) -> None:
    """Lead, throw in or add a card."""
    s["last_layer"] = s["actor"]
    place = s["attacks"]
    s["attack"][place] = card
    s["cover"][place] = NOBODY
    s["attacks"] = place + 1
    s["unbeaten"] |= bit(card)
    s["unbeaten_count"] += 1
    leave_hand(s, card)
    if s["phase"] == THROW and not s["anytime"]:
        s["phase"] = DEFEND


@kernel
def beat(s: Row, card: int) -> None:
    """Cover the attack card that is beaten next."""
    place = target(s)
    s["cover"][place] = card
    s["unbeaten"] ^= bit(int(s["attack"][place]))
    s["unbeaten_count"] -= 1
    s["target"] = NOBODY
    leave_hand(s, card)
    if s["unbeaten_count"] == 0 or s["anytime"]:
        s["phase"] = THROW


@kernel
def target(s: Row) -> int:
    """The place of the attack card that is beaten next: the chosen one, else the oldest."""
    if s["target"] >= 0:
        return int(s["target"])
    place = 0
    while s["cover"][place] >= 0:
        place += 1
    return place


@kernel
def choose_target(s: Row, card: int) -> None:
    """Choose the attack card that is beaten next (7.5)."""
    place = 0
    while s["attack"][place] != card:
        place += 1
    s["target"] = place


@kernel
def end_lead(s: Row) -> None:
    """The lead is complete: somebody else's turn."""
    s["phase"] = THROW if s["anytime"] else DEFEND


# --- the next decision ------------------------------------------------------------------------


@kernel
def offer(s: Row, seat: int, cards: np.uint64, words: int) -> None:
    """Ask a seat."""
    s["actor"] = seat
    s["legal_cards"] = cards
    s["legal_words"] = words
    s["legal_targets"] = np.uint64(0)


@kernel
def offer_lead(s: Row) -> bool:
    """Ask the leader, if there is anything left to lead."""
    leader = int(s["leader"])
    hand = s["hands"][leader]
    if s["attacks"] == 0:
        offer(s, leader, hand, 0)
        return True
    if not s["lead_set"] or room(s) == 0:
        return False
    more = hand & s["open"]
    if more == 0 and not (s["ask_everyone"] and hand != 0):
        return False
    offer(s, leader, more, PASS_WORD)
    return True


@kernel
def offer_throw(s: Row) -> bool:
    """Ask the next seat that may throw in, or add after a take (P10 ... P14)."""
    if not s["throw_in"] or (s["phase"] == ADD and not s["add_after_take"]) or room(s) == 0:
        return False
    attacker, defender = int(s["attacker"]), int(s["defender"])
    neighbour = next_live(s, defender) if s["throwers"] == THROWERS_NEIGHBOURS else NOBODY
    seat = int(s["last_layer"]) if s["throw_order"] else attacker
    for _ in range(s["players"]):
        allowed = s["throwers"] == THROWERS_ALL or seat == attacker or seat == neighbour
        passed = (s["passed"] >> seat) & 1
        if allowed and not passed and seat != defender:
            hand = s["hands"][seat]
            cards = hand & s["open"]
            if cards != 0 or (s["ask_everyone"] and hand != 0):
                offer(s, seat, cards, PASS_WORD)
                return True
        seat = next_seat(s, seat)
    return False


@kernel
def offer_defence(s: Row) -> None:
    """Ask the defender to beat a card or to take."""
    defender = int(s["defender"])
    hand = s["hands"][defender]
    if s["cover_any"] and s["unbeaten_count"] > 1 and s["target"] < 0:
        offer(s, defender, np.uint64(0), TAKE_WORD)
        s["legal_targets"] = beatable(s, hand)
        return
    words = TAKE_WORD if s["target"] < 0 else 0
    offer(s, defender, hand & BEATERS[s["attack"][target(s)]], words)


@kernel
def beatable(s: Row, hand: np.uint64) -> np.uint64:
    """The unbeaten attack cards that some card of this hand beats."""
    cards = np.uint64(0)
    unbeaten = s["unbeaten"]
    while unbeaten != 0:
        card = lowest(unbeaten)
        unbeaten &= unbeaten - ONE
        if hand & BEATERS[card] != 0:
            cards |= bit(card)
    return cards


@kernel
def settle(s: Row) -> None:
    """Move on to the next decision, resolving what needs no decision on the way."""
    while s["phase"] != OVER:
        phase = s["phase"]
        if phase == LEAD:
            if offer_lead(s):
                return
            end_lead(s)
        elif phase == DEFEND:
            offer_defence(s)
            return
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
    phase = s["phase"]
    if code < PASS:
        if phase == DEFEND:
            beat(s, code)
        else:
            attack(s, code)
        if s["out_immediately"]:
            leave_at_once(s)
    elif code == PASS:
        s["passed"] |= np.uint8(1 << s["actor"])
        if phase == LEAD:
            end_lead(s)
    elif code == TAKE:
        s["passed"] = 0
        s["phase"] = ADD
    else:
        choose_target(s, code - TARGET)
    settle(s)


# --- the end of a bout ------------------------------------------------------------------------


@kernel
def resolve(s: Row) -> None:
    """The bout is over: clear the table, draw, let seats go out, and begin the next bout."""
    defender = int(s["defender"])
    taken = s["phase"] == ADD
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
    for k in range(s["attacks"]):
        s["attack"][k] = NOBODY
        s["cover"][k] = NOBODY
    for k in range(s["emptied_count"]):
        s["emptied"][k] = NOBODY
    s["attacks"] = 0
    s["unbeaten_count"] = 0
    s["unbeaten"] = np.uint64(0)
    s["table"] = np.uint64(0)
    s["open"] = np.uint64(0)
    s["passed"] = 0
    s["emptied_count"] = 0
    s["target"] = NOBODY


@kernel
def draw_seat(s: Row, turn: int) -> int:
    """The seat that draws at this turn: the leader first, the defender last (P25)."""
    leader, defender, players = int(s["leader"]), int(s["defender"]), int(s["players"])
    before_defender = defender - leader if defender > leader else defender - leader + players
    if not s["strict_clockwise"]:
        if turn == players - 1:
            return defender
        turn += turn >= before_defender
    seat = leader + turn
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
            if card == s["trump_card"]:
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
    """P27 ``immediately``: out with the last card, and the deal ends when one seat is left."""
    if stock_count(s) == 0 and s["hands"][s["actor"]] == 0:
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
    s["durak"] = durak
    s["reason"] = reason


# --- the start of a bout ----------------------------------------------------------------------


@kernel
def begin_bout(s: Row, leads: int) -> None:
    """The next bout, led by this seat, on an empty table."""
    s["phase"] = LEAD
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
