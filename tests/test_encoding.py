"""The ``flat`` encoding: every number read back, seats and suits relative to the viewer."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest

from durak_env import DurakError, Game, Rules, encoding
from durak_env.actions import Kind, action_table
from durak_env.cards import (
    JOKER_RANK,
    RANKS,
    SUITS_OF,
    Card,
    Suit,
    joker_count,
    lowest_rank,
    parse_cards,
    rank_count,
)
from durak_env.codes import CardCodes
from durak_env.encoding import FlatEncoder
from durak_env.encoding.flat import sheet
from durak_env.encoding.flat.kernels import encode_seats_rare
from durak_env.encoding.kernels import mask_many, observe_mask
from durak_env.engine import Phase, Reason
from durak_env.engine.state import has_rare_sections, order_places
from durak_env.game import Action
from durak_env.rules import PRESETS, OptionValue
from durak_env.view import VIEW, PlayerView
from durak_env.view.kernels import OWN
from tests.alignment import random_levels, random_rules

Numbers = list[float]

TRANSFERS: dict[str, OptionValue] = {
    "transfer": True,
    "show_transfer": True,
    "transfer_hand": "unrestricted",
    "transfer_cards": "many",
    "show_limit": "none",
}
"""Transfers as often as can be."""

REASONS = {reason.name.lower(): int(reason) for reason in Reason}

LAYS = (Kind.CARD, Kind.STOCK, Kind.TRANSFER, Kind.SELF)
"""The kinds of action that lay an attack card, or a cover."""


def some_rules(count: int, seed: int = 0) -> list[Rules]:
    """Random rules, every preset and everything at once among them."""
    rng = random.Random(seed)
    bouts = [name for name in PRESETS if name != "armenian_tricks"]
    named = [Rules.preset(name, players=min(3, PRESETS[name].players[1])) for name in bouts]
    named += [
        Rules.preset("jokers", players=4, stock_lead=True, stock_lead_peek=True, **TRANSFERS),
        Rules.preset("perevodnoy", self_throw="free", throw_timing="anytime", **TRANSFERS),
    ]
    return named + [random_rules(rng) for _ in range(count - len(named))]


def dealt(rules: Rules, seed: int, leader: int | None = None) -> Game:
    """A deal; with epaulettes each seat hangs a random rank."""
    return Game(rules, seed=seed, leader=leader, levels=random_levels(rules, seed))


SMALL = [
    Rules(deck=deck, suits=suits, hand_size=hand, cover_order=order)
    for deck, suits, hand in ((4, 2, 1), (4, 2, 2), (6, 2, 2), (6, 3, 3), (8, 4, 2), (39, 3, 6))
    for order in ("table", "any")
]
"""Small decks for research, the smallest among them."""


def play_on(game: Game, rng: random.Random, most: int = 400) -> Iterator[Action]:
    """Play random legal actions; takes are rarer, so that deals come to their ends."""
    for _ in range(most):
        if game.actor is None:
            return
        legal = game.legal_actions()
        weights = [0.3 if action.kind is Kind.TAKE else 1.0 for action in legal]
        action = rng.choices(legal, weights)[0]
        game.play(action)
        yield action


def anonymous(_: object) -> str:
    """Random rules are too long for the name of a test."""
    return ""


@lru_cache
def encoder_of(rules: Rules) -> FlatEncoder:
    """The encoder of these rules."""
    return FlatEncoder(rules)


def some_games(count: int, seed: int = 0) -> list[Game]:
    """Positions from the middle of deals under random rules."""
    rng = random.Random(seed)
    games = []
    for rules in some_rules(count, seed):
        game = dealt(rules, rng.randrange(2**32))
        for _ in play_on(game, rng, rng.randrange(200)):
            pass
        games.append(game)
    return games


def observe(game: Game, seat: int) -> npt.NDArray[np.int8]:
    """The observation of a seat, by way of its view."""
    return encoder_of(game.rules).encode(game.view(seat).record)[0]


def section(game: Game, seat: int, name: str) -> npt.NDArray[np.int8]:
    """One section of a seat's observation."""
    sections = {section.name: section for section in encoder_of(game.rules).sections}
    return observe(game, seat)[sections[name].start : sections[name].stop]


# --- sections -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", some_rules(40), ids=anonymous)
def test_sections(rules: Rules) -> None:
    """They stand one after the other, have names of their own, and are the whole vector."""
    encoder = FlatEncoder(rules)
    assert encoder.sections[0].start == 0
    for before, section in zip(encoder.sections, encoder.sections[1:], strict=False):
        assert section.start == before.stop
    assert encoder.size == sum(section.stop - section.start for section in encoder.sections)
    names = [section.name for section in encoder.sections]
    assert len(set(names)) == len(names)
    assert encoder.size % 8 == 0
    assert all(section.doc for section in encoder.sections)


