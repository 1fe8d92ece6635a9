"""The moves of a game one after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_env.game import Action, Game


@dataclass(frozen=True)
class Move:
    """One action of one seat, with the game as it stood before and after it."""

    seat: int
    action: Action
    before: Game
    after: Game


def steps(game: Game) -> Iterator[tuple[Game, Action]]:
    """Every action so far, each with the game as it stood before it (one object, played on)."""
    start, _, _ = game.transcript().rpartition("actions:")
    replayed = game.from_transcript(start)
    for action in game.history:
        yield replayed, action
        replayed.play(action)


def play_move(game: Game, action: Action | str | int) -> Move:
    """Let the actor carry out an action.

    Raises:
        NotationError: the text is no action.
        IllegalActionError: the rules do not allow it now; the game is unchanged.
    """
    before, seat = game.copy(), game.actor
    after = game.play(action).copy()
    assert seat is not None  # a game that is over refuses every action
    return Move(seat, game.history[-1], before, after)


def moves_of(game: Game) -> list[Move]:
    """Every move so far."""
    return [play_move(before.copy(), action) for before, action in steps(game)]
