"""The Gymnasium environments: one seat, and N games at once, with the opponents inside."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from durak_env import DurakError, IllegalActionError, OpponentError, RulesError, encoding, opponents
from durak_env.encoding.kernels import mask_many
from durak_env.engine import Rows
from durak_env.envs.single import DurakEnv
from durak_env.envs.vector import DurakVectorEnv
from durak_env.opponents import Ids, Opponent, Randoms
from durak_env.rules import PRESETS

NEXT_STEP, SAME_STEP, DISABLED = (
    AutoresetMode.NEXT_STEP,
    AutoresetMode.SAME_STEP,
    AutoresetMode.DISABLED,
)

TABLES: list[dict[str, Any]] = [
    {},
    {"players": 3, "opponents": "easy"},
    {"players": 4, "opponents": ["random", "easy", "greedy"], "deck": 52},
    {"players": 3, "opponents": {1: "greedy", 2: "random"}, "seat": 2},
    {"preset": "site", "players": 3, "opponents": ["easy", "greedy"]},
    {"preset": "prostoy", "players": 6, "seat": 0, "opponents": ["random", "greedy"]},
    {"preset": "perevodnoy", "players": 3, "show_transfer": True, "transfer_cards": "many"},
    {"preset": "plus", "players": 4, "deck": 52, "opponents": "easy"},
    {"preset": "epaulettes", "opponents": "greedy"},
    {"preset": "jokers", "players": 8, "opponents": ["easy", "greedy"], "transfer": True},
    {"preset": "armenian", "players": 3, "stock_lead_peek": True, "opponents": "easy"},
    {"preset": "american", "players": 3, "self_throw": "free"},
    {"deck": 12, "suits": 2, "hand_size": 3},
]
"""Tables with several players, pools of opponents and mappings of them."""

tables = pytest.mark.parametrize("options", TABLES, ids=str)


def pick(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One random legal action per row."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def illegal_for(mask: npt.NDArray[np.int8]) -> int:
    """An id that this mask forbids."""
    return int(np.flatnonzero(mask == 0)[0])


def play_deal(env: DurakEnv, rng: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Play the deal that was dealt to its end; the last observation and the reward."""
    terminated = False
    while not terminated:
        action = pick(env.action_masks()[None], rng)[0]
        observation, reward, terminated, truncated, _ = env.step(action)
        assert type(terminated) is bool
        assert truncated is False
    return observation, reward


def same(ours: Any, theirs: Any) -> bool:
    """Whether two observations or infos are the same, arrays to the last bit."""
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in ours)
    if not isinstance(ours, np.ndarray):
        return type(ours) is type(theirs) and ours == theirs
    if ours.dtype == object:
        return all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    return ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


class Watched:
    """An opponent that notes at which seats it is asked."""

    name = "watched"

    def __init__(self) -> None:
        self.seats: list[int] = []

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """Play greedily."""
        self.seats += views["seat"].tolist()
        return opponents.make("greedy").act(views, randoms)


class Cheat:
    """An opponent that knows no legal action."""

    name = "cheat"

    def act(self, views: Rows, _randoms: Randoms) -> Ids:
        """Play what no table has."""
        return np.full(views.size, -1, dtype=np.int64)


# --- made by name -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["durak/podkidnoy-v0", "durak_env:durak/podkidnoy-v0"])
@pytest.mark.parametrize("checker", [False, True])
def test_make(name: str, checker: bool) -> None:
    """The registry's own check of spaces and types finds nothing in a whole deal."""
    env = gymnasium.make(name, players=3, opponents="easy", disable_env_checker=not checker)
    assert ("PassiveEnvChecker" in str(env)) == checker
    assert isinstance(env.unwrapped, DurakEnv)
    assert env.unwrapped.rules.players == 3
    env.reset(seed=1)
    terminated = False
    rng = np.random.default_rng(1)
    while not terminated:
        action = pick(env.unwrapped.action_masks()[None], rng)[0]
        _, _, terminated, _, _ = env.step(action)
    env.reset()


def test_the_made_environment_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, with every render mode; nobody sees the window."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(gymnasium.make("durak/site-v0", players=3).unwrapped)


