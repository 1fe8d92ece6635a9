"""The exact endgame, compiled: two seats, no stock, nothing hidden.

A search proves one thing: that a given seat wins, whatever the other one does. It walks the rows of
the engine, so every option of the rules holds by construction. Where only one action is legal there
is nothing to search and no node.

With transfers a position can come up again (E76). A play that goes round wins nothing, so a
position that stands on the path already is no win. That makes "no win" depend on the path, and such
an answer goes into the table only where no position above the present one was met; "a win" never
depends on it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.barred import trumps
from durak_env.engine.batch import Ids, legal_count, pick
from durak_env.engine.bits import JOKER, LANE, bit, lowest, popcount, same_rank
from durak_env.engine.jit import kernel
from durak_env.engine.play import act
from durak_env.engine.seats import stock_count
from durak_env.engine.state import (
    NOBODY,
    OVER,
    PASS,
    PASS_WORD,
    SELF,
    SHOW,
    TAKE,
    TAKE_WORD,
    TARGET,
    TRANSFER,
    Row,
    Rows,
)

MAX_DEPTH = 256
"""Decisions with a choice, one after the other. A longer line is not searched to its end."""

MAX_QUIET = 60
"""With more bouts without a discard behind it a position is left alone: the 200 that the rules
allow (P34) could end within the search."""

NO, YES, UNSOLVED = 0, 1, -1

COUNT, NEXT, LOWEST, DEPENDS = 0, 1, 2, 3
"""What a depth of a search keeps: the number of actions, the next one, the highest position on the
path that an answer below depends on, and the same of its own answer."""

NOTHING = np.uint64(0)

Words = npt.NDArray[np.uint64]
"""Rows word by word."""

Codes = npt.NDArray[np.int64]


# --- positions ----------------------------------------------------------------------------------


@kernel
def is_endgame(s: Row) -> bool:
    """Whether two seats are left and nothing is hidden."""
    if s["phase"] == OVER or s["plays_tricks"] or stock_count(s) > 0:
        return False
    return popcount(contenders(s)) == 2


@kernel
def contenders(s: Row) -> np.uint64:
    """The seats that may still become the durak, as a set.

    Of more than two, a seat that laid its last card in this bout is none, as nothing can come back
    to it: unless it is the defender, or an attack may be passed on to it.
    """
    left = (bit(int(s["players"])) - np.uint64(1)) & ~np.uint64(s["out"])
    if popcount(left) > 2 and not s["transfer"]:
        for seat in range(s["players"]):
            if s["hands"][seat] == 0 and seat != s["defender"]:
                left &= ~bit(seat)
    return left


@kernel
def can_be_solved(s: Row) -> bool:
    """Whether the past of an endgame cannot matter: no position that may come up again has come up
    so often that the next time ends the deal, and no long stretch without a discard."""
    if s["quiet"] > MAX_QUIET:
        return False
    if s["repetition"] == 0 or not may_repeat(s):
        return True
    for k in range(s["seen_count"]):
        times = 0
        for j in range(s["seen_count"]):
            times += s["seen"][j] == s["seen"][k]
        if times >= s["repetition"] - 1 and times > 1:
            return False
    return bool(s["repetition"] > 2)


@kernel
def may_repeat(s: Row) -> bool:
    """Whether a position of two seats can come up again: only if an attack can be passed on."""
    return bool(s["transfer"] and s["transfer_two_players"])


@kernel
def stir(mixed: np.uint64, word: np.uint64) -> np.uint64:
    """A hash and one more word."""
    mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ mixed >> np.uint64(32)


@kernel
def number(value: int, place: int) -> np.uint64:
    """A small number, -1 or more, at a place of a word."""
    return np.uint64(value + 1) << np.uint64(place)


@kernel
def position_key(s: Row, salt: np.uint64) -> np.uint64:
    """A 64-bit hash of all that the rest of the deal depends on."""
    mixed = salt
    for seat in range(s["players"]):
        mixed = stir(mixed, s["hands"][seat])
    mixed = stir(mixed, s["table"])
    mixed = stir(mixed, s["unbeaten"])
    roles = (
        number(int(s["phase"]), 0)
        | number(int(s["actor"]), 4)
        | number(int(s["leader"]), 8)
        | number(int(s["attacker"]), 12)
        | number(int(s["defender"]), 16)
        | number(int(s["last_layer"]), 20)
        | number(int(s["attacks"]), 24)
        | number(int(s["defender_start"]), 32)
        | number(int(s["limit"]), 40)
        | number(int(s["limit_on_take"]), 48)
        | np.uint64(s["passed"]) << np.uint64(56)
    )
    mixed = stir(mixed, roles)
    rare = (
        number(int(s["target"]), 0)
        | number(int(s["hang"]), 8)
        | number(int(s["hung"]), 12)
        | number(int(s["self_throws"]), 16)
        | number(int(s["transfers"]), 24)
        | np.uint64(s["showed"]) << np.uint64(32)
        | np.uint64(s["self_pending"]) << np.uint64(40)
        | np.uint64(s["dead_lead"]) << np.uint64(41)
        | np.uint64(s["discarded"]) << np.uint64(42)
        | np.uint64(s["bout"] == 1) << np.uint64(43)
        | np.uint64(s["stock_was_empty"]) << np.uint64(44)
    )
    mixed = stir(mixed, rare)
    if s["shown"] != 0:
        mixed = stir(mixed, s["shown"])
    if s["unbeaten_count"] > 1:  # the order in which they must be beaten
        for place in range(s["attacks"]):
            if s["cover"][place] < 0:
                mixed = stir(mixed, np.uint64(s["attack"][place]))
    return mixed


# --- actions ------------------------------------------------------------------------------------


@kernel
def distinct(s: Row, cards: np.uint64) -> np.uint64:
    """The cards without those that are as good as a lower one.

    Two cards of a hand are equal if they follow each other among the cards of their suit that are
    left, no other card of either rank is left, and none was shown: then exchanging them changes
    nothing.
    """
    if s["rank_order"] != 0 or s["epaulettes"] or cards & (cards - np.uint64(1)) == 0:
        return cards
    left = s["table"]
    for seat in range(s["players"]):
        left |= s["hands"][seat]
    kept, rest, before = cards, left, NOBODY
    while rest != 0:
        card = lowest(rest)
        rest &= rest - np.uint64(1)
        single = left & same_rank(card) == bit(card) and (s["shown"] & bit(card)) == 0
        mine = (cards & bit(card)) != 0 and single and card % LANE != JOKER
        if mine and before >= 0 and before // LANE == card // LANE:
            kept &= ~bit(card)
        before = card if mine else NOBODY
    return kept


@kernel
def promise(s: Row, card: int) -> int:
    """How late an action with a card is tried: low cards first, those of which the hand has more
    than one later, trumps last."""
    doubles = popcount(s["hands"][s["actor"]] & same_rank(card)) - 1
    return card % LANE + 4 * doubles + (40 if bit(card) & trumps(s) != 0 else 0)


@kernel
def list_cards(s: Row, cards: np.uint64, kind: int, first: int, moves: Codes, at: int) -> int:
    """Add the actions of a kind to ``moves``, which holds ``at`` of them; the new number.

    A move is ``512 * late + code``, so that they can be put in order.
    """
    cards = distinct(s, cards) if kind != TARGET else cards
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.uint64(1)
        moves[at] = 512 * (first + promise(s, card)) + kind + card
        at += 1
    return at


@kernel
def list_moves(s: Row, moves: Codes) -> int:
    """Write the actions of the actor, the best ones first; returns how many."""
    at = list_cards(s, s["legal_cards"], 0, 0, moves, 0)
    if s["legal_targets"] | s["legal_transfers"] | s["legal_shows"] | s["legal_selfs"] != 0:
        at = list_cards(s, s["legal_targets"], TARGET, 0, moves, at)
        at = list_cards(s, s["legal_transfers"], TRANSFER, 5, moves, at)
        at = list_cards(s, s["legal_shows"], SHOW, 0, moves, at)
        at = list_cards(s, s["legal_selfs"], SELF, 50, moves, at)
    if s["legal_words"] & PASS_WORD:
        moves[at] = 512 * 90 + PASS
        at += 1
    if s["legal_words"] & TAKE_WORD:
        moves[at] = 512 * 99 + TAKE
        at += 1
    for k in range(1, at):
        move, j = moves[k], k
        while j > 0 and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    return at


# --- the search ---------------------------------------------------------------------------------


@kernel
def play_forced(s: Row) -> None:
    """Play on while there is no choice."""
    while s["phase"] != OVER and legal_count(s) == 1:
        act(s, pick(s, NOTHING))


@kernel
def known_answer(
    rows: Rows,
    depth: int,
    loser: int,
    cyclic: bool,
    salt: np.uint64,
    other_salt: np.uint64,
    keys: Words,
    answers: Words,
    frames: Codes,
    path: Words,
) -> int:
    """The answer for the position at a depth, if no search is needed for it; else UNSOLVED."""
    s = rows[depth]
    play_forced(s)
    frames[depth, DEPENDS] = MAX_DEPTH
    if s["phase"] == OVER:
        return YES if s["durak"] == loser else NO
    key = position_key(s, salt)
    path[depth] = key
    slot = key & np.uint64(keys.size - 1)
    if keys[slot] == key:
        return int(answers[slot]) - 1
    twin = position_key(s, other_salt)
    slot = twin & np.uint64(keys.size - 1)
    if keys[slot] == twin and answers[slot] == np.uint64(1 + YES):
        return NO  # the other one wins
    if cyclic:
        for above in range(depth):
            if path[above] == key:
                frames[depth, DEPENDS] = above
                return NO
    return UNSOLVED


@kernel
def begin(rows: Rows, depth: int, moves: Codes, frames: Codes) -> None:
    """Begin to search the position at a depth."""
    frames[depth, COUNT] = list_moves(rows[depth], moves[depth])
    frames[depth, NEXT] = 0
    frames[depth, LOWEST] = MAX_DEPTH


@kernel
def step(rows: Rows, row_words: Words, width: int, depth: int, moves: Codes, frames: Codes) -> None:
    """Take the next action of the position at a depth, in the row below."""
    code = moves[depth, frames[depth, NEXT]] % 512
    frames[depth, NEXT] += 1
    for k in range(width):
        row_words[depth + 1, k] = row_words[depth, k]
    act(rows[depth + 1], code)


@kernel
def fold(rows: Rows, depth: int, winner: int, answer: int, frames: Codes) -> bool:
    """Whether the answer for the position below decides the one at a depth."""
    below = frames[depth + 1, DEPENDS]
    wanted = YES if rows[depth]["actor"] == winner else NO
    if answer == wanted:
        frames[depth, DEPENDS] = MAX_DEPTH if answer == YES else below
        return True
    frames[depth, LOWEST] = min(frames[depth, LOWEST], below)
    if frames[depth, NEXT] < frames[depth, COUNT]:
        return False
    frames[depth, DEPENDS] = MAX_DEPTH if answer == YES else frames[depth, LOWEST]
    return True


@kernel
def remember(
    depth: int, answer: int, keys: Words, answers: Words, frames: Codes, path: Words
) -> None:
    """Write an answer into the table, if it depends on no position above."""
    if frames[depth, DEPENDS] >= depth:
        frames[depth, DEPENDS] = MAX_DEPTH
        slot = path[depth] & np.uint64(keys.size - 1)
        keys[slot] = path[depth]
        answers[slot] = np.uint64(answer + 1)


@kernel
def prove(
    rows: Rows,
    row_words: Words,
    width: int,
    winner: int,
    loser: int,
    salt: np.uint64,
    keys: Words,
    answers: Words,
    moves: Codes,
    frames: Codes,
    path: Words,
    budget: int,
    nodes: Ids,
) -> int:
    """Whether ``winner`` wins from ``rows[0]``: YES, NO or, past the budget, UNSOLVED.

    Args:
        rows, row_words: `MAX_DEPTH` + 1 rows, and the same word by word.
        width: the words of a row that a step must copy.
        winner, loser: the two seats.
        salt: makes the keys of this search; entries of others are nothing to it.
        keys, answers: the table, a power of two long: hashes, and 1 + answer.
        moves: the actions of every depth.
        frames: for every depth `COUNT`, `NEXT`, `LOWEST`, `DEPENDS`.
        path: the keys of the positions above.
        budget: the most nodes.
        nodes: ``nodes[0]`` counts them.
    """
    other_salt = stir(salt, np.uint64(loser))
    salt, cyclic = stir(salt, np.uint64(winner)), may_repeat(rows[0])
    answer = known_answer(rows, 0, loser, cyclic, salt, other_salt, keys, answers, frames, path)
    if answer != UNSOLVED:
        return answer
    depth = 0
    nodes[0] += 1
    begin(rows, 0, moves, frames)
    while True:
        if answer == UNSOLVED:
            step(rows, row_words, width, depth, moves, frames)
            depth += 1
            answer = known_answer(
                rows, depth, loser, cyclic, salt, other_salt, keys, answers, frames, path
            )
            if answer == UNSOLVED:
                if nodes[0] >= budget or depth == MAX_DEPTH - 1:
                    return UNSOLVED
                nodes[0] += 1
                begin(rows, depth, moves, frames)
        elif depth == 0:
            return answer
        else:
            depth -= 1
            if fold(rows, depth, winner, answer, frames):
                remember(depth, answer, keys, answers, frames, path)
            else:
                answer = UNSOLVED


@kernel
def value_of(
    rows: Rows,
    row_words: Words,
    start: Words,
    width: int,
    seat: int,
    other: int,
    salt: np.uint64,
    keys: Words,
    answers: Words,
    moves: Codes,
    frames: Codes,
    path: Words,
    budget: int,
    nodes: Ids,
) -> int:
    """The value of the position ``start`` for a seat against another one: 1, 0 or -1; 2 for one
    that is not solved."""
    for turn in range(2):
        for k in range(row_words.shape[1]):
            row_words[0, k] = start[k]
        s = rows[0]
        s["repetition"] = 0
        s["keeps_events"] = 0
        if s["phase"] == OVER:
            if s["durak"] < 0:
                return 0
            return -1 if s["durak"] == seat else 1
        answer = prove(
            rows,
            row_words,
            width,
            seat if turn == 0 else other,
            other if turn == 0 else seat,
            salt,
            keys,
            answers,
            moves,
            frames,
            path,
            budget,
            nodes,
        )
        if answer == UNSOLVED:
            return 2
        if answer == YES:
            return 1 if turn == 0 else -1
    return 0


@kernel
def cards_left(rows: Rows, i: int) -> int:
    """The cards that are in hands or on the table."""
    s = rows[i]
    count = popcount(s["table"])
    for seat in range(s["players"]):
        count += popcount(s["hands"][seat])
    return count


@kernel
def endgame_state(rows: Rows, i: int) -> int:
    """0: a row is no endgame; 1: it is one that is left alone; 2: one that can be solved."""
    if not is_endgame(rows[i]):
        return 0
    return 2 if can_be_solved(rows[i]) else 1


@kernel
def other_contender(rows: Rows, i: int, seat: int) -> int:
    """The other one of two seats that may still become the durak."""
    return lowest(contenders(rows[i]) & ~bit(seat))
