"""The arena: duplicate deals, what they count, and how far their intervals can be trusted."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest

from durak_env import ConfigError, OpponentError, Rules, arena
from durak_env.arena import Pairing, compare, confidence_interval, match, table
from durak_env.arena.intervals import student_quantile
from durak_env.engine import Rows
from durak_env.opponents import Ids, Opponent, OpponentLike, Randoms, make

RULES = Rules()
THREE, FOUR = Rules(players=3), Rules(players=4)
SITE = Rules.preset("site", players=3)
OTHERS = [
    Rules.preset("perevodnoy", players=3, show_transfer=True),
    Rules.preset("jokers", players=3),
    Rules.preset("epaulettes"),
    Rules.preset("armenian"),
    Rules.preset("american", players=3),
]
"""Games with other kinds of action."""


def untimed(pairing: Pairing) -> Pairing:
    """A pairing without what differs from run to run."""
    return dataclasses.replace(pairing, ms_per_decision=(0.0, 0.0))


@dataclass
class Cheat:
    """Plays like greedy, but an action that no table has where its random word says so."""

    name: str = "cheat"
    one_in: int = 1

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """Some actions -1."""
        actions = make("greedy").act(views, randoms)
        actions[randoms % np.uint64(self.one_in) == 0] = -1
        return actions


@dataclass
class Recorder:
    """Plays like greedy and keeps the number of views of every call."""

    name: str = "recorder"
    calls: list[int] = field(default_factory=list)

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """What greedy does."""
        self.calls.append(len(views))
        return make("greedy").act(views, randoms)


# --- everything follows from the seed -----------------------------------------------------------


@pytest.mark.parametrize("rules", [RULES, THREE, SITE, *OTHERS], ids=str)
def test_the_same_seed_gives_the_same_result(rules: Rules) -> None:
    first, again, other = (compare("easy", "random", rules, 150, seed) for seed in (5, 5, 6))
    assert untimed(first) == untimed(again)
    assert untimed(first) != untimed(other)


@pytest.mark.parametrize("rules", [RULES, FOUR], ids=str)
@pytest.mark.parametrize("games_at_once", [1, 7, 64])
def test_the_size_of_chunks_does_not_matter(
    rules: Rules, games_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = compare("easy", "random", rules, 100, 3)
    monkeypatch.setattr(match, "GAMES_AT_ONCE", games_at_once)
    assert untimed(compare("easy", "random", rules, 100, 3)) == untimed(usual)


def test_a_longer_comparison_begins_with_the_deals_of_a_shorter_one() -> None:
    short = match.random_words(np.random.PCG64(1), 10)
    long = match.random_words(np.random.PCG64(1), 25)
    assert np.array_equal(short, long[:10])
    assert len(np.unique(long)) == long.size


def test_every_game_of_a_deal_has_its_deck() -> None:
    words = match.random_words(np.random.PCG64(1), 20)
    games, _ = match.play_deals([make("easy"), make("greedy")], THREE, words)
    assert games.shape == (20, 3)
    decks = games["stock"][..., : THREE.deck]
    assert (decks == decks[:, :1]).all()
    assert (decks[0] != decks[1]).any()


def test_chunks_grow_while_they_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(match.chunks(100, 2)) == [1, 4, 16, 64, 15]
    assert max(match.chunks(100_000, 3)) * 3 <= match.GAMES_AT_ONCE
    monkeypatch.setattr(match, "QUICK", 0.0)
    assert list(match.chunks(3, 2)) == [1, 1, 1]


# --- who wins -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [("greedy", "easy"), ("easy", "random")])
def test_two_players_change_sides(a: str, b: str) -> None:
    """Both directions play the same games, so one is the mirror of the other."""
    there, back = compare(a, b, RULES, 200, 2), compare(b, a, RULES, 200, 2)
    assert (there.wins, there.draws, there.losses) == (back.losses, back.draws, back.wins)
    assert there.score == pytest.approx(1 - back.score, abs=1e-15)
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low))


@pytest.mark.parametrize("name", ["greedy", "easy"])
def test_nobody_is_stronger_than_itself(name: str) -> None:
    two = compare(name, name, RULES, 100)
    assert (two.a, two.b, two.score, two.fair) == (name, name, 0.5, 0.5)
    assert two.wins == two.losses
    assert two.low < 0.5 < two.high
    for rules in (THREE, FOUR):
        more = compare(name, name, rules, 100)
        assert more.score == pytest.approx(more.fair)
        assert more.losses * rules.players == more.games - more.draws


@pytest.mark.parametrize("rules", [RULES, THREE, FOUR, SITE], ids=str)
@pytest.mark.parametrize(("a", "b"), [("greedy", "random"), ("easy", "random"), ("greedy", "easy")])
def test_the_ladder(a: str, b: str, rules: Rules) -> None:
    pairing = compare(a, b, rules, 300)
    assert pairing.low > pairing.fair
    assert pairing.illegal == (0, 0)
    assert compare(b, a, rules, 300).high < pairing.fair


@pytest.mark.parametrize("rules", [RULES, THREE, FOUR], ids=str)
def test_what_is_counted(rules: Rules) -> None:
    pairing = compare("greedy", "easy", rules, 250)
    assert pairing.games == 250 * rules.players
    assert pairing.wins + pairing.draws + pairing.losses == pairing.games
    assert 0 < pairing.draw_share < 0.2
    drawn = 0.5 if rules.players == 2 else 1.0
    assert pairing.score == pytest.approx((pairing.wins + drawn * pairing.draws) / pairing.games)
    assert 0 <= pairing.low < pairing.score < pairing.high <= 1
    assert 0 < min(pairing.ms_per_decision) <= max(pairing.ms_per_decision) < 10


def test_the_fair_share_of_games_without_draws() -> None:
    pairing = dataclasses.replace(compare("random", "random", THREE, 10), draws=0)
    assert pairing.fair == pytest.approx(2 / 3)


def test_json() -> None:
    two, three = (compare("greedy", "random", rules, 20).as_json() for rules in (RULES, THREE))
    assert list(two) == [
        *("a", "b", "deals", "games", "score", "low", "high", "draws", "illegal"),
        "ms_per_decision",
    ]
    assert list(three) == [*two, "fair"]
    assert (three["illegal"], three["games"], len(three["ms_per_decision"])) == (0, 60, 2)


# --- opponents that cheat -----------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RULES, THREE], ids=str)
def test_an_illegal_action_loses_the_deal(rules: Rules) -> None:
    candidate = compare(Cheat(), "greedy", rules, 30)
    assert candidate.illegal == (candidate.games, 0)
    assert (candidate.losses, candidate.score, candidate.low) == (candidate.games, 0.0, 0.0)
    others = compare("greedy", Cheat(), rules, 30)
    assert others.illegal == (0, others.games)
    assert (others.wins, others.score, others.high) == (others.games, 1.0, 1.0)


def test_a_rare_illegal_action_is_found() -> None:
    honest, cheat = (
        compare("greedy", "easy", RULES, 200),
        compare(Cheat("x", 200), "easy", RULES, 200),
    )
    assert 0 < cheat.illegal[0] < 200
    assert honest.score > cheat.score
    assert cheat.as_json()["illegal"] == cheat.illegal[0]


# --- intervals ----------------------------------------------------------------------------------


def paired_scores(
    rng: np.random.Generator, skill: float, luck: float, deals: int
) -> npt.NDArray[np.float64]:
    """Scores of duplicate deals; a share ``luck`` of them is won by a seat, the rest by skill."""
    by_seat = rng.random(deals) < luck
    pairs = (rng.random((deals, 2)) < skill).mean(axis=1)
    return np.where(by_seat, 0.5, pairs)


def interval_of(scores: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The interval of deals' scores."""
    variance = scores.var(ddof=1) if np.ptp(scores) else 0.0
    return confidence_interval(float(scores.mean()), float(variance), len(scores))


