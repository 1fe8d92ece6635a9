"""The ``planes`` layout, compiled: sets of cards as columns, then what all cards share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from durak_env.encoding.kernels import compact, has_jokers
from durak_env.engine.barred import trumps
from durak_env.engine.batch import Ids
from durak_env.engine.bits import bit
from durak_env.engine.jit import kernel
from durak_env.engine.naming import all_cards
from durak_env.engine.state import Row, Rows

Numbers = npt.NDArray[np.int8]
Sets = npt.NDArray[np.uint64]


@kernel
def card_or_none(card: int) -> np.uint64:
    """The set of this card; the empty set for -1."""
    return np.uint64(0) if card < 0 else bit(card)


@kernel
def turned_up_card(v: Row) -> np.uint64:
    """The card that lies face up under the stock."""
    return card_or_none(int(v["trump_card"])) if v["stock_count"] > 0 else np.uint64(0)


@kernel
def revealed_cards(v: Row) -> np.uint64:
    """The jokers that were turned up before the trump card."""
    return card_or_none(int(v["revealed"][0])) | card_or_none(int(v["revealed"][1]))


@kernel
def unseen(v: Row) -> np.uint64:
    """The cards that the viewer cannot place."""
    seen = v["hand"] | v["discard"] | v["table"] | turned_up_card(v) | revealed_cards(v)
    for seat in range(v["players"]):
        seen |= v["known"][seat]
    hidden: np.uint64 = all_cards(v) & ~seen
    return hidden


@kernel
def covering(v: Row, seat: int) -> np.uint64:
    """The face-up cards of a row that lie on face-down ones."""
    cards = np.uint64(0)
    for place in range(v["hand_size"]):
        if (v["covered"][seat] >> place) & 1:
            cards |= card_or_none(int(v["up"][seat, place]))
    return cards


@kernel
def list_sets(v: Row, sets: Sets) -> int:
    """Write the sets of cards that are columns, in order; returns their number."""
    players = int(v["players"])
    sets[0] = v["hand"]
    sets[1] = v["unbeaten"]
    sets[2] = v["table"] ^ v["unbeaten"]
    sets[3] = v["discard"]
    for k in range(players):
        sets[4 + k] = v["known"][(int(v["seat"]) + k) % players]
    count = 4 + players
    sets[count] = trumps(v) & all_cards(v)
    sets[count + 1] = turned_up_card(v)
    sets[count + 2] = card_or_none(int(v["target_card"]))
    sets[count + 3] = unseen(v)
    return list_rare_sets(v, sets, count + 4)


@kernel
def list_rare_sets(v: Row, sets: Sets, count: int) -> int:
    """Write the sets that only some rules have, from place ``count`` on."""
    if v["transfer"]:
        sets[count] = v["shown"] & trumps(v)
        count += 1
    if has_jokers(v):
        sets[count] = revealed_cards(v)
        count += 1
    if v["stock_lead_peek"]:
        sets[count] = card_or_none(int(v["peek"]))
        count += 1
    if v["plays_tricks"]:
        sets[count] = covering(v, int(v["seat"]))
        sets[count + 1] = covering(v, 1 - int(v["seat"]))
        count += 2
    return count


@kernel
def write_planes(
    v: Row, flat: Numbers, shared: Ids, faces: Numbers, sets: Sets, out: Numbers
) -> None:
    """Write one observation: for every card the sets, its face, and what all cards share."""
    count = list_sets(v, sets)
    for k in range(count):
        sets[k] = compact(v, sets[k])
    rest = count + faces.shape[1]
    for card in range(out.shape[0]):
        for k in range(count):
            out[card, k] = (sets[k] >> np.uint64(card)) & np.uint64(1)
        for k in range(faces.shape[1]):
            out[card, count + k] = faces[card, k]
        for k in range(shared.size):
            out[card, rest + k] = flat[shared[k]]


@kernel
def encode_planes(
    views: Rows, flat: Numbers, shared: Ids, faces: Numbers, sets: Sets, out: Any
) -> None:
    """The observations of all views.

    Args:
        views: the views, all of the same rules.
        flat: their flat observations.
        shared: the places of ``flat`` that every card repeats.
        faces: what each card is, (deck, numbers).
        sets: scratch space for the sets of one view.
        out: (n, deck, features).
    """
    for j in range(views.size):
        write_planes(views[j], flat[j], shared, faces, sets, out[j])
