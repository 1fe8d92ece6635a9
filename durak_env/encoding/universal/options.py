"""The options of the rules as numbers.

They are those that a row holds: every option that changes what happens in a deal. Pictures and
matches have options of their own, which a network need not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from durak_env.encoding.base import Part
from durak_env.encoding.universal.kernels import BINARY, ONE_HOT, OR_NONE, Features
from durak_env.engine.state import NO_LIMIT, NOBODY, STATE


@dataclass(frozen=True)
class Feature:
    """One option: the field of a row that holds it, and how it is written."""

    option: str
    field: str
    doc: str
    size: int = 1
    how: int = BINARY
    none: int = 0


def number(option: str, size: int, field: str = "") -> Feature:
    """A number in binary."""
    return Feature(option, field or option, f"{option}, in binary", size)


def number_or_none(option: str, size: int, none: int = 0) -> Feature:
    """A number in binary, and whether it is none."""
    doc = f"{option} in binary; the last: none"
    return Feature(option, option, doc, size + 1, OR_NONE, none)


def choice(option: str, values: str, first: int = 0) -> Feature:
    """One of several values, one-hot."""
    return Feature(option, option, f"{option}: {values}", 1 + values.count(","), ONE_HOT, first)


def switch(option: str, value: str = "true", field: str = "") -> Feature:
    """Whether an option has this value."""
    return Feature(option, field or option, f"whether {option}={value}")


FEATURES = (
    number("players", 4),
    number("deck", 6, "deck_size"),
    number("suits", 3, "suit_count"),
    number("hand_size", 4),
    choice("rank_order", "plain, lowest_beats_ace, lowest_trump_beats_ace"),
    switch("lead_mode", "set", "lead_set"),
    switch("throw_in", "on"),
    choice("throwers", "all, neighbours, attacker_only"),
    switch("throw_order", "round_robin"),
    switch("throw_timing", "anytime", "anytime"),
    switch("cover_order", "any", "cover_any"),
    switch("add_after_take"),
    number_or_none("first_limit", 5),
    switch("first_limit_scope", "until_first_discard"),
    number("first_cap_on_take", 5),
    number_or_none("cap", 5, NO_LIMIT),
    switch("cap_when_stock_empty", "none", "cap_lifted"),
    switch("draw_order", "strict_clockwise", "strict_clockwise"),
    switch("go_out", "immediately", "out_immediately"),
    choice("first_lead", "lowest_trump, left_of_dealer, lot"),
    switch("no_trump_fallback", "lot", "fallback_lot"),
    switch("draw_policy", "last_defender_loses", "last_defender_loses"),
    number_or_none("repetition", 7),
    switch("place_order", "seat", "place_by_seat"),
    switch("ask_everyone"),
    switch("transfer"),
    switch("transfer_hand", "unrestricted", "transfer_unrestricted"),
    switch("transfer_first_bout", field="transfer_in_first_bout"),
    switch("transfer_cards", "many", "transfer_many"),
    number_or_none("transfer_chain", 5),
    switch("transfer_two_players"),
    switch("new_attacker", "leader", "leader_stays_attacker"),
    switch("draw_first_after_transfer", "leader", "leader_draws_first"),
    switch("show_transfer", field="show"),
    choice("show_limit", "once_per_bout_per_card, once_per_deal_per_player, none"),
    choice("self_throw", "none, atomic, free"),
    switch("self_throw_in_cap"),
    switch("stock_lead"),
    switch("stock_lead_scope", "first_lead_of_deal", "stock_lead_first_only"),
    switch("stock_lead_peek"),
    switch("trump_when_dealt_out", "exposed", "dealer_exposes"),
    switch("trump_joker"),
    choice("plain_joker", "beats_own_colour, beats_all, off"),
    switch("joker_may_attack"),
    switch("joker_transfer"),
    switch("joker_turned_up", "no_trump", "joker_ends_trumps"),
    switch("epaulettes"),
    switch("trump_exempt"),
    switch("hang_ignores_hand_cap"),
    switch("hang_by_throw_in"),
    switch("dead_lead", "no_result", "dead_lead_ends"),
    switch("tricks", field="plays_tricks"),
    switch("flip", "after_trick", "flip_after_trick"),
    switch("follow_scope", "hand_only", "follow_hand_only"),
    choice("trump_suit", "none, s, c, h, d", NOBODY),
)
"""Every option that a row holds, in the order of the sections."""


def option_parts() -> Iterator[Part]:
    """One section for every option."""
    for feature in FEATURES:
        yield f"rule_{feature.option}", feature.size, feature.doc


def feature_table() -> Features:
    """`FEATURES` as the kernels read them."""
    assert STATE.fields is not None
    rows = [(STATE.fields[one.field][1], one.how, one.none, one.size) for one in FEATURES]
    return np.array(rows, dtype=np.int64)
