"""A scene as a picture: the table, its piles, the seats around it, and the words."""

from __future__ import annotations

from functools import lru_cache

import pygame

from durak_env.cards import Card
from durak_env.render.cards import back, face, sideways, turned_back
from durak_env.render.ink import BLACK, CREAM, GOLD, WHITE, Colour, badge, pill, put, words
from durak_env.render.layout import (
    HEIGHT,
    WIDTH,
    Box,
    Layout,
    Slot,
    fan,
    grid,
    heap,
    height_of,
    layout_of,
)
from durak_env.render.scene import Scene, SeatScene
from durak_env.render.suits import line, suit_shape

FELT: Colour = (30, 116, 74)
FELT_EDGE: Colour = (14, 70, 46)
WOOD: Colour = (92, 58, 34)
WOOD_EDGE: Colour = (60, 36, 20)
PLATE: Colour = (10, 44, 30)

BADGES: dict[str, tuple[Colour, Colour]] = {
    "attacks": ((206, 84, 48), WHITE),
    "defends": ((58, 110, 190), WHITE),
    "leads": ((206, 84, 48), WHITE),
    "answers": ((58, 110, 190), WHITE),
    "takes": ((120, 84, 170), WHITE),
    "to": (GOLD, BLACK),
    "out": ((108, 124, 116), WHITE),
    "durak": ((150, 24, 34), WHITE),
    "level": (CREAM, BLACK),
    "tricks": (CREAM, BLACK),
}
"""The colours of a badge and its ink, by its first word."""

HEAP = ((8, 3, -2), (-21, -7, 4), (34, 6, 5), (-63, -3, -6), (72, 2, 3), (-9, -4, -1))
"""How the cards of a heap that lies face down are turned and moved, the lowest first."""

FACE_UP_DISCARD = 40


def paint(scene: Scene) -> pygame.Surface:
    """Draw a scene."""
    layout = layout_of(len(scene.seats))
    canvas = empty_table().copy()
    paint_stock(canvas, scene, layout.stock)
    paint_discard(canvas, scene, layout.discard)
    paint_attacks(canvas, scene, layout.attacks)
    for seat, slot in zip(scene.seats, layout.slots, strict=True):
        paint_seat(canvas, seat, slot)
    paint_words(canvas, scene, layout)
    return canvas


@lru_cache(maxsize=1)
def empty_table() -> pygame.Surface:
    """Green cloth, darker to the edges, in a wooden frame."""
    canvas = pygame.Surface((WIDTH, HEIGHT), 0, 24)
    canvas.fill(WOOD_EDGE)
    pygame.draw.rect(canvas, WOOD, canvas.get_rect().inflate(-4, -4), border_radius=26)
    cloth = canvas.get_rect().inflate(-20, -20)
    pygame.draw.rect(canvas, FELT_EDGE, cloth, border_radius=20)
    bright = cloth.inflate(-8, -8)
    shades = 48
    for step in range(shades):
        share = step / (shades - 1)
        colour = [round(a + (b - a) * share) for a, b in zip(FELT_EDGE, FELT, strict=True)]
        inner = bright.inflate(-bright.width * share * 0.55, -bright.height * share * 0.55)
        pygame.draw.rect(canvas, colour, inner, border_radius=round(20 + 150 * share))
    return canvas


# --- seats --------------------------------------------------------------------------------------


