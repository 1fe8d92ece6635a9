"""Worlds of a view, compiled: complete rows that look to one seat exactly as the view does.

Cards are drawn without rejection wherever a fact names the places that a card cannot have. What
else a question says is checked by asking it again.
"""

from __future__ import annotations

import numpy as np

from durak_env.engine.barred import barred, trumps
from durak_env.engine.batch import Flags, Ids, Streams, legal_count
from durak_env.engine.bits import JOKERS, LANE, bit, nth, popcount
from durak_env.engine.bout import position_hash
from durak_env.engine.chance import below
from durak_env.engine.jit import kernel
from durak_env.engine.naming import all_cards
from durak_env.engine.play import settle
from durak_env.engine.seats import cap_room
from durak_env.engine.state import (
    ADD,
    DEFEND,
    LEAD,
    NOBODY,
    OVER,
    THROW,
    THROWERS_ALL,
    THROWERS_NEIGHBOURS,
    TRANSFERRING,
    Row,
    Rows,
)
from durak_env.rules import MAX_PLAYERS
from durak_env.view.kernels import PUBLIC_WORDS

MOST_TRIES = 20_000
"""Draws before a view is called impossible. A draw is refused where a seat that was asked got no
card that fits; each such seat gets one with a chance of at least 1 in 52, and mostly of a half, so
a view that has worlds is not refused in practice."""

NOTHING = np.uint64(0)


# --- what the view says about hidden cards ----------------------------------------------------


@kernel
def fixed_place(v: Row, at: int) -> int:
    """The card at a place of the stock that everybody knows, or the viewer alone (P22a, P24)."""
    end = int(v["stock_end"])
    if at == end - 1:
        return int(v["trump_card"])
    turned_up = (v["revealed"][0] >= 0) + (v["revealed"][1] >= 0)
    if at >= end - 1 - turned_up:
        return int(v["revealed"][at - (end - 1 - turned_up)])
    return int(v["peek"]) if at == v["stock_next"] else NOBODY


@kernel
def hidden_cards(v: Row) -> np.uint64:
    """The cards that may lie in any hidden place."""
    seen = v["discard"] | v["table"] | v["hand"]
    for seat in range(v["players"]):
        seen |= v["known"][seat]
    for at in range(v["stock_next"], v["stock_end"]):
        card = fixed_place(v, at)
        seen |= bit(card) if card >= 0 else NOTHING
    return np.uint64(all_cards(v) & ~seen)


@kernel
def in_no_hand_at_first(v: Row) -> np.uint64:
    """The cards that cannot have been dealt to a hand, since they would have decided the first lead
    (P28, E2, E3)."""
    card = int(v["announced"])
    if card < 0:
        return NOTHING
    lower = bit(card % LANE) - np.uint64(1)
    if trumps(v) & bit(card) != 0:
        return np.uint64(lower)
    lower_ranks = lower * np.uint64(0x0001000100010001)
    return np.uint64(lower_ranks | trumps(v))


@kernel
def most_drawn(v: Row) -> int:
    """The most cards that hands can have drawn from the stock so far."""
    if v["bout"] == 1 or v["plays_tricks"]:
        return 0
    return int(v["deck_size"]) - int(v["players"]) * int(v["hand_size"]) - int(v["stock_count"])


@kernel
def asked_from(v: Row) -> int:
    """The phase from which asking the seats in turn leads to the question of the view (7.4).

    A defender who must answer a lead was asked because the leader had no more to lead, or passed,
    which ``passed`` shows. Where the view does not tell how the question came about nothing
    follows from it: then it is the phase of the view.
    """
    layer = int(v["last_layer"])
    if v["phase"] != DEFEND or v["self_pending"]:
        return int(v["phase"])
    if v["anytime"]:
        return THROW
    if v["unbeaten_count"] != v["attacks"] or (v["passed"] >> layer) & 1 or v["shown"] != 0:
        return DEFEND
    if layer != v["leader"]:
        return TRANSFERRING
    live = int(v["players"]) - popcount(np.uint64(v["out"]))
    came_around = v["transfer"] and v["attacks"] > live
    return DEFEND if came_around else LEAD


