"""The levels medium, hard and insane: what each does in positions, and that each is stronger."""

from __future__ import annotations

import numpy as np
import pytest

from durak_env import Game, Rules, arena, belief, opponents
from durak_env.opponents.hard.kernels import FEATURES, TABLES, WEIGHTS
from durak_env.opponents.insane.kernels import SHORT_STOCK
from durak_env.rules import PRESETS
from durak_env.view import VIEW, observe_many
from tests.positions import first_bout, play, position
from tests.test_opponents import choice, random_streams, records, some_views

LADDER = ("medium", "hard", "insane")
ladder = pytest.mark.parametrize("name", LADDER)

LOW = "9s 9c 10h Jh Qc Kc"
"""A hand for the other seat."""


def late(hands: str, **fields: str) -> Game:
    """A position without a stock."""
    return position(hands, bout="9", **fields)


# --- medium -----------------------------------------------------------------------------------


def test_medium_leads_one_of_a_pair() -> None:
    """S003-31, S001-22, S000-70: a pair rather than a slightly lower single card; S003-28: but the
    lowest cards first."""
    assert choice("medium", first_bout(f"7s 8c 8h Jd 10s Kh | {LOW}")) in ("8c", "8h")
    assert choice("medium", first_bout(f"7s 7c 9h Jd 10s Kh | {LOW}")) in ("7s", "7c")
    assert choice("medium", first_bout(f"6s 9h 7d Jd Qh 10s | {LOW}")) == "6s"


def test_medium_throws_the_twin_in() -> None:
    """S001-22: the second seven follows the first."""
    game = play(first_bout(f"7s 7c 9h Jd 10s Kh | {LOW}", "lead_mode=single"), "7s, 9s")
    assert choice("medium", game) == "7c"


@ladder
def test_who_remembers_leads_what_nobody_can_beat(name: str) -> None:
    """S003-36, S001-24, S003-5, S000-69: all higher hearts and all trumps are out."""
    game = late("7s Kh 9c | 8s Qh 10c")
    assert choice("greedy", game) == "7s"
    assert choice(name, game) == "Kh"


@ladder
@pytest.mark.parametrize("trump", ["Kd", "Ad"])
def test_no_high_trump_on_a_cheap_attack(name: str, trump: str) -> None:
    """S003-36, S003-30, S001-21, S001-23, S003-29: early in the deal a low card is taken."""
    game = play(first_bout(f"8s 6c 6h 10s Js Qh | {trump} 7c 9h Jh Qc Kc"), "8s")
    assert choice("greedy", game) == trump
    assert choice(name, game) == "take"


@ladder
def test_a_card_worth_having_is_taken(name: str) -> None:
    """S001-23: a king rather than the loss of a trump."""
    game = play(first_bout("Ks 6c 6h 10s Js Qh | 7d 7c 9h Jh Qc 10c"), "Ks")
    assert choice("greedy", game) == "7d"
    assert choice(name, game) == "take"


def test_medium_beats_with_a_plain_card() -> None:
    """S003-36: what costs no trump is done."""
    game = play(first_bout("Ks 6c 6h 10s Js Qh | As 7c 9h Jh Qc 10c"), "Ks")
    assert choice("medium", game) == "As"


def test_medium_beats_with_a_low_trump() -> None:
    """S003-36: a low trump is not spared."""
    game = play(first_bout("8s 6c 6h 10s Js Qh | 7d 7c 9h Jh Qc Kc"), "8s")
    assert choice("medium", game) == "7d"


@pytest.mark.parametrize("name", ["medium", "hard"])
@pytest.mark.parametrize("order", ["table", "any"])
def test_all_or_nothing(name: str, order: str) -> None:
    """S003-36: who cannot beat both cards beats none of them; greedy beats the first."""
    game = play(
        first_bout("8s 8c 6h 10s Js Kh | 9s 7c 9h Jh Qh 7h", f"cover_order={order}"), "8s, 8c"
    )
    assert choice("greedy", game) in ("9s", "target 8s")
    assert choice(name, game) == "take"


