"""The rules book, its pages, and which tests cite which statement.

``python -m tests.test_rulebook`` writes the pages anew.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest

from durak_env import Rules
from durak_env.actions import ActionTable, action_table
from durak_env.cli import accepted_by, option_facts
from durak_env.rulebook import KINDS, SOURCES, Statement, cited, statements
from durak_env.rules import PRESETS, format_value

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs"
CITATION = re.compile(r"\bS00\d-\d+\b")


def citations() -> dict[str, list[str]]:
    """The files of tests that cite each statement; helpers of tests do not count."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in CITATION.findall(path.read_text(encoding="utf-8")):
            found[name].add(path.relative_to(ROOT).as_posix())
    return {name: sorted(files) for name, files in found.items()}


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return ["", *(f"| {' | '.join(map(str, line))} |" for line in lines), ""]


def sources_table(chosen: Iterable[Statement]) -> list[str]:
    """Statements with their ids and kinds."""
    return table(("id", "kind", "statement"), ((one.id, one.kind, one.text) for one in chosen))


def statements_page() -> list[str]:
    """Every statement, source by source."""
    lines = ["# Statements", "", "What the sources say; comments and tests cite the ids.", ""]
    lines += [f"- {letter}: {meaning}" for letter, meaning in KINDS.items()]
    for source, title in SOURCES.items():
        lines += ["", f"## {source}: {title}"]
        lines += sources_table(one for one in statements().values() if one.source == source)
    return lines


def coverage_page() -> list[str]:
    """Which tests cite each statement that a program can be right or wrong about."""
    citing = citations()
    wanted = [one.id for one in statements().values() if one.is_tested]
    tested = sum(name in citing for name in wanted)
    return [
        "# Coverage of the statements",
        "",
        f"{tested} of {len(wanted)} statements of the kinds rule, goal, setting and level of a",
        "computer player are cited by tests. Those without a test are listed with a dash.",
        *table(
            ("statement", "tests"), ((name, ", ".join(citing.get(name, "-"))) for name in wanted)
        ),
    ]


def variant_page(name: str) -> list[str]:
    """One preset: what it is, its options, its actions, and what its sources say."""
    preset, options = PRESETS[name], option_facts(name)
    differing = [fact for fact in options if fact["value"] != fact["default"]]
    return [
        f"# {name}",
        "",
        f"{preset.summary[0].upper()}{preset.summary[1:]}.",
        "",
        f"- players: {accepted_by(name, 'players')}",
        f"- decks: {', '.join(map(str, preset.decks))}",
        f"- also called: {', '.join(preset.aliases)}",
        f"- environments: `durak_env.{name}_v0`, `durak/{name}-v0` (version 0: first release)",
        "",
        "## What differs from podkidnoy",
        "",
        *(f"- `{fact['name']}={format_value(fact['value'])}`" for fact in differing),
        *([] if differing else ["Nothing: this is the game that all options start from."]),
        "",
        "## Options",
        *table(
            ("option", "value here", "accepts", "meaning"),
            (
                (f"`{fact['name']}`", format_value(fact["value"]), fact["accepts"], fact["doc"])
                for fact in options
            ),
        ),
        "## Actions",
        *table(("ids", "action"), action_blocks(action_table(Rules.preset(name)))),
        "## What the sources say",
        *sources_table(cited(preset.summary)),
    ]


def action_blocks(actions: ActionTable) -> Iterator[tuple[str, str]]:
    """The first and the last action of each kind, with their ids."""
    for kind, block in groupby(actions.specs, key=lambda spec: spec.kind):
        ids = [spec.id for spec in block]
        ends = sorted({ids[0], ids[-1]})
        words = " ... ".join(map(actions.describe, ends))
        yield " ... ".join(map(str, ends)), words if words == kind else f"{kind}: {words}"


WRITERS: dict[str, Callable[[], list[str]]] = {
    "rules/statements.md": statements_page,
    "rules/coverage.md": coverage_page,
    **{f"variants/{name}.md": partial(variant_page, name) for name in PRESETS},
}


def page_text(name: str) -> str:
    """A page as it has to stand in the documentation."""
    return "\n".join(WRITERS[name]()).rstrip() + "\n"


@pytest.mark.parametrize("name", WRITERS)
def test_the_pages_are_up_to_date(name: str) -> None:
    assert (PAGES / name).read_text(encoding="utf-8") == page_text(name)


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
    for page in WRITERS:
        (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / page).write_text(page_text(page), encoding="utf-8")
