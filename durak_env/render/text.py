"""A game as a few lines of text, from one seat's point of view or with everything open."""

from __future__ import annotations

from durak_env.cards import Card, format_cards
from durak_env.game import Game
from durak_env.view import PlayerView


def render_view(view: PlayerView) -> str:
    """What one seat sees. Cards that it has not seen are only counted."""
    lines = [table_lines(view)]
    for seat in range(view.players):
        known = view.known(seat)
        hidden = view.hand_sizes[seat] - len(known)
        cards = format_cards(known) + (f" +{hidden} hidden" if hidden else "")
        lines.append(f"{seat_label(view, seat)}: {cards.strip() or 'no cards'}")
    if view.legal_actions():
        lines.append("may: " + ", ".join(view.legal_actions()))
    return "\n".join(lines)


def render_game(game: Game) -> str:
    """The table with every hand that the rules or the end of the deal lay open.

    With ``open_hands`` every hand is shown; otherwise only the actor's, and of the others what
    everybody has seen. ``discard_visible`` shows the discarded cards instead of their number.
    """
    viewer = 0 if game.actor is None else game.actor
    view = game.view(viewer)
    lines = [table_lines(view)]
    for seat in range(game.players):
        open_hand = game.rules.open_hands or game.actor is None or seat == viewer
        cards = game.hand(seat) if open_hand else game.known(seat)
        hidden = len(game.hand(seat)) - len(cards)
        label = seat_label(view, (seat - viewer) % game.players, absolute=seat)
        text = format_cards(cards) + (f" +{hidden} hidden" if hidden else "")
        lines.append(f"{label}: {text.strip() or 'no cards'}")
    lines.append(closing_line(game))
    return "\n".join(lines)


def closing_line(game: Game) -> str:
    """What the actor may do, or how the deal ended."""
    outcome = game.outcome
    if outcome is None:
        return f"seat {game.actor} may: " + ", ".join(map(str, game.legal_actions()))
    loser = "nobody is durak" if outcome.durak is None else f"seat {outcome.durak} is the durak"
    return f"over ({outcome.reason}): {loser}"


def table_lines(view: PlayerView) -> str:
    """Trump, stock, discard and table."""
    if view.rules.tricks:
        return trick_lines(view)
    shown = view.rules.discard_visible
    discard = format_cards(view.discard) if shown else f"{len(view.discard)} cards"
    table = " ".join(f"{a}/{c}" if c else f"{a}/-" for a, c in view.table)
    piles = f"stock {view.stock_count}   discard {discard}"
    return f"{view.phase.name.lower()}   {trump_text(view)}   {piles}\ntable: {table or 'empty'}"


def trick_lines(view: PlayerView) -> str:
    """Trumps, tricks, the led card and the rows of a game of tricks."""
    led = " ".join(str(attack) for attack, _ in view.table)
    lines = [f"{view.phase.name.lower()}   {trump_text(view)}   led: {led or 'nothing'}"]
    for seat, won in enumerate(view.tricks):
        row = " ".join(place_text(covered, up) for covered, up in view.row(seat))
        lines.append(f"{'you' if seat == 0 else f'seat +{seat}'}: tricks {won}, row {row}")
    return "\n".join(lines)


def place_text(covered: bool, up: Card | None) -> str:
    """One place of a row: ``?`` is a face-down card, ``?/9s`` one with a face-up card on it."""
    cards = (["?"] if covered else []) + ([] if up is None else [str(up)])
    return "/".join(cards) or "-"


def trump_text(view: PlayerView) -> str:
    """The trump card while it lies there; after that, the trump suit."""
    if view.trump is None:
        return "no trumps"
    if view.trump_card is None:
        return f"trumps {view.trump.symbol}"
    drawn = "" if view.stock_count else f" (drawn; {view.trump.symbol})"
    return f"trump {view.trump_card}{drawn}"


def seat_label(view: PlayerView, seat: int, absolute: int | None = None) -> str:
    """A seat with its role; ``seat`` is relative to the viewer."""
    name = (
        "you"
        if absolute is None and seat == 0
        else f"seat {seat if absolute is None else absolute}"
    )
    attacks, defends = ("leads", "answers") if view.rules.tricks else ("attacks", "defends")
    roles = {view.attacker: attacks, view.defender: defends}
    return f"{name} ({roles[seat]})" if seat in roles else name
