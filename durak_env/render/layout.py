"""Where everything lies in a picture, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

WIDTH, HEIGHT = 960, 720
CARD_SHAPE = 1.4
"""The height of a card, its width being 1."""

Point = tuple[int, int]


@dataclass(frozen=True)
class Slot:
    """Where a seat sits: its name in the middle above its cards, both within ``width``."""

    middle: int
    top: int
    width: int
    card: int


BOTTOM = Slot(WIDTH // 2, 538, 900, 84)
SEAT_CARD = 50
LEFT, RIGHT = 114, WIDTH - 114
SIDE_WIDTH = 184

OTHERS: dict[int, list[tuple[int, int, int]]] = {
    1: [(480, 20, 560)],
    2: [(250, 20, 380), (710, 20, 380)],
    3: [(LEFT, 215, SIDE_WIDTH), (480, 20, 440), (RIGHT, 215, SIDE_WIDTH)],
    4: [(LEFT, 215, SIDE_WIDTH), (270, 20, 320), (690, 20, 320), (RIGHT, 215, SIDE_WIDTH)],
    5: [
        (LEFT, 215, SIDE_WIDTH),
        *[(middle, 20, 240) for middle in (190, 480, 770)],
        (RIGHT, 215, SIDE_WIDTH),
    ],
    6: [
        *[(LEFT, top, SIDE_WIDTH) for top in (350, 182)],
        *[(middle, 20, 280) for middle in (300, 660)],
        *[(RIGHT, top, SIDE_WIDTH) for top in (182, 350)],
    ],
    7: [
        *[(LEFT, top, SIDE_WIDTH) for top in (350, 182)],
        *[(middle, 20, 240) for middle in (190, 480, 770)],
        *[(RIGHT, top, SIDE_WIDTH) for top in (182, 350)],
    ],
}
"""The seats besides the one at the bottom, clockwise from its left: middle, top and width."""


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    left: int
    top: int
    width: int
    height: int

    @property
    def middle(self) -> Point:
        """The point in the middle."""
        return self.left + self.width // 2, self.top + self.height // 2


@dataclass(frozen=True)
class Layout:
    """Where seats and piles lie for a number of players."""

    slots: tuple[Slot, ...]
    stock: Box
    attacks: Box
    discard: Box


def layout_of(players: int) -> Layout:
    """The layout for 2 to 8 players."""
    others = OTHERS[players - 1]
    edge = 60 if len(others) < 3 else 224
    attacks_left, attacks_right = edge + 140, WIDTH - edge - 116
    return Layout(
        slots=(BOTTOM, *(Slot(*place, SEAT_CARD) for place in others)),
        stock=Box(edge, 270, 66, round(66 * CARD_SHAPE)),
        attacks=Box(attacks_left, 178, attacks_right - attacks_left, 306),
        discard=Box(WIDTH - edge - 104, 190, 104, 290),
    )


def height_of(card: int) -> int:
    """The height of a card of this width."""
    return round(card * CARD_SHAPE)


# --- fans ---------------------------------------------------------------------------------------


def fan(hidden: int, shown: int, card: int, width: int) -> list[Point]:
    """Where the cards of a hand lie, the hidden ones first, from the top middle of its box.

    They overlap as far as they must, hidden ones more than others; a hand goes over up to three
    rows rather than hide the corners of its cards.
    """
    steps = [0.42] * hidden + [1.0] * shown
    fit_in_a_row = 1 + (width - card) / (0.28 * card)
    count = min(3, ceil(sum(steps) / fit_in_a_row)) if shown else 1
    rows = rows_of(steps, max(1, count))
    longest = max((sum(row[:-1]) for row in rows), default=0.0)
    step = min(card * 0.72, (width - card) / max(longest, 1.0))
    points = []
    for down, row in enumerate(rows):
        left = -(card + step * sum(row[:-1])) / 2
        for share in row:
            points.append((round(left), round(down * card * 0.5)))
            left += step * share
    return points


def rows_of(steps: list[float], count: int) -> list[list[float]]:
    """The steps of a fan in this many rows of about the same length."""
    rows: list[list[float]] = [[] for _ in range(count)]
    so_far, total = 0.0, sum(steps)
    for step in steps:
        rows[min(count - 1, int(count * so_far / total))].append(step)
        so_far += step
    return [row for row in rows if row]


def heap(cards: int, card: int, box: Box) -> list[Point]:
    """Where cards lie face up in a box, row below row."""
    in_a_row = 1 + int((box.width - card) / (card * 0.36))
    rows = ceil(cards / in_a_row)
    down = min(card * 0.62, (box.height - height_of(card)) / max(1, rows - 1))
    return [
        (
            box.left + round(place % in_a_row * card * 0.36),
            box.top + round(place // in_a_row * down),
        )
        for place in range(cards)
    ]


# --- attacks and covers -------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """Attack cards of one width, and the top left corner of each; a cover lies further down and
    to the right by ``shift``."""

    card: int
    shift: Point
    corners: tuple[Point, ...]


def grid(attacks: int, box: Box) -> Grid:
    """The largest cards with which this many attacks fit into a box."""
    for card in range(78, 12, -2):
        shift = (round(card * 0.3), round(card * 0.44))
        wide, high = card + shift[0] + card // 6, height_of(card) + shift[1] + card // 6
        columns, rows_that_fit = box.width // wide, box.height // high
        if columns * rows_that_fit >= attacks:
            break
    rows = ceil(attacks / columns)
    columns = ceil(attacks / rows) if rows else 1
    top = box.middle[1] - (rows * high - card // 6) // 2
    corners = []
    for place in range(attacks):
        row, column = divmod(place, columns)
        in_this_row = min(columns, attacks - row * columns)
        left = box.middle[0] - (in_this_row * wide - card // 6) // 2
        corners.append((left + column * wide, top + row * high))
    return Grid(card, shift, tuple(corners))
