"""Positions: one game as a short text, and back.

    rules: podkidnoy(players=3)
    hands: 7s 8s | 9c Kd | 10h
    table: 7c/9c 8s
    stock: 10c 6d
    leader: 0

``table`` lists the attack cards as they were laid, each with its cover; ``stock`` is in drawing
order, the trump card last. ``?`` in a hand or in the stock stands for a card that is drawn by the
seed from those that stand nowhere; what then remains is the discard, unless ``discard`` says so.
Every other field has a natural default and is printed only where the game differs from it.
"""

from __future__ import annotations

import numpy as np

from durak_env.cards import RANKS, SUIT_LETTERS, Card, format_cards, full_deck, parse_cards
from durak_env.codes import CardCodes
from durak_env.engine.batch import beaters_of, resume
from durak_env.engine.bits import LANE
from durak_env.engine.state import (
    HANG_COMMITTED,
    HANG_OPEN,
    MAX_ATTACKS,
    MAX_QUIET_BOUTS,
    NOBODY,
    Phase,
    Reason,
    Row,
    Rows,
    new_rows,
)
from durak_env.errors import NotationError
from durak_env.notation import format_fields, parse_fields, parse_number, parse_seats
from durak_env.rules import Rules

FIELDS = {
    "rules": "the rules, in their canonical text; podkidnoy if absent",
    "trump": "the trump card; the last card of the stock if absent",
    "hands": "the cards of each seat, separated by |",
    "known": "the publicly known cards of each hand, separated by |",
    "table": "attack cards in the order laid, each with its cover: 7c/9c 8s",
    "stock": "the stock in drawing order, the trump card last",
    "discard": "the discarded cards; every card that stands nowhere if absent",
    "leader": "the seat that opened the bout; 0 if absent",
    "attacker": "the seat with the first right to throw in; the leader if absent",
    "defender": "the seat that must answer; the next live one if absent",
    "phase": "lead, throw, defend, add or over; what the table says if absent",
    "start": "the defender's cards at the start of the bout",
    "passed": "the seats that passed since the last laid card",
    "layer": "the seat that laid the last attack card; the leader if absent",
    "target": "the attack card chosen to be beaten next",
    "shown": "trumps shown in this bout",
    "showed": "seats that showed a trump in this deal",
    "self": "attack cards that the defender threw to itself, and whether one waits: 2 waits",
    "levels": "the rank that each seat hangs, for epaulettes: 6 9",
    "hang": "how far the hang is: open or committed",
    "dead": "the lead is a dead one",
    "revealed": "jokers turned up above the trump card",
    "hung": "the seat that hung epaulettes",
    "emptied": "the seats that laid their last card in this bout, in that order",
    "places": "the seats that left the deal, in that order",
    "bout": "the number of the bout; 1 if absent",
    "quiet": "bouts in a row without a discard",
    "seen": "hashes of the positions since the last discard",
    "announced": "the card that decided the first lead, and its seat: 6d 0",
    "durak": "the durak of a deal that is over",
    "reason": "why the deal is over",
}
"""Every field of a position and what it means."""


def parse_position(text: str, seed: int | None = None) -> tuple[Rules, Rows]:
    """The rules of a position and its row, ready for the next decision.

    Raises:
        NotationError: the text is no position, or one that no game can reach.
        RulesError: its rules do not exist.
    """
    return build_position(parse_fields(text, FIELDS), seed)


def build_position(fields: dict[str, str], seed: int | None = None) -> tuple[Rules, Rows]:
    """`parse_position` for fields that are parsed already."""
    rules = Rules.parse(fields.get("rules", "podkidnoy"))
    return rules, _Reader(rules, fields, seed).row()


