"""``durak replay``: a game move by move."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TextIO

import click

from durak_env.cli.common import json_option, print_json
from durak_env.cli.words import bout_name, cards, closing_words, in_words, trump_words, won
from durak_env.errors import DurakError, NotationError
from durak_env.play.moves import steps

if TYPE_CHECKING:
    from durak_env.game import Game


@click.command()
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
        "trump": None if game.trump_card is None else str(game.trump_card),
        "moves": moves,
        "actor": game.actor,
        "outcome": None if outcome is None else dataclasses.asdict(outcome),
    }


def print_game(game: Game) -> None:
    """The game move by move, with all hands at the start of every bout, and how it ended."""
    click.echo(f"{game.rules}, {game.players} players, {trump_words(game)}")
    bout = None
    for number, (before, action) in enumerate(steps(game), start=1):
        if before.bout != bout:
            bout = before.bout
            click.echo(bout_heading(before))
        click.echo(f"{number:4}. seat {before.actor} {in_words(before, action)}")
    click.echo(f"\n{closing_words(game)}")


def bout_heading(game: Game) -> str:
    """Who leads and who defends, and the cards of everybody."""
    piles = f"tricks {won(game)}" if game.rules.tricks else f"{len(game.stock)} cards in the stock"
    lines = [
        f"\n{bout_name(game)}: seat {game.leader} leads, "
        f"seat {game.defender} {'answers' if game.rules.tricks else 'defends'}, {piles}"
    ]
    lines += [f"      seat {seat}: {cards(game.hand(seat))}" for seat in range(game.players)]
    if game.table:
        lines.append("      table: " + " ".join(f"{a}/{c or '-'}" for a, c in game.table))
    return "\n".join(lines)
