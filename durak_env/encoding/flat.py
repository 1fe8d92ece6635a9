"""The ``flat`` encoding: a compact vector for multilayer perceptrons."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from durak_env.cards import JOKER_RANK, joker_count, rank_count
from durak_env.encoding.base import Section, number_sections
from durak_env.encoding.kernels import encode_flat_many
from durak_env.engine import Rows
from durak_env.rules import OPTIONS, OptionValue, Rules, accepted_values

NO_EFFECT = ("players", "deck", "suits", "later_first", "discard_visible", "open_hands")
"""Options that do not change how one deal is played, or that the sizes of the sections tell."""

LARGEST_NUMBER = 26
"""Numeric options are divided by this: half the largest deck."""


class FlatEncoder:
    """Sets of cards as zeros and ones, counts as one-hot and scaled numbers, seats relative to the
    viewer, suits relative to trump. Every number lies in [0, 1]."""

    name = "flat"
    version = 1

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.sections: tuple[Section, ...] = number_sections(_parts(rules))
        self.constants = np.array([value for _, value in option_numbers(rules)], dtype=np.float32)

    @property
    def size(self) -> int:
        """Numbers in one observation."""
        return self.sections[-1].stop

    def encode(
        self, views: Rows, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """The observations of an array of views: float32, shape (n, size)."""
        out = self.buffer(views.size) if out is None else out
        encode_flat_many(views, out)
        out[:, self.sections[-1].start :] = self.constants
        return out

    def buffer(self, count: int) -> npt.NDArray[np.float32]:
        """A new array for ``count`` observations, for `encode` to write into."""
        out = np.zeros((count, self.size), dtype=np.float32)
        out[:, self.sections[-1].start :] = self.constants
        return out


def _parts(rules: Rules) -> list[tuple[str, int, str]]:
    cards, players = rules.deck, rules.players
    ranks, jokers = rank_count(rules.deck, rules.suits), joker_count(rules.deck)
    known = [
        (f"known_{seat}", cards, f"the cards of seat {seat}'s hand that everybody has seen")
        for seat in range(1, players)
    ]
    seats = [
        part
        for seat in range(players)
        for part in (
            (f"hand_size_{seat}", 9, f"cards of seat {seat}, one-hot 0 ... 8 or more"),
            (
                f"roles_{seat}",
                7,
                f"seat {seat}: actor, leader, attacker, defender, laid the last attack card, "
                "passed, out",
            ),
            (f"hand_{seat}", 1, f"cards of seat {seat} / deck"),
            (f"place_{seat}", 1, f"place of seat {seat} / players; 0 while it is not out"),
        )
    ]
    options = [name for name, _ in option_numbers(rules)]
    return [
        ("hand", cards, "the viewer's own cards"),
        ("unbeaten", cards, "attack cards that are not beaten"),
        ("beaten", cards, "beaten attack cards and their covers"),
        ("discard", cards, "discarded cards, as everybody saw them fall"),
        *known,
        ("trump_rank", ranks, "rank of the trump card, one-hot"),
        (
            "target_rank",
            ranks + (jokers > 0),
            "rank of the attack card that a cover would beat now, one-hot",
        ),
        ("target_suit", 4, "its suit, one-hot from the trumps"),
        *seats,
        ("phase", 6, "lead, throw, defend, add, over, transfer"),
        ("room", 7, "how many more attack cards may be laid, one-hot 0 ... 6 or more"),
        ("attacks", 7, "attack cards on the table, one-hot 0 ... 6 or more"),
        ("discarded", 1, "whether anything was discarded in this deal"),
        ("stock", 13, "cards in the stock, one-hot 0 ... 12 or more"),
        *_rare_parts(rules),
        (
            "numbers",
            9,
            "stock, room, attack cards, the defender's cards at the start of the bout / deck; "
            "limit, limit on take / 128; bout / (bout + 16); "
            "quiet bouts / 200, occurrences / 4, both at most 1",
        ),
        ("options", len(options), "the rules: " + ", ".join(options)),
    ]


def _rare_parts(rules: Rules) -> list[tuple[str, int, str]]:
    """The sections that only some rules have."""
    ranks, players = rank_count(rules.deck, rules.suits), rules.players
    parts: list[tuple[str, int, str]] = []
    if rules.show_transfer:
        parts += [
            ("shown", JOKER_RANK + 1, "ranks of the trumps shown in this bout; the last: joker"),
            ("showed", players, "seats that showed a trump in this deal"),
        ]
    if rules.self_throw != "none":
        parts += [("self_throws", 2, "self throws on the table / deck; one waits to be beaten")]
    if rules.epaulettes:
        parts += [(f"level_{seat}", ranks, f"rank that seat {seat} hangs") for seat in range(2)]
        parts += [("hang", 4, "no hang, hang begun, hang committed; dead lead")]
    if joker_count(rules.deck):
        parts += [("revealed", 6, "first and second joker turned up: trump, its colour, other")]
    if rules.stock_lead_peek:
        parts += [("peek", rules.deck, "the top card of the stock, if the viewer may lead it")]
    return parts


def option_numbers(rules: Rules) -> Iterator[tuple[str, float]]:
    """The options that change play, as named numbers in [0, 1].

    A named choice is one-hot without its first value, a switch 0 or 1, a number scaled, with a
    second number that says whether there is none.
    """
    for name in OPTIONS:
        if name in NO_EFFECT:
            continue
        value: OptionValue = getattr(rules, name)
        choices = accepted_values(name)
        if choices == (False, True):
            yield name, float(bool(value))
        elif choices is not None:
            for choice in choices[1:]:
                yield f"{name}={choice}", float(value == choice)
        else:
            yield name, min(1.0, int(value or 0) / LARGEST_NUMBER)
            yield f"{name}=none", float(value is None)
