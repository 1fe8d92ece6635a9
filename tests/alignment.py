"""Replays a deal on the engine and on the oracle side by side and compares everything."""

from __future__ import annotations

import random
from typing import Any

from durak_env import Game, Rules
from durak_env.cards import RANKS, Card, lowest_rank
from durak_env.engine import Phase, apply
from durak_env.rules import OPTIONS, OptionValue, accepted_values
from durak_env.view import legal_codes
from tests.oracle.model import Oracle
from tests.oracle.tricks import ArmenianTricks

NOT_IN_A_DEAL = (
    *("later_first", "discard_visible", "open_hands"),
    *("tricks", "target", "flip", "follow_scope", "trump_suit"),
)
"""Options that concern matches, pictures or the game of tricks, which has an oracle of its own."""


def oracle_options(rules: Rules) -> dict[str, Any]:
    """The options of these rules that concern one deal."""
    return {key: value for key, value in rules.options().items() if key not in NOT_IN_A_DEAL}


def random_rules(rng: random.Random) -> Rules:
    """Podkidnoy with a random value for a random half of all options, those of any variant."""
    options: dict[str, OptionValue] = {}
    for name in (name for name in OPTIONS if name not in NOT_IN_A_DEAL):
        values = accepted_values(name)
        if values is not None and rng.random() < 0.5:
            options[name] = rng.choice(values)
    options |= random_table(rng)
    options["first_limit"] = rng.choice((None, 1, 2, 4, 5, 5))
    options["first_cap_on_take"] = rng.choice((5, 6, 6, 7))
    options["cap"] = rng.choice((None, 3, 6, 6, 8))
    options["repetition"] = rng.choice((2, 3, 3, None))
    options["transfer_chain"] = rng.choice((None, None, 1, 2))
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


def random_tricks(rng: random.Random) -> Rules:
    """A game of tricks with random options, sometimes on a small deck."""
    deck, suits, hand_size = rng.choice(((36, 4, 6), (36, 4, 6), (24, 4, 4), (18, 3, 3)))
    trumps: list[OptionValue] = [None, "s", "c", "h"]
    return Rules.preset(
        "armenian_tricks",
        deck=deck,
        suits=suits,
        hand_size=hand_size,
        flip=rng.choice(("immediate", "after_trick")),
        follow_scope=rng.choice(("hand_and_row", "hand_only")),
        trump_suit=rng.choice(trumps),
    )


class TrickPair:
    """One deal for tricks on both sides."""

    def __init__(self, rules: Rules, seed: int, oracle_rules: Rules | None = None) -> None:
        """``oracle_rules`` puts the oracle under other rules, to see that this is noticed."""
        self.game = Game(rules, seed=seed)
        deck = self.game.transcript().splitlines()[1].removeprefix("deck: ").split()
        other = oracle_rules or rules
        options = {key: getattr(other, key) for key in ("flip", "follow_scope", "trump_suit")}
        self.oracle = ArmenianTricks(options, deck)

    def compare(self) -> None:
        """Demand that both sides stand the same."""
        game, oracle = self.game, self.oracle
        assert {str(action) for action in game.legal_actions()} == oracle.legal()
        assert game.actor == oracle.actor
        for seat in range(2):
            assert set(map(str, game.hand(seat))) == oracle.available(seat)
            row = [tuple(card and str(card) for card in place) for place in game.row_cards(seat)]
            assert row == oracle.rows[seat]
        assert [str(card) for card, _ in game.table] == oracle.trick
        assert list(game.tricks) == oracle.tricks
        assert oracle.over or game.leader == oracle.leader
        outcome = game.outcome
        assert (outcome is not None) == oracle.over
        if outcome is not None:
            assert (outcome.places[0] if outcome.places else None) == oracle.winner

    def play(self, rng: random.Random) -> int:
        """Play random legal actions to the end, comparing every state; the number of states."""
        states = 1
        self.compare()
        while self.game.actor is not None:
            action = str(rng.choice(self.game.legal_actions()))
            self.game.play(action)
            self.oracle.play(action)
            self.compare()
            states += 1
        return states


class Pair:
    """One deal of bouts on both sides."""

    def __init__(self, rules: Rules, seed: int, oracle_rules: Rules | None = None) -> None:
        """``oracle_rules`` puts the oracle under other rules, to see that this is noticed."""
        levels = random_levels(rules, seed)
        self.game = Game(rules, seed=seed, levels=levels)
        deck = self.game.transcript().splitlines()[1].removeprefix("deck: ").split()
        announced, trump_card = self.game.announced, self.game.trump_card
        self.oracle = Oracle(
            oracle_options(oracle_rules or rules),
            deck,
            leader=self.game.leader,
            announced=None if announced is None else str(announced),
            by_rule=True,
            levels=levels,
            exposed=str(trump_card),
        )
        assert self.oracle.trump_card == str(trump_card)
        assert self.game.leader in self.oracle.possible_leaders
        codes = self.game.codes
        self._bit = {card: codes.mask([Card.parse(card)]) for card in deck}
        self._texts: dict[int, str] = {}
        self.legal: list[int] = []

    def mask(self, cards: Any) -> int:
        """A set of the oracle's cards as the engine has it."""
        return sum([self._bit[card] for card in cards])

    def text(self, code: int) -> str | None:
        """The notation of an action code, and so of a card; None for a place without a card."""
        if code < 0:
            return None
        if code not in self._texts:
            self._texts[code] = self.game.codes.action_text(code)
        return self._texts[code]

    def texts(self, codes: Any) -> list[str | None]:
        """The notation of an array of cards."""
        return [self.text(code) for code in codes.tolist()]

    def compare(self) -> None:
        """Demand that both sides stand the same, and note what may be done."""
        oracle, row = self.oracle, self.game.row
        self.legal = legal_codes(self.game.rows)
        assert {self.text(code) for code in self.legal} == oracle.legal()
        assert (-1 if oracle.actor is None else oracle.actor) == row["actor"]
        assert Phase(int(row["phase"])).name.lower() == oracle.phase
        self._compare_cards(row)
        roles = [int(row[name]) for name in ("leader", "attacker", "defender", "bout")]
        assert roles == [oracle.leader, oracle.attacker, oracle.defender, oracle.bout]
        assert self.game.room == oracle.room
        assert int(row["passed"]) == sum(1 << seat for seat in oracle.passed)
        assert row["places"][: row["placed"]].tolist() == oracle.places
        outcome = self.game.outcome
        assert (None if outcome is None else outcome.durak) == oracle.durak
        assert (None if outcome is None else outcome.reason) == oracle.reason
        assert (None if outcome is None else outcome.hung) == oracle.hung

    def _compare_cards(self, row: Any) -> None:
        oracle, players = self.oracle, self.game.players
        assert row["hands"][:players].tolist() == [self.mask(hand) for hand in oracle.hands]
        assert row["known"][:players].tolist() == [self.mask(known) for known in oracle.known]
        assert int(row["discard"]) == self.mask(oracle.discard)
        assert self.texts(row["stock"][row["stock_next"] : row["stock_end"]]) == oracle.stock
        laid = int(row["attacks"])
        table = zip(self.texts(row["attack"][:laid]), self.texts(row["cover"][:laid]), strict=True)
        assert list(table) == oracle.table

    def play(self, rng: random.Random, most: int = 5000) -> int:
        """Play random legal actions to the end, comparing every state; the number of states."""
        states = 1
        self.compare()
        while self.legal and states < most:
            code = rng.choice(self.legal)
            assert apply(self.game.rows, 0, code)
            self.oracle.play(str(self.text(code)))
            self.compare()
            states += 1
        return states
