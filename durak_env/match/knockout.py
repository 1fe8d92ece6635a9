"""`Knockout`: a tournament of several rounds with one champion (S000-65 ... S000-67, 4.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Self, SupportsIndex, TypeAlias, get_args

from durak_env.errors import IllegalActionError, NotationError, RulesError
from durak_env.game import Action, Game
from durak_env.match.deals import MAX_SEED, check_seed, lots, seed_of
from durak_env.match.options import (
    check_best_of,
    check_choice,
    check_entrants,
    check_entry,
    check_table_rules,
    check_whole,
    read_entry,
)
from durak_env.match.table import FORFEIT, Advance, Table
from durak_env.match.text import (
    MAX_COUNT,
    compare_check,
    format_saved,
    parse_saved,
    read_actions,
    read_number,
    replay,
    required,
)
from durak_env.rules import Rules
from durak_env.view import PlayerView

Seeding = Literal["lot", "given"]
"""The order of the seeds: drawn by lot, or the order of the entrants."""

Decide: TypeAlias = Callable[
    [str, PlayerView, tuple[Action, ...]], Action | SupportsIndex | str | None
]
"""Decides for an entrant: its name, what it may know, what it may do. None: it leaves."""

SEEDS, REDRAW, TABLE = 0, 1, 2
"""What is drawn from the seed of a tournament."""

FIELDS = {
    "rules": "the rules; the number of players is that of each table",
    "seed": "the seed of the seeding, of the draws and of every table",
    "table_size": "seats at a table",
    "best_of": "games at a table of two",
    "advance": "winner, loser_out or top_half",
    "draw_replays": "replays of a drawn game",
    "seeding": "lot or given",
    "entry": "what each entrant pays into the pool",
}
"""Every field of a saved tournament but its entrants and its deals."""


@dataclass(frozen=True)
class Round:
    """One round: its pairings, those of one entrant being byes, and a table for each other."""

    number: int
    """From 1."""
    pairings: tuple[tuple[str, ...], ...]
    tables: tuple[Table, ...]

    @property
    def byes(self) -> tuple[str, ...]:
        """The entrants that go on without a deal."""
        return tuple(pairing[0] for pairing in self.pairings if len(pairing) == 1)

    @property
    def over(self) -> bool:
        """Whether every table is decided."""
        return all(table.over for table in self.tables)

    @property
    def advancing(self) -> tuple[str, ...]:
        """The entrants that go on, in the order of the pairings."""
        tables = iter(self.tables)
        groups = [
            pairing if len(pairing) == 1 else next(tables).advancing for pairing in self.pairings
        ]
        return tuple(name for group in groups for name in group)


class Knockout:
    """A knockout tournament: every table sends on its best, until one entrant is left (4.3).

    Tables of two form a bracket, and what is missing to a power of two are byes of the first seeds
    in the first round (E118). Larger tables are as equal as can be and drawn anew every round.

    >>> cup = Knockout(["Anna", "Boris", "Vera"], "podkidnoy", seed=1)
    >>> cup.play(lambda entrant, view, legal: legal[0])
    'Vera'
    >>> cup.prizes
    {'Anna': 0.0, 'Boris': 0.0, 'Vera': 3.0}
    """

    def __init__(
        self,
        entrants: Sequence[str],
        rules: Rules | str | None = None,
        *,
        table_size: int = 2,
        best_of: int = 1,
        advance: Advance = "winner",
        draw_replays: int = 3,
        seed: int = 0,
        seeding: Seeding = "lot",
        entry: float = 1.0,
    ) -> None:
        """Draw the first round.

        Args:
            entrants: their names, each once.
            rules: a `Rules`, its text or a preset's name; ``players`` becomes that of each table.
            table_size: seats at a table; where the entrants do not fill them, some have fewer.
            best_of: an odd number of games at a table of two; at larger tables one game decides.
            advance: who goes on from a table: the first, all but the durak, or the first half.
            draw_replays: how often a drawn game is replayed before a deal that cannot be drawn.
            seed: decides the seeding, the draws, the dealers and every deck.
            seeding: ``lot`` shuffles the seeds; ``given`` keeps the order of the entrants.
            entry: what each entrant pays; the champion gets it all.

        Raises:
            RulesError: no such rules, rules that tables of this size cannot play, or a value that
                is not accepted.
            NotationError: the seed is negative or has more than 128 bits.
        """
        self.entrants = check_entrants(entrants)
        self.table_size = check_whole("table_size", table_size, 2)
        self.best_of = check_best_of(best_of, table_size)
        self.advance: Advance = check_choice("advance", advance, get_args(Advance))
        self.draw_replays = check_whole("draw_replays", draw_replays, 0)
        self.seeding: Seeding = check_choice("seeding", seeding, get_args(Seeding))
        self.entry = check_entry(entry)
        self.seed = check_seed(seed)
        self.rules = check_table_rules(rules, table_size)
        self._rounds: list[Round] = []
        self._open_round(self._first_pairings())

    # --- rounds -----------------------------------------------------------------------------

    @property
    def seeds(self) -> tuple[str, ...]:
        """The entrants by seed, the first seed first."""
        if self.seeding == "given":
            return self.entrants
        return self._shuffled(self.entrants, SEEDS)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds so far."""
        return tuple(self._rounds)

    def _shuffled(self, names: Sequence[str], *path: int) -> tuple[str, ...]:
        return tuple(names[k] for k in lots(self.seed, len(names), *path))

    def _first_pairings(self) -> list[tuple[str, ...]]:
        seeds = self.seeds
        if self.table_size > 2:
            return self._balanced(seeds)
        order = bracket_order(len(seeds))
        slots = [seeds[k : k + 1] for k in order]
        return [first + second for first, second in zip(slots[::2], slots[1::2], strict=True)]

    def _balanced(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """As few tables as hold everybody, their sizes differing by one at most."""
        tables = math.ceil(len(names) / self.table_size)
        return [tuple(names[k::tables]) for k in range(tables)]

    def _open_round(self, pairings: list[tuple[str, ...]]) -> None:
        number = len(self._rounds) + 1
        tables = [
            Table(
                pairing,
                self.rules,
                seed=seed_of(self.seed, TABLE, number, k),
                best_of=self.best_of,
                draw_replays=self.draw_replays,
                advance=self.advance,
            )
            for k, pairing in enumerate(pairings)
            if len(pairing) > 1
        ]
        self._rounds.append(Round(number, tuple(pairings), tuple(tables)))

    def _go_on(self) -> None:
        """Open the next round once this one is over."""
        last = self._rounds[-1]
        if not last.over or self.champion is not None:
            return
        names = last.advancing
        if self.table_size > 2:
            drawn = self._shuffled(names, REDRAW, last.number + 1)
            self._open_round(self._balanced(drawn))
        else:
            self._open_round(list(zip(names[::2], names[1::2], strict=True)))

    # --- results ----------------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        """The table that plays now; None when the tournament is over."""
        return next((table for table in self._rounds[-1].tables if not table.over), None)

    @property
    def champion(self) -> str | None:
        """The one entrant that is left (S000-66); None while the tournament goes on."""
        last = self._rounds[-1]
        return last.advancing[0] if last.over and len(last.advancing) == 1 else None

    @property
    def remaining(self) -> tuple[str, ...]:
        """The entrants that are not eliminated, in the order in which they entered."""
        gone = {name for one in self._rounds for table in one.tables for name in table.eliminated}
        return tuple(name for name in self.entrants if name not in gone)

    @property
    def pool(self) -> float:
        """What all entrants paid in (S000-65)."""
        return len(self.entrants) * self.entry

    @property
    def prizes(self) -> dict[str, float]:
        """What each entrant gets: the champion the whole pool. Empty while it is not decided."""
        champion = self.champion
        if champion is None:
            return {}
        return {name: self.pool if name == champion else 0.0 for name in self.entrants}

    # --- play -------------------------------------------------------------------------------

    def play(self, decide: Decide) -> str:
        """Play all deals that are left and return the champion; errors as in `play_deal`."""
        while self.champion is None:
            self.play_deal(decide)
        assert self.champion is not None
        return self.champion

    def play_deal(self, decide: Decide) -> Table:
        """Play one deal and return its table.

        An entrant for which ``decide`` returns None leaves: it is the durak of its table. If
        ``decide`` raises, or chooses what is not legal, the tournament is unchanged.

        Raises:
            NotationError: ``decide`` returned a text that is no action.
            IllegalActionError: ``decide`` chose what is not legal, or the tournament is over.
        """
        table = self._playing("no next deal")
        game = table.game.copy()
        while game.actor is not None:
            entrant = table.entrants[table.seat_of(game.actor)]
            action = decide(entrant, game.view(game.actor), game.legal_actions())
            if action is None:
                break
            game.play(action)
        self._settle(table, game)
        return table

    def _playing(self, what: str) -> Table:
        table = self.table
        if table is None:
            raise IllegalActionError(f"{what}: the tournament is over, {self.champion} won it")
        return table

    def _settle(self, table: Table, game: Game) -> None:
        table.settle(game)
        self._go_on()

    # --- text -------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The tournament between two deals as text. `from_text` replays it exactly."""
        return format_saved(self._fields())

    def _fields(self) -> dict[str, str]:
        fields = {"knockout": " | ".join(self.entrants)}
        fields |= {key: str(getattr(self, key)) for key in FIELDS}
        for one in self._rounds:
            for k, table in enumerate(one.tables, start=1):
                for number, line in enumerate(table.deal_lines(), start=1):
                    fields[deal_key(one.number, k, number)] = line
        return fields

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Replay a text of `to_text`.

        Raises:
            NotationError: the text is no tournament, was altered or cut short.
            IllegalActionError: an action in it is not legal; the message says which.
        """
        fields, deals = parse_saved(text, ("knockout", *FIELDS), r"round \d+ table \d+ deal \d+")
        try:
            cup = cls._from_fields(fields)
        except RulesError as error:
            raise NotationError(str(error)) from None
        for key, line in deals.items():
            cup._replay(key, line)
        compare_check(fields["check"], cup._fields())
        return cup

    @classmethod
    def _from_fields(cls, fields: dict[str, str]) -> Self:
        names = required(fields, "knockout").split("|")
        return cls(
            [name.strip() for name in names],
            required(fields, "rules"),
            table_size=read_number(fields, "table_size", 2, MAX_COUNT),
            best_of=read_number(fields, "best_of", 1, MAX_COUNT),
            advance=check_choice("advance", required(fields, "advance"), get_args(Advance)),
            draw_replays=read_number(fields, "draw_replays", 0, MAX_COUNT),
            seed=read_number(fields, "seed", 0, MAX_SEED),
            seeding=check_choice("seeding", required(fields, "seeding"), get_args(Seeding)),
            entry=read_entry(required(fields, "entry")),
        )

    def _replay(self, key: str, line: str) -> None:
        table = self._playing(key)
        last = self._rounds[-1]
        due = deal_key(last.number, last.tables.index(table) + 1, table.number)
        if key != due:
            raise NotationError(f"{key!r} stands where {due!r} is due")
        actions = read_actions(line)
        leaves = bool(actions) and actions[-1].strip() == FORFEIT
        game = table.game.copy()
        replay(key, game, actions[:-1] if leaves else actions)
        if leaves != (game.outcome is None):
            state = "over" if leaves else "not over"
            raise NotationError(f"{key}: the deal is {state} after {len(actions)} actions")
        self._settle(table, game)

    def __repr__(self) -> str:
        return f"<Knockout of {len(self.entrants)}, {self.rules}: round {self._rounds[-1].number}>"


def bracket_order(entrants: int) -> list[int]:
    """Seeds, from 0, in the order of the slots of a bracket: the best meet as late as can be.

    Neighbours meet. There are as many slots as the next power of two; a seed beyond the entrants
    is an empty slot, and falls to one of the first seeds.

    >>> bracket_order(6)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < entrants:
        size = 2 * len(order)
        order = [seed for first in order for seed in (first, size - 1 - first)]
    return order


def deal_key(round_number: int, table: int, deal: int) -> str:
    """The key of a deal's line."""
    return f"round {round_number} table {table} deal {deal}"
