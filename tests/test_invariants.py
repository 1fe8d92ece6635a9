"""Properties of every deal under any rules: I1 ... I14."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from durak_env import Game, IllegalActionError, Rules
from durak_env.actions import Kind, action_table
from durak_env.cards import JOKER_RANK, Card, full_deck
from durak_env.engine import Phase, resume
from durak_env.engine.state import Rows
from durak_env.game import Action
from durak_env.rules import PRESETS
from tests.positions import first_bout, play
from tests.strategies import any_rules, seeds

many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
game_rules = any_rules(high=8)

TABLES = [
    Rules.preset(name, players=players)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
]
"""Every preset with every number of players."""


# --- what every state must satisfy --------------------------------------------------------------


def check_cards(game: Game) -> None:
    """I1: every card stands in one place; I2: the discard is even; known cards are held."""
    table = [card for pair in game.table for card in pair if card is not None]
    hands = [card for seat in range(game.players) for card in game.hand(seat)]
    everywhere = [*hands, *table, *game.stock, *game.discard, *face_down(game)]
    assert sorted(everywhere) == sorted(full_deck(game.rules.deck, game.rules.suits))
    assert len(game.discard) % 2 == 0
    assert not np.any(game.row["known"] & ~game.row["hands"])


def face_down(game: Game) -> list[Card]:
    """The face-down cards of a game of tricks."""
    rows = [place for seat in range(game.players) for place in game.row_cards(seat)]
    return [down for down, _ in rows if down is not None]


def check_table(game: Game) -> None:
    """I4: no more unbeaten cards than the defender holds; both limits of 0.2 are equal but for
    the cards that the defender threw in to itself."""
    if game.phase is Phase.OVER or game.rules.tricks:
        return
    rules = game.rules
    held = len(game.hand(game.defender))
    unbeaten = sum(cover is None for _, cover in game.table)
    if rules.transfer_hand != "unrestricted" and not rules.hang_ignores_hand_cap:
        assert unbeaten <= held
    by_start = int(game.row["defender_start"]) - len(game.table)
    assert by_start == held - unbeaten + int(game.row["self_throws"])


def check_transfer(game: Game) -> None:
    """I9: an attack that may be passed on is of one rank and nothing of it is beaten."""
    if not any(action.kind in ("transfer", "show") for action in game.legal_actions()):
        return
    ranks = {card.rank for card, _ in game.table}
    assert len(ranks) == 1
    assert all(cover is None for _, cover in game.table)
    assert len(game.table) <= (2 if JOKER_RANK in ranks else 4)


def check_stock(game: Game) -> None:
    """I14: the trump card is drawn last and never led from the stock; I3: hands are full while a
    bout starts with a stock."""
    leads_stock = any(action.kind == "stock" for action in game.legal_actions())
    assert not leads_stock or len(game.stock) > 1
    if not game.stock:
        return
    assert game.stock[-1] == game.trump_card
    if game.phase is Phase.LEAD and not game.table:
        hands = [len(game.hand(seat)) for seat in range(game.players)]
        assert min(hands) >= game.rules.hand_size


def check_actor(game: Game) -> None:
    """I7: somebody can act until the end; I8: the defender only defends; I11: nobody after it."""
    legal = game.legal_actions()
    if game.phase is Phase.OVER:
        assert (game.actor, legal) == (None, ())
        return
    assert game.actor is not None
    assert game.actor not in game.places
    assert legal
    if game.phase is not Phase.THROW or game.rules.self_throw == "none":
        assert (game.actor == game.defender) == (game.phase in (Phase.DEFEND, Phase.FOLLOW))
    elif game.actor == game.defender:
        assert {action.kind for action in legal} <= {"self", "pass"}
    held = set(game.hand(game.actor))
    from_hand = ("card", "transfer", "show", "self")
    assert all(action.card in held for action in legal if action.kind in from_hand)


def check_end(game: Game) -> None:
    """I6: at the end nobody or one has cards; the durak takes the last place."""
    outcome = game.outcome
    if outcome is None:
        return
    if game.rules.tricks:
        check_end_of_tricks(game)
        return
    holders = [seat for seat in range(game.players) if game.hand(seat)]
    if outcome.reason in ("repetition", "no_progress", "dead_lead"):
        assert (outcome.durak, outcome.hung) == (None, None)
        assert sorted([*holders, *outcome.places]) == list(range(game.players))
        return
    assert sorted(outcome.places) == list(range(game.players))
    assert holders == ([outcome.durak] if outcome.reason == "durak" else [])
    assert (outcome.durak is None) == (outcome.reason == "draw")
    if game.rules.draw_policy == "last_defender_loses":
        assert outcome.durak is not None
    if outcome.durak is not None:
        assert outcome.places[-1] == outcome.durak
    if outcome.hung is not None:
        assert outcome.hung == 1 - game.defender
        assert outcome.durak == game.defender


def check_end_of_tricks(game: Game) -> None:
    """4.2: all cards are played, and who has fewer tricks is the durak."""
    outcome = game.outcome
    assert outcome is not None
    assert len(game.discard) == game.rules.deck == 2 * sum(outcome.tricks)
    first, second = outcome.tricks
    assert outcome.durak == (None if first == second else int(first > second))
    assert outcome.places == (() if first == second else (1 - outcome.durak, outcome.durak))


def check(game: Game) -> None:
    """Every property of one state."""
    check_cards(game)
    check_table(game)
    check_transfer(game)
    check_stock(game)
    check_actor(game)
    check_end(game)


def check_bout(start: Game, end: Game, taker: int) -> None:
    """I5: a taker gets nothing from the stock; I13: with two seats a deal must come to its end."""
    gain = len(end.discard) - len(start.discard)
    if gain == 0:
        assert not (set(end.hand(taker)) - set(start.hand(taker))) & set(end_of_stock(start, end))
    if start.players == 2 and not start.rules.transfer and gain == 0:
        left = [len(game.hand(start.leader)) + len(game.stock) for game in (start, end)]
        assert left[1] < left[0]
        assert end.leader == start.leader
    else:
        assert gain != 1


def end_of_stock(start: Game, end: Game) -> list[Card]:
    """The cards that were drawn in a bout, without one led from the stock."""
    drawn = start.stock[: len(start.stock) - len(end.stock)]
    led = Kind.STOCK in {action.kind for action in actions_since(start, end)}
    return drawn[1:] if led else drawn


def actions_since(start: Game, end: Game) -> list[Action]:
    """What was played between two states of a deal."""
    return list(end.history[len(start.history) :])


def play_out(game: Game, rng: random.Random, seen: Callable[[Game], None]) -> None:
    """Play random legal actions to the end (or 3,000 of them), showing every state."""
    seen(game)
    for _ in range(3_000):
        if game.actor is None:
            return
        game.play(rng.choice(game.legal_actions()))
        seen(game)


@many
@given(rules=game_rules, seed=seeds)
def test_every_state_of_a_deal(rules: Rules, seed: int) -> None:
    """I1 ... I4, I6 ... I9, I11, I14."""
    play_out(Game(rules, seed=seed), random.Random(seed), check)


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_every_state_of_every_preset(rules: Rules) -> None:
    """The same for every preset and number of players."""
    for seed in range(5):
        play_out(Game(rules, seed=seed), random.Random(seed), check)


@pytest.mark.parametrize("options", ["", "deck=52", "transfer=true", "stock_lead_peek=true"])
def test_armenian_never_leads_the_trump_card(options: str) -> None:
    """I14, S002-12: the stock is led as often as it may be, and the trump card is drawn."""
    for seed in range(10):
        game, rng = Game(f"armenian({options})", seed=seed), random.Random(seed)
        while game.actor is not None:
            legal = [str(action) for action in game.legal_actions()]
            game.play("stock" if "stock" in legal else rng.choice(legal))
            if game.stock:
                assert game.trump_card not in [card for card, _ in game.table]
        assert not game.stock


@many
@given(rules=game_rules, seed=seeds)
def test_every_bout_of_a_deal(rules: Rules, seed: int) -> None:
    """I5, I13."""
    bouts: list[Game] = []
    defenders: list[int] = []

    def note(game: Game) -> None:
        over = game.phase is Phase.OVER and not game.table
        if over or not bouts or game.bout != bouts[-1].bout:
            bouts.append(game.copy())
            defenders.append(game.defender)
        defenders[-1] = game.defender

    play_out(Game(rules, seed=seed), random.Random(seed), note)
    for (start, end), taker in zip(itertools.pairwise(bouts), defenders, strict=False):
        check_bout(start, end, taker)


@many
@given(rules=any_rules(high=8).map(lambda rules: dataclasses.replace(rules, players=2)), seed=seeds)
def test_a_deal_of_two_ends(rules: Rules, seed: int) -> None:
    """I13: without transfer neither a repetition nor endless play is possible."""
    options = {"repetition": None, "transfer": False, "show_transfer": False}
    game = Game(dataclasses.replace(rules, **options), seed=seed)
    play_out(game, random.Random(seed), lambda _: None)
    assert game.outcome is not None


@many
@given(rules=game_rules, seed=seeds)
def test_nothing_is_legal_after_the_end(rules: Rules, seed: int) -> None:
    """I11, B18: every action is refused, by its id, and nothing changes."""
    game = Game(rules, seed=seed)
    play_out(game, random.Random(seed), lambda _: None)
    before = game.row.tobytes()
    for action in range(len(action_table(rules))):
        with pytest.raises(IllegalActionError):
            game.play(action)
    assert game.row.tobytes() == before


# --- the same game again ------------------------------------------------------------------------


def check_same(game: Game, again: Game) -> None:
    """Two games stand the same and may go on the same way."""
    assert again == game
    assert again.legal_actions() == game.legal_actions()
    assert again.outcome == game.outcome
    assert [again.view(k).record.tobytes() for k in range(game.players)] == [
        game.view(k).record.tobytes() for k in range(game.players)
    ]


SAVES: list[Callable[[Game], Game]] = [
    Game.copy,
    copy.deepcopy,
    lambda game: pickle.loads(pickle.dumps(game)),
    lambda game: Game.from_position(game.position()),
    lambda game: Game.from_transcript(game.transcript()),
]
"""Every way to save a game and load it."""


@many
@given(rules=game_rules, seed=seeds)
def test_the_same_actions_give_the_same_game(rules: Rules, seed: int) -> None:
    """I12: rules, deck and actions are the whole game, to the last byte."""
    games = [Game(rules, seed=seed), Game(rules, seed=seed)]
    for game in games:
        play_out(game, random.Random(seed), lambda _: None)
    assert games[0].row.tobytes() == games[1].row.tobytes()
    assert games[0].transcript() == games[1].transcript()


class Play(RuleBasedStateMachine):
    """One deal in which now and then the game is saved and the saved game goes on."""

    @initialize(rules=game_rules, seed=seeds)
    def deal(self, rules: Rules, seed: int) -> None:
        """Begin."""
        self.game = Game(rules, seed=seed)

    @precondition(lambda self: self.game.actor is not None)
    @rule(choices=st.lists(st.integers(0, 11), min_size=1, max_size=12))
    def act(self, choices: list[int]) -> None:
        """Play some legal actions."""
        for choice in choices:
            legal = self.game.legal_actions()
            if legal:
                self.game.play(legal[choice % len(legal)])
                check(self.game)

    @rule(save=st.sampled_from(SAVES))
    def save_and_load(self, save: Callable[[Game], Game]) -> None:
        """I12: save/load is the identity at every action."""
        again = save(self.game)
        check_same(self.game, again)
        self.game = again

    @rule(action=st.integers(-1, 120))
    def play_illegally(self, action: int) -> None:
        """A refused action leaves the game as it was."""
        if action in [legal.id for legal in self.game.legal_actions()]:
            return
        before = self.game.row.tobytes()
        with pytest.raises(IllegalActionError):
            self.game.play(action)
        assert self.game.row.tobytes() == before

    @invariant()
    def everything_holds(self) -> None:
        """Every property of one state."""
        if hasattr(self, "game"):
            check(self.game)


Play.TestCase.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
TestPlay = Play.TestCase


# --- hidden cards -------------------------------------------------------------------------------

View = Callable[[Game, int], bytes]
"""What a seat sees of a game, as bytes."""


def view(game: Game, seat: int) -> bytes:
    """The view of the package."""
    return game.view(seat).record.tobytes()


def leaky_view(game: Game, seat: int) -> bytes:
    """A view with one bit too many: whether the next seat holds a trump."""
    trumps = int(game.row["hands"][(seat + 1) % game.players]) & 0xFFFF
    return view(game, seat) + bytes([trumps != 0])


def permute_unseen(game: Game, seat: int, rng: random.Random) -> Game:
    """The same game with all cards dealt anew that this seat has not seen."""
    twin = game.copy()
    row = twin.row
    others = [other for other in range(game.players) if other != seat]
    unseen = {other: int(row["hands"][other] & ~row["known"][other]) for other in others}
    hidden = hidden_stock(game, seat)
    pool = [code for mask in unseen.values() for code in range(64) if mask >> code & 1]
    pool += [int(row["stock"][k]) for k in hidden]
    covered = row["down"] >= 0
    pool += row["down"][covered].tolist()
    rng.shuffle(pool)
    row["down"][covered] = [pool.pop() for _ in range(covered.sum())]
    for other, mask in unseen.items():
        cards = [pool.pop() for _ in range(mask.bit_count())]
        row["hands"][other] = row["known"][other] | np.uint64(sum(1 << code for code in cards))
    row["stock"][hidden] = pool
    return twin


def hidden_stock(game: Game, seat: int) -> list[int]:
    """The places of the stock that this seat cannot see: all but the trump card, the jokers that
    were turned up (E97) and, under ``stock_lead_peek``, what it may lead from the stock (E81)."""
    row, stock = game.row, range(int(game.row["stock_next"]), int(game.row["stock_end"]) - 1)
    places = [k for k in stock if row["stock"][k] not in row["revealed"]]
    peeks = game.rules.stock_lead_peek and seat == game.actor
    if peeks and any(action.kind == "stock" for action in game.legal_actions()):
        places.remove(stock[0])
    return places


def ask_again(twin: Game) -> bool:
    """Work out the legal actions of permuted cards; whether the same seat is asked the same.

    It is not where a seat was asked, or not asked, because of the cards that were permuted away.
    """
    before = (twin.actor, twin.phase, twin.bout)
    resume(rows_of(twin), 0)
    return (twin.actor, twin.phase, twin.bout) == before


def rows_of(game: Game) -> Rows:
    """The array with the row of a game."""
    return game._rows


def first_leak(view: View, rules: Rules, seed: int) -> tuple[Game, int] | None:
    """The first state and seat of a random deal in which unseen cards change the view."""
    rng = random.Random(seed)
    game = Game(rules, seed=seed)
    while game.actor is not None:
        for seat in range(game.players):
            twin = permute_unseen(game, seat, rng)
            if view(twin, seat) != view(game, seat):
                return game, seat
            if ask_again(twin) and view(twin, seat) != view(game, seat):
                return game, seat
        game.play(rng.choice(game.legal_actions()))
    return None


@settings(many, max_examples=80)
@given(rules=game_rules, seed=seeds)
def test_a_view_does_not_depend_on_unseen_cards(rules: Rules, seed: int) -> None:
    """I10: permuting unseen cards leaves the view of every seat unchanged."""
    assert first_leak(view, dataclasses.replace(rules, repetition=3), seed) is None


def test_a_planted_leak_is_found() -> None:
    """I10: the same check tells a view apart that knows a little of another hand."""
    assert all(first_leak(leaky_view, Rules(players=3), seed) for seed in range(5))


def test_others_do_not_see_what_the_defender_could_beat() -> None:
    """I10, 7.5: with cover_order=any the next target is open, whether he can beat one or not."""
    views = []
    for card in ("9s", "7s"):
        game = first_bout(f"8s 8c 9h 9c Jh Jc | {card} 10h Qh Kh Ah 7h", "cover_order=any")
        views.append(view(play(game, "8s, 8c"), 0))
    assert views[0] == views[1]
