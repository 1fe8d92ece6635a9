"""The PettingZoo environment: turns, masks, rewards, endings, seeds, copies and pictures."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import warnings
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo
import pytest

from durak_env import (
    DurakError,
    Game,
    IllegalActionError,
    NotationError,
    RulesError,
    american_v0,
    armenian_tricks_v0,
    armenian_v0,
    epaulettes_v0,
    jokers_v0,
    opponents,
    perevodnoy_v0,
    plus_v0,
    podkidnoy_v0,
    prostoy_v0,
    site_v0,
)
from durak_env.actions import action_table
from durak_env.cards import full_deck
from durak_env.engine import new_rows, play_random
from durak_env.envs.aec import DurakAECEnv
from durak_env.rules import PRESETS

MODULES = (
    podkidnoy_v0,
    prostoy_v0,
    site_v0,
    perevodnoy_v0,
    plus_v0,
    epaulettes_v0,
    jokers_v0,
    armenian_v0,
    armenian_tricks_v0,
    american_v0,
)

Make = Callable[..., DurakAECEnv]
"""Makes an environment."""

TABLES: list[tuple[Make, int, int]] = [
    (module.env, players, deck)
    for module, preset in zip(MODULES, PRESETS.values(), strict=True)
    for players in (2, 3, 6, 8)
    for deck in (36, 52, 54)
    if players in range(preset.players[0], preset.players[1] + 1)
    and deck in preset.decks
    and players * 6 <= deck
]
"""Every preset with every number of players and deck that is tested."""

Choose = Callable[[npt.NDArray[np.int8]], int]
"""An action id for a mask."""


def chooser(seed: int) -> Choose:
    """Random legal actions."""
    rng = np.random.default_rng(seed)
    return lambda mask: int(rng.choice(np.flatnonzero(mask)))


def dealt(seed: int = 1, env: Callable[..., DurakAECEnv] = podkidnoy_v0.env, **options: Any) -> Any:
    """An environment with a deal on the table."""
    made = env(**options)
    made.reset(seed=seed)
    return made


def legal_mask(env: DurakAECEnv) -> npt.NDArray[np.int8]:
    """The mask of the agent that is asked, by way of the game."""
    mask = np.zeros(len(action_table(env.rules)), dtype=np.int8)
    mask[[action.id for action in env.game.legal_actions()]] = 1
    return mask


def play(env: DurakAECEnv, choose: Choose, most: int = 10_000) -> None:
    """Play on until the deal ends, or this many actions."""
    for _ in range(most):
        if env.terminations[env.agent_selection]:
            return
        env.step(choose(legal_mask(env)))


def moves(env: DurakAECEnv, choose: Choose, most: int = 10_000) -> list[int]:
    """The ids that are played from here on."""
    chosen = []

    def note(mask: npt.NDArray[np.int8]) -> int:
        chosen.append(choose(mask))
        return chosen[-1]

    play(env, note, most)
    return chosen


def an_illegal_id(env: DurakAECEnv) -> int:
    """An id of the table that may not be played now."""
    return int(np.flatnonzero(legal_mask(env) == 0)[0])


def deck_of(env: DurakAECEnv) -> str:
    """The deck of the deal on the table."""
    return env.game.transcript().splitlines()[1].removeprefix("deck: ")


def everything(env: DurakAECEnv) -> list[bytes]:
    """What every seat sees."""
    observed = [env.observe(agent) for agent in env.possible_agents]
    return [array.tobytes() for one in observed for array in one.values()]


# --- registries ---------------------------------------------------------------------------------


def test_registry() -> None:
    env = pettingzoo.make("aec", "durak/podkidnoy-v0", players=4)
    env.reset(seed=1)
    assert env.max_num_agents == 4
    assert isinstance(env.unwrapped, podkidnoy_v0.raw_env)


DEAD_LEADS = {"hand_size": 1, "dead_lead": "no_result", "trump_exempt": False}


def test_a_deal_that_ends_before_anybody_is_asked() -> None:
    """4.1 H6: where nothing can be led the next deal comes; a given deck ends without result."""
    env = epaulettes_v0.env(**DEAD_LEADS)
    for seed in range(60):
        env.reset(seed=seed)
        assert env.game.actor is not None
        play(env, chooser(seed))
    dead = next(
        game for game in (Game(env.rules, seed=seed) for seed in range(100)) if game.actor is None
    )
    env.reset(options={"deck": dead.transcript().splitlines()[1].removeprefix("deck: ")})
    assert all(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    rows = new_rows(env.rules, 20)
    assert play_random(rows, np.arange(20, dtype=np.uint64), 50) > 50


@pytest.mark.parametrize("preset", PRESETS)
def test_names(preset: str) -> None:
    env = pettingzoo.make("aec", f"durak/{preset}-v0").unwrapped
    assert str(env) == f"{preset}_v0"
    assert env.rules.variant == preset


def test_spaces() -> None:
    env = dealt(players=3)
    agents = env.possible_agents
    assert agents == ["player_0", "player_1", "player_2"]
    assert env.observation_space("player_0") is env.observation_space("player_0")
    assert len({str(env.observation_space(agent)) for agent in agents}) == 1
    assert [env.action_space(agent).n for agent in agents] == [38, 38, 38]
    assert dealt(cover_order="any").action_space("player_0").n == 38 + 36
    assert dealt(transfer=True, show_transfer=True).action_space("player_0").n == 38 + 36 + 9
    assert dealt(stock_lead=True, self_throw="free").action_space("player_0").n == 38 + 1 + 36
    assert dealt(env=jokers_v0.env).action_space("player_0").n == 56
    assert dealt(deck=12, suits=2, hand_size=3).action_space("player_0").n == 14


# --- options ------------------------------------------------------------------------------------


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(RulesError, match="unknown option 'player'; known: players, deck"):
        podkidnoy_v0.env(player=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 9}, "players=9 is not accepted; players takes 2 to 8"),
        ({"players": 7}, "players=7 does not fit podkidnoy: it takes 2 to 6"),
        ({"throwers": "nobody"}, "throwers=nobody is not accepted; throwers takes all"),
    ],
)
def test_a_value_that_is_not_accepted(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        podkidnoy_v0.env(**options)


@pytest.mark.parametrize("name", ["illegal_action", "render_mode"])
def test_a_choice_that_is_not_accepted(name: str) -> None:
    with pytest.raises(DurakError, match=f"{name}='ignore' is not accepted; it takes"):
        podkidnoy_v0.env(**{name: "ignore"})


def test_options_survive_a_reset() -> None:
    env = dealt(players=3, deck=24, hand_size=4)
    for seed in (None, 5):
        env.reset(seed=seed)
        assert [len(env.game.hand(seat)) for seat in range(3)] == [4, 4, 4]
        assert str(env.rules) == "podkidnoy(players=3,deck=24,hand_size=4)"


# --- masks and observations ---------------------------------------------------------------------


@pytest.mark.parametrize(("env", "players", "deck"), TABLES)
def test_masks(env: Make, players: int, deck: int) -> None:
    """The mask shows the actor what is legal, nobody else anything; I11: all ones at the end."""
    table = dealt(env=env, players=players, deck=deck)
    choose = chooser(players)
    while not any(table.terminations.values()):
        expected = legal_mask(table)
        for agent in table.possible_agents:
            wanted = expected if agent == table.agent_selection else 0 * expected
            observed = table.observe(agent)["action_mask"]
            assert observed.dtype == np.int8
            assert observed.tolist() == wanted.tolist()
            assert list(table.infos[agent]) == ["action_mask"]
            assert table.infos[agent]["action_mask"].tolist() == wanted.tolist()
        table.step(choose(expected))
    for agent in table.possible_agents:
        assert table.observe(agent)["action_mask"].all()
        assert list(table.infos[agent]) == ["action_mask"]
        assert table.infos[agent]["action_mask"].all()


@pytest.mark.parametrize("players", [2, 4])
def test_observing_changes_nothing(players: int) -> None:
    """`observe` is pure, and valid for a seat that has not acted yet, is out or has ended."""
    quiet, watched = dealt(players=players), dealt(players=players)
    for choose in (chooser(1), chooser(2)):
        while not watched.terminations[watched.agent_selection]:
            before = watched.game.row.tobytes()
            for agent in watched.possible_agents:
                first, again = watched.observe(agent), watched.observe(agent)
                assert watched.observation_space(agent).contains(first)
                assert first["observation"].tobytes() == again["observation"].tobytes()
                first["observation"][:] = 7.0
                first["action_mask"][:] = 7
                assert watched.observation_space(agent).contains(watched.observe(agent))
            assert watched.game.row.tobytes() == before
            action = choose(legal_mask(watched))
            watched.step(action)
            quiet.step(action)
        assert everything(watched) == everything(quiet)
        quiet.reset()
        watched.reset()


def test_observing_after_everybody_has_left() -> None:
    env = dealt()
    play(env, chooser(1))
    last = everything(env)
    while env.agents:
        env.step(None)
    assert everything(env) == last


# --- turns --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_seat_that_is_asked_is_selected(players: int) -> None:
    """7.4: an attacker may be selected several times in a row; a seat that is out never again."""
    env = dealt(players=players)
    choose = chooser(1)
    selected = []
    while not any(env.terminations.values()):
        seat = env.possible_agents.index(env.agent_selection)
        selected.append(seat)
        assert seat == env.game.actor
        assert seat not in env.game.places
        assert env.agents == env.possible_agents
        env.step(choose(legal_mask(env)))
    assert any(a == b for a, b in itertools.pairwise(selected))


def test_a_seat_may_never_act() -> None:
    """The deal ends before most seats were asked: they get their rewards all the same."""
    env = dealt(players=6)
    first = env.agent_selection
    env.step(None)
    received = {}
    for agent in env.agent_iter():
        received[agent] = env.last()[1]
        env.step(None)
    assert received == {agent: -1.0 if agent == first else 0.2 for agent in env.possible_agents}


# --- rewards and the end ------------------------------------------------------------------------


def expected_rewards(env: DurakAECEnv) -> dict[str, float]:
    """The rewards that the outcome means."""
    outcome = env.game.outcome
    assert outcome is not None
    others = 0.0 if outcome.durak is None else 1 / (env.max_num_agents - 1)
    rewards = dict.fromkeys(env.possible_agents, others)
    if outcome.durak is not None:
        rewards[f"player_{outcome.durak}"] = -1.0
    return rewards


@pytest.mark.parametrize(("env", "players", "deck"), TABLES)
def test_rewards(env: Make, players: int, deck: int) -> None:
    """All rewards come with the last step, once, and sum to zero; the durak alone loses."""
    table = dealt(env=env, players=players, deck=deck)
    for episode in range(8):
        choose = chooser(episode)
        received: dict[str, float] = defaultdict(float)
        expected: dict[str, float] = {}
        for agent in table.agent_iter():
            _, reward, terminated, truncated, _ = table.last(observe=False)
            received[agent] += reward
            assert type(reward) is float
            assert truncated is False
            table.step(None if terminated else choose(legal_mask(table)))
            if not terminated:
                if table.game.outcome is None:
                    assert set(table.rewards.values()) == {0.0}
                    assert not any(table.terminations.values())
                else:
                    expected = expected_rewards(table)
                    assert table.rewards == expected
                    assert all(table.terminations.values())
        assert received == expected
        assert sum(expected.values()) == pytest.approx(0)
        table.reset()


def test_a_draw_is_worth_nothing() -> None:
    """P33: everybody's hand is empty: nobody is durak."""
    env = dealt()
    greedy, word = opponents.make("greedy"), np.zeros(1, dtype=np.uint64)
    for seed in range(100):
        env.reset(seed=seed)
        while env.game.actor is not None:
            env.step(greedy.act(env.game.view(env.game.actor).record, word)[0])
        if env.game.outcome.durak is None:
            assert set(env.rewards.values()) == {0.0}
            assert all(env.terminations.values())
            return
    pytest.fail("no draw in 100 deals")


