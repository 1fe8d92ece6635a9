"""``durak bench``: how fast the environments are."""

from __future__ import annotations

import importlib
from typing import Any

import click

from durak_env.cli.common import json_option, print_json, print_table


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--all", "everything", is_flag=True, help="All, and the kernel of every variant and size."
)
@click.option("--peers", is_flag=True, help="Other environments, and how much faster ours is.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Time for each.")
@json_option
def bench(
    names: tuple[str, ...], everything: bool, peers: bool, seconds: float | None, as_json: bool
) -> None:
    """Measure how fast the environments are.

    NAME is one of the measurements, such as kernel, batched, aec, single or vector; without one all
    of ours are made. --all measures the kernel for every preset and number of players, --peers
    what is comparable in other people's environments that are installed.
    """
    if bool(names) + everything + peers > 1:
        raise click.UsageError("NAMEs, --all and --peers exclude each other")
    measure = importlib.import_module("durak_env.bench").run
    options: dict[str, Any] = {} if seconds is None else {"seconds": seconds}
    report = measure(list(names), everything=everything, with_peers=peers, **options)
    if as_json:
        print_json(report)
    else:
        print_bench(report)


def print_bench(report: dict[str, Any]) -> None:
    """The machine and the table of measurements."""
    click.echo(", ".join(f"{key}: {value}" for key, value in report["machine"].items()))
    print_table(
        ("name", "rules", "players", "games", "threads", "per second", "min - max", "ours is"),
        (
            (
                str(result["name"]),
                str(result["rules"] or "-"),
                str(result["players"] or "-"),
                str(result["games"]),
                str(result["threads"]),
                f"{result['per_second']['median']:,.0f}",
                f"{result['per_second']['min']:,.0f} - {result['per_second']['max']:,.0f}",
                f"{result['ratio']:.2g} x ({result['against']})" if "ratio" in result else "",
            )
            for result in report["results"]
        ),
    )
    for name, modules in report["missing"].items():
        click.echo(f"{name}: not measured, {', '.join(modules)} is not installed")
