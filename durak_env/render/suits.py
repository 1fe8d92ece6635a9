"""The four suits and the jester as shapes, and lines of text with suits in them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache

import pygame

from durak_env.cards import SUIT_SYMBOLS, Suit
from durak_env.render.ink import BLACK, GOLD, RED, Colour, smooth, words

Outline = list[tuple[float, float]]
"""Corners within a square from (0, 0) to (1, 1), downwards."""

TURNS = [2 * math.pi * step / 90 for step in range(90)]


def colour_of(suit: Suit) -> Colour:
    """Red or black."""
    return RED if suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK


def diamond() -> Outline:
    """Four sides that bend inwards a little."""

    def bent(value: float) -> float:
        return math.copysign(abs(value) ** 2.25, value)

    return [(0.5 + 0.4 * bent(math.cos(t)), 0.5 + 0.5 * bent(math.sin(t))) for t in TURNS]


def heart() -> Outline:
    """Two lobes above a point."""
    return [
        (
            0.5 + 0.5 * math.sin(t) ** 3,
            0.44 - (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t)) / 32,
        )
        for t in TURNS
    ]


def stem() -> Outline:
    """The foot of a spade or a club."""
    right = [(0.5 + 0.035 + 0.2 * (k / 8) ** 2.5, 0.55 + 0.45 * k / 8) for k in range(9)]
    return right + [(1 - x, y) for x, y in reversed(right)]


def spade() -> Outline:
    """A heart upside down, without its foot."""
    return [(0.5 + (x - 0.5) * 0.92, 0.86 - y * 0.86) for x, y in heart()]


LEAVES = ((0.5, 0.25), (0.25, 0.59), (0.75, 0.59))
"""The middles of the three leaves of a club."""


def draw_outline(large: pygame.Surface, outline: Outline, colour: Colour) -> None:
    """Fill an outline that is as large as the surface."""
    width, height = large.get_size()
    pygame.draw.polygon(large, colour, [(x * width, y * height) for x, y in outline])


def draw_club(large: pygame.Surface, colour: Colour) -> None:
    """Three leaves on a stem."""
    size = large.get_width()
    for x, y in LEAVES:
        pygame.draw.circle(large, colour, (x * size, y * size), 0.235 * size)
    middle = [(0.42, 0.3), (0.58, 0.3), (0.62, 0.62), (0.38, 0.62)]
    draw_outline(large, middle, colour)
    draw_outline(large, stem(), colour)


def draw_spade(large: pygame.Surface, colour: Colour) -> None:
    """A blade on a stem."""
    draw_outline(large, spade(), colour)
    draw_outline(large, stem(), colour)


DRAW: dict[Suit, Callable[[pygame.Surface, Colour], None]] = {
    Suit.SPADES: draw_spade,
    Suit.CLUBS: draw_club,
    Suit.HEARTS: lambda large, colour: draw_outline(large, heart(), colour),
    Suit.DIAMONDS: lambda large, colour: draw_outline(large, diamond(), colour),
}


@lru_cache(maxsize=128)
def suit_shape(suit: Suit, size: int) -> pygame.Surface:
    """A suit's symbol."""
    colour = colour_of(suit)
    return smooth(size, size, colour, lambda large: DRAW[suit](large, colour))


HORNS: tuple[Outline, ...] = (
    [(0.24, 0.68), (0.20, 0.44), (0.10, 0.52), (0.10, 0.30), (0.30, 0.20), (0.46, 0.40)],
    [(0.30, 0.60), (0.36, 0.34), (0.50, 0.08), (0.64, 0.34), (0.70, 0.60)],
    [(0.76, 0.68), (0.80, 0.44), (0.90, 0.52), (0.90, 0.30), (0.70, 0.20), (0.54, 0.40)],
)
"""The three horns of a jester's cap."""


def draw_jester(large: pygame.Surface, colour: Colour) -> None:
    """A cap with bells."""
    size = large.get_width()
    left, middle, right = HORNS
    for horn in (left, right, middle):
        draw_outline(large, horn, colour)
    draw_outline(large, [(0.24, 0.5), (0.76, 0.5), (0.76, 0.72), (0.24, 0.72)], colour)
    band = pygame.Rect(0.18 * size, 0.72 * size, 0.64 * size, 0.14 * size)
    pygame.draw.rect(large, GOLD, band, border_radius=int(0.05 * size))
    for x, y in ((0.11, 0.54), (0.5, 0.09), (0.89, 0.54)):
        pygame.draw.circle(large, GOLD, (x * size, y * size), 0.075 * size)


@lru_cache(maxsize=32)
def jester(suit: Suit, size: int) -> pygame.Surface:
    """The picture of a joker of this suit's colour."""
    colour = colour_of(suit)
    return smooth(size, size, colour, lambda large: draw_jester(large, colour))


@lru_cache(maxsize=256)
def line(text: str, size: int, colour: Colour) -> pygame.Surface:
    """A text in which suit symbols are drawn, as the font has none."""
    parts = [part for part in re.split(f"([{SUIT_SYMBOLS}])", text) if part]
    images = [
        suit_shape(Suit(SUIT_SYMBOLS.index(part)), size * 2 // 3)
        if part in SUIT_SYMBOLS
        else words(part, size, colour)
        for part in parts
    ]
    width = sum(image.get_width() + 1 for image in images)
    made = pygame.Surface((width, max(image.get_height() for image in images)), pygame.SRCALPHA)
    made.fill((*colour, 0))
    left = 0
    for image in images:
        made.blit(image, image.get_rect(midleft=(left, made.get_height() // 2)))
        left += image.get_width() + 1
    return made
