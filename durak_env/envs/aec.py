"""The PettingZoo AEC environment: every seat acts through one environment, turn by turn."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, ClassVar, Literal, SupportsIndex, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from durak_env import encoding
from durak_env.actions import action_table
from durak_env.cards import Card
from durak_env.encoding.kernels import observe_mask
from durak_env.engine import Reason, action_code, new_rows
from durak_env.engine.batch import apply_id, forfeit
from durak_env.engine.state import OVER
from durak_env.envs.rewards import deal_rewards
from durak_env.errors import DurakError, IllegalActionError
from durak_env.game import Game
from durak_env.render.picture import Picture, need_pygame, picture_of_game, picture_of_view
from durak_env.render.scene import caption_of
from durak_env.render.text import render_game, render_view
from durak_env.render.window import Window
from durak_env.rules import OptionValue, Rules

Observation = dict[str, npt.NDArray[Any]]
Actions: TypeAlias = "spaces.Discrete[np.int64]"
Observed: TypeAlias = "spaces.Box"
IllegalPolicy = Literal["terminate", "raise"]
RENDER_MODES = ("ansi", "human", "rgb_array")
PICTURE_MODES = ("human", "rgb_array")
RESET_OPTIONS = ("deck", "first_leader")


class DurakAECEnv(AECEnv):  # type: ignore[misc]
    """Durak as a PettingZoo AEC environment.

    Observations are ``{"observation": encoder.shape, "action_mask": int8 (actions,)}``. The mask
    of a seat that is not asked is all zeros; once the deal is over every mask is all ones. All
    seats end together: a seat that got out is simply never selected again. The rewards of all seats
    appear on the last step: -1 for the durak, 1 / (players - 1) for every other seat, 0 after a
    draw.

    Copies, pickles and deep copies are independent games in the same position.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "durak",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }
    preset: ClassVar[str] = "podkidnoy"

    def __init__(
        self,
        *,
        illegal_action: IllegalPolicy = "terminate",
        render_mode: str | None = None,
        render_seat: int | None = None,
        encoder: encoding.EncoderLike = "flat",
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
            options: options of `Rules`, such as ``players=4``.

        Raises:
            RulesError: an option that does not exist or a value that it does not accept.
            DurakError: an unknown ``illegal_action``, ``render_mode``, ``render_seat`` or encoder,
                or a picture is asked for and pygame is not installed.
        """
        super().__init__()
        check_choice("illegal_action", illegal_action, ("terminate", "raise"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.rules = Rules.preset(self.preset, **options)
        check_choice("render_seat", render_seat, (None, *range(self.rules.players)))
        if render_mode in PICTURE_MODES:
            need_pygame()
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.render_seat = render_seat
        self._window = Window()
        self._caption = ""
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._encoder = encoding.make(encoder, self.rules)
        self._actions = len(action_table(self.rules))
        self._which, self._seat = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        self._random = np.random.default_rng()
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
        self._seat[0] = self._seats[agent]
        observations = self._encoder.buffer(1)
        masks = np.empty((1, self._actions), dtype=np.int8)
        encoding.observe(self._encoder, self._rows, self._which, self._seat, observations, masks)
        return {"observation": observations[0], "action_mask": masks[0]}

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        mask = np.empty(self._actions, dtype=np.int8)
        observe_mask(self._rows, 0, seat, mask)
        return mask

    @property
    def game(self) -> Game:
        """The game as it stands, with everything hidden in it; for tools and tests."""
        return self._game

    # --- play -------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew.

        Args:
            seed: starts the stream of decks; absent, the stream goes on.
            options: ``deck`` (a deck in dealing order, see `Game`) and ``first_leader`` (a seat).
                Others are ignored with a warning.
        """
        options = options or {}
        unknown = sorted(set(options) - set(RESET_OPTIONS))
        if unknown:
            gymnasium.logger.warn(
                f"reset options {', '.join(unknown)} are ignored; known: {', '.join(RESET_OPTIONS)}"
            )
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._deal(options.get("deck"), options.get("first_leader"))
        self._caption = ""
        if self.render_mode == "human":
            self.render()

    def _deal(self, deck: str | Iterable[Card] | None, leader: int | None) -> None:
        seed = int(self._random.integers(2**63))
        self._game = Game(self.rules, seed=seed if deck is None else None, deck=deck, leader=leader)
        while deck is None and self._game.actor is None:  # nothing can be led (H6): deal anew
            self._game = Game(self.rules, seed=int(self._random.integers(2**63)), leader=leader)
        self._rows = self._game.rows
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        nothing = np.zeros(self._actions, dtype=np.int8)
        self.infos = {agent: {"action_mask": nothing} for agent in self.agents}
        self._skip_agent_selection = None
        if self._game.actor is None:
            self.agent_selection = self.possible_agents[0]
            self._end()
        else:
            self._select_actor()

    def _select_actor(self) -> None:
        seat = int(self._rows[0]["actor"])
        self.agent_selection = self.possible_agents[seat]
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
        seat = self._seats[agent]
        if not self._play(action):
            self._refuse(seat, action)
        if self.render_mode in PICTURE_MODES:
            self._caption = self._caption_of(seat, action)
        if self._rows[0]["phase"] == OVER:
            self._end()
        else:
            self.infos[agent] = {"action_mask": np.zeros(self._actions, dtype=np.int8)}
            self._select_actor()
        if self.render_mode == "human":
            self.render()

    def _play(self, action: SupportsIndex | None) -> bool:
        if action is None:
            return False
        action = operator.index(action)
        return 0 <= action < self._actions and bool(apply_id(self._rows, 0, action))

    def _refuse(self, seat: int, action: SupportsIndex | None) -> None:
        if self.illegal_action == "raise":
            legal = ", ".join(f"{legal.id} ({legal})" for legal in self._game.legal_actions())
            raise IllegalActionError(f"action {action} is not legal; player_{seat} may do {legal}")
        forfeit(self._rows, 0, seat)

    def _end(self) -> None:
        rewards = deal_rewards(self._rows["durak"], self.rules.players)[0]
        everything = np.ones(self._actions, dtype=np.int8)
        for agent, seat in self._seats.items():
            self.rewards[agent] = float(rewards[seat])
            self.terminations[agent] = True
            self.infos[agent] = {"action_mask": everything}
        self._accumulate_rewards()
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
        if "_game" not in self.__dict__:
            raise gymnasium.error.ResetNeeded("nothing is dealt: call reset() before render()")
        if self.render_mode == "ansi":
            view = None if self.render_seat is None else self._game.view(self.render_seat)
            return render_game(self._game) if view is None else render_view(view)
        picture = self._picture()
        if self.render_mode == "rgb_array":
            return picture
        self._window.show(picture, self.metadata["render_fps"])
        return None

    def _picture(self) -> Picture:
        if self.render_seat is None:
            return picture_of_game(self._game, self._caption)
        return picture_of_view(self._game.view(self.render_seat), self._caption)

    def _caption_of(self, seat: int, action: SupportsIndex | None) -> str:
        who = "you" if seat == self.render_seat else self.possible_agents[seat]
        if action is None or self._rows[0]["reason"] == Reason.FORFEIT:
            return f"{who}: an illegal action"
        code = int(action_code(self._rows, 0, operator.index(action)))
        return caption_of(who, self._game.codes.action_text(code))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()

    def copy(self) -> DurakAECEnv:
        """An independent environment in the same position, with the same decks to come."""
        return self.__deepcopy__({})

    def __copy__(self) -> DurakAECEnv:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> DurakAECEnv:
        twin = self.__class__.__new__(self.__class__)
        memo[id(self)] = twin
        twin.__setstate__(copy_state(self.__dict__))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_game" in state:
            self._rows = self._game.rows  # one row, shared with the game


def copy_state(state: dict[str, Any]) -> dict[str, Any]:
    """An environment's attributes, copied where play changes them."""
    import copy  # noqa: PLC0415

    shared = ("_observation_spaces", "_action_spaces", "_encoder", "rules")
    return {key: value if key in shared else copy.deepcopy(value) for key, value in state.items()}


def check_choice(name: str, value: object, accepted: tuple[object, ...]) -> None:
    """Refuse an argument that is not one of the accepted values.

    Raises:
        DurakError: it is not.
    """
    if value not in accepted:
        raise DurakError(
            f"{name}={value!r} is not accepted; it takes {', '.join(map(repr, accepted))}"
        )


def observation_space(encoder: encoding.Encoder, actions: int) -> spaces.Dict:
    """The space of one observation with its action mask."""
    return spaces.Dict(
        {
            "observation": observation_box(encoder),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def observation_box(encoder: encoding.Encoder) -> Observed:
    """The space of one observation without its mask."""
    return spaces.Box(0, encoder.high, encoder.shape, encoder.dtype.type)
