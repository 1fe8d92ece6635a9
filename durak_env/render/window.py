"""A window that shows pictures."""

from __future__ import annotations

from typing import Any

from durak_env.errors import DurakError
from durak_env.render.layout import HEIGHT, WIDTH
from durak_env.render.picture import Picture, need_pygame


class Window:
    """A window on the screen, opened with the first picture.

    Copies and pickles of it are windows that are not open yet. pygame has one window per process:
    several of these share it.
    """

    def __init__(self) -> None:
        self._clock: Any = None

    @property
    def is_open(self) -> bool:
        """Whether a picture was shown since the window was made or closed."""
        return self._clock is not None

    def show(self, picture: Picture, fps: float) -> None:
        """Show a picture, and wait so that there are at most ``fps`` of them in a second.

        Raises:
            DurakError: pygame is not installed, or there is no screen to open a window on.
        """
        need_pygame()
        import pygame  # noqa: PLC0415 - an optional dependency

        screen = self._open()
        screen.blit(pygame.image.frombuffer(picture.tobytes(), (WIDTH, HEIGHT), "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(fps)

    def _open(self) -> Any:
        import pygame  # noqa: PLC0415 - an optional dependency

        try:
            pygame.display.init()
            screen = pygame.display.get_surface() or pygame.display.set_mode((WIDTH, HEIGHT))
        except pygame.error as error:
            raise DurakError(
                f'no window can be opened ({error}); use render_mode="rgb_array" or "ansi"'
            ) from None
        if self._clock is None:
            pygame.display.set_caption("durak")
            self._clock = pygame.time.Clock()
        return screen

    def close(self) -> None:
        """Close the window if it is open."""
        if self._clock is None:
            return
        import pygame  # noqa: PLC0415 - an optional dependency

        pygame.display.quit()
        self._clock = None

    def __reduce__(self) -> tuple[type[Window], tuple[()]]:
        return Window, ()