@pytest.mark.parametrize("preset", PRESETS)
def test_names(preset: str) -> None:
    single = gymnasium.make(f"durak/{preset}-v0").unwrapped
    batch = gymnasium.make_vec(f"durak/{preset}-v0", num_envs=2)
    assert isinstance(single, DurakEnv)
    assert isinstance(batch, DurakVectorEnv)
    assert single.rules.variant == batch.rules.variant == preset


def test_the_name_alone_is_enough() -> None:
    """``module:name`` registers, in a process that knows nothing of the package."""
    program = "import gymnasium; print(gymnasium.make('durak_env:durak/podkidnoy-v0').spec.id)"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "durak/podkidnoy-v0"


def test_make_vec() -> None:
    """Every keyword reaches the environment; the mode stands in the metadata of this one only."""
    env = gymnasium.make_vec(
        "durak/podkidnoy-v0",
        num_envs=3,
        players=4,
        deck=52,
        opponents=["easy"],
        autoreset_mode=SAME_STEP,
    )
    assert isinstance(env, DurakVectorEnv)
    assert env.num_envs == 3
    assert str(env.rules) == "podkidnoy(players=4,deck=52)"
    assert env.metadata["autoreset_mode"] is SAME_STEP
    assert DurakVectorEnv.metadata["autoreset_mode"] is NEXT_STEP
    assert DurakVectorEnv(2).metadata["autoreset_mode"] is NEXT_STEP
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.action_space.contains(pick(observation["action_mask"], np.random.default_rng(1)))


def test_a_vector_wrapper() -> None:
    """Gymnasium's statistics see every deal end with -1, 0 or 1."""
    env = RecordEpisodeStatistics(gymnasium.make_vec("durak/podkidnoy-v0", num_envs=8))
    observation, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(300):
        observation, *_ = env.step(pick(observation["action_mask"], rng))
    assert set(env.return_queue) <= {-1.0, 0.0, 1.0}
    assert env.episode_count > 20


# --- one seat -----------------------------------------------------------------------------------


@tables
def test_what_the_learner_sees(options: dict[str, Any]) -> None:
    """Observation and mask are those of the learner's view, and the learner is asked."""
    env = DurakEnv(**options)
    encoder = encoding.FlatEncoder(env.rules)
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    terminated = False
    for _ in range(200):
        expected = np.empty((1, env.action_space.n), dtype=np.int8)
        mask_many(env.view.record, expected)
        assert env.view.actor == (None if terminated else 0)
        assert np.array_equal(observation["observation"], encoder.encode(env.view.record)[0])
        assert np.array_equal(observation["action_mask"], expected[0])
        assert np.array_equal(info["action_mask"], expected[0])
        assert env.action_masks().dtype == np.bool_
        assert np.array_equal(env.action_masks(), expected[0])
        if terminated:
            assert expected.all()
            observation, info = env.reset()
            terminated = False
        else:
            observation, _, terminated, _, info = env.step(pick(expected, rng)[0])


def test_rewards() -> None:
    """The durak loses 1, every other seat gets its share of it, a draw is nothing."""
    env = DurakEnv(players=4, opponents="greedy")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    seen = set()
    for _ in range(60):
        assert len(env.view.hand) > 0
        _, reward = play_deal(env, rng)
        durak = int(env.learners.rows["durak"][0])
        expected = 0.0 if durak < 0 else -1.0 if durak == env.view.seat else 1 / 3
        assert reward == pytest.approx(expected)
        assert type(reward) is float
        seen.add(round(reward, 2))
        env.reset()
    assert {-1.0, 0.33} <= seen


def test_nothing_is_earned_before_the_end() -> None:
    env = DurakEnv()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    terminated, reward = False, 0.0
    while not terminated:
        assert reward == 0.0
        _, reward, terminated, _, info = env.step(pick(env.action_masks()[None], rng)[0])
        assert info["illegal"] is False


@pytest.mark.parametrize("action", [-1, 38, 10**6, "an illegal id"])
@pytest.mark.parametrize("players", [2, 4])
def test_an_illegal_action_loses(players: int, action: Any) -> None:
    """B16: the learner is the durak; the next deal is as good as any."""
    env = DurakEnv(players=players)
    env.reset(seed=1)
    mask = env.action_masks().astype(np.int8)
    chosen = illegal_for(mask) if isinstance(action, str) else action
    observation, reward, terminated, truncated, info = env.step(chosen)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert env.learners.rows["durak"][0] == env.view.seat
    assert observation["action_mask"].all()
    observation, info = env.reset()
    assert not observation["action_mask"].all()
    assert env.view.actor == 0


