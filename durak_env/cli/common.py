"""What the commands share: the option ``--json``, and how JSON and tables are printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

PIPE_WIDTH = 120
"""Columns of a table that no terminal limits."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def print_json(facts: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(facts, indent=2))


def print_text(text: str) -> None:
    """A sentence on standard output, broken between words."""
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    Console(width=output_width()).print(Text(text))


def output_width() -> int | None:
    """The columns of standard output; None: as many as the terminal has."""
    return None if sys.stdout.isatty() else PIPE_WIDTH


def print_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """A table on standard output."""
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == "option")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=output_width()).print(table)
