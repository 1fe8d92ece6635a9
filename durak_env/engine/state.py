"""A game as one row of a structured array.

N games are an array of N rows of `STATE`. Copying a row copies the game, its bytes save it. The
first fields hold the options of `Rules` as small integers, so that a row says everything about its
game and rows of different rules may share an array.

Cards are codes and sets of cards are masks, as `durak_env.engine.bits` describes. Seats are
0 ... players - 1, clockwise; -1 means nobody.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from durak_env.cards import SUIT_LETTERS, joker_count, rank_count
from durak_env.rules import MAX_PLAYERS, MAX_ROW, Rules

Rows: TypeAlias = npt.NDArray[np.void]
"""A one-dimensional array of `STATE` (or of views)."""

Row: TypeAlias = Any
"""One element of `Rows`, inside a kernel."""

MAX_ATTACKS = 28
"""Places on the table: no bout can have more attack cards than half the deck, rounded up."""

MAX_STOCK = 60
"""The longest deck, three more places for what is turned up at its end, rounded up."""

MAX_QUIET_BOUTS = 200
"""Bouts in a row without a discard that end the deal as a draw (P34)."""

NOBODY = -1

MAX_EVENTS = 256
"""The events that a row remembers, the last ones."""


class Phase(IntEnum):
    """What the actor of a row is asked for."""

    LEAD = 0
    """Lead a card, another card of the same rank, or pass to end the lead."""
    THROW = 1
    """Throw a card in, or pass."""
    DEFEND = 2
    """Beat an attack card, or take."""
    ADD = 3
    """Add a card to those that the defender takes, or pass."""
    OVER = 4
    """The deal has ended; nobody acts."""
    TRANSFER = 5
    """Lay another card of the rank after a transfer, or pass (P19e)."""
    FOLLOW = 6
    """Answer the led card in a game of tricks (S002-31)."""


class Reason(IntEnum):
    """Why a deal has ended."""

    NONE = 0
    DURAK = 1
    """One seat has cards left: it is the durak."""
    DRAW = 2
    """Nobody has cards left."""
    LAST_DEFENDER = 3
    """Nobody has cards left and ``draw_policy`` makes the last defender the durak (P33)."""
    REPETITION = 4
    """The same position has come up ``repetition`` times (P34)."""
    NO_PROGRESS = 5
    """`MAX_QUIET_BOUTS` bouts without a discard (P34)."""
    FORFEIT = 6
    """A seat broke the rules or left: it is the durak (B16)."""
    DEAD_LEAD = 7
    """The leader may lead none of its cards and ``dead_lead`` is ``no_result`` (H6)."""
    TRICKS = 8
    """All tricks are played; who has fewer of them is the durak (S002-32)."""


# Constants that the kernels freeze.
LEAD, THROW, DEFEND, ADD, OVER, TRANSFERRING, FOLLOW = (int(phase) for phase in Phase)
PASS = 64
"""Action code of the word pass; the codes below it play the card of that code."""
TAKE = 65
"""Action code of the word take."""
STOCK = 66
"""Action code of the word stock: lead the top card of the stock (P22)."""
TARGET = 128
"""Action code ``TARGET + card`` chooses the attack card that is beaten next (7.5)."""
TRANSFER = 192
"""Action code ``TRANSFER + card`` transfers by laying the card (P19)."""
SHOW = 256
"""Action code ``SHOW + card`` transfers by showing a trump (P20)."""
SELF = 320
"""Action code ``SELF + card`` is the defender's throw-in to itself (P21)."""
CODES = 384
TURNED_UP = 384
"""Event ``TURNED_UP + card``: from now on a card lies face up that no action named: a stock card
that was led, a card of a row."""
BEATEN = 448
"""Event: the seat has beaten everything, or won the trick."""
TAKEN = 449
"""Event: the seat has taken."""
EVENTS = 512
"""An event of a row is ``EVENTS * seat + event``; action codes are events as well."""
PASS_WORD, TAKE_WORD, STOCK_WORD = 1, 2, 4
"""Bits of ``legal_words``."""

THROWERS_ALL, THROWERS_NEIGHBOURS, THROWERS_ATTACKER = 0, 1, 2
FIRST_BOUT_ONLY = 0
LOWEST_TRUMP, LEFT_OF_DEALER, LEAD_BY_LOT = 0, 1, 2
SELF_ATOMIC, SELF_FREE = 1, 2
SHOW_PER_BOUT, SHOW_PER_DEAL = 0, 1
JOKER_OWN_COLOUR, JOKER_ALL, JOKER_NOTHING = 0, 1, 2
HANG_OPEN, HANG_COMMITTED = 1, 2
RANKS_PLAIN, LOWEST_BEATS_ACE, LOWEST_TRUMP_BEATS_ACE = 0, 1, 2
NO_LIMIT = 127

