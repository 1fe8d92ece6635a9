"""The PettingZoo AEC environment: every seat acts through one environment, turn by turn."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from durak_env import encoding
from durak_env.encoding.kernels import observe_mask
from durak_env.engine import Reason, new_rows
from durak_env.engine.batch import forfeit
from durak_env.engine.state import OVER
from durak_env.envs.episodes import DealEpisode, Episode, MatchEpisode
from durak_env.envs.rewards import SCHEMES, Scheme
from durak_env.envs.spaces import (
    PICTURE_MODES,
    RENDER_MODES,
    Actions,
    IllegalPolicy,
    Observation,
    check_choice,
    observation_box,
    observation_space,
)
from durak_env.errors import DurakError, IllegalActionError
from durak_env.game import Game
from durak_env.match import Match
from durak_env.match.deals import check_seed, seed_of
from durak_env.render.picture import Picture, need_pygame, picture_of_game, picture_of_view
from durak_env.render.scene import caption_of
from durak_env.render.text import render_game, render_view
from durak_env.render.window import Window
from durak_env.rules import OptionValue, Rules
from durak_env.view import PlayerView

MATCH_OPTIONS = ("seats",)
RESET_OPTIONS = ("deck", "first_leader", "levels", "seats")
DEAL_ARGUMENTS = {"deck": "deck", "leader": "first_leader", "levels": "levels"}
"""The arguments of a deal by the reset options that they come from."""

FIRST_ROW = np.zeros(1, dtype=np.int64)

CHANGED_BY_PLAY = (
    *("_episode", "agents", "rewards", "_cumulative_rewards", "terminations", "truncations"),
    "infos",
)
"""The attributes of an environment that play changes, all of which have a ``copy``."""

EpisodeKind = Literal["deal", "match"]


class DurakAECEnv(AECEnv):  # type: ignore[misc]
    """Durak as a PettingZoo AEC environment.

    Observations are ``{"observation": encoder.shape, "action_mask": int8 (actions,)}``. The mask
    of a seat that is not asked is all zeros; once the deal is over every mask is all ones. All
    seats end together: a seat that got out is simply never selected again. The rewards of all seats
    appear on the step that ends a deal, by default -1 for the durak, 1 / (players - 1) for every
    other seat, 0 after a draw.

    Copies, pickles and deep copies are independent games in the same position.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "durak",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }
    preset: ClassVar[str] = "podkidnoy"

    _paid = False
    """Whether the last step has paid rewards, which the next one clears."""

    def __init__(
        self,
        *,
        illegal_action: IllegalPolicy = "terminate",
        render_mode: str | None = None,
        render_seat: int | None = None,
        encoder: encoding.EncoderLike = "flat",
        rewards: Scheme = "durak",
        episode: EpisodeKind = "deal",
        deals: int | None = None,
        **options: OptionValue,
    ) -> None:
        """
        Args:
            illegal_action: what an illegal action does: ``terminate`` ends the deal with the
                offender as the durak; ``raise`` raises `IllegalActionError` and changes nothing.
            render_mode: ``ansi`` (`render` returns a text), ``rgb_array`` (it returns a picture),
                ``human`` (every step shows the picture in a window) or None. Pictures need pygame.
            render_seat: the seat whose view is rendered; None: the table with the actor's hand
                face up, see `render_game` and `picture_of_game`.
            encoder: how observations are made, by name or by its class (`durak_env.encoding`).
            rewards: how a deal or match is rewarded: ``durak``, ``places`` or ``points``; see
                `durak_env.envs.rewards`.
            episode: ``deal``, or ``match``: epaulettes until aces are hung, tricks until the target
                is reached, any other game a series of deals.
            deals: ends a match after so many deals at the latest; a series has ten without it.
            options: options of `Rules`, such as ``players=4``.

        Raises:
            RulesError: an option that does not exist or a value that it does not accept.
            DurakError: an argument that is not accepted, or a picture is asked for and pygame is
                not installed.
        """
        super().__init__()
        check_choice("illegal_action", illegal_action, ("terminate", "raise"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.rules = Rules.preset(self.preset, **options)
        check_choice("render_seat", render_seat, (None, *range(self.rules.players)))
        if render_mode in PICTURE_MODES:
            need_pygame()
        check_choice("rewards", rewards, SCHEMES)
        check_choice("episode", episode, ("deal", "match"))
        if deals is not None and (episode != "match" or deals < 1):
            raise DurakError(f"deals={deals} is not accepted; a match takes 1 or more, a deal none")
        self.illegal_action = illegal_action
        self.reward_scheme: Scheme = rewards
        self._episode: Episode = (
            DealEpisode(self.rules) if episode == "deal" else MatchEpisode(self.rules, deals)
        )
        self.render_mode = render_mode
        self.render_seat = render_seat
        self._window = Window()
        self._caption = ""
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._sitting = self.possible_agents
        self._encoder = encoding.make(encoder, self.rules)
        self._numbering = encoding.Numbering(self._encoder)
        self._actions = self._numbering.size
        self._full = encoding.FullEncoder(self.rules)
        self.state_space = observation_box(self._full)
        self._seed, self._episodes = secrets.randbits(64), 0
        self._rows = new_rows(self.rules, 1)
        observation = observation_space(self._encoder, self._actions)
        self._observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self._action_spaces: dict[str, Actions] = {
            agent: spaces.Discrete(self._actions) for agent in self.possible_agents
        }

    # --- spaces and observations ------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations; the same object at every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Actions:
        """The ids of the action table."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent may know now. Pure, and valid for every agent at any time."""
        seat = self._episode.game_seat_of(self._seats[agent])
        observations = self._encoder.buffer(1)
        masks = np.empty((1, self._actions), dtype=np.int8)
        encoding.observe(
            self._encoder,
            self._rows,
            FIRST_ROW,
            np.array([seat]),
            observations,
            masks,
            self._numbering,
        )
        return {"observation": observations[0], "action_mask": masks[0]}

    def _mask(self, game_seat: int) -> npt.NDArray[np.int8]:
        mask = np.empty(self._numbering.own_size, dtype=np.int8)
        observe_mask(self._rows, 0, game_seat, mask)
        return self._numbering.spread(mask)

    def state(self) -> npt.NDArray[np.int8]:
        """Everything, also what is hidden, from the first agent's place: int8, by the encoding
        ``full``. For critics in training."""
        seat = self._episode.game_seat_of(self._seats[self.possible_agents[0]])
        states = self._full.buffer(1)
        self._full.encode_rows(self._rows, FIRST_ROW, np.array([seat]), states)
        state: npt.NDArray[np.int8] = states[0]
        return state

    @property
    def game(self) -> Game:
        """The game as it stands, with everything hidden in it; for tools and tests."""
        return self._episode.game

    @property
    def match(self) -> Match | None:
        """The match that is played, if an episode is one; None before the first."""
        if not isinstance(self._episode, MatchEpisode) or not self._episodes:
            return None
        return self._episode.match

    # --- play -------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: starts the stream of decks; absent, the stream goes on.
            options: ``seats``: the seat of every agent, such as ``[1, 0, 2]``; and for an episode
                of one deal ``deck`` (in dealing order, see `Game`), ``first_leader`` (a seat) and
                ``levels`` (the rank that each seat hangs, with epaulettes). Others are ignored with
                a warning.

        Raises:
            NotationError: a seed, deck, leader or levels that are not accepted.
            DurakError: ``seats`` that are no order of all seats.
        """
        options = options or {}
        known = RESET_OPTIONS if self.is_deal else MATCH_OPTIONS
        unknown = sorted(set(options) - set(known))
        if unknown:
            gymnasium.logger.warn(
                f"reset options {', '.join(unknown)} are ignored; known: {', '.join(known)}"
            )
        self._sit_down(options.get("seats"))
        if seed is not None:
            self._seed, self._episodes = check_seed(seed), 0
        chosen = {key: options.get(name) for key, name in DEAL_ARGUMENTS.items() if name in known}
        self._episode.begin(seed_of(self._seed, self._episodes), **chosen)
        self._episodes += 1
        self._begin()

    @property
    def is_deal(self) -> bool:
        """Whether an episode is one deal."""
        return isinstance(self._episode, DealEpisode)

    def _sit_down(self, seats: Sequence[int] | None) -> None:
        players = range(self.rules.players)
        order = list(players) if seats is None else list(seats)
        if sorted(order) != list(players):
            raise DurakError(f"seats={seats} is no order of the seats 0 to {players[-1]}")
        self._seats = dict(zip(self.possible_agents, order, strict=True))
        self._sitting = sorted(self.possible_agents, key=lambda agent: self._seats[agent])

    def _begin(self) -> None:
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        nothing = np.zeros(self._actions, dtype=np.int8)
        self.infos = {agent: {"action_mask": nothing} for agent in self.agents}
        self._skip_agent_selection = None
        self._caption = ""
        self._rows = self._episode.game.rows
        if self._episode.over:
            self.agent_selection = self.possible_agents[0]
            self._end()
        else:
            self._select_actor()
        if self.render_mode == "human":
            self.render()

    def _select_actor(self) -> None:
        seat = int(self._rows[0]["actor"])
        self.agent_selection = self._sitting[self._episode.seat_of(seat)]
        self.infos[self.agent_selection] = {"action_mask": self._mask(seat)}

    def step(self, action: SupportsIndex | None) -> None:
        """Carry out the selected agent's action; ``None`` for an agent that has ended.

        Raises:
            IllegalActionError: the action is illegal and ``illegal_action="raise"``.
        """
        if not self.agents:
            raise gymnasium.error.ResetNeeded("the deal is over: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if not self._play(action):
            self._refuse(agent, action)
        if self.render_mode in PICTURE_MODES:
            self._caption = self._caption_of(agent)
        self.infos[agent] = {"action_mask": np.zeros(self._actions, dtype=np.int8)}
        if self._rows[0]["phase"] == OVER:
            self._end_deal()
        else:
            self._select_actor()
        if self.render_mode == "human":
            self.render()

    def _play(self, action: SupportsIndex | None) -> bool:
        if action is None:
            return False
        action = operator.index(action)
        own = self._numbering.own_id(action)
        return own >= 0 and self._episode.game.play_id(own)

    def _refuse(self, agent: str, action: SupportsIndex | None) -> None:
        game = self._episode.game
        if self.illegal_action == "raise":
            legal = ", ".join(f"{legal.id} ({legal})" for legal in game.legal_actions())
            raise IllegalActionError(f"action {action} is not legal; {agent} may do {legal}")
        forfeit(self._rows, 0, self._episode.game_seat_of(self._seats[agent]))

    def _end_deal(self) -> None:
        rewards = self._episode.end_deal(self.reward_scheme)
        for agent, seat in self._seats.items():
            self.rewards[agent] = float(rewards[seat])
        self._paid = True
        self._accumulate_rewards()
        self._rows = self._episode.game.rows
        if self._episode.over:
            self._end()
        else:
            self._select_actor()

    def _end(self) -> None:
        everything = np.ones(self._actions, dtype=np.int8)
        for agent in self.possible_agents:
            self.terminations[agent] = True
            self.infos[agent] = {"action_mask": everything}
        self._deads_step_first()

    # --- the rest ---------------------------------------------------------------------------

    def render(self) -> str | Picture | None:
        """The table: a text with ``ansi``, pixels (height, width, 3) with ``rgb_array``; with
        ``human`` it is shown in a window.

        Raises:
            ResetNeeded: nothing is dealt yet.
            DurakError: there is no screen to open a window on.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        if not self._episodes:
            raise gymnasium.error.ResetNeeded("nothing is dealt: call reset() before render()")
        if self.render_mode == "ansi":
            view = self._rendered_view()
            return render_game(self.game) if view is None else render_view(view)
        picture = self._picture()
        if self.render_mode == "rgb_array":
            return picture
        self._window.show(picture, self.metadata["render_fps"])
        return None

    def _rendered_view(self) -> PlayerView | None:
        if self.render_seat is None:
            return None
        return self.game.view(self._episode.game_seat_of(self.render_seat))

    def _picture(self) -> Picture:
        view = self._rendered_view()
        if view is None:
            return picture_of_game(self.game, self._caption)
        return picture_of_view(view, self._caption)

    def _caption_of(self, agent: str) -> str:
        game = self.game
        who = "you" if self._seats[agent] == self.render_seat else agent
        if self._rows[0]["reason"] == Reason.FORFEIT:
            return f"{who}: an illegal action"
        return caption_of(who, str(game.history[-1]))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()

    def copy(self) -> DurakAECEnv:
        """An independent environment in the same position, with the same decks to come."""
        twin = self.__class__.__new__(self.__class__)
        attributes = self.__dict__.copy()
        attributes["_window"] = Window()
        if self._episodes:
            for name in CHANGED_BY_PLAY:
                attributes[name] = attributes[name].copy()
            attributes["_rows"] = attributes["_episode"].game.rows
        twin.__dict__ = attributes
        return twin

    def __copy__(self) -> DurakAECEnv:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> DurakAECEnv:
        memo[id(self)] = twin = self.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._episodes:
            self._rows = self._episode.game.rows  # one row, shared with the game
