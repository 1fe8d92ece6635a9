"""Episodes of one deal and of a match, reward schemes, who sits where, self-play, forced moves."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from durak_env import (
    DurakError,
    EpaulettesMatch,
    Game,
    Match,
    NotationError,
    OpponentError,
    Rules,
    TricksMatch,
    armenian_tricks_v0,
    epaulettes_v0,
    podkidnoy_v0,
)
from durak_env.engine import Reason, Rows
from durak_env.envs.aec import DurakAECEnv
from durak_env.envs.learners import Learners
from durak_env.envs.rewards import SCHEMES, deal_rewards, match_rewards, place_values
from durak_env.envs.single import DurakEnv
from durak_env.envs.vector import DurakVectorEnv
from durak_env.rules import PRESETS
from durak_env.view import PlayerView
from tests.positions import play

with warnings.catch_warnings():
    # PettingZoo's tests import one of its games in the way that PettingZoo calls deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test


def play_episode(env: DurakAECEnv, rng: np.random.Generator) -> dict[str, float]:
    """Play random legal actions to the end; what `last` has told every agent in all."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(100_000):
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        total[agent] += reward
        mask = observation["action_mask"]
        env.step(None if terminated else rng.choice(np.flatnonzero(mask)))
    return total


# --- reward schemes -----------------------------------------------------------------------------


def ended(text: str, actions: str) -> Rows:
    """The row of a deal that these actions end."""
    game = play(Game.from_position(text), actions)
    assert game.outcome is not None
    return game.rows


def test_places_are_paid_in_equal_steps() -> None:
    assert place_values(2).tolist() == [1.0, -1.0]
    assert place_values(3).tolist() == [1.0, 0.0, -1.0]
    assert place_values(5).tolist() == [1.0, 0.5, 0.0, -0.5, -1.0]


def test_rewards_of_a_deal() -> None:
    """Seat 2 is the durak, seat 1 goes out last of the others."""
    text = "rules: podkidnoy(players=3); trump: 6d; hands: 7s | 8s | 9h 10h; places: ; leader: 0"
    rows = ended(text, "7s, 8s")
    assert deal_rewards(rows, 3).tolist() == [[0.5, 0.5, -1.0]]
    assert deal_rewards(rows, 3, "places").tolist() == [[1.0, 0.0, -1.0]]
    assert deal_rewards(rows, 3, "points").tolist() == [[0.5, 0.5, -1.0]]


def test_a_draw_by_repetition_is_shared() -> None:
    """Who has gone out keeps its place; the others share what is left."""
    rows = Game("podkidnoy(players=4)", seed=1).rows
    rows["phase"], rows["durak"], rows["reason"] = 4, -1, Reason.REPETITION
    rows["places"][0, 0], rows["placed"] = 2, 1
    third = pytest.approx(-1 / 3)
    assert deal_rewards(rows, 4, "places")[0].tolist() == [third, third, 1.0, third]
    assert not deal_rewards(rows, 4).any()


def test_points_of_epaulettes() -> None:
    """Only a hang counts (S000-13)."""
    text = "rules: epaulettes; trump: Jd; hands: {}; levels: 6 7"
    assert deal_rewards(
        ended(text.format("6s 6c | 9s 9h Kh Qh"), "6s, 6c, take"), 2, "points"
    ).tolist() == [[1.0, -1.0]]
    assert not deal_rewards(ended(text.format("Kh | 9s 9h"), "Kh, take"), 2, "points").any()


def test_points_of_tricks() -> None:
    """13 to 5 is worth 8 of 18."""
    text = "rules: armenian_tricks; hands: 9s | 8h; tricks: 12 5"
    rewards = deal_rewards(ended(text, "9s, 8h"), 2, "points")[0]
    assert rewards.tolist() == pytest.approx([8 / 18, -8 / 18])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_are_zero_sum_and_in_range(preset: str, scheme: Any) -> None:
    players = PRESETS[preset].players[1]
    rng = np.random.default_rng(1)
    for seed in range(20):
        game = Game(Rules.preset(preset, players=players), seed=seed)
        while game.actor is not None:
            game.play(rng.choice(np.array([action.id for action in game.legal_actions()])))
        rewards = deal_rewards(game.rows, players, scheme)[0]
        assert rewards.sum() == pytest.approx(0.0)
        assert np.abs(rewards).max() <= 1.0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_who_forfeits_is_the_durak_in_every_scheme(scheme: Any) -> None:
    env = podkidnoy_v0.env(players=3, rewards=scheme)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(10**6)
    assert env.rewards == {
        agent: -1.0 if agent == offender else 0.5 for agent in env.possible_agents
    }


