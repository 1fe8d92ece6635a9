"""What a picture of a game shows, before anything is drawn: seats, piles, table and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from durak_env.cards import JOKER_RANK, RANKS, Card, Suit, lowest_rank
from durak_env.codes import CardCodes
from durak_env.engine import Phase, Reason
from durak_env.game import Game
from durak_env.rules import Rules
from durak_env.view import PlayerView

VERBS = {
    "pass": "passes",
    "take": "takes",
    "stock": "leads from the stock",
    "target": "will beat",
    "transfer": "transfers with",
    "show": "transfers by showing",
    "self": "throws in to itself",
}
"""What a seat does, by the first word of the action's notation."""

ENDINGS = {
    Reason.DURAK: "the last seat with cards",
    Reason.DRAW: "nobody has cards left",
    Reason.LAST_DEFENDER: "all hands are empty: the last defender loses",
    Reason.REPETITION: "the same position came up again",
    Reason.NO_PROGRESS: "too many bouts without a discard",
    Reason.FORFEIT: "by forfeit",
    Reason.DEAD_LEAD: "none of the leader's cards may be led",
    Reason.TRICKS: "fewer tricks lose",
}


@dataclass(frozen=True)
class SeatScene:
    """One seat: its cards that lie face up, trumps last, the number of those that do not, those
    of its row included, and the words beside its name."""

    name: str
    cards: tuple[Card, ...]
    hidden: int
    badges: tuple[str, ...]
    to_move: bool


@dataclass(frozen=True)
class Scene:
    """Everything that is in one picture.

    ``seats`` go clockwise from the one at the bottom. ``turned_up`` are the jokers that lie face up
    above the trump card, the one to be drawn first last. ``discard`` has the cards that lie face
    up, ``discarded`` the number of all.
    """

    seats: tuple[SeatScene, ...]
    table: tuple[tuple[Card, Card | None], ...]
    trump_card: Card | None
    trump: Suit | None
    stock: int
    turned_up: tuple[Card, ...]
    peek: Card | None
    discard: tuple[Card, ...]
    discarded: int
    caption: str
    title: str
    subtitle: str


def caption_of(who: str, action: str) -> str:
    """An action in words: ``caption_of("player_1", "transfer 8s")``.

    Args:
        who: the name of the seat.
        action: the notation of the action.
    """
    *words, last = action.split()
    if last in VERBS:
        return f"{who} {VERBS[last]}"
    verb = VERBS[words[0]] if words else "plays"
    return f"{who} {verb} {card_in_words(Card.parse(last))}"


def card_in_words(card: Card) -> str:
    """``10♥``, or the joker's colour."""
    if card.rank == JOKER_RANK:
        return "the red joker" if card.suit is Suit.HEARTS else "the black joker"
    return RANKS[card.rank] + card.suit.symbol


def scene_of_view(view: PlayerView, last: str = "") -> Scene:
    """What one seat sees, itself at the bottom."""
    names = ["you", *(f"player_{absolute_seat(view, seat)}" for seat in range(1, view.players))]
    shown = [view.known(seat) for seat in range(view.players)]
    return _scene(view, names, shown, last)


def scene_of_game(game: Game, last: str = "") -> Scene:
    """The table with every hand that the rules or the end of the deal lay open, seat 0 at the
    bottom; of the other hands what everybody has seen, and the actor's."""
    view = game.view(0)
    names = [f"player_{seat}" for seat in range(game.players)]
    everything = game.rules.open_hands or game.actor is None
    shown = [
        game.hand(seat) if everything or seat == game.actor else game.known(seat)
        for seat in range(game.players)
    ]
    peek = None if game.actor is None else game.view(game.actor).peek
    return replace(_scene(view, names, shown, last), peek=peek)


