"""Made positions and random play for the tests of the oracle."""

from __future__ import annotations

from typing import Any

from .model import Oracle, full_deck

POD: dict[str, Any] = {"players": 2}
POD3: dict[str, Any] = {"players": 3}
POD4: dict[str, Any] = {"players": 4}


def cards(text: str) -> list[str]:
    """The cards of a text such as "6s 10h"."""
    return text.split()


def position(options: dict[str, Any], *hands: str, **rest: Any) -> Oracle:
    """A made position; all cards not named are discarded and the 6d is the trump card."""
    rest.setdefault("trump", "6d")
    return Oracle.from_position(options, hands=[cards(hand) for hand in hands], **rest)


def first_bout(options: dict[str, Any], *hands: str, **rest: Any) -> Oracle:
    """A made position of the first bout: all cards not named are in the stock."""
    return position(options, *hands, stock=None, **rest)


def play(oracle: Oracle, actions: str) -> None:
    """Play actions separated by commas."""
    for action in actions.split(","):
        oracle.play(action.strip())


def askers(oracle: Oracle) -> list[int]:
    """Who is asked, one after the other, while everybody passes in this bout."""
    asked: list[int] = []
    bout = oracle.bout
    while oracle.bout == bout and oracle.phase in ("throw", "add") and oracle.actor is not None:
        asked.append(oracle.actor)
        oracle.play("pass")
    return asked


def dealt(hands: list[str], trump_card: str) -> list[str]:
    """A deck of 36 in dealing order: these hands, this trump card, then all others."""
    rows = [cards(hand) for hand in hands]
    front = [row[turn] for turn in range(6) for row in rows] + [trump_card]
    return front + [card for card in full_deck(36) if card not in front]
