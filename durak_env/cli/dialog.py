"""The dialog of ``durak play``: it draws, reads, and carries out what was typed."""

from __future__ import annotations

import contextlib
import importlib
import sys

import click

from durak_env.cli.common import print_text
from durak_env.cli.picture import Picture
from durak_env.cli.words import QUESTIONS, ending, offer
from durak_env.errors import DurakError
from durak_env.game import Action
from durak_env.play.choice import Order, Use, options, uses_of
from durak_env.play.session import ADVISER, Session
from durak_env.play.store import Store, Tally

HELP = """\
a number        the move with that number
8s              what this card can do; 10h, Qd, *r and *b (jokers) are cards too
done, take      lay no more cards (pass is the same); take up the table
transfer 8s     where the rules have it; also show 8d, self 8s, target 8s, stock
hint            what a plain player would do
sort            sort the hand by suit, or by rank again
quit            stop; the game is saved, and durak play goes on with it"""


class Dialog:
    """One game in the terminal, to its end or to where the person stops."""

    def __init__(self, session: Session, store: Store, order: Order, *, open_hands: bool) -> None:
        self.session = session
        self.store = store
        self.order = order
        self.picture = Picture(session, open_hands=open_hands)
        self.offered: list[Action] = []

    def run(self) -> None:
        """Play. The end of the input and Ctrl-C stop the game as ``quit`` does."""
        read_lines_with_editing()
        try:
            self.play()
        except (EOFError, KeyboardInterrupt):
            click.echo(f"\nSaved in {self.store.path}; start again to go on.")

    def play(self) -> None:
        """Take turns until the game is over."""
        self.wait_for_opponents()
        while self.session.is_asked:
            self.draw()
            for action in self.ask().actions:
                self.session.play(action)
                self.store.save(self.session)
            self.wait_for_opponents()
        self.picture.tell_end(ending(self.session.game, self.session.seat))
        print_text(tally_words(self.store.finish(self.session)))

    def wait_for_opponents(self) -> None:
        """Let the opponents move until the person is asked, saving each move, and tell of them."""
        self.store.save(self.session)
        while self.session.let_opponent_move():
            self.store.save(self.session)
        self.picture.tell_news()

    def draw(self) -> None:
        """Show the table and number what the person may do."""
        game = self.session.game
        self.offered = options(game, self.order)
        question = QUESTIONS[game.phase.name]
        self.picture.draw(self.order, [offer(game, action) for action in self.offered], question)

    # --- what the person types --------------------------------------------------------------

    def ask(self) -> Use:
        """Read until one thing to do is meant."""
        uses: list[Use] = []
        while True:
            text = " ".join(read_line().split())
            named = [use for use in uses if use.is_named(text)]
            try:
                uses = named or self.understand(text)
            except DurakError as error:
                self.picture.say(f"{str(error)[0].upper()}{str(error)[1:]}.")
                continue
            if len(uses) == 1:
                return uses[0]
            if uses:
                self.picture.say(self.which(text, uses))

    def understand(self, text: str) -> list[Use]:
        """Carry out a command; of anything else, all that it can mean.

        Raises:
            DurakError: it means nothing.
            EOFError: the person stops.
        """
        match text.lower():
            case "":
                return []
            case "quit":
                raise EOFError
            case "help":
                self.picture.say(HELP)
            case "hint":
                self.picture.say(self.hint())
            case "sort":
                self.order = Order.SUIT if self.order is Order.RANK else Order.RANK
                self.draw()
            case _:
                return uses_of(text, self.session.game, self.offered)
        return []

    def hint(self) -> str:
        """The move of a plain player, with its number."""
        action = self.session.hint()
        number = self.offered.index(action) + 1
        return f"{ADVISER.name} would choose {number}: {offer(self.session.game, action)}"

    def which(self, text: str, uses: list[Use]) -> str:
        """Ask what a card shall do, in one line."""
        game = self.session.game
        meanings = [
            f"{use.number} beat {use.action.card}"
            if use.cover
            else f"{use.number} {offer(game, use.action)}"
            for use in uses
        ]
        return f"{text} can mean {', '.join(meanings[:-1])} or {meanings[-1]}: type the number."


def read_line() -> str:
    """One line of input; what comes from a file is shown, as what is typed is."""
    line = input("> ")
    if not sys.stdin.isatty():
        click.echo(line)
    return line


def read_lines_with_editing() -> None:
    """Let the arrow keys edit what is typed, where the system can."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")


def tally_words(tally: Tally) -> str:
    """How all games under these rules ended."""
    games = f"{tally.games} game{'s' * (tally.games != 1)}"
    return (
        f"{tally.rules}: {games}, {tally.won} won ({tally.share}), {tally.lost} lost, "
        f"{tally.drawn} drawn; won in a row: {tally.streak}, at most {tally.longest}."
    )
