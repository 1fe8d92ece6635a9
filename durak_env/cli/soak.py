"""``durak soak``: very many random games, with every state checked."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from durak_env.cli.arena import progress_bar
from durak_env.cli.common import json_option, print_json, print_table

if TYPE_CHECKING:
    from durak_env.soak import Tally

COLUMNS = ("decisions", "unsound", "checks", "leaks", "unfinished")


@click.command()
@click.option(
    "--games", type=click.IntRange(min=1), default=100_000, show_default=True, help="In all."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all games."
)
@json_option
def soak(games: int, seed: int, as_json: bool) -> None:
    """Play random games of every variant and size and check every state.

    Counts states that break an invariant of the rules, games that do not end, and, in a sample of
    states, seats that could tell something that is hidden from them. The exit code is 1 if there is
    any.
    """
    from durak_env.soak import soak as run  # noqa: PLC0415 - compiles the engine

    with progress_bar(games, shown=not as_json) as progress:
        tallies = list(run(games, seed, progress))
    total = {name: sum(asdict(tally)[name] for tally in tallies) for name in ("games", *COLUMNS)}
    if as_json:
        print_json({"seed": seed, **total, "tables": [tally.as_json() for tally in tallies]})
    else:
        print_tallies(tallies)
        click.echo(", ".join(f"{name}: {count:,}" for name, count in total.items()))
    if not all(tally.clean for tally in tallies):
        raise SystemExit(1)


def print_tallies(tallies: list[Tally]) -> None:
    """A line for every table."""
    print_table(
        (
            "rules",
            "players",
            "games",
            "decisions",
            "unsound states",
            "leak checks",
            "leaks",
            "open",
        ),
        (
            (
                tally.rules,
                str(tally.players),
                *(f"{asdict(tally)[name]:,}" for name in ("games", *COLUMNS)),
            )
            for tally in tallies
        ),
    )
