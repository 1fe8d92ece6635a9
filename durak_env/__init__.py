"""Reinforcement-learning environments for the card game Durak, on one compiled rules engine.

>>> import durak_env
>>> game = durak_env.Game(durak_env.Rules.preset("podkidnoy", players=2), seed=1)
>>> env = durak_env.podkidnoy_v0.env(players=2)

Names are loaded when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from durak_env.errors import (
    ConfigError,
    DurakError,
    IllegalActionError,
    NotationError,
    OpponentError,
    RulesError,
)
from durak_env.registration import register
from durak_env.rules import PRESETS, Rules

if TYPE_CHECKING:
    from durak_env.game import Action, Game, Outcome
    from durak_env.match import EpaulettesMatch, Knockout, Match, TricksMatch
    from durak_env.view import PlayerView

__version__ = "0.1.0"

register()

_LAZY = {
    "Game": "durak_env.game",
    "Action": "durak_env.game",
    "Outcome": "durak_env.game",
    "PlayerView": "durak_env.view",
    "Match": "durak_env.match",
    "EpaulettesMatch": "durak_env.match",
    "Knockout": "durak_env.match",
    "TricksMatch": "durak_env.match",
}

_MODULES = ("arena", "opponents", *(f"{preset}_v0" for preset in PRESETS))

__all__ = [
    "Action",
    "ConfigError",
    "DurakError",
    "EpaulettesMatch",
    "Game",
    "IllegalActionError",
    "Knockout",
    "Match",
    "NotationError",
    "OpponentError",
    "Outcome",
    "PlayerView",
    "Rules",
    "RulesError",
    "TricksMatch",
    "__version__",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_MODULES})


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"durak_env.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
