"""The rules book, its pages, and which tests cite which statement.

``python -m tests.test_rulebook`` writes the pages anew.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest

from durak_env import Rules
from durak_env.actions import action_table
from durak_env.rulebook import KINDS, SOURCES, cited, statements
from durak_env.rules import OPTIONS, PRESETS, describe_accepted, format_value

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs"
CITATION = re.compile(r"\bS00\d-\d+\b")


def citations() -> dict[str, list[str]]:
    """The test files that cite each statement."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in CITATION.findall(path.read_text(encoding="utf-8")):
            found[name].add(path.relative_to(ROOT).as_posix())
    return {name: sorted(files) for name, files in found.items()}


def statements_page() -> str:
    """Every statement, source by source."""
    lines = ["# Statements", "", "What the sources say; comments and tests cite the ids."]
    lines += ["", *(f"- {letter}: {meaning}" for letter, meaning in KINDS.items())]
    for source, title in SOURCES.items():
        lines += ["", f"## {source}: {title}", "", "| id | kind | statement |", "|---|---|---|"]
        lines += [
            f"| {one.id} | {one.kind} | {one.text} |"
            for one in statements().values()
            if one.source == source
        ]
    return "\n".join(lines) + "\n"


def coverage_page() -> str:
    """Which tests cite each statement that a program can be right or wrong about."""
    citing = citations()
    wanted = [one for one in statements().values() if one.is_tested]
    tested = sum(one.id in citing for one in wanted)
    lines = [
        "# Coverage of the statements",
        "",
        f"{tested} of {len(wanted)} statements of the kinds rule, goal, setting and level of a",
        "computer player are cited by tests. Those without a test are listed with a dash.",
        "",
        "| statement | tests |",
        "|---|---|",
    ]
    lines += [f"| {one.id} | {', '.join(citing.get(one.id, ['-']))} |" for one in wanted]
    return "\n".join(lines) + "\n"


def variant_page(name: str) -> str:
    """One preset: what it is, its options, its actions, and what its sources say."""
    preset, rules = PRESETS[name], Rules.preset(name)
    low, high = preset.players
    usual, table = Rules().options(), action_table(rules)
    differing = {key: value for key, value in rules.options().items() if value != usual[key]}
    lines = [
        f"# {name}",
        "",
        f"{preset.summary[0].upper()}{preset.summary[1:]}.",
        "",
        f"- players: {low} to {high}" if low < high else f"- players: {low}",
        f"- decks: {', '.join(map(str, preset.decks))}",
        f"- also called: {', '.join(preset.aliases)}",
        f"- environments: `durak_env.{name}_v0`, `durak/{name}-v0` (version 0: first release)",
        "",
        "## What differs from podkidnoy",
        "",
        *(f"- `{key}={format_value(value)}`" for key, value in differing.items()),
        *([] if differing else ["Nothing: this is the game that all options start from."]),
        "",
        "## Options",
        "",
        "| option | value here | accepts | meaning |",
        "|---|---|---|---|",
    ]
    for key, value in rules.options().items():
        doc = OPTIONS[key].metadata["doc"]
        accepts = f"{low} to {high}" if key == "players" else describe_accepted(key)
        lines.append(f"| `{key}` | {format_value(value)} | {accepts} | {doc} |")
    lines += ["", "## Actions", "", "| ids | action |", "|---|---|"]
    for kind, block in groupby(table.specs, key=lambda spec: spec.kind):
        ids = [spec.id for spec in block]
        span = f"{ids[0]} ... {ids[-1]}" if len(ids) > 1 else f"{ids[0]}"
        words = table.describe(ids[0]) + (f" ... {table.describe(ids[-1])}" if ids[1:] else "")
        lines.append(f"| {span} | {kind}: {words} |")
    lines += ["", "## What the sources say", "", "| id | kind | statement |", "|---|---|---|"]
    lines += [f"| {one.id} | {one.kind} | {one.text} |" for one in cited(preset.summary)]
    return "\n".join(lines) + "\n"


WRITERS: dict[str, Callable[[], str]] = {
    "rules/statements.md": statements_page,
    "rules/coverage.md": coverage_page,
    **{f"variants/{name}.md": partial(variant_page, name) for name in PRESETS},
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_pages_are_up_to_date(name: str) -> None:
    assert (PAGES / name).read_text(encoding="utf-8") == WRITERS[name]()


def test_only_known_statements_are_cited() -> None:
    assert set(citations()) <= set(statements())


def test_ids_are_numbered_without_a_gap() -> None:
    for source in SOURCES:
        numbers = [int(name.partition("-")[2]) for name in statements() if name.startswith(source)]
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_statement_has_a_known_kind_and_is_a_sentence() -> None:
    for one in statements().values():
        assert set(one.kind.split("/")) <= set(KINDS), one.id
        assert one.text.endswith((".", "?")), one.id


if __name__ == "__main__":
    for page, write in WRITERS.items():
        (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / page).write_text(write(), encoding="utf-8")