@pytest.mark.parametrize("deals", [20, 200, 1000])
@pytest.mark.parametrize("luck", [0.0, 0.6])
@pytest.mark.parametrize("skill", [0.5, 0.8, 0.97])
def test_the_interval_covers(skill: float, luck: float, deals: int) -> None:
    rng = np.random.default_rng(1)
    truth = luck * 0.5 + (1 - luck) * skill
    intervals = [interval_of(paired_scores(rng, skill, luck, deals)) for _ in range(1500)]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert 0.93 < covered < 0.98


def test_the_interval_is_that_of_deals_not_of_games() -> None:
    """Deals that are won or lost as a whole say half as much as their games would, if unrelated."""
    scores = np.array([0.0, 1.0] * 200)
    low, high = interval_of(scores)
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(400), rel=0.02)
    lucky = np.array([0.5, 0.5, 0.5, 0.0, 1.0] * 80)
    assert np.ptp(interval_of(lucky)) < 0.7 * (high - low)


def test_intervals_of_real_comparisons_cover() -> None:
    truth = compare("greedy", "easy", RULES, 20_000, 1000).score
    pairings = [compare("greedy", "easy", RULES, 100, seed) for seed in range(100)]
    assert sum(pairing.low <= truth <= pairing.high for pairing in pairings) >= 89
    width = np.mean([pairing.high - pairing.low for pairing in pairings])
    spread = np.std([pairing.score for pairing in pairings])
    assert width == pytest.approx(2 * 1.96 * spread, rel=0.2)


