"""Armenian 2: a game of tricks for two, with a row of face-down and face-up cards each (4.2).

``hands`` holds all that a seat may play, its hand and its face-up cards, and ``known`` the face-up
ones. The led card is the one attack card on the table; won tricks lie in the discard. The number of
the bout is that of the trick.
"""

from __future__ import annotations

import numpy as np

from durak_env.engine.barred import beaters
from durak_env.engine.bits import LANE, bit, popcount
from durak_env.engine.bout import clear_table, end_deal
from durak_env.engine.events import note
from durak_env.engine.jit import kernel
from durak_env.engine.naming import name_suits, relabel_deck
from durak_env.engine.seats import offer
from durak_env.engine.state import BEATEN, FOLLOW, LEAD, NOBODY, TURNED_UP, Reason, Row

TRICKS = int(Reason.TRICKS)


@kernel
def deal_tricks(s: Row, first_leader: int) -> None:
    """Lay out the deck; seat 0, the opponent of the dealer, leads if nobody is named (S002-28).

    Everything goes to seat 0 first: the face-down rows, the face-up rows, the hands (S002-27).
    """
    s["no_trump"] = s["trump_suit"] < 0
    name_suits(s, max(0, int(s["trump_suit"])))
    relabel_deck(s)
    row = int(s["hand_size"])
    for seat in range(2):
        s["covered"][seat] = (1 << row) - 1
        s["tricks"][seat] = 0
        for place in range(row):
            up = int(s["stock"][(2 + seat) * row + place])
            s["down"][seat, place] = s["stock"][seat * row + place]
            s["up"][seat, place] = up
            s["known"][seat] |= bit(up)
            s["hands"][seat] |= bit(up) | bit(int(s["stock"][(4 + seat) * row + place]))
    s["trump_card"] = NOBODY
    s["stock_next"] = s["deck_size"] + 1
    s["stock_end"] = s["deck_size"] + 1
    begin_trick(s, max(0, first_leader))


@kernel
def begin_trick(s: Row, leads: int) -> None:
    """The next trick, led by this seat."""
    s["phase"] = LEAD
    s["leader"] = leads
    s["attacker"] = leads
    s["last_layer"] = leads
    s["defender"] = 1 - leads
    s["defender_start"] = popcount(s["hands"][1 - leads])
    s["stock_was_empty"] = 1
    s["limit"] = 0
    s["limit_on_take"] = 0
    s["bout"] += 1


@kernel
def offer_trick(s: Row) -> None:
    """Ask for the lead or for the answer."""
    if s["phase"] == LEAD:
        offer(s, int(s["leader"]), s["hands"][s["leader"]], 0)
    elif s["phase"] == FOLLOW:
        offer(s, int(s["defender"]), followers(s), 0)
    else:
        offer(s, NOBODY, np.uint64(0), 0)


@kernel
def followers(s: Row) -> np.uint64:
    """What may answer the led card: its suit by all means, anything without it (S002-31, E112).

    With ``follow_scope=hand_only`` a suit that lies in the row only need not be followed.
    """
    seat = int(s["defender"])
    cards: np.uint64 = s["hands"][seat]
    suit = np.uint64(0xFFFF) << np.uint64(int(s["attack"][0]) // LANE * LANE)
    looked_at = cards & ~s["known"][seat] if s["follow_hand_only"] else cards
    return cards & suit if looked_at & suit != 0 else cards


@kernel
def play_trick_card(s: Row, card: int) -> None:
    """Lead a card, or answer with it and end the trick."""
    seat = int(s["actor"])
    leave_hand_or_row(s, seat, card)
    if s["phase"] == LEAD:
        s["attack"][0] = card
        s["attacks"] = 1
        s["unbeaten_count"] = 1
        s["unbeaten"] = bit(card)
        s["table"] = bit(card)
        s["phase"] = FOLLOW
    else:
        end_trick(s, card)
    offer_trick(s)


@kernel
def leave_hand_or_row(s: Row, seat: int, card: int) -> None:
    """Play a card from the hand or the row; what lies under it is turned up (S002-30, E113)."""
    s["hands"][seat] &= ~bit(card)
    if s["known"][seat] & bit(card) == 0:
        return
    s["known"][seat] &= ~bit(card)
    for place in range(s["hand_size"]):
        if s["up"][seat, place] == card:
            s["up"][seat, place] = NOBODY
            if not s["flip_after_trick"]:
                turn_up(s, seat, place)


@kernel
def turn_up(s: Row, seat: int, place: int) -> None:
    """Turn up the face-down card of a place, if there is one with nothing on it."""
    mark = np.uint8(1 << place)
    if s["up"][seat, place] >= 0 or s["covered"][seat] & mark == 0:
        return
    card = int(s["down"][seat, place])
    s["covered"][seat] ^= mark
    s["down"][seat, place] = NOBODY
    s["up"][seat, place] = card
    s["hands"][seat] |= bit(card)
    s["known"][seat] |= bit(card)
    note(s, seat, TURNED_UP + card)


@kernel
def end_trick(s: Row, answer: int) -> None:
    """Only the led suit and trumps win (E115); the winner leads, until no cards are left."""
    lead = int(s["attack"][0])
    winner = int(s["defender"] if beaters(s, lead) & bit(answer) != 0 else s["leader"])
    s["tricks"][winner] += 1
    note(s, winner, BEATEN)
    s["discard"] |= bit(lead) | bit(answer)
    s["discarded"] = 1
    clear_table(s)
    for seat in range(2):
        for place in range(s["hand_size"]):
            turn_up(s, seat, place)
    if s["hands"][winner] == 0:
        finish_tricks(s)
    else:
        begin_trick(s, winner)


@kernel
def finish_tricks(s: Row) -> None:
    """Who has fewer tricks is the durak; equal tricks are a draw (S002-32, E116)."""
    s["defender_start"] = 0
    ahead = int(s["tricks"][0]) - int(s["tricks"][1])
    durak = NOBODY
    if ahead != 0:
        durak = 1 if ahead > 0 else 0
        s["places"][0] = 1 - durak
        s["places"][1] = durak
        s["placed"] = 2
    end_deal(s, durak, TRICKS)
