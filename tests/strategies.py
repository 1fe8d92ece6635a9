"""Hypothesis strategies: any rules, and how far to play."""

from __future__ import annotations

from hypothesis import strategies as st

from durak_env import Rules
from durak_env.cards import DECKS
from durak_env.rules import (
    MAX_HAND_SIZE,
    NOT_IN_TRICKS,
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


SMALL_DECKS = ((4, 2), (12, 2), (9, 3), (24, 3), (8, 4))
"""Decks for research: their cards and suits."""


@st.composite
def any_rules(draw: st.DrawFn, high: int = 100) -> Rules:
    """A preset with any options that go together; limits up to ``high``."""
    variant = draw(st.sampled_from(list(PRESETS)))
    options: dict[str, OptionValue] = {
        name: draw(values(name, high))
        for name in OPTIONS
        if name not in ("players", "deck", "suits", "hand_size", "tricks") and draw(st.booleans())
    }
    if variant == "armenian_tricks":
        return draw(trick_rules(options))
    options["trump_suit"] = None
    players = draw(st.integers(*PRESETS[variant].players))
    decks = [(deck, 4) for deck in DECKS] + [deck for deck in SMALL_DECKS if deck[0] >= players]
    deck, suits = draw(st.sampled_from(decks))
    most = min(MAX_HAND_SIZE, deck // players)
    hand_size = draw(st.just(min(6, most)) | st.integers(1, most))
    options |= {"players": players, "deck": deck, "suits": suits, "hand_size": hand_size}
    return Rules.preset(variant, **together(variant, options))


@st.composite
def trick_rules(draw: st.DrawFn, options: dict[str, OptionValue]) -> Rules:
    """A game of tricks with these options, as far as they go together with it."""
    deck, suits, hand_size = draw(st.sampled_from(((36, 4, 6), (24, 4, 4), (18, 3, 3), (12, 2, 2))))
    options |= {"deck": deck, "suits": suits, "hand_size": hand_size, **NOT_IN_TRICKS}
    options |= {"show_transfer": False, "trump_suit": draw(st.sampled_from((None, "s", "h")))}
    return Rules.preset("armenian_tricks", **options)


def together(variant: str, options: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """These options without what contradicts others (P20, 7.9, S000-2)."""
    merged = {**Rules.preset(variant).options(), **options}
    if merged["epaulettes"] and merged["players"] == 2:
        return {**options, "transfer": False, "show_transfer": False, "self_throw": "none"}
    fixed: dict[str, OptionValue] = {"epaulettes": False} if merged["epaulettes"] else {}
    if not merged["transfer"]:
        fixed["show_transfer"] = False
    return options | fixed


seeds = st.integers(0, 2**64 - 1)
"""Seeds of deals and of random players."""