@pytest.mark.parametrize("name", ["medium", "hard"])
def test_two_cards_need_two_covers(name: str) -> None:
    """S003-36: one card cannot beat both; with a second one the whole table is beaten."""
    lead = "7s 6h 10c Jc"
    assert choice(name, first_bout(f"{lead} | 10s 7c 9h Jh Qh 8h", table="8s 8c")) == "take"
    assert choice(name, first_bout(f"{lead} | 9s 9c 9h Jh Qh 8h", table="8s 8c")) == "9s"


@pytest.mark.parametrize("cards", ["8d 6c", "8d 7s 6c 6h"])
@ladder
def test_last_trumps_are_thrown_in(name: str, cards: str) -> None:
    """S003-34: near the end a trump is better gone than left over; early in the deal it is kept
    (S003-29, S003-37)."""
    other = "10c Jc 10h Jh" if len(cards) > 5 else "10c Jc"
    game = late(f"{cards} | {other}", table="8s/9s", phase="throw")
    assert choice("greedy", game) == "pass"
    assert choice(name, game) == "8d"
    early = first_bout("8d 7s 6c 6h Qc Kc | 10c Jc 7h 9h Kh", table="8s/9s")
    assert choice(name, early) == "pass"


def test_medium_keeps_trumps_that_it_may_hang() -> None:
    """S000-30: with epaulettes the last trumps are not thrown in."""
    game = Game.from_position(
        "rules: epaulettes\ntrump: 6d\nhands: 8d 6c | 10c Jc\ntable: 8s/9s\nphase: throw\nbout: 9"
    )
    assert choice("medium", game) == "pass"


# --- hard -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "answer"), [("Ks", "take"), ("6s/7s 7h/8h 8c/9c Ks", "8d"), ("8s", "8d")]
)
def test_hard_minds_how_far_its_hand_grows(table: str, answer: str) -> None:
    """S003-37: a king alone is rather taken than beaten with a trump, with six low cards not."""
    assert choice("hard", first_bout("10s As Kh | 8d 7c Kc Ac", table=table)) == answer


def test_hard_holds_trumps_back_when_it_throws_in() -> None:
    """S003-37, S001-21, S003-33: while there is a stock it throws hardly a trump in."""
    views = [
        view
        for view in some_views(Rules(), 8000, seed=6)
        if view.phase.name in ("THROW", "ADD") and view.stock_count > SHORT_STOCK
        if all(card.suit == view.trump for card in view.hand if str(card) in view.legal_actions())
    ]
    assert len(views) > 30
    chosen = opponents.make("hard").act(records(views), random_streams(len(views)))
    assert (chosen == Rules().deck).mean() > 0.9


def test_hard_finishes() -> None:
    """S003-37, S003-34: the careful end; it leads so that one awkward card is not left over."""
    game = late("7s As | 8s Jc")
    assert choice("greedy", game) == "7s"
    assert choice("hard", game) == "As"


def test_the_weights_are_named() -> None:
    """Every kind of action has a table of named features, no name twice."""
    assert WEIGHTS.shape == (4, 2, len(TABLES), FEATURES)
    for kind, table in enumerate(TABLES):
        assert len({name for name, *_ in table}) == len(table) <= FEATURES
        assert (WEIGHTS[:, :, kind, len(table) :] == 0).all()


# --- insane -----------------------------------------------------------------------------------


def test_insane_looks_ahead_near_the_end_only() -> None:
    """S003-38: with more than twelve cards in the stock it plays as hard does."""
    views = some_views(Rules(), 600, seed=3)
    words = random_streams(len(views))
    same = opponents.make("insane").act(records(views), words) == opponents.make("hard").act(
        records(views), words
    )
    full = np.array([view.stock_count > 12 for view in views])
    assert full.any()
    assert same[full].all()
    assert 0.3 < same[~full].mean() < 0.97