RULE_FIELDS: list[tuple[str, type]] = [
    (name, np.int16 if name.endswith("_id") else np.int8)
    for name in (
        "players",
        "suit_count",
        "ranks",
        "deck_size",
        "hand_size",
        "rank_order",
        "lead_set",
        "throw_in",
        "throwers",
        "throw_order",
        "anytime",
        "cover_any",
        "add_after_take",
        "first_limit",
        "first_limit_scope",
        "first_cap_on_take",
        "cap",
        "cap_lifted",
        "strict_clockwise",
        "out_immediately",
        "first_lead",
        "fallback_lot",
        "last_defender_loses",
        "repetition",
        "place_by_seat",
        "ask_everyone",
        "transfer",
        "transfer_unrestricted",
        "transfer_in_first_bout",
        "transfer_many",
        "transfer_chain",
        "transfer_two_players",
        "leader_stays_attacker",
        "leader_draws_first",
        "show",
        "show_limit",
        "self_throw",
        "self_throw_in_cap",
        "stock_lead",
        "stock_lead_first_only",
        "stock_lead_peek",
        "dealer_exposes",
        "trump_joker",
        "plain_joker",
        "joker_may_attack",
        "joker_transfer",
        "joker_ends_trumps",
        "epaulettes",
        "trump_exempt",
        "hang_ignores_hand_cap",
        "hang_by_throw_in",
        "dead_lead_ends",
        "plays_tricks",
        "flip_after_trick",
        "follow_hand_only",
        "trump_suit",
        "order_places",
        # where the action ids of each kind begin; 0 where the rules have none
        "stock_id",
        "target_id",
        "transfer_id",
        "show_id",
        "self_id",
    )
]

PUBLIC_FIELDS: list[tuple[Any, ...]] = [
    ("known", np.uint64, (MAX_PLAYERS,)),  # the publicly known part of each hand
    ("discard", np.uint64),
    ("table", np.uint64),  # attack cards and covers
    ("unbeaten", np.uint64),
    ("open", np.uint64),  # every card of a rank that lies on the table
    ("shown", np.uint64),  # trumps shown in this bout
    *RULE_FIELDS,
    ("phase", np.int8),
    ("actor", np.int8),
    ("leader", np.int8),
    ("attacker", np.int8),
    ("defender", np.int8),
    ("last_layer", np.int8),  # seat that laid the last attack card
    ("attacks", np.int8),  # attack cards on the table
    ("unbeaten_count", np.int8),
    ("defender_start", np.int8),  # N0: the defender's cards at the start of the bout
    ("limit", np.int8),  # attack cards that the caps allow in this bout
    ("limit_on_take", np.int8),  # the same once the defender takes
    ("target", np.int8),  # place on the table chosen to be beaten next, or -1
    ("passed", np.uint8),  # set of seats that passed since the last laid card
    ("out", np.uint8),  # set of seats that left the deal
    ("stock_was_empty", np.int8),  # at the start of the bout
    ("showed", np.uint8),  # set of seats that showed a trump in this deal
    ("transfers", np.int8),  # in this bout, where their number is limited (P19f)
    ("self_throws", np.int8),  # attack cards on the table that the defender threw to itself
    ("self_pending", np.int8),  # whether such a card waits to be beaten
    ("level", np.int8, (MAX_PLAYERS,)),  # the rank that each seat has to hang; -1: none
    ("hang", np.int8),  # HANG_OPEN, HANG_COMMITTED or 0
    ("dead_lead", np.int8),  # whether the lead is one that is otherwise barred (H6, E98)
    ("hung", np.int8),  # the seat that hung epaulettes, or -1
    ("revealed", np.int8, (2,)),  # jokers turned up, which lie above the trump card; -1: none
    ("discarded", np.int8),  # whether anything was discarded in this deal
    ("attack", np.int8, (MAX_ATTACKS,)),
    ("cover", np.int8, (MAX_ATTACKS,)),  # -1: unbeaten
    ("emptied", np.int8, (MAX_PLAYERS,)),  # seats in the order in which they laid a last card
    ("emptied_count", np.int8),
    ("places", np.int8, (MAX_PLAYERS,)),  # seats in the order of going out, the durak last
    ("placed", np.int8),
    ("durak", np.int8),
    ("reason", np.int8),
    ("trump_card", np.int8),  # -1 in a game of tricks
    ("no_trump", np.int8),  # whether no suit is trump in this deal (P24, P38)
    ("announced", np.int8),  # the card that decided the first lead, or -1
    ("announced_by", np.int8),
    ("suits", np.int8, (4,)),  # suits[engine suit] = printed suit
    ("stock_next", np.int8),
    ("stock_end", np.int8),
    # the rows of a game of tricks: the face-up card of each place, or -1; the set of places that
    # hold a face-down card; the tricks won
    ("up", np.int8, (2, MAX_ROW)),
    ("covered", np.uint8, (2,)),
    ("tricks", np.int8, (2,)),
    ("bout", np.int16),
    ("quiet", np.int16),  # bouts in a row without a discard
    ("occurrences", np.int16),  # of the position this bout began with, since a discard
]
"""What everybody at the table sees. A row and a view both begin with it."""

