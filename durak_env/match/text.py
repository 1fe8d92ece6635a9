"""Saved series: ``key: value`` fields, one line per deal, and a check at the end.

    match: deals
    rules: podkidnoy(players=3)
    seed: 7
    deal 1: 6d, 7d, ...
    deal 2: 9h
    check: 5f0c1a7e

Decks follow from the seed, so the actions are all there is to keep. The check follows from all that
stands above it, so that a text that was cut short or altered is refused.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable

from durak_env.errors import IllegalActionError, NotationError
from durak_env.game import Game
from durak_env.notation import format_fields, parse_fields, parse_number

CHECK = "check"
MAX_COUNT = 10**9


def format_saved(fields: dict[str, str]) -> str:
    """The text of these fields, with its check."""
    return format_fields({**fields, CHECK: check_of(fields)})


def check_of(fields: dict[str, str]) -> str:
    """Eight hex digits that change with any of the fields."""
    return f"{zlib.crc32(format_fields(fields).encode()):08x}"


def parse_saved(
    text: str, known: Iterable[str], deal_key: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The fields of a saved text, and apart from them its deals in the order of the text.

    Args:
        text: what `format_saved` made.
        known: the keys other than those of deals.
        deal_key: a pattern of the keys of deals.

    Raises:
        NotationError: a line is no field, a key is unknown or stands twice, the check is missing.
    """
    lines = text.replace(";", "\n").splitlines()
    keys = dict.fromkeys(line.partition(":")[0].strip().lower() for line in lines)
    deal_keys = [key for key in keys if re.fullmatch(deal_key, key)]
    fields = parse_fields(text, [*known, CHECK, *deal_keys])
    if CHECK not in fields:
        raise NotationError("the text is cut short: its last line, the check, is missing")
    if list(fields)[-1] != CHECK:
        raise NotationError(f"field {list(fields)[-1]!r} stands after the check")
    deals = {key: fields.pop(key) for key in deal_keys}
    return fields, deals


def compare_check(given: str, fields: dict[str, str]) -> None:
    """Compare the check of a text with that of what was read from it.

    Raises:
        NotationError: they differ.
    """
    if given != check_of(fields):
        raise NotationError(f"check: {given!r} does not fit: the text was altered or cut short")


def read_count(fields: dict[str, str], key: str, low: int) -> int | None:
    """A number of a field; None without the field.

    Raises:
        NotationError: it is no number, or less than ``low``.
    """
    return None if key not in fields else read_number(fields, key, low, MAX_COUNT)


def read_number(fields: dict[str, str], key: str, low: int, high: int) -> int:
    """A number of a field that must be there.

    Raises:
        NotationError: it is missing, no number, or out of range.
    """
    text = required(fields, key)
    if len(text) > len(str(high)):
        raise NotationError(f"{key}: {text[:20]}... is not accepted; it takes {low} to {high}")
    return parse_number(key, text, low, high)


def required(fields: dict[str, str], key: str) -> str:
    """The value of a field that must be there.

    Raises:
        NotationError: it is missing.
    """
    if not fields.get(key):
        raise NotationError(f"field {key!r} is missing")
    return fields[key]


def read_actions(text: str) -> list[str]:
    """The actions of a deal's line."""
    return [] if not text.strip() else text.split(",")


def replay(key: str, game: Game, actions: list[str]) -> None:
    """Play the actions of a deal's line.

    Raises:
        NotationError: one is no action.
        IllegalActionError: one is not legal. Both name the deal and the number of the action.
    """
    for number, action in enumerate(actions, start=1):
        try:
            game.play(action)
        except (NotationError, IllegalActionError) as error:
            raise type(error)(f"{key}: action {number}: {error}") from None
