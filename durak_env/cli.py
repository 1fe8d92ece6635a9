"""The command line: ``durak variants``, ``durak arena``, ``durak replay``, ``durak bench``.

Tables go to standard output, progress and errors to standard error. With ``--json`` standard output
is exactly one JSON object. The exit code is 0, 1 where the run failed, 2 for bad usage or bad
input, and 130 after Ctrl-C; an error is one line and never a traceback.

What is heavy (the engine, the tables) is imported by the commands that need it.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import click

from durak_env import __version__
from durak_env.errors import DurakError, NotationError
from durak_env.oneline import OneLineGroup
from durak_env.rulebook import cited
from durak_env.rules import (
    OPTIONS,
    PRESETS,
    OptionValue,
    Rules,
    describe_accepted,
    find_preset,
    format_value,
)

if TYPE_CHECKING:
    from durak_env.arena import Pairing, Progress
    from durak_env.cards import Card
    from durak_env.game import Action, Game

PIPE_WIDTH = 120
"""Columns of a table that no terminal limits."""


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(name="durak", cls=OneLineGroup, invoke_without_command=True)
@click.version_option(__version__, prog_name="durak", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Environments, opponents and an arena for the card game Durak."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# --- variants ---------------------------------------------------------------------------------


@main.command()
@click.argument("name", required=False)
@json_option
def variants(name: str | None, as_json: bool) -> None:
    """List the presets, or every option of one.

    NAME is a preset or one of its aliases.
    """
    preset = None if name is None else find_preset(name)
    if as_json:
        chosen = list(PRESETS) if preset is None else [preset]
        facts = [variant_facts(variant) for variant in chosen]
        if preset is not None:
            facts[0]["options"] = option_facts(preset)
            facts[0]["statements"] = list(map(dataclasses.asdict, cited(PRESETS[preset].summary)))
        print_json({"variants": facts})
    elif preset is None:
        print_variants()
    else:
        print_variant(preset)


def variant_facts(name: str) -> dict[str, Any]:
    """What scripts are told about a preset."""
    preset = PRESETS[name]
    return {
        "name": name,
        "players": list(preset.players),
        "decks": list(preset.decks),
        "aliases": list(preset.aliases),
    }


def option_facts(variant: str) -> list[dict[str, OptionValue]]:
    """Every option of a preset: its value here, the default, what it accepts, what it means."""
    default = Rules().options()
    return [
        {
            "name": name,
            "value": value,
            "default": default[name],
            "accepts": accepted_by(variant, name),
            "doc": OPTIONS[name].metadata["doc"],
        }
        for name, value in Rules.preset(variant).options().items()
    ]


def accepted_by(variant: str, option: str) -> str:
    """What an option of a preset accepts, in words; presets differ in the number of players."""
    if option != "players":
        return describe_accepted(option)
    low, high = PRESETS[variant].players
    return f"{low} to {high}"


def print_variants() -> None:
    """The table of all presets."""
    print_table(
        ("name", "players", "decks", "aliases", "what it is"),
        (
            (
                name,
                "-".join(map(str, preset.players)),
                " ".join(map(str, preset.decks)),
                ", ".join(preset.aliases),
                preset.summary,
            )
            for name, preset in PRESETS.items()
        ),
    )


def print_variant(name: str) -> None:
    """A preset, the table of its options, and what its sources say."""
    preset = PRESETS[name]
    click.echo(f"{name}: {preset.summary}")
    click.echo(f"aliases: {', '.join(preset.aliases)}")
    print_table(
        ("option", "value", "default", "accepts", "what it means"),
        (
            (
                str(fact["name"]),
                format_value(fact["value"]),
                format_value(fact["default"]),
                str(fact["accepts"]),
                str(fact["doc"]),
            )
            for fact in option_facts(name)
        ),
    )
    click.echo()
    print_table(
        ("statement", "what the source says"),
        ((one.id, one.text) for one in cited(preset.summary)),
    )


# --- arena ------------------------------------------------------------------------------------


@main.command()
@click.argument("a")
@click.argument("b", nargs=-1, required=True)
@click.option(
    "--rules",
    "rules_text",
    default="podkidnoy",
    show_default=True,
    help="A preset, or with options: 'podkidnoy(players=3,first_limit=none)'.",
)
@click.option("--players", type=int, help="Number of seats, instead of what the rules say.")
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
    a: str,
    b: tuple[str, ...],
    rules_text: str,
    players: int | None,
    deals: int,
    seed: int,
    as_json: bool,
) -> None:
    """Measure how strong A is against each B.

    A and B are names of opponents or paths of .onnx files. Every deal is played with A at each seat
    in turn, against copies of B at all others. The score of A is its wins plus half the draws; for
    more than two players the share of games in which it was not the durak. The interval holds the
    true score with 95 % confidence.
    """
    from durak_env.arena import table  # noqa: PLC0415 - compiles the engine

    rules = Rules.parse(rules_text)
    if players is not None:
        rules = dataclasses.replace(rules, players=players)
    with progress_bar(len(b) * deals, shown=not as_json) as progress:
        pairings = table([(a, other) for other in b], rules, deals, seed, progress)
    if as_json:
        rows = [pairing.as_json() for pairing in pairings]
        head = {"rules": str(rules), "players": rules.players, "seed": seed}
        print_json({**head, "table": rows})
    else:
        click.echo(f"{rules}, {rules.players} players, seed {seed}")
        print_pairings(pairings)


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


# --- replay -----------------------------------------------------------------------------------


@main.command()
@click.argument("file", type=click.File("r", encoding="utf-8"))
@json_option
def replay(file: TextIO, as_json: bool) -> None:
    """Show a game move by move.

    FILE holds a transcript, as Game.transcript() writes it; - is standard input.
    """
    game = read_transcript(file)
    if as_json:
        print_json(game_facts(game))
    else:
        print_game(game)


def read_transcript(file: TextIO) -> Game:
    """The game of a transcript.

    Raises:
        DurakError: the text is no transcript, or its game breaks the rules; the message names the
            file.
    """
    from durak_env.game import Game  # noqa: PLC0415 - compiles the engine

    try:
        return Game.from_transcript(file.read())
    except UnicodeDecodeError:
        raise NotationError(f"{file.name}: this is no text in UTF-8") from None
    except DurakError as error:
        raise type(error)(f"{file.name}: {error}") from None


def steps(game: Game) -> Iterator[tuple[Game, Action]]:
    """Every action so far, each with the game as it stood before it (one object, played on)."""
    start, _, _ = game.transcript().rpartition("actions:")
    replayed = game.from_transcript(start)
    for action in game.history:
        yield replayed, action
        replayed.play(action)


def game_facts(game: Game) -> dict[str, Any]:
    """What scripts are told about a game."""
    moves = [
        {
            "number": number,
            "bout": before.bout,
            "seat": before.actor,
            "phase": before.phase.name.lower(),
            "action": str(action),
        }
        for number, (before, action) in enumerate(steps(game), start=1)
    ]
    outcome = game.outcome
    return {
        "rules": str(game.rules),
        "players": game.players,
        "trump": str(game.trump_card),
        "moves": moves,
        "actor": game.actor,
        "outcome": None if outcome is None else dataclasses.asdict(outcome),
    }


def print_game(game: Game) -> None:
    """The game move by move, with all hands at the start of every bout, and how it ended."""
    click.echo(f"{game.rules}, {game.players} players, trump {game.trump_card}")
    bout = None
    for number, (before, action) in enumerate(steps(game), start=1):
        if before.bout != bout:
            bout = before.bout
            click.echo(bout_heading(before))
        click.echo(f"{number:4}. seat {before.actor} {in_words(before, action)}")
    click.echo(f"\n{closing_words(game)}")


def bout_heading(game: Game) -> str:
    """Who leads and who defends, and the cards of everybody."""
    lines = [
        f"\nBout {game.bout}: seat {game.leader} leads, seat {game.defender} defends, "
        f"{len(game.stock)} cards in the stock"
    ]
    lines += [f"      seat {seat}: {cards(game.hand(seat))}" for seat in range(game.players)]
    if game.table:
        lines.append("      table: " + " ".join(f"{a}/{c or '-'}" for a, c in game.table))
    return "\n".join(lines)


def cards(hand: list[Card]) -> str:
    """A hand as text."""
    return " ".join(map(str, hand)) or "no cards"


VERBS = {
    "take": "takes",
    "pass": "passes",
    "target": "turns to",
    "transfer": "transfers with",
    "show": "transfers by showing",
    "self": "throws in to itself:",
}
"""What a seat does by an action of this kind, whatever the phase."""


def in_words(game: Game, action: Action) -> str:
    """What an action does in this position: ``beats 8c with 9c``."""
    if action.kind in VERBS:
        return f"{VERBS[action.kind]} {action.card or ''}".rstrip()
    if action.kind == "stock":
        return f"leads from the stock: {game.stock[0]}"
    verbs = {"LEAD": "leads", "THROW": "throws in", "ADD": "adds"}
    if game.phase.name in verbs:
        return f"{verbs[game.phase.name]} {action.card}"
    beaten = game.view(game.defender).record[0]["target_card"]
    return f"beats {game.codes.card(int(beaten))} with {action.card}"


def closing_words(game: Game) -> str:
    """How the game ended, or who is asked."""
    outcome = game.outcome
    if outcome is None:
        return f"The game goes on: seat {game.actor} is asked ({game.phase.name.lower()})."
    loser = "Nobody" if outcome.durak is None else f"Seat {outcome.durak}"
    places = ", ".join(map(str, outcome.places)) or "nobody"
    reason = "" if outcome.reason == "durak" else f" ({outcome.reason.replace('_', ' ')})"
    hung = "" if outcome.hung is None else f" Seat {outcome.hung} hung epaulettes on it."
    return f"{loser} is the durak{reason}. Places: {places}.{hung}"


# --- bench ------------------------------------------------------------------------------------


@main.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--all", "everything", is_flag=True, help="All, and the kernel of every variant and size."
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Time for each.")
@json_option
def bench(names: tuple[str, ...], everything: bool, seconds: float | None, as_json: bool) -> None:
    """Measure how fast the environments are.

    NAME is one of the measurements, such as kernel, batched, aec, single or vector; without one all
    are made. --all measures the kernel for every preset and number of players.
    """
    if everything and names:
        raise click.UsageError("--all and a NAME exclude each other")
    measure = importlib.import_module("durak_env.bench").run
    options = {} if seconds is None else {"seconds": seconds}
    report = measure(list(names), everything=everything, **options)
    if as_json:
        print_json(report)
    else:
        print_bench(report)


def print_bench(report: dict[str, Any]) -> None:
    """The machine and the table of measurements."""
    click.echo(", ".join(f"{key}: {value}" for key, value in report["machine"].items()))
    print_table(
        ("name", "rules", "players", "games", "threads", "per second", "min - max"),
        (
            (
                str(result["name"]),
                str(result["rules"] or "-"),
                str(result["players"] or "-"),
                str(result["games"]),
                str(result["threads"]),
                f"{result['per_second']['median']:,.0f}",
                f"{result['per_second']['min']:,.0f} - {result['per_second']['max']:,.0f}",
            )
            for result in report["results"]
        ),
    )


# --- output -----------------------------------------------------------------------------------


def print_json(facts: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(facts, indent=2))


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
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)


if __name__ == "__main__":
    main(prog_name="durak")
