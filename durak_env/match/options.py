"""What the options of matches and tournaments accept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from durak_env.errors import NotationError, RulesError
from durak_env.match.text import MAX_COUNT
from durak_env.rules import Rules


def check_limit(key: str, limit: int | None) -> int | None:
    """A number from 1, or None.

    Raises:
        RulesError: it is neither.
    """
    return None if limit is None else check_whole(key, limit, 1)


def check_entrants(entrants: Sequence[str]) -> tuple[str, ...]:
    """Names, each once, that a saved tournament can hold.

    Raises:
        RulesError: it is not accepted.
    """
    names = tuple(entrants)
    if isinstance(entrants, str) or len(names) < 2 or len(set(names)) < len(names):
        raise RulesError("entrants: a tournament takes two names or more, each once")
    for name in names:
        if name != name.strip() or len(name.splitlines()) != 1 or set("|;") & set(name):
            raise RulesError(f"entrants: {name!r} is no name: one line without | and ;")
    return names


def check_whole(key: str, value: int, low: int) -> int:
    """A whole number from ``low``.

    Raises:
        RulesError: it is not accepted.
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not low <= value <= MAX_COUNT:
        raise RulesError(f"{key}={value} is not accepted; {key} takes {low} to {MAX_COUNT}")
    return value


def check_best_of(best_of: int, table_size: int) -> int:
    """An odd number; 1 at tables of more than two.

    Raises:
        RulesError: it is not accepted.
    """
    check_whole("best_of", best_of, 1)
    if best_of % 2 == 0 or (best_of > 1 and table_size > 2):
        raise RulesError(
            f"best_of={best_of} is not accepted with table_size={table_size}; "
            "best_of takes odd numbers, and 1 at tables of more than two"
        )
    return best_of


def check_choice(key: str, value: str, choices: tuple[str, ...]) -> Any:
    """One of the values that an option takes.

    Raises:
        RulesError: it is not accepted.
    """
    if value not in choices:
        raise RulesError(f"{key}={value} is not accepted; {key} takes {', '.join(choices)}")
    return value


def check_entry(entry: float) -> float:
    """A finite number, 0 or more.

    Raises:
        RulesError: it is not accepted.
    """
    if not (math.isfinite(entry) and entry >= 0):
        raise RulesError(f"entry={entry} is not accepted; entry takes 0 or more")
    return float(entry)


def read_entry(text: str) -> float:
    """A number of a text.

    Raises:
        NotationError: it is none.
    """
    try:
        return float(text)
    except ValueError:
        raise NotationError(f"entry: {text!r} is no number") from None


def check_table_rules(rules: Rules | str | None, table_size: int) -> Rules:
    """The rules of a full table.

    Raises:
        RulesError: it is not accepted.
    """
    value = Rules.parse(rules) if isinstance(rules, str) else rules or Rules()
    if value.epaulettes:
        raise RulesError("epaulettes=true is another kind of match: EpaulettesMatch")
    try:
        return replace(value, players=table_size)
    except RulesError as error:
        raise RulesError(f"table_size={table_size}: {error}") from None
