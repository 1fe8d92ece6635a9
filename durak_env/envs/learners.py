"""N games at once with one learner in each: what the vector, single and SB3 environments share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env import encoding
from durak_env.actions import action_table
from durak_env.engine import deal_many, new_rows
from durak_env.engine.batch import apply_many, forfeit
from durak_env.engine.chance import below_many
from durak_env.engine.state import OVER
from durak_env.envs.rewards import deal_rewards
from durak_env.errors import DurakError
from durak_env.opponents import OpponentLike, Seating, resolve
from durak_env.opponents.seating import EXTERNAL
from durak_env.rules import Rules

Ids: TypeAlias = npt.NDArray[np.int64]
Opponents: TypeAlias = OpponentLike | Sequence[OpponentLike] | Mapping[int, OpponentLike]
"""One opponent for every other seat; a list: a pool from which each seat of each deal draws; or a
mapping from seats, counted from the learner (1 is the seat to the left), to opponents."""


class Learners:
    """``count`` games with a learner at one seat of each and opponents at all others.

    Every row has two streams of its own, one for its decks and one for everything else (which seat,
    which opponents, what they do), so that a row never depends on the other rows.

    Attributes:
        rows: the games.
        seats: the learner's seat in every row, int64 (count,).
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
    ) -> None:
        """
        Args:
            rules: the game.
            count: the number of games.
            opponents: who plays the other seats.
            seat: the learner's seat; None: it moves on by one seat with every deal, from a seat
                drawn by the seed.
            encoder: how observations are made, by name or by its class.

        Raises:
            DurakError: no such seat, or a mapping that does not name every other seat.
            OpponentError: no such opponent.
        """
        if seat is not None and not 0 <= seat < rules.players:
            raise DurakError(f"seat={seat} is no seat; seats are 0 to {rules.players - 1}")
        self.rules = rules
        self.fixed_seat = seat
        self.encoder = encoding.make(encoder, rules)
        self.rows = new_rows(rules, count)
        self.seats = np.zeros(count, dtype=np.int64)
        self.observations = self.encoder.buffer(count)
        self.masks = np.ones((count, len(action_table(rules))), dtype=np.int8)
        self.decks = np.zeros(count, dtype=np.uint64)
        pool, self.fixed_opponents = _pool(opponents, rules)
        self.weights = np.ones(len(pool))
        self.seating = Seating(
            [resolve(opponent, rules) for opponent in pool],
            np.full((count, rules.players), EXTERNAL, dtype=np.int64),
            np.zeros(count, dtype=np.uint64),
        )
        self._all = np.arange(count)

    def __len__(self) -> int:
        return len(self.rows)

    def set_pool(self, opponents: Sequence[OpponentLike], weights: npt.ArrayLike) -> None:
        """Draw every seat's opponent from these, with these weights. To be called before a deal:
        running games go on with the opponents of the same numbers."""
        self.seating.seat([resolve(other, self.rules) for other in opponents])
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
            self._seat(which)
            self.seating.play(self.rows, which)
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
        if apply_many(self.rows, which, actions, illegal):
            for i in which[illegal]:
                forfeit(self.rows, i, self.seats[i])
        self.seating.play(self.rows, which)
        return illegal

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which rows are over."""
        over: npt.NDArray[np.bool_] = self.rows["phase"] == OVER
        return over

    def rewards(self, which: Ids) -> npt.NDArray[np.float64]:
        """The learners' rewards in rows that are over."""
        rewards = deal_rewards(self.rows["durak"][which], self.rules.players)
        return rewards[np.arange(which.size), self.seats[which]]

    def observe(self) -> None:
        """Write the learners' observations and masks of all rows."""
        encoding.observe(
            self.encoder, self.rows, self._all, self.seats, self.observations, self.masks
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
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if not opponents:
            raise DurakError("opponents is an empty list; name at least one")
        return list(opponents), None
    return [opponents], None