def test_an_illegal_action_may_be_refused() -> None:
    env = DurakEnv(illegal_action="raise")
    observation, _ = env.reset(seed=1)
    before = env.learners.rows.tobytes()
    for action in (-1, 38, illegal_for(observation["action_mask"])):
        with pytest.raises(IllegalActionError, match=rf"action {action} is not legal; legal ids"):
            env.step(action)
    assert env.learners.rows.tobytes() == before
    assert not env.step(pick(observation["action_mask"][None], np.random.default_rng(1))[0])[2]


def test_no_picture_without_a_mode() -> None:
    env = DurakEnv(players=3)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="does nothing without a render_mode"):
        assert env.render() is None


def test_the_text() -> None:
    """S003-39: it shows what the learner sees, and no more."""
    env = DurakEnv(players=3, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    view = env.view
    known = {card for seat in range(3) for card in view.known(seat)} | {view.trump_card}
    known |= {card for pair in view.table for card in pair if card is not None}
    shown = re.findall(r"(?<!\w)(?:10|[2-9JQKA])[schd](?!\w)", text)
    assert set(shown) == set(map(str, known))


def test_a_copy_plays_on_identically() -> None:
    """In mid-deal, with the random streams of the deals and opponents to come."""
    env = DurakEnv(players=3, opponents=["random", "easy"])
    env.reset(seed=1)
    for _ in range(4):
        env.step(pick(env.action_masks()[None], np.random.default_rng(1))[0])
    twin = copy.deepcopy(env)
    histories = []
    for one in (env, twin):
        rng = np.random.default_rng(2)
        history = []
        for _ in range(3):
            history.append(play_deal(one, rng))
            one.reset()
        histories.append(history)
    assert all(
        same(a, b) and x == y for (a, x), (b, y) in zip(histories[0], histories[1], strict=True)
    )


# --- seats and opponents ------------------------------------------------------------------------


def test_a_fixed_seat() -> None:
    env = DurakEnv(players=4, seat=2)
    env.reset(seed=1)
    for _ in range(20):
        assert env.view.seat == 2
        env.reset()


def test_a_rotating_seat() -> None:
    """It begins anywhere and moves on by one with every deal."""
    env = DurakEnv(players=4)
    first = set()
    for seed in range(40):
        env.reset(seed=seed)
        seats = [env.view.seat]
        for _ in range(8):
            env.reset()
            seats.append(env.view.seat)
        assert seats == [(seats[0] + k) % 4 for k in range(9)]
        first.add(seats[0])
    assert first == {0, 1, 2, 3}


@pytest.mark.parametrize("opponent", ["greedy", opponents.make("greedy"), Watched()])
def test_one_opponent_for_every_seat(opponent: str | Opponent) -> None:
    """By its name or as an object, it is the same."""
    expected = DurakEnv(players=3, opponents=["greedy"])
    env = DurakEnv(players=3, opponents=opponent)
    results = []
    for one in (env, expected):
        rng = np.random.default_rng(1)
        one.reset(seed=1)
        results.append([play_deal(one, rng)[1] for _ in range(5) if one.reset()])
    assert results[0] != [0.0] * 5
    if isinstance(opponent, Watched):
        assert {0, 1, 2} == set(opponent.seats)


def test_a_mapping_counts_seats_from_the_learner() -> None:
    left, right = Watched(), Watched()
    env = DurakEnv(players=3, seat=1, opponents={2: right, 1: left})
    env.reset(seed=1)
    for _ in range(5):
        play_deal(env, np.random.default_rng(1))
        env.reset()
    assert set(left.seats) == {2}
    assert set(right.seats) == {0}


def test_a_pool_is_drawn_from_by_every_seat_of_every_deal() -> None:
    """All equally often."""
    env = DurakVectorEnv(2000, players=4, seat=0, opponents=["random", "easy", "greedy"])
    env.reset(seed=1)
    who = env.learners.seating.who.copy()
    env.reset()
    assert (who[:, 0] == -1).all()
    for seat in (1, 2, 3):
        shares = np.bincount(who[:, seat], minlength=3) / 2000
        assert np.abs(shares - 1 / 3).max() < 0.05
        agree = (env.learners.seating.who[:, seat] == who[:, seat]).mean()
        assert abs(agree - 1 / 3) < 0.05
    assert abs((who[:, 1] == who[:, 2]).mean() - 1 / 3) < 0.05


def test_stronger_opponents_are_harder() -> None:
    """The opponents that are asked for are those that play."""
    scores = []
    for opponent in ("random", "greedy"):
        env = DurakVectorEnv(500, opponents=opponent, autoreset_mode=SAME_STEP)
        rng = np.random.default_rng(1)
        observation, _ = env.reset(seed=1)
        total = 0.0
        for _ in range(60):
            observation, rewards, _, _, _ = env.step(pick(observation["action_mask"], rng))
            total += rewards.sum()
        scores.append(total)
    assert scores[1] < scores[0] - 300


@pytest.mark.parametrize("make", [DurakEnv, DurakVectorEnv])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponents": "hrad"}, OpponentError, "unknown opponent 'hrad'; known: "),
        ({"opponents": ["easy", "hrad"]}, OpponentError, "unknown opponent 'hrad'"),
        ({"opponents": {1: "hrad"}}, OpponentError, "unknown opponent 'hrad'"),
        ({"opponents": []}, DurakError, "opponents is an empty list"),
        ({"opponents": {2: "easy"}}, DurakError, r"opponents names seats \[2\]; .* names \[1\]"),
        ({"opponents": {}}, DurakError, r"opponents names seats \[\]"),
        ({"seat": 2}, DurakError, "seat=2 is no seat; seats are 0 to 1"),
        ({"seat": -1}, DurakError, "seat=-1 is no seat"),
        ({"player": 3}, RulesError, "unknown option 'player'; known: players"),
        ({"preset": "poker"}, RulesError, "unknown preset 'poker'"),
        ({"render_mode": "rgb"}, DurakError, "render_mode='rgb' is not accepted"),
    ],
)
def test_refused_arguments(
    make: Callable[..., Any], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(**options)


@pytest.mark.parametrize("opponent", [5, None, ["easy", 5]])
def test_an_opponent_that_cannot_act(opponent: Any) -> None:
    with pytest.raises(OpponentError):
        DurakEnv(opponents=opponent)


def test_a_deal_that_ends_before_the_learner_acts_is_never_shown() -> None:
    """An opponent that forfeits at once: the learner only sees deals in which it comes first."""
    env = DurakEnv(players=3, opponents=Cheat())
    observation, _ = env.reset(seed=1)
    for _ in range(50):
        assert env.view.actor == 0
        assert env.view.stock_count == 18
        assert not observation["action_mask"].all()
        observation, _ = env.reset()
    assert env.learners.seating.illegal[0] > 20


def test_an_opponent_that_forfeits_loses() -> None:
    env = DurakEnv(players=3, opponents=Cheat())
    for seed in range(20):
        env.reset(seed=seed)
        reward = play_deal(env, np.random.default_rng(seed))[1]
        assert reward == pytest.approx(0.5)


# --- seeds --------------------------------------------------------------------------------------

Stream = list[bytes]


def single_stream(env: DurakEnv, seed: int | None, steps: int = 150) -> Stream:
    """Everything that happens from a seed."""
    rng = np.random.default_rng(0)
    observation, _ = env.reset(seed=seed)
    stream = []
    terminated = False
    for _ in range(steps):
        if terminated:
            (observation, _), terminated, reward = env.reset(), False, 0.0
        else:
            action = pick(observation["action_mask"][None], rng)[0]
            observation, reward, terminated, _, _ = env.step(action)
        stream.append(observation["observation"].tobytes() + bytes([terminated, int(reward + 1)]))
    return stream


@tables
def test_the_same_seed_gives_the_same_games(options: dict[str, Any]) -> None:
    """I12: deals, opponents and what they do; 0 is a seed like any other."""
    env = DurakEnv(**options)
    streams = {seed: single_stream(env, seed) for seed in (0, 1, 2)}
    assert len({tuple(stream) for stream in streams.values()}) == 3
    assert single_stream(env, 0) == streams[0]
    assert single_stream(DurakEnv(**options), 1) == streams[1]


def test_without_a_seed_every_environment_is_different() -> None:
    assert len({tuple(single_stream(DurakEnv(), None, 5)) for _ in range(5)}) == 5
    observation, _ = DurakVectorEnv(50).reset()
    assert len({row.tobytes() for row in observation["observation"]}) == 50


def test_all_rows_are_different() -> None:
    """Rows, seeds and the deals that follow."""
    env = DurakVectorEnv(100)
    seen = set()
    for seed in (1000, 2000, None, None):
        observation, _ = env.reset(seed=seed)
        seen |= {row.tobytes() for row in observation["observation"]}
    assert len(seen) == 400


def test_a_list_of_seeds() -> None:
    env = DurakVectorEnv(3)
    listed, _ = env.reset(seed=[7, 5, 6])
    counted, _ = env.reset(seed=5)
    assert np.array_equal(listed["observation"][[1, 2, 0]], counted["observation"])
    with pytest.raises(DurakError, match="2 seeds for 3 games"):
        env.reset(seed=[1, 2])


@tables
def test_a_row_is_a_single_environment(options: dict[str, Any]) -> None:
    """Row i of seed s plays what the single environment of seed s + i plays, deal after deal."""
    count, seed = 5, 40
    batch = DurakVectorEnv(count, **options)
    singles = [DurakEnv(**options) for _ in range(count)]
    batched, _ = batch.reset(seed=seed)
    rows = [single.reset(seed=seed + i)[0] for i, single in enumerate(singles)]
    ended = np.zeros(count, dtype=bool)
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(300):
        for i in range(count):
            assert np.array_equal(batched["observation"][i], rows[i]["observation"])
            assert np.array_equal(batched["action_mask"][i], rows[i]["action_mask"])
        actions = pick(batched["action_mask"], rng)
        batched, rewards, terminated, truncated, _ = batch.step(actions)
        for i, single in enumerate(singles):
            if ended[i]:
                rows[i], _ = single.reset()
                assert (rewards[i], terminated[i]) == (0.0, False)
            else:
                rows[i], reward, end, _, _ = single.step(actions[i])
                assert (rewards[i], terminated[i]) == (reward, end)
        assert not truncated.any()
        ended = terminated
        ends += terminated.sum()
    assert ends > 2 * count


def test_rows_do_not_depend_on_each_other() -> None:
    """What one row plays changes nothing in the others."""
    envs = [DurakVectorEnv(3, players=3, opponents=["random", "easy"]) for _ in range(2)]
    observed = [env.reset(seed=1)[0] for env in envs]
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = pick(observed[0]["action_mask"], rng)
        other = actions.copy()
        other[1] = pick(observed[1]["action_mask"], rng)[1]
        observed = [envs[0].step(actions)[0], envs[1].step(other)[0]]
        for key in ("observation", "action_mask"):
            assert np.array_equal(observed[0][key][[0, 2]], observed[1][key][[0, 2]])
    assert not np.array_equal(observed[0]["observation"][1], observed[1]["observation"][1])


# --- autoreset ----------------------------------------------------------------------------------

Actions = list[str]


def run(mode: AutoresetMode, script: list[Actions]) -> list[tuple[Any, ...]]:
    """Two games in which every row plays on (``.``) or makes an illegal action (``x``), as a table:
    rewards, terminated, and the rows that were dealt anew."""
    env = DurakVectorEnv(2, seat=0, first_lead="left_of_dealer", autoreset_mode=mode)
    observation, _ = env.reset(seed=1)
    table: list[tuple[Any, ...]] = []
    for actions in script:
        decks = env.learners.decks.copy()
        masks = observation["action_mask"]
        chosen = [
            illegal_for(mask) if action == "x" and not mask.all() else int(np.flatnonzero(mask)[0])
            for action, mask in zip(actions, masks, strict=True)
        ]
        observation, rewards, terminated, truncated, _ = env.step(np.array(chosen))
        assert not truncated.any()
        assert truncated.dtype == terminated.dtype == np.bool_
        assert rewards.dtype == np.float64
        anew = (env.learners.decks != decks).tolist()
        table.append((rewards.tolist(), terminated.tolist(), anew))
    return table


def test_next_step() -> None:
    """The step after the end ignores the action, deals anew, and earns nothing."""
    assert run(NEXT_STEP, [["x", "."], ["x", "."], [".", "x"], ["x", "x"], [".", "."]]) == [
        ([-1.0, 0.0], [True, False], [False, False]),
        ([0.0, 0.0], [False, False], [True, False]),
        ([0.0, -1.0], [False, True], [False, False]),
        ([-1.0, 0.0], [True, False], [False, True]),
        ([0.0, 0.0], [False, False], [True, False]),
    ]


def test_same_step() -> None:
    """The step that ends a deal deals the next one."""
    assert run(SAME_STEP, [["x", "."], ["x", "."], [".", "x"], ["x", "x"], [".", "."]]) == [
        ([-1.0, 0.0], [True, False], [True, False]),
        ([-1.0, 0.0], [True, False], [True, False]),
        ([0.0, -1.0], [False, True], [False, True]),
        ([-1.0, -1.0], [True, True], [True, True]),
        ([0.0, 0.0], [False, False], [False, False]),
    ]


def test_disabled() -> None:
    """An ended row must be reset by the caller; nothing is dealt anew in a step."""
    assert run(DISABLED, [[".", "."], ["x", "."]]) == [
        ([0.0, 0.0], [False, False], [False, False]),
        ([-1.0, 0.0], [True, False], [False, False]),
    ]
    with pytest.raises(DurakError, match="must be reset before the next step"):
        run(DISABLED, [["x", "."], [".", "."]])


def gymnasiums_own(count: int, mode: AutoresetMode, options: dict[str, Any]) -> VectorEnv:
    """Gymnasium's vector environment over single ones."""

    def make() -> DurakEnv:
        env = DurakEnv(**options)
        env.metadata = {**env.metadata}  # Gymnasium writes the mode into it
        return env

    return SyncVectorEnv([make] * count, autoreset_mode=mode)


def without_illegal(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos without the marks of illegal actions, which have a test of their own."""
    kept = {key: value for key, value in infos.items() if key not in ("illegal", "_illegal")}
    if "final_info" in kept:
        kept["final_info"] = without_illegal(kept["final_info"])
    return kept


def compare_with_gymnasium(
    mode: AutoresetMode, options: dict[str, Any], keep: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Step both side by side, sometimes illegally, and compare everything that they return."""
    ours, theirs = (
        DurakVectorEnv(4, autoreset_mode=mode, **options),
        gymnasiums_own(4, mode, options),
    )
    result, expected = ours.reset(seed=3), theirs.reset(seed=3)
    assert same(result[0], expected[0])
    assert same(keep(result[1]), keep(expected[1]))
    rng = np.random.default_rng(1)
    ended = np.zeros(4, dtype=bool)
    for _ in range(200):
        if mode is DISABLED and ended.any():
            resets = [env.reset(options={"reset_mask": ended.copy()}) for env in (ours, theirs)]
            assert same(resets[0][0], resets[1][0])
            masks = resets[0][0]["action_mask"]
        else:
            masks = result[0]["action_mask"]
        actions = pick(masks, rng)
        if rng.random() < 0.1:
            actions[rng.integers(4)] = 10**6
        result, expected = ours.step(actions), theirs.step(actions)
        for a, b in zip(result[:4], expected[:4], strict=True):
            assert same(a, b)
        assert same(keep(result[4]), keep(expected[4]))
        ended = result[2]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("options", TABLES[:3], ids=str)
def test_the_modes_of_gymnasium(mode: AutoresetMode, options: dict[str, Any]) -> None:
    """Gymnasium's own vector environment returns the same, final observations and infos too."""
    compare_with_gymnasium(mode, options, without_illegal)


@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP])
def test_marks_of_illegal_actions(mode: AutoresetMode) -> None:
    """``illegal`` belongs to the infos of the step that ended the deal."""
    compare_with_gymnasium(mode, {}, lambda infos: infos)