def paint_seat(canvas: pygame.Surface, seat: SeatScene, slot: Slot) -> None:
    """A seat's name with its badges, and its cards below."""
    paint_name(canvas, seat, slot)
    backs: list[Card | None] = [None] * seat.hidden
    cards = backs + list(seat.cards)
    if not cards:
        return
    points = fan(seat.hidden, len(seat.cards), slot.card, slot.width)
    top = slot.top + 31
    for card, (x, y) in zip(cards, points, strict=True):
        image = back(slot.card) if card is None else face(card, slot.card)
        canvas.blit(image, (slot.middle + x, top + y))
    right = min(slot.middle + points[-1][0] + slot.card, slot.middle + slot.width // 2 - 6)
    lowest = top + points[-1][1] + height_of(slot.card)
    paint_count(canvas, len(cards), (right, lowest - 10))


def paint_name(canvas: pygame.Surface, seat: SeatScene, slot: Slot) -> None:
    """The plate with a seat's name and badges."""
    name = words(seat.name, 20, WHITE)
    badges = [badge(text, 17, *BADGES[text.split()[0]]) for text in seat.badges]
    width = name.get_width() + 20 + sum(image.get_width() + 4 for image in badges)
    put(canvas, plate(width, seat.to_move), (slot.middle, slot.top + 13))
    left = slot.middle - width // 2 + 10
    for image in (name, *badges):
        canvas.blit(image, image.get_rect(midleft=(left, slot.top + 13)))
        left += image.get_width() + 4


def plate(width: int, bright: bool) -> pygame.Surface:
    """What a name stands on."""
    return pill(width, 26, PLATE, 220, GOLD if bright else PLATE)


def paint_count(canvas: pygame.Surface, count: int, middle: tuple[int, int]) -> None:
    """The number of cards of a hand or a pile."""
    put(canvas, badge(str(count), 19, BLACK, WHITE), middle)


# --- piles --------------------------------------------------------------------------------------


def paint_stock(canvas: pygame.Surface, scene: Scene, box: Box) -> None:
    """The stock on the trump card; the trump suit alone once all is drawn."""
    x, y = box.middle
    if not scene.stock:
        put(canvas, pill(84, 84, PLATE, 150, PLATE), (x, y))
        put(canvas, pill(72, 72, CREAM, 255, CREAM), (x, y))
        if scene.trump is not None:
            put(canvas, suit_shape(scene.trump, 52), (x, y))
        put(canvas, words("no trumps" if scene.trump is None else "trump", 18, CREAM), (x, y + 56))
        return
    lowest = [] if scene.trump_card is None else [scene.trump_card]
    for place, card in enumerate((*lowest, *scene.turned_up)):
        put(canvas, sideways(card, box.width), (x + 45, y + 12 - 24 * place))
    backs = max(0, scene.stock - 1 - len(scene.turned_up))
    layers = min(6, (backs + 3) // 4)
    for layer in range(layers):
        canvas.blit(back(box.width), (box.left - 2 * layer, box.top - 2 * layer))
    if scene.peek is not None and backs:
        canvas.blit(face(scene.peek, box.width), (box.left - 14, box.top - 26))
    paint_count(canvas, scene.stock, (x - 4, box.top + box.height + 2))


def paint_discard(canvas: pygame.Surface, scene: Scene, box: Box) -> None:
    """The heap of what was discarded, and its number."""
    if not scene.discarded:
        return
    if scene.discard:
        points = heap(len(scene.discard), FACE_UP_DISCARD, box)
        for card, point in zip(scene.discard, points, strict=True):
            canvas.blit(face(card, FACE_UP_DISCARD), point)
        return
    x, y = box.middle
    for degrees, right, down in HEAP[: (scene.discarded + 1) // 2]:
        put(canvas, turned_back(60, degrees), (x + right, y + down))
    paint_count(canvas, scene.discarded, (x, y + 62))


def paint_attacks(canvas: pygame.Surface, scene: Scene, box: Box) -> None:
    """The attack cards and what covers them."""
    places = grid(len(scene.table), box)
    for (attack, cover), (left, top) in zip(scene.table, places.corners, strict=True):
        canvas.blit(face(attack, places.card), (left, top))
        if cover is not None:
            down = (left + places.shift[0], top + places.shift[1])
            canvas.blit(face(cover, places.card), down)


# --- words --------------------------------------------------------------------------------------


def paint_words(canvas: pygame.Surface, scene: Scene, layout: Layout) -> None:
    """The last action, and how the deal ended."""
    if scene.caption:
        image = line(scene.caption, 21, BLACK)
        middle = (WIDTH // 2, layout.attacks.top + layout.attacks.height + 28)
        put(canvas, pill(image.get_width() + 26, 28, CREAM, 235, CREAM), middle)
        put(canvas, image, middle)
    if scene.title:
        title, subtitle = words(scene.title, 46, GOLD), words(scene.subtitle, 22, WHITE)
        width = max(title.get_width(), subtitle.get_width()) + 60
        x, y = WIDTH // 2, layout.attacks.top + 50
        put(canvas, pill(width, 116, PLATE, 235, GOLD), (x, y))
        put(canvas, title, (x, y - 16))
        put(canvas, subtitle, (x, y + 28))
