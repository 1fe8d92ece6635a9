"""Armenian 2, the game of tricks, on the engine (4.2, P38, E112 ... E117)."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from durak_env import (
    EpaulettesMatch,
    Game,
    IllegalActionError,
    Knockout,
    Match,
    NotationError,
    Rules,
    RulesError,
    TricksMatch,
)
from durak_env.cards import full_deck
from durak_env.opponents import resolve
from durak_env.render.text import render_game, render_view
from tests.alignment import TrickPair, random_tricks

STATES = 10_000
SLOW_STATES = 400_000


def position(options: str, hands: str, rows: str = "", tricks: str = "", **rest: str) -> Game:
    """Seat 0 leads with these hands and rows; every card not named is played."""
    rules = f"armenian_tricks({options})" if options else "armenian_tricks"
    fields = {"rules": rules, "hands": hands, "rows": rows or "|", "tricks": tricks, **rest}
    return Game.from_position("\n".join(f"{key}: {value}" for key, value in fields.items()))


def play(game: Game, actions: str) -> Game:
    """Play actions separated by blanks."""
    for action in actions.split():
        game.play(action)
    return game


def legal(game: Game) -> set[str]:
    """What the actor may do."""
    return {str(action) for action in game.legal_actions()}


def played_out(rules: str, seed: int) -> Game:
    """A deal of random actions."""
    game, rng = Game(rules, seed=seed), random.Random(seed)
    while game.actor is not None:
        game.play(rng.choice(game.legal_actions()))
    return game


# --- the deal -------------------------------------------------------------------------------------


def test_laying_out() -> None:
    """S002-23, S002-27: 36 cards lie in two rows of six pairs and two hands of six."""
    deck = full_deck(36)
    game = Game("armenian_tricks", deck=deck)
    assert game.row_cards(0) == list(zip(deck[:6], deck[12:18], strict=True))
    assert game.row_cards(1) == list(zip(deck[6:12], deck[18:24], strict=True))
    assert set(game.hand(0)) == {*deck[12:18], *deck[24:30]}
    assert set(game.hand(1)) == {*deck[18:24], *deck[30:]}
    assert game.stock == []
    assert game.trump is None


def test_face_down_cards_are_nobodys_knowledge() -> None:
    """S002-27, 4.2: a seat sees its hand and both face-up rows, and no face-down card."""
    game = Game("armenian_tricks", seed=4)
    hidden = {down for seat in range(2) for down, _ in game.row_cards(seat)}
    for seat in range(2):
        view = game.view(seat)
        other = set(game.hand(1 - seat)) - set(game.known(1 - seat))
        assert set(view.unseen) == hidden | other
        ups = [up for _, up in game.row_cards(seat)]
        assert view.row(0) == [(True, up) for up in ups]
        assert game.view(1 - seat).row(1) == view.row(0)


def test_the_opponent_of_the_dealer_leads_first() -> None:
    """S002-28: seat 0 sits left of the dealer."""
    game = Game("armenian_tricks", seed=1)
    assert (game.actor, game.leader, game.phase.name) == (0, 0, "LEAD")
    assert Game("armenian_tricks", seed=1, leader=1).actor == 1


# --- play -----------------------------------------------------------------------------------------


def test_any_card_of_the_hand_and_the_open_row_may_be_led() -> None:
    """S002-29."""
    game = position("", "8s Kh | 7h 6c", "7d/Ad | 8d/9d", "14 0")
    assert legal(game) == {"8s", "Kh", "Ad"}


def test_e112_the_open_row_must_follow() -> None:
    """E112, S002-31: the only spade lies in the row; hand_only leaves it there."""
    table = ("8s Kh Ah | 7h 8h", "7c/Ac | -/9s 7d/6c", "13 0")
    assert legal(play(position("", *table), "8s")) == {"9s"}
    free = play(position("follow_scope=hand_only", *table), "8s")
    assert legal(free) == {"7h", "8h", "9s", "6c"}


def test_hand_only_may_follow_from_the_row() -> None:
    """P38: with a spade in the hand any playable spade follows."""
    game = position("follow_scope=hand_only", "8s Kh Ah Ac | 7h Js", "| 7d/9s", "14 0")
    assert legal(play(game, "8s")) == {"Js", "9s"}


def test_e113_the_card_below_is_turned_up_at_once() -> None:
    """E113, S002-30: before the answer, or after the trick."""
    hands, rows = "Kh | 7h", "Ad/8s | 7d/9s"
    game = play(position("", hands, rows, "15 0"), "8s")
    assert list(map(str, game.known(0))) == ["Ad"]
    later = play(position("flip=after_trick", hands, rows, "15 0"), "8s")
    assert later.known(0) == []
    assert [card and str(card) for card in later.row_cards(0)[0]] == ["Ad", None]
    play(later, "9s")
    assert list(map(str, later.known(0))) == ["Ad"]
    assert list(map(str, later.known(1))) == ["7d"]
    assert (later.actor, later.tricks) == (1, (15, 1))


def test_e113_the_card_turned_up_cannot_join_the_trick() -> None:
    """E113: a spade under the led one is too late, and one under an answer as well."""
    game = play(position("", "Kh | 7h", "As/8s | 7d/9s", "15 0"), "8s 9s")
    assert (game.actor, game.tricks) == (1, (15, 1))
    assert legal(game) == {"7h", "7d"}


def test_e114_a_face_down_card_is_not_available() -> None:
    """E114: the only spade lies face down, so anything may be played, but not that spade."""
    game = play(position("", "8s Kh 6h Ah | 7h 8h", "| 9s/7d", "14 0"), "8s")
    assert legal(game) == {"7h", "8h", "7d"}
    with pytest.raises(IllegalActionError, match="9s is not legal"):
        game.play("9s")


@pytest.mark.parametrize(
    ("trump_suit", "winner"), [("none", 0), ("d", 0), ("h", 1), ("s", 0), ("c", 0)]
)
def test_e115_off_suit(trump_suit: str, winner: int) -> None:
    """E115: a higher card of another suit does not win, unless that suit is trump by agreement."""
    game = position(f"trump_suit={trump_suit}", "8s Kh | Ah 8h", "", "16 0")
    assert play(game, "8s Ah").leader == winner


def test_who_takes_the_trick_leads() -> None:
    """S002-28, S002-31."""
    game = play(position("", "9s Kh | 10s 8h", "", "16 0"), "9s 10s")
    assert (game.actor, game.phase.name, game.tricks) == (1, "LEAD", (16, 1))


@pytest.mark.parametrize(
    ("before", "tricks", "durak"),
    [("8 9", (9, 9), None), ("12 5", (13, 5), 1), ("2 15", (3, 15), 0)],
)
def test_e116_more_tricks_win(before: str, tricks: tuple[int, ...], durak: int | None) -> None:
    """E116, S002-24, S002-32: both run out together, and more tricks win."""
    outcome = play(position("", "9s | 8h", "", before), "9s 8h").outcome
    assert outcome is not None
    assert (outcome.tricks, outcome.durak, outcome.reason) == (tricks, durak, "tricks")
    assert outcome.places == (() if durak is None else (1 - durak, durak))


@pytest.mark.parametrize("seed", range(40))
def test_both_always_hold_the_same_number_at_a_lead(seed: int) -> None:
    """4.2: eighteen tricks, equal numbers of cards at each lead, always something to play."""
    rng = random.Random(seed)
    game = Game(random_tricks(rng), seed=seed)
    row = game.rules.hand_size
    while game.actor is not None:
        assert game.legal_actions()
        if game.phase.name == "LEAD":
            downs = [sum(down is not None for down, _ in game.row_cards(seat)) for seat in (0, 1)]
            left = [len(game.hand(seat)) + downs[seat] for seat in (0, 1)]
            assert left == [3 * row - sum(game.tricks)] * 2
        game.play(rng.choice(game.legal_actions()))
    assert sum(game.tricks) == 3 * row


# --- the oracle -----------------------------------------------------------------------------------


def compare_deals(block: str, states: int) -> int:
    """Compare whole deals under random options; the number of states."""
    compared = 0
    for deal in itertools.count():
        rng = random.Random(f"{block} {deal}")
        compared += TrickPair(random_tricks(rng), rng.randrange(2**32)).play(rng)
        if compared >= states:
            return compared
    raise AssertionError("unreachable")


def test_tricks_agree_with_the_oracle() -> None:
    assert compare_deals("tricks", STATES) >= STATES


@pytest.mark.slow
def test_tricks_agree_with_the_oracle_for_long() -> None:
    assert compare_deals("slow tricks", SLOW_STATES) >= SLOW_STATES


@pytest.mark.parametrize(
    "change",
    [{"flip": "after_trick"}, {"follow_scope": "hand_only"}, {"trump_suit": "h"}],
    ids=str,
)
def test_an_oracle_under_another_option_is_told_apart(change: dict[str, str]) -> None:
    rules, other = Rules.preset("armenian_tricks"), Rules.preset("armenian_tricks", **change)

    def agree(seed: int) -> bool:
        try:
            return TrickPair(rules, seed, other).play(random.Random(seed)) > 0
        except (AssertionError, ValueError):  # the oracle refuses what the engine played
            return False

    assert not all(map(agree, range(200)))


# --- matches --------------------------------------------------------------------------------------


def play_deal(match: TricksMatch, rng: random.Random) -> None:
    """Play the deal in progress at random."""
    while match.actor is not None:
        match.play(rng.choice(match.game.legal_actions()))


@pytest.mark.parametrize("seed", range(4))
def test_a_match_to_the_target(seed: int) -> None:
    """S002-25, S002-26, S002-32, S002-33, E116: the deal alternates, the difference is scored."""
    rng = random.Random(seed)
    match = TricksMatch("armenian_tricks(target=15)", seed=seed)
    points = [0, 0]
    while True:
        play_deal(match, rng)
        deal = match.deals[-1]
        assert match.game.history
        assert deal.leader == 1 - deal.dealer
        assert deal.dealer == (match.deals[0].dealer + deal.number - 1) % 2
        ahead = deal.outcome.tricks[0] - deal.outcome.tricks[1]
        points[0 if ahead > 0 else 1] += abs(ahead)
        assert match.points == tuple(points)
        assert match.over == (max(points) >= 15)
        assert TricksMatch.from_text(match.to_text()) == match
        if match.over:
            break
        match.next_deal()
    assert match.winner == (0 if points[0] > points[1] else 1)
    with pytest.raises(IllegalActionError, match="the series is over"):
        match.next_deal()


def test_the_first_dealer_is_drawn_by_lot() -> None:
    """S002-26."""
    assert {TricksMatch(seed=seed).dealer for seed in range(20)} == {0, 1}


def test_e117_excess_points_are_ignored() -> None:
    """E117, S002-33: the first to reach the target wins, by however much."""
    match, rng = TricksMatch("armenian_tricks(target=1)", seed=1), random.Random(1)
    play_deal(match, rng)
    assert max(match.points) > 1
    assert match.over
    assert match.winner == match.points.index(max(match.points))


def test_other_matches_refuse_tricks() -> None:
    with pytest.raises(RulesError, match="TricksMatch"):
        Match("armenian_tricks")
    with pytest.raises(RulesError, match="tricks=true"):
        TricksMatch("podkidnoy")
    with pytest.raises(RulesError, match="epaulettes"):
        EpaulettesMatch("armenian_tricks")


def test_a_knockout_of_tricks() -> None:
    """4.3: a game of tricks decides a table as any other."""
    cup = Knockout(["Anna", "Boris", "Vera"], "armenian_tricks", seed=1)
    assert cup.play(lambda _name, _view, actions: actions[0]) in cup.entrants


# --- rules, texts, opponents ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("deck=24", "a deck of 6 x hand_size cards"),
        ("hand_size=4", "a deck of 6 x hand_size cards"),
        ("deck=52,hand_size=8", "a deck of 6 x hand_size cards"),
        ("transfer=true", "tricks=true needs transfer=false, not true"),
        ("stock_lead=true", "tricks=true needs stock_lead=false, not true"),
        ("cover_order=any", "tricks=true needs cover_order=table, not any"),
        ("rank_order=lowest_beats_ace", "tricks=true needs rank_order=plain"),
        ("deck=24,suits=2,hand_size=4,trump_suit=d", "trump_suit takes s, h or none"),
        ("target=0", "target takes 1 to 500"),
    ],
)
def test_contradictions(options: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.parse(f"armenian_tricks({options})")


def test_a_trump_suit_needs_tricks() -> None:
    with pytest.raises(RulesError, match="trump_suit=h needs tricks=true"):
        Rules.parse("podkidnoy(trump_suit=h)")


@pytest.mark.parametrize("seed", range(10))
def test_positions_read_back(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(random_tricks(rng), seed=seed)
    while game.actor is not None:
        again = Game.from_position(game.position())
        assert again == game
        assert legal(again) == legal(game)
        assert Game.from_transcript(game.transcript()) == game
        game.play(rng.choice(game.legal_actions()))
    assert Game.from_position(game.position()).outcome == game.outcome


def test_unknown_cards_are_drawn_by_the_seed() -> None:
    text = "rules: armenian_tricks; hands: 8s ? | ? ?; rows: ?/7d | ?/?; tricks: 9 5"
    games = [Game.from_position(text, seed=seed) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]
    assert len(games[0].hand(0)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hands: 8s | 9s; rows: 7d | ; tricks: 17 0", "is no row of up to 6 places"),
        ("hands: 8s | 8s; tricks: 17 0", "8s stands twice"),
        ("hands: 8s | 9s; tricks: 8 8", "16 won tricks, but 34 cards are discarded"),
        ("hands: 8s 7s | 9s Ks 6s; tricks: 15 0", "31 cards are discarded"),
        ("hands: 8s 7s 6d | 9s; tricks: 16 0", "seat 0 leads with 3 cards left"),
        ("hands: 8s | 9s; rows: 7d/- | -/6s; tricks: 16 0", "a face-down card with nothing on it"),
        ("hands: 8s | 9s; table: 7s 6s; tricks: 16 0", "one led card at most"),
        ("hands: 8s | 9s; stock: 7s; tricks: 17 0", "a game of tricks has no such field"),
        ("hands: 8s | 9s; phase: defend; tricks: 17 0", "defend does not fit the table"),
        ("hands: | ; tricks: 9 9; phase: over", "takes one of tricks, forfeit"),
        ("hands: 8s | 9s | 7s; tricks: 17 0", "3 seats, but the rules have players=2"),
    ],
)
def test_bad_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Game.from_position(f"rules: armenian_tricks; {text}")


def test_greedy_wins_as_cheaply_as_it_can() -> None:
    """It leads its highest card and answers with the cheapest card that wins, else the cheapest."""
    greedy = resolve("greedy", Rules.preset("armenian_tricks"))

    def choice(game: Game) -> str:
        actor = game.actor
        assert actor is not None
        ids = greedy.act(game.view(actor).record, np.zeros(1, dtype=np.uint64))
        return next(str(action) for action in game.legal_actions() if action.id == ids[0])

    lead = position("", "9s Kh | 10s 8h", "", "16 0")
    assert choice(lead) == "Kh"
    assert choice(play(position("", "9s Kh 6d | 10s As 8h", "", "15 0"), "9s")) == "10s"
    assert choice(play(position("", "As Kh 6d | 10s Ks 8h", "", "15 0"), "As")) == "10s"


def test_a_person_can_read_it() -> None:
    game = play(position("", "8s Kh | 7h", "7d/9s Ac/Ad | 8c/6c 9c/10c -/6d", "12 0"), "9s")
    text = render_game(game)
    assert "led: 9s" in text
    assert "row ?/6c ?/10c 6d" in text
    assert "7d" in render_view(game.view(0))
    assert "8c" not in render_view(game.view(0))


def test_different_seeds_differ() -> None:
    assert played_out("armenian_tricks", 1) == played_out("armenian_tricks", 1)
    assert played_out("armenian_tricks", 1) != played_out("armenian_tricks", 2)
