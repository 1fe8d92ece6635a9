"""``durak solve``: what an endgame is worth, exactly."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from durak_env.cli.common import json_option, print_json, print_table
from durak_env.rules import Rules

if TYPE_CHECKING:
    from durak_env.solver import Solution
    from durak_env.solver.figures import Figure

VALUES = {1: "wins", 0: "draws", -1: "loses", None: "not solved"}


@click.command()
@click.argument("position", required=False)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="Budget of each search, in positions with a choice.",
)
@click.option("--figures", is_flag=True, help="What endgames of self-play cost, by their size.")
@click.option("--opponent", default="hard", show_default=True, help="Who plays for --figures.")
@click.option(
    "--rules", "rules_text", default="podkidnoy", show_default=True, help="The game of --figures."
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Deals of --figures.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of these deals."
)
@json_option
def solve(
    position: str | None,
    nodes: int,
    figures: bool,
    opponent: str,
    rules_text: str,
    deals: int,
    seed: int,
    as_json: bool,
) -> None:
    """Solve the endgame POSITION, as 'durak replay' and Game.position() write it.

    Two seats must be left and the stock empty. Prints what the seat that is asked can force, best
    play to the end, and the same for every action. In one line the fields of a position are parted
    by semicolons.
    """
    if (position is None) != figures:
        raise click.UsageError("give either a POSITION or --figures")
    if position is None:
        report_figures(opponent, Rules.parse(rules_text), deals, seed, nodes, as_json)
    else:
        report_solution(position, nodes, as_json)


def report_solution(position: str, nodes: int, as_json: bool) -> None:
    """Solve a position and print it."""
    from durak_env.game import Game  # noqa: PLC0415 - compiles the engine
    from durak_env.solver import solve as search  # noqa: PLC0415

    game = Game.from_position(position)
    began = perf_counter()
    solution = search(game, nodes)
    seconds = perf_counter() - began
    facts: dict[str, Any] = {
        "seat": game.actor,
        "value": solution.value,
        "best": solution.best,
        "values": solution.values,
        "line": list(solution.line),
        "nodes": solution.nodes,
        "seconds": seconds,
    }
    if as_json:
        print_json(facts)
    else:
        print_solution(game.actor, solution, seconds)


def print_solution(seat: int | None, solution: Solution, seconds: float) -> None:
    """What a seat can force, and how."""
    click.echo(f"seat {seat} {VALUES[solution.value]}")
    if solution.line:
        click.echo(f"best play: {', '.join(solution.line)}")
    rows = sorted(
        solution.values.items(), key=lambda item: -2 if item[1] is None else item[1], reverse=True
    )
    print_table(("action", "seat " + str(seat)), ((text, VALUES[value]) for text, value in rows))
    click.echo(f"{solution.nodes:,} nodes, {1000 * seconds:.1f} ms")


def report_figures(
    opponent: str, rules: Rules, deals: int, seed: int, nodes: int, as_json: bool
) -> None:
    """Measure the solver on the endgames of an opponent's self-play and print the table."""
    from durak_env.opponents import resolve  # noqa: PLC0415 - compiles the engine
    from durak_env.solver.figures import first_endgames, measure  # noqa: PLC0415

    endgames = first_endgames(resolve(opponent, rules).act, rules, deals, seed)
    measured = measure(endgames, rules, nodes)
    if as_json:
        head = {"opponent": opponent, "rules": str(rules), "deals": deals, "seed": seed}
        print_json({**head, "nodes": nodes, "table": [asdict(one) for one in measured]})
    else:
        click.echo(f"{rules}, {len(endgames)} endgames of {opponent}, seed {seed}, {nodes:,} nodes")
        print_figures(measured)


def print_figures(figures: list[Figure]) -> None:
    """A line for every number of cards."""
    columns = ("cards", "positions", "nodes median", "mean", "95 %", "ms median", "mean", "95 %")
    print_table(
        (*columns, "in 100 ms"),
        (
            (
                str(one.cards),
                str(one.positions),
                f"{one.nodes_median:,.0f}",
                f"{one.nodes_mean:,.0f}",
                f"{one.nodes_p95:,.0f}",
                f"{one.ms_median:.3f}",
                f"{one.ms_mean:.3f}",
                f"{one.ms_p95:.3f}",
                f"{one.solved:.3f}",
            )
            for one in figures
        ),
    )