class _Reader:
    """Builds the row of one position."""

    def __init__(self, rules: Rules, fields: dict[str, str], seed: int | None) -> None:
        self.rules = rules
        self.fields = fields
        self.seed = seed
        self.rows = new_rows(rules, 1)
        self.s: Row = self.rows[0]
        trump_text = fields.get("trump") or fields.get("stock", "").rpartition(" ")[2]
        if trump_text in ("", "?"):
            raise NotationError("trump: give the trump card, here or as the last card of the stock")
        trump = Card.parse(trump_text)
        self.codes = CardCodes.of_trump(rules, trump.suit)
        self.s["trump_card"] = self.codes.code(trump)
        self.s["suits"] = NOBODY
        self.s["suits"][: rules.suits] = self.codes.suits

    def row(self) -> Rows:
        for name in ("attack", "cover", "emptied", "places"):
            self.s[name] = NOBODY
        for name in ("announced", "announced_by", "durak", "target", "hung", "revealed"):
            self.s[name] = NOBODY
        self._lay_out_cards()
        self._set_roles()
        self._set_history()
        if self.s["phase"] != Phase.OVER:
            self._check_reachable()
        resume(self.rows, 0)
        return self.rows

    # --- cards ------------------------------------------------------------------------------

    def _lay_out_cards(self) -> None:
        hands = self._per_seat("hands")
        stock = self.fields.get("stock", "").split()
        table = self._read_table()
        spare = self._spare_cards(hands, stock, table)
        missing = sum(words.count("?") for words in (*hands, stock))
        if missing > len(spare):
            raise NotationError(f"{missing} cards are ?, but only {len(spare)} stand nowhere")
        np.random.default_rng(self.seed).shuffle(spare)
        for words in (*hands, stock):
            for k, word in enumerate(words):
                if word == "?":
                    words[k] = str(spare.pop())
        if "discard" in self.fields and spare:
            raise NotationError(f"these cards stand nowhere: {format_cards(sorted(spare))}")
        self._write_cards(hands, stock, table)

    def _per_seat(self, key: str) -> list[list[str]]:
        parts = self.fields.get(key, "").split("|")
        if len(parts) != self.rules.players:
            raise NotationError(
                f"{key}: {len(parts)} seats, but the rules have players={self.rules.players}"
            )
        return [part.split() for part in parts]

    def _read_table(self) -> list[tuple[Card, Card | None]]:
        pairs = []
        for word in self.fields.get("table", "").split():
            attack, slash, cover = word.partition("/")
            pair = (Card.parse(attack), Card.parse(cover) if slash else None)
            if pair[1] is not None:
                attacked, covering = self.codes.code(pair[0]), self.codes.code(pair[1])
                if not int(beaters_of(self.rows, 0, attacked)) >> covering & 1:
                    raise NotationError(f"table: {cover} does not beat {attack}")
            pairs.append(pair)
        return pairs

    def _spare_cards(
        self, hands: list[list[str]], stock: list[str], table: list[tuple[Card, Card | None]]
    ) -> list[Card]:
        placed = [Card.parse(word) for words in (*hands, stock) for word in words if word != "?"]
        placed += [card for pair in table for card in pair if card is not None]
        placed += [Card.parse(word) for word in self.fields.get("discard", "").split()]
        for card in placed:
            self.codes.code(card)
            if placed.count(card) > 1:
                raise NotationError(f"{card} stands twice")
        return [card for card in full_deck(self.rules.deck, self.rules.suits) if card not in placed]

    def _write_cards(
        self, hands: list[list[str]], stock: list[str], table: list[tuple[Card, Card | None]]
    ) -> None:
        s, codes = self.s, self.codes
        for seat, words in enumerate(hands):
            s["hands"][seat] = codes.mask(map(Card.parse, words))
        if "known" in self.fields:
            for seat, words in enumerate(self._per_seat("known")):
                s["known"][seat] = codes.mask(map(Card.parse, words))
                if int(s["known"][seat]) & ~int(s["hands"][seat]):
                    raise NotationError(f"known: seat {seat} does not hold {' '.join(words)}")
        turned_up = len(parse_cards(self.fields.get("revealed", ""))[:2])
        end = self.rules.deck + 1 + turned_up
        s["stock_end"], s["stock_next"] = end, end - len(stock)
        s["stock"] = NOBODY
        s["stock"][end - len(stock) : end] = [codes.code(Card.parse(word)) for word in stock]
        if stock and s["stock"][end - 1] != s["trump_card"]:
            raise NotationError("the trump card must be the last card of the stock")
        if len(table) > MAX_ATTACKS:
            raise NotationError(f"table: at most {MAX_ATTACKS} attack cards")
        laid = 0
        for k, (attack, cover) in enumerate(table):
            s["attack"][k] = codes.code(attack)
            laid |= codes.mask([attack] if cover is None else [attack, cover])
            if cover is None:
                s["unbeaten"] |= np.uint64(codes.mask([attack]))
                s["unbeaten_count"] += 1
            else:
                s["cover"][k] = codes.code(cover)
        s["attacks"] = len(table)
        s["table"] = laid
        ranks = {code % LANE for code in range(64) if laid >> code & 1}
        s["open"] = sum(1 << (suit * LANE + rank) for suit in range(4) for rank in ranks)
        everywhere = [int(hand) for hand in s["hands"]] + [laid]
        everywhere += [1 << int(code) for code in s["stock"][end - len(stock) : end]]
        s["discard"] = codes.mask(full_deck(self.rules.deck, self.rules.suits)) & ~sum(everywhere)
        s["discarded"] = s["discard"] != 0
        s["stock_was_empty"] = not stock

    # --- roles and history ------------------------------------------------------------------

    def _seat(self, key: str, default: int) -> int:
        text = self.fields.get(key)
        return default if text is None else parse_number(key, text, 0, self.rules.players - 1)

    def _number(self, key: str, default: int, high: int) -> int:
        text = self.fields.get(key)
        return default if text is None else parse_number(key, text, 0, high)

    def _next_live(self, seat: int) -> int:
        for step in range(1, self.rules.players):
            other = (seat + step) % self.rules.players
            if self.s["hands"][other] or self.s["stock_next"] < self.s["stock_end"]:
                return other
        return (seat + 1) % self.rules.players

    def _set_roles(self) -> None:
        s = self.s
        leader = self._seat("leader", 0)
        s["leader"] = leader
        s["attacker"] = self._seat("attacker", leader)
        s["defender"] = self._seat("defender", self._next_live(leader))
        s["last_layer"] = self._seat("layer", leader)
        for seat in parse_seats("passed", self.fields.get("passed", ""), self.rules.players):
            s["passed"] |= np.uint8(1 << seat)
        s["phase"] = self._phase()
        hand = int(s["hands"][s["defender"]]).bit_count()
        covers = int(s["attacks"] - s["unbeaten_count"])
        s["defender_start"] = self._number("start", hand + covers, self.rules.deck)
        if s["unbeaten_count"] > hand and s["phase"] != Phase.OVER and not self._may_overload():
            raise NotationError(
                f"table: {s['unbeaten_count']} unbeaten cards, but the defender holds {hand}"
            )
        if "target" in self.fields:
            code = self.codes.code(Card.parse(self.fields["target"]))
            if not int(s["unbeaten"]) >> code & 1:
                raise NotationError(f"target: {self.fields['target']} is not unbeaten")
            s["target"] = list(s["attack"]).index(code)

    def _may_overload(self) -> bool:
        """Whether the rules let an attack be larger than the defender's hand."""
        return self.rules.transfer_hand == "unrestricted" or self.rules.hang_ignores_hand_cap

    def _phase(self) -> Phase:
        if "phase" in self.fields:
            name = self.fields["phase"].upper()
            if name not in Phase.__members__:
                raise NotationError(
                    f"phase: {name.lower()!r} is none of {', '.join(Phase.__members__).lower()}"
                )
            return Phase[name]
        if not self.s["attacks"]:
            return Phase.LEAD
        return Phase.DEFEND if self.s["unbeaten_count"] else Phase.THROW

    def _set_history(self) -> None:
        s, players = self.s, self.rules.players
        emptied = parse_seats("emptied", self.fields.get("emptied", ""), players)
        s["emptied"][: len(emptied)] = emptied
        s["emptied_count"] = len(emptied)
        places = parse_seats("places", self.fields.get("places", ""), players)
        s["places"][: len(places)] = places
        s["placed"] = len(places)
        s["bout"] = self._number("bout", 1, 10_000)
        s["quiet"] = self._number("quiet", 0, MAX_QUIET_BOUTS)
        self._set_seen()
        self._set_announced()
        self._set_rare()
        if s["phase"] == Phase.OVER:
            self._set_result()
        for seat in places:
            if seat != s["durak"] or s["reason"] == Reason.LAST_DEFENDER:
                s["out"] |= np.uint8(1 << seat)

    def _check_reachable(self) -> None:
        """Refuse what the kernels could not go on from."""
        self._check_roles()
        self._check_table()
        if self.s["seen_count"] > self.s["quiet"] + 1:
            raise NotationError(
                f"seen: {self.s['seen_count']} positions in {self.s['quiet']} quiet bouts"
            )

    def _check_roles(self) -> None:
        s = self.s
        if s["attacker"] == s["defender"]:
            raise NotationError(f"defender: seat {s['defender']} cannot defend against itself")
        bout_begins = not s["attacks"] and s["stock_next"] == s["stock_end"]
        for name in ("leader", "defender"):
            if bout_begins and not s["hands"][s[name]]:
                raise NotationError(f"{name}: seat {s[name]} has no cards")
        for seat in range(self.rules.players):
            if s["out"] >> seat & 1 and s["hands"][seat]:
                raise NotationError(f"places: seat {seat} has cards")

    def _check_table(self) -> None:
        s, phase = self.s, Phase(int(self.s["phase"]))
        attacks, unbeaten = int(s["attacks"]), int(s["unbeaten_count"])
        ranks = {code % LANE for code in s["attack"][:attacks]}
        fits = {
            Phase.LEAD: unbeaten == attacks and len(ranks) <= 1,
            Phase.THROW: attacks > 0,
            Phase.DEFEND: unbeaten > 0,
            Phase.ADD: unbeaten > 0,
            Phase.TRANSFER: unbeaten == attacks > 0 and len(ranks) == 1,
        }
        if not fits[phase]:
            raise NotationError(f"phase: {phase.name.lower()} does not fit the table")
        beaten = s["cover"][:attacks] >= 0
        if self.rules.cover_order == "table" and (beaten[1:] > beaten[:-1]).any():
            raise NotationError("table: with cover_order=table the oldest card is beaten first")
        if s["defender_start"] < attacks and not self._may_overload():
            raise NotationError(f"start: {attacks} attack cards, but {s['defender_start']} cards")

    def _set_seen(self) -> None:
        hashes = self.fields.get("seen", "").split()
        try:
            values = [int(word, 16) for word in hashes]
        except ValueError:
            raise NotationError(f"seen: {' '.join(hashes)!r} is no list of hashes") from None
        if len(values) > MAX_QUIET_BOUTS or any(not 0 <= value < 2**32 for value in values):
            raise NotationError(f"seen: at most {MAX_QUIET_BOUTS} hashes of eight hex digits")
        self.s["seen"][: len(values)] = values
        self.s["seen_count"] = len(values)
        self.s["occurrences"] = values.count(values[-1]) if values else 0

    def _set_rare(self) -> None:
        """What only some rules have."""
        s, fields = self.s, self.fields
        s["shown"] = self.codes.mask(parse_cards(fields.get("shown", "")))
        for seat in parse_seats("showed", fields.get("showed", ""), self.rules.players):
            s["showed"] |= np.uint8(1 << seat)
        count, _, waits = fields.get("self", "0").partition(" ")
        s["self_throws"] = parse_number("self", count, 0, int(s["attacks"]))
        s["self_pending"] = waits == "waits"
        for seat, rank in enumerate(fields.get("levels", "").split()[: self.rules.players]):
            suit = SUIT_LETTERS[self.codes.trump]
            s["level"][seat] = self.codes.code(Card.parse(rank + suit)) % LANE
        names = {"": 0, "open": HANG_OPEN, "committed": HANG_COMMITTED}
        if fields.get("hang", "") not in names:
            raise NotationError(f"hang: {fields['hang']!r} is not open or committed")
        s["hang"] = names[fields.get("hang", "")]
        s["dead_lead"] = "dead" in fields
        s["hung"] = self._seat("hung", NOBODY)
        revealed = [self.codes.code(card) for card in parse_cards(fields.get("revealed", ""))]
        s["revealed"][: len(revealed)] = revealed[:2]

    def _set_announced(self) -> None:
        if "announced" not in self.fields:
            return
        card, _, seat = self.fields["announced"].partition(" ")
        self.s["announced"] = self.codes.code(Card.parse(card))
        self.s["announced_by"] = parse_number("announced", seat, 0, self.rules.players - 1)

    def _set_result(self) -> None:
        names = [reason.name.lower() for reason in Reason if reason]
        if self.fields.get("reason") not in names:
            raise NotationError(f"reason: a deal that is over takes one of {', '.join(names)}")
        self.s["reason"] = Reason[self.fields["reason"].upper()]
        self.s["durak"] = self._seat("durak", NOBODY)