def test_insane_finds_a_win() -> None:
    """S003-38: all cards are known, and only one lead leaves the other as the durak."""
    found = 0
    for seed in range(60):
        game = play_until_short(seed)
        if game is None or game.actor is None:
            continue
        best = [action for action in game.legal_actions() if wins_against_hard(game, str(action))]
        if 0 < len(best) < len(game.legal_actions()):
            assert wins_against_hard(game, choice("insane", game))
            found += 1
    assert found > 10


def play_until_short(seed: int) -> Game | None:
    """A deal of hard against itself, at the first decision without a stock."""
    game = Game(seed=seed)
    while game.actor is not None and game.stock:
        game.play(choice("hard", game))
    return game if game.actor is not None else None


def wins_against_hard(game: Game, action: str) -> bool:
    """Whether the actor wins by this action if both then play as hard does."""
    seat, twin = game.actor, game.copy().play(action)
    while twin.actor is not None:
        twin.play(choice("hard", twin))
    assert twin.outcome is not None
    return twin.outcome.durak == 1 - (seat or 0)


# --- all of them ------------------------------------------------------------------------------


@ladder
def test_hidden_cards_decide_nothing(name: str) -> None:
    """S003-39: in two worlds of a view the decision is the same, for the same random word."""
    for preset, facts in PRESETS.items():
        for players in {facts.players[0], facts.players[1]}:
            views = some_views(Rules.preset(preset, players=players), 12, seed=players)
            words = random_streams(12)
            decided = []
            for k in range(2):
                rows = belief.worlds(records(views), 2, 9)[:, k].copy()
                again = np.zeros(12, dtype=VIEW)
                seats = np.array([view.seat for view in views])
                observe_many(rows, np.arange(12), seats, again)
                decided.append(opponents.make(name).act(again, words).tolist())
            assert decided[0] == decided[1]


@ladder
def test_always_legal_in_every_preset(name: str) -> None:
    """With every number of players: no deal is forfeited."""
    for preset, facts in PRESETS.items():
        for players in range(facts.players[0], facts.players[1] + 1):
            rules = Rules.preset(preset, players=players)
            deals = 1 if name == "insane" else 60
            assert arena.compare(name, "random", rules, deals, seed=4).illegal == (0, 0)


@ladder
def test_epaulettes_are_hung(name: str) -> None:
    """S000-26, S000-30: a seat with a hand of its own rank leads all of it."""
    game = Game.from_position(
        "rules: epaulettes\ntrump: 6d\nhands: 7s 7d | 8s Jc Qc\nlevels: 7 6\nbout: 9"
    )
    while game.actor == 0:
        game.play(choice(name, game))
    assert game.outcome is not None or {str(attack) for attack, _ in game.table} == {"7s", "7d"}


@ladder
@pytest.mark.parametrize(
    "options", ["transfer=true", "transfer=true,show_transfer=true", "self_throw=free"]
)
def test_rare_actions_are_weighed(name: str, options: str) -> None:
    """Some word or card of the rare kinds is chosen where the rules have them."""
    views = some_views(Rules.parse(f"podkidnoy(players=3,{options})"), 300, seed=8)
    rare = [view for view in views if any(" " in text for text in view.legal_actions())]
    assert len(rare) > 3
    chosen = opponents.make(name).act(records(rare), random_streams(len(rare)))
    assert all(action in view.legal_ids() for view, action in zip(rare, chosen, strict=True))


PAIRS = [("medium", "greedy", 3000), ("hard", "medium", 1500), ("insane", "hard", 60)]


@pytest.mark.parametrize(("better", "worse", "deals"), PAIRS)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("preset", ["podkidnoy", "perevodnoy", "plus"])
def test_each_beats_the_one_below(
    better: str, worse: str, deals: int, players: int, preset: str
) -> None:
    """On duplicate deals: the 95 % interval of the score lies above what equals would have."""
    pairing = arena.compare(better, worse, Rules.preset(preset, players=players), deals, seed=2024)
    assert pairing.low > pairing.fair
    assert pairing.illegal == (0, 0)


def test_hard_against_greedy() -> None:
    """Two players, podkidnoy, 4,000 duplicate deals: more than two of three points."""
    assert arena.compare("hard", "greedy", Rules(), 4000, seed=77).low > 0.66