HIDDEN_FIELDS: list[tuple[Any, ...]] = [
    ("hands", np.uint64, (MAX_PLAYERS,)),
    # what the actor may do now; zero when nobody acts
    ("legal_cards", np.uint64),
    ("legal_targets", np.uint64),
    ("legal_transfers", np.uint64),
    ("legal_shows", np.uint64),
    ("legal_selfs", np.uint64),
    ("legal_words", np.uint8),
    ("keeps_events", np.int8),  # whether the events are kept, which takes time
    ("down", np.int8, (2, MAX_ROW)),  # the face-down cards of a game of tricks
    ("stock", np.int8, (MAX_STOCK,)),  # the deck; drawn from stock_next on, trump card last
    ("seen_count", np.int16),
    ("seen", np.uint32, (MAX_QUIET_BOUTS,)),  # positions since the last discard (P34)
    # what everybody saw happen in this deal: the number of events, and the last ones, a ring
    ("event_count", np.int32),
    ("events", np.int16, (MAX_EVENTS,)),
]


def public_words() -> int:
    """The length of the public fields in 64-bit words."""
    size = np.dtype(PUBLIC_FIELDS, align=True).itemsize
    return size // 8


def with_public(fields: list[tuple[Any, ...]]) -> np.dtype[np.void]:
    """A record of the public fields and then these.

    The field ``public`` lies over the public fields, so that a kernel can copy them word by word.
    """
    base = np.dtype([("public", np.uint64, (public_words(),)), *fields], align=True)
    public = np.dtype(PUBLIC_FIELDS, align=True)
    assert public.fields is not None
    assert base.fields is not None
    layout = fill_gaps({**public.fields, **base.fields}, base.itemsize)
    return np.dtype(
        {
            "names": list(layout),
            "formats": [layout[name][0] for name in layout],
            "offsets": [layout[name][1] for name in layout],
            "itemsize": base.itemsize,
            "aligned": True,
        }
    )


def fill_gaps(layout: dict[str, Any], size: int) -> dict[str, Any]:
    """The layout with a field for every byte between its fields.

    NumPy does not copy bytes that belong to no field, so equal games could have different bytes.
    """
    used = np.zeros(size, dtype=np.bool_)
    for name, (dtype, offset, *_) in layout.items():
        if name != "public":
            used[offset : offset + dtype.itemsize] = True
    filled = dict(layout)
    for number, offset in enumerate(np.flatnonzero(~used)):
        filled[f"spare_{number}"] = (np.dtype(np.int8), int(offset))
    return filled


STATE = with_public(HIDDEN_FIELDS)
"""One game."""


