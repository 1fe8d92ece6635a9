"""The command line: ``durak variants``, ``play``, ``arena``, ``replay``, ``solve``, ``bench``
and ``soak``.

Tables go to standard output, progress and errors to standard error. With ``--json`` standard output
is exactly one JSON object. The exit code is 0, 1 where the run failed, 2 for bad usage or bad
input, and 130 after Ctrl-C; an error is one line and never a traceback.

What is heavy (the engine, the tables) is imported by the commands that need it.
"""

from __future__ import annotations

import click

from durak_env import __version__
from durak_env.cli import arena, bench, play, replay, soak, solve, variants
from durak_env.cli.variants import accepted_by, option_facts
from durak_env.cli.words import in_words
from durak_env.oneline import OneLineGroup
from durak_env.play.moves import steps

__all__ = ["accepted_by", "in_words", "main", "option_facts", "steps"]


@click.group(name="durak", cls=OneLineGroup, invoke_without_command=True)
@click.version_option(__version__, prog_name="durak", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Environments, opponents and an arena for the card game Durak."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for command in (
    variants.variants,
    play.play,
    arena.arena,
    replay.replay,
    bench.bench,
    soak.soak,
    solve.solve,
):
    main.add_command(command)
