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
from durak_env.encoding.kernels import (
    encode_flat_at,
    mask_many,
    observe_flat,
    observe_flat_many,
    observe_mask,
)
from durak_env.engine import Phase
from durak_env.game import Action
from durak_env.rules import OPTIONS, PRESETS, OptionValue
from durak_env.view import VIEW, PlayerView
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

LAYS = (Kind.CARD, Kind.STOCK, Kind.TRANSFER, Kind.SELF)
"""The kinds of action that lay an attack card, or a cover."""


def some_rules(count: int, seed: int = 0) -> list[Rules]:
    """Random rules, every preset and everything at once among them."""
    rng = random.Random(seed)
    named = [Rules.preset(name, players=min(3, PRESETS[name].players[1])) for name in PRESETS]
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


def observe(game: Game, seat: int) -> npt.NDArray[np.float32]:
    """The observation of a seat, by way of its view."""
    return encoder_of(game.rules).encode(game.view(seat).record)[0]


def section(game: Game, seat: int, name: str) -> npt.NDArray[np.float32]:
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
    assert names[-1] == "options"
    assert all(section.doc for section in encoder.sections)


def test_encoders_by_name() -> None:
    encoder = encoding.make("flat", Rules())
    assert isinstance(encoder, FlatEncoder)
    assert (encoder.name, encoder.version) == ("flat", 1)
    with pytest.raises(DurakError, match="unknown encoder 'round'; known: flat"):
        encoding.make("round", Rules())


def test_the_kernel_fills_everything_but_the_options() -> None:
    """Exactly [0, options.start), whatever stood there before; the options stand there already."""
    for game in some_games(60):
        encoder = FlatEncoder(game.rules)
        options = encoder.sections[-1].start
        for seat in range(game.players):
            out = np.full(encoder.size + 16, np.nan, dtype=np.float32)
            assert encode_flat_at(game.view(seat).record, 0, out) == options
            assert not np.isnan(out[:options]).any()
            assert np.isnan(out[options:]).all()


# --- every section, read back -------------------------------------------------------------------


def one_hot(index: int, size: int) -> Numbers:
    """A one at this place."""
    return [float(k == index) for k in range(size)]


def turned_up_jokers(game: Game) -> list[Card]:
    """The jokers that were turned up before the trump card (E97, 7.11)."""
    rest = deck_of(game)[game.players * game.rules.hand_size :]
    while rest and rest[-1].rank == JOKER_RANK:
        rest.pop()
    return rest[: next((k for k, card in enumerate(rest) if card.rank != JOKER_RANK), 0)]


