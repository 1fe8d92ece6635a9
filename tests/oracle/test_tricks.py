"""Armenian 2, the game of tricks (4.2, E112..E117)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .helpers import cards
from .model import full_deck
from .tricks import CHOICES, ArmenianTricks, Place


def position(
    options: dict[str, Any], leader: str, follower: str, *rows: list[Place], **rest: Any
) -> ArmenianTricks:
    """Seat 0 leads with these hands and rows."""
    hands = (cards(leader), cards(follower))
    return ArmenianTricks.from_position(options, hands=hands, rows=rows or ((), ()), **rest)


def first_places(game: ArmenianTricks) -> list[Place]:
    """The first place of each row."""
    return [row[0] for row in game.rows]


def test_laying_out() -> None:
    """4.2: face-down rows, face-up rows, hands; the opponent of the dealer first."""
    deck = full_deck(36)
    game = ArmenianTricks({}, deck)
    assert game.rows[0] == list(zip(deck[:6], deck[12:18], strict=True))
    assert game.rows[1] == list(zip(deck[6:12], deck[18:24], strict=True))
    assert game.hands == [set(deck[24:30]), set(deck[30:])]
    assert (game.actor, game.leader) == (0, 0)
    assert game.legal() == set(deck[24:30]) | set(deck[12:18])


def test_e112_the_open_row_must_follow() -> None:
    """E112, S002-31: the only spade lies in the row."""
    rows: tuple[list[Place], list[Place]] = ([], [("7d", "9s")])
    game = position({}, "8s Kh", "7h 8h", *rows)
    game.play("8s")
    assert game.actor == 1
    assert game.legal() == {"9s"}
    free = position({"follow_scope": "hand_only"}, "8s Kh", "7h 8h", *rows)
    free.play("8s")
    assert free.legal() == {"7h", "8h", "9s"}


def test_hand_only_may_follow_from_the_row() -> None:
    """P38: with a spade in the hand any playable spade follows."""
    game = position({"follow_scope": "hand_only"}, "8s Kh", "7h Js", [], [("7d", "9s")])
    game.play("8s")
    assert game.legal() == {"Js", "9s"}


def test_e113_the_card_below_is_turned_up_at_once() -> None:
    """E113: before the answer, or after the trick."""
    rows: tuple[list[Place], list[Place]] = ([("Ad", "8s")], [("7d", "9s")])
    game = position({}, "Kh", "7h", *rows)
    game.play("8s")
    assert game.rows[0][0] == (None, "Ad")
    later = position({"flip": "after_trick"}, "Kh", "7h", *rows)
    later.play("8s")
    assert first_places(later)[0] == ("Ad", None)
    later.play("9s")
    assert first_places(later) == [(None, "Ad"), (None, "7d")]
    assert (later.leader, later.actor, later.tricks, later.trick) == (1, 1, [0, 1], [])


def test_e114_a_face_down_card_is_not_available() -> None:
    """E114: his only spade lies face down, so he may play anything."""
    game = position({}, "8s Kh", "7h 8h", [], [("9s", "7d")])
    game.play("8s")
    assert game.legal() == {"7h", "8h", "7d"}
    with pytest.raises(ValueError, match="illegal"):
        game.play("9s")


@pytest.mark.parametrize(
    ("trump_suit", "winner"), [(None, 0), ("d", 0), ("h", 1), ("s", 0), ("c", 0)]
)
def test_e115_off_suit(trump_suit: str | None, winner: int) -> None:
    """E115: another suit does not win, unless it is the trump suit by agreement."""
    game = position({"trump_suit": trump_suit}, "8s Kh", "Ah 8h")
    game.play("8s")
    game.play("Ah")
    assert game.leader == winner


def test_a_higher_card_of_the_suit_wins() -> None:
    """S002-28: who takes the trick leads."""
    game = position({}, "9s Kh", "10s 8h")
    game.play("9s")
    game.play("10s")
    assert (game.leader, game.tricks) == (1, [0, 1])


@pytest.mark.parametrize(
    ("before", "difference", "winner"), [((8, 9), 0, None), ((12, 5), 8, 0), ((2, 15), 12, 1)]
)
def test_e116_e117_counting(before: tuple[int, int], difference: int, winner: int | None) -> None:
    """E116, E117, S002-32: 9-9 scores nothing, 13-5 scores eight."""
    game = position({}, "9s", "8h", tricks=before)
    game.play("9s")
    game.play("8h")
    assert game.over
    assert (game.difference, game.winner) == (difference, winner)
    assert game.legal() == frozenset()


def test_unknown_options() -> None:
    """7.13: names and values are fixed."""
    for options in ({"target": 21}, {"flip": "never"}):
        with pytest.raises(ValueError, match="option"):
            ArmenianTricks(options, full_deck(36))


@pytest.mark.parametrize("seed", range(60))
def test_random_play(seed: int) -> None:
    """4.2: eighteen tricks, equal numbers of cards at each lead, always something to play."""
    rng = random.Random(seed)
    deck = full_deck(36)
    rng.shuffle(deck)
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    game = ArmenianTricks(options, deck)
    while not game.over:
        assert game.legal()
        if not game.trick:
            first, second = (len(cards_of(game, seat)) for seat in (0, 1))
            assert first == second == 18 - sum(game.tricks)
        game.play(rng.choice(sorted(game.legal())))
    assert sum(game.tricks) == 18
    assert game.difference % 2 == 0
    assert (game.winner is None) == (game.difference == 0)


def cards_of(game: ArmenianTricks, seat: int) -> list[str]:
    """All cards of one seat, face-down ones too."""
    row = [card for place in game.rows[seat] for card in place if card is not None]
    return [*game.hands[seat], *row]
