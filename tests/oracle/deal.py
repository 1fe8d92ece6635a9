"""Dealing, the trump card, and who leads first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .bout import Bout
from .cards import is_joker, strength


class Deal(Bout):
    """From the shuffled deck to the first lead."""

    def _deal(self, deck: Sequence[str], exposed: str | None) -> None:
        """One card at a time from the dealer's left, then the trump card (S000-36..38).

        `exposed` is the card that the dealer shows where all cards are dealt (P23).
        """
        if sorted(deck) != sorted(self.full_deck()):
            raise ValueError("the deck must hold each card once")
        dealt = self.options.players * self.options.hand_size
        for place, card in enumerate(deck[:dealt]):
            self.hands[place % self.options.players].add(card)
        if dealt == len(deck) and self.options.trump_when_dealt_out == "exposed":
            self._expose(exposed)
        else:
            self._turn_up(list(deck[dealt:]), list(deck[:dealt]))

    def _expose(self, card: str | None) -> None:
        """P23, option: the dealer shows one of his cards, no joker."""
        if card is None or is_joker(card) or card not in self.hands[-1]:
            raise ValueError(f"{card} is not a card that the dealer may show")
        self.known[-1].add(card)
        self.trump_card = card

    def _turn_up(self, rest: list[str], dealt: list[str]) -> None:
        """The first card that is no joker lies under the stock, the jokers just above (E97, 7.11).

        With nothing left the last dealt card is turned up (P23, E1). By an option a joker stays
        where it is, and there are no trumps (P24).
        """
        if self.options.joker_turned_up == "no_trump" and is_joker((rest or dealt[-1:])[0]):
            self._play_without_trumps(rest, dealt)
            return
        cards = [card for card in rest if not is_joker(card)]
        if not cards:
            self.stock = rest
            self._known_in_stock = set(rest)
            self._turn_up_a_dealt_card(dealt)
            return
        self.trump_card = cards[0]
        place = rest.index(self.trump_card)
        turned_up = rest[: place + 1]
        self.stock = rest[place + 1 :] + turned_up
        self._known_in_stock = set(turned_up)

    def _play_without_trumps(self, rest: list[str], dealt: list[str]) -> None:
        """The joker lies under the stock, or is known in the dealer's hand (P24)."""
        self.trump_card = (rest or dealt[-1:])[0]
        self.stock = [*rest[1:], *rest[:1]]
        self._known_in_stock = set(rest[:1])
        if not rest:
            self.known[-1].add(self.trump_card)

    def _turn_up_a_dealt_card(self, dealt: list[str]) -> None:
        """The last dealt card, or the last one that is no joker; all cards shown are public."""
        for place, card in reversed(list(enumerate(dealt))):
            self.known[place % self.options.players].add(card)
            self.trump_card = card
            if not is_joker(card):
                return

    # -------------------------------------------------------------------------- first lead

    def _first_leads(self) -> dict[int, frozenset[str]]:
        """Seats that may lead first, each with the cards one of which it announces (P28)."""
        everybody: dict[int, frozenset[str]] = {seat: frozenset() for seat in self.seats}
        if self.options.first_lead == "left_of_dealer":
            return {0: frozenset()}
        if self.options.first_lead == "lot":
            return everybody
        trumps = [card for hand in self.hands for card in hand if self.is_trump(card)]
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