@kernel
def passed_over(v: Row, phase: int) -> int:
    """The seats that were not asked from this phase on, as they have no card that fits."""
    if v["ask_everyone"] or v["plays_tricks"]:
        return 0
    layer = 1 << int(v["last_layer"])
    if phase == THROW or phase == ADD:
        return others_passed_over(v)
    if phase == v["phase"]:
        return 0
    if phase == LEAD:
        may_go_on = v["lead_set"] and not v["dead_lead"] and not v["hang"] and v["room"] > 0
        return layer if may_go_on else 0
    enough = v["transfer_unrestricted"] or v["hand_sizes"][v["defender"]] > v["attacks"]
    may_add = phase == TRANSFERRING and v["transfer_many"] and cap_room(v) > 0 and enough
    return layer if may_add else 0


@kernel
def others_passed_over(v: Row) -> int:
    """Those who could throw in before the seat that is asked, but were not asked."""
    if not v["throw_in"] or v["room"] == 0:
        return 0
    players, defender = int(v["players"]), int(v["defender"])
    neighbour = neighbour_of(v) if v["throwers"] == THROWERS_NEIGHBOURS else NOBODY
    seat = int(v["last_layer"] if v["throw_order"] else v["attacker"])
    seats = 0
    for _ in range(players):
        allowed = v["throwers"] == THROWERS_ALL or seat == v["attacker"] or seat == neighbour
        passed = (v["passed"] >> seat) & 1
        if allowed and not passed and seat != defender:
            if seat == v["actor"]:
                break
            seats |= 1 << seat
        seat = 0 if seat + 1 == players else seat + 1
    return seats


@kernel
def neighbour_of(v: Row) -> int:
    """The nearest seat to the left of the defender that is still in the deal."""
    seat = int(v["defender"])
    for _ in range(v["players"]):
        seat = 0 if seat + 1 == v["players"] else seat + 1
        if v["hand_sizes"][seat] > 0 or v["stock_count"] > 0:
            break
    return seat


@kernel
def fitting(v: Row, seat: int, phase: int) -> np.uint64:
    """The cards with which a seat would have been asked from this phase on."""
    cards = v["open"] & ~barred(v, seat)
    if phase == TRANSFERRING and not v["joker_transfer"]:
        cards &= ~JOKERS
    return np.uint64(cards)


# --- drawing one world ------------------------------------------------------------------------


@kernel
def draw(cards: np.uint64, count: int, streams: Streams, k: int) -> np.uint64:
    """A uniformly random subset of so many cards; fewer only if there are not so many."""
    drawn = np.uint64(0)
    for left in range(popcount(cards), max(0, popcount(cards) - count), -1):
        card = bit(nth(cards, below(streams, k, left)))
        drawn |= card
        cards ^= card
    return drawn


@kernel
def lay_hands(
    v: Row, s: Row, pool: np.uint64, undealt: np.uint64, phase: int, streams: Streams, k: int
) -> np.uint64:
    """Fill the hands, those with the fewest possible cards first; returns what is left.

    However a first group of places is filled, the others can be filled in equally many ways. So to
    fill them group by group, each uniformly, is to draw uniformly among all worlds.
    """
    over = passed_over(v, phase)
    for bound in (1, 0):
        for seat in range(v["players"]):
            if seat == v["seat"] or (over >> seat) & 1 != bound:
                continue
            cards = pool & ~undealt
            if bound:
                cards &= ~fitting(v, seat, phase)
            count = int(v["hand_sizes"][seat]) - popcount(v["known"][seat])
            given = draw(cards, count, streams, k)
            pool ^= given
            s["hands"][seat] = v["known"][seat] | given
    s["hands"][v["seat"]] = v["hand"]
    return pool


@kernel
def lay_stock(v: Row, s: Row, pool: np.uint64, streams: Streams, k: int) -> np.uint64:
    """Lay the stock in a random order around the places that are known; returns what is left."""
    for at in range(s["stock"].size):
        s["stock"][at] = NOBODY
    for at in range(v["stock_next"], v["stock_end"]):
        card = fixed_place(v, at)
        if card < 0 and pool != 0:
            card = nth(pool, below(streams, k, popcount(pool)))
            pool ^= bit(card)
        s["stock"][at] = card
    return pool


@kernel
def lay_face_down(v: Row, s: Row, pool: np.uint64, streams: Streams, k: int) -> np.uint64:
    """Lay the face-down cards of a game of tricks; returns what is left."""
    for seat in range(2):
        for place in range(s["down"].shape[1]):
            s["down"][seat, place] = NOBODY
            if v["plays_tricks"] and (v["covered"][seat] >> place) & 1 and pool != 0:
                card = nth(pool, below(streams, k, popcount(pool)))
                pool ^= bit(card)
                s["down"][seat, place] = card
    return pool