def test_encoders_by_name() -> None:
    encoder = encoding.make("flat", Rules())
    assert isinstance(encoder, FlatEncoder)
    assert (encoder.name, encoder.version) == ("flat", 2)
    with pytest.raises(DurakError, match="unknown encoder 'round'; known: flat"):
        encoding.make("round", Rules())


def test_what_stood_there_does_not_matter() -> None:
    """Everything is written, whatever stood there before."""
    for game in some_games(60):
        views = np.concatenate([game.view(seat).record for seat in range(game.players)])
        encoder = FlatEncoder(game.rules)
        out = np.full((game.players, encoder.size), 7, dtype=np.int8)
        assert encoder.encode(views, out) is out
        assert np.array_equal(out, encoder.encode(views))


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((1, 8), dtype=np.float32),
        np.zeros((1, 7), dtype=np.int8),
        np.zeros((2, 16), dtype=np.int8)[:, ::2],
    ],
    ids=["another dtype", "no octets", "not contiguous"],
)
def test_what_cannot_be_written_into(out: npt.NDArray[np.int8]) -> None:
    with pytest.raises(DurakError, match="contiguous int8 arrays of whole octets"):
        FlatEncoder(Rules()).encode(Game(seed=1).view(0).record, out)


# --- every section, read back -------------------------------------------------------------------


def one_hot(index: int, size: int) -> Numbers:
    """A one at this place."""
    return [float(k == index) for k in range(size)]


def binary(number: int, size: int) -> Numbers:
    """A number in binary, the lowest bit first."""
    assert number < 1 << size
    return [float(number >> k & 1) for k in range(size)]


def turned_up_jokers(game: Game) -> list[Card]:
    """The jokers that were turned up before the trump card (E97, 7.11)."""
    if game.rules.joker_turned_up == "no_trump":
        return []
    rest = deck_of(game)[game.players * game.rules.hand_size :]
    while rest and rest[-1].rank == JOKER_RANK:
        rest.pop()
    return rest[: next((k for k, card in enumerate(rest) if card.rank != JOKER_RANK), 0)]


