"""`Game`: one game of Durak as a pleasant object.

>>> from durak_env import Game, Rules
>>> game = Game(Rules.preset("podkidnoy", players=3), seed=7)
>>> game.actor, game.phase.name
(2, 'LEAD')
>>> [str(action) for action in game.legal_actions()]
['8s', 'Js', '8c', '6h', 'Qh', 'Ah']
>>> game.play("6h").phase.name
'DEFEND'
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import SupportsIndex

import numpy as np

from durak_env.actions import WORDS, Kind, action_table
from durak_env.cards import RANKS, Card, Suit, format_cards, full_deck, lowest_rank, parse_cards
from durak_env.codes import CardCodes, deck_code
from durak_env.engine import (
    Phase,
    Reason,
    Rows,
    action_code,
    action_id,
    apply,
    deal,
    deal_given,
    new_rows,
    room_left,
)
from durak_env.engine.batch import covers_of, play_id
from durak_env.engine.state import copy_rows
from durak_env.errors import IllegalActionError, NotationError
from durak_env.notation import format_fields, parse_fields, parse_number
from durak_env.position import FIELDS, build_position, format_position
from durak_env.rules import Rules
from durak_env.view import PlayerView, legal_codes


@dataclass(frozen=True)
class Action:
    """One action of one game. ``str(action)`` is its notation; ``id`` indexes the action table."""

    id: int
    kind: Kind
    card: Card | None
    notation: str

    def __str__(self) -> str:
        return self.notation

    def __index__(self) -> int:
        return self.id


@dataclass(frozen=True)
class Outcome:
    """How a deal ended.

    ``durak`` is the losing seat, None where nobody lost. ``places`` lists the seats in the order in
    which they went out, the durak last; after a draw by repetition only those that went out.
    ``hung`` is the seat that hung epaulettes on the other (4.1 H8); ``tricks`` are those that each
    seat won in a game of tricks, where who won fewer is the durak.
    """

    durak: int | None
    places: tuple[int, ...]
    reason: str
    hung: int | None = None
    tricks: tuple[int, ...] = ()


class Game:
    """One deal, from the first lead to its outcome.

    A game is given by (rules, deck, actions): the deck order is its only chance.
    """

    _position: dict[str, str] | None = None
    """The position that the game began from, if it did."""

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        deck: str | Iterable[Card] | None = None,
        leader: int | None = None,
        levels: Sequence[str] | None = None,
    ) -> None:
        """Deal a game.

        Args:
            rules: a `Rules`, its text or a preset's name; podkidnoy for two players if absent.
            seed: shuffles the deck; the same seed gives the same deck. Random if absent.
            deck: all cards in dealing order, instead of a seed: one card at a time from seat 0,
                then the card that is turned up and drawn last, then the stock from the top. With
                ``tricks=true``: the face-down rows, the face-up rows, the hands, each of seat 0
                first.
            leader: the seat that leads the first bout; the rules decide if absent.
            levels: the rank that each seat has to hang, with epaulettes: ``["6", "9"]``; the lowest
                of the deck for both if absent.

        Raises:
            NotationError: the deck is not a permutation of the rules' deck, there is no such seat,
                the seed is negative, or there are both a seed and a deck.
            RulesError: no such rules.
        """
        self.rules = Rules.parse(rules) if isinstance(rules, str) else rules or Rules()
        self._rows = copy_rows(blank_row(self.rules))
        self._codes_played: list[int] = []
        if leader is not None and not 0 <= leader < self.rules.players:
            raise NotationError(f"leader {leader} is no seat; seats are 0 to {self.players - 1}")
        if seed is not None and (seed < 0 or deck is not None):
            raise NotationError(f"seed={seed}: a seed is 0 or more and goes without a deck")
        first = -1 if leader is None else leader
        if levels is not None:
            self._rows["level"][0, : self.players] = self._level_ranks(levels)
        if deck is None:
            stream = np.array([seed_stream(seed)], dtype=np.uint64)
            deal(self._rows, 0, stream, first)
        else:
            start_deck = parse_cards(deck) if isinstance(deck, str) else list(deck)
            self._check_deck(start_deck)
            lay_deck(self._rows, 0, start_deck, self.rules)
            deal_given(self._rows, 0, first)
        self._given = {} if leader is None else {"leader": str(leader)}
        if levels is not None:
            self._given["levels"] = " ".join(levels)
        self._name_cards()

    def _level_ranks(self, levels: Sequence[str]) -> list[int]:
        low = lowest_rank(self.rules.deck, self.rules.suits)
        known = RANKS[low:]
        wrong = [rank for rank in levels if rank not in known]
        if not self.rules.epaulettes or len(levels) != self.players or wrong:
            raise NotationError(
                f"levels {' '.join(levels)!r}: with epaulettes=true there is one rank per seat, "
                f"one of {' '.join(known)}"
            )
        return [known.index(rank) for rank in levels]

    def _start(self) -> dict[str, str]:
        """The fields from which the game began: a position, or a deck, which the row still has."""
        if self._position is not None:
            return self._position
        deck = [self._codes.card(int(code)) for code in self.row["stock"][: self.rules.deck]]
        return {"rules": str(self.rules), "deck": format_cards(deck), **self._given}

    def _check_deck(self, deck: list[Card]) -> None:
        wanted = full_deck(self.rules.deck, self.rules.suits)
        if sorted(deck) != sorted(wanted):
            extra = [card for card in deck if deck.count(card) > 1 or card not in wanted]
            missing = [card for card in wanted if card not in deck]
            raise NotationError(
                f"a deck of {self.rules.deck} cards has every card once; "
                f"wrong: {format_cards(extra)}; missing: {format_cards(missing)}"
            )

    def _name_cards(self) -> None:
        self._codes = CardCodes.of_row(self.rules, self.row)

    # --- what the game is -------------------------------------------------------------------

    @property
    def row(self) -> np.void:
        """The engine's row of this game, with everything hidden in it; for tools and tests."""
        row: np.void = self._rows[0]
        return row

    @property
    def rows(self) -> Rows:
        """The array that holds `row`, for the kernels; the game changes with it."""
        return self._rows

    @property
    def codes(self) -> CardCodes:
        """The naming of this deal: which engine suit is which printed suit."""
        return self._codes

    @property
    def announced(self) -> Card | None:
        """The card that decided the first lead and was shown for it (P28, E3)."""
        return self._card_or_none(int(self.row["announced"]))

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.rules.players

    @property
    def actor(self) -> int | None:
        """The seat to move; None when the deal is over."""
        actor = int(self.row["actor"])
        return None if actor < 0 else actor

    @property
    def phase(self) -> Phase:
        """What the actor is asked for."""
        return Phase(int(self.row["phase"]))

    @property
    def leader(self) -> int:
        """The seat that opened the bout."""
        return int(self.row["leader"])

    @property
    def attacker(self) -> int:
        """The seat with the first right to throw in."""
        return int(self.row["attacker"])

    @property
    def defender(self) -> int:
        """The seat that must answer."""
        return int(self.row["defender"])

    @property
    def bout(self) -> int:
        """The number of the bout, from 1."""
        return int(self.row["bout"])

    @property
    def room(self) -> int:
        """How many more attack cards may be laid in this bout."""
        return 0 if self.phase is Phase.OVER else int(room_left(self._rows, 0))

    def hand(self, seat: int) -> list[Card]:
        """The cards of a seat, trumps first."""
        return self._codes.cards(self.row["hands"][seat])

    def known(self, seat: int) -> list[Card]:
        """The cards of a seat that everybody has seen."""
        return self._codes.cards(self.row["known"][seat])

    @property
    def table(self) -> list[tuple[Card, Card | None]]:
        """Attack cards in the order in which they were laid, each with its cover."""
        return self.view(0).table

    @property
    def discard(self) -> list[Card]:
        """The discarded cards, trumps first."""
        return self._codes.cards(self.row["discard"])

    @property
    def stock(self) -> list[Card]:
        """The stock in drawing order, the trump card last."""
        codes = self.row["stock"][self.row["stock_next"] : self.row["stock_end"]]
        return [self._codes.card(int(code)) for code in codes]

    @property
    def trump_card(self) -> Card | None:
        """The card that was turned up and named the trump suit; a joker says that there are no
        trumps (P24). None in a game of tricks."""
        return self._card_or_none(int(self.row["trump_card"]))

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in a deal without trumps."""
        return self._codes.trump

    def row_cards(self, seat: int) -> list[tuple[Card | None, Card | None]]:
        """The places of a seat's row in a game of tricks: the face-down and the face-up card of
        each. Empty in any other game."""
        if not self.rules.tricks:
            return []
        places = zip(self.row["down"][seat], self.row["up"][seat], strict=True)
        return [
            (self._card_or_none(int(down)), self._card_or_none(int(up)))
            for down, up in list(places)[: self.rules.hand_size]
        ]

    def _card_or_none(self, code: int) -> Card | None:
        return None if code < 0 else self._codes.card(code)

    @property
    def tricks(self) -> tuple[int, ...]:
        """The tricks that each seat has won in a game of tricks; empty in any other game."""
        return tuple(map(int, self.row["tricks"])) if self.rules.tricks else ()

    @property
    def passed(self) -> set[int]:
        """The seats that passed since the last laid card."""
        return {seat for seat in range(self.players) if int(self.row["passed"]) >> seat & 1}

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that left the deal so far, in that order."""
        return tuple(int(seat) for seat in self.row["places"][: self.row["placed"]])

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended; None while it goes on."""
        if self.phase is not Phase.OVER:
            return None
        durak = int(self.row["durak"])
        reason = Reason(int(self.row["reason"])).name.lower()
        hung = int(self.row["hung"])
        return Outcome(
            None if durak < 0 else durak,
            self.places,
            reason,
            None if hung < 0 else hung,
            self.tricks,
        )

    def next_leader(self) -> int | None:
        """The seat that leads the next deal of a match (P30); None: the rules of a first deal.

        After a draw, with ``later_first=lowest_trump`` and in a game of tricks, nobody is
        designated (P31, S002-28).
        """
        outcome = self.outcome
        if outcome is None or outcome.durak is None or self.rules.tricks:
            return None
        steps = {"pod_duraka": -1, "iz_pod_duraka": 1}
        if self.rules.later_first in steps:
            return (outcome.durak + steps[self.rules.later_first]) % self.players
        return outcome.places[0] if self.rules.later_first == "prev_winner" else None

    def view(self, seat: int) -> PlayerView:
        """All that a seat may know."""
        return PlayerView.of(self.rules, self._rows, 0, seat)

    # --- play -------------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """What the actor may do, in the order of ids; empty when the deal is over."""
        return tuple(self._action(code) for code in legal_codes(self._rows))

    def covers(self) -> list[tuple[Card, Card]]:
        """Every pair of an unbeaten attack card and a card of the defender that beats it (E17)."""
        return [
            (attack, card)
            for attack, cover in self.table
            if cover is None
            for card in self._codes.cards(int(covers_of(self._rows, 0, self._codes.code(attack))))
        ]

    def play(self, action: Action | SupportsIndex | str) -> Game:
        """Carry out an action and return the game.

        Args:
            action: an `Action`, an action id or the notation of an action.

        Raises:
            NotationError: the text is no action.
            IllegalActionError: the rules do not allow it now; the game is unchanged.
        """
        code = self._parse_action(action)
        if not apply(self._rows, 0, code):
            raise IllegalActionError(self._refusal(action, code))
        self._codes_played.append(code)
        return self

    def play_id(self, action: int) -> bool:
        """Carry out an action by its id; False, and nothing changed, if it is not legal."""
        code = play_id(self._rows, 0, action)
        if code < 0:
            return False
        self._codes_played.append(code)
        return True

    def _parse_action(self, action: Action | SupportsIndex | str) -> int:
        if isinstance(action, str):
            return self._codes.action_code(action)
        return int(action_code(self._rows, 0, action.__index__()))

    def _refusal(self, action: object, code: int) -> str:
        named = self._codes.action_text(code) if code >= 0 else action
        if self.phase is Phase.OVER:
            return f"{named} is not legal: the deal is over"
        legal = ", ".join(map(str, self.legal_actions()))
        return f"{named} is not legal: seat {self.actor} may {self.phase.name.lower()} with {legal}"

    def _action(self, code: int) -> Action:
        action = int(action_id(self._rows, 0, code))
        kind = action_table(self.rules).specs[action].kind
        card = None if kind in WORDS else self._codes.card(code % 64)
        return Action(action, kind, card, self._codes.action_text(code))

    # --- copies and texts -------------------------------------------------------------------

    def copy(self) -> Game:
        """An independent copy."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._rows = copy_rows(self._rows)
        twin._codes_played = self._codes_played.copy()
        return twin

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Game:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether two games stand the same: rules, cards, roles and everything to come."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.position() == other.position()

    def __hash__(self) -> int:
        return hash(self.position())

    @property
    def history(self) -> tuple[Action, ...]:
        """Every action so far."""
        return tuple(self._action(code) for code in self._codes_played)

    def transcript(self) -> str:
        """The game as text: rules, deck and actions. `from_transcript` replays it."""
        actions = ", ".join(self._codes.action_text(code) for code in self._codes_played)
        return format_fields({**self._start(), "actions": actions})

    @classmethod
    def from_transcript(cls, text: str) -> Game:
        """Replay a transcript.

        Raises:
            NotationError: the text is no transcript.
            IllegalActionError: an action in it is not legal; the message gives its number.
        """
        fields = parse_fields(text, {**FIELDS, "deck": "", "actions": ""})
        actions = fields.pop("actions", "")
        if "deck" in fields:
            rules = Rules.parse(fields.get("rules", "podkidnoy"))
            unknown = set(fields) - {"rules", "deck", "leader", "levels"}
            if unknown:
                raise NotationError(f"field {min(unknown)!r} does not go with a deck")
            leader = fields.get("leader")
            seat = None if leader is None else parse_number("leader", leader, 0, rules.players - 1)
            levels = fields["levels"].split() if "levels" in fields else None
            game = cls(rules, deck=fields["deck"], leader=seat, levels=levels)
        else:
            game = cls._from_fields(fields, None)
        for number, action in enumerate(filter(str.strip, actions.split(",")), start=1):
            try:
                game.play(action)
            except (NotationError, IllegalActionError) as error:
                raise type(error)(f"action {number}: {error}") from None
        return game

    def position(self) -> str:
        """The position as text: everything that matters from here on."""
        return format_position(self.rules, self._rows)

    @classmethod
    def from_position(cls, text: str, *, seed: int | None = None) -> Game:
        """The game of a position. ``seed`` draws the cards that the text leaves open (``?``).

        Raises:
            NotationError: the text is no position.
            RulesError: its rules do not exist.
        """
        return cls._from_fields(parse_fields(text, FIELDS), seed)

    @classmethod
    def of_rows(cls, rules: Rules, rows: Rows) -> Game:
        """The game that stands in the only row of an array. It begins there: its history is empty.

        Args:
            rules: those of the row.
            rows: shape (1,), dtype `durak_env.engine.STATE`; the game keeps and changes it.
        """
        game = cls.__new__(cls)
        game.rules, game._rows = rules, rows
        game._codes_played = []
        game._name_cards()
        game._position = parse_fields(format_position(rules, rows), FIELDS)
        return game

    @classmethod
    def _from_fields(cls, fields: dict[str, str], seed: int | None) -> Game:
        game = cls.__new__(cls)
        game.rules, game._rows = build_position(fields, seed)
        game._codes_played = []
        game._rows["keeps_events"] = 1
        game._name_cards()
        game._position = parse_fields(format_position(game.rules, game._rows), FIELDS)
        return game

    def __repr__(self) -> str:
        return (
            f"<Game {self.rules}: bout {self.bout}, {self.phase.name.lower()}, actor {self.actor}>"
        )


@lru_cache(maxsize=64)
def blank_row(rules: Rules) -> Rows:
    """An array with one row of these rules, which keeps its events, to be copied."""
    rows = new_rows(rules, 1)
    rows["keeps_events"] = 1
    return rows


def seed_stream(seed: int | None) -> int:
    """The start of the random stream of a seed; of fresh entropy for None.

    Seeds are hashed by NumPy's `SeedSequence`, so that neighbouring seeds give unrelated streams.
    """
    entropy = secrets.randbits(64) if seed is None else seed
    return int(np.random.SeedSequence(entropy).generate_state(1, dtype=np.uint64)[0])


def lay_deck(rows: Rows, i: int, deck: list[Card], rules: Rules) -> None:
    """Write a deck into row ``i``, for `durak_env.engine.deal_given`."""
    rows[i]["stock"][: rules.deck] = [deck_code(card, rules) for card in deck]
