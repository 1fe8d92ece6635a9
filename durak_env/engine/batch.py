"""The entry points of the engine: kernels over ``(rows, i)`` and over whole arrays of rows.

Actions come in two forms. A *code* is what the engine thinks in (`durak_env.engine.state`): the
card's code, `PASS`, `TAKE`, `STOCK`, or `TARGET`, `TRANSFER`, `SHOW`, `SELF` + card. An *id* is an
index into the compact action table of the rules, which is what learners see: all cards of the deck,
suit by suit from the trumps, the jokers last; then pass and take; then what else the rules have
(`durak_env.engine.state.id_blocks`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from durak_env.engine.barred import beaters, covers
from durak_env.engine.bits import JOKER, LANE, bit, nth, popcount
from durak_env.engine.bout import begin_bout, end_deal, note_position
from durak_env.engine.chance import (
    clear,
    deal_hands,
    find_leader,
    next_random,
    scale,
    shuffle_deck,
)
from durak_env.engine.jit import kernel
from durak_env.engine.naming import own_colour_joker
from durak_env.engine.play import act, settle
from durak_env.engine.seats import room, set_limits, stock_count
from durak_env.engine.state import (
    CODES,
    LEAD,
    NOBODY,
    OVER,
    PASS,
    SELF,
    SHOW,
    STOCK,
    TAKE,
    TARGET,
    TRANSFER,
    Reason,
    Row,
    Rows,
)
from durak_env.engine.tricks import deal_tricks

WORDS = 3
"""Words among the action codes: pass, take, stock."""

FORFEIT = int(Reason.FORFEIT)

Streams = npt.NDArray[np.uint64]
"""One random stream per row."""

Flags = npt.NDArray[np.bool_]

Ids = npt.NDArray[np.int64]
"""Action ids, or indices of rows."""


# --- one row ----------------------------------------------------------------------------------


def deal(rows: Rows, i: int, streams: Streams, first_leader: int) -> None:
    """Shuffle with stream ``i`` and deal; ``first_leader`` -1 leaves the lead to the rules."""
    shuffle(rows, i, streams)
    deal_given(rows, i, first_leader)


@kernel
def shuffle(rows: Rows, i: int, streams: Streams) -> None:
    """Lay a full deck into ``stock``, shuffled by stream ``i``: printed suits, dealing order."""
    shuffle_deck(rows[i], streams, i)


@kernel
def deal_given(rows: Rows, i: int, first_leader: int) -> None:
    """Deal the deck that lies in ``stock`` (printed suits, dealing order) and begin the deal.

    ``first_leader`` is -1 where the rules decide who leads.
    """
    s = rows[i]
    clear(s)
    if s["plays_tricks"]:
        deal_tricks(s, first_leader)
    else:
        deal_hands(s)
        begin_bout(s, first_leader if first_leader >= 0 else find_leader(s))
    settle(s)


@kernel
def resume(rows: Rows, i: int) -> None:
    """Ask the first seat of a position that was written into the row field by field."""
    s = rows[i]
    if s["phase"] != OVER and not s["plays_tricks"]:
        set_limits(s)
        begins = s["phase"] == LEAD and s["attacks"] == 0 and stock_count(s) == 0
        if begins and s["repetition"] and s["seen_count"] == 0:
            note_position(s)
    settle(s)


@kernel
def is_legal(rows: Rows, i: int, code: int) -> bool:
    """Whether the actor of row ``i`` may do this."""
    s = rows[i]
    if code < 0 or code >= CODES:
        return False
    if PASS <= code < TARGET:
        return bool(code < PASS + WORDS and s["legal_words"] & (1 << (code - PASS)))
    return bool(legal_of_kind(s, code // 64) & bit(code % 64) != 0)


@kernel
def legal_of_kind(s: Row, kind: int) -> np.uint64:
    """The cards with which the actor may do what the codes from ``64 * kind`` on do."""
    if kind == 0:
        return np.uint64(s["legal_cards"])
    if kind == TARGET // 64:
        return np.uint64(s["legal_targets"])
    if kind == TRANSFER // 64:
        return np.uint64(s["legal_transfers"])
    if kind == SHOW // 64:
        return np.uint64(s["legal_shows"])
    return np.uint64(s["legal_selfs"])


@kernel
def apply(rows: Rows, i: int, code: int) -> bool:
    """Carry out an action. False, and nothing changed, if it is not legal."""
    if not is_legal(rows, i, code):
        return False
    act(rows[i], code)
    return True


@kernel
def card_index(s: Row, card: int) -> int:
    """The place of a card in the deck as action ids count it: the jokers are the last two."""
    if card % LANE == JOKER:
        return int(s["deck_size"]) - (2 if card < 2 * LANE else 1)
    return card // LANE * int(s["ranks"]) + card % LANE


@kernel
def card_at(s: Row, index: int) -> int:
    """The card at a place of the deck."""
    ranks = int(s["ranks"])
    plain = int(s["suit_count"]) * ranks
    if index < plain:
        return index // ranks * LANE + index % ranks
    if index > plain:
        return 2 * LANE + JOKER
    return own_colour_joker(s)


@kernel
def code_of(s: Row, action: int) -> int:
    """The code of an action id; -1 for an id that the table does not have."""
    deck = int(s["deck_size"])
    if 0 <= action < deck:
        return card_at(s, action)
    if action == deck:
        return PASS
    if action == deck + 1:
        return TAKE
    return rare_code_of(s, action) if action > 0 else -1


@kernel
def rare_code_of(s: Row, action: int) -> int:
    """`code_of` for the kinds that only some rules have."""
    deck = int(s["deck_size"])
    if s["stock_id"] and action == s["stock_id"]:
        return STOCK
    if s["target_id"] and 0 <= action - s["target_id"] < deck:
        return TARGET + card_at(s, action - s["target_id"])
    if s["transfer_id"] and 0 <= action - s["transfer_id"] < deck:
        return TRANSFER + card_at(s, action - s["transfer_id"])
    trumps = int(s["ranks"]) + (deck > s["suit_count"] * s["ranks"])
    if s["show_id"] and 0 <= action - s["show_id"] < trumps:
        rank = action - s["show_id"]
        return SHOW + (rank if rank < s["ranks"] else own_colour_joker(s))
    if s["self_id"] and 0 <= action - s["self_id"] < deck:
        return SELF + card_at(s, action - s["self_id"])
    return -1


@kernel
def id_of(s: Row, code: int) -> int:
    """The id of an action code."""
    if code < PASS:
        return card_index(s, code)
    if code < STOCK:
        return int(s["deck_size"]) + code - PASS
    return rare_id_of(s, code)


@kernel
def rare_id_of(s: Row, code: int) -> int:
    """`id_of` for the kinds that only some rules have."""
    card = code % 64
    if code == STOCK:
        return int(s["stock_id"])
    if code < TRANSFER:
        return int(s["target_id"]) + card_index(s, card)
    if code < SHOW:
        return int(s["transfer_id"]) + card_index(s, card)
    if code < SELF:
        return int(s["show_id"]) + min(card, int(s["ranks"]))
    return int(s["self_id"]) + card_index(s, card)


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
def beaters_of(rows: Rows, i: int, card: int) -> np.uint64:
    """The cards that beat a card under the rules of row ``i``."""
    return beaters(rows[i], card)


@kernel
def covers_of(rows: Rows, i: int, card: int) -> np.uint64:
    """The cards with which the defender of row ``i`` can beat a card."""
    s = rows[i]
    return covers(s, int(s["defender"]), card)


@kernel
def play_id(rows: Rows, i: int, action: int) -> int:
    """`apply` for an action id; its code, or -1 for an illegal one, which changes nothing."""
    code = code_of(rows[i], action)
    if not is_legal(rows, i, code):
        return NOBODY
    act(rows[i], code)
    return code


# --- many rows --------------------------------------------------------------------------------


@kernel
def deal_many(rows: Rows, which: Ids, streams: Streams) -> None:
    """Deal every row of ``which`` anew, each from its own stream."""
    for k in range(which.size):
        shuffle_deck(rows[which[k]], streams, which[k])
        deal_given(rows, which[k], NOBODY)


@kernel
def apply_many(rows: Rows, which: Ids, actions: Ids, illegal: Flags) -> int:
    """Carry out one action id per row of ``which``, and mark those that are illegal.

    An illegal action changes nothing. Returns how many there are.
    """
    count = 0
    for k in range(which.size):
        code = code_of(rows[which[k]], actions[k])
        illegal[k] = not is_legal(rows, which[k], code)
        if illegal[k]:
            count += 1
        else:
            act(rows[which[k]], code)
    return count


@kernel
def forfeit(rows: Rows, i: int, seat: int) -> None:
    """End the deal of row ``i`` at once: this seat is the durak (B16)."""
    s = rows[i]
    end_deal(s, seat, FORFEIT)
    settle(s)


@kernel
def pick(s: Row, random: np.uint64) -> int:
    """A uniformly random legal action of a row or a view, by a random word."""
    cards, words = popcount(s["legal_cards"]), popcount(np.uint64(s["legal_words"]))
    common = cards + words
    rare = s["legal_targets"] | s["legal_transfers"] | s["legal_shows"] | s["legal_selfs"]
    choice = scale(random, common if rare == 0 else common + count_rare(s))
    if choice < cards:
        return nth(s["legal_cards"], choice)
    choice -= cards
    if choice < words:
        return PASS + nth(np.uint64(s["legal_words"]), choice)
    choice -= words
    kind = TARGET // 64
    while choice >= popcount(legal_of_kind(s, kind)):
        choice -= popcount(legal_of_kind(s, kind))
        kind += 1
    return 64 * kind + nth(legal_of_kind(s, kind), choice)


@kernel
def count_rare(s: Row) -> int:
    """How many legal actions there are besides playing a card and the words."""
    return (
        popcount(s["legal_targets"])
        + popcount(s["legal_transfers"])
        + popcount(s["legal_shows"])
        + popcount(s["legal_selfs"])
    )


@kernel
def legal_count(s: Row) -> int:
    """How many actions are legal."""
    words = np.uint64(s["legal_words"])
    return popcount(s["legal_cards"]) + popcount(words) + count_rare(s)


@kernel
def random_code(s: Row, streams: Streams, i: int) -> int:
    """A uniformly random legal action of a row, by stream ``i``."""
    return pick(s, next_random(streams, i))


@kernel
def play_random(rows: Rows, streams: Streams, decisions: int) -> int:
    """Play random legal actions, ``decisions`` in every row, dealing anew after each deal.

    Returns the number of deals that ended.
    """
    ended = 0
    for i in range(rows.size):
        for _ in range(decisions):
            s = rows[i]
            while s["phase"] == OVER:  # more than once where nothing can be led (H6)
                shuffle_deck(s, streams, i)
                deal_given(rows, i, NOBODY)
                ended += s["bout"] > 0
            act(s, random_code(s, streams, i))
    return ended
