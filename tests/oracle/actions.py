"""Which actions the rules allow, written as texts."""

from __future__ import annotations

from .cards import is_joker, rank_of
from .state import State

PASS = "pass"
TAKE = "take"
STOCK = "stock"


class Actions(State):
    """What the actor may do."""

    def legal(self) -> frozenset[str]:
        """All actions of the actor; none after the end of the deal (I7, I11)."""
        if self.actor is None:
            return frozenset()
        if self.phase == "lead":
            return frozenset(self._lead_actions())
        if self.phase == "defend":
            return frozenset(self._defence_actions())
        if self.phase == "transfer":
            return frozenset({*self._transfer_texts(self.actor), PASS})
        if self.actor == self.defender:
            return frozenset({*self._self_throws(), PASS})
        return frozenset({*self._throwable(self.actor), PASS})

    # ------------------------------------------------------------------------------- leading

    def _lead_actions(self) -> set[str]:
        """Any card or the top of the stock; then more cards of the rank, or `pass` (7.2)."""
        if not self.table:
            return self._opening_cards() | ({STOCK} if self._may_lead_from_stock() else set())
        if not self._can_hang():
            return {*self._throwable(self.leader), PASS}
        if self._committed_to_hang():
            return set(self.hands[self.leader])
        return {*self.hands[self.leader], PASS}

    def _opening_cards(self) -> set[str]:
        """Hand cards that may open the bout (S000-42, H2, H4, H6, E98)."""
        hand = self.hands[self.leader]
        if self._can_hang() or all(is_joker(card) for card in hand):
            return set(hand)
        if self._lead_is_dead():
            return {card for card in hand if self.special(self.leader, card)}
        return self._attackers(self.leader)

    def _attackers(self, seat: int) -> set[str]:
        """Hand cards that this seat may lay as attack cards at all."""
        return {card for card in self.hands[seat] if self._may_attack_with(seat, card)}

    def _may_attack_with(self, seat: int, card: str) -> bool:
        """No special card (H2, S000-16), no joker that may only defend (P7a, E98)."""
        if is_joker(card) and not self.options.joker_may_attack:
            return False
        return not self.special(seat, card)

    def _may_lead_from_stock(self) -> bool:
        """The lone trump card is never led (P22, S002-11, S002-12, E78, E79)."""
        first_only = self.options.stock_lead_scope == "first_lead_of_deal"
        if not self.options.stock_lead or self.table or (first_only and self.bout > 1):
            return False
        return len(self.stock) >= 2

    @property
    def peek(self) -> str | None:
        """The top card of the stock while the leader may lead it and look at it first (E81)."""
        looking = self.options.stock_lead_peek and self.phase == "lead"
        return self.stock[0] if looking and self._may_lead_from_stock() else None

    # ---------------------------------------------------------------------------- epaulettes

    def _can_hang(self) -> bool:
        """H4, H5: the whole original hand is a set of the level, 2 to 4 cards, and it fits.

        During the lead the cards already led belong to the original hand, and so it is with a set
        that is hung by throwing it in (E109).
        """
        if not self.levels or self.stock or not self._leading:
            return False
        return self._is_hang([*self._attack_cards()[self._hang_from :], *self.hands[self.leader]])

    def _can_hang_by_throw_in(self, seat: int) -> bool:
        """E109, option: the whole hand is thrown in, a set of the level whose rank is open."""
        if not self.options.hang_by_throw_in or not self.levels or seat != self.leader:
            return False
        if self.stock or self._leading or self._taking:
            return False
        hand = sorted(self.hands[seat])
        if not hand or rank_of(hand[0]) not in self._table_ranks():
            return False
        return self._is_hang(hand, already=len(self.table))

    def _is_hang(self, original: list[str], already: int | None = None) -> bool:
        """Two to four cards, all of the leader's level, that fit beside those already laid."""
        if not 2 <= len(original) <= 4:
            return False
        level = self.levels[self.leader]
        total = len(original) + (self._hang_from if already is None else already)
        return self._fits_as_hang(total) and all(rank_of(card) == level for card in original)

    def _fits_as_hang(self, total: int) -> bool:
        """Not more than the defender held, unless this is ignored, and within the caps (H5)."""
        if total > self.n0 and not self.options.hang_ignores_hand_cap:
            return False
        return all(total <= limit for limit in self._table_limits())

    def _committed_to_hang(self) -> bool:
        """Once a special card is led the whole hand follows (7.2, 7.18)."""
        hung = self._attack_cards()[self._hang_from :]
        return any(self.special(self.leader, card) for card in hung)

    def _lead_is_dead(self) -> bool:
        """H6: special cards, and no lead that is allowed otherwise (E104, E105)."""
        hand = self.hands[self.leader]
        if self._can_hang() or self._may_lead_from_stock() or self._attackers(self.leader):
            return False
        return any(self.special(self.leader, card) for card in hand)

    # ----------------------------------------------------------------------------- throwing in

    def _throwable(self, seat: int) -> set[str]:
        """Cards of any rank on the table, attack or cover (S000-55, S001-11, E30, E32)."""
        if self._can_hang_by_throw_in(seat):
            return set(self.hands[seat])
        ranks = self._table_ranks()
        return {card for card in self._attackers(seat) if rank_of(card) in ranks}

    def _self_throws(self) -> set[str]:
        """The defender throws in to himself what he can beat (P21, S004-7, E86, E87)."""
        hand = self.hands[self.defender]
        cards = self._throwable(self.defender)
        if self.options.self_throw == "atomic":
            cards = {card for card in cards if self._covers_of(card) - {card}}
        return {f"self {card}" for card in cards} if len(hand) >= 2 else set()

    # ------------------------------------------------------------------------------- defending

    def _defence_actions(self) -> set[str]:
        """Covers, transfers and the take, which is always a choice (P36, E17, E53, 7.5)."""
        if self._target is not None:
            self_thrown = self._target in self._self_thrown
            may_take = self_thrown and self.options.self_throw == "free"  # 7.12
            return self._covers_of(self._target) | ({TAKE} if may_take else set())
        return {*self._cover_actions(), *self._transfer_actions(), TAKE}

    def _cover_actions(self) -> set[str]:
        """The card that covers, or with several attack cards first the one to be covered."""
        unbeaten = self._unbeaten()
        if self.options.cover_order == "table" or len(unbeaten) == 1:
            return self._covers_of(unbeaten[0])
        return {f"target {card}" for card in unbeaten if self._covers_of(card)}

    def _covers_of(self, target: str) -> set[str]:
        """Special cards neither cover nor are covered (H3, S000-16)."""
        defender = self.defender
        if self.special(defender, target):
            return set()
        cards = {card for card in self.hands[defender] if not self.special(defender, card)}
        return {card for card in cards if self.beats(card, target)}

    # ---------------------------------------------------------------------------- transferring

    def _transfer_actions(self) -> set[str]:
        """Lay a card of the rank, or only show a trump of it (P19, P20, E34, E36)."""
        if not self._transfer_is_open():
            return set()
        new_defender = self._next_live(self.defender)
        actions: set[str] = set()
        if self._can_be_attacked(new_defender, more=1):
            actions |= self._transfer_texts(self.defender)
        if self.options.show_transfer and self._can_be_attacked(new_defender, more=0):
            actions |= {f"show {card}" for card in self._showable()}
        return actions

    def _transfer_is_open(self) -> bool:
        """Nothing beaten yet, one rank on the table, somebody to attack (P19a..d, P19g, I9)."""
        options = self.options
        if not options.transfer or (self.bout == 1 and not options.transfer_first_bout):
            return False
        if options.transfer_chain is not None and self._transfers >= options.transfer_chain:
            return False  # P19f
        live = self._live_seats()
        if len(live) < 2 or (len(live) == 2 and not options.transfer_two_players):
            return False
        nothing_beaten = len(self._unbeaten()) == len(self.table)
        return nothing_beaten and len(self._table_ranks()) == 1

    def _can_be_attacked(self, seat: int, *, more: int) -> bool:
        """He holds as many cards as will lie on the table then; the caps hold (P19c, P19i)."""
        attack_cards = len(self.table) + more
        unrestricted = self.options.transfer_hand == "unrestricted"
        if not unrestricted and len(self.hands[seat]) < attack_cards:
            return False
        return all(attack_cards <= limit for limit in self._table_limits())

    def _transferable(self, seat: int) -> set[str]:
        """Cards of the rank; jokers only if they may transfer (P7c)."""
        cards = self._throwable(seat)
        return {card for card in cards if self.options.joker_transfer or not is_joker(card)}

    def _transfer_texts(self, seat: int) -> set[str]:
        return {f"transfer {card}" for card in self._transferable(seat)}

    def _showable(self) -> set[str]:
        """Trumps of the rank, as far as the limit allows (P20, P20a, E49, E51)."""
        limit = self.options.show_limit
        if limit == "once_per_deal_per_player" and self.defender in self._showers:
            return set()
        shown = self._shown if limit == "once_per_bout_per_card" else set()
        return {card for card in self._transferable(self.defender) if self.is_trump(card)} - shown
