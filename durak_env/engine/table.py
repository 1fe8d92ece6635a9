"""Cards reach the table: leads, throw-ins, covers, transfers."""

from __future__ import annotations

import numpy as np

from durak_env.engine.barred import barred, hang_by_throw_in_possible, note_hang
from durak_env.engine.bits import JOKERS, TRUMPS, bit, popcount, same_rank
from durak_env.engine.events import note
from durak_env.engine.jit import kernel
from durak_env.engine.seats import cap_room, live_count, next_live
from durak_env.engine.state import (
    DEFEND,
    HANG_OPEN,
    LEAD,
    NOBODY,
    SHOW_PER_BOUT,
    SHOW_PER_DEAL,
    THROW,
    TRANSFERRING,
    TURNED_UP,
    Row,
)


@kernel
def reach_table(s: Row, card: int) -> None:
    """A card lies on the table: its rank is open, and every pass lapses (7.3)."""
    s["table"] |= bit(card)
    s["open"] |= same_rank(card)
    s["passed"] = 0


@kernel
def leave_hand(s: Row, card: int) -> None:
    """Move a card from the actor's hand to the table."""
    seat = s["actor"]
    here = bit(card)
    s["hands"][seat] ^= here
    s["known"][seat] &= ~here
    reach_table(s, card)
    if s["hands"][seat] == 0:
        s["emptied"][s["emptied_count"]] = seat
        s["emptied_count"] += 1


@kernel
def lay_attack(s: Row, card: int) -> None:
    """Put an attack card on the table, wherever it comes from."""
    s["last_layer"] = s["actor"]
    place = s["attacks"]
    s["attack"][place] = card
    s["cover"][place] = NOBODY
    s["attacks"] = place + 1
    s["unbeaten"] |= bit(card)
    s["unbeaten_count"] += 1


@kernel
def attack(s: Row, card: int) -> None:
    """Lead, throw in or add a card."""
    if s["epaulettes"]:
        if hang_by_throw_in_possible(s):
            s["phase"] = LEAD  # what is hung is laid together, as a lead
            s["hang"] = HANG_OPEN
        if s["phase"] == LEAD:
            note_hang(s, card)
    lay_attack(s, card)
    leave_hand(s, card)
    if s["phase"] == THROW and not s["anytime"]:
        s["phase"] = DEFEND


@kernel
def lead_from_stock(s: Row) -> None:
    """Lead the top card of the stock (P22); the hand stays as it is."""
    card = int(s["stock"][s["stock_next"]])
    s["stock_next"] += 1
    lay_attack(s, card)
    reach_table(s, card)
    note(s, int(s["actor"]), TURNED_UP + card)


@kernel
def throw_to_self(s: Row, card: int) -> None:
    """The defender throws in to itself and must answer that card (P21)."""
    lay_attack(s, card)
    leave_hand(s, card)
    s["self_throws"] += 1
    s["self_pending"] = 1
    s["phase"] = DEFEND


@kernel
def beat(s: Row, card: int) -> None:
    """Cover the attack card that is beaten next."""
    place = target(s)
    s["cover"][place] = card
    s["unbeaten"] ^= bit(int(s["attack"][place]))
    s["unbeaten_count"] -= 1
    s["target"] = NOBODY
    s["self_pending"] = 0
    leave_hand(s, card)
    if s["unbeaten_count"] == 0 or s["anytime"]:
        s["phase"] = THROW


@kernel
def target(s: Row) -> int:
    """The place of the attack card that is beaten next: the chosen one, else the oldest.

    Where cards are beaten in table order, those that are not beaten are the last ones.
    """
    if not s["cover_any"]:
        return int(s["attacks"]) - int(s["unbeaten_count"])
    if s["target"] >= 0:
        return int(s["target"])
    place = 0
    while s["cover"][place] >= 0:
        place += 1
    return place


@kernel
def choose_target(s: Row, card: int) -> None:
    """Choose the attack card that is beaten next (7.5)."""
    place = 0
    while s["attack"][place] != card:
        place += 1
    s["target"] = place


@kernel
def end_lead(s: Row) -> None:
    """The lead, or a transfer, is complete: somebody else's turn."""
    s["phase"] = THROW if s["anytime"] else DEFEND


# --- transfer ---------------------------------------------------------------------------------


@kernel
def may_transfer(s: Row) -> bool:
    """Nothing is beaten yet, and this bout and table allow transfers (P19a, P19d, P19f, P19g)."""
    if not s["transfer"] or s["unbeaten_count"] != s["attacks"] or s["target"] >= 0:
        return False
    if s["bout"] == 1 and not s["transfer_in_first_bout"]:
        return False
    if s["transfer_chain"] and s["transfers"] >= s["transfer_chain"]:
        return False
    return bool(s["transfer_two_players"] or live_count(s) > 2)


@kernel
def transfer_fits(s: Row, laid: int) -> bool:
    """Whether the attack, with so many cards laid to it, may go to the seat after the defender.

    That seat must be another live one and hold as many cards (P19c, E40, E41).
    """
    defender = int(s["defender"])
    receiver = next_live(s, defender)
    if receiver == defender or (laid and cap_room(s) < 1):
        return False
    enough = popcount(s["hands"][receiver]) >= s["attacks"] + laid
    return bool(s["transfer_unrestricted"] or enough)


@kernel
def transfer_cards(s: Row, seat: int) -> np.uint64:
    """The cards of a seat that have the attack's rank (P19b, P7c)."""
    cards: np.uint64 = s["hands"][seat] & s["open"] & ~barred(s, seat)
    return cards if s["joker_transfer"] else cards & ~JOKERS


@kernel
def shown_before(s: Row, seat: int) -> np.uint64:
    """The trumps that a seat may not show any more (P20a)."""
    if s["show_limit"] == SHOW_PER_BOUT:
        return np.uint64(s["shown"])
    if s["show_limit"] == SHOW_PER_DEAL and (s["showed"] >> seat) & 1:
        return TRUMPS
    return np.uint64(0)


@kernel
def pass_attack_on(s: Row) -> None:
    """The defender becomes the attacker and the next live seat must answer (P19h)."""
    old = int(s["defender"])
    if s["transfer_chain"]:
        s["transfers"] += 1
    s["defender"] = next_live(s, old)
    s["defender_start"] = popcount(s["hands"][s["defender"]])
    stays = s["leader_stays_attacker"] and s["leader"] != s["defender"]
    s["attacker"] = s["leader"] if stays else old


@kernel
def lay_transfer(s: Row, card: int) -> None:
    """Transfer by laying a card, or lay another one to the same transfer (P19e)."""
    first = s["phase"] != TRANSFERRING
    lay_attack(s, card)
    leave_hand(s, card)
    if first:
        pass_attack_on(s)
    s["phase"] = TRANSFERRING


@kernel
def show_trump(s: Row, card: int) -> None:
    """Transfer by showing a trump, which stays in the hand (P20b)."""
    seat = int(s["actor"])
    s["known"][seat] |= bit(card)
    s["shown"] |= bit(card)
    s["showed"] |= np.uint8(1 << seat)
    s["passed"] = 0
    pass_attack_on(s)
    end_lead(s)
