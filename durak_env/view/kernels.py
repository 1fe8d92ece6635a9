"""What one seat may know, copied out of a row: the only door to a game for whatever decides.

A view is one record of `VIEW`. Seats in it are relative to the viewer: 0 is the viewer, 1 the seat
to the left, and so on. It holds the viewer's hand and everything that every seat has seen, and
nothing else; an opponent, a search or an encoder gets a view and never a row.
"""

from __future__ import annotations

import numpy as np

from durak_env.engine.batch import Ids
from durak_env.engine.bits import popcount
from durak_env.engine.jit import kernel
from durak_env.engine.play import room, stock_count, target
from durak_env.engine.state import (
    DEFEND,
    MAX_ATTACKS,
    NOBODY,
    OVER,
    Row,
    Rows,
)
from durak_env.rules import MAX_PLAYERS

VIEW = np.dtype(
    [
        # what the viewer may do now; zero when the viewer is not asked
        ("legal_cards", np.uint64),
        ("legal_targets", np.uint64),
        ("hand", np.uint64),
        ("known", np.uint64, (MAX_PLAYERS,)),  # known part of each hand; the viewer's own whole
        ("discard", np.uint64),  # the discards, as everybody saw them fall
        ("table", np.uint64),
        ("unbeaten", np.uint64),
        ("open", np.uint64),  # every card of a rank that lies on the table
        ("players", np.int8),
        ("ranks", np.int8),
        ("deck_size", np.int8),
        ("cover_any", np.int8),
        ("legal_words", np.uint8),
        ("phase", np.int8),
        ("seat", np.int8),  # the viewer's absolute seat
        ("actor", np.int8),
        ("leader", np.int8),
        ("attacker", np.int8),
        ("defender", np.int8),
        ("last_layer", np.int8),
        ("attacks", np.int8),
        ("unbeaten_count", np.int8),
        ("defender_start", np.int8),
        ("room", np.int8),
        ("limit", np.int8),
        ("limit_on_take", np.int8),
        ("target", np.int8),  # the attack card that a cover would beat now, or -1
        ("passed", np.uint8),
        ("out", np.uint8),
        ("hand_sizes", np.int8, (MAX_PLAYERS,)),
        ("places", np.int8, (MAX_PLAYERS,)),  # relative seats in the order of going out
        ("placed", np.int8),
        ("attack", np.int8, (MAX_ATTACKS,)),
        ("cover", np.int8, (MAX_ATTACKS,)),
        ("trump_card", np.int8),
        ("stock_count", np.int8),
        ("announced", np.int8),
        ("announced_by", np.int8),
        ("discarded", np.int8),
        ("suits", np.int8, (4,)),
        ("bout", np.int16),
        ("quiet", np.int16),
        ("occurrences", np.int16),  # how often this bout's start has come up since a discard
    ],
    align=True,
)
"""One seat's view of one game."""


@kernel
def relative(s: Row, seat: int, viewer: int) -> int:
    """A seat as the viewer counts it; nobody stays nobody."""
    if seat < 0:
        return NOBODY
    return seat - viewer if seat >= viewer else seat - viewer + s["players"]


@kernel
def rotate(seats: int, viewer: int, players: int) -> int:
    """A set of seats as the viewer counts them."""
    both = seats | (seats << players)
    return (both >> viewer) & ((1 << players) - 1)


@kernel
def observe(rows: Rows, i: int, seat: int, views: Rows, j: int) -> None:
    """Write the view that ``seat`` has of row ``i`` into record ``j`` of ``views``.

    Any seat may be observed at any time; a seat that is not asked has nothing legal.
    """
    s, v = rows[i], views[j]
    copy_public(s, v)
    copy_roles(s, v, seat)
    players = int(s["players"])
    for k in range(players):
        absolute = seat + k if seat + k < players else seat + k - players
        v["known"][k] = s["known"][absolute]
        v["hand_sizes"][k] = popcount(s["hands"][absolute])
    for k in range(players, MAX_PLAYERS):
        v["known"][k] = np.uint64(0)
        v["hand_sizes"][k] = 0
    v["hand"] = s["hands"][seat]
    v["known"][0] = s["hands"][seat]
    asked = s["actor"] == seat
    v["legal_cards"] = s["legal_cards"] if asked else np.uint64(0)
    v["legal_targets"] = s["legal_targets"] if asked else np.uint64(0)
    v["legal_words"] = s["legal_words"] if asked else 0


@kernel
def copy_public(s: Row, v: Row) -> None:
    """What is the same for every viewer."""
    v["discard"] = s["discard"]
    v["table"] = s["table"]
    v["unbeaten"] = s["unbeaten"]
    v["open"] = s["open"]
    v["players"] = s["players"]
    v["ranks"] = s["ranks"]
    v["deck_size"] = s["deck_size"]
    v["cover_any"] = s["cover_any"]
    v["phase"] = s["phase"]
    v["attacks"] = s["attacks"]
    v["unbeaten_count"] = s["unbeaten_count"]
    v["defender_start"] = s["defender_start"]
    v["room"] = 0 if s["phase"] == OVER else room(s)
    v["limit"] = s["limit"]
    v["limit_on_take"] = s["limit_on_take"]
    v["target"] = table_target(s)
    v["placed"] = s["placed"]
    v["trump_card"] = s["trump_card"]
    v["stock_count"] = stock_count(s)
    v["announced"] = s["announced"]
    v["discarded"] = s["discarded"]
    v["bout"] = s["bout"]
    v["quiet"] = s["quiet"]
    v["occurrences"] = s["occurrences"]
    for k in range(4):
        v["suits"][k] = s["suits"][k]
    for k in range(s["attacks"]):
        v["attack"][k] = s["attack"][k]
        v["cover"][k] = s["cover"][k]
    for k in range(s["attacks"], MAX_ATTACKS):
        v["attack"][k] = NOBODY
        v["cover"][k] = NOBODY


@kernel
def table_target(s: Row) -> int:
    """The attack card that a cover would beat now; -1 if that is not settled."""
    if s["phase"] != DEFEND or s["legal_targets"] != 0:
        return NOBODY
    return int(s["attack"][target(s)])


@kernel
def copy_roles(s: Row, v: Row, seat: int) -> None:
    """Every seat in it as the viewer counts."""
    players = int(s["players"])
    v["seat"] = seat
    v["actor"] = relative(s, int(s["actor"]), seat)
    v["leader"] = relative(s, int(s["leader"]), seat)
    v["attacker"] = relative(s, int(s["attacker"]), seat)
    v["defender"] = relative(s, int(s["defender"]), seat)
    v["last_layer"] = relative(s, int(s["last_layer"]), seat)
    v["announced_by"] = relative(s, int(s["announced_by"]), seat)
    v["passed"] = rotate(int(s["passed"]), seat, players)
    v["out"] = rotate(int(s["out"]), seat, players)
    for k in range(MAX_PLAYERS):
        v["places"][k] = relative(s, int(s["places"][k]), seat)


@kernel
def observe_many(rows: Rows, which: Ids, seats: Ids, views: Rows) -> None:
    """Write the view of ``seats[k]`` on row ``which[k]`` into record ``k``, for every k."""
    for k in range(which.size):
        observe(rows, which[k], seats[k], views, k)
