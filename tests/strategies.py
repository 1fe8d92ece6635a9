"""Hypothesis strategies: any rules, and how far to play."""

from __future__ import annotations

from hypothesis import strategies as st

from durak_env import Rules
from durak_env.cards import DECKS
from durak_env.rules import (
    MAX_HAND_SIZE,
    OPTIONS,
    PRESETS,
    OptionValue,
    accepted_values,
    describe_accepted,
)


def values(name: str, high: int) -> st.SearchStrategy[OptionValue]:
    """The values that an option accepts; integers up to ``high``."""
    listed = accepted_values(name)
    if listed is not None:
        return st.sampled_from(listed)
    limits = OPTIONS[name].metadata
    numbers = st.integers(limits["low"], min(limits["high"], high))
    return st.none() | numbers if describe_accepted(name).endswith("none") else numbers


@st.composite
def any_rules(draw: st.DrawFn, high: int = 100) -> Rules:
    """A preset with any options; limits up to ``high``."""
    variant = draw(st.sampled_from(list(PRESETS)))
    options: dict[str, OptionValue] = {
        name: draw(values(name, high))
        for name in OPTIONS
        if name not in ("players", "deck", "hand_size") and draw(st.booleans())
    }
    players = draw(st.integers(*PRESETS[variant].players))
    deck = draw(st.sampled_from(DECKS))
    most = min(MAX_HAND_SIZE, deck // players)
    hand_size = draw(st.just(min(6, most)) | st.integers(1, most))
    return Rules.preset(variant, players=players, deck=deck, hand_size=hand_size, **options)


seeds = st.integers(0, 2**64 - 1)
"""Seeds of deals and of random players."""
