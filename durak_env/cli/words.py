"""Moves, hands and results in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_env.cards import Card
    from durak_env.game import Action, Game
    from durak_env.play.moves import Move


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
    verbs = {"LEAD": "leads", "THROW": "throws in", "ADD": "adds", "FOLLOW": "answers"}
    if game.phase.name in verbs:
        return f"{verbs[game.phase.name]} {action.card}"
    return f"beats {target_card(game)} with {action.card}"


def target_card(game: Game) -> Card:
    """The attack card that a cover would beat now."""
    return game.codes.card(int(game.view(game.defender).record[0]["target_card"]))


def closing_words(game: Game) -> str:
    """How the game ended, or who is asked."""
    outcome = game.outcome
    if outcome is None:
        return f"The game goes on: seat {game.actor} is asked ({game.phase.name.lower()})."
    loser = "Nobody" if outcome.durak is None else f"Seat {outcome.durak}"
    places = ", ".join(map(str, outcome.places)) or "nobody"
    reason = "" if outcome.reason == "durak" else f" ({outcome.reason.replace('_', ' ')})"
    hung = "" if outcome.hung is None else f" Seat {outcome.hung} hung epaulettes on it."
    if outcome.tricks:
        reason = f" (tricks {won(game)})"
    return f"{loser} is the durak{reason}. Places: {places}.{hung}"


# --- to the one who plays ---------------------------------------------------------------------

QUESTIONS = {
    "LEAD": "You lead",
    "THROW": "You may throw in",
    "DEFEND": "You defend",
    "ADD": "You may add to what is taken",
    "TRANSFER": "You may lay more cards of the rank",
    "FOLLOW": "You answer",
}
"""What the person is asked for in each phase."""


def offer(game: Game, action: Action) -> str:
    """What an action would do, in words that can mostly be typed: ``beat 8c with 9c``."""
    if action.kind != "card":
        return "done" if action.kind == "pass" else stock_offer(game, action)
    verbs = {"LEAD": "lead", "THROW": "throw in", "ADD": "add", "FOLLOW": "answer"}
    if game.phase.name in verbs:
        return f"{verbs[game.phase.name]} {action.card}"
    return f"beat {target_card(game)} with {action.card}"


def stock_offer(game: Game, action: Action) -> str:
    """An action in notation; the top of the stock with its card if the leader may look at it."""
    peek = game.view(game.leader).peek if action.kind == "stock" else None
    return str(action) if peek is None else f"{action} ({peek})"


def names(opponents: tuple[str, ...]) -> str:
    """Opponents by name, files without their folder; one name where all are the same."""
    shown = [Path(name).name for name in opponents]
    return shown[0] if len(set(opponents)) == 1 else ", ".join(shown)


def seat_name(seat: int, own: int) -> str:
    """A seat as the person at ``own`` calls it."""
    return "you" if seat == own else f"seat {seat}"


def role(game: Game, seat: int) -> str:
    """What a seat does in this bout."""
    if seat in game.places:
        return "out"
    if game.rules.tricks:
        return "leads" if seat == game.leader else "answers"
    if seat == game.defender:
        return "takes" if game.phase.name == "ADD" else "defends"
    return "attacks" if seat == game.attacker else ""


def first_lead(game: Game, own: int) -> str:
    """Who has the first lead by which card (P28)."""
    seat = int(game.row["announced_by"])
    verbs = ("show", "lead") if seat == own else ("shows", "leads")
    return f"{seat_name(seat, own)} {verbs[0]} {game.announced} and {verbs[1]} first"


def what_happened(move: Move, own: int) -> Iterator[str]:
    """A move and, where it ended the bout, what came of the bout; one's own move goes unsaid."""
    if move.seat != own:
        yield f"seat {move.seat} {in_words(move.before, move.action)}"
    if move.after.bout != move.before.bout:
        yield from bout_end(move, own)


def bout_end(move: Move, own: int) -> Iterator[str]:
    """Where the cards of the table went, who is out, and what the person drew."""
    before, after = move.before, move.after
    if after.rules.tricks:
        yield f"{seat_name(trick_winner(before, after), own)}: the trick"
        return
    laid = [card for pair in before.table for card in pair if card is not None]
    laid += [] if move.action.card is None else [move.action.card]
    taken = [card for card in laid if card in after.known(before.defender)]
    if taken:
        verb = "take" if before.defender == own else "takes"
        yield f"{seat_name(before.defender, own)} {verb} up {cards(taken)}"
    else:
        yield f"all is beaten: {len(after.discard) - len(before.discard)} cards are discarded"
    for seat in after.places[len(before.places) :]:
        yield f"{seat_name(seat, own)} {'are' if seat == own else 'is'} out"
    drawn = [card for card in after.hand(own) if card not in [*before.hand(own), *taken]]
    if drawn:
        yield f"you draw {cards(drawn)}"


def trick_winner(before: Game, after: Game) -> int:
    """The seat that won a trick between two states."""
    return next(seat for seat in range(2) if after.tricks[seat] > before.tricks[seat])


def bout_name(game: Game) -> str:
    """What the bout is called: a trick in a game of tricks."""
    return f"{'Trick' if game.rules.tricks else 'Bout'} {game.bout}"


def trump_words(game: Game) -> str:
    """The trump card, or what stands for it: ``trump 8s``."""
    if game.trump is None:
        return "no trumps"
    return f"trump {game.trump_card or game.trump.symbol}"


def won(game: Game, own: int | None = None) -> str:
    """The tricks of every seat, one's own first where there is one."""
    seats = range(game.players) if own is None else (own, 1 - own)
    return " : ".join(str(game.tricks[seat]) for seat in seats)


def ending(game: Game, own: int) -> str:
    """How the game ended for the person, and for the others."""
    outcome = game.outcome
    assert outcome is not None
    if outcome.durak is None:
        result, loser = "A draw", "nobody is the durak"
    elif outcome.durak == own:
        result, loser = "You lost", "you are the durak"
    else:
        result, loser = "You won", f"seat {outcome.durak} is the durak"
    if outcome.hung is not None:
        loser += f", with epaulettes hung by {seat_name(outcome.hung, own)}"
    if outcome.tricks:
        return f"{result}: {won(game, own)} tricks."
    if outcome.reason not in ("durak", "draw"):
        loser += f" ({outcome.reason.replace('_', ' ')})"
    return f"{result}: {loser}."