def test_who_is_selected_after_the_end() -> None:
    """Every seat once, in the order of seats, and only ``None`` is taken from it."""
    env = dealt(players=3)
    play(env, chooser(1))
    for agent in ("player_0", "player_1", "player_2"):
        assert env.agent_selection == agent
        observation, _, terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert observation["action_mask"].all()
        assert info["action_mask"].all()
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        env.step(None)
        assert agent not in env.agents
        assert set(env.rewards) == set(env.infos) == set(env.terminations) == set(env.agents)
    assert env.agents == []


# --- illegal actions ----------------------------------------------------------------------------


@pytest.mark.parametrize("action", [None, -1, -(2**40), 38, 10**6, 2**62, "an illegal id"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_an_illegal_action_loses(action: Any, players: int) -> None:
    """B16: the offender is the durak at once, and the others share what it loses."""
    env = dealt(players=players)
    play(env, chooser(1), most=5)
    offender = env.agent_selection
    seat = env.possible_agents.index(offender)
    env.step(an_illegal_id(env) if isinstance(action, str) else action)
    assert (env.game.outcome.durak, env.game.outcome.reason) == (seat, "forfeit")
    assert env.rewards == expected_rewards(env)
    assert env.rewards[offender] == -1.0
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert all(env.infos[agent]["action_mask"].all() for agent in env.agents)


def test_many_deals_with_illegal_ends() -> None:
    """An illegal end leaves nothing behind for the next deal."""
    env, twin = dealt(players=3), dealt(players=3)
    rng = np.random.default_rng(1)
    for episode in range(100):
        assert everything(env) == everything(twin)
        assert env.agent_selection == twin.agent_selection
        play(env, chooser(episode), most=int(rng.integers(0, 30)))
        play(twin, chooser(episode))
        if not env.terminations[env.agent_selection]:
            env.step(an_illegal_id(env))
        received = {}
        for agent in env.agent_iter():
            received[agent] = env.last()[1]
            env.step(None)
        assert received == expected_rewards(env)
        env.reset()
        twin.reset()


@pytest.mark.parametrize("action", [None, -1, 38, 2**62, "an illegal id"])
def test_an_illegal_action_may_be_refused(action: Any) -> None:
    """``illegal_action="raise"`` changes nothing and says what is legal."""
    env = dealt(players=3, illegal_action="raise")
    play(env, chooser(1), most=5)
    before, selected = env.game.row.tobytes(), env.agent_selection
    infos = {agent: info["action_mask"].tolist() for agent, info in env.infos.items()}
    legal = env.game.legal_actions()[0]
    message = rf"is not legal; {selected} may do .*{legal.id} \({legal}\)"
    with pytest.raises(IllegalActionError, match=message):
        env.step(an_illegal_id(env) if isinstance(action, str) else action)
    assert env.game.row.tobytes() == before
    assert env.agent_selection == selected
    assert {agent: info["action_mask"].tolist() for agent, info in env.infos.items()} == infos
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}
    env.step(legal)
    assert env.game.row.tobytes() != before


class Scalar:
    """A number as PyTorch hands it over: no int, but usable as an index."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.array, Scalar])
def test_kinds_of_numbers(kind: Callable[[int], Any]) -> None:
    """Whatever can be an index is an action."""
    plain, other = dealt(), dealt()
    for action in moves(plain, chooser(1)):
        other.step(kind(action))
    assert everything(plain) == everything(other)


def test_an_action_of_the_game_is_an_action() -> None:
    env = dealt()
    env.step(env.game.legal_actions()[-1])
    assert not any(env.terminations.values())


# --- reset --------------------------------------------------------------------------------------


def test_unknown_reset_options() -> None:
    """They are ignored, with one warning that names them."""
    env, twin = dealt(), dealt()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env.reset(seed=3, options={"zoom": 2, "colour": "red"})
    assert len(caught) == 1
    assert "reset options colour, zoom are ignored" in str(caught[0].message)
    assert "known: deck, first_leader" in str(caught[0].message)
    twin.reset(seed=3)
    assert everything(env) == everything(twin)


def test_a_given_deck() -> None:
    deck = " ".join(map(str, reversed(full_deck(36))))
    for given in (deck, list(reversed(full_deck(36)))):
        env = dealt()
        env.reset(options={"deck": given})
        assert env.game == Game(deck=deck)
        assert deck_of(env) == deck


def test_a_given_deck_does_not_disturb_the_stream() -> None:
    env, twin = dealt(), dealt()
    env.reset(options={"deck": full_deck(36)})
    twin.reset()
    env.reset()
    twin.reset()
    assert deck_of(env) == deck_of(twin)


@pytest.mark.parametrize("leader", [0, 1, 2])
def test_a_given_first_leader(leader: int) -> None:
    """P30: the leader of a later deal of a match."""
    env = dealt(players=3)
    env.reset(seed=1, options={"first_leader": leader})
    assert env.agent_selection == f"player_{leader}"
    assert deck_of(env) == deck_of(dealt(players=3))
    assert env.game.announced is None
    env.reset(seed=1)
    assert env.game.announced is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deck": "6s 7s"}, "a deck of 36 cards has every card once"),
        ({"first_leader": 2}, "leader 2 is no seat; seats are 0 to 1"),
    ],
)
def test_refused_reset_options(options: dict[str, Any], message: str) -> None:
    env = dealt()
    with pytest.raises(NotationError, match=message):
        env.reset(options=options)


# --- seeds --------------------------------------------------------------------------------------


def episodes(env: DurakAECEnv, count: int = 3) -> list[bytes]:
    """What everybody sees in some episodes, the first of which is dealt already."""
    seen = []
    for episode in range(count):
        choose = chooser(episode)
        while not env.terminations[env.agent_selection]:
            seen += everything(env)
            env.step(choose(legal_mask(env)))
        env.reset()
    return seen


def test_the_same_seed_gives_the_same_episodes() -> None:
    """I12: also those that follow without a seed."""
    env = dealt(seed=5, players=3)
    first = episodes(env)
    env.reset(seed=5)
    assert episodes(env) == first
    assert episodes(dealt(seed=5, players=3)) == first


def test_different_seeds_give_different_deals() -> None:
    env = dealt()
    decks = []
    for seed in range(300):
        env.reset(seed=seed)
        decks.append(deck_of(env))
    assert len(set(decks)) == 300


def test_the_next_episode_is_a_different_one() -> None:
    """Seed 0 is a seed like any other: the stream goes on from it."""
    decks = []
    env = dealt(seed=0)
    for _ in range(300):
        decks.append(deck_of(env))
        env.reset()
    assert len(set(decks)) == 300
    again = dealt(seed=0)
    for deck in decks[:5]:
        assert deck_of(again) == deck
        again.reset()


def test_without_a_seed_every_environment_is_different() -> None:
    decks = set()
    for _ in range(20):
        env = podkidnoy_v0.env()
        env.reset()
        decks.add(deck_of(env))
    assert len(decks) == 20


def test_illegal_play_does_not_disturb_the_stream() -> None:
    """The deals are the same, however they are played."""
    env, twin = dealt(), dealt()
    play(twin, chooser(1))
    env.step(None)
    env.reset()
    twin.reset()
    assert deck_of(env) == deck_of(twin)


# --- copies -------------------------------------------------------------------------------------

COPIES: list[Callable[[DurakAECEnv], DurakAECEnv]] = [
    copy.copy,
    copy.deepcopy,
    lambda env: pickle.loads(pickle.dumps(env)),
]
copies = pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])


@copies
@pytest.mark.parametrize("env", [module.env for module in MODULES])
def test_a_copy_plays_on_identically(
    copied: Callable[[DurakAECEnv], DurakAECEnv], env: Make
) -> None:
    """The same position, and the same deals after it."""
    table = dealt(env=env)
    for most in (0, 1, 20):
        play(table, chooser(most), most)
        twin = copied(table)
        assert twin.agent_selection == table.agent_selection
        expected = episodes(copied(table))
        assert episodes(twin) == expected
        assert episodes(table) == expected


@copies
def test_a_copy_is_independent(copied: Callable[[DurakAECEnv], DurakAECEnv]) -> None:
    """What happens in the copy does not happen in the original, nor the other way round."""
    env = dealt(players=3)
    play(env, chooser(1), most=10)
    for original_moves in (False, True):
        twin = copied(env)
        moved, still = (env, twin) if original_moves else (twin, env)
        before, selected = everything(still), still.agent_selection
        infos = {agent: info["action_mask"].tobytes() for agent, info in still.infos.items()}
        play(moved, chooser(2))
        while moved.agents:
            moved.step(None)
        moved.reset()
        assert everything(still) == before
        assert still.agent_selection == selected
        assert {a: info["action_mask"].tobytes() for a, info in still.infos.items()} == infos
        assert set(still.agents) == set(still.rewards) == set(still.possible_agents)
        env = still


@copies
@pytest.mark.parametrize("left", [0, 1])
def test_a_copy_after_the_end(copied: Callable[[DurakAECEnv], DurakAECEnv], left: int) -> None:
    """Also between the steps that collect the rewards."""
    env = dealt(players=3)
    play(env, chooser(1))
    for _ in range(left):
        env.step(None)
    twin = copied(env)
    while env.agents:
        assert twin.agents == env.agents
        assert twin.last(observe=False)[1] == env.last(observe=False)[1]
        env.step(None)
        twin.step(None)
    env.reset()
    twin.reset()
    assert everything(env) == everything(twin)


@copies
def test_a_copy_before_the_first_deal(copied: Callable[[DurakAECEnv], DurakAECEnv]) -> None:
    env = podkidnoy_v0.env(players=4)
    twin = copied(env)
    env.reset(seed=3)
    twin.reset(seed=3)
    assert everything(env) == everything(twin)


# --- pictures -----------------------------------------------------------------------------------

CARD = re.compile(r"(?<!\w)(?:10|[2-9JQKA])[schd](?!\w)")


def cards_in(text: str) -> set[str]:
    """Every card that a text names."""
    return set(CARD.findall(text))


def public_cards(game: Game) -> set[str]:
    """Every card that everybody may see now, the discard apart."""
    known = {card for seat in range(game.players) for card in game.known(seat)}
    table = {card for pair in game.table for card in pair if card is not None}
    return set(map(str, known | table | {game.trump_card}))


@pytest.mark.parametrize("discard_visible", [False, True])
def test_a_picture_shows_the_actors_cards_only(discard_visible: bool) -> None:
    env = dealt(players=3, render_mode="ansi", discard_visible=discard_visible)
    choose = chooser(1)
    while not any(env.terminations.values()):
        game = env.game
        allowed = public_cards(game) | set(map(str, game.hand(game.actor)))
        if discard_visible:
            allowed |= set(map(str, game.discard))
        text = env.render()
        assert cards_in(text) == allowed
        for seat in range(3):
            hidden = len(game.hand(seat)) - len(game.known(seat))
            if seat != game.actor and hidden:
                assert re.search(rf"^seat {seat}\b.*\+{hidden} hidden$", text, re.MULTILINE)
        env.step(choose(legal_mask(env)))


def test_an_open_picture_shows_every_hand() -> None:
    """P35."""
    env = dealt(players=3, render_mode="ansi", open_hands=True)
    choose = chooser(1)
    while not any(env.terminations.values()):
        hands = {str(card) for seat in range(3) for card in env.game.hand(seat)}
        text = env.render()
        assert hands <= cards_in(text)
        assert "hidden" not in text
        assert not {str(card) for card in env.game.stock[:-1]} & cards_in(text)
        env.step(choose(legal_mask(env)))


def test_a_picture_of_the_end() -> None:
    """Everything lies open; the durak is named."""
    env = dealt(players=3, render_mode="ansi")
    play(env, chooser(1))
    outcome = env.game.outcome
    assert f"over ({outcome.reason}): seat {outcome.durak} is the durak" in env.render()
    assert {str(card) for card in env.game.hand(outcome.durak)} <= cards_in(env.render())
    assert "hidden" not in env.render()


def test_a_picture_changes_nothing() -> None:
    env, twin = dealt(render_mode="ansi"), dealt()
    choose = chooser(1)
    while not any(env.terminations.values()):
        assert env.render() == env.render()
        action = choose(legal_mask(env))
        env.step(action)
        twin.step(action)
        assert everything(env) == everything(twin)


def test_the_text_of_one_seat() -> None:
    """S003-39: with ``render_seat`` it shows that seat's hand, and of the others what all know."""
    env = dealt(players=3, render_mode="ansi", render_seat=2)
    choose = chooser(1)
    while not any(env.terminations.values()):
        hand = set(map(str, env.game.hand(2)))
        assert cards_in(env.render().partition("\nmay: ")[0]) == public_cards(env.game) | hand
        env.step(choose(legal_mask(env)))


def test_no_picture_without_a_mode() -> None:
    env = dealt()
    with pytest.warns(UserWarning, match="does nothing without a render_mode"):
        assert env.render() is None
    env.close()
