"""The rules book: the statements of the sources by their ids, in our own words.

Comments, tests and error messages cite these ids (``S000-44``). The first number is the source, the
second the statement.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

SOURCES = {
    "S000": "four texts on epaulettes, prostoy and podkidnoy, and decks of 36 and 54 cards",
}
"""What each source of the book describes; the others that tests cite are not written down yet."""

KINDS = {
    "R": "rule",
    "G": "goal or result",
    "C": "setting",
    "A": "level of a computer player",
    "X": "strategy",
    "U": "interface",
    "T": "statistics",
    "M": "remark without effect on play",
}
"""The kinds of statement by letter; a statement may be of two, such as ``R/X``."""

TESTED_KINDS = "RGCA"
"""The kinds that a program can be right or wrong about."""


@dataclass(frozen=True)
class Statement:
    """One statement of a source."""

    id: str
    kind: str
    text: str

    @property
    def source(self) -> str:
        """The source's part of the id."""
        return self.id.partition("-")[0]

    @property
    def is_tested(self) -> bool:
        """Whether tests are expected to cite it."""
        return any(letter in TESTED_KINDS for letter in self.kind.split("/"))


@cache
def statements() -> dict[str, Statement]:
    """Every statement by its id, in the order of the sources."""
    found = {}
    for source in SOURCES:
        file = resources.files(__package__) / f"{source.lower()}.toml"
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["statement"]:
            found[entry["id"]] = Statement(**entry)
    return found