def rules_fields(rules: Rules) -> dict[str, int]:
    """The options of these rules as the integers that the kernels read."""
    return {
        "players": rules.players,
        "suit_count": rules.suits,
        "ranks": rank_count(rules.deck, rules.suits),
        "deck_size": rules.deck,
        "hand_size": rules.hand_size,
        "rank_order": ("plain", "lowest_beats_ace", "lowest_trump_beats_ace").index(
            rules.rank_order
        ),
        "lead_set": rules.lead_mode == "set",
        "throw_in": rules.throw_in == "on",
        "throwers": ("all", "neighbours", "attacker_only").index(rules.throwers),
        "throw_order": rules.throw_order == "round_robin",
        "anytime": rules.throw_timing == "anytime",
        "cover_any": rules.cover_order == "any",
        "add_after_take": rules.add_after_take,
        "first_limit": rules.first_limit or 0,
        "first_limit_scope": rules.first_limit_scope == "until_first_discard",
        "first_cap_on_take": rules.first_cap_on_take,
        "cap": NO_LIMIT if rules.cap is None else rules.cap,
        "cap_lifted": rules.cap_when_stock_empty == "none",
        "strict_clockwise": rules.draw_order == "strict_clockwise",
        "out_immediately": rules.go_out == "immediately",
        "first_lead": ("lowest_trump", "left_of_dealer", "lot").index(rules.first_lead),
        "fallback_lot": rules.no_trump_fallback == "lot",
        "last_defender_loses": rules.draw_policy == "last_defender_loses",
        "repetition": rules.repetition or 0,
        "place_by_seat": rules.place_order == "seat",
        "ask_everyone": rules.ask_everyone,
        "transfer": rules.transfer,
        "transfer_unrestricted": rules.transfer_hand == "unrestricted",
        "transfer_in_first_bout": rules.transfer_first_bout,
        "transfer_many": rules.transfer_cards == "many",
        "transfer_chain": rules.transfer_chain or 0,
        "transfer_two_players": rules.transfer_two_players,
        "leader_stays_attacker": rules.new_attacker == "leader",
        "leader_draws_first": rules.draw_first_after_transfer == "leader",
        "show": rules.show_transfer,
        "show_limit": (
            "once_per_bout_per_card",
            "once_per_deal_per_player",
            "none",
        ).index(rules.show_limit),
        "self_throw": ("none", "atomic", "free").index(rules.self_throw),
        "self_throw_in_cap": rules.self_throw_in_cap,
        "stock_lead": rules.stock_lead,
        "stock_lead_first_only": rules.stock_lead_scope == "first_lead_of_deal",
        "stock_lead_peek": rules.stock_lead_peek,
        "dealer_exposes": rules.trump_when_dealt_out == "exposed",
        "trump_joker": rules.trump_joker,
        "plain_joker": ("beats_own_colour", "beats_all", "off").index(rules.plain_joker),
        "joker_may_attack": rules.joker_may_attack,
        "joker_transfer": rules.joker_transfer,
        "joker_ends_trumps": rules.joker_turned_up == "no_trump",
        "epaulettes": rules.epaulettes,
        "trump_exempt": rules.trump_exempt,
        "hang_ignores_hand_cap": rules.hang_ignores_hand_cap,
        "hang_by_throw_in": rules.hang_by_throw_in,
        "dead_lead_ends": rules.dead_lead == "no_result",
        "plays_tricks": rules.tricks,
        "flip_after_trick": rules.flip == "after_trick",
        "follow_hand_only": rules.follow_scope == "hand_only",
        "trump_suit": NOBODY if rules.trump_suit is None else SUIT_LETTERS.index(rules.trump_suit),
        "order_places": order_places(rules),
        **{f"{kind}_id": first for kind, first in id_blocks(rules).items() if kind != "end"},
    }


def order_places(rules: Rules) -> int:
    """The most attack cards that a bout can have: the cap where it is never lifted and counts all
    of them, else half the deck."""
    most = min(MAX_ATTACKS, (rules.deck + 1) // 2)
    counts_all = rules.self_throw == "none" or rules.self_throw_in_cap
    if rules.cap is None or rules.cap_when_stock_empty == "none" or not counts_all:
        return most
    return min(most, rules.cap)


def has_rare_sections(rules: Rules) -> bool:
    """Whether an observation has sections that most rules lack."""
    return (
        rules.transfer
        or rules.self_throw != "none"
        or rules.epaulettes
        or rules.stock_lead_peek
        or rules.tricks
        or joker_count(rules.deck) > 0
    )


def id_blocks(rules: Rules) -> dict[str, int]:
    """Where the action ids of each kind begin, 0 for a kind that the rules lack; and their end.

    The cards of the deck come first, from 0 on, then pass and take.
    """
    trumps = rank_count(rules.deck, rules.suits) + (joker_count(rules.deck) > 0)
    sizes = {
        "stock": int(rules.stock_lead),
        "target": rules.deck * (rules.cover_order == "any"),
        "transfer": rules.deck * rules.transfer,
        "show": trumps * rules.show_transfer,
        "self": rules.deck * (rules.self_throw != "none"),
    }
    blocks, at = {}, rules.deck + 2
    for kind, size in sizes.items():
        blocks[kind] = at if size else 0
        at += size
    return {**blocks, "end": at}


def new_rows(rules: Rules, count: int) -> Rows:
    """``count`` rows of these rules, nothing dealt yet."""
    rows = np.zeros(count, dtype=STATE)
    for name, value in rules_fields(rules).items():
        rows[name] = value
    rows["phase"] = OVER
    rows["actor"] = NOBODY
    rows["level"] = 0 if rules.epaulettes else NOBODY
    rows["up"] = rows["down"] = NOBODY
    return rows


def copy_rows(rows: Rows) -> Rows:
    """A copy of rows, byte by byte: NumPy's own copies field by field and takes fifty times as
    long."""
    copied: Rows = np.frombuffer(bytearray(rows.view(np.uint8)), dtype=STATE)
    return copied
