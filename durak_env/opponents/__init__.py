"""Opponents: scripted ones by name, exported agents by file, all behind one protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from durak_env.errors import OpponentError
from durak_env.opponents.base import Ids, Opponent, Randoms
from durak_env.opponents.callables import CallableOpponent, Decide
from durak_env.opponents.scripted import SCRIPTED, Scripted
from durak_env.opponents.seating import Seating
from durak_env.opponents.solving import SUFFIX, WithSolver
from durak_env.rules import Rules

__all__ = [
    "SCRIPTED",
    "CallableOpponent",
    "Decide",
    "Ids",
    "Opponent",
    "OpponentLike",
    "Randoms",
    "Scripted",
    "Seating",
    "WithSolver",
    "load",
    "make",
    "resolve",
]

OpponentLike: TypeAlias = str | Opponent | Decide
"""A name, the path of an exported agent, an opponent itself, or a function that decides."""


def make(name: str) -> Opponent:
    """The scripted opponent of this name.

    Raises:
        OpponentError: there is none.
    """
    if name not in SCRIPTED:
        raise OpponentError(
            f"unknown opponent {name!r}; known: {', '.join(SCRIPTED)}, "
            f"or the path of an .onnx file; each also with {SUFFIX}"
        )
    return SCRIPTED[name]


def load(path: str | Path, rules: Rules | None = None, *, sample: bool = False) -> Opponent:
    """An exported agent as an opponent.

    Args:
        path: the ``.onnx`` file.
        rules: the game that it shall play; a file made for other rules is refused.
        sample: draw actions from the policy instead of taking the most likely one.

    Raises:
        OpponentError: the file is missing, is no exported agent, or does not fit the rules.
    """
    from durak_env.opponents.exported import ExportedAgent  # noqa: PLC0415 - needs onnxruntime

    return ExportedAgent.load(path, rules, sample=sample)


def resolve(opponent: OpponentLike, rules: Rules) -> Opponent:
    """The opponent that is meant, able to play these rules.

    Raises:
        OpponentError: there is no such opponent, or it does not fit the rules.
    """
    if not isinstance(opponent, str):
        if isinstance(opponent, Opponent):
            return opponent
        if callable(opponent):
            return CallableOpponent(opponent, rules)
        raise OpponentError(f"{opponent!r} is no opponent: it has no name or no act")
    if opponent.endswith(SUFFIX):
        return WithSolver(resolve(opponent.removesuffix(SUFFIX), rules), rules)
    if opponent.endswith(".onnx"):
        return load(opponent, rules)
    return make(opponent)
