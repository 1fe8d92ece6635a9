"""`Session`: one game of a person against opponents.

>>> from durak_env.play.session import Session, Setup
>>> from durak_env.rules import Rules
>>> session = Session(Setup(Rules.parse("podkidnoy(players=3)"), ("easy", "greedy"), seed=7))
>>> while session.let_opponent_move():
...     pass
>>> session.is_asked
True
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeGuard

import numpy as np

from durak_env.cards import RANKS, Card, lowest_rank
from durak_env.errors import ConfigError, IllegalActionError, NotationError
from durak_env.game import Action, Game
from durak_env.opponents import SCRIPTED, Opponent, Randoms, resolve
from durak_env.play.moves import Move, moves_of, play_move
from durak_env.rules import Rules
from durak_env.view import PlayerView

FORMAT = "durak_env-play-1"
"""Version of a saved game."""

ADVISER = SCRIPTED["greedy"]
"""Whose move a hint is."""


class Result(StrEnum):
    """What a game was for the person. Whoever is not the durak has won (S003-1)."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


@dataclass(frozen=True)
class Setup:
    """All that a game depends on, but for what the person does.

    ``opponents`` are names or paths of exported agents, one per other seat, from the person's left.
    """

    rules: Rules
    opponents: tuple[str, ...]
    seat: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        players = self.rules.players
        if not 0 <= self.seat < players:
            raise ConfigError(f"seat {self.seat} is no seat; seats are 0 to {players - 1}")
        if self.seed < 0:
            raise ConfigError(f"seed {self.seed} is not accepted; it takes 0 or more")
        if len(self.opponents) != players - 1:
            raise ConfigError(
                f"{len(self.opponents)} opponents for {players - 1} other seats: "
                "name one for all, or one for each"
            )

    @property
    def other_seats(self) -> list[int]:
        """The seats of the opponents, in their order."""
        return [(self.seat + step) % self.rules.players for step in range(1, self.rules.players)]


def for_every_seat(opponents: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The opponents of all other seats, where one name may stand for all."""
    return tuple(opponents) * (rules.players - 1 if len(opponents) == 1 else 1)


class Session:
    """One game: the person acts by `play`, the opponents one at a time by `let_opponent_move`.

    An opponent gets its own view and one random word per decision, which follows from the seed and
    the number of the action. So the same setup and the same moves give the same game, wherever it
    was saved and loaded on the way.
    """

    def __init__(self, setup: Setup, game: Game | None = None) -> None:
        """Deal a game, or go on with one.

        Raises:
            OpponentError: there is no such opponent, or it does not fit the rules.
        """
        players = {name: resolve(name, setup.rules) for name in setup.opponents}
        self.setup = setup
        self.opponents: dict[int, Opponent] = {
            seat: players[name]
            for seat, name in zip(setup.other_seats, setup.opponents, strict=True)
        }
        self.game = Game(setup.rules, seed=setup.seed) if game is None else game
        self.moves = moves_of(self.game)

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.setup.seat

    @property
    def view(self) -> PlayerView:
        """All that the person may know."""
        return self.game.view(self.seat)

    @property
    def is_asked(self) -> bool:
        """Whether the person is to move."""
        return self.game.actor == self.seat

    @property
    def news(self) -> list[Move]:
        """The moves from the person's last one on; all of them before the first."""
        own = [k for k, move in enumerate(self.moves) if move.seat == self.seat]
        return self.moves[own[-1] if own else 0 :]

    @property
    def has_moved(self) -> bool:
        """Whether the person has made a move."""
        return any(move.seat == self.seat for move in self.moves)

    @property
    def turned_up(self) -> list[Card]:
        """The jokers that were turned up before the trump card and still lie in the stock."""
        turned_up = (int(code) for code in self.game.row["revealed"] if code >= 0)
        return [card for card in map(self.game.codes.card, turned_up) if card in self.game.stock]

    @property
    def levels(self) -> list[str]:
        """The rank that each seat has to hang; empty without epaulettes."""
        rules = self.setup.rules
        low = lowest_rank(rules.deck, rules.suits)
        levels = self.game.row["level"][: rules.players] if rules.epaulettes else ()
        return [RANKS[low + int(level)] for level in levels]

    @property
    def result(self) -> Result | None:
        """What the game was for the person; None while it goes on."""
        outcome = self.game.outcome
        if outcome is None:
            return None
        if outcome.durak is None:
            return Result.DRAWN
        return Result.LOST if outcome.durak == self.seat else Result.WON

    def play(self, action: Action | str) -> None:
        """Carry out the person's action.

        Raises:
            NotationError: the text is no action.
            IllegalActionError: the person is not asked, or the rules do not allow it now.
        """
        if not self.is_asked:
            raise IllegalActionError(f"{action} is not legal: seat {self.seat} is not asked")
        self.moves.append(play_move(self.game, action))

    def let_opponent_move(self) -> bool:
        """Let the opponent that is asked act; False if none is."""
        actor = self.game.actor
        if actor is None or actor == self.seat:
            return False
        self.moves.append(play_move(self.game, self._decision(self.opponents[actor], actor)))
        return True

    def hint(self) -> Action:
        """What `ADVISER` would do in the person's place."""
        decision = self._decision(ADVISER, self.seat)
        return next(action for action in self.game.legal_actions() if action.id == decision)

    def _decision(self, opponent: Opponent, seat: int) -> int:
        word = random_word(self.setup.seed, len(self.moves))
        return int(opponent.act(self.game.view(seat).record, word)[0])

    # --- as text ----------------------------------------------------------------------------

    def to_text(self) -> str:
        """The session as JSON, which `from_text` reads."""
        facts = {
            "format": FORMAT,
            "opponents": self.setup.opponents,
            "seat": self.seat,
            "seed": self.setup.seed,
            "transcript": self.game.transcript(),
        }
        return json.dumps(facts, indent=2) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Session:
        """Go on with a session.

        Raises:
            DurakError: the text is none, or an opponent of it is not to be had.
        """
        facts = read_json(text, FORMAT)
        opponents, seat, seed, transcript = (
            facts.get(key) for key in ("opponents", "seat", "seed", "transcript")
        )
        if not isinstance(opponents, list) or not all(isinstance(name, str) for name in opponents):
            raise NotationError("its opponents are no list of names")
        if not is_whole(seat) or not is_whole(seed) or not isinstance(transcript, str):
            raise NotationError("its seat, seed or transcript is missing or wrong")
        game = Game.from_transcript(transcript)
        return cls(Setup(game.rules, tuple(opponents), seat, seed), game)


def random_word(seed: int, number: int) -> Randoms:
    """The one random word for the action of this number, uint64 of shape (1,)."""
    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    return sequence.generate_state(1, dtype=np.uint64).astype(np.uint64)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value of a JSON text is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_json(text: str, form: str) -> dict[str, Any]:
    """The JSON object of a text of this format.

    Raises:
        NotationError: the text is something else.
    """
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        raise NotationError("it is no JSON, or was cut short") from None
    if not isinstance(facts, dict) or facts.get("format") != form:
        raise NotationError(f"it does not say format {form}")
    return facts