def test_illegal_actions_are_marked() -> None:
    env = DurakVectorEnv(3)
    observation, _ = env.reset(seed=1)
    actions = pick(observation["action_mask"], np.random.default_rng(1))
    actions[1] = illegal_for(observation["action_mask"][1])
    _, rewards, terminated, _, infos = env.step(actions)
    assert infos["illegal"].tolist() == terminated.tolist() == [False, True, False]
    assert rewards.tolist() == [0.0, -1.0, 0.0]


def test_final_observations() -> None:
    """The last observation of the deal that ended, and it stays as it is."""
    env = DurakVectorEnv(4, autoreset_mode=SAME_STEP)
    observation, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept: list[tuple[dict[str, Any], bytes]] = []
    for _ in range(200):
        observation, _, terminated, _, infos = env.step(pick(observation["action_mask"], rng))
        assert ("final_obs" in infos) == terminated.any()
        if not terminated.any():
            continue
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminated.tolist()
        for i in range(4):
            last = infos["final_obs"][i]
            if not terminated[i]:
                assert last is None
                continue
            assert env.single_observation_space.contains(last)
            assert last["action_mask"].all()
            assert infos["final_info"]["action_mask"][i].all()
            assert not np.array_equal(last["observation"], observation["observation"][i])
            kept.append((last, last["observation"].tobytes()))
    assert len(kept) > 10
    assert all(last["observation"].tobytes() == before for last, before in kept)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_nothing_that_was_returned_changes(mode: AutoresetMode) -> None:
    """Observations, rewards and flags are copies: the caller may keep them and write into them."""
    env, scribbled = (DurakVectorEnv(4, autoreset_mode=mode) for _ in range(2))
    observation, _ = env.reset(seed=1)
    scribbled.reset(seed=1)
    kept: list[tuple[Any, bytes]] = []
    rng = np.random.default_rng(1)
    for _ in range(80):
        actions = pick(observation["action_mask"], rng)
        observation, *arrays, infos = env.step(actions)
        other, *others, _ = scribbled.step(actions)
        assert same(other, observation)
        assert same(np.array(others), np.array(arrays))
        kept += [(array, array.tobytes()) for array in (*observation.values(), *arrays)]
        kept.append((infos["action_mask"], infos["action_mask"].tobytes()))
        if mode is DISABLED and arrays[1].any():
            observation, _ = env.reset(options={"reset_mask": arrays[1]})
            scribbled.reset(options={"reset_mask": others[1]})
        for array in (*other.values(), *others):
            array[...] = 1
    assert all(array.tobytes() == before for array, before in kept)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_masks_are_never_empty(mode: AutoresetMode) -> None:
    """I11: also in rows whose deal has ended, so that no sampler meets an empty one."""
    env = DurakVectorEnv(8, players=3, autoreset_mode=mode)
    observation, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    ended = np.zeros(8, dtype=bool)
    for _ in range(200):
        assert observation["action_mask"].any(axis=1).all()
        assert np.array_equal(observation["action_mask"], infos["action_mask"])
        assert infos["_action_mask"].all()
        assert env.observation_space.contains(observation)
        if mode is DISABLED and ended.any():
            observation, infos = env.reset(options={"reset_mask": ended})
            ended = np.zeros(8, dtype=bool)
        else:
            observation, _, ended, _, infos = env.step(pick(observation["action_mask"], rng))
            if mode is not SAME_STEP:
                assert observation["action_mask"][ended].all()


