"""Oracle of one deal of the podkidnoy family: slow, plain and written from the rules text alone.

The ids in the docstrings (S000-58, P11, E22, I1, section 7 points such as 7.4) are those of the
rules study. The oracle is replayed move by move against the engine, so it shares no code with it.

Words: a *bout* is one attack and its defence, a *deal* runs from one shuffle to one result.
`a` attack cards lie on the table, `u` of them are unbeaten, the defender holds `h` cards and held
`N0` at the start of the bout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

Phase = Literal["lead", "throw", "defend", "add", "over"]
Pair = tuple[str, str | None]

SUITS = "shdc"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LOWEST_RANK = {24: "9", 32: "7", 36: "6", 52: "2"}
NO_PROGRESS_BOUTS = 200

PASS = "pass"
TAKE = "take"


# ------------------------------------------------------------------------------------- cards


def rank_of(card: str) -> str:
    """The rank as text: "10" of "10h"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit letter: "h" of "10h"."""
    return card[-1]


def strength(card: str) -> int:
    """Place of the rank from low to high; never compared as text (P4)."""
    return RANKS.index(rank_of(card))


def full_deck(size: int) -> list[str]:
    """All cards of a deck of 24, 32, 36 or 52 in a fixed order (P1)."""
    lowest = RANKS.index(LOWEST_RANK[size])
    return [rank + suit for suit in SUITS for rank in RANKS[lowest:]]


def beats(card: str, target: str, trump: str) -> bool:
    """A higher card of the suit, or any trump on a plain card (E13, S000-43, S001-7, S001-8)."""
    if suit_of(card) == suit_of(target):
        return strength(card) > strength(target)
    return suit_of(card) == trump


# ----------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class Options:
    """The options of section 2.1; the defaults are the podkidnoy preset (POD)."""

    players: int = 2
    deck: int = 36
    hand_size: int = 6
    lead_mode: str = "set"
    throw_in: str = "on"
    throwers: str = "all"
    throw_order: str = "round_robin"
    throw_timing: str = "when_all_beaten"
    cover_order: str = ""
    add_after_take: bool = True
    first_limit: int | None = 5
    first_limit_scope: str = "until_first_discard"
    first_cap_on_take: int = 6
    cap: int | None = 6
    cap_when_stock_empty: str = "none"
    draw_order: str = "leader_then_clockwise_defender_last"
    first_lead: str = "lowest_trump"
    no_trump_fallback: str = "lowest_card"
    draw_policy: str = "draw"
    repetition: int | None = 3
    go_out: str = "bout_end"
    place_order: str = "time"
    ask_everyone: bool = False


CHOICES: dict[str, tuple[str, ...]] = {
    "lead_mode": ("set", "single"),
    "throw_in": ("on", "none"),
    "throwers": ("all", "neighbours", "attacker_only"),
    "throw_order": ("round_robin", "priority", "free"),
    "throw_timing": ("when_all_beaten", "anytime"),
    "cover_order": ("table", "any"),
    "first_limit_scope": ("until_first_discard", "first_bout"),
    "cap_when_stock_empty": ("none", "same"),
    "draw_order": ("leader_then_clockwise_defender_last", "strict_clockwise"),
    "first_lead": ("lowest_trump", "left_of_dealer", "lot"),
    "no_trump_fallback": ("lowest_card", "lot"),
    "draw_policy": ("draw", "last_defender_loses"),
    "go_out": ("bout_end", "immediately"),
    "place_order": ("time", "seat"),
}
SWITCHES = ("add_after_take", "ask_everyone")
NUMBERS = ("players", "deck", "hand_size", "first_cap_on_take")
LIMITS = {"first_limit": 1, "cap": 1, "repetition": 2}


def parse_options(given: Mapping[str, Any]) -> Options:
    """Defaults filled in and every value checked; an unknown name or value is a ValueError."""
    unknown = set(given) - {field.name for field in fields(Options)}
    if unknown:
        raise ValueError(f"unknown option: {', '.join(sorted(unknown))}")
    for name, value in given.items():
        _check_value(name, value)
    values = dict(given)
    if "cover_order" not in values:
        anytime = values.get("throw_timing") == "anytime"
        values["cover_order"] = "any" if anytime else "table"  # 7.5
    options = Options(**values)
    _check_table(options)
    return options


def _check_value(name: str, value: object) -> None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if name in CHOICES:
        fine = value in CHOICES[name]
    elif name in SWITCHES:
        fine = isinstance(value, bool)
    elif name in NUMBERS:
        fine = is_number
    else:
        fine = value is None or (isinstance(value, int) and is_number and value >= LIMITS[name])
    if not fine:
        raise ValueError(f"option {name} cannot be {value!r}")


def _check_table(options: Options) -> None:
    """Enough cards for everybody (P1, P2, E7)."""
    if options.deck not in LOWEST_RANK:
        raise ValueError(f"no deck of {options.deck} cards")
    if not 2 <= options.players <= 8:
        raise ValueError("players must be 2 to 8")
    if options.hand_size < 1 or options.first_cap_on_take < 1:
        raise ValueError("hand_size and first_cap_on_take must be at least 1")
    if options.players * options.hand_size > options.deck:
        raise ValueError("the deck is too small for so many hands")


# ------------------------------------------------------------------------------------ oracle


class Oracle:
    """One deal, from the first lead to the durak or the draw (section 4.0).

    Public state is in the attributes below; `actor` is the only seat that may act, `legal()` says
    what it may do, `play()` does it. Everything without a choice happens in the same step (7.4).
    """

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
    defender: int
    passed: set[int]
    places: list[int]
    bout: int
    durak: int | None
    reason: str | None
    n0: int  # cards of the defender when the bout began
    _leading: bool  # the lead is not complete yet
    _taking: bool  # the defender has said "take"
    _target: str | None  # the attack card chosen to be beaten
    _last_attack_seat: int
    _emptied: list[int]  # seats in the order in which they laid their last card
    _stock_was_empty: bool  # ... when the bout began

    def __init__(
        self,
        options: Mapping[str, Any],
        deck: Sequence[str],
        leader: int | None = None,
        announced: str | None = None,
        by_rule: bool | None = None,
    ) -> None:
        """Deal `deck` and start the first bout.

        Without `leader` the first-lead rule decides (P28, P29). With it, the seat is taken as
        drawn by lot where the rule leaves several, and as forced from outside (nothing announced)
        where it leaves one; `by_rule` says which of the two explicitly.
        """
        self._set_up(parse_options(options))
        self._deal(deck)
        self._choose_first_leader(leader, announced, by_rule)
        self._start_bout(self.leader)

    def _set_up(self, options: Options) -> None:
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
        self.leader = self.defender = 0
        self.passed = set()
        self.places = []
        self.bout = 0
        self.durak = None
        self.reason = None
        self._bouts_without_discard = 0
        self._positions: Counter[tuple[tuple[frozenset[str], ...], int]] = Counter()

    # ------------------------------------------------------------------ deal and first lead

    def _deal(self, deck: Sequence[str]) -> None:
        """One card at a time from the dealer's left, then the trump card, then the stock.

        With nothing left the last dealt card is the dealer's and public (S000-36..38, P23, E1).
        """
        if sorted(deck) != sorted(full_deck(self.options.deck)):
            raise ValueError("the deck must hold each card once")
        dealt = self.options.players * self.options.hand_size
        for place, card in enumerate(deck[:dealt]):
            self.hands[place % self.options.players].add(card)
        rest = list(deck[dealt:])
        if rest:
            self.trump_card = rest[0]
            self.stock = [*rest[1:], rest[0]]
        else:
            self.trump_card = deck[dealt - 1]
            self.known[-1].add(self.trump_card)

    def _first_leads(self) -> dict[int, frozenset[str]]:
        """Seats that may lead first, each with the cards one of which it announces (P28)."""
        everybody: dict[int, frozenset[str]] = {seat: frozenset() for seat in self.seats}
        if self.options.first_lead == "left_of_dealer":
            return {0: frozenset()}
        if self.options.first_lead == "lot":
            return everybody
        trumps = [card for hand in self.hands for card in hand if suit_of(card) == self.trump]
        if trumps:
            return self._holders([min(trumps, key=strength)])
        if self.options.no_trump_fallback == "lot":
            return everybody
        return self._holders(self._lowest_cards())

    def _lowest_cards(self) -> list[str]:
        """All cards of the lowest rank in the hands: suits have no order (P29, E2)."""
        cards = [card for hand in self.hands for card in hand]
        lowest = min(strength(card) for card in cards)
        return [card for card in cards if strength(card) == lowest]

    def _holders(self, cards: Iterable[str]) -> dict[int, frozenset[str]]:
        wanted = set(cards)
        return {
            seat: frozenset(hand & wanted) for seat, hand in enumerate(self.hands) if hand & wanted
        }

    def _choose_first_leader(
        self, leader: int | None, announced: str | None, by_rule: bool | None
    ) -> None:
        allowed = self._first_leads()
        self.possible_leaders = frozenset(allowed)
        if leader is None:
            if len(allowed) > 1:
                raise ValueError(f"a lot decides: give a leader out of {sorted(allowed)}")
            leader, by_rule = min(allowed), True
        if leader not in self.seats:
            raise ValueError(f"no seat {leader}")
        if by_rule is None:
            by_rule = len(allowed) > 1 and leader in allowed
        if by_rule and leader not in allowed:
            raise ValueError(f"seat {leader} may not lead by the rule")
        self.leader = leader
        self._announce(allowed[leader] if by_rule else frozenset(), announced)

    def _announce(self, candidates: frozenset[str], announced: str | None) -> None:
        """The card that decided the first lead becomes public (E3, S003-16)."""
        if announced is not None:
            if announced not in (candidates or self.hands[self.leader]):
                raise ValueError(f"{announced} is not a card to announce")
            candidates = frozenset({announced})
        self.announced = candidates
        if len(candidates) == 1:
            self.known[self.leader] |= candidates

    # ------------------------------------------------------------------------ made positions

    @classmethod
    def from_position(
        cls,
        options: Mapping[str, Any],
        *,
        hands: Sequence[Iterable[str]],
        trump: str,
        table: Sequence[Pair] = (),
        stock: Sequence[str] | None = (),
        discard: Iterable[str] | None = None,
        leader: int = 0,
        bout: int = 1,
        places: Sequence[int] | None = None,
        passed: Iterable[int] = (),
        taking: bool = False,
        last_attack_seat: int | None = None,
        known: Sequence[Iterable[str]] | None = None,
    ) -> Oracle:
        """A position made by hand: at the start of a bout, or in its middle if cards lie.

        `trump` is the trump card, the last of the stock unless that is empty. `discard=None` puts
        all cards not named into the discard, `stock=None` puts them into the stock instead.
        With cards on the table the lead is complete.
        """
        oracle = cls.__new__(cls)
        oracle._set_up(parse_options(options))
        if len(hands) != oracle.options.players:
            raise ValueError("one hand for each player")
        oracle.hands = [set(hand) for hand in hands]
        oracle.known = [set(cards) for cards in known or [()] * len(hands)]
        oracle.table = list(table)
        oracle.trump_card = trump
        oracle._place_the_rest(stock, discard)
        oracle.possible_leaders = frozenset({leader})
        oracle.places = oracle._out_already(leader) if places is None else list(places)
        oracle.bout = bout - 1
        oracle._begin_at(leader, set(passed), taking, last_attack_seat)
        return oracle

    def _place_the_rest(self, stock: Sequence[str] | None, discard: Iterable[str] | None) -> None:
        """Every card of the deck lies somewhere, once (I1)."""
        deck = full_deck(self.options.deck)
        used = [card for hand in self.hands for card in hand] + self._table_cards()
        rest = [card for card in deck if card not in used]
        if stock is None:
            self.discard = set(discard or ())
            hidden = [card for card in rest if card not in self.discard]
            stock = [card for card in hidden if card != self.trump_card] + [self.trump_card]
        else:
            not_in_stock = {card for card in rest if card not in stock}
            self.discard = not_in_stock if discard is None else set(discard)
        self.stock = list(stock)
        if sorted([*used, *self.stock, *self.discard]) != sorted(deck):
            raise ValueError("each card of the deck must lie in one place")
        if self.stock and self.stock[-1] != self.trump_card:
            raise ValueError("the trump card is drawn last")

    def _out_already(self, leader: int) -> list[int]:
        if self.stock or self.table:
            return []
        return [seat for seat in self._clockwise_from(leader) if not self.hands[seat]]

    def _begin_at(
        self, leader: int, passed: set[int], taking: bool, last_attack_seat: int | None
    ) -> None:
        table, self.table = self.table, []
        covers = sum(cover is not None for _, cover in table)
        self._start_bout(leader)
        if not table:
            return
        self.table = table
        self.n0 = len(self.hands[self.defender]) + covers
        self._leading = False
        self._taking = taking
        self._positions.clear()
        self.passed = passed
        self._emptied = [seat for seat in self._clockwise_from(leader) if not self.hands[seat]]
        if last_attack_seat is not None:
            self._last_attack_seat = last_attack_seat
        self._ask_next()

    # ------------------------------------------------------------------------- simple views

    @property
    def seats(self) -> range:
        """All seats, clockwise; seat 0 sits left of the dealer."""
        return range(self.options.players)

    @property
    def trump(self) -> str:
        """The trump suit, kept apart from where the trump card lies (E1)."""
        return suit_of(self.trump_card)

    @property
    def attacker(self) -> int:
        """Without transfer the attacker is always the leader of the bout."""
        return self.leader

    @property
    def room(self) -> int:
        """How many more attack cards may be laid: the one formula of 0.2."""
        if self.reason is not None:
            return 0
        laid = len(self.table)
        limits = [self.n0 - laid, len(self.hands[self.defender]) - len(self._unbeaten())]
        limits += [limit - laid for limit in self._table_limits()]
        return max(0, min(limits))

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

    def is_live(self, seat: int) -> bool:
        """Not out, and not empty-handed while the stock is empty (0.1, E41, E74)."""
        return seat not in self.places and bool(self.stock or self.hands[seat])

    def _live_seats(self) -> list[int]:
        return [seat for seat in self.seats if self.is_live(seat)]

    def _clockwise_from(self, first: int) -> Iterator[int]:
        """Every seat once, starting with `first` itself."""
        for step in self.seats:
            yield (first + step) % self.options.players

    def _next_live(self, seat: int) -> int:
        """The nearest live seat clockwise of `seat`, never `seat` itself (E40)."""
        after = [other for other in self._clockwise_from(seat) if other != seat]
        return next(other for other in after if self.is_live(other))

    def _unbeaten(self) -> list[str]:
        return [attack for attack, cover in self.table if cover is None]

    def _table_cards(self) -> list[str]:
        return [card for pair in self.table for card in pair if card is not None]

    # ------------------------------------------------------------------------ legal actions

    def legal(self) -> frozenset[str]:
        """All actions of the actor; none after the end of the deal (I7, I11)."""
        if self.actor is None:
            return frozenset()
        if self.phase == "lead":
            return frozenset(self._lead_actions())
        if self.phase == "defend":
            return frozenset(self._defence_actions())
        return frozenset({*self._throwable(self.actor), PASS})

    def _lead_actions(self) -> set[str]:
        """Any card; then more cards of its rank, or `pass` (S000-42, 7.2)."""
        if not self.table:
            return set(self.hands[self.leader])
        return {*self._throwable(self.leader), PASS}

    def _throwable(self, seat: int) -> set[str]:
        """Cards of any rank on the table, attack or cover (S000-55, S001-11, E30, E32)."""
        ranks = {rank_of(card) for card in self._table_cards()}
        return {card for card in self.hands[seat] if rank_of(card) in ranks}

    def _defence_actions(self) -> set[str]:
        """Covers and the take, which is always a choice (P36, E17, 7.5)."""
        if self._target is not None:
            return self._covers_of(self._target)
        unbeaten = self._unbeaten()
        if self.options.cover_order == "table" or len(unbeaten) == 1:
            return {*self._covers_of(unbeaten[0]), TAKE}
        targets = {f"target {card}" for card in unbeaten if self._covers_of(card)}
        return {*targets, TAKE}

    def _covers_of(self, target: str) -> set[str]:
        return {card for card in self.hands[self.defender] if beats(card, target, self.trump)}

    # ------------------------------------------------------------------------- doing actions

    def play(self, text: str) -> None:
        """Do one action of the actor; an illegal one is a ValueError and changes nothing (E16)."""
        if self.actor is None or text not in self.legal():
            raise ValueError(f"illegal action {text!r}")
        if text == PASS:
            self._pass(self.actor)
        elif text == TAKE:
            self._taking = True
            self.passed.clear()  # 7.15
        elif text.startswith("target "):
            self._target = text.removeprefix("target ")
        elif self.phase == "defend":
            self._cover(text)
        else:
            self._attack(self.actor, text)
        self._ask_next()

    def _pass(self, seat: int) -> None:
        """A pass also ends a set lead; it holds until a card is laid (7.2, 7.3, E19)."""
        self.passed.add(seat)
        self._leading = False

    def _attack(self, seat: int, card: str) -> None:
        """Lead, throw in or add one card (7.2)."""
        self.table.append((card, None))
        self._last_attack_seat = seat
        self._card_was_laid(seat, card)

    def _cover(self, card: str) -> None:
        """Beat the chosen card, or else the oldest unbeaten one (S001-9)."""
        target = self._unbeaten()[0] if self._target is None else self._target
        place = self.table.index((target, None))
        self.table[place] = (target, card)
        self._target = None
        self._card_was_laid(self.defender, card)

    def _card_was_laid(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        self.passed.clear()  # 7.3
        if self.hands[seat]:
            return
        self._emptied.append(seat)
        if self.options.go_out == "immediately" and not self.stock:
            self.places.append(seat)
            self._end_if_decided()

    # ------------------------------------------------------------------------ who acts next

    def _ask_next(self) -> None:
        """Find the next actor; when nobody is left the bout is resolved at once (7.4)."""
        if self.reason is not None:
            return
        if self._lead_goes_on():
            self._ask("lead", self.leader)
            return
        self._leading = False
        thrower = self._next_thrower()
        if self._target is not None:
            self._ask("defend", self.defender)
        elif thrower is not None:
            self._ask("add" if self._taking else "throw", thrower)
        elif self._taking:
            self._resolve(beaten=False)
        elif self._unbeaten():
            self._ask("defend", self.defender)
        else:
            self._resolve(beaten=True)

    def _ask(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.actor = seat

    def _lead_goes_on(self) -> bool:
        """The first card must be led; more of its rank may be, in a set lead (P8, E9, E11, 7.2)."""
        if not self._leading or not self.table:
            return self._leading
        if self.options.lead_mode == "single" or self.room == 0:
            return False
        return self._has_something_to_do(self.leader)

    def _has_something_to_do(self, seat: int) -> bool:
        """With nothing but `pass` a seat is skipped, unless everyone is asked (7.4)."""
        if self.options.ask_everyone:
            return bool(self.hands[seat])
        return bool(self._throwable(seat))

    def _next_thrower(self) -> int | None:
        """The asking order of P11: from the attacker, or from who attacked last (E18, 7.15)."""
        if not self._throwing_is_open():
            return None
        by_turns = self.options.throw_order == "round_robin"
        first = self._last_attack_seat if by_turns else self.attacker
        askers = (seat for seat in self._clockwise_from(first) if self._is_asked(seat))
        return next(askers, None)

    def _throwing_is_open(self) -> bool:
        """P9, P13, P14, 7.6, 7.7: is this a moment for attack cards, and is there room?"""
        if self.options.throw_in == "none" or self.room == 0:
            return False
        if self._taking:
            return self.options.add_after_take
        return self.options.throw_timing == "anytime" or not self._unbeaten()

    def _is_asked(self, seat: int) -> bool:
        return (
            self.is_live(seat)
            and seat != self.defender  # I8
            and seat not in self.passed
            and self._has_the_right(seat)
            and self._has_something_to_do(seat)
        )

    def _has_the_right(self, seat: int) -> bool:
        """Who may throw in (P10, P12, 7.16)."""
        if self.options.throwers == "all":
            return True
        if self.options.throwers == "neighbours":
            return seat in (self.attacker, self._next_live(self.defender))
        return seat == self.attacker

    # ------------------------------------------------------------------- start and end of a bout

    def _start_bout(self, leader: int) -> None:
        self.leader = leader
        self.defender = self._next_live(leader)
        self.bout += 1
        self.table = []
        self.passed = set()
        self.n0 = len(self.hands[self.defender])
        self._stock_was_empty = not self.stock  # the cap is settled now (E27)
        self._leading = True
        self._taking = False
        self._target = None
        self._last_attack_seat = leader
        self._emptied = []
        self._ask("lead", leader)
        self._note_position()

    def _note_position(self) -> None:
        """The n-th occurrence of a position with an empty stock is a draw (P34, 7.10, E75)."""
        if self.stock or self.options.repetition is None:
            return
        position = (tuple(frozenset(hand) for hand in self.hands), self.leader)
        self._positions[position] += 1
        if self._positions[position] >= self.options.repetition:
            self._finish("repetition", None)

    def _resolve(self, *, beaten: bool) -> None:
        """Clear the table, draw, let seats go out, look for the end, then the next lead (E60)."""
        if beaten:
            self._discard_table()
        else:
            self._give_table_to_defender()
        self.passed.clear()
        self._draw()
        if not self.stock:
            self._let_empty_hands_go_out()
        self._end_if_decided()
        self._end_without_progress()
        if self.reason is None:
            self._start_bout(self._next_leader(beaten=beaten))

    def _discard_table(self) -> None:
        """Beaten cards leave for good (S000-47, S000-103, B5)."""
        self.discard.update(self._table_cards())
        self.table = []
        self._positions.clear()
        self._bouts_without_discard = 0

    def _give_table_to_defender(self) -> None:
        """The taker gets everything, his covers too, for all to see (S000-45, E14, S003-4)."""
        self.hands[self.defender].update(self._table_cards())
        self.known[self.defender].update(self._table_cards())
        self.table = []
        self._bouts_without_discard += 1

    def _drawing_order(self) -> list[int]:
        """Leader first; the defender last, or in his turn (P25, S000-51, E55)."""
        order = list(self._clockwise_from(self.leader))
        if self.options.draw_order != "strict_clockwise":
            order.remove(self.defender)
            order.append(self.defender)
        return [seat for seat in order if seat not in self.places]

    def _draw(self) -> None:
        """Each fills his hand before the next one draws; it is not optional (E56, E57)."""
        for seat in self._drawing_order():
            while self.stock and len(self.hands[seat]) < self.options.hand_size:
                card = self.stock.pop(0)
                self.hands[seat].add(card)
                if card == self.trump_card:
                    self.known[seat].add(card)

    def _let_empty_hands_go_out(self) -> None:
        """P27, in the order of P41."""
        for seat in self._order_of_going_out():
            if not self.hands[seat] and seat not in self.places:
                self.places.append(seat)

    def _order_of_going_out(self) -> list[int]:
        """By the moment of the last card, or by seat from the attacker (P41, E71)."""
        if self.options.place_order == "seat":
            return list(self._clockwise_from(self.attacker))
        return self._emptied if self._stock_was_empty else self._drawing_order()

    def _next_leader(self, *, beaten: bool) -> int:
        """P40: who beat off leads if he still has cards; a taker is skipped."""
        if beaten and self.is_live(self.defender):
            return self.defender
        return self._next_live(self.defender)

    # ---------------------------------------------------------------------------- end of deal

    def _end_if_decided(self) -> None:
        """The last with cards is the durak; with nobody left it is a draw (I6, E63, E68)."""
        live = self._live_seats()
        if len(live) > 1:
            return
        if live:
            self.places.append(live[0])
            self._finish("durak", live[0])
        elif self.options.draw_policy == "last_defender_loses":
            self.places.remove(self.defender)
            self.places.append(self.defender)
            self._finish("last_defender", self.defender)  # P33, E70
        else:
            self._finish("draw", None)

    def _end_without_progress(self) -> None:
        """Too many bouts in a row without a discard are a draw as well (P34)."""
        too_many = self._bouts_without_discard >= NO_PROGRESS_BOUTS
        if self.reason is None and self.options.repetition is not None and too_many:
            self._finish("no_progress", None)

    def _finish(self, reason: str, durak: int | None) -> None:
        self.reason = reason
        self.durak = durak
        self.phase = "over"
        self.actor = None
