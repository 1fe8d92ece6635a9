"""The rules book, its pages, and which tests cite which statement and which edge case.

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
from durak_env.rulebook import (
    KINDS,
    SOURCES,
    EdgeCase,
    Statement,
    cited,
    edge_cases,
    statements,
)
from durak_env.rules import OPTIONS, PRESETS, OptionValue, describe_accepted, format_value

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs"
STATEMENT_ID = re.compile(r"\bS00\d-\d+\b")
CASE_ID = re.compile(r"\bE\d+\b")


def citations(ids: re.Pattern[str]) -> dict[str, list[str]]:
    """The files of tests that cite each of these ids; helpers and this file do not count."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted({*(ROOT / "tests").rglob("test_*.py")} - {Path(__file__)}):
        for name in ids.findall(path.read_text(encoding="utf-8")):
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
    citing = citations(STATEMENT_ID)
    wanted = [one.id for one in statements().values() if one.is_tested]
    tested = sum(name in citing for name in wanted)
    return [
        "# Coverage of the statements",
        "",
        f"{tested} of {len(wanted)} statements of the kinds rule, goal, setting and level of a",
        "computer player are cited by tests. One without a test fails the tests.",
        *table(
            ("statement", "tests"), ((name, ", ".join(citing.get(name, "-"))) for name in wanted)
        ),
    ]


def edge_cases_page() -> list[str]:
    """Every edge case, topic by topic, and the tests that cite it."""
    citing = citations(CASE_ID)
    tested = sum(name in citing for name in edge_cases())
    lines = [
        "# Edge cases",
        "",
        "Positions in which it is easy to go wrong. Unless a case says otherwise, diamonds are",
        "trumps and seat 0 leads at seat 1. What decides is a statement of the sources or an",
        "option; where an option decides, the result tells what its values lead to.",
        "",
        f"{tested} of {len(edge_cases())} cases are cited by tests. Those without a test are",
        "listed with a dash.",
    ]
    columns = ("id", "position", "result", "decided by", "tests")
    for topic, cases in groupby(edge_cases().values(), key=lambda case: case.topic):
        lines += ["", f"## {topic[0].upper()}{topic[1:]}"]
        lines += table(columns, (edge_case_row(case, citing.get(case.id, ["-"])) for case in cases))
    return lines


def edge_case_row(case: EdgeCase, tests: list[str]) -> tuple[str, ...]:
    """One edge case as a row; options are set as code."""
    deciders = (f"`{name}`" if name in OPTIONS else name for name in case.deciders)
    return case.id, case.position, case.result, ", ".join(deciders), ", ".join(tests)


def options_page() -> list[str]:
    """Every option of `Rules`, and the presets that set it."""
    return [
        "# Options",
        "",
        "Every option of `Rules`. The last column has the presets whose value is not the default;",
        "the page of a preset shows all of its values.",
        *table(
            ("option", "accepts", "default", "meaning", "presets that differ"),
            (
                (
                    f"`{name}`",
                    describe_accepted(name),
                    format_value(default),
                    OPTIONS[name].metadata["doc"],
                    ", ".join(presets_that_differ(name, default)),
                )
                for name, default in Rules().options().items()
            ),
        ),
    ]


def presets_that_differ(option: str, default: OptionValue) -> Iterator[str]:
    """The presets in which an option is not at its default, with its value there."""
    for preset in PRESETS:
        value = Rules.preset(preset).options()[option]
        if value != default:
            yield f"{preset}: {format_value(value)}"


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
    "rules/edge_cases.md": edge_cases_page,
    "rules/options.md": options_page,
    **{f"variants/{name}.md": partial(variant_page, name) for name in PRESETS},
}


def page_text(name: str) -> str:
    """A page as it has to stand in the documentation."""
    return "\n".join(WRITERS[name]()).rstrip() + "\n"


@pytest.mark.parametrize("name", WRITERS)
def test_the_pages_are_up_to_date(name: str) -> None:
    assert (PAGES / name).read_text(encoding="utf-8") == page_text(name)


def test_every_statement_is_tested() -> None:
    """All of those that a program can be right or wrong about."""
    wanted = {one.id for one in statements().values() if one.is_tested}
    assert wanted <= set(citations(STATEMENT_ID))


def test_every_edge_case_is_tested() -> None:
    assert set(edge_cases()) <= set(citations(CASE_ID))


def test_only_known_ids_are_cited() -> None:
    assert set(citations(STATEMENT_ID)) <= set(statements())
    assert set(citations(CASE_ID)) <= set(edge_cases())


def test_ids_are_numbered_without_a_gap() -> None:
    for source in SOURCES:
        numbers = [int(name.partition("-")[2]) for name in statements() if name.startswith(source)]
        assert numbers == list(range(1, len(numbers) + 1))
    assert list(edge_cases()) == [f"E{number}" for number in range(1, len(edge_cases()) + 1)]


def test_every_statement_has_a_known_kind_and_is_a_sentence() -> None:
    for one in statements().values():
        assert set(one.kind.split("/")) <= set(KINDS), one.id
        assert one.text.endswith((".", "?")), one.id


def test_every_edge_case_is_told_in_sentences() -> None:
    for case in edge_cases().values():
        assert case.position.endswith((".", "?")), case.id
        assert case.result.endswith("."), case.id


def test_known_statements_and_options_decide_edge_cases() -> None:
    for case in edge_cases().values():
        assert set(case.deciders) <= {*statements(), *OPTIONS}, case.id


def test_every_topic_of_edge_cases_stands_together() -> None:
    topics = [topic for topic, _ in groupby(case.topic for case in edge_cases().values())]
    assert len(topics) == len(set(topics)) == 11


if __name__ == "__main__":
    for page in WRITERS:
        (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / page).write_text(page_text(page), encoding="utf-8")
