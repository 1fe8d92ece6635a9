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
from durak_env.cards import Card, Suit, lowest_rank, parse_cards
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
from durak_env.rules import OPTIONS
from durak_env.view import VIEW, PlayerView
from tests.alignment import random_rules

Numbers = list[float]


def some_rules(count: int, seed: int = 0) -> list[Rules]:
    """Random rules, the three presets among them."""
    rng = random.Random(seed)
    presets = [Rules.preset(name, players=3) for name in ("podkidnoy", "prostoy", "site")]
    return presets + [random_rules(rng) for _ in range(count - len(presets))]


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
        game = Game(rules, seed=rng.randrange(2**32))
        for _ in play_on(game, rng, rng.randrange(200)):
            pass
        games.append(game)
    return games


def observe(game: Game, seat: int) -> npt.NDArray[np.float32]:
    """The observation of a seat, by way of its view."""
    return encoder_of(game.rules).encode(game.view(seat).record)[0]


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


class Witness:
    """Follows a deal by its public events and says in plain Python what a seat should see."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.target: Card | None = None
        self.positions: Counter[object] = Counter()
        self.quiet = 0
        self.bout = 0
        self.discards = 0
        self._follow_bout()

    def follow(self, actor: int, phase: Phase, action: Action) -> None:
        """Note what this action, already played, has changed."""
        if action.kind is Kind.TARGET:
            self.target = action.card
        elif action.kind is Kind.CARD:
            self.target = None
            if phase is not Phase.DEFEND:
                self.layer = actor
        self._follow_bout()

    def _follow_bout(self) -> None:
        game = self.game
        cleared = game.phase is Phase.OVER and not game.table
        if game.bout == self.bout and not cleared:
            return
        if len(game.discard) > self.discards:
            self.discards, self.quiet = len(game.discard), 0
            self.positions.clear()
            self.occurrences = 0
        elif self.bout:
            self.quiet += 1
        if game.bout > self.bout:
            self._begin_bout()

    def _begin_bout(self) -> None:
        game = self.game
        self.bout = game.bout
        self.layer = game.leader
        self.defender_start = len(game.hand(game.defender))
        self.limits = self._limits(stock_empty=not game.stock)
        self.occurrences = 0
        if game.rules.repetition and not game.stock:
            hands = tuple(tuple(game.hand(seat)) for seat in range(game.players))
            self.positions[hands, game.leader] += 1
            self.occurrences = self.positions[hands, game.leader]

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

    def plane(self, cards: Iterable[Card | None]) -> Numbers:
        """One number per card of the deck: trumps, the trump's colour, the other two suits."""
        deck, trump = self.game.rules.deck, self.game.trump_card.suit
        ranks, low = deck // 4, lowest_rank(deck)
        suits = [trump, trump.same_colour, *(s for s in Suit if s // 2 != trump // 2)]
        wanted = {suits.index(c.suit) * ranks + c.rank - low for c in cards if c is not None}
        return [float(k in wanted) for k in range(deck)]

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
        terms = (limit - len(game.table), self.defender_start - len(game.table), held - unbeaten)
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
        ranks, low = rules.deck // 4, lowest_rank(rules.deck)
        order = [(viewer + k) % game.players for k in range(game.players)]
        beaten = [pair for pair in game.table if pair[1] is not None]
        unbeaten = [attack for attack, cover in game.table if cover is None]
        target = self.next_target()
        target_plane = np.reshape(self.plane([target]), (4, ranks))
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
            "trump_rank": one_hot(game.trump_card.rank - low, ranks),
            "target_rank": target_plane.max(axis=0).tolist(),
            "target_suit": target_plane.max(axis=1).tolist(),
            **seats,
            "phase": one_hot(int(game.phase), 5),
            "room": one_hot(min(6, room), 7),
            "attacks": one_hot(min(6, attacks), 7),
            "discarded": [float(bool(game.discard))],
            "stock": one_hot(min(12, stock), 13),
            "numbers": [
                stock / rules.deck,
                room / rules.deck,
                attacks / rules.deck,
                self.defender_start / rules.deck,
                self.limits[0] / 128,
                self.limits[1] / 128,
                self.bout / (self.bout + 16),
                min(1, self.quiet / 200),
                min(1, self.occurrences / 4),
            ],
        }

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


@pytest.mark.parametrize("rules", some_rules(45), ids=anonymous)
def test_every_section_read_back(rules: Rules) -> None:
    """A whole deal, some seat after every action."""
    rng = random.Random(1)
    game = Game(rules, seed=1)
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
    untold = {"players", "deck", "later_first", "discard_visible", "open_hands"}
    assert told == set(OPTIONS) - untold


def test_all_numbers_lie_between_0_and_1() -> None:
    for game in some_games(300, seed=3):
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
    return Game(game.rules, deck=deck, leader=(game.leader + by) % players)


@pytest.mark.parametrize("rules", some_rules(30, seed=5), ids=anonymous)
def test_seats_are_relative(rules: Rules) -> None:
    """Only where a seat sits from the viewer counts, not its number at the table."""
    if rules.players * rules.hand_size == rules.deck:
        rules = dataclasses.replace(rules, hand_size=rules.hand_size - 1)  # E1 names the dealer
    rng = random.Random(2)
    by = rng.randrange(1, rules.players)
    game = Game(rules, seed=5, leader=0)
    turned = rotated(game, by)
    for action in play_on(game, rng):
        turned.play(str(action))
        for seat in range(rules.players):
            twin = (seat + by) % rules.players
            assert observe(game, seat).tobytes() == observe(turned, twin).tobytes()


def renamed(game: Game, trump: Suit, *, swapped: bool) -> Game:
    """The same deal with another trump suit: each suit goes where the trump's place sends it.

    ``swapped``: the two suits that do not have the trump's colour change places besides.
    """
    new = [trump, trump.same_colour, *(s for s in Suit if s // 2 != trump // 2)]
    if swapped:
        new[2], new[3] = new[3], new[2]
    suits = dict(zip(game.codes.suits, new, strict=True))
    deck = [Card(card.rank, suits[card.suit]) for card in deck_of(game)]
    return Game(game.rules, deck=deck, leader=game.leader)


def swap_others(rules: Rules, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The observation with the last two suits exchanged."""
    swapped = observation.copy()
    for section in FlatEncoder(rules).sections:
        numbers = swapped[section.start : section.stop]
        size = numbers.size // 4
        if numbers.size == rules.deck and section.name != "options":
            swapped[section.start : section.stop] = numbers.reshape(4, size)[[0, 1, 3, 2]].ravel()
        elif section.name == "target_suit":
            swapped[section.start : section.stop] = numbers[[0, 1, 3, 2]]
    return swapped


def swap_id(rules: Rules, action: int) -> int:
    """The action id with the last two suits exchanged."""
    ranks, deck = rules.deck // 4, rules.deck
    first = 0 if action < deck else deck + 2
    suit, rank = divmod(action - first, ranks)
    if deck <= action < deck + 2 or suit < 2:
        return action
    return first + (5 - suit) * ranks + rank


@pytest.mark.parametrize("rules", some_rules(24, seed=6), ids=anonymous)
@pytest.mark.parametrize("swapped", [False, True])
def test_suits_are_relative_to_trump(rules: Rules, swapped: bool) -> None:
    """Whatever suit is trump, the same deal looks the same, up to the order of the two suits that
    do not have its colour."""
    rng = random.Random(3)
    game = Game(rules, seed=6, leader=0)
    twins = [renamed(game, trump, swapped=swapped) for trump in rng.sample(list(Suit), 2)]
    for action in play_on(game, rng):
        for twin in twins:
            twin.play(swap_id(rules, action.id) if swapped else action.id)
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
    "public": "the same bytes once more",
}
"""The fields of a view that the encoding leaves out, and why."""

PER_SEAT = ("known", "hand_sizes")
SEATS = ("actor", "leader", "attacker", "defender", "last_layer")
SETS_OF_SEATS = ("passed", "out")


def content(view: PlayerView) -> tuple[object, ...]:
    """Everything else that a view says, seats counted from the viewer."""
    v, players, viewer = view.record[0], view.players, view.seat
    told: list[object] = []
    for name in VIEW.names or ():
        if name in NOT_ENCODED:
            continue
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


@pytest.mark.parametrize("rules", some_rules(16, seed=7), ids=anonymous)
def test_different_views_are_encoded_differently(rules: Rules) -> None:
    """And equal ones alike: the observation says everything that it shall say."""
    rng = random.Random(4)
    contents: dict[bytes, tuple[object, ...]] = {}
    observations: dict[tuple[object, ...], bytes] = {}
    for seed in range(5):
        game = Game(rules, seed=seed)
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
    kinds: Counter[str] = Counter()
    for game in some_games(400, seed=8):
        size = len(action_table(game.rules))
        for seat in range(game.players):
            masks = np.full((2, size), 7, dtype=np.int8)
            mask_many(game.view(seat).record, masks[:1])
            observe_mask(game.rows, 0, seat, masks[1])
            for mask in masks:
                assert np.flatnonzero(mask).tolist() == legal_ids(game, seat)
                assert set(mask.tolist()) <= {0, 1}
        kinds.update(str(action.kind) for action in game.legal_actions())
    assert set(kinds) == {"card", "pass", "take", "target"}


def test_a_mask_stays_within_its_row() -> None:
    """Masks are written eight bytes at a time; their neighbours stay as they are."""
    for game in some_games(60, seed=9):
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