class Witness:
    """Follows a deal by its public events and says in plain Python what a seat should see."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.hangable_by_throw_in: list[Card | None] = []
        self.target: Card | None = None
        self.showed: set[int] = set()
        self.positions: Counter[object] = Counter()
        self.quiet = 0
        self.bout = 0
        self.discards = 0
        self._follow_bout()

    def follow(self, actor: int, phase: Phase, action: Action) -> None:
        """Note what this action, already played, has changed."""
        if action.kind is Kind.TARGET:
            self.target = action.card
        elif action.kind is Kind.CARD and phase is Phase.DEFEND:
            self.target, self.self_pending = None, False
        elif action.kind is Kind.TAKE:
            self.self_pending = False
        elif action.kind is Kind.SHOW:
            self.shown.add(action.card)
            self.showed.add(actor)
            self.transfers += 1
        elif action.kind is Kind.TRANSFER and phase is not Phase.TRANSFER:
            self.transfers += 1
        elif action.kind is Kind.SELF:
            self.self_throws += 1
            self.self_pending = True
        if action.kind in LAYS and not (action.kind is Kind.CARD and phase is Phase.DEFEND):
            self.layer = actor
        if phase is Phase.LEAD:
            self._follow_lead(action)
        elif phase is Phase.THROW and action.card in self.hangable_by_throw_in:
            self.hang = 1 + self._is_special(action.card)
        self._note_empty_hand(actor, action)
        self._follow_bout()
        self.hangable_by_throw_in = self._look_at_throw_in()

    def _note_empty_hand(self, actor: int, action: Action) -> None:
        """Who has laid its last card, as long as the bout goes on."""
        laid = action.card is not None and action.kind not in (Kind.TARGET, Kind.SHOW)
        if laid and self.game.bout == self.bout and not self.game.hand(actor):
            self.emptied.append(actor)

    def _look_at_throw_in(self) -> list[Card | None]:
        """E109: the whole hand of the leader, where it may be hung by throwing it in."""
        game, rules = self.game, self.game.rules
        hand = game.hand(game.leader)
        asked = game.phase is Phase.THROW and game.actor == game.leader
        if not rules.hang_by_throw_in or not rules.epaulettes or not asked or game.stock:
            return []
        counted = len(game.table) if rules.self_throw_in_cap else len(game.table) - self.self_throws
        room = self.limits[0] - counted if rules.hang_ignores_hand_cap else self.room()
        ranks = {card.rank for pair in game.table for card in pair if card is not None}
        fits = 2 <= len(hand) <= 4 and len(hand) <= room and hand[0].rank in ranks
        return [*hand] if fits and all(map(self._is_own, hand)) else []

    def _follow_lead(self, action: Action) -> None:
        """Section 4.1: an own rank begins a hang, a special card commits to it; else it is dead."""
        if action.kind is Kind.PASS:
            self.hang = 0
        elif action.card is not None and self.game.rules.epaulettes:
            if self.hangable and not self.hang:
                self.hang = 1
            if self.hang and self._is_special(action.card):
                self.hang = 2
            self.led_dead = self.led_dead or self.dead

    def _is_special(self, card: Card) -> bool:
        """H1."""
        trump = card.suit is self.game.trump and self.game.rules.trump_exempt
        return self._is_own(card) and not trump

    def _is_own(self, card: Card) -> bool:
        """Whether a card has the rank that the leader hangs."""
        return card.rank - self.low == int(self.game.row["level"][self.game.leader])

    def _follow_bout(self) -> None:
        game = self.game
        if game.bout == self.bout and game.defender != self.defender:
            self.defender = game.defender
            self.defender_start = len(game.hand(game.defender))
        cleared = game.phase is Phase.OVER and not game.table
        if game.bout == self.bout and not cleared:
            return
        self._begin_table()
        if len(game.discard) > self.discards:
            self.discards, self.quiet = len(game.discard), 0
            self.positions.clear()
            self.occurrences = 0
        elif self.bout:
            self.quiet += 1
        if game.bout > self.bout:
            self._begin_bout()

    def _begin_table(self) -> None:
        self.shown: set[Card | None] = set()
        self.self_throws = 0
        self.self_pending = False

    def _begin_bout(self) -> None:
        game = self.game
        self.bout = game.bout
        self.emptied: list[int] = []
        self.stock_was_empty = not game.stock
        self.transfers = 0
        self.layer = game.leader
        self.defender = game.defender
        self.defender_start = len(game.hand(game.defender))
        self.limits = self._limits(stock_empty=not game.stock)
        self._look_at_lead()
        self.occurrences = 0
        if game.rules.repetition and not game.stock:
            hands = tuple(tuple(game.hand(seat)) for seat in range(game.players))
            self.positions[hands, game.leader] += 1
            self.occurrences = self.positions[hands, game.leader]

    def _look_at_lead(self) -> None:
        """H4 ... H6: may the leader hang its hand, or is there nothing that it may lead?"""
        game, rules = self.game, self.game.rules
        hand = game.hand(game.leader)
        room = self.limits[0] if rules.hang_ignores_hand_cap else self.room()
        self.hang, self.led_dead, self.dead, self.hangable = 0, False, False, False
        if not rules.epaulettes:
            return
        whole = not game.stock and 2 <= len(hand) <= 4 and all(map(self._is_own, hand))
        self.hangable = whole and len(hand) <= room
        from_stock = rules.stock_lead and len(game.stock) > 1
        if rules.stock_lead_scope == "first_lead_of_deal" and game.bout > 1:
            from_stock = False
        barred = [
            self._is_special(card) or (card.rank == JOKER_RANK and not rules.joker_may_attack)
            for card in hand
        ]
        self.dead = all(barred) and not self.hangable and not from_stock

    def _limits(self, *, stock_empty: bool) -> tuple[int, int]:
        """P15 ... P18."""
        rules = self.game.rules
        cap = 127 if rules.cap is None else rules.cap
        if rules.cap_when_stock_empty == "none" and stock_empty:
            cap = 127
        first = self.bout == 1
        if rules.first_limit_scope == "until_first_discard":
            first = not self.game.discard
        if first and rules.first_limit:
            return min(cap, rules.first_limit), min(cap, rules.first_cap_on_take)
        return cap, cap

    # --- sections -----------------------------------------------------------------------------

    @property
    def low(self) -> int:
        """The lowest rank of the deck."""
        return lowest_rank(self.game.rules.deck, self.game.rules.suits)

    def suits(self) -> list[Suit]:
        """The deck's suits: trumps, the trump's colour, the others."""
        trump = self.game.codes.first_suit
        order = [trump, trump.same_colour, *(s for s in Suit if s // 2 != trump // 2)]
        return [suit for suit in order if suit in SUITS_OF[self.game.rules.suits]]

    def is_trumps_colour(self, joker: Card) -> bool:
        """Whether a joker has the trump's colour (P5)."""
        red = (Suit.HEARTS, Suit.DIAMONDS)
        return (joker.suit in red) == (self.game.codes.first_suit in red)

    def plane(self, cards: Iterable[Card | None]) -> Numbers:
        """One number per card of the deck, suit by suit; last the jokers, the trump's colour
        first."""
        deck, suits = self.game.rules.deck, self.suits()
        ranks = rank_count(deck, len(suits))
        wanted = set()
        for card in cards:
            if card is not None and card.rank == JOKER_RANK:
                wanted.add(deck - 1 - self.is_trumps_colour(card))
            elif card is not None:
                wanted.add(suits.index(card.suit) * ranks + card.rank - self.low)
        return [float(k in wanted) for k in range(deck)]

    def suit_of(self, card: Card | None) -> int:
        """The suit of a card, from the trumps; a plain joker stands for the first it belongs to."""
        if card is None:
            return -1
        if card.rank != JOKER_RANK:
            return self.suits().index(card.suit)
        if not self.is_trumps_colour(card):
            return 2
        return 0 if self.game.rules.trump_joker and self.game.trump is not None else 1

    def rank_of(self, card: Card | None) -> int:
        """The rank of a card, from the deck's lowest; the jokers come last."""
        if card is None:
            return -1
        return card.rank - self.low

    def next_target(self) -> Card | None:
        """The card that a cover would beat; open while the defender may still choose (7.5)."""
        unbeaten = [attack for attack, cover in self.game.table if cover is None]
        if self.game.phase is not Phase.DEFEND:
            return None
        if self.target is not None:
            return self.target
        open_choice = self.game.rules.cover_order == "any" and len(unbeaten) > 1
        return None if open_choice else unbeaten[0]

    def room(self) -> int:
        """Section 0.2 of the rules study."""
        game = self.game
        if game.phase is Phase.OVER:
            return 0
        unbeaten = sum(cover is None for _, cover in game.table)
        limit = self.limits[game.phase is Phase.ADD]
        held = len(game.hand(game.defender))
        counted = len(game.table)
        if not game.rules.self_throw_in_cap:
            counted -= self.self_throws
        terms = (limit - counted, self.defender_start - len(game.table), held - unbeaten)
        return max(0, min(terms))

    def number_of(self, card: Card | None) -> int:
        """A card in binary sections: 1 + 16 x suit + rank; 0 for none."""
        if card is None:
            return 0
        return 1 + 16 * self.suit_of(card) + (13 if card.rank == JOKER_RANK else self.rank_of(card))

    def role_sections(self, order: list[int]) -> dict[str, Numbers]:
        """Who plays which part."""
        game, outcome = self.game, self.game.outcome
        parts: dict[str, set[int | None]] = {
            "actor": {game.actor},
            "leader": {game.leader},
            "attacker": {game.attacker},
            "defender": {game.defender},
            "layer": {self.layer},
            "durak": set() if outcome is None else {outcome.durak},
            "passed": set(game.passed),
            "out": {seat for seat in game.places if not game.hand(seat)},
        }
        places = [game.places.index(seat) + 1 if seat in game.places else 0 for seat in order]
        turns = [self.emptied.index(k) + 1 if k in self.emptied else 0 for k in order]
        cleared = not game.table
        return {
            **{name: [float(k in seats) for k in order] for name, seats in parts.items()},
            "places": [bit for place in places for bit in binary(place, 4)],
            "emptied": [bit for turn in turns for bit in binary(0 if cleared else turn, 4)],
        }

    def sections(self, viewer: int) -> dict[str, Numbers]:
        """Every section, as this seat should see it."""
        game, rules = self.game, self.game.rules
        ranks = rank_count(rules.deck, rules.suits)
        order = [(viewer + k) % game.players for k in range(game.players)]
        beaten = [pair for pair in game.table if pair[1] is not None]
        unbeaten = [attack for attack, cover in game.table if cover is None]
        target, trump = self.next_target(), game.trump_card
        named = trump if game.trump is not None else None
        stock, over = len(game.stock), game.phase is Phase.OVER
        sizes = [len(game.hand(seat)) for seat in order]
        announced = game.announced
        by = int(game.row["announced_by"])
        return {
            "hand": self.plane(game.hand(viewer)),
            "unbeaten": self.plane(unbeaten),
            "beaten": self.plane(card for pair in beaten for card in pair),
            "discard": self.plane(game.discard),
            **{f"known_{k}": self.plane(game.known(seat)) for k, seat in enumerate(order)},
            "trump_rank": one_hot(self.rank_of(named), ranks),
            "target_rank": one_hot(self.rank_of(target), ranks + (rules.deck == 54)),
            "target_suit": one_hot(self.suit_of(target), 4),
            **{
                name: numbers
                for k, size in enumerate(sizes)
                for name, numbers in (
                    (f"hand_size_{k}", one_hot(min(8, size), 9)),
                    (f"hand_count_{k}", binary(size, 6)),
                )
            },
            **self.role_sections(order),
            "phase": one_hot(int(game.phase), 7),
            "room": one_hot(min(6, self.room()), 7),
            "attacks": one_hot(min(6, len(game.table)), 7),
            "discarded": [float(bool(game.discard))],
            "stock_was_empty": [float(not stock if over else self.stock_was_empty)],
            "stock": one_hot(min(12, stock), 13),
            "stock_count": binary(stock, 6),
            "start": binary(self.defender_start, 6),
            "reason": binary(0 if game.outcome is None else REASONS[game.outcome.reason], 4),
            "bout": binary(self.bout, 13),
            "quiet": binary(self.quiet, 8),
            "occurrences": binary(self.occurrences, 7),
            "announced": binary(self.number_of(announced), 7),
            "announced_by": [float(announced is not None and seat == by) for seat in order],
            **self.rare_sections(viewer),
            "order": self.order(),
        }

    def order(self) -> Numbers:
        """The table in the order laid."""
        places = order_places(self.game.rules)
        empty: list[tuple[Card | None, Card | None]] = [(None, None)] * places
        pairs = [*self.game.table, *empty][:places]
        return [bit for pair in pairs for card in pair for bit in binary(self.number_of(card), 7)]

    def rare_sections(self, viewer: int) -> dict[str, Numbers]:
        """The sections that only some rules have."""
        game, rules = self.game, self.game.rules
        order = [(viewer + k) % game.players for k in range(game.players)]
        sections: dict[str, Numbers] = {}
        if rules.transfer:
            ranks = {
                card.rank if card.rank == JOKER_RANK else card.rank - self.low
                for card in self.shown
                if card
            }
            limited = rules.transfer_chain is not None and bool(game.table)
            sections["shown"] = [float(k in ranks) for k in range(14)]
            sections["transfers"] = binary(self.transfers if limited else 0, 5)
            sections["showed"] = [float(seat in self.showed) for seat in order]
        if rules.self_throw != "none":
            sections["self_throws"] = binary(self.self_throws, 5)
            sections["self_pending"] = [float(self.self_pending)]
        if rules.epaulettes:
            ranks_count = rank_count(rules.deck, rules.suits)
            for k, seat in enumerate(order):
                sections[f"level_{k}"] = one_hot(int(game.row["level"][seat]), ranks_count)
            sections |= self.hang_sections(viewer, order)
        if joker_count(rules.deck):
            turned_up = [*turned_up_jokers(game), None, None][:2]
            sections["revealed"] = [x for card in turned_up for x in one_hot(self.suit_of(card), 3)]
            sections["no_trump"] = [float(game.trump_card.rank == JOKER_RANK)]
        if rules.stock_lead_peek:
            stock = any(action.kind is Kind.STOCK for action in game.legal_actions())
            peek = game.stock[0] if stock and game.actor == viewer else None
            sections["peek"] = self.plane([peek])
        return sections

    def hang_sections(self, viewer: int, order: list[int]) -> dict[str, Numbers]:
        """Only the leader knows that it may lead nothing, until its card shows it (H6)."""
        game = self.game
        dead = self.dead if game.leader == viewer else self.led_dead and bool(game.table)
        outcome = game.outcome
        hung = None if outcome is None else outcome.hung
        return {
            "hang": one_hot(self.hang, 3),
            "dead_lead": [float(dead)],
            "hung": [float(seat == hung) for seat in order],
        }

    def compare(self, viewer: int) -> None:
        """Demand that a seat's observation says this, section by section."""
        sections = [one for one in encoder_of(self.game.rules).sections if one.name != "padding"]
        expected = self.sections(viewer)
        assert [section.name for section in sections] == [*expected]
        lengths = [section.stop - section.start for section in sections]
        assert lengths == [len(numbers) for numbers in expected.values()]
        observation = observe(self.game, viewer)
        wanted = np.zeros(observation.size)
        wanted[: sum(lengths)] = [number for numbers in expected.values() for number in numbers]
        wrong = np.flatnonzero(observation != wanted)
        names = {section.name for section in sections for k in wrong if k in range(*section[1:3])}
        assert not wrong.size, (names, viewer, self.game.position())


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rules", [*some_rules(50), *SMALL], ids=anonymous)
def test_every_section_read_back(rules: Rules, seed: int) -> None:
    """A whole deal, some seat after every action."""
    rng = random.Random(seed)
    game = dealt(rules, seed)
    witness = Witness(game)
    asked = (game.actor, game.phase)
    for action in play_on(game, rng):
        assert asked[0] is not None
        witness.follow(asked[0], asked[1], action)
        witness.compare(rng.randrange(rules.players))
        asked = (game.actor, game.phase)
    for seat in range(rules.players):
        witness.compare(seat)


