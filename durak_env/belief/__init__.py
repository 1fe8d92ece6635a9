"""What a seat may believe: complete games that look to it exactly as the real one does.

A *world* of a view is a way to lay every hidden card such that the viewer sees the same and the
same question is asked. `worlds` draws them uniformly, from views and nothing else.

What counts as known: hand sizes; cards of hands that everybody saw; the trump card and turned-up
jokers at the end of the stock, and its top card for a leader who may look (P22a, P24); that no hand
was dealt a card that would have decided the first lead instead of the announced one (P28, E2, E3);
that a seat which was passed over, though its turn came before that of the actor, holds no card that
fits, and that a seat which passed holds one (7.4); that who is asked may do something.

A view is one moment, so what followed from earlier moments is not known: after the first bout any
hidden card of a hand may have been drawn, as long as no more of the cards that were not dealt lie
in hands than were drawn. Nor does a view hold the positions that came up before (P34). It counts
how often the present one did: the count goes on from there at the start of a bout, and anew for
every other position, while the number of bouts without a discard is exact.
"""

from __future__ import annotations

import numpy as np

from durak_env.belief.kernels import complete_views
from durak_env.engine import Rows
from durak_env.engine.state import STATE
from durak_env.errors import BeliefError
from durak_env.game import Game
from durak_env.view import PlayerView

__all__ = ["determinize", "worlds"]


def worlds(views: Rows, count: int, seed: int) -> Rows:
    """Worlds of every view, all equally likely and independent of each other.

    Args:
        views: shape (n,), dtype `durak_env.view.VIEW`.
        count: how many of each view, 0 or more.
        seed: 0 or more; the same seed draws the same worlds.

    Returns:
        shape (n, count), dtype `durak_env.engine.STATE`: rows that the engine plays on from.

    Raises:
        BeliefError: a negative number, or a view that no game leads to.
    """
    if count < 0 or seed < 0:
        raise BeliefError(f"count={count}, seed={seed}: both are 0 or more")
    rows = np.zeros(views.size * count, dtype=STATE)
    streams = np.random.PCG64(seed).random_raw(rows.size)
    found = np.empty(rows.size, dtype=np.bool_)
    sources = np.repeat(np.arange(views.size), count)
    complete_views(views, sources, rows, np.arange(rows.size), streams, found)
    if not found.all():
        raise BeliefError(
            f"view {sources[~found][0]} has no world: its numbers of cards, or the seat that is "
            "asked, fit no game"
        )
    return rows.reshape(views.size, count)


def determinize(view: PlayerView, seed: int) -> Game:
    """One world of a view as a game, which may be played on.

    Args:
        view: what one seat sees.
        seed: 0 or more; the same seed draws the same world.

    Raises:
        BeliefError: a negative seed, or a view that no game leads to.
    """
    return Game.of_rows(view.rules, worlds(view.record, 1, seed).reshape(1))
