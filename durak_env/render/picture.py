"""A game as a picture: an array of pixels, drawn without any display.

The pictures need pygame: ``pip install "durak_env[render]"``. The same game always gives the same
bytes.
"""

from __future__ import annotations

import os
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.errors import DurakError
from durak_env.game import Game
from durak_env.render.layout import HEIGHT, WIDTH
from durak_env.render.scene import Scene, scene_of_game, scene_of_view
from durak_env.view import PlayerView

Picture: TypeAlias = npt.NDArray[np.uint8]
"""Pixels: uint8 (height, width, 3), red, green and blue."""

SHAPE = (HEIGHT, WIDTH, 3)
"""The shape of every picture."""


def picture_of_view(view: PlayerView, last: str = "") -> Picture:
    """What one seat sees, itself at the bottom. Cards that it has not seen lie face down.

    Args:
        view: what the seat may know.
        last: a line about the last action, as `durak_env.render.scene.caption_of` writes it.

    Returns:
        uint8 of the shape `SHAPE`, a new array.

    Raises:
        DurakError: pygame is not installed.
    """
    return _paint(scene_of_view(view, last))


def picture_of_game(game: Game, last: str = "") -> Picture:
    """The table with seat 0 at the bottom and the hand of the actor face up.

    With ``open_hands``, and once the deal is over, every hand lies face up; otherwise, of the other
    hands, what everybody has seen.

    Args:
        game: the game.
        last: a line about the last action, as `durak_env.render.scene.caption_of` writes it.

    Returns:
        uint8 of the shape `SHAPE`, a new array.

    Raises:
        DurakError: pygame is not installed.
    """
    return _paint(scene_of_game(game, last))


def need_pygame() -> None:
    """Refuse to draw without pygame.

    Raises:
        DurakError: pygame is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: F401, PLC0415 - an optional dependency
    except ImportError:
        raise DurakError(
            'pictures need pygame: pip install "durak_env[render]"; render_mode="ansi" does not'
        ) from None


def _paint(scene: Scene) -> Picture:
    need_pygame()
    import pygame  # noqa: PLC0415 - an optional dependency

    from durak_env.render.paint import paint  # noqa: PLC0415 - it needs pygame

    pixels = pygame.image.tobytes(paint(scene), "RGB")
    return np.frombuffer(pixels, dtype=np.uint8).reshape(SHAPE).copy()