def test_all_numbers_lie_between_0_and_1() -> None:
    for game in some_games(200, seed=3):
        for seat in range(game.players):
            assert set(observe(game, seat).tolist()) <= {0, 1}


@pytest.mark.parametrize("repetition", ["4", "5", "20", "none"])
def test_endless_takes_do_not_leave_the_range(repetition: str) -> None:
    """E75, P34: everybody takes what the last seat had to take, as often as the rules allow."""
    fields = {"phase": "lead", "trump": "6d", "hands": "7s 8s | 9c 10c | Jh Qh"}
    fields["rules"] = f"podkidnoy(players=3,repetition={repetition})"
    game = Game.from_position("\n".join(f"{key}: {text}" for key, text in fields.items()))
    for _ in range(1000):
        if game.actor is None:
            break
        words = {str(action) for action in game.legal_actions()} & {"take", "pass"}
        game.play(words.pop() if words else game.legal_actions()[-1])
        assert set(observe(game, 0).tolist()) <= {0, 1}
    assert game.outcome is not None
    assert game.outcome.reason == (
        "repetition" if repetition in ("4", "5", "20") else "no_progress"
    )


# --- relative to the viewer ---------------------------------------------------------------------


PLANES = ("hand", "unbeaten", "beaten", "discard", "peek")
"""Sections with one number per card, besides those of the known cards."""


