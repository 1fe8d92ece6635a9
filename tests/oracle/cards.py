"""Cards as texts ("10h", "*r" for the red joker), decks, and which card beats which."""

from __future__ import annotations

SUITS = "shdc"
SUITS_OF_SMALL_DECKS = {2: "sh", 3: "sch", 4: SUITS}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LOWEST_RANK = {4 * count: RANKS[-count] for count in range(2, len(RANKS) + 1)}
JOKER = "*"
RED_JOKER = "*r"
BLACK_JOKER = "*b"
DECK_WITH_JOKERS = 54
COLOUR = {"s": "b", "c": "b", "h": "r", "d": "r", "b": "b", "r": "r"}


def rank_of(card: str) -> str:
    """The rank as text: "10" of "10h"; the jokers have a rank of their own, "*" (P7b)."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit letter: "h" of "10h"; of a joker its colour."""
    return card[-1]


def is_joker(card: str) -> bool:
    return rank_of(card) == JOKER


def colour_of(card: str) -> str:
    """Black is "b", red is "r" (P6)."""
    return COLOUR[suit_of(card)]


def strength(card: str) -> int:
    """Place of the rank from low to high, jokers on top; never compared as text (P4, S000-101)."""
    return len(RANKS) if is_joker(card) else RANKS.index(rank_of(card))


def lowest_rank(size: int, suits: int = 4) -> str:
    """The lowest rank of a deck of so many cards (P1)."""
    return "2" if size == DECK_WITH_JOKERS else RANKS[-(size // suits)]


def full_deck(size: int, suits: int = 4) -> list[str]:
    """All cards of a deck in a fixed order: the highest ranks, with 54 cards two jokers (P1)."""
    ranks = RANKS[RANKS.index(lowest_rank(size, suits)) :]
    deck = [rank + suit for suit in SUITS_OF_SMALL_DECKS[suits] for rank in ranks]
    return [*deck, RED_JOKER, BLACK_JOKER] if size == DECK_WITH_JOKERS else deck


def is_trump(card: str, trump: str, trump_joker: bool = True) -> bool:
    """A card of the trump suit, or the joker of its colour (P5, S000-98)."""
    if is_joker(card):
        return trump_joker and colour_of(card) == COLOUR[trump]
    return suit_of(card) == trump


def beats(
    card: str,
    target: str,
    trump: str,
    plain_joker: str = "beats_own_colour",
    trump_joker: bool = True,
) -> bool:
    """A higher card of the suit, or any trump on a plain card (E13, S000-43, S001-7, S001-8).

    The trump joker is the highest trump (P5); a plain joker see below.
    """
    card_is_trump = is_trump(card, trump, trump_joker)
    target_is_trump = is_trump(target, trump, trump_joker)
    if card_is_trump:
        return not target_is_trump or strength(card) > strength(target)
    if is_joker(card):
        return _plain_joker_beats(card, target, target_is_trump, plain_joker)
    same_suit = suit_of(card) == suit_of(target) and not is_joker(target)
    return same_suit and strength(card) > strength(target)


def _plain_joker_beats(card: str, target: str, target_is_trump: bool, plain_joker: str) -> bool:
    """The plain cards of its colour, all cards but jokers, or nothing (P6, S000-99, E93, 7.19)."""
    if plain_joker == "off" or is_joker(target):
        return False
    if plain_joker == "beats_all":
        return True
    return not target_is_trump and colour_of(card) == colour_of(target)
