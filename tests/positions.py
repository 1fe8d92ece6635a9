"""Helpers for tests that lay out positions: trump is diamonds, seat 0 leads at seat 1."""

from __future__ import annotations

from durak_env import Game, Rules
from durak_env.cards import Card, format_cards, full_deck, parse_cards


def position(hands: str, options: str = "", **fields: str) -> Game:
    """A position of podkidnoy that a game can reach; cards that stand nowhere are the discard."""
    fields = {"hands": hands, "trump": "6d", **fields}
    lines = [f"rules: podkidnoy(players={hands.count('|') + 1},{options})"]
    game = Game.from_position("\n".join(lines + [f"{key}: {text}" for key, text in fields.items()]))
    assert len(game.discard) % 2 == 0, f"odd discard (I2): {format_cards(game.discard)}"
    return game


def first_bout(hands: str, options: str = "", table: str = "") -> Game:
    """A position of the first bout of a deal: every card that stands nowhere is in the stock."""
    placed = len(f"{hands} {table}".replace("|", " ").replace("/", " ").split())
    stock = "? " * (35 - placed) + "6d"
    return position(hands, options, table=table, stock=stock)


def dealt(rules: Rules, hands: str, trump_card: str = "6d") -> Game:
    """A deal of these hands and this trump card; the stock is in the order of the full deck."""
    rows = [parse_cards(hand) for hand in hands.split("|")]
    deck = [hand[turn] for turn in range(rules.hand_size) for hand in rows]
    deck.append(Card.parse(trump_card))
    return Game(rules, deck=deck + [card for card in full_deck(rules.deck) if card not in deck])


def play(game: Game, actions: str) -> Game:
    """Play actions separated by commas."""
    for action in actions.split(","):
        game.play(action)
    return game


def legal(game: Game) -> set[str]:
    """The notation of the legal actions."""
    return {str(action) for action in game.legal_actions()}


def hand(game: Game, seat: int) -> set[str]:
    """The notation of a seat's cards."""
    return set(map(str, game.hand(seat)))


def known(game: Game, seat: int) -> set[str]:
    """The notation of a seat's cards that everybody has seen."""
    return set(map(str, game.known(seat)))


def askers(game: Game) -> list[int | None]:
    """Who is asked, one after the other, while everybody passes in this bout."""
    asked = []
    bout = game.bout
    while game.bout == bout and game.phase.name in ("THROW", "ADD"):
        asked.append(game.actor)
        game.play("pass")
    return asked
