"""The faces and the back of the cards. Every one is drawn once and then kept."""

from __future__ import annotations

from functools import lru_cache

import pygame

from durak_env.cards import JOKER_RANK, RANKS, Card
from durak_env.render.ink import SHARPNESS, WHITE, Colour, put, smooth, words
from durak_env.render.layout import height_of
from durak_env.render.suits import colour_of, jester, suit_shape

EDGE: Colour = (120, 116, 108)
BACK: Colour = (34, 62, 122)
LATTICE: Colour = (92, 124, 184)


@lru_cache(maxsize=512)
def face(card: Card, width: int) -> pygame.Surface:
    """A card face up."""

    def draw(large: pygame.Surface) -> None:
        draw_blank(large, WHITE)
        put(large, picture_of(card, large.get_width()), large.get_rect().center)
        corner = corner_of(card, large.get_width())
        large.blit(corner, (0, 0))
        turned = pygame.transform.rotate(corner, 180)
        large.blit(turned, turned.get_rect(bottomright=large.get_rect().bottomright))

    return smooth(width, height_of(width), EDGE, draw)


@lru_cache(maxsize=32)
def back(width: int) -> pygame.Surface:
    """A card face down."""
    return smooth(width, height_of(width), EDGE, draw_back)


@lru_cache(maxsize=64)
def sideways(card: Card, width: int) -> pygame.Surface:
    """A card face up, its head to the right."""
    return pygame.transform.rotate(face(card, width), -90)


@lru_cache(maxsize=32)
def turned_back(width: int, degrees: int) -> pygame.Surface:
    """A card face down, turned to the left."""

    def draw(large: pygame.Surface) -> None:
        size = (width * SHARPNESS, height_of(width) * SHARPNESS)
        flat = pygame.Surface(size, pygame.SRCALPHA)
        flat.fill((*EDGE, 0))
        draw_back(flat)
        put(large, pygame.transform.rotate(flat, degrees), large.get_rect().center)

    across = 2 * height_of(width)
    return smooth(across, across, EDGE, draw)


def draw_back(large: pygame.Surface) -> None:
    """The paper and the pattern of a back."""
    draw_blank(large, WHITE)
    margin = large.get_width() // 12
    draw_lattice(large, large.get_rect().inflate(-2 * margin, -2 * margin))


def draw_blank(large: pygame.Surface, colour: Colour) -> None:
    """The paper of a card with its edge."""
    radius = large.get_width() // 9
    pygame.draw.rect(large, EDGE, large.get_rect(), border_radius=radius)
    paper = large.get_rect().inflate(-2 * SHARPNESS, -2 * SHARPNESS)
    pygame.draw.rect(large, colour, paper, border_radius=radius - SHARPNESS)


def draw_lattice(large: pygame.Surface, field: pygame.Rect) -> None:
    """The pattern of the backs."""
    pygame.draw.rect(large, BACK, field, border_radius=large.get_width() // 14)
    pattern = large.subsurface(field)
    width, height = field.size
    step, thick = width // 5, max(1, width // 50)
    for start in range(-height, width + height, step):
        pygame.draw.line(pattern, LATTICE, (start, 0), (start + height, height), thick)
        pygame.draw.line(pattern, LATTICE, (start, 0), (start - height, height), thick)
    pygame.draw.rect(large, LATTICE, field, 2 * thick, border_radius=large.get_width() // 14)


def picture_of(card: Card, width: int) -> pygame.Surface:
    """What is in the middle of a card of this width."""
    if card.rank == JOKER_RANK:
        return jester(card.suit, round(width * 0.62))
    return suit_shape(card.suit, round(width * 0.46))


def corner_of(card: Card, width: int) -> pygame.Surface:
    """The upper left corner of a card of this width: its rank above its suit."""
    colour = colour_of(card.suit)
    letters = "JOKER" if card.rank == JOKER_RANK else [RANKS[card.rank]]
    size = round(width * (0.19 if len(letters) > 1 else 0.36))
    corner = pygame.Surface((width * 2 // 5, round(width * 0.9)), pygame.SRCALPHA)
    middle, bottom = round(width * 0.17), round(width * 0.07)
    for letter in letters:
        image = narrow(words(letter, size, colour), round(width * 0.27))
        ink = image.get_bounding_rect()
        corner.blit(image, (middle - ink.centerx, bottom - ink.top))
        bottom += ink.height + round(width * 0.04)
    if card.rank != JOKER_RANK:
        suit = suit_shape(card.suit, round(width * 0.2))
        corner.blit(suit, suit.get_rect(midtop=(middle, bottom + round(width * 0.02))))
    return corner


def narrow(image: pygame.Surface, width: int) -> pygame.Surface:
    """An image that is no wider than this."""
    if image.get_width() <= width:
        return image
    return pygame.transform.smoothscale(image, (width, image.get_height()))
