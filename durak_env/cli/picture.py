"""The table of ``durak play`` as the person sees it, drawn with rich."""

from __future__ import annotations

from collections.abc import Iterable

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from durak_env.cards import Card
from durak_env.cli.common import output_width
from durak_env.cli.words import bout_name, cards, first_lead, role, seat_name, what_happened, won
from durak_env.play.choice import Order, sort_key
from durak_env.play.session import Session
from durak_env.render.text import place_text, trump_text

RANK = r"\b(?:10|[2-9JQKA])"
RED_CARDS = rf"{RANK}[hd]\b|\*r"


class Picture:
    """Draws a session on standard output."""

    def __init__(self, session: Session, *, open_hands: bool) -> None:
        self.session = session
        self.open_hands = open_hands or session.setup.rules.open_hands
        trump = session.game.trump
        self.trumps = None if trump is None else rf"{RANK}{trump.letter}\b"
        self.console = Console(width=output_width())

    def paint(self, line: str, style: str = "") -> Text:
        """A text in which red cards are red and trumps are underlined."""
        text = Text(line, style)
        text.highlight_regex(RED_CARDS, "red")
        if self.trumps is not None:
            text.highlight_regex(self.trumps, "bold underline")
        return text

    def say(self, line: str, style: str = "") -> None:
        """Print a text."""
        self.console.print(self.paint(line, style))

    def line(self, heading: str) -> None:
        """A line across the screen that begins with a heading."""
        self.console.print()
        self.console.rule(f"[bold]{heading}", align="left", style="dim")

    def draw(self, order: Order, offered: Iterable[str], question: str) -> None:
        """The bout, the table, the seats, and what the person may do."""
        self.line(bout_name(self.session.game).lower())
        self.say(self.piles())
        self.console.print(self.seats(order))
        self.say(f"table: {self.table()}")
        self.console.print()
        self.say(f"{question}:", "bold")
        self.console.print(Padding(self.choices(offered), (0, 0, 0, 2)))

    def choices(self, offered: Iterable[str]) -> Columns:
        """What the person may do, numbered."""
        numbered = [
            Text(f"{number} ", "cyan") + self.paint(text)
            for number, text in enumerate(offered, start=1)
        ]
        return Columns(numbered, padding=(0, 3))

    def tell_news(self) -> None:
        """What has happened since the person's last move, and before it who led and why."""
        game, own = self.session.game, self.session.seat
        if game.announced is not None and not self.session.has_moved:
            self.say(first_lead(game, own))
        for move in self.session.news:
            for line in what_happened(move, own):
                self.say(line)

    def tell_end(self, ending: str) -> None:
        """How the game ended."""
        self.line("the end")
        self.say(ending, "bold")

    def piles(self) -> str:
        """Trump, stock and discard."""
        view = self.session.view
        if view.rules.tricks:
            return f"{trump_text(view)}   tricks {won(self.session.game, self.session.seat)}"
        discard = cards(view.discard) if view.rules.discard_visible else str(len(view.discard))
        parts = [trump_text(view), f"stock {view.stock_count}"]
        if turned_up := self.session.turned_up:
            parts.append(f"turned up {cards(turned_up)}")
        parts.append(f"discard {discard}")
        if view.rules.epaulettes:
            parts.append(f"ranks to hang: {self.levels()}")
        return "   ".join(parts)

    def levels(self) -> str:
        """The rank that every seat has to hang (P37)."""
        levels, own = self.session.levels, self.session.seat
        return ", ".join(f"{seat_name(seat, own)} {rank}" for seat, rank in enumerate(levels))

    def table(self) -> str:
        """The attack cards, each with its cover."""
        pairs = (f"{attack}/{cover or '-'}" for attack, cover in self.session.view.table)
        return "  ".join(pairs) or "empty"

    def seats(self, order: Order) -> Table:
        """Every seat from the person's left on, the person last."""
        grid = Table.grid(padding=(0, 2))
        for _ in range(4):
            grid.add_column(no_wrap=True)
        grid.add_column()
        for seat in [*self.session.setup.other_seats, self.session.seat]:
            grid.add_row(*map(self.paint, self.seat_row(seat, order)))
        return grid

    def seat_row(self, seat: int, order: Order) -> tuple[str, ...]:
        """Who sits there, its role, how many cards it has, and those that the person knows."""
        session, own = self.session, self.session.seat
        name = "" if seat == own else session.opponents[seat].name
        count = len(session.game.hand(seat))
        size = f"{count} card{'s' * (count != 1)}"
        part = role(session.game, seat)
        return seat_name(seat, own), name, part, size, self.hand(seat, order)

    def hand(self, seat: int, order: Order) -> str:
        """The cards of a seat that the person knows, sorted, and how many it does not know."""
        game = self.session.game
        is_open = self.open_hands or seat == self.session.seat
        known = game.hand(seat) if is_open else game.known(seat)
        if game.rules.tricks:
            return self.row_and_hand(seat, order, known)
        known = sorted(known, key=sort_key(order, game.trump))
        hidden = len(game.hand(seat)) - len(known)
        return " ".join([*map(str, known), *([f"+ {hidden} unknown"] if known and hidden else [])])

    def row_and_hand(self, seat: int, order: Order, cards_seen: list[Card]) -> str:
        """The row of a seat in a game of tricks, and what else the person knows of its cards."""
        session = self.session
        view = session.view
        row = view.row((seat - session.seat) % view.players)
        held = [card for card in cards_seen if card not in session.game.known(seat)]
        held = sorted(held, key=sort_key(order, session.game.trump))
        places = " ".join(place_text(covered, up) for covered, up in row)
        return places + (f"   hand {cards(held)}" if held else "")
