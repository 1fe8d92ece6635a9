"""Random games with every state checked, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.encoding.flat.kernels import put_all
from durak_env.encoding.kernels import Masks, Words, finish, write_mask_of
from durak_env.engine.batch import (
    Ids,
    Streams,
    deal_given,
    forfeit,
    legal_count,
    random_code,
    resume,
)
from durak_env.engine.bits import bit, lowest, popcount
from durak_env.engine.chance import below, shuffle_deck
from durak_env.engine.jit import kernel
from durak_env.engine.naming import all_cards
from durak_env.engine.play import act
from durak_env.engine.seats import stock_count
from durak_env.engine.state import DEFEND, FOLLOW, LEAD, NOBODY, OVER, THROW, Reason, Row, Rows
from durak_env.view.kernels import observe

DURAK, DRAW, LAST_DEFENDER = int(Reason.DURAK), int(Reason.DRAW), int(Reason.LAST_DEFENDER)

DECISIONS, UNSOUND, CHECKS, LEAKS, UNFINISHED = 0, 1, 2, 3, 4
"""Places of the counts: decisions, unsound states, checks for leaks, leaks, unfinished games."""

Bytes = npt.NDArray[np.uint64]
"""Rows or views, word by word."""


# --- is a state sound? --------------------------------------------------------------------------


@kernel
def is_sound(s: Row) -> bool:
    """Whether a state keeps all invariants that can be seen in it."""
    return bool(
        cards_are_once(s)
        and table_is_sound(s)
        and stock_is_sound(s)
        and actor_is_sound(s)
        and end_is_sound(s)
    )


@kernel
def cards_are_once(s: Row) -> bool:
    """I1: every card of the deck is in exactly one place."""
    seen, count = s["discard"] | s["table"], popcount(s["discard"]) + popcount(s["table"])
    for seat in range(s["players"]):
        seen |= s["hands"][seat]
        count += popcount(s["hands"][seat])
    for place in range(s["stock_next"], s["stock_end"]):
        seen |= bit(int(s["stock"][place]))
        count += 1
    if s["plays_tricks"]:
        for place in range(s["hand_size"]):
            for seat in range(2):
                if s["down"][seat, place] >= 0:
                    seen |= bit(int(s["down"][seat, place]))
                    count += 1
    return bool(seen == all_cards(s) and count == s["deck_size"])


@kernel
def table_is_sound(s: Row) -> bool:
    """I2, I4: attack cards and covers are the table; the defender can still answer all of it."""
    covers = 0
    for place in range(s["attacks"]):
        covers += s["cover"][place] >= 0
    if popcount(s["table"]) != s["attacks"] + covers or s["unbeaten"] & ~s["table"] != 0:
        return False
    if s["unbeaten_count"] != s["attacks"] - covers:
        return False
    for seat in range(s["players"]):
        if s["known"][seat] & ~s["hands"][seat] != 0:
            return False
    if s["phase"] == OVER or s["plays_tricks"]:
        return True
    held = popcount(s["hands"][s["defender"]])
    limited = not s["transfer_unrestricted"] and not s["hang_ignores_hand_cap"]
    if limited and s["unbeaten_count"] > held:
        return False
    answers = s["defender_start"] - s["attacks"]
    return bool(answers == held - s["unbeaten_count"] + s["self_throws"])


@kernel
def stock_is_sound(s: Row) -> bool:
    """I14: the trump card is drawn last; I3: hands are full while a bout starts with a stock."""
    if s["phase"] == OVER or stock_count(s) == 0:
        return True
    if s["stock"][s["stock_end"] - 1] != s["trump_card"]:
        return False
    if s["phase"] == LEAD and s["attacks"] == 0:
        for seat in range(s["players"]):
            if popcount(s["hands"][seat]) < s["hand_size"]:
                return False
    return True


@kernel
def actor_is_sound(s: Row) -> bool:
    """I7, I8, I11: somebody who is in can act until the end, with own cards; nobody after it."""
    count = legal_count(s)
    if s["phase"] == OVER:
        return bool(s["actor"] == NOBODY and count == 0)
    if s["actor"] == NOBODY or count == 0 or (s["out"] >> s["actor"]) & 1:
        return False
    own = s["legal_cards"] | s["legal_transfers"] | s["legal_shows"] | s["legal_selfs"]
    if own & ~s["hands"][s["actor"]] != 0 or s["legal_targets"] & ~s["unbeaten"] != 0:
        return False
    if s["phase"] == THROW and s["self_throw"]:
        return True
    defends = s["phase"] == DEFEND or s["phase"] == FOLLOW
    return bool((s["actor"] == s["defender"]) == defends)


@kernel
def end_is_sound(s: Row) -> bool:
    """I6: at the end nobody or one has cards, and that one is the durak."""
    if s["phase"] != OVER or s["plays_tricks"]:
        return True
    holders, last = 0, NOBODY
    for seat in range(s["players"]):
        if s["hands"][seat] != 0:
            holders, last = holders + 1, seat
    if s["reason"] == DURAK:
        return bool(holders == 1 and s["durak"] == last and s["placed"] == s["players"])
    if s["reason"] == DRAW:
        return bool(holders == 0 and s["durak"] == NOBODY and s["placed"] == s["players"])
    if s["reason"] == LAST_DEFENDER:
        return bool(holders == 0 and s["durak"] == s["places"][s["players"] - 1])
    return bool(s["durak"] == NOBODY)


@kernel
def count_unsound(rows: Rows) -> int:
    """How many rows break an invariant."""
    count = 0
    for i in range(rows.size):
        count += not is_sound(rows[i])
    return count


# --- does a seat learn what is hidden from it? --------------------------------------------------


@kernel
def hidden_from(s: Row, seat: int) -> np.uint64:
    """The cards that a seat cannot place."""
    seen = s["discard"] | s["table"] | s["hands"][seat]
    for other in range(s["players"]):
        seen |= s["known"][other]
    if stock_count(s) > 0:
        seen |= bit(int(s["trump_card"]))
    for k in range(2):
        seen |= np.uint64(0) if s["revealed"][k] < 0 else bit(int(s["revealed"][k]))
    if s["stock_lead_peek"] and s["actor"] == seat and stock_count(s) > 0:
        seen |= bit(int(s["stock"][s["stock_next"]]))
    hidden: np.uint64 = all_cards(s) & ~seen
    return hidden


@kernel
def draw_from(pool: np.uint64, streams: Streams, i: int) -> int:
    """A random card of a set."""
    for _ in range(below(streams, i, popcount(pool))):
        pool &= pool - np.uint64(1)
    return lowest(pool)


@kernel
def deal_hidden_anew(s: Row, hidden: np.uint64, streams: Streams, i: int) -> None:
    """Exchange these cards at random, wherever they lie in hands, rows and stock."""
    pool = hidden
    for place in range(s["stock_next"], s["stock_end"]):
        if hidden & bit(int(s["stock"][place])) != 0:
            card = draw_from(pool, streams, i)
            s["stock"][place] = card
            pool ^= bit(card)
    if s["plays_tricks"]:
        for place in range(s["hand_size"]):
            for seat in range(2):
                down = int(s["down"][seat, place])
                if down >= 0 and hidden & bit(down) != 0:
                    card = draw_from(pool, streams, i)
                    s["down"][seat, place] = card
                    pool ^= bit(card)
    for seat in range(s["players"]):
        held = s["hands"][seat] & hidden
        s["hands"][seat] ^= held
        for _ in range(popcount(held)):
            card = draw_from(pool, streams, i)
            s["hands"][seat] |= bit(card)
            pool ^= bit(card)


@kernel
def differs(words: Bytes) -> bool:
    """Whether the first two of these are not the same."""
    different = 0
    for k in range(words.shape[1]):
        different += words[0, k] != words[1, k]
    return different > 0


@kernel
def tells_hidden(
    rows: Rows,
    row_words: Bytes,
    views: Rows,
    view_words: Bytes,
    packed: Words,
    masks: Masks,
    seat: int,
    streams: Streams,
) -> int:
    """Whether what a seat gets of row 0 changes with the cards that are hidden from it.

    Row 1 becomes a twin in which they are dealt anew and the actor is asked once more. 1: it
    changes; 0: it does not; -1: in the twin somebody else would be asked, so nothing is compared.
    """
    for k in range(row_words.shape[1]):
        row_words[1, k] = row_words[0, k]
    s, twin = rows[0], rows[1]
    deal_hidden_anew(twin, hidden_from(s, seat), streams, 1)
    if s["phase"] != OVER:
        if twin["attacks"] == 0:
            twin["dead_lead"] = 0
        resume(rows, 1)
    if twin["actor"] != s["actor"] or twin["phase"] != s["phase"] or twin["bout"] != s["bout"]:
        return -1
    for i in range(2):
        observe(rows, i, seat, views, i)
        finish(packed[i], put_all(views[i], views[i], packed[i], (np.uint64(0), 0), False))
        write_mask_of(views, i, masks[i])
    for k in range(masks.shape[1]):
        if masks[0, k] != masks[1, k]:
            return 1
    return int(differs(view_words) or differs(packed))


# --- the run ------------------------------------------------------------------------------------


@kernel
def play_checked(
    rows: Rows,
    row_words: Bytes,
    views: Rows,
    view_words: Bytes,
    packed: Words,
    masks: Masks,
    streams: Streams,
    games: int,
    every: int,
    most: int,
    counts: Ids,
) -> None:
    """Play random games in row 0 and add what was found to ``counts``.

    Args:
        rows, row_words: two rows, and the same word by word; row 1 is for twins.
        views, view_words, packed, masks: scratch space for two of each.
        streams: two streams, of the games and of the checks.
        games: how many.
        every: a state of so many is checked for leaks, for a random seat.
        most: a game with more decisions is unfinished.
        counts: see `DECISIONS` ... `UNFINISHED`.
    """
    s = rows[0]
    for _ in range(games):
        shuffle_deck(s, streams, 0)
        deal_given(rows, 0, NOBODY)
        decisions = 0
        while True:
            counts[UNSOUND] += not is_sound(s)
            if below(streams, 1, every) == 0:
                seat = below(streams, 1, int(s["players"]))
                found = tells_hidden(
                    rows, row_words, views, view_words, packed, masks, seat, streams
                )
                counts[CHECKS] += found >= 0
                counts[LEAKS] += found > 0
            if s["phase"] == OVER:
                break
            if decisions == most:
                counts[UNFINISHED] += 1
                forfeit(rows, 0, int(s["actor"]))
                break
            code = random_code(s, streams, 0)
            act(s, code)
            decisions += 1
        counts[DECISIONS] += decisions