def test_a_reset_mask_resets_these_rows_only() -> None:
    env = DurakVectorEnv(4, autoreset_mode=DISABLED)
    before, _ = env.reset(seed=1)
    mask = np.array([False, True, False, True])
    options = {"reset_mask": mask}
    after, _ = env.reset(options=options)
    unchanged = (before["observation"] == after["observation"]).all(axis=1)
    assert unchanged.tolist() == [True, False, True, False]
    again, _ = env.reset(seed=1, options=options)
    assert np.array_equal(again["observation"], before["observation"])
    assert options == {"reset_mask": mask}


@pytest.mark.parametrize(
    "mask",
    [
        [True, False],
        np.array([True]),
        np.array([True, False, False]),
        np.array([1, 0]),
        np.array([False, False]),
        np.array([[True, False]]),
    ],
    ids=str,
)
def test_refused_reset_masks(mask: Any) -> None:
    env = DurakVectorEnv(2, autoreset_mode=DISABLED)
    env.reset(seed=1)
    with pytest.raises(DurakError, match=r"reset_mask must be a bool array of shape \(2,\)"):
        env.reset(options={"reset_mask": mask})


def test_no_such_mode() -> None:
    with pytest.raises(ValueError, match="is not a valid AutoresetMode"):
        DurakVectorEnv(2, autoreset_mode="never")
    assert DurakVectorEnv(2, autoreset_mode="SameStep").autoreset_mode is SAME_STEP
