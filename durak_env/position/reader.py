"""The fields of a position to rows."""

from __future__ import annotations

import numpy as np

from durak_env.cards import (
    JOKER_RANK,
    SUIT_LETTERS,
    Card,
    format_cards,
    full_deck,
    parse_cards,
)
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
from durak_env.notation import parse_number, parse_seats
from durak_env.position.places import cards_not_in, fill_unknown
from durak_env.rules import Rules


class BoutReader:
    """Builds the row of one position of a game of bouts."""

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
        joker = trump.rank == JOKER_RANK
        if joker and rules.joker_turned_up != "no_trump":
            raise NotationError(f"trump: {trump} is no trump card, unless joker_turned_up=no_trump")
        self.codes = CardCodes.of_first_suit(rules, trump.suit, no_trump=joker)
        self.s["no_trump"] = joker
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
        fill_unknown((*hands, stock), spare, self.seed)
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
        return cards_not_in(placed, self.codes)

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
            Phase.LEAD: (unbeaten == attacks and len(ranks) <= 1) or s["hang"] > 0,
            Phase.THROW: attacks > 0,
            Phase.DEFEND: unbeaten > 0,
            Phase.ADD: unbeaten > 0,
            Phase.TRANSFER: unbeaten == attacks > 0 and len(ranks) == 1,
            Phase.FOLLOW: False,
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
        s["transfers"] = self._number("transfers", 0, 127)
        s["shown"] = self.codes.mask(parse_cards(fields.get("shown", "")))
        for seat in parse_seats("showed", fields.get("showed", ""), self.rules.players):
            s["showed"] |= np.uint8(1 << seat)
        count, _, waits = fields.get("self", "0").partition(" ")
        s["self_throws"] = parse_number("self", count, 0, int(s["attacks"]))
        s["self_pending"] = waits == "waits"
        for seat, rank in enumerate(fields.get("levels", "").split()[: self.rules.players]):
            suit = SUIT_LETTERS[self.codes.first_suit]
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
