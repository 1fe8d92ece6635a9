"""Replays a deal on the engine and on the oracle side by side and compares everything."""

from __future__ import annotations

import random
from typing import Any

from durak_env import Game, Rules
from durak_env.cards import RANKS, Card, lowest_rank
from durak_env.rules import OPTIONS, OptionValue, accepted_values
from tests.oracle.model import Oracle

NOT_IN_A_DEAL = ("later_first", "discard_visible", "open_hands")
"""Options that concern matches or pictures, which the oracle does not know."""


def oracle_options(rules: Rules) -> dict[str, Any]:
    """The options of these rules that concern one deal."""
    return {key: value for key, value in rules.options().items() if key not in NOT_IN_A_DEAL}


def random_rules(rng: random.Random) -> Rules:
    """Podkidnoy with a random value for a random half of all options, those of any variant."""
    options: dict[str, OptionValue] = {}
    for name in OPTIONS:
        values = accepted_values(name)
        if values is not None and rng.random() < 0.5:
            options[name] = rng.choice(values)
    options |= random_table(rng)
    options["first_limit"] = rng.choice((None, 1, 2, 4, 5, 5))
    options["first_cap_on_take"] = rng.choice((5, 6, 6, 7))
    options["cap"] = rng.choice((None, 3, 6, 6, 8))
    options["repetition"] = rng.choice((2, 3, 3, None))
    if not options.get("transfer"):
        options["show_transfer"] = False
    if options.get("epaulettes"):
        options |= {"players": 2, "transfer": False, "show_transfer": False, "self_throw": "none"}
    return Rules.preset("podkidnoy", **options)


def random_table(rng: random.Random) -> dict[str, OptionValue]:
    """Players, deck and hands that go together; sometimes a small deck, sometimes jokers."""
    deck, suits = rng.choice(
        ((24, 4), (32, 4), (36, 4), (36, 4), (52, 4), (54, 4), (12, 2), (18, 3))
    )
    players = rng.randint(2, 6 if deck >= 24 else 3)
    hand_size = min(deck // players, rng.choice((4, 5, 6, 6, 6, 8)))
    return {"deck": deck, "suits": suits, "players": players, "hand_size": hand_size}


def random_levels(rules: Rules, seed: int) -> list[str] | None:
    """The rank that each seat hangs, where the rules have epaulettes."""
    if not rules.epaulettes:
        return None
    rng = random.Random(seed)
    ranks = RANKS[lowest_rank(rules.deck, rules.suits) :]
    first = rng.choice(ranks)
    return [first, rng.choice((first, rng.choice(ranks)))]


class Pair:
    """One deal on both sides."""

    def __init__(self, rules: Rules, seed: int, oracle_rules: Rules | None = None) -> None:
        """``oracle_rules`` puts the oracle under other rules, to see that this is noticed."""
        levels = random_levels(rules, seed)
        self.game = Game(rules, seed=seed, levels=levels)
        deck = self.game.transcript().splitlines()[1].removeprefix("deck: ").split()
        announced = self.game.announced
        self.oracle = Oracle(
            oracle_options(oracle_rules or rules),
            deck,
            leader=self.game.leader,
            announced=None if announced is None else str(announced),
            by_rule=True,
            levels=levels,
        )
        assert self.game.leader in self.oracle.possible_leaders
        codes = self.game.codes
        self._bit = {card: codes.mask([Card.parse(card)]) for card in deck}

    def mask(self, cards: Any) -> int:
        """A set of the oracle's cards as the engine has it."""
        return sum(self._bit[card] for card in cards)

    def compare(self) -> None:
        """Demand that both sides stand the same."""
        game, oracle = self.game, self.oracle
        row = game.row
        assert {str(action) for action in game.legal_actions()} == oracle.legal()
        assert game.actor == oracle.actor
        assert game.phase.name.lower() == oracle.phase
        for seat in range(game.players):
            assert int(row["hands"][seat]) == self.mask(oracle.hands[seat])
            assert int(row["known"][seat]) == self.mask(oracle.known[seat])
        assert int(row["discard"]) == self.mask(oracle.discard)
        assert [str(card) for card in game.stock] == oracle.stock
        table = [(str(a), None if c is None else str(c)) for a, c in game.table]
        assert table == oracle.table
        roles = (game.leader, game.attacker, game.defender, game.bout, game.room)
        assert roles == (oracle.leader, oracle.attacker, oracle.defender, oracle.bout, oracle.room)
        assert game.passed == oracle.passed
        assert list(game.places) == oracle.places
        outcome = game.outcome
        assert (None if outcome is None else outcome.durak) == oracle.durak
        assert (None if outcome is None else outcome.reason) == oracle.reason
        assert (None if outcome is None else outcome.hung) == oracle.hung

    def play(self, rng: random.Random, most: int = 5000) -> int:
        """Play random legal actions to the end, comparing every state; the number of states."""
        states = 1
        self.compare()
        while self.game.actor is not None and states < most:
            action = rng.choice(self.game.legal_actions())
            self.game.play(action)
            self.oracle.play(str(action))
            self.compare()
            states += 1
        return states
