"""N games at once with one learner in each: what the vector, single and SB3 environments share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env import encoding
from durak_env.engine import deal_many, new_rows
from durak_env.engine.batch import apply_many, forfeit
from durak_env.engine.chance import below_many
from durak_env.engine.state import OVER
from durak_env.envs.rewards import SCHEMES, Scheme, deal_rewards, durak_rewards
from durak_env.envs.spaces import check_choice
from durak_env.errors import DurakError
from durak_env.opponents import OpponentLike, Seating, resolve
from durak_env.opponents.seating import EXTERNAL
from durak_env.rules import Rules

Ids: TypeAlias = npt.NDArray[np.int64]
Opponents: TypeAlias = (
    OpponentLike | list[OpponentLike] | tuple[OpponentLike, ...] | Mapping[int, OpponentLike]
)
"""One opponent for every other seat; a list: a pool from which each seat of each deal draws; a
tuple: one for each other seat, from the learner's left on; or a mapping from seats, counted from
the learner (1 is the seat to the left), to opponents. ``"self"``: there are none, the caller acts
for every seat, and what is observed is always the seat that is asked."""

SELF_PLAY = "self"


class Learners:
    """``count`` games with a learner at one seat of each and opponents at all others, or, in
    self-play, with a learner at every seat that acts for whoever is asked.

    Every row has two streams of its own, one for its decks and one for everything else (which seat,
    which opponents, what they do), so that a row never depends on the other rows.

    Attributes:
        rows: the games.
        seats: the learner's seat in every row, int64 (count,); in self-play the seat that is asked,
            or, once the deal is over, the one that acted last.
        observations: (count, *encoder.shape), of the learner in every row after `observe`.
        masks: int8 (count, actions), likewise.
    """

    def __init__(
        self,
        rules: Rules,
        count: int,
        opponents: Opponents,
        seat: int | None = None,
        encoder: encoding.EncoderLike = "flat",
        rewards: Scheme = "durak",
        skip_forced: bool = True,
    ) -> None:
        """
        Args:
            rules: the game.
            count: the number of games.
            opponents: who plays the other seats.
            seat: the learner's seat; None: it moves on by one seat with every deal, from a seat
                drawn by the seed.
            encoder: how observations are made, by name or by its class.
            rewards: how a deal is rewarded; see `durak_env.envs.rewards`.
            skip_forced: play a learner's decision that leaves no choice without asking.

        Raises:
            DurakError: no such seat, or a mapping that does not name every other seat.
            OpponentError: no such opponent.
        """
        if seat is not None and not 0 <= seat < rules.players:
            raise DurakError(f"seat={seat} is no seat; seats are 0 to {rules.players - 1}")
        check_choice("rewards", rewards, SCHEMES)
        self.rules = rules
        self.scheme: Scheme = rewards
        self.skip_forced = skip_forced
        self.self_play = isinstance(opponents, str) and opponents == SELF_PLAY
        self.fixed_seat = seat
        self.encoder = encoding.make(encoder, rules)
        self.rows = new_rows(rules, count)
        self.seats = np.zeros(count, dtype=np.int64)
        self.observations = self.encoder.buffer(count)
        self.numbering = encoding.Numbering(self.encoder)
        self.masks = np.ones((count, self.numbering.size), dtype=np.int8)
        self.decks = np.zeros(count, dtype=np.uint64)
        pool, self.fixed_opponents = ([], None) if self.self_play else _pool(opponents, rules)
        self.weights = np.ones(len(pool))
        self.seating = Seating(
            [resolve(opponent, rules) for opponent in pool],
            np.full((count, rules.players), EXTERNAL, dtype=np.int64),
            np.zeros(count, dtype=np.uint64),
        )
        self._keep_events()
        self._all = np.arange(count)

    def _keep_events(self) -> None:
        """Let the rows keep what happens, if anybody reads it."""
        needed = encoding.needs_history(self.encoder) or self.seating.need_history
        self.rows["keeps_events"] = needed

    def __len__(self) -> int:
        return len(self.rows)

    def set_pool(self, opponents: Sequence[OpponentLike], weights: npt.ArrayLike) -> None:
        """Draw every seat's opponent from these, with these weights. To be called before a deal:
        running games go on with the opponents of the same numbers."""
        self.seating.seat([resolve(other, self.rules) for other in opponents])
        self._keep_events()
        self.fixed_opponents = None
        self.weights = np.asarray(weights, dtype=np.float64)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that the games to come depend on, but for the opponents themselves."""
        return {
            "rows": self.rows.view(np.uint8).copy(),
            "seats": self.seats.copy(),
            "decks": self.decks.copy(),
            "streams": self.seating.streams.copy(),
            "who": self.seating.who.copy(),
            "weights": self.weights.copy(),
        }

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from a `state`."""
        self.rows.view(np.uint8)[:] = state["rows"]
        self.seats[:] = state["seats"]
        self.decks[:] = state["decks"]
        self.seating.streams[:] = state["streams"]
        self.seating.who[:] = state["who"]
        self.weights = state["weights"].copy()
        self.observe()

    def seed(self, seeds: Sequence[int | None], which: Ids | None = None) -> None:
        """Start the streams of these rows anew, each from its own seed; None is fresh entropy."""
        for i, seed in zip(self._all if which is None else which, seeds, strict=True):
            words = np.random.SeedSequence(seed).generate_state(3, dtype=np.uint64)
            self.decks[i], self.seating.streams[i] = words[:2]
            self.seats[i] = int(words[2] % np.uint64(self.rules.players))

    def deal(self, which: Ids) -> None:
        """Deal these rows anew and let the opponents play up to the learner's first decision."""
        while which.size:
            deal_many(self.rows, which, self.decks)
            if not self.self_play:
                self._seat(which)
            self._play_on(which)
            # a deal that ends before the learner was asked is nobody's experience
            which = which[self.rows["phase"][which] == OVER]

    def _seat(self, which: Ids) -> None:
        players = self.rules.players
        if self.fixed_seat is None:
            self.seats[which] = (self.seats[which] + 1) % players
        else:
            self.seats[which] = self.fixed_seat
        who = self.seating.who
        for step in range(1, players):
            seats = (self.seats[which] + step) % players
            who[which, seats] = self._draw_opponents(step, which)
        who[which, self.seats[which]] = EXTERNAL

    def _draw_opponents(self, step: int, which: Ids) -> Ids:
        if self.fixed_opponents is not None:
            return np.full(which.size, self.fixed_opponents[step])
        edges = np.cumsum(self.weights) / self.weights.sum()
        draws = np.empty(which.size, dtype=np.int64)
        below_many(self.seating.streams, which, 1 << 24, draws)
        return np.minimum(np.searchsorted(edges, draws / (1 << 24), "right"), len(edges) - 1)

    def act(self, actions: Ids, which: Ids | None = None) -> npt.NDArray[np.bool_]:
        """Carry out the learners' actions, one per row of ``which``, and let the opponents play on.

        An illegal action ends the deal: the learner is the durak. Returns where that happened.
        """
        which = self._all if which is None else which
        illegal = np.zeros(which.size, dtype=np.bool_)
        if apply_many(self.rows, which, self.numbering.own_ids(actions), illegal):
            for i in which[illegal]:
                forfeit(self.rows, i, self.seats[i])
        self._play_on(which)
        return illegal

    def _play_on(self, which: Ids) -> None:
        """Play until a learner has a choice, or the deal is over."""
        self.seating.play(self.rows, which, skip_forced=self.skip_forced)
        if self.self_play:
            actors = self.rows["actor"][self._all]
            self.seats[actors >= 0] = actors[actors >= 0]

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which rows are over."""
        over: npt.NDArray[np.bool_] = self.rows["phase"] == OVER
        return over

    def rewards(self, which: Ids) -> npt.NDArray[np.float64]:
        """The learners' rewards in rows that are over."""
        return self.all_rewards(which)[np.arange(which.size), self.seats[which]]

    def all_rewards(self, which: Ids) -> npt.NDArray[np.float64]:
        """The rewards of every seat in rows that are over, shape (n, players)."""
        if self.scheme == "durak":  # what is rewarded in one field need not be copied whole
            return durak_rewards(self.rows["durak"][which], self.rules.players)
        return deal_rewards(self.rows[which], self.rules.players, self.scheme)

    def observe(self) -> None:
        """Write the learners' observations and masks of all rows."""
        encoding.observe(
            self.encoder,
            self.rows,
            self._all,
            self.seats,
            self.observations,
            self.masks,
            self.numbering,
        )


def _pool(opponents: Opponents, rules: Rules) -> tuple[list[OpponentLike], list[int] | None]:
    """The opponents to draw from and, for a mapping, the one that each relative seat has."""
    if isinstance(opponents, Mapping):
        wanted = list(range(1, rules.players))
        if sorted(opponents) != wanted:
            raise DurakError(
                f"opponents names seats {sorted(opponents)}; with players={rules.players} "
                f"it names {wanted}, counted from the learner"
            )
        return [opponents[step] for step in wanted], [-1, *range(len(wanted))]
    if isinstance(opponents, tuple):
        if len(opponents) != rules.players - 1:
            raise DurakError(
                f"opponents is a tuple of {len(opponents)}; with players={rules.players} it names "
                f"{rules.players - 1}, one for each other seat, and a list is a pool"
            )
        return list(opponents), [-1, *range(len(opponents))]
    if isinstance(opponents, list):
        if not opponents:
            raise DurakError("opponents is an empty list; name at least one")
        return list(opponents), None
    return [opponents], None
