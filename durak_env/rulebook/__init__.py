"""The rules book: every statement of the sources and every edge case by its id, in our own words.

Comments, tests and error messages cite these ids. In ``S000-44`` the first number is the source,
the second the statement; ``E57`` is an edge case.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

SOURCES = {
    "S000": "four texts on epaulettes, prostoy and podkidnoy, and decks of 36 and 54 cards",
    "S001": "podkidnoy as a card-game site plays it",
    "S002": "two Armenian games",
    "S003": "Durak +, a program with many switches",
    "S004": "American durak",
}
"""What each source describes."""

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


@dataclass(frozen=True)
class EdgeCase:
    """One position in which it is easy to go wrong, and what is right there."""

    id: str
    topic: str
    position: str
    result: str
    by: str
    """The statements and the options of `durak_env.rules` that decide; empty where none does."""

    @property
    def deciders(self) -> list[str]:
        """The same one by one."""
        return self.by.split(", ") if self.by else []


@cache
def statements() -> dict[str, Statement]:
    """Every statement by its id, in the order of the sources."""
    entries = [entry for source in SOURCES for entry in _read(source.lower(), "statement")]
    return {entry["id"]: Statement(**entry) for entry in entries}


@cache
def edge_cases() -> dict[str, EdgeCase]:
    """Every edge case by its id, topic by topic."""
    return {entry["id"]: EdgeCase(**entry) for entry in _read("edge_cases", "case")}


def _read(name: str, kind: str) -> list[dict[str, Any]]:
    """The entries of one file of the book."""
    text = (resources.files(__package__) / f"{name}.toml").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = tomllib.loads(text)[kind]
    return entries


CITATION = re.compile(r"(S\d{3})-(\d+)(?: \.\.\. (?:S\d{3}-)?(\d+))?")
"""``S000-2``, or a range of one source: ``S000-2 ... S000-33``."""


def cited(text: str) -> list[Statement]:
    """The statements that a text cites, one by one and in ranges."""
    book = statements()
    found = []
    for source, first, last in CITATION.findall(text):
        for number in range(int(first), int(last or first) + 1):
            found.append(book[f"{source}-{number}"])
    return found
