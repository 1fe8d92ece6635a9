"""Every error that the package raises on purpose, each a `ValueError` with one clear sentence."""

from __future__ import annotations


class DurakError(ValueError):
    """Base of all errors of the package."""


class RulesError(DurakError):
    """An option that does not exist, a value it does not accept, or options that contradict."""


class NotationError(DurakError):
    """A text that is no card, action, deck, position or transcript."""


class IllegalActionError(DurakError):
    """An action that the rules do not allow now; the game is unchanged."""


class OpponentError(DurakError):
    """An opponent that does not exist, or whose file does not fit the game."""


class BeliefError(DurakError):
    """A view that no game leads to, or a number of worlds that cannot be drawn."""


class ConfigError(DurakError):
    """A configuration or run folder that cannot be used."""
