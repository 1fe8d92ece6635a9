"""``durak play``: a person against opponents."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durak_env.cli.common import print_table, print_text
from durak_env.cli.words import names
from durak_env.errors import DurakError
from durak_env.rules import Rules

if TYPE_CHECKING:
    from durak_env.play.session import Session
    from durak_env.play.store import Store

RULES = "podkidnoy"
OPPONENTS = ("greedy",)
SEEDS = 2**32
"""Seeds that nobody gave are below this: short enough to type again."""


@dataclass(frozen=True)
class Wanted:
    """What the command line says about the game; None where it says nothing."""

    rules: Rules | None
    opponents: tuple[str, ...]
    seat: int | None
    seed: int | None


@click.command()
@click.argument("rules_text", metavar="[RULES]", required=False)
@click.option(
    *("--opponent", "-o", "opponents"),
    multiple=True,
    metavar="NAME",
    help="An opponent or an .onnx file: one for all seats, or once per seat, from your left. "
    "[default: greedy]",
)
@click.option("--seat", type=click.IntRange(min=0), help="Your seat. [default: 0]")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Of the deck and of the opponents' chance. [default: a new one]",
)
@click.option(
    *("--sort", "order"),
    type=click.Choice(["rank", "suit"]),
    default="rank",
    show_default=True,
    help="How your hand is sorted.",
)
@click.option("--open", "open_hands", is_flag=True, help="Show the hands of the opponents.")
@click.option(
    *("--file", "path"),
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the game is kept. [default: in your data folder]",
)
@click.option("--new", "anew", is_flag=True, help="Begin anew, even if a game is saved.")
@click.option("--stats", is_flag=True, help="Show how your games ended, and end.")
def play(
    rules_text: str | None,
    opponents: tuple[str, ...],
    seat: int | None,
    seed: int | None,
    order: str,
    open_hands: bool,
    path: Path | None,
    anew: bool,
    stats: bool,
) -> None:
    """Play a game yourself.

    RULES is a preset, or with options: 'perevodnoy(players=3)'; podkidnoy if absent. The game is
    saved at every move: stop whenever you like, and durak play goes on with it.
    """
    from durak_env.cli.dialog import Dialog  # noqa: PLC0415 - compiles the engine
    from durak_env.play.choice import Order  # noqa: PLC0415
    from durak_env.play.store import Store  # noqa: PLC0415

    store = Store(path)
    if stats:
        print_statistics(store)
        return
    rules = None if rules_text is None else Rules.parse(rules_text)
    store.statistics()  # so that a damaged file is told of before the game and not after it
    session = open_session(store, Wanted(rules, whole_paths(opponents), seat, seed), anew)
    Dialog(session, store, Order(order), open_hands=open_hands).run()


def whole_paths(opponents: tuple[str, ...]) -> tuple[str, ...]:
    """The opponents, files by their whole paths: a saved game goes on in any folder."""
    return tuple(
        str(Path(name).resolve()) if name.endswith(".onnx") else name for name in opponents
    )


def open_session(store: Store, wanted: Wanted, anew: bool) -> Session:
    """The saved game, or a new one.

    Raises:
        DurakError: the saved game is damaged, or there are no such rules, opponents or seat.
        UsageError: the saved game is another one than is wanted.
    """
    saved = None if anew else load(store)
    if saved is None:
        session = new_session(wanted)
        print_text(f"A new game: {title(session)}.")
        return session
    if not is_wanted(saved, wanted):
        raise click.UsageError(
            f"{store.path} holds another game ({title(saved)}): "
            "go on with it by 'durak play', or give --new to begin anew"
        )
    print_text(f"The saved game goes on: {title(saved)}.")
    return saved


def load(store: Store) -> Session | None:
    """The saved game, if there is one; what is wrong with it comes with what to do."""
    try:
        return store.load()
    except DurakError as error:
        raise type(error)(f"{error}; give --new to begin anew") from None


def new_session(wanted: Wanted) -> Session:
    """Deal the game that is wanted."""
    from durak_env.play.session import Session, Setup, for_every_seat  # noqa: PLC0415

    rules = wanted.rules or Rules.parse(RULES)
    opponents = for_every_seat(wanted.opponents or OPPONENTS, rules)
    seed = secrets.randbelow(SEEDS) if wanted.seed is None else wanted.seed
    return Session(Setup(rules, opponents, wanted.seat or 0, seed))


def is_wanted(saved: Session, wanted: Wanted) -> bool:
    """Whether the command line says nothing else than the saved game."""
    from durak_env.play.session import for_every_seat  # noqa: PLC0415

    setup = saved.setup
    opponents = for_every_seat(wanted.opponents, setup.rules) or setup.opponents
    return (
        wanted.rules in (None, setup.rules)
        and opponents == setup.opponents
        and wanted.seat in (None, setup.seat)
        and wanted.seed in (None, setup.seed)
    )


def title(session: Session) -> str:
    """The game in a few words."""
    setup = session.setup
    return f"{setup.rules} against {names(setup.opponents)}, seat {setup.seat}, seed {setup.seed}"


def print_statistics(store: Store) -> None:
    """How the games ended, for each rules; a streak is won in a row."""
    tallies = store.statistics()
    if not tallies:
        print_text("You have finished no game yet.")
        return
    print_table(
        ("rules", "games", "won", "lost", "drawn", "share", "streak", "longest"),
        (
            (
                tally.rules,
                *map(str, (tally.games, tally.won, tally.lost, tally.drawn)),
                *map(str, (tally.share, tally.streak, tally.longest)),
            )
            for tally in tallies
        ),
    )