def low_of(rules: Rules) -> int:
    """The lowest rank of a deck."""
    return lowest_rank(rules.deck, rules.suits)


def deck_of(game: Game) -> list[Card]:
    """The deck of a deal."""
    return parse_cards(game.transcript().splitlines()[1].removeprefix("deck: "))


def rotated(game: Game, by: int) -> Game:
    """The same deal at a table turned by some seats."""
    deck, players = deck_of(game), game.players
    for start in range(0, players * game.rules.hand_size, players):
        dealt = deck[start : start + players]
        for seat in range(players):
            deck[start + (seat + by) % players] = dealt[seat]
    levels = [RANKS[low_of(game.rules) + int(game.row["level"][seat])] for seat in range(players)]
    turned = [levels[(seat - by) % players] for seat in range(players)]
    leader = (game.leader + by) % players
    return Game(
        game.rules, deck=deck, leader=leader, levels=turned if game.rules.epaulettes else None
    )


@pytest.mark.parametrize("rules", some_rules(40, seed=5), ids=anonymous)
def test_seats_are_relative(rules: Rules) -> None:
    """Only where a seat sits from the viewer counts, not its number at the table."""
    if rules.players * rules.hand_size >= rules.deck - joker_count(rules.deck):
        rules = dataclasses.replace(rules, hand_size=rules.hand_size - 1)  # E1 names the dealer
    rng = random.Random(2)
    by = rng.randrange(1, rules.players)
    game = dealt(rules, 5, leader=0)
    turned = rotated(game, by)
    for action in play_on(game, rng):
        turned.play(str(action))
        for seat in range(rules.players):
            twin = (seat + by) % rules.players
            assert observe(game, seat).tobytes() == observe(turned, twin).tobytes()


