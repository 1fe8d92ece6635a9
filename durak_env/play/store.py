"""Where the game of a person is kept, and beside it how the games before it went."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import platformdirs

from durak_env.errors import DurakError, NotationError
from durak_env.play.session import Result, Session, is_whole, read_json

FORMAT = "durak_env-statistics-1"
"""Version of the file of statistics."""


@dataclass(frozen=True)
class Tally:
    """How the games under the same rules ended for the person, whoever played (S003-41, E122).

    A streak is a number of games won one after the other (S003-12).
    """

    rules: str
    won: int = 0
    lost: int = 0
    drawn: int = 0
    streak: int = 0
    """The one that goes on, 0 after a game that was not won."""
    longest: int = 0

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.won + self.lost + self.drawn

    def plus(self, result: Result) -> Tally:
        """The tally with one more game."""
        streak = self.streak + 1 if result == "won" else 0
        return replace(
            self,
            **{result: getattr(self, result) + 1},
            streak=streak,
            longest=max(streak, self.longest),
        )

    @property
    def share(self) -> str:
        """The share of the games that were won, in per cent."""
        return f"{self.won / self.games:.0%}"


class Store:
    """One saved game, in a file of its own, and the statistics beside it."""

    def __init__(self, path: Path | None = None) -> None:
        """``path`` is the file of the game; in the user's data folder if absent."""
        self.path = path or Path(platformdirs.user_data_dir("durak_env")) / "game.json"

    @property
    def statistics_path(self) -> Path:
        """The file of the statistics."""
        return self.path.with_name(f"{self.path.stem}-statistics.json")

    def load(self) -> Session | None:
        """The saved game; None if there is none.

        Raises:
            DurakError: it is damaged, or an opponent of it is not to be had; the message names the
                file.
        """
        text = read_text(self.path)
        if text is None:
            return None
        try:
            return Session.from_text(text)
        except DurakError as error:
            raise type(error)(f"{self.path}: this saved game cannot go on: {error}") from None

    def save(self, session: Session) -> None:
        """Keep the game as it stands (S003-11)."""
        write_text(self.path, session.to_text())

    def finish(self, session: Session) -> Tally:
        """Count a game that is over and keep it no longer; returns its tally.

        Raises:
            NotationError: the statistics are damaged.
        """
        assert session.result is not None
        rules = str(session.setup.rules)
        tallies = {tally.rules: tally for tally in self.statistics()}
        tallies[rules] = tallies.get(rules, Tally(rules)).plus(session.result)
        write_text(self.statistics_path, format_statistics(tallies.values()))
        self.path.unlink(missing_ok=True)
        return tallies[rules]

    def statistics(self) -> list[Tally]:
        """How the games went, one tally for each rules.

        Raises:
            NotationError: the file is damaged; the message names it.
        """
        text = read_text(self.statistics_path)
        if text is None:
            return []
        try:
            return parse_statistics(text)
        except NotationError as error:
            raise NotationError(
                f"{self.statistics_path}: these statistics are damaged: {error}; "
                "remove the file to count anew"
            ) from None


def format_statistics(tallies: Iterable[Tally]) -> str:
    """The text of statistics, which `parse_statistics` reads."""
    facts = {"format": FORMAT, "tallies": [asdict(tally) for tally in tallies]}
    return json.dumps(facts, indent=2) + "\n"


def parse_statistics(text: str) -> list[Tally]:
    """Read statistics.

    Raises:
        NotationError: the text is none.
    """
    tallies = read_json(text, FORMAT).get("tallies")
    if not isinstance(tallies, list):
        raise NotationError("it has no list of tallies")
    return [read_tally(facts) for facts in tallies]


def read_tally(facts: object) -> Tally:
    """One tally of the JSON.

    Raises:
        NotationError: it is none.
    """
    wrong = NotationError(f"{facts!r:.60} is no tally")
    if not isinstance(facts, dict) or set(facts) != set(Tally.__dataclass_fields__):
        raise wrong
    counts = {key: count for key, count in facts.items() if key != "rules"}
    if not all(is_whole(count) and count >= 0 for count in counts.values()):
        raise wrong
    if not isinstance(facts["rules"], str):
        raise wrong
    return Tally(facts["rules"], **counts)


def read_text(path: Path) -> str | None:
    """The text of a file; None if there is no such file.

    Bytes that are no UTF-8 are replaced: what was damaged is not to be read anyway.
    """
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it meanwhile finds the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
