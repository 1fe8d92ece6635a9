"""``durak arena``: how strong one opponent is against others."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from durak_env.cli.common import json_option, print_json, print_table
from durak_env.rules import Rules

if TYPE_CHECKING:
    from durak_env.arena import Pairing, Progress


@click.command()
@click.argument("a", required=False)
@click.argument("b", nargs=-1)
@click.option(
    "--ladder",
    is_flag=True,
    help="Every scripted opponent against the one below it, for all --rules and --players.",
)
@click.option(
    "--rules",
    "rules_texts",
    multiple=True,
    default=["podkidnoy"],
    show_default=True,
    help="A preset, or with options: 'podkidnoy(players=3,first_limit=none)'.",
)
@click.option("--players", type=int, multiple=True, help="Seats, instead of what the rules say.")
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Decks; each is played once per seat.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of the decks and of the opponents' chance.",
)
@json_option
def arena(
    a: str | None,
    b: tuple[str, ...],
    ladder: bool,
    rules_texts: tuple[str, ...],
    players: tuple[int, ...],
    deals: int,
    seed: int,
    as_json: bool,
) -> None:
    """Measure how strong A is against each B.

    A and B are names of opponents or paths of .onnx files, each also with +solver. Every deal is
    played with A at each seat in turn, against copies of B at all others. The score of A is its
    wins plus half the draws; for more than two players the share of games in which it was not the
    durak. The interval holds the true score with 95 % confidence. --rules and --players may be
    given several times: there is a table for each combination.
    """
    from durak_env.arena import table  # noqa: PLC0415 - compiles the engine

    if ladder == bool(a) or bool(a) != bool(b):
        raise click.UsageError("give A and one B or more, or --ladder alone")
    pairs = rungs() if ladder else [(str(a), other) for other in b]
    games = seated(rules_texts, players)
    tables = []
    with progress_bar(len(pairs) * len(games) * deals, shown=not as_json) as progress:
        for rules in games:
            pairings = table(pairs, rules, deals, seed, progress)
            tables.append((rules, pairings))
            if not as_json:
                click.echo(f"{rules}, {rules.players} players, seed {seed}")
                print_pairings(pairings)
    if as_json:
        facts = [table_facts(rules, pairings, seed) for rules, pairings in tables]
        print_json(facts[0] if len(facts) == 1 else {"tables": facts})


def rungs() -> list[tuple[str, str]]:
    """Every scripted opponent with the one below it."""
    from durak_env.opponents import SCRIPTED  # noqa: PLC0415

    names = list(SCRIPTED)
    return list(zip(names[1:], names, strict=False))


def seated(rules_texts: tuple[str, ...], players: tuple[int, ...]) -> list[Rules]:
    """All rules with all numbers of players."""
    games = [Rules.parse(text) for text in rules_texts]
    if not players:
        return games
    return [dataclasses.replace(rules, players=seats) for rules in games for seats in players]


def table_facts(rules: Rules, pairings: list[Pairing], seed: int) -> dict[str, Any]:
    """A table as JSON."""
    rows = [pairing.as_json() for pairing in pairings]
    return {"rules": str(rules), "players": rules.players, "seed": seed, "table": rows}


def print_pairings(pairings: list[Pairing]) -> None:
    """The table of an arena."""
    print_table(
        (
            *("a", "b", "score", "95 % interval", "fair", "draws", "deals", "games"),
            *("illegal a, b", "ms/decision a, b"),
        ),
        (
            (
                pairing.a,
                pairing.b,
                f"{pairing.score:.4f}",
                f"{pairing.low:.4f} - {pairing.high:.4f}",
                f"{pairing.fair:.4f}",
                f"{pairing.draw_share:.4f}",
                str(pairing.deals),
                str(pairing.games),
                ", ".join(map(str, pairing.illegal)),
                ", ".join(map(format_milliseconds, pairing.ms_per_decision)),
            )
            for pairing in pairings
        ),
    )


def format_milliseconds(milliseconds: float) -> str:
    """A time per decision for a table."""
    return "<0.001" if milliseconds < 0.001 else f"{milliseconds:.3f}"


@contextmanager
def progress_bar(total: int, *, shown: bool) -> Iterator[Progress]:
    """A bar on standard error, where that is a terminal; yields what moves it on."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    hidden = not (shown and sys.stderr.isatty())
    with Bar(console=Console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task("deals", total=total)
        yield lambda count: bar.advance(task, count)
