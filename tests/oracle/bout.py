"""Doing actions, and who is asked next."""

from __future__ import annotations

from .actions import PASS, STOCK, TAKE
from .bounds import Bounds


class Bout(Bounds):
    """One bout, action by action."""

    def play(self, text: str) -> None:
        """Do one action of the actor; an illegal one is a ValueError and changes nothing (E16)."""
        if self.actor is None or text not in self.legal():
            raise ValueError(f"illegal action {text!r}")
        actor = self.actor
        self._do(actor, text)
        self._leave_at_once(actor)
        self._ask_next()

    def _do(self, actor: int, text: str) -> None:
        word, _, card = text.rpartition(" ")
        if text == PASS:
            self._pass(actor)
        elif text == TAKE:
            self._take()
        elif text == STOCK:
            self._lead_from_stock()
        elif word == "target":
            self._target = card
        elif word == "transfer":
            self._transfer(actor, card)
        elif word == "show":
            self._show(actor, card)
        elif word == "self":
            self._throw_in_to_self(card)
        elif self.phase == "defend":
            self._cover(card)
        else:
            self._attack(actor, card)

    # ----------------------------------------------------------------------- single actions

    def _pass(self, seat: int) -> None:
        """A pass also ends a set lead or a transfer; it holds until a card is laid (7.2, 7.3)."""
        self.passed.add(seat)
        self._leading = False
        self._transferrer = None

    def _take(self) -> None:
        self._taking = True
        self._target = None
        self.passed.clear()  # 7.15

    def _attack(self, seat: int, card: str) -> None:
        """Lead, throw in or add one card (7.2)."""
        if self._can_hang_by_throw_in(seat):
            self._hang_from = len(self.table)
            self._leading = True  # what is hung is laid together, as in a lead (E109)
        self._lay_attack_card(seat, card)
        self._leave_hand(seat, card)
        if self._leading:
            self._note_special_lead(seat, card)

    def _note_special_lead(self, seat: int, card: str) -> None:
        """A set of the level is hung with its last card; any other barred card stands alone."""
        can_hang = self._can_hang()
        self.hang = can_hang and not self.hands[seat]  # H4
        if not can_hang and not self._may_attack_with(seat, card):
            self._leading = False  # H6, E98

    def _lead_from_stock(self) -> None:
        """The top card of the stock is the lead, without passing through the hand (E78, E84)."""
        self._lay_attack_card(self.leader, self.stock.pop(0))

    def _transfer(self, seat: int, card: str) -> None:
        """The defender lays a card of the rank: the attack goes on to the next seat (E34)."""
        self._lay_attack_card(seat, card)
        self._leave_hand(seat, card)
        if self._transferrer is not None:
            return  # one card more of the same transfer
        self._hand_on_the_attack()
        if self.options.transfer_cards == "many":
            self._transferrer = seat

    def _show(self, seat: int, card: str) -> None:
        """The trump of the rank stays in the hand, and everybody knows it (P20, P20b, E50)."""
        self.known[seat].add(card)
        self._shown.add(card)
        self._showers.add(seat)
        self.passed.clear()
        self._hand_on_the_attack()

    def _hand_on_the_attack(self) -> None:
        """New attacker (P19h), new defender, and his hand is counted anew (0.1)."""
        self._transfers += 1
        old, new = self.defender, self._next_live(self.defender)
        leader_stays = self.options.new_attacker == "leader" and self.leader != new
        self.attacker = self.leader if leader_stays else old
        self.defender = new
        self.n0 = len(self.hands[new])

    def _throw_in_to_self(self, card: str) -> None:
        """The card that the defender laid himself has to be answered at once (7.12, E85)."""
        self._lay_attack_card(self.defender, card)
        self._leave_hand(self.defender, card)
        self._self_thrown.append(card)
        self._target = card

    def _cover(self, card: str) -> None:
        """Beat the chosen card, or else the oldest unbeaten one (S001-9)."""
        target = self._unbeaten()[0] if self._target is None else self._target
        place = self.table.index((target, None))
        self.table[place] = (target, card)
        self._target = None
        self.passed.clear()  # 7.3
        self._leave_hand(self.defender, card)

    def _lay_attack_card(self, seat: int, card: str) -> None:
        self.table.append((card, None))
        self._last_attack_seat = seat
        self.passed.clear()  # 7.3

    def _leave_hand(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        if not self.hands[seat]:
            self._emptied.append(seat)

    def _leave_at_once(self, seat: int) -> None:
        """P27, option: who has laid his last card is out in the middle of the bout.

        Not so a defender who has still to answer cards that he can only take.
        """
        if self.options.go_out == "bout_end" or self.stock or self.hands[seat]:
            return
        if seat == self.defender and self._unbeaten():
            return
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
        self._transferrer = self._who_goes_on_transferring()
        if self._transferrer is not None:
            self._ask("transfer", self._transferrer)
            return
        thrower = self._next_thrower()
        if self._target is not None:
            self._ask("defend", self.defender)
        elif thrower is not None:
            self._ask("add" if self._taking else "throw", thrower)
        elif self._taking:
            self._resolve(beaten=False)
        elif self._unbeaten():
            self._ask("defend", self.defender)
        elif self._may_throw_in_to_self():
            self._ask("throw", self.defender)
        else:
            self._resolve(beaten=True)

    def _lead_goes_on(self) -> bool:
        """The first card must be led; more of its rank may be, in a set lead (P8, E9, E11, 7.2)."""
        if not self._leading or not self.table:
            return self._leading
        if self._can_hang():
            return bool(self.hands[self.leader])
        if self.options.lead_mode == "single" or self.room == 0:
            return False
        return self._has_something_to_do(self.leader)

    def _who_goes_on_transferring(self) -> int | None:
        """P19e, option: more cards of the rank in one transfer (E47)."""
        seat = self._transferrer
        if seat is None or not self._can_be_attacked(self.defender, more=1):
            return None
        asked = self.hands[seat] if self.options.ask_everyone else self._transferable(seat)
        return seat if asked else None

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
            and seat != self.defender  # I8, E39
            and seat not in self.passed
            and self._has_the_right(seat)
            and self._has_something_to_do(seat)
        )

    def _has_the_right(self, seat: int) -> bool:
        """Who may throw in (P10, P12, E44, 7.16)."""
        if self.options.throwers == "all":
            return True
        if self.options.throwers == "neighbours":
            return seat in (self.attacker, self._next_live(self.defender))
        return seat == self.attacker

    def _may_throw_in_to_self(self) -> bool:
        """The defender is asked last, with all beaten and a card to beat with (P21b, E86..E91)."""
        if self.options.self_throw == "none" or self.defender in self.passed:
            return False
        if self.room == 0 or len(self.hands[self.defender]) < 2:
            return False
        return self.options.ask_everyone or bool(self._self_throws())
