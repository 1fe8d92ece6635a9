"""Positions: one game as a short text, and back.

    rules: podkidnoy(players=3)
    hands: 7s 8s | 9c Kd | 10h
    table: 7c/9c 8s
    stock: 10c 6d
    leader: 0

``table`` lists the attack cards as they were laid, each with its cover; ``stock`` is in drawing
order, the trump card last. ``?`` in a hand or in the stock stands for a card that is drawn by the
seed from those that stand nowhere; what then remains is the discard, unless ``discard`` says so.
Every other field has a natural default and is printed only where the game differs from it.
A game of tricks has rows instead of a stock: `durak_env.position.tricks`.
"""

from __future__ import annotations

from durak_env.engine.state import Rows
from durak_env.notation import parse_fields
from durak_env.position.fields import FIELDS
from durak_env.position.reader import BoutReader
from durak_env.position.tricks import TrickReader
from durak_env.position.writer import format_position
from durak_env.rules import Rules

__all__ = ["FIELDS", "build_position", "format_position", "parse_position"]


def parse_position(text: str, seed: int | None = None) -> tuple[Rules, Rows]:
    """The rules of a position and its row, ready for the next decision.

    Raises:
        NotationError: the text is no position, or one that no game can reach.
        RulesError: its rules do not exist.
    """
    return build_position(parse_fields(text, FIELDS), seed)


def build_position(fields: dict[str, str], seed: int | None = None) -> tuple[Rules, Rows]:
    """`parse_position` for fields that are parsed already."""
    rules = Rules.parse(fields.get("rules", "podkidnoy"))
    reader = TrickReader if rules.tricks else BoutReader
    return rules, reader(rules, fields, seed).row()