class Witness:
    """Follows a deal by its public events and says in plain Python what a seat should see."""

    def __init__(self, game: Game) -> None:
        self.game = game
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
        elif action.kind is Kind.SELF:
            self.self_throws += 1
            self.self_pending = True
        if action.kind in LAYS and not (action.kind is Kind.CARD and phase is Phase.DEFEND):
            self.layer = actor
        if phase is Phase.LEAD:
            self._follow_lead(action)
        self._follow_bout()

    def _follow_lead(self, action: Action) -> None:
        """Section 4.1: an own rank begins a hang, a special card commits to it; else it is dead."""
        if action.kind is Kind.PASS:
            self.hang = 0
        elif action.card is not None and self.game.rules.epaulettes:
            if self.hangable and not self.hang:
                self.hang = 1
            if self.hang and self._is_special(action.card):
                self.hang = 2
            self.led_dead = self.dead

    def _is_special(self, card: Card) -> bool:
        """H1."""
        trump = card.suit == self.game.trump_card.suit and self.game.rules.trump_exempt
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
        trump = self.game.trump_card.suit
        order = [trump, trump.same_colour, *(s for s in Suit if s // 2 != trump // 2)]
        return [suit for suit in order if suit in SUITS_OF[self.game.rules.suits]]

    def is_trumps_colour(self, joker: Card) -> bool:
        """Whether a joker has the trump's colour (P5)."""
        red = (Suit.HEARTS, Suit.DIAMONDS)
        return (joker.suit in red) == (self.game.trump_card.suit in red)

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
        return 0 if self.game.rules.trump_joker else 1

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

    def seat(self, seat: int) -> dict[str, Numbers]:
        """What stands about one seat."""
        game, cards = self.game, len(self.game.hand(seat))
        places = game.places
        roles = [
            seat == game.actor,
            seat == game.leader,
            seat == game.attacker,
            seat == game.defender,
            seat == self.layer,
            seat in game.passed,
            seat in places and not cards,
        ]
        return {
            "hand_size": one_hot(min(8, cards), 9),
            "roles": [float(role) for role in roles],
            "hand": [cards / game.rules.deck],
            "place": [(places.index(seat) + 1) / game.players if seat in places else 0.0],
        }

    def sections(self, viewer: int) -> dict[str, Numbers]:
        """Every section but the options, as this seat should see it."""
        game, rules = self.game, self.game.rules
        ranks = rank_count(rules.deck, rules.suits)
        order = [(viewer + k) % game.players for k in range(game.players)]
        beaten = [pair for pair in game.table if pair[1] is not None]
        unbeaten = [attack for attack, cover in game.table if cover is None]
        target = self.next_target()
        stock, attacks, room = len(game.stock), len(game.table), self.room()
        seats = {
            f"{name}_{k}": numbers
            for k, seat in enumerate(order)
            for name, numbers in self.seat(seat).items()
        }
        return {
            "hand": self.plane(game.hand(viewer)),
            "unbeaten": self.plane(unbeaten),
            "beaten": self.plane(card for pair in beaten for card in pair),
            "discard": self.plane(game.discard),
            **{f"known_{k}": self.plane(game.known(order[k])) for k in range(1, game.players)},
            "trump_rank": one_hot(self.rank_of(game.trump_card), ranks),
            "target_rank": one_hot(self.rank_of(target), ranks + (rules.deck == 54)),
            "target_suit": one_hot(self.suit_of(target), 4),
            **seats,
            "phase": one_hot(int(game.phase), 6),
            "room": one_hot(min(6, room), 7),
            "attacks": one_hot(min(6, attacks), 7),
            "discarded": [float(bool(game.discard))],
            "stock": one_hot(min(12, stock), 13),
            **self.rare_sections(viewer),
            "numbers": [  # nothing may be laid any more once the deal is over
                stock / rules.deck,
                room / rules.deck,
                attacks / rules.deck,
                self.defender_start / rules.deck,
                *(0 if game.phase is Phase.OVER else limit / 128 for limit in self.limits),
                self.bout / (self.bout + 16),
                min(1, self.quiet / 200),
                min(1, self.occurrences / 4),
            ],
        }

    def rare_sections(self, viewer: int) -> dict[str, Numbers]:
        """The sections that only some rules have."""
        game, rules = self.game, self.game.rules
        order = [(viewer + k) % game.players for k in range(game.players)]
        sections: dict[str, Numbers] = {}
        if rules.show_transfer:
            ranks = {
                card.rank if card.rank == JOKER_RANK else card.rank - self.low
                for card in self.shown
                if card
            }
            sections["shown"] = [float(k in ranks) for k in range(14)]
            sections["showed"] = [float(seat in self.showed) for seat in order]
        if rules.self_throw != "none":
            sections["self_throws"] = [self.self_throws / rules.deck, float(self.self_pending)]
        if rules.epaulettes:
            ranks_count = rank_count(rules.deck, rules.suits)
            for k, seat in enumerate(order):
                sections[f"level_{k}"] = one_hot(int(game.row["level"][seat]), ranks_count)
            sections["hang"] = self.hang_numbers(viewer)
        if joker_count(rules.deck):
            turned_up = [*turned_up_jokers(game), None, None][:2]
            sections["revealed"] = [x for card in turned_up for x in one_hot(self.suit_of(card), 3)]
        if rules.stock_lead_peek:
            stock = any(action.kind is Kind.STOCK for action in game.legal_actions())
            peek = game.stock[0] if stock and game.actor == viewer else None
            sections["peek"] = self.plane([peek])
        return sections

    def hang_numbers(self, viewer: int) -> Numbers:
        """Only the leader knows that it may lead nothing, until its card shows it (H6)."""
        game = self.game
        dead = self.dead if game.leader == viewer else self.led_dead and bool(game.table)
        return [*one_hot(self.hang, 3), float(dead)]

    def compare(self, viewer: int) -> None:
        """Demand that a seat's observation says this, section by section."""
        sections = encoder_of(self.game.rules).sections
        expected = self.sections(viewer)
        assert [section.name for section in sections] == [*expected, "options"]
        lengths = [section.stop - section.start for section in sections[:-1]]
        assert lengths == [len(numbers) for numbers in expected.values()]
        observation = observe(self.game, viewer)[: sections[-1].start]
        wanted = np.array([number for numbers in expected.values() for number in numbers])
        wrong = np.flatnonzero(np.abs(observation - wanted) > 1e-6)
        names = {section.name for section in sections for k in wrong if k in range(*section[1:3])}
        assert not names, (names, viewer, self.game.position())


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


@pytest.mark.parametrize("rules", some_rules(60), ids=anonymous)
def test_options_read_back(rules: Rules) -> None:
    """A switch is 0 or 1, a choice one-hot without its first value, a number scaled; the doc of
    the section names them in this order."""
    encoder = FlatEncoder(rules)
    section = encoder.sections[-1]
    names = section.doc.removeprefix("the rules: ").split(", ")
    values = observe(Game(rules, seed=1), 0)[section.start :].tolist()
    assert len(names) == len(values)
    for name, value in zip(names, values, strict=True):
        option, equals, choice = name.partition("=")
        set_to = getattr(rules, option)
        if choice == "none" and not isinstance(set_to, str):
            assert value == (set_to is None)
        elif equals:
            assert value == (set_to == choice)
        else:
            scaled = int(set_to or 0) / (1 if isinstance(set_to, bool) else 26)
            assert value == pytest.approx(min(1, scaled))
    told = {name.partition("=")[0] for name in names}
    untold = {"players", "deck", "suits", "later_first", "discard_visible", "open_hands"}
    assert told == set(OPTIONS) - untold


def test_all_numbers_lie_between_0_and_1() -> None:
    for game in some_games(200, seed=3):
        for seat in range(game.players):
            numbers = observe(game, seat)
            assert numbers.min() >= 0.0
            assert numbers.max() <= 1.0


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
        assert observe(game, 0).max() <= 1.0
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
    new = [Suit(suit) for suit in CardCodes.of_trump(game.rules, trump).suits]
    if swapped:
        new[-2:] = reversed(new[-2:])
    suits = dict(zip(game.codes.suits, new, strict=True))
    other_colour = trump // 2 != game.trump_card.suit // 2
    jokers = {Suit.HEARTS: Suit.SPADES, Suit.SPADES: Suit.HEARTS} if other_colour else {}
    deck = [
        Card(
            card.rank,
            jokers.get(card.suit, card.suit) if card.rank == JOKER_RANK else suits[card.suit],
        )
        for card in deck_of(game)
    ]
    return Game(game.rules, deck=deck, leader=game.leader, levels=random_levels(game.rules, 6))


def swap_others(rules: Rules, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
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
    joker = plain < rules.deck and sections["target_rank"][-1]
    if not joker:
        last = sections["target_suit"][rules.suits - 2 : rules.suits]
        last[:] = last[::-1].copy()
    return swapped


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
    "attack": "in which order attack cards were laid",
    "cover": "which cover beats which attack card",
    "emptied": "who laid a last card in this bout first",
    "emptied_count": "",
    "stock_was_empty": "whether this bout began without a stock: the limits tell most of it",
    "announced": "that a known card was shown for the first lead",
    "announced_by": "",
    "reason": "why a deal is over",
    "stock_next": "the count of the stock tells",
    "stock_end": "",
    "target": "a place on the table; the card is encoded",
    "open": "follows from the table",
    "unbeaten_count": "follows from the table",
    "durak": "follows from the hands, except after a forfeit or P33",
    "legal_cards": "stands in the mask",
    "legal_targets": "stands in the mask",
    "legal_words": "stands in the mask",
    "legal_transfers": "stands in the mask",
    "legal_shows": "stands in the mask",
    "legal_selfs": "stands in the mask",
    "hung": "who hung epaulettes, once the deal is over",
    "public": "the same bytes once more",
}
"""The fields of a view that the encoding leaves out, and why."""

PER_SEAT = ("known", "hand_sizes", "level")
SEATS = ("actor", "leader", "attacker", "defender", "last_layer")
SETS_OF_SEATS = ("passed", "out", "showed")


def content(view: PlayerView) -> tuple[object, ...]:
    """Everything else that a view says, seats counted from the viewer."""
    v, players, viewer = view.record[0], view.players, view.seat
    told: list[object] = []
    for name in VIEW.names or ():
        if name in NOT_ENCODED or (name == "dead_lead" and not v["epaulettes"]):
            continue  # a dead lead without epaulettes is a led joker (E98)
        value = v[name].tolist() if v[name].ndim else int(v[name])
        if name in PER_SEAT:
            value = [value[(viewer + k) % players] for k in range(players)]
        elif name in SEATS:
            value = None if value < 0 else (value - viewer) % players
        elif name in SETS_OF_SEATS:
            value = [value >> (viewer + k) % players & 1 for k in range(players)]
        elif name == "places":
            value = [(seat - viewer) % players for seat in value[: v["placed"]]]
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


def scribbled(encoder: FlatEncoder, count: int) -> npt.NDArray[np.float32]:
    """A buffer of the encoder in which another observation stood."""
    buffer = encoder.buffer(count)
    buffer[:, : encoder.sections[-1].start] = 0.5
    return buffer


def test_buffers() -> None:
    """Writing into a buffer of the encoder gives the same numbers, whatever stood there."""
    for game in some_games(60, seed=10):
        encoder = FlatEncoder(game.rules)
        views = np.concatenate([game.view(seat).record for seat in range(game.players)])
        expected = encoder.encode(views)
        assert expected.dtype == np.float32
        assert expected.shape == (game.players, encoder.size)
        buffer = scribbled(encoder, game.players)
        assert encoder.encode(views, out=buffer) is buffer
        assert np.array_equal(buffer, expected)


@pytest.mark.parametrize("make", [np.empty, np.zeros, np.ones])
def test_any_array_may_be_a_buffer(make: Callable[..., npt.NDArray[np.float32]]) -> None:
    """``out`` is written, the options too."""
    game = Game(seed=1)
    encoder = FlatEncoder(game.rules)
    out = encoder.encode(game.view(0).record, out=make((1, encoder.size), dtype=np.float32))
    assert np.array_equal(out, encoder.encode(game.view(0).record))


def test_every_way_to_an_observation() -> None:
    """View by view, straight from a row, and from many rows at once."""
    for game in some_games(60, seed=11):
        encoder = FlatEncoder(game.rules)
        scratch = np.zeros(1, dtype=VIEW)
        seats = np.arange(game.players)
        many = scribbled(encoder, game.players)
        masks = np.full((game.players, len(action_table(game.rules))), 7, dtype=np.int8)
        rows = np.zeros_like(seats)
        observe_flat_many(game.rows, rows, seats, scratch, many, masks)
        for seat in range(game.players):
            one = scribbled(encoder, 1)[0]
            observe_flat(game.rows, 0, seat, scratch, one)
            assert np.array_equal(one, observe(game, seat))
            assert np.array_equal(many[seat], one)
            assert np.flatnonzero(masks[seat]).tolist() == legal_ids(game, seat)
