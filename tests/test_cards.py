"""Cards: their text, their order and the decks."""

from __future__ import annotations

import pytest

from durak_env import NotationError
from durak_env.cards import (
    DECKS,
    RANKS,
    SUITS_OF,
    Card,
    Suit,
    format_cards,
    full_deck,
    joker_count,
    lowest_rank,
    parse_cards,
    rank_count,
)


@pytest.mark.parametrize("card", full_deck(54), ids=str)
def test_every_card_reads_back(card: Card) -> None:
    assert Card.parse(str(card)) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[("10h", "10h"), ("Th", "10h"), ("th", "10h"), ("10♥", "10h"), ("qD", "Qd")],
        *[(" A♠ ", "As"), ("*R", "*r"), (" *b", "*b")],
    ],
)
def test_other_spellings(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


NO_CARDS = ["", " ", "s", "10", "1s", "11h", "6x", "s6", "6 s", "6ss", "?", "*", "*s"]


@pytest.mark.parametrize("text", NO_CARDS)
def test_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="is no card") as error:
        Card.parse(text)
    assert repr(text.strip()) in str(error.value)


def test_ranks_compare_by_place() -> None:
    """P4: as text the ten would be below the nine."""
    order = [Card.parse(f"{rank}s").rank for rank in RANKS]
    assert order == sorted(order)
    assert Card.parse("10s") > Card.parse("9s")


def test_lists_of_cards() -> None:
    cards = parse_cards("6s  10h\nAc")
    assert [str(card) for card in cards] == ["6s", "10h", "Ac"]
    assert format_cards(cards) == "6s 10h Ac"
    assert parse_cards("") == []
    with pytest.raises(NotationError, match="'7x'"):
        parse_cards("6s 7x")


@pytest.mark.parametrize(("deck", "lowest"), [(24, "9"), (32, "7"), (36, "6"), (52, "2")])
def test_decks(deck: int, lowest: str) -> None:
    """P1: four suits of the highest ranks."""
    cards = full_deck(deck)
    assert len(set(cards)) == len(cards) == deck
    assert RANKS[lowest_rank(deck)] == RANKS[min(cards).rank] == lowest
    assert RANKS[max(cards).rank] == "A"


def test_deck_with_jokers() -> None:
    """P1: 52 cards and two jokers, which rank above the ace (P5, P6)."""
    cards = full_deck(54)
    assert cards[:52] == full_deck(52)
    assert [str(card) for card in cards[52:]] == ["*r", "*b"]
    assert min(cards[52:]).rank > Card.parse("Ad").rank
    assert (joker_count(54), rank_count(54), lowest_rank(54)) == (2, 13, 0)


@pytest.mark.parametrize(
    ("deck", "suits", "cards"),
    [
        (8, 2, "Js Qs Ks As Jh Qh Kh Ah"),
        (9, 3, "Qs Ks As Qc Kc Ac Qh Kh Ah"),
        (8, 4, "Ks As Kc Ac Kh Ah Kd Ad"),
    ],
)
def test_small_decks(deck: int, suits: int, cards: str) -> None:
    """Fewer suits, and fewer ranks, make small decks for research."""
    assert format_cards(full_deck(deck, suits)) == cards
    assert rank_count(deck, suits) == deck // suits
    assert sorted(SUITS_OF) == [2, 3, 4]


def test_all_decks_are_tested() -> None:
    assert DECKS == (24, 32, 36, 52, 54)


def test_suits() -> None:
    assert [suit.letter for suit in Suit] == ["s", "c", "h", "d"]
    assert [suit.symbol for suit in Suit] == ["♠", "♣", "♥", "♦"]
    assert [suit.same_colour.letter for suit in Suit] == ["c", "s", "d", "h"]
