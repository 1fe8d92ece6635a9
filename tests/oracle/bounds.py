"""Start and end of a bout, and the end of the deal."""

from __future__ import annotations

from .actions import Actions
from .state import Phase

NO_PROGRESS_BOUTS = 200


class Bounds(Actions):
    """Everything between the last action of a bout and the first of the next one."""

    def _ask(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.actor = seat

    # --------------------------------------------------------------------------------- start

    def _start_bout(self, leader: int) -> None:
        self._set_up_bout(leader)
        self._ask("lead", leader)
        self._note_position()
        self._end_if_lead_is_dead()

    def _set_up_bout(self, leader: int) -> None:
        self.leader = self.attacker = leader
        self.defender = self._next_live(leader)
        self.bout += 1
        self.table = []
        self.passed = set()
        self.n0 = len(self.hands[self.defender])
        self.hang = False
        self._stock_was_empty = not self.stock  # the cap is settled now (E27)
        self._leading = True
        self._taking = False
        self._target = None
        self._last_attack_seat = leader
        self._emptied = []
        self._transferrer = None
        self._self_thrown = []
        self._hang_from = 0
        self._transfers = 0
        self._shown = set()

    def _note_position(self) -> None:
        """The n-th occurrence of a position with an empty stock is a draw (P34, 7.10, E75)."""
        if self.stock or self.options.repetition is None:
            return
        position = (tuple(frozenset(hand) for hand in self.hands), self.leader)
        self._positions[position] += 1
        if self._positions[position] >= self.options.repetition:
            self._finish("repetition", None)

    def _end_if_lead_is_dead(self) -> None:
        """H6, option: a dead lead ends the deal without a result (7.19)."""
        no_result = self.options.dead_lead == "no_result"
        if self.reason is None and no_result and self._lead_is_dead():
            self._finish("dead_lead", None)

    # ----------------------------------------------------------------------------- resolving

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

    # ------------------------------------------------------------------------------- drawing

    def _drawing_order(self) -> list[int]:
        """From the attacker or leader; the defender last, or in his turn (P25, P26, E42, E55)."""
        from_attacker = self.options.draw_first_after_transfer == "attacker"
        first = self.attacker if from_attacker else self.leader
        order = list(self._clockwise_from(first))
        if self.options.draw_order != "strict_clockwise":
            order.remove(self.defender)
            order.append(self.defender)
        return [seat for seat in order if seat not in self.places]

    def _draw(self) -> None:
        """Each fills his hand before the next one draws; it is not optional (E56, E57)."""
        for seat in self._drawing_order():
            while self.stock and len(self.hands[seat]) < self.options.hand_size:
                self._draw_card(seat)

    def _draw_card(self, seat: int) -> None:
        """A card that all saw turned up is known in the hand as well (E97)."""
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        if card in self._known_in_stock:
            self.known[seat].add(card)

    # ----------------------------------------------------------------------------- going out

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
        """P40: who beat off leads if he still has cards; a taker is skipped (E43)."""
        if beaten and self.is_live(self.defender):
            return self.defender
        return self._next_live(self.defender)

    # --------------------------------------------------------------------------- end of deal

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
        if self.reason is None and too_many:
            self._finish("no_progress", None)

    def _finish(self, reason: str, durak: int | None) -> None:
        self.reason = reason
        self.durak = durak
        self.phase = "over"
        self.actor = None
        if self.hang and durak is not None and self.hands[durak]:
            self.hung = self.leader  # H8, E99..E101
