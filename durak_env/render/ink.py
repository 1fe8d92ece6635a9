"""Words, pills and smooth shapes on pygame surfaces that need no display."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pygame

Colour = tuple[int, int, int]

WHITE: Colour = (250, 248, 240)
BLACK: Colour = (28, 28, 34)
RED: Colour = (196, 30, 42)
GOLD: Colour = (240, 196, 72)
CREAM: Colour = (244, 238, 220)

SHARPNESS = 4
"""How many times larger a shape is drawn before it is made smooth."""


def smooth(
    width: int, height: int, colour: Colour, draw: Callable[[pygame.Surface], None]
) -> pygame.Surface:
    """A surface that ``draw`` fills at `SHARPNESS` times its size.

    ``colour`` is what the edges fade into, at full transparency.
    """
    large = pygame.Surface((width * SHARPNESS, height * SHARPNESS), pygame.SRCALPHA)
    large.fill((*colour, 0))
    draw(large)
    return pygame.transform.smoothscale(large, (width, height))


@lru_cache(maxsize=1024)
def words(text: str, size: int, colour: Colour) -> pygame.Surface:
    """A line of text in the font that comes with pygame."""
    if not pygame.font.get_init():
        pygame.font.init()
    large = pygame.font.Font(None, size * SHARPNESS).render(text, True, colour)
    width, height = large.get_size()
    return pygame.transform.smoothscale(large, (width // SHARPNESS, height // SHARPNESS))


def put(canvas: pygame.Surface, image: pygame.Surface, middle: tuple[int, int]) -> None:
    """Lay an image with its middle here."""
    canvas.blit(image, image.get_rect(center=middle))


@lru_cache(maxsize=256)
def pill(width: int, height: int, colour: Colour, alpha: int, edge: Colour) -> pygame.Surface:
    """A rectangle with round ends and an edge."""

    def draw(large: pygame.Surface) -> None:
        whole = large.get_rect()
        radius = min(whole.height // 2, 14 * SHARPNESS)
        pygame.draw.rect(large, (*edge, alpha), whole, border_radius=radius)
        inside = whole.inflate(-2 * SHARPNESS, -2 * SHARPNESS)
        pygame.draw.rect(large, (*colour, alpha), inside, border_radius=radius)

    return smooth(width, height, edge, draw)


@lru_cache(maxsize=256)
def badge(text: str, size: int, colour: Colour, ink: Colour) -> pygame.Surface:
    """A short text on a pill."""
    image = words(text, size, ink)
    width = max(image.get_width() + size // 2 + 4, image.get_height() + 6)
    made = pill(width, image.get_height() + 6, colour, 255, colour).copy()
    put(made, image, made.get_rect().center)
    return made
