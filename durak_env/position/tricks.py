"""Positions of a game of tricks (4.2).

    rules: armenian_tricks
    hands: 8s Kh | 7h
    rows: -/Ad | 7d/9s -/6c
    tricks: 7 8
    leader: 0

A row lists its places, each as its face-down and its face-up card; ``-`` is no card, and places
without any card are left out at the end. ``table`` holds the led card while it waits for an answer.
"""

from __future__ import annotations

import numpy as np

from durak_env.cards import SUIT_LETTERS, Card, Suit, format_cards
from durak_env.codes import CardCodes
from durak_env.engine.batch import resume
from durak_env.engine.state import NOBODY, Phase, Reason, Row, Rows, new_rows
from durak_env.errors import NotationError
from durak_env.notation import parse_number
from durak_env.position.places import cards_not_in, fill_unknown
from durak_env.rules import Rules

USED = (
    *("rules", "hands", "rows", "table", "discard", "tricks", "leader", "phase", "bout"),
    *("durak", "reason"),
)
"""The fields that a position of tricks may have."""


class TrickReader:
    """Builds the row of one position of a game of tricks."""

    def __init__(self, rules: Rules, fields: dict[str, str], seed: int | None) -> None:
        wrong = [name for name in fields if name not in USED]
        if wrong:
            raise NotationError(f"{wrong[0]}: a game of tricks has no such field")
        self.rules = rules
        self.fields = fields
        self.seed = seed
        self.rows = new_rows(rules, 1)
        self.s: Row = self.rows[0]
        no_trump = rules.trump_suit is None
        first = Suit.SPADES if rules.trump_suit is None else SUIT_LETTERS.index(rules.trump_suit)
        self.codes = CardCodes.of_first_suit(rules, Suit(first), no_trump=no_trump)
        self.s["no_trump"] = no_trump
        self.s["suits"] = NOBODY
        self.s["suits"][: rules.suits] = self.codes.suits

    def row(self) -> Rows:
        """The row, ready for the next decision."""
        s = self.s
        for name in ("attack", "cover", "emptied", "places", "announced", "announced_by", "durak"):
            s[name] = NOBODY
        for name in ("target", "hung", "revealed", "trump_card"):
            s[name] = NOBODY
        s["stock"] = NOBODY
        s["stock_next"] = s["stock_end"] = self.rules.deck + 1
        s["stock_was_empty"] = 1
        self._lay_out_cards()
        self._set_roles()
        self._check_reachable()
        resume(self.rows, 0)
        return self.rows

    # --- cards ------------------------------------------------------------------------------

    def _lay_out_cards(self) -> None:
        hands = [part.split() for part in self._per_seat("hands")]
        downs, ups = self._read_rows()
        led = self.fields.get("table", "").split()
        groups = [*hands, *downs, *ups, led]
        placed = [Card.parse(word) for words in groups for word in words if word not in "?-"]
        placed += [Card.parse(word) for word in self.fields.get("discard", "").split()]
        spare = cards_not_in(placed, self.codes)
        fill_unknown((*hands, *downs, *ups), spare, self.seed)
        if "discard" in self.fields and spare:
            raise NotationError(f"these cards stand nowhere: {format_cards(sorted(spare))}")
        for seat in range(2):
            self._write_seat(seat, hands[seat], downs[seat], ups[seat])
        self._write_table([Card.parse(word) for word in led])
        named = [Card.parse(word) for word in self.fields.get("discard", "").split()]
        self.s["discard"] = self.codes.mask(spare + named)
        self.s["discarded"] = self.s["discard"] != 0

    def _per_seat(self, key: str) -> list[str]:
        parts = self.fields.get(key, "|").split("|")
        if len(parts) != 2:
            raise NotationError(f"{key}: {len(parts)} seats, but the rules have players=2")
        return parts

    def _read_rows(self) -> tuple[list[list[str]], list[list[str]]]:
        """The face-down and the face-up cards of both rows, place by place."""
        downs: list[list[str]] = []
        ups: list[list[str]] = []
        for part in self._per_seat("rows"):
            places = [word.partition("/") for word in part.split()]
            if len(places) > self.rules.hand_size or any(not slash for _, slash, _ in places):
                raise NotationError(
                    f"rows: {part.strip()!r} is no row of up to {self.rules.hand_size} places, "
                    "each a face-down and a face-up card such as 7d/9s or -/9s"
                )
            downs.append([down for down, _, _ in places])
            ups.append([up for _, _, up in places])
        return downs, ups

    def _write_seat(self, seat: int, hand: list[str], downs: list[str], ups: list[str]) -> None:
        s, codes = self.s, self.codes
        for place, (down, up) in enumerate(zip(downs, ups, strict=True)):
            if down != "-":
                s["down"][seat, place] = codes.code(Card.parse(down))
                s["covered"][seat] |= np.uint8(1 << place)
            if up != "-":
                s["up"][seat, place] = codes.code(Card.parse(up))
        s["known"][seat] = codes.mask(Card.parse(up) for up in ups if up != "-")
        s["hands"][seat] = codes.mask(map(Card.parse, hand)) | int(s["known"][seat])

    def _write_table(self, led: list[Card]) -> None:
        if len(led) > 1:
            raise NotationError(f"table: {format_cards(led)}: one led card at most")
        for card in led:
            self.s["attack"][0] = self.codes.code(card)
            self.s["attacks"] = self.s["unbeaten_count"] = 1
            self.s["table"] = self.s["unbeaten"] = self.codes.mask([card])

    # --- roles ------------------------------------------------------------------------------

    def _number(self, key: str, default: int, high: int) -> int:
        text = self.fields.get(key)
        return default if text is None else parse_number(key, text, 0, high)

    def _set_roles(self) -> None:
        s = self.s
        leader = self._number("leader", 0, 1)
        s["leader"] = s["attacker"] = s["last_layer"] = leader
        s["defender"] = 1 - leader
        s["defender_start"] = int(s["hands"][1 - leader]).bit_count()
        s["phase"] = self._phase()
        won = self.fields.get("tricks", "0 0").split()
        if len(won) != 2:
            raise NotationError(f"tricks: {' '.join(won)!r} is not the tricks of two seats")
        s["tricks"] = [parse_number("tricks", text, 0, self.rules.deck // 2) for text in won]
        s["bout"] = self._number("bout", int(s["tricks"].sum()) + 1, 10_000)
        if s["phase"] == Phase.OVER:
            self._set_result()

    def _phase(self) -> Phase:
        natural = Phase.FOLLOW if self.s["attacks"] else Phase.LEAD
        name = self.fields.get("phase", natural.name).upper()
        if name not in (natural.name, Phase.OVER.name):
            raise NotationError(f"phase: {name.lower()} does not fit the table")
        return Phase[name]

    def _set_result(self) -> None:
        s = self.s
        reasons = (Reason.TRICKS.name.lower(), Reason.FORFEIT.name.lower())
        if self.fields.get("reason") not in reasons:
            raise NotationError(f"reason: a deal that is over takes one of {', '.join(reasons)}")
        s["reason"] = Reason[self.fields["reason"].upper()]
        if "durak" in self.fields:
            s["durak"] = self._number("durak", 0, 1)
        if s["reason"] == Reason.TRICKS and s["durak"] >= 0:
            s["places"][:2] = 1 - s["durak"], s["durak"]
            s["placed"] = 2

    def _check_reachable(self) -> None:
        s = self.s
        won, played = int(s["tricks"].sum()), int(s["discard"]).bit_count()
        if 2 * won != played:
            raise NotationError(f"tricks: {won} won tricks, but {played} cards are discarded")
        if s["phase"] == Phase.OVER:
            return
        lead, follow = int(s["leader"]), int(s["defender"])
        counts = [
            int(s["hands"][seat]).bit_count() + int(s["covered"][seat]).bit_count()
            for seat in range(2)
        ]
        if counts[lead] + int(s["attacks"]) != counts[follow] or not counts[follow]:
            raise NotationError(
                f"hands: seat {lead} leads with {counts[lead]} cards left, "
                f"but seat {follow} has {counts[follow]}"
            )
        self._check_open_places()

    def _check_open_places(self) -> None:
        """A face-down card lies bare only between a lead from its place and the answer."""
        s = self.s
        for seat in range(2):
            bare = int(s["covered"][seat]) & ~sum(
                1 << place for place, up in enumerate(s["up"][seat]) if up >= 0
            )
            waits = self.rules.flip == "after_trick" and s["attacks"] and seat == s["leader"]
            if bare and not (waits and bare.bit_count() == 1):
                raise NotationError(f"rows: seat {seat} has a face-down card with nothing on it")


def trick_fields(rules: Rules, s: Row, codes: CardCodes) -> dict[str, str]:
    """The fields of a game of tricks."""
    hands = [int(s["hands"][seat]) & ~int(s["known"][seat]) for seat in range(2)]
    return {
        "hands": " | ".join(format_cards(codes.cards(hand)) for hand in hands),
        "rows": " | ".join(_row_text(rules, s, codes, seat) for seat in range(2)),
        "table": format_cards([codes.card(int(s["attack"][0]))] if s["attacks"] else []),
        "discard": format_cards(codes.cards(s["discard"])),
        "tricks": " ".join(str(won) for won in s["tricks"]),
        "leader": str(s["leader"]),
        "phase": Phase(int(s["phase"])).name.lower(),
        "bout": str(s["bout"]),
    }


def _row_text(rules: Rules, s: Row, codes: CardCodes, seat: int) -> str:
    places = [
        "/".join("-" if code < 0 else str(codes.card(code)) for code in place)
        for place in zip(s["down"][seat].tolist(), s["up"][seat].tolist(), strict=True)
    ]
    while places and places[-1] == "-/-":
        places.pop()
    return " ".join(places[: rules.hand_size])
