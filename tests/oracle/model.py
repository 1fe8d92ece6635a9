"""Oracle of one deal of the podkidnoy family: slow, plain and written from the rules text alone.

The ids in the docstrings (S000-58, P11, E22, I1, section 7 points such as 7.4) are those of the
rules study. The oracle is replayed move by move against the engine, so it shares no code with it.

Words: a *bout* is one attack and its defence, a *deal* runs from one shuffle to one result.
`a` attack cards lie on the table, `u` of them are unbeaten, the defender holds `h` cards and held
`N0` when he became the defender of this table.

The parts, each built on the one before: `cards`, `options`, `state` (what lies where), `actions`
(what is legal), `bounds` (start and end of a bout), `bout` (doing actions), `deal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .actions import PASS, STOCK, TAKE
from .bounds import NO_PROGRESS_BOUTS
from .cards import (
    BLACK_JOKER,
    LOWEST_RANK,
    RANKS,
    RED_JOKER,
    SUITS,
    beats,
    full_deck,
    is_joker,
    is_trump,
    lowest_rank,
    rank_of,
    strength,
    suit_of,
)
from .deal import Deal
from .options import CHOICES, LIMITS, NUMBERS, SWITCHES, Options, parse_options
from .state import Pair, Phase

__all__ = [
    "BLACK_JOKER",
    "CHOICES",
    "LIMITS",
    "LOWEST_RANK",
    "NO_PROGRESS_BOUTS",
    "NUMBERS",
    "PASS",
    "RANKS",
    "RED_JOKER",
    "STOCK",
    "SUITS",
    "SWITCHES",
    "TAKE",
    "Options",
    "Oracle",
    "Pair",
    "Phase",
    "beats",
    "full_deck",
    "is_joker",
    "is_trump",
    "lowest_rank",
    "parse_options",
    "rank_of",
    "strength",
    "suit_of",
]


class Oracle(Deal):
    """One deal, from the first lead to the durak or the draw (section 4.0).

    Public state is in the attributes of `State`; `actor` is the only seat that may act, `legal()`
    says what it may do, `play()` does it. Everything without a choice happens in the same step
    (7.4).
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        deck: Sequence[str],
        leader: int | None = None,
        announced: str | None = None,
        by_rule: bool | None = None,
        levels: Sequence[str] | None = None,
        exposed: str | None = None,
    ) -> None:
        """Deal `deck` and start the first bout.

        Without `leader` the first-lead rule decides (P28, P29). With it, the seat is taken as
        drawn by lot where the rule leaves several, and as forced from outside (nothing announced)
        where it leaves one; `by_rule` says which of the two explicitly. `levels` are the ranks
        to hang in epaulettes, seat by seat. `exposed` is the card that the dealer shows
        where the trump card is not the last one dealt (P23).
        """
        self._set_up(parse_options(options), levels)
        self._deal(deck, exposed)
        self._choose_first_leader(leader, announced, by_rule)
        self._start_bout(self.leader)

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
        levels: Sequence[str] | None = None,
        known_in_stock: Iterable[str] = (),
    ) -> Oracle:
        """A position made by hand: at the start of a bout, or in its middle if cards lie.

        `trump` is the trump card, the last of the stock unless that is empty. `discard=None` puts
        all cards not named into the discard, `stock=None` puts them into the stock instead.
        With cards on the table the lead is complete and nothing was transferred.
        """
        oracle = cls.__new__(cls)
        oracle._set_up(parse_options(options), levels)
        if len(hands) != oracle.options.players:
            raise ValueError("one hand for each player")
        oracle.hands = [set(hand) for hand in hands]
        oracle.known = [set(cards) for cards in known or [()] * len(hands)]
        oracle.table = list(table)
        oracle.trump_card = trump
        oracle._place_the_rest(stock, discard)
        oracle._known_in_stock = {*known_in_stock, trump}
        oracle.possible_leaders = frozenset({leader})
        oracle.places = oracle._out_already(leader) if places is None else list(places)
        oracle.bout = bout - 1
        oracle._begin_at(leader, set(passed), taking, last_attack_seat)
        return oracle

    def _place_the_rest(self, stock: Sequence[str] | None, discard: Iterable[str] | None) -> None:
        """Every card of the deck lies somewhere, once (I1)."""
        deck = self.full_deck()
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
        if not table:
            self._start_bout(leader)
            return
        self._set_up_bout(leader)
        self.table = table
        covers = sum(cover is not None for _, cover in table)
        self.n0 = len(self.hands[self.defender]) + covers
        self._leading = False
        self._taking = taking
        self.passed = passed
        self._emptied = [seat for seat in self._clockwise_from(leader) if not self.hands[seat]]
        if last_attack_seat is not None:
            self._last_attack_seat = last_attack_seat
        self._ask_next()
