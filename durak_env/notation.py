"""Texts of ``key: value`` fields, the one form of positions and transcripts.

Fields stand on lines of their own or are separated by ``;``. A list with one entry per seat
separates the seats by ``|``.
"""

from __future__ import annotations

from collections.abc import Collection

from durak_env.errors import NotationError

MAX_DIGITS = 40
"""Longer numbers are refused before they are read: int() has a limit of its own."""


def parse_fields(text: str, known: Collection[str]) -> dict[str, str]:
    """The fields of a text by key.

    Raises:
        NotationError: a line without a key, an unknown key, or a key that stands twice.
    """
    fields: dict[str, str] = {}
    for line in text.replace(";", "\n").splitlines():
        if not line.strip():
            continue
        key, colon, value = line.partition(":")
        key = key.strip().lower()
        if not colon:
            raise NotationError(f"{line.strip()!r} is not of the form key: value")
        if key not in known:
            raise NotationError(f"unknown field {key!r}; known: {', '.join(known)}")
        if key in fields:
            raise NotationError(f"field {key!r} stands twice")
        fields[key] = value.strip()
    return fields


def format_fields(fields: dict[str, str]) -> str:
    """The text of these fields, one per line."""
    return "".join(f"{key}: {value}".rstrip() + "\n" for key, value in fields.items())


def parse_number(key: str, text: str, low: int, high: int) -> int:
    """A whole number of a field.

    Raises:
        NotationError: it is none, or out of range.
    """
    if not text.strip().isdecimal() or len(text) > MAX_DIGITS or not low <= int(text) <= high:
        raise NotationError(f"{key}: {text!r} is not accepted; it takes {low} to {high}")
    return int(text)


def parse_seats(key: str, text: str, players: int) -> list[int]:
    """Seats separated by blanks.

    Raises:
        NotationError: one is no seat, or stands twice.
    """
    seats = [parse_number(key, word, 0, players - 1) for word in text.split()]
    if len(set(seats)) < len(seats):
        raise NotationError(f"{key}: a seat stands twice in {text!r}")
    return seats