@pytest.mark.parametrize("deals", [1, 2, 100])
def test_deals_that_all_end_alike_prove_little(deals: int) -> None:
    low, high = confidence_interval(1.0, 0.0, deals)
    assert high == 1.0
    assert low == pytest.approx(deals / (deals + 1.96**2), abs=1e-4)
    assert confidence_interval(0.0, 0.0, deals) == pytest.approx((0.0, 1 - low))
    low, high = confidence_interval(0.5, 0.0, deals)
    assert 0 < low < 0.5 < high < 1


def test_few_deals_get_wider_intervals() -> None:
    """Student's quantiles, from a printed table."""
    for freedom, quantile in [(5, 2.571), (9, 2.262), (29, 2.045), (1999, 1.961)]:
        assert student_quantile(freedom) == pytest.approx(quantile, rel=2e-3)


def test_the_interval_stays_inside() -> None:
    nearly = np.array([1.0] * 999 + [0.5])
    low, high = interval_of(nearly)
    assert 0.99 < low < nearly.mean() < high < 1


# --- progress, tables, errors -------------------------------------------------------------------


def test_progress() -> None:
    told: list[int] = []
    compare("greedy", "random", RULES, 321, progress=told.append)
    assert sum(told) == 321
    assert len(told) > 3


def test_games_are_played_at_once_but_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "GAMES_AT_ONCE", 50)
    recorder = Recorder()
    compare(recorder, "random", RULES, 200)
    assert 20 < max(recorder.calls) <= 50


def test_a_table() -> None:
    pairs: list[tuple[OpponentLike, OpponentLike]] = [("greedy", "random"), ("greedy", Recorder())]
    told: list[int] = []
    first, second = table(pairs, RULES, 50, 4, told.append)
    assert untimed(first) == untimed(compare("greedy", "random", RULES, 50, 4))
    assert (second.a, second.b, second.score) == ("greedy", "recorder", 0.5)
    assert sum(told) == 100


def test_opponents_are_looked_up_before_any_plays() -> None:
    recorder = Recorder()
    with pytest.raises(OpponentError, match="nobody"):
        table([(recorder, "greedy"), ("greedy", "nobody")], RULES, 10)
    assert not recorder.calls


@pytest.mark.parametrize(("deals", "seed", "named"), [(0, 0, "deals=0"), (5, -1, "seed=-1")])
def test_numbers_that_are_none(deals: int, seed: int, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        compare("greedy", "greedy", RULES, deals, seed)


def test_public_names() -> None:
    assert isinstance(Cheat(), Opponent)
    assert set(arena.__all__) <= set(dir(arena))
