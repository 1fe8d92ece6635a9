"""Command lines whose every expected failure is one line on standard error and an exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from durak_env.errors import DurakError

RUN_FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


class OneLineErrors(click.Command):
    """A command that says in one line what is wrong, and never shows a traceback for it.

    The exit code is 2 for bad usage or bad input, 1 where the run failed, and 130 after Ctrl-C.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and exit, as `click.Command.main` does."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # what it cannot write becomes a question mark
                stream.reconfigure(errors="replace")
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            self.fail(error.format_message(), error.exit_code)
        except DurakError as error:
            self.fail(str(error), BAD_INPUT)
        except ImportError as error:
            self.fail(f"this needs what is not installed: {error}", RUN_FAILED)
        except OSError as error:
            self.fail(str(error), RUN_FAILED)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            click.echo(f"{self.name}: {str(interrupt) or 'interrupted'}", err=True)
            sys.exit(INTERRUPTED)

    def fail(self, message: str, code: int) -> NoReturn:
        """Say in one line what is wrong, and exit."""
        click.echo(f"{self.name}: error: {' '.join(message.split())}", err=True)
        sys.exit(code)


class OneLineGroup(OneLineErrors, click.Group):
    """Several such commands."""
