"""What the environments have in common: spaces, names of modes, checks of arguments."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from durak_env import encoding
from durak_env.errors import DurakError

Observation = dict[str, npt.NDArray[Any]]
Actions: TypeAlias = "spaces.Discrete[np.int64]"
Observed: TypeAlias = "spaces.Box"
IllegalPolicy = Literal["terminate", "raise"]
RENDER_MODES = ("ansi", "human", "rgb_array")
PICTURE_MODES = ("human", "rgb_array")


def check_choice(name: str, value: object, accepted: tuple[object, ...]) -> None:
    """Refuse an argument that is not one of the accepted values.

    Raises:
        DurakError: it is not.
    """
    if value not in accepted:
        raise DurakError(
            f"{name}={value!r} is not accepted; it takes {', '.join(map(repr, accepted))}"
        )


def observation_space(encoder: encoding.Encoder, actions: int) -> spaces.Dict:
    """The space of one observation with its action mask."""
    return spaces.Dict(
        {
            "observation": observation_box(encoder),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def observation_box(encoder: encoding.Encoder) -> Observed:
    """The space of one observation without its mask."""
    return spaces.Box(0, encoder.high, encoder.shape, encoder.dtype.type)