@kernel
def is_full(v: Row, s: Row) -> bool:
    """Whether every hand and every hidden place got its cards."""
    full = True
    for seat in range(v["players"]):
        full = full and popcount(s["hands"][seat]) == v["hand_sizes"][seat]
    for at in range(v["stock_next"], v["stock_end"]):
        full = full and s["stock"][at] >= 0
    for seat in range(2 if v["plays_tricks"] else 0):
        for place in range(s["down"].shape[1]):
            covered = (v["covered"][seat] >> place) & 1
            full = full and (s["down"][seat, place] >= 0 or not covered)
    return full


@kernel
def lay_out(v: Row, s: Row, phase: int, streams: Streams, k: int) -> bool:
    """Lay every card somewhere, nothing asked yet; False where the cards do not work out."""
    for word in range(PUBLIC_WORDS):
        s["public"][word] = v["public"][word]
    for seat in range(MAX_PLAYERS):
        s["hands"][seat] = NOTHING
    never_dealt = in_no_hand_at_first(v)
    drawn = most_drawn(v)
    pool = hidden_cards(v)
    pool = lay_hands(v, s, pool, never_dealt if drawn == 0 else NOTHING, phase, streams, k)
    pool = lay_stock(v, s, pool, streams, k)
    pool = lay_face_down(v, s, pool, streams, k)
    in_hands = NOTHING
    for seat in range(v["players"]):
        in_hands |= s["hands"][seat] & ~v["known"][seat]
    from_stock = popcount(in_hands & ~v["hand"] & never_dealt)
    return pool == 0 and from_stock <= drawn and is_full(v, s)


@kernel
def those_who_passed_could_play(v: Row, s: Row) -> bool:
    """A seat that passed since the last laid card was asked, so it holds a card that fits (7.4).

    Who may hang may also be asked with cards that are barred (H4).
    """
    if v["ask_everyone"]:
        return True
    for seat in range(v["players"]):
        fits = v["open"] if v["epaulettes"] else fitting(v, seat, v["phase"])
        if (v["passed"] >> seat) & 1 and s["hands"][seat] & fits == 0:
            return False
    return True


@kernel
def remember(s: Row) -> None:
    """The positions since the last discard (P34): a view tells how often this one has come up, and
    nothing about the others."""
    for k in range(s["seen"].size):
        s["seen"][k] = 0
    s["seen_count"] = 0
    begins = s["phase"] == LEAD and s["attacks"] == 0 and s["stock_was_empty"]
    if begins and s["repetition"] and not s["plays_tricks"]:
        now = position_hash(s)
        for k in range(s["occurrences"]):
            s["seen"][k] = now
        s["seen_count"] = s["occurrences"]


@kernel
def ask_again(v: Row, s: Row, phase: int) -> bool:
    """Ask the seats from this phase on; whether that leads to the question of the view."""
    s["phase"] = phase
    if phase == LEAD and v["attacks"] == 0:
        s["dead_lead"] = 0  # it depends on the leader's hand, and may be its secret (H6)
    settle(s)
    same = s["phase"] == v["phase"] and s["actor"] == v["actor"] and s["bout"] == v["bout"]
    return same and (phase == OVER or legal_count(s) > 0)


@kernel
def complete_view(views: Rows, j: int, rows: Rows, i: int, streams: Streams, k: int) -> bool:
    """Make row ``i`` a world of view ``j``, drawn by stream ``k``; False if the view has none.

    Every world of the view is equally likely: all places of the hidden cards, the order of the
    stock included, such that the seats that were asked and passed over are those of the view.
    """
    v, s = views[j], rows[i]
    phase = asked_from(v)
    for _ in range(MOST_TRIES):
        if lay_out(v, s, phase, streams, k) and those_who_passed_could_play(v, s):
            remember(s)
            if ask_again(v, s, phase):
                return True
    return False


@kernel
def complete_views(
    views: Rows, sources: Ids, rows: Rows, which: Ids, streams: Streams, found: Flags
) -> None:
    """Make row ``which[k]`` a world of view ``sources[k]``, drawn by stream ``k``, for every k.

    ``found[k]`` is False where the view has no world; the row is then of no use.
    """
    for k in range(which.size):
        found[k] = complete_view(views, sources[k], rows, which[k], streams, k)