def test_rewards_of_a_match() -> None:
    ranking = ((2,), (0, 3), (1,))
    assert match_rewards(ranking, 4, "durak").tolist() == pytest.approx([1 / 3, -1, 1 / 3, 1 / 3])
    assert match_rewards(ranking, 4, "places").tolist() == pytest.approx([0, -1, 1, 0])
    assert not match_rewards(ranking, 4, "points").any()
    assert match_rewards(((0,), (1, 2)), 3, "durak").tolist() == [1.0, -0.5, -0.5]
    assert not match_rewards(((0, 1, 2),), 3, "durak").any()


def test_an_unknown_scheme() -> None:
    with pytest.raises(DurakError, match="rewards='wins' is not accepted; it takes 'durak'"):
        podkidnoy_v0.env(rewards="wins")
    with pytest.raises(DurakError, match="rewards='wins' is not accepted"):
        DurakEnv(rewards="wins")  # type: ignore[arg-type]


# --- matches as episodes ------------------------------------------------------------------------

MATCHES: list[tuple[Any, dict[str, Any], type[Match]]] = [
    (podkidnoy_v0, {"players": 3, "deals": 4}, Match),
    (epaulettes_v0, {"deals": 6}, EpaulettesMatch),
    (armenian_tricks_v0, {"target": 9}, TricksMatch),
]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("module", "options", "kind"), MATCHES)
def test_a_match_is_an_episode(
    module: Any, options: dict[str, Any], kind: type[Match], scheme: Any
) -> None:
    """Played by the environment, it ends as the same match played by hand."""
    env = module.env(episode="match", rewards=scheme, **options)
    env.reset(seed=5)
    by_hand = copy.deepcopy(env.match)
    assert type(by_hand) is kind
    rng = np.random.default_rng(5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    paid = 0
    for agent in env.agent_iter(100_000):
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        if terminated:
            env.step(None)
            continue
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        assert by_hand.actor == env.possible_agents.index(agent)
        by_hand.play(int(action))
        env.step(action)
        paid += any(env.rewards.values())
        assert sum(env.rewards.values()) == pytest.approx(0.0)
        if by_hand.actor is None and not by_hand.over:
            by_hand.next_deal()
    assert by_hand.over
    assert by_hand == env.match
    wanted = np.zeros(env.rules.players)
    if scheme == "points":
        for deal in by_hand.deals:
            game = Game.from_transcript(deal.transcript)
            seats = [deal.rotation.seat_of(seat) for seat in range(game.players)]
            wanted[seats] += deal_rewards(game.rows, game.players, "points")[0]
    else:
        wanted = match_rewards(by_hand.ranking, env.rules.players, scheme)
    assert list(total.values()) == pytest.approx(wanted.tolist())
    assert (paid > 1) or scheme != "points"


@pytest.mark.parametrize(("module", "options", "kind"), MATCHES)
def test_a_match_passes_the_tests_of_pettingzoo(
    module: Any, options: dict[str, Any], kind: type[Match]
) -> None:
    assert kind
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent")
        warnings.filterwarnings("ignore", ".*reset options.*")
        api_test(module.env(episode="match", rewards="points", **options), num_cycles=600)
        seed_test(lambda: module.env(episode="match", **options), num_cycles=300)


def test_a_series_has_ten_deals() -> None:
    env = podkidnoy_v0.env(episode="match")
    env.reset(seed=1)
    play_episode(env, np.random.default_rng(1))
    assert env.match is not None
    assert len(env.match.deals) == 10


@pytest.mark.parametrize("options", [{"deals": 3}, {"episode": "match", "deals": 0}])
def test_deals_belong_to_a_match(options: dict[str, Any]) -> None:
    with pytest.raises(DurakError, match=r"deals=\d is not accepted"):
        podkidnoy_v0.env(**options)


def test_an_unknown_episode() -> None:
    with pytest.raises(DurakError, match="episode='rubber' is not accepted"):
        podkidnoy_v0.env(episode="rubber")


def test_an_illegal_action_ends_a_match() -> None:
    env = armenian_tricks_v0.env(episode="match")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(-1)
    assert all(env.terminations.values())
    assert env.rewards[offender] == -1.0


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(("module", "options", "kind"), MATCHES)
def test_copies_in_the_middle_of_a_match(
    module: Any, options: dict[str, Any], kind: type[Match], duplicate: Any
) -> None:
    assert kind
    env = module.env(episode="match", **options)
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(30):
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    twin = duplicate(env)
    totals = [play_episode(one, np.random.default_rng(3)) for one in (env, twin)]
    assert totals[0] == totals[1]
    assert env.match == twin.match


# --- who sits where -----------------------------------------------------------------------------


def test_seats_may_be_chosen() -> None:
    """The deal is that of the seats; only who sits there differs."""
    usual, other = podkidnoy_v0.env(players=3), podkidnoy_v0.env(players=3)
    usual.reset(seed=4)
    other.reset(seed=4, options={"seats": [2, 0, 1]})
    sitting = {"player_0": "player_1", "player_1": "player_2", "player_2": "player_0"}
    for agent, twin in sitting.items():
        for key in ("observation", "action_mask"):
            assert np.array_equal(usual.observe(agent)[key], other.observe(twin)[key])
    assert other.agent_selection == sitting[usual.agent_selection]
    one, two = (play_episode(env, np.random.default_rng(4)) for env in (usual, other))
    assert {sitting[agent]: reward for agent, reward in one.items()} == two
    other.reset(seed=4)
    assert other.agent_selection == "player_" + str(other.game.actor)


@pytest.mark.parametrize("seats", [[0, 1], [0, 0, 1], [1, 2, 3]])
def test_seats_that_are_no_order(seats: list[int]) -> None:
    env = podkidnoy_v0.env(players=3)
    with pytest.raises(DurakError, match="is no order of the seats 0 to 2"):
        env.reset(options={"seats": seats})


def test_levels_of_a_deal() -> None:
    """S000-10: a deal of epaulettes may begin at any levels."""
    env = epaulettes_v0.env()
    env.reset(seed=1, options={"levels": ["9", "A"]})
    assert "levels: 9 A" in env.game.position()
    with pytest.raises(NotationError, match="levels"):
        env.reset(options={"levels": ["5", "A"]})


def test_the_game_of_an_environment_has_its_history() -> None:
    env = podkidnoy_v0.env()
    env.reset(seed=3)
    play_episode(env, np.random.default_rng(3))
    assert len(env.game.history) > 10
    assert Game.from_transcript(env.game.transcript()) == env.game


# --- opponents ----------------------------------------------------------------------------------


def first_legal(view: PlayerView, _rng: np.random.Generator) -> int:
    """The first legal action."""
    return view.legal_ids()[0]


def last_legal(view: PlayerView, _rng: np.random.Generator) -> str:
    """The last legal action, in notation."""
    return view.legal_actions()[-1]


def by_chance(view: PlayerView, rng: np.random.Generator) -> str:
    """A random legal action."""
    return str(rng.choice(view.legal_actions()))


def seen_by(env: DurakEnv, seed: int, deals: int = 3) -> list[bytes]:
    """Everything that a learner sees, which plays its first legal action."""
    seen = []
    for deal in range(deals):
        observation, _ = env.reset(seed=seed if deal == 0 else None)
        over = False
        while not over:
            seen.append(observation["observation"].tobytes())
            action = int(np.flatnonzero(observation["action_mask"])[0])
            observation, _, over, _, _ = env.step(action)
    return seen


@pytest.mark.parametrize("decide", [first_legal, last_legal, by_chance])
def test_a_function_as_opponent(decide: Any) -> None:
    """The same seed plays the same, chance of the function included."""
    env = DurakEnv(opponents=decide, players=3)
    assert seen_by(env, 1) == seen_by(DurakEnv(opponents=decide, players=3), 1)
    assert seen_by(env, 1) != seen_by(env, 2)
    assert env.learners.seating.opponents[0].name == decide.__name__
    assert env.learners.seating.illegal.sum() == 0


@pytest.mark.parametrize("wrong", [None, 1.5, "8x", "fly"])
def test_a_function_that_gives_no_action(wrong: Any) -> None:
    def broken(_view: PlayerView, _rng: np.random.Generator) -> Any:
        return wrong

    env = DurakEnv(opponents=broken)
    with pytest.raises(OpponentError, match=r"broken gave .* which is no action id"):
        seen_by(env, 1)


def test_an_illegal_choice_of_a_function_loses() -> None:
    env = DurakEnv(opponents=lambda _view, _rng: 10**6, seat=0)
    for seed in range(20):
        env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        assert reward == 1.0


def test_a_tuple_seats_everybody() -> None:
    env = DurakEnv(opponents=("greedy", first_legal, "random"), players=4, seat=1)
    env.reset(seed=1)
    names = [env.learners.seating.opponents[k].name for k in env.learners.seating.who[0] if k >= 0]
    assert names == ["random", "greedy", "first_legal"]
    with pytest.raises(DurakError, match="a tuple of 2; with players=4 it names 3"):
        DurakEnv(opponents=("greedy", "random"), players=4)


# --- self-play ----------------------------------------------------------------------------------


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_self_play_acts_for_every_seat(players: int, skip_forced: bool) -> None:
    """Each row is the game that its own deck and its own actions give, and every seat is paid."""
    env = DurakVectorEnv(
        6,
        opponents="self",
        players=players,
        skip_forced=skip_forced,
        autoreset_mode=AutoresetMode.DISABLED,
    )
    observation, infos = env.reset(seed=3)
    rng = np.random.default_rng(3)
    games = [Game(env.rules, deck=deck_of(env.learners, row)) for row in range(6)]
    over = np.zeros(6, dtype=bool)
    for _ in range(3000):
        for row, game in enumerate(games):
            if over[row]:
                continue
            play_forced(game, skip_forced)
            assert infos["seat"][row] == game.actor
            seen = env.learners.encoder.encode(game.view(game.actor).record)[0]
            assert np.array_equal(observation["observation"][row], seen)
        masks = observation["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        for row, game in enumerate(games):
            if not over[row]:
                game.play(int(actions[row]))
                play_forced(game, skip_forced)
        if over.any():
            break
        acted = infos["seat"].copy()
        observation, rewards, over, _, infos = env.step(actions)
        for row in np.flatnonzero(over):
            wanted = deal_rewards(games[row].rows, players)[0]
            assert infos["all_rewards"][row].tolist() == wanted.tolist()
            assert rewards[row] == wanted[infos["seat"][row]]
            assert infos["seat"][row] == acted[row]
    assert over.any()


def deck_of(learners: Learners, row: int) -> str:
    """The deck of a row."""
    game = Game(learners.rules, seed=0)
    game.rows[:] = learners.rows[row : row + 1]
    game._name_cards()
    return game.transcript().splitlines()[1].removeprefix("deck: ")


def play_forced(game: Game, skip: bool) -> None:
    """Play what leaves no choice."""
    while skip and len(game.legal_actions()) == 1:
        game.play(game.legal_actions()[0])


# --- forced decisions ---------------------------------------------------------------------------


def test_forced_decisions_are_skipped() -> None:
    """A learner is asked only where it has a choice, and the deals are the same."""
    decisions = {}
    for skip in (False, True):
        env = DurakEnv(opponents="greedy", skip_forced=skip, seat=0)
        choices, results = [], []
        for seed in range(40):
            _, _ = env.reset(seed=seed)
            over = False
            while not over:
                legal = np.flatnonzero(env.action_masks())
                if len(legal) > 1:
                    choices.append((seed, tuple(legal)))
                assert len(legal) > 1 or not skip
                _, reward, over, _, _ = env.step(int(legal[-1]))
            results.append(reward)
        decisions[skip] = (choices, results)
    assert decisions[False] == decisions[True]


def test_nothing_is_skipped_in_the_environment_of_all_seats() -> None:
    env = podkidnoy_v0.env()
    env.reset(seed=2)
    forced = 0
    while env.agents:
        observation, _, terminated, _, _ = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        forced += len(legal) == 1
        env.step(None if terminated else int(legal[-1]))
    assert forced > 0


# --- threads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["easy", "self", ["random", "greedy"], by_chance])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_threads_change_nothing(mode: AutoresetMode, opponents: Any) -> None:
    """Three threads give every number that one gives."""
    envs = [
        DurakVectorEnv(10, opponents=opponents, players=3, threads=threads, autoreset_mode=mode)
        for threads in (1, 3)
    ]
    results: list[Any] = [env.reset(seed=7) for env in envs]
    rng = np.random.default_rng(7)
    for _ in range(60):
        assert flat(results[0]) == flat(results[1])
        ended = results[0][2] if len(results[0]) == 5 else np.zeros(10, dtype=bool)
        if mode is AutoresetMode.DISABLED and ended.any():
            results = [env.reset(options={"reset_mask": ended.copy()}) for env in envs]
            continue
        masks = results[0][0]["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        actions[rng.integers(10)] = rng.choice((actions[0], 10**6))
        results = [env.step(actions) for env in envs]
    for env in envs:
        env.close()


def flat(value: Any) -> Any:
    """A result as something that can be compared."""
    if isinstance(value, np.ndarray):
        return [flat(one) for one in value] if value.dtype == object else value.tolist()
    if isinstance(value, dict):
        return {key: flat(one) for key, one in value.items()}
    return [flat(one) for one in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("threads", [0, 5])
def test_how_many_threads(threads: int) -> None:
    with pytest.raises(DurakError, match=f"threads={threads} is not accepted; it takes 1 to 4"):
        DurakVectorEnv(4, threads=threads)