def format_position(rules: Rules, rows: Rows) -> str:
    """The text of a row; `parse_position` makes the same game of it."""
    s: Row = rows[0]
    codes = CardCodes.of_row(rules, s)
    players = range(rules.players)
    stock = [int(code) for code in s["stock"][s["stock_next"] : s["stock_end"]]]
    table = []
    for k in range(int(s["attacks"])):
        cover = int(s["cover"][k])
        attack = str(codes.card(int(s["attack"][k])))
        table.append(attack if cover < 0 else f"{attack}/{codes.card(cover)}")

    def per_seat(name: str) -> str:
        return " | ".join(format_cards(codes.cards(s[name][seat])) for seat in players)

    fields = {
        "rules": str(rules),
        "trump": str(codes.card(int(s["trump_card"]))),
        "hands": per_seat("hands"),
        "table": " ".join(table),
        "stock": format_cards([codes.card(code) for code in stock]),
        "discard": format_cards(codes.cards(s["discard"])),
        "leader": str(s["leader"]),
        "attacker": str(s["attacker"]),
        "defender": str(s["defender"]),
        "phase": Phase(int(s["phase"])).name.lower(),
        "start": str(s["defender_start"]),
        "bout": str(s["bout"]),
    }
    if any(s["known"]):
        fields["known"] = per_seat("known")
    if s["passed"]:
        fields["passed"] = " ".join(str(seat) for seat in players if s["passed"] >> seat & 1)
    if s["last_layer"] != s["leader"]:
        fields["layer"] = str(s["last_layer"])
    fields |= _format_rare(rules, s, codes)
    if s["target"] >= 0:
        fields["target"] = str(codes.card(int(s["attack"][s["target"]])))
    for name, count in (("emptied", "emptied_count"), ("places", "placed")):
        if s[count]:
            fields[name] = " ".join(map(str, s[name][: s[count]]))
    if s["quiet"]:
        fields["quiet"] = str(s["quiet"])
    if s["seen_count"]:
        fields["seen"] = " ".join(f"{value:08x}" for value in s["seen"][: s["seen_count"]])
    if s["announced"] >= 0:
        fields["announced"] = f"{codes.card(int(s['announced']))} {s['announced_by']}"
    if s["phase"] == Phase.OVER:
        fields["reason"] = Reason(int(s["reason"])).name.lower()
        if s["durak"] >= 0:
            fields["durak"] = str(s["durak"])
    return format_fields(fields)


def _format_rare(rules: Rules, s: Row, codes: CardCodes) -> dict[str, str]:
    """The fields that only some rules have."""
    fields = {}
    if s["shown"]:
        fields["shown"] = format_cards(codes.cards(s["shown"]))
    if s["showed"]:
        showed = [seat for seat in range(rules.players) if s["showed"] >> seat & 1]
        fields["showed"] = " ".join(map(str, showed))
    if s["self_throws"]:
        fields["self"] = f"{s['self_throws']}" + (" waits" if s["self_pending"] else "")
    if rules.epaulettes:
        ranks = [codes.card(int(level)) for level in s["level"][: rules.players]]
        fields["levels"] = " ".join(RANKS[card.rank] for card in ranks)
    if s["hang"]:
        fields["hang"] = "open" if s["hang"] == HANG_OPEN else "committed"
    if s["dead_lead"]:
        fields["dead"] = "yes"
    if s["hung"] >= 0:
        fields["hung"] = str(s["hung"])
    if s["revealed"][0] >= 0:
        jokers = [codes.card(int(code)) for code in s["revealed"] if code >= 0]
        fields["revealed"] = format_cards(jokers)
    return fields