def renamed(game: Game, trump: Suit, *, swapped: bool) -> Game:
    """The same deal with another trump suit: each suit goes where the trump's place sends it.

    ``swapped``: the last two suits, which do not have the trump's colour, change places besides.
    """
    new = [Suit(suit) for suit in CardCodes.of_first_suit(game.rules, trump).suits]
    if swapped:
        new[-2:] = reversed(new[-2:])
    suits = dict(zip(game.codes.suits, new, strict=True))
    other_colour = trump // 2 != game.codes.first_suit // 2
    jokers = {Suit.HEARTS: Suit.SPADES, Suit.SPADES: Suit.HEARTS} if other_colour else {}
    deck = [
        Card(
            card.rank,
            jokers.get(card.suit, card.suit) if card.rank == JOKER_RANK else suits[card.suit],
        )
        for card in deck_of(game)
    ]
    return Game(game.rules, deck=deck, leader=game.leader, levels=random_levels(game.rules, 6))


def swap_others(rules: Rules, observation: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The observation with the last two suits exchanged."""
    swapped = observation.copy()
    sections = {
        section.name: swapped[slice(*section[1:3])] for section in FlatEncoder(rules).sections
    }
    plain = rules.deck - joker_count(rules.deck)
    for name, numbers in sections.items():
        if name in PLANES or name.startswith("known_"):
            planes = numbers[:plain].reshape(rules.suits, -1)
            planes[-2:] = planes[:-3:-1].copy()
    for name in ("announced", "order"):
        numbers = sections[name].reshape(-1, 7)
        numbers[:] = [swapped_number(rules, one) for one in numbers]
    joker = plain < rules.deck and sections["target_rank"][-1]
    if not joker:
        last = sections["target_suit"][rules.suits - 2 : rules.suits]
        last[:] = last[::-1].copy()
    return swapped


def swapped_number(rules: Rules, bits: npt.NDArray[np.int8]) -> Numbers:
    """A card in binary with the last two suits exchanged; a joker has none of them."""
    number = sum(int(bit) << k for k, bit in enumerate(bits))
    suit, rank = divmod(number - 1, 16)
    if number == 0 or rank == 13:
        return binary(number, 7)
    others = {rules.suits - 2: rules.suits - 1, rules.suits - 1: rules.suits - 2}
    return binary(1 + 16 * others.get(suit, suit) + rank, 7)


@lru_cache
def swapped_ids(rules: Rules) -> list[int]:
    """Every action id with the last two suits exchanged."""
    specs = action_table(rules).specs
    ids = {(spec.kind, spec.suit, spec.rank): spec.id for spec in specs}
    suits = {rules.suits - 2: rules.suits - 1, rules.suits - 1: rules.suits - 2}
    return [ids[spec.kind, suits.get(spec.suit, spec.suit), spec.rank] for spec in specs]


@pytest.mark.parametrize("rules", some_rules(36, seed=6), ids=anonymous)
@pytest.mark.parametrize("swapped", [False, True])
def test_suits_are_relative_to_trump(rules: Rules, swapped: bool) -> None:
    """Whatever suit is trump, the same deal looks the same, up to the order of the two suits that
    do not have its colour."""
    if swapped and rules.suits == 2:
        return
    # a lot (P23) is drawn from the printed deck, and a joker (P24) names no suit but a colour
    rules = dataclasses.replace(
        rules, trump_when_dealt_out="last_dealt", joker_turned_up="reveal_next"
    )
    rng = random.Random(3)
    game = dealt(rules, 6, leader=0)
    trumps = rng.sample(SUITS_OF[rules.suits], 2)
    twins = [renamed(game, trump, swapped=swapped) for trump in trumps]
    for action in play_on(game, rng):
        for twin in twins:
            twin.play(swapped_ids(rules)[action.id] if swapped else action.id)
            for seat in range(rules.players):
                expected = observe(game, seat)
                if swapped:
                    expected = swap_others(rules, expected)
                assert observe(twin, seat).tobytes() == expected.tobytes()


# --- nothing is lost, nothing is invented -------------------------------------------------------

NOT_ENCODED = {
    "seat": "seats are relative",
    "suits": "suits are relative to trump",
    "stock_next": "the count of the stock tells",
    "stock_end": "",
    "target": "a place on the table; the card is encoded",
    "open": "follows from the table",
    "unbeaten_count": "follows from the table",
    "legal_cards": "stands in the mask",
    "legal_targets": "stands in the mask",
    "legal_words": "stands in the mask",
    "legal_transfers": "stands in the mask",
    "legal_shows": "stands in the mask",
    "legal_selfs": "stands in the mask",
    "limit": "follows from the rules, the bout, the stock at its start and the discard",
    "limit_on_take": "",
    "public": "the same bytes once more",
}
"""The fields of a view that the encoding leaves out, and why."""

PER_SEAT = ("known", "hand_sizes", "level")
SEATS = ("actor", "leader", "attacker", "defender", "last_layer", "durak", "hung", "announced_by")
SETS_OF_SEATS = ("passed", "out", "showed")


def content(view: PlayerView) -> tuple[object, ...]:
    """Everything else that a view says, seats counted from the viewer."""
    v, players, viewer = view.record[0], view.players, view.seat
    told: list[object] = []
    for name in VIEW.names or ():
        dead_lead = name in ("dead_lead", "sees_dead_lead")
        if name in NOT_ENCODED or (dead_lead and not v["epaulettes"]):
            continue  # a dead lead without epaulettes is a led joker (E98)
        value = v[name].tolist() if v[name].ndim else int(v[name])
        if name in PER_SEAT:
            value = [value[(viewer + k) % players] for k in range(players)]
        elif name in SEATS:
            value = None if value < 0 else (value - viewer) % players
        elif name in SETS_OF_SEATS:
            value = [value >> (viewer + k) % players & 1 for k in range(players)]
        elif name in ("places", "emptied"):
            count = v["placed" if name == "places" else "emptied_count"]
            value = [(seat - viewer) % players for seat in value[:count]]
        told.append(str(value))
    return tuple(told)


@pytest.mark.parametrize("rules", some_rules(24, seed=7), ids=anonymous)
def test_different_views_are_encoded_differently(rules: Rules) -> None:
    """And equal ones alike: the observation says everything that it shall say."""
    rng = random.Random(4)
    contents: dict[bytes, tuple[object, ...]] = {}
    observations: dict[tuple[object, ...], bytes] = {}
    for seed in range(5):
        game = dealt(rules, seed)
        for _ in play_on(game, rng):
            for seat in range(rules.players):
                told = content(game.view(seat))
                encoded = observe(game, seat).tobytes()
                assert contents.setdefault(encoded, told) == told
                assert observations.setdefault(told, encoded) == encoded
    assert len(contents) > 100


# --- masks and buffers --------------------------------------------------------------------------


def legal_ids(game: Game, seat: int) -> list[int]:
    """What the mask of a seat should allow."""
    if game.actor is None:
        return list(range(len(action_table(game.rules))))
    return [action.id for action in game.legal_actions()] if seat == game.actor else []


def test_masks() -> None:
    """They allow what the game allows the actor, nobody else anything, and everything at the end.

    By way of a view and straight from the row, in buffers that hold anything.
    """
    kinds: Counter[Kind] = Counter()
    rng = random.Random(8)
    for rules in [*some_rules(90, seed=8), *SMALL]:
        game = dealt(rules, rng.randrange(2**32))
        masks = np.full((2, len(action_table(rules))), 7, dtype=np.int8)
        for action in play_on(game, rng, 150):
            kinds[action.kind] += 1
            for seat in {game.actor or 0, rng.randrange(game.players)}:
                mask_many(game.view(seat).record, masks[:1])
                observe_mask(game.rows, 0, seat, masks[1])
                for mask in masks:
                    assert np.flatnonzero(mask).tolist() == legal_ids(game, seat)
                    assert set(mask.tolist()) <= {0, 1}
    assert set(kinds) == set(Kind)


@pytest.mark.parametrize("rules", some_rules(40, seed=12), ids=anonymous)
def test_legal_actions_stand_in_the_order_of_ids(rules: Rules) -> None:
    """The jokers come last among the cards, whichever of them is a trump."""
    game = dealt(rules, 12)
    for _ in play_on(game, random.Random(12), 100):
        ids = [action.id for action in game.legal_actions()]
        assert ids == sorted(ids)


def test_a_trump_joker_is_shown() -> None:
    """P20, P7c: its id comes after those of the trumps."""
    game = Game.from_position(
        "rules: jokers(transfer=true,show_transfer=true)\n"
        "trump: Kh\nphase: defend\nhands: 2s 3s 4s | *r 5s 6s\ntable: *b"
    )
    mask = np.zeros((1, len(action_table(game.rules))), dtype=np.int8)
    mask_many(game.view(1).record, mask)
    texts = [action_table(game.rules).describe(k) for k in np.flatnonzero(mask[0])]
    assert texts == [
        "play joker of the trump's colour",
        "take",
        "transfer with joker of the trump's colour",
        "transfer by showing joker of the trump's colour",
    ]
    assert [a.id for a in game.legal_actions()] == np.flatnonzero(mask[0]).tolist()
    game.play("show *r")
    for viewer in (0, 1):
        shown = section(game, viewer, "shown")
        assert shown.tolist() == one_hot(13, 14)


def test_a_mask_stays_within_its_row() -> None:
    """Masks are written eight bytes at a time; their neighbours stay as they are."""
    small = [dealt(rules, 9) for rules in SMALL]
    for game in some_games(60, seed=9) + small:
        size = len(action_table(game.rules))
        masks = np.full(size + 32, 7, dtype=np.int8)
        observe_mask(game.rows, 0, game.actor or 0, masks[16:-16])
        assert (masks[:16] == 7).all()
        assert (masks[-16:] == 7).all()


def scribbled(encoder: FlatEncoder, count: int) -> npt.NDArray[np.int8]:
    """A buffer of the encoder in which anything stands."""
    buffer = encoder.buffer(count)
    buffer[:] = 7
    return buffer


def test_buffers() -> None:
    """Writing into a buffer of the encoder gives the same numbers, whatever stood there."""
    for game in some_games(60, seed=10):
        encoder = FlatEncoder(game.rules)
        views = np.concatenate([game.view(seat).record for seat in range(game.players)])
        expected = encoder.encode(views)
        assert expected.dtype == np.int8
        assert expected.shape == (game.players, *encoder.shape)
        buffer = scribbled(encoder, game.players)
        assert encoder.encode(views, out=buffer) is buffer
        assert np.array_equal(buffer, expected)


@pytest.mark.parametrize("make", [np.empty, np.zeros, np.ones])
def test_any_array_may_be_a_buffer(make: Callable[..., npt.NDArray[np.int8]]) -> None:
    game = Game(seed=1)
    encoder = FlatEncoder(game.rules)
    out = encoder.encode(game.view(0).record, out=make((1, encoder.size), dtype=np.int8))
    assert np.array_equal(out, encoder.encode(game.view(0).record))


def test_every_way_to_an_observation() -> None:
    """View by view, straight from a row, and from many rows at once."""
    for game in some_games(60, seed=11):
        encoder = FlatEncoder(game.rules)
        seats = np.arange(game.players)
        rows = np.zeros_like(seats)
        direct, by_views = scribbled(encoder, game.players), scribbled(encoder, game.players)
        masks = np.full((2, game.players, len(action_table(game.rules))), 7, dtype=np.int8)
        encoding.observe(encoder, game.rows, rows, seats, direct, masks[0])
        encoding.observe(ByViews(game.rules), game.rows, rows, seats, by_views, masks[1])
        for seat in range(game.players):
            assert np.array_equal(direct[seat], observe(game, seat))
            assert np.array_equal(by_views[seat], direct[seat])
            assert np.flatnonzero(masks[0, seat]).tolist() == legal_ids(game, seat)
            assert np.array_equal(masks[1], masks[0])


def test_the_code_with_rare_sections_writes_the_same() -> None:
    """Where the rules have none of them, both kernels agree."""
    for game in some_games(60, seed=13):
        if has_rare_sections(game.rules):
            continue
        encoder = FlatEncoder(game.rules)
        seats = np.arange(game.players)
        out, own = scribbled(encoder, game.players), np.zeros(1, dtype=OWN)
        which = np.zeros_like(seats)
        encode_seats_rare(game.rows, which, seats, own, *sheet(out), False)
        for seat in range(game.players):
            assert np.array_equal(out[seat], observe(game, seat))


class ByViews:
    """The flat encoding without its short way from rows to observations."""

    name, version, high, dtype = "by views", 1, 1, np.dtype(np.int8)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.sections = encoder_of(rules).sections
        self.shape = encoder_of(rules).shape

    def buffer(self, count: int) -> npt.NDArray[np.int8]:
        return encoder_of(self.rules).buffer(count)

    def encode(
        self, views: npt.NDArray[np.void], out: npt.NDArray[np.int8] | None = None
    ) -> npt.NDArray[np.int8]:
        return encoder_of(self.rules).encode(views, out)
