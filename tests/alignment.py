"""Replays a deal on the engine and on the oracle side by side and compares everything."""

from __future__ import annotations

import random
from typing import Any

from durak_env import Game, Rules
from durak_env.cards import Card
from durak_env.rules import OPTIONS, OptionValue, accepted_values
from tests.oracle.model import Oracle

NOT_IN_A_DEAL = ("later_first", "discard_visible", "open_hands")
"""Options that concern matches or pictures, which the oracle does not know."""


def oracle_options(rules: Rules) -> dict[str, Any]:
    """The options of these rules that concern one deal."""
    return {key: value for key, value in rules.options().items() if key not in NOT_IN_A_DEAL}


def random_rules(rng: random.Random) -> Rules:
    """Podkidnoy with a random value for a random half of the options."""
    options: dict[str, OptionValue] = {}
    for name in OPTIONS:
        values = accepted_values(name)
        if values is None or name == "deck" or rng.random() < 0.5:
            continue
        options[name] = rng.choice(values)
    options["deck"] = rng.choice((24, 32, 36, 52))
    options["players"] = rng.randint(2, 6)
    most = int(options["deck"]) // int(options["players"])
    options["hand_size"] = min(most, rng.choice((4, 5, 6, 6, 6, 8)))
    options["first_limit"] = rng.choice((None, 1, 2, 4, 5, 5))
    options["first_cap_on_take"] = rng.choice((5, 6, 6, 7))
    options["cap"] = rng.choice((None, 3, 6, 6, 8))
    options["repetition"] = rng.choice((2, 3, 3, None))
    return Rules.preset("podkidnoy", **options)


class Pair:
    """One deal on both sides."""

    def __init__(self, rules: Rules, seed: int, oracle_rules: Rules | None = None) -> None:
        """``oracle_rules`` puts the oracle under other rules, to see that this is noticed."""
        self.game = Game(rules, seed=seed)
        deck = self.game.transcript().splitlines()[1].removeprefix("deck: ").split()
        announced = self.game.announced
        self.oracle = Oracle(
            oracle_options(oracle_rules or rules),
            deck,
            leader=self.game.leader,
            announced=None if announced is None else str(announced),
            by_rule=True,
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
