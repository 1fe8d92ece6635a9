"""What lies where in one deal, who plays which part, and what follows from it without a choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from .cards import beats, full_deck, is_joker, is_trump, lowest_rank, rank_of, suit_of
from .options import Options

Phase = Literal["lead", "transfer", "throw", "defend", "add", "over"]
Pair = tuple[str, str | None]


class State:
    """The attributes of a deal and simple views of them; those without "_" are public."""

    options: Options
    possible_leaders: frozenset[int]
    announced: frozenset[str]
    hands: list[set[str]]
    known: list[set[str]]
    table: list[Pair]
    discard: set[str]
    stock: list[str]
    trump_card: str
    phase: Phase
    actor: int | None
    leader: int
    attacker: int  # the leader, until the attack is transferred
    defender: int
    passed: set[int]
    places: list[int]
    bout: int
    durak: int | None
    reason: str | None
    n0: int  # cards of the defender when he became the defender of this table
    levels: list[str]  # with epaulettes: the rank that each seat has to hang
    hang: bool  # the whole hand was led in this bout, a set of the leader's level
    hung: int | None  # the seat that hung its level in this deal (H8)
    _leading: bool  # the lead is not complete yet
    _taking: bool  # the defender has said "take"
    _target: str | None  # the attack card chosen to be beaten
    _last_attack_seat: int
    _emptied: list[int]  # seats in the order in which they laid their last card
    _stock_was_empty: bool  # ... when the bout began
    _transferrer: int | None  # who may go on laying cards of his transfer
    _self_thrown: list[str]  # attack cards that the defender laid himself
    _hang_from: int  # place on the table where a hang by throw-in began, 0 for a lead (E109)
    _transfers: int  # how often the attack was handed on in this bout
    _shown: set[str]  # trumps shown in this bout
    _showers: set[int]  # seats that have shown a trump in this deal
    _known_in_stock: set[str]  # turned-up cards, known while they lie in the stock
    _bouts_without_discard: int
    _positions: Counter[tuple[tuple[frozenset[str], ...], int]]

    def _set_up(self, options: Options, levels: Sequence[str] | None) -> None:
        self.options = options
        self.possible_leaders = frozenset()
        self.announced = frozenset()
        self.hands = [set() for _ in range(options.players)]
        self.known = [set() for _ in range(options.players)]
        self.table = []
        self.discard = set()
        self.stock = []
        self.phase = "lead"
        self.actor = None
        self.leader = self.attacker = self.defender = 0
        self.passed = set()
        self.places = []
        self.bout = 0
        self.durak = None
        self.reason = None
        self.levels = self._checked_levels(levels)
        self.hang = False
        self.hung = None
        self._showers = set()
        self._known_in_stock = set()
        self._bouts_without_discard = 0
        self._positions = Counter()

    def _checked_levels(self, levels: Sequence[str] | None) -> list[str]:
        """The rank that each seat has to hang, the lowest one at first (S000-9)."""
        options = self.options
        if not options.epaulettes:
            if levels is not None:
                raise ValueError("levels need the option epaulettes")
            return []
        if levels is None:
            return [lowest_rank(options.deck, options.suits)] * options.players
        ranks = {rank_of(card) for card in self.full_deck() if not is_joker(card)}
        if len(levels) != options.players or not set(levels) <= ranks:
            raise ValueError("one rank of the deck for each seat as its level")
        return list(levels)

    # ------------------------------------------------------------------------------- cards

    def full_deck(self) -> list[str]:
        """All cards of this game."""
        return full_deck(self.options.deck, self.options.suits)

    @property
    def trump(self) -> str:
        """The trump suit, kept apart from where the trump card lies (E1).

        A joker as trump card leaves the deal without trumps (P24); "-" is then no card's suit.
        """
        return "-" if is_joker(self.trump_card) else suit_of(self.trump_card)

    @property
    def _trump_joker(self) -> bool:
        """Whether one of the jokers is a trump (P5, P24)."""
        return self.options.trump_joker and not is_joker(self.trump_card)

    @property
    def stock_known(self) -> list[str | None]:
        """The stock as everybody sees it: turned-up cards at their places, else None (E97)."""
        return [card if card in self._known_in_stock else None for card in self.stock]

    def is_trump(self, card: str) -> bool:
        return is_trump(card, self.trump, self._trump_joker)

    def beats(self, card: str, target: str) -> bool:
        if self._lowest_beats_ace(card, target):
            return True
        return beats(card, target, self.trump, self.options.plain_joker, self._trump_joker)

    def _lowest_beats_ace(self, card: str, target: str) -> bool:
        """P4, options: the lowest card of a suit, or only of the trumps, beats its ace as well."""
        order = self.options.rank_order
        if order == "plain" or is_joker(card) or is_joker(target):
            return False
        lowest = lowest_rank(self.options.deck, self.options.suits)
        if (rank_of(card), rank_of(target)) != (lowest, "A") or suit_of(card) != suit_of(target):
            return False
        return order == "lowest_beats_ace" or suit_of(card) == self.trump

    def special(self, seat: int, card: str) -> bool:
        """H1: a card of the seat's own level, unless it is an exempt trump (S000-15, S000-21)."""
        if not self.levels or rank_of(card) != self.levels[seat]:
            return False
        return not (self.options.trump_exempt and suit_of(card) == self.trump)

    def _unbeaten(self) -> list[str]:
        return [attack for attack, cover in self.table if cover is None]

    def _attack_cards(self) -> list[str]:
        return [attack for attack, _ in self.table]

    def _table_cards(self) -> list[str]:
        return [card for pair in self.table for card in pair if card is not None]

    def _table_ranks(self) -> set[str]:
        return {rank_of(card) for card in self._table_cards()}

    # ------------------------------------------------------------------------------- seats

    @property
    def seats(self) -> range:
        """All seats, clockwise; seat 0 sits left of the dealer."""
        return range(self.options.players)

    def is_live(self, seat: int) -> bool:
        """Not out, and not empty-handed while the stock is empty (0.1, E41, E74)."""
        return seat not in self.places and bool(self.stock or self.hands[seat])

    def _live_seats(self) -> list[int]:
        return [seat for seat in self.seats if self.is_live(seat)]

    def _clockwise_from(self, first: int) -> Iterator[int]:
        """Every seat once, starting with `first` itself."""
        for step in self.seats:
            yield (first + step) % self.options.players

    def _live_others(self, seat: int) -> Iterator[int]:
        """The live seats clockwise of `seat`, never `seat` itself (E40)."""
        others = (other for other in self._clockwise_from(seat) if other != seat)
        return (other for other in others if self.is_live(other))

    def _next_live(self, seat: int) -> int:
        """The nearest live seat clockwise of `seat`."""
        return next(self._live_others(seat))

    # -------------------------------------------------------------------------------- room

    @property
    def room(self) -> int:
        """How many more attack cards may be laid: the one formula of 0.2."""
        if self.reason is not None:
            return 0
        laid = len(self.table)
        limits = [self.n0 - laid, len(self.hands[self.defender]) - len(self._unbeaten())]
        limits += [limit - self._counted_in_cap() for limit in self._table_limits()]
        return max(0, min(limits))

    def _counted_in_cap(self) -> int:
        """All attack cards, or without those the defender threw at himself (P21a)."""
        exempt = 0 if self.options.self_throw_in_cap else len(self._self_thrown)
        return len(self.table) - exempt

    def _table_limits(self) -> Iterator[int]:
        """The cap and the first limit, as far as they hold now (P14..P18)."""
        options = self.options
        lifted = self._stock_was_empty and options.cap_when_stock_empty == "none"
        if options.cap is not None and not lifted:
            yield options.cap
        if options.first_limit is not None and self._first_limit_holds():
            yield options.first_cap_on_take if self._taking else options.first_limit

    def _first_limit_holds(self) -> bool:
        """P16, E25; independent of the empty stock (E28)."""
        if self.options.first_limit_scope == "first_bout":
            return self.bout == 1
        return not self.discard