def _scene(view: PlayerView, names: Sequence[str], shown: Sequence[list[Card]], last: str) -> Scene:
    title, subtitle = _banner(view, names)
    return Scene(
        seats=tuple(
            _seat(view, seat, name, cards)
            for seat, (name, cards) in enumerate(zip(names, shown, strict=True))
        ),
        table=tuple(view.table),
        trump_card=view.trump_card,
        trump=view.trump,
        stock=view.stock_count,
        turned_up=_turned_up(view),
        peek=view.peek,
        discard=tuple(view.discard) if view.rules.discard_visible else (),
        discarded=len(view.discard),
        caption=last,
        title=title,
        subtitle=subtitle,
    )


def _seat(view: PlayerView, seat: int, name: str, cards: list[Card]) -> SeatScene:
    return SeatScene(
        name=name,
        cards=tuple(trumps_last(cards, view.trump, view.rules)),
        hidden=view.hand_sizes[seat] - len(cards) + sum(down for down, _ in view.row(seat)),
        badges=tuple(_badges(view, seat)),
        to_move=seat == view.actor,
    )


def _badges(view: PlayerView, seat: int) -> list[str]:
    """The role of a seat, its place once it is out, and with epaulettes its level."""
    level = int(view.record["level"][0][absolute_seat(view, seat)])
    badges = []
    if level >= 0:
        badges.append(f"level {RANKS[lowest_rank(view.rules.deck, view.rules.suits) + level]}")
    if view.rules.tricks:
        badges.append(f"tricks {view.tricks[seat]}")
    if seat == durak_of(view):
        return [*badges, "durak"]
    if seat in view.places:
        return [*badges, f"out {ordinal(view.places.index(seat) + 1)}"]
    if view.phase is Phase.OVER:
        return badges
    attacks, defends = ("leads", "answers") if view.rules.tricks else ("attacks", "defends")
    if seat == view.attacker:
        badges.append(attacks)
    if seat == view.defender:
        badges.append("takes" if view.phase is Phase.ADD else defends)
    return badges + ["to move"] * (seat == view.actor)


def _turned_up(view: PlayerView) -> tuple[Card, ...]:
    """The jokers that lie above the trump card and are not drawn yet, the next one last."""
    codes = CardCodes.of_row(view.rules, view.record[0])
    jokers = [codes.card(int(code)) for code in view.record["revealed"][0] if code >= 0]
    jokers.reverse()
    return tuple(jokers[: max(0, view.stock_count - 1)])


def _banner(view: PlayerView, names: Sequence[str]) -> tuple[str, str]:
    """How the deal ended, in large and in small letters; nothing while it goes on."""
    if view.phase is not Phase.OVER:
        return "", ""
    durak, hung = durak_of(view), int(view.record["hung"][0])
    subtitle = ENDINGS.get(Reason(int(view.record["reason"][0])), "")
    if hung >= 0:
        subtitle = f"{names[relative_seat(view, hung)]} hung epaulettes"
    if durak is None:
        return "draw", subtitle
    return f"{names[durak]} {'are' if names[durak] == 'you' else 'is'} the durak", subtitle


def durak_of(view: PlayerView) -> int | None:
    """The seat that lost, counted from the viewer; None while nobody has."""
    durak = int(view.record["durak"][0])
    return None if durak < 0 or view.phase is not Phase.OVER else relative_seat(view, durak)


def absolute_seat(view: PlayerView, seat: int) -> int:
    """A seat that is counted from the viewer, as the table counts it."""
    return (view.seat + seat) % view.players


def relative_seat(view: PlayerView, seat: int) -> int:
    """A seat of the table, counted from the viewer."""
    return (seat - view.seat) % view.players


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def trumps_last(cards: list[Card], trump: Suit | None, rules: Rules) -> list[Card]:
    """The order of a hand: plain suits, colours in turn, then a plain joker, then the trumps."""
    colours_in_turn = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
    red = (Suit.HEARTS, Suit.DIAMONDS)

    def place(card: Card) -> tuple[int, int, int]:
        joker = card.rank == JOKER_RANK
        same_colour = trump is not None and (card.suit in red) == (trump in red)
        trumps = same_colour and rules.trump_joker if joker else card.suit == trump
        group = 2 if trumps else int(joker)
        return group, colours_in_turn.index(card.suit) if group == 0 else 0, card.rank

    return sorted(cards, key=place)
