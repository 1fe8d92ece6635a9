"""`Rules`: every option of one game in one frozen, validated value, and the named presets.

The options are those of the rules study, section 2.1 (P1 ... P41); each carries its number.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from durak_env.cards import DECKS, RANKS, SUIT_LETTERS, SUITS_OF, joker_count
from durak_env.errors import RulesError

OptionValue: TypeAlias = int | str | bool | None

RankOrder = Literal["plain", "lowest_beats_ace", "lowest_trump_beats_ace"]
LeadMode = Literal["single", "set"]
ThrowIn = Literal["none", "on"]
Throwers = Literal["all", "neighbours", "attacker_only"]
ThrowOrder = Literal["priority", "round_robin", "free"]
ThrowTiming = Literal["when_all_beaten", "anytime"]
CoverOrder = Literal["table", "any"]
FirstLimitScope = Literal["first_bout", "until_first_discard"]
CapWhenStockEmpty = Literal["same", "none"]
DrawOrder = Literal["leader_then_clockwise_defender_last", "strict_clockwise"]
FirstLead = Literal["lowest_trump", "left_of_dealer", "lot"]
NoTrumpFallback = Literal["lowest_card", "lot"]
LaterFirst = Literal["lowest_trump", "prev_winner", "pod_duraka", "iz_pod_duraka"]
DrawPolicy = Literal["draw", "last_defender_loses"]
GoOut = Literal["bout_end", "immediately"]
PlaceOrder = Literal["time", "seat"]
TransferHand = Literal["at_least_table", "unrestricted"]
TransferCards = Literal["one", "many"]
NewAttacker = Literal["transferrer", "leader"]
DrawFirst = Literal["attacker", "leader"]
ShowLimit = Literal["once_per_bout_per_card", "once_per_deal_per_player", "none"]
SelfThrow = Literal["none", "atomic", "free"]
StockLeadScope = Literal["every_lead", "first_lead_of_deal"]
TrumpWhenDealtOut = Literal["last_dealt", "exposed"]
PlainJoker = Literal["beats_own_colour", "beats_all", "off"]
JokerTurnedUp = Literal["reveal_next", "no_trump"]
DeadLead = Literal["allow_special", "no_result"]
Flip = Literal["immediate", "after_trick"]
FollowScope = Literal["hand_and_row", "hand_only"]
TrumpSuit = Literal["s", "c", "h", "d"]

MAX_PLAYERS = 8
MAX_HAND_SIZE = 12
MAX_ROW = 6
"""The most places in a row of the game of tricks."""


def option(default: OptionValue, doc: str, *, low: int = 0, high: int = 0) -> Any:
    """A field of `Rules`; integer options accept ``low`` ... ``high``."""
    return dataclasses.field(default=default, metadata={"doc": doc, "low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """All options of one game.

    A value is validated when it is made, is hashable, and has a canonical text that reads back to
    the same value: ``Rules.parse(str(rules)) == rules``. The defaults are those of ``podkidnoy``.

    Raises:
        RulesError: an option does not accept its value, or two options contradict each other.
    """

    variant: str = "podkidnoy"
    """The preset that the options start from."""

    players: int = option(2, "number of seats (P2)", low=2, high=MAX_PLAYERS)
    deck: int = option(36, "number of cards; 54: with two jokers (P1)", low=4, high=54)
    suits: int = option(4, "number of suits; fewer make small decks for research", low=2, high=4)
    hand_size: int = option(6, "cards dealt, and drawn up to (P3)", low=1, high=MAX_HAND_SIZE)
    rank_order: RankOrder = option("plain", "whether the lowest card of a suit beats its ace (P4)")
    lead_mode: LeadMode = option("set", "lead one card, or several of one rank (P8)")
    throw_in: ThrowIn = option("on", "whether cards are thrown in at all (P9)")
    throwers: Throwers = option("all", "who may throw in (P10, P12)")
    throw_order: ThrowOrder = option("round_robin", "who is asked first to throw in (P11)")
    throw_timing: ThrowTiming = option(
        "when_all_beaten", "throw in when all is beaten, or at any time (P13)"
    )
    cover_order: CoverOrder | None = option(
        None, "beat in table order or in any (7.5); by default any with throw_timing=anytime"
    )
    add_after_take: bool = option(True, "add cards after the defender takes (P14)")
    first_limit: int | None = option(5, "attack cards in the first bout (P15)", low=1, high=26)
    first_limit_scope: FirstLimitScope = option(
        "until_first_discard", "how long the first limit holds (P16)"
    )
    first_cap_on_take: int = option(
        6, "the first limit once the defender takes (P17)", low=1, high=26
    )
    cap: int | None = option(6, "attack cards in a bout (P18)", low=1, high=26)
    cap_when_stock_empty: CapWhenStockEmpty | None = option(
        "none", "whether the cap holds in bouts that start with an empty stock (P18)"
    )
    draw_order: DrawOrder = option("leader_then_clockwise_defender_last", "who draws first (P25)")
    go_out: GoOut = option("bout_end", "when an empty hand leaves the deal (P27)")
    first_lead: FirstLead = option("lowest_trump", "who leads the first bout (P28)")
    no_trump_fallback: NoTrumpFallback = option(
        "lowest_card", "who leads when no hand holds a trump (P29)"
    )
    later_first: LaterFirst = option("prev_winner", "who leads the next deal of a match (P30)")
    draw_policy: DrawPolicy = option("draw", "what happens when all hands are empty (P33)")
    repetition: int | None = option(
        3,
        "occurrences of a position that make a draw; 200 quiet bouts always do (P34)",
        low=2,
        high=100,
    )
    discard_visible: bool = option(False, "whether pictures show the discard face up (P35)")
    open_hands: bool = option(False, "whether pictures show every hand face up (P35)")
    place_order: PlaceOrder = option(
        "time", "order of places among seats that go out in one bout (P41)"
    )
    ask_everyone: bool = option(
        False, "ask seats that can only pass, so that being asked tells nothing (7.4)"
    )
    transfer: bool = option(False, "pass the attack on by a card of its rank (P19)")
    transfer_hand: TransferHand = option(
        "at_least_table", "cards that the next defender must hold (P19c)"
    )
    transfer_first_bout: bool = option(True, "transfer in the first bout as well (P19d)")
    transfer_cards: TransferCards = option("one", "cards laid in one transfer (P19e)")
    transfer_chain: int | None = option(None, "transfers in one bout (P19f)", low=1, high=26)
    transfer_two_players: bool = option(True, "transfer with two seats left, back to (P19g)")
    new_attacker: NewAttacker = option("transferrer", "who attacks after a transfer (P19h)")
    draw_first_after_transfer: DrawFirst = option(
        "attacker", "who draws first after a transfer (P26)"
    )
    show_transfer: bool = option(False, "transfer by showing the trump of the rank (P20)")
    show_limit: ShowLimit = option(
        "once_per_bout_per_card", "how often a trump may be shown (P20a)"
    )
    self_throw: SelfThrow = option("none", "the defender throws in to itself (P21)")
    self_throw_in_cap: bool = option(True, "whether such cards count in the cap (P21a)")
    stock_lead: bool = option(False, "lead the top card of the stock (P22)")
    stock_lead_scope: StockLeadScope = option("every_lead", "which leads (P22b)")
    stock_lead_peek: bool = option(False, "whether the leader sees that card before (P22a)")
    trump_when_dealt_out: TrumpWhenDealtOut = option(
        "last_dealt",
        "trump card when all are dealt: the last one, or one the dealer shows (P23)",
    )
    trump_joker: bool = option(True, "the joker of the trump's colour is the highest trump (P5)")
    plain_joker: PlainJoker = option("beats_own_colour", "what a plain joker beats (P6)")
    joker_may_attack: bool = option(True, "jokers may be led, thrown in, transferred (P7a)")
    joker_transfer: bool = option(True, "a joker transfers a joker (P7c)")
    joker_turned_up: JokerTurnedUp = option(
        "reveal_next", "a joker as trump card: turn up the next card, or play without trumps (P24)"
    )
    epaulettes: bool = option(False, "hang sets of one rank on the durak (P37, 4.1)")
    trump_exempt: bool = option(True, "the trump of one's own rank is a card like others (P37)")
    hang_ignores_hand_cap: bool = option(False, "hang more cards than the defender holds (P37, H5)")
    hang_by_throw_in: bool = option(False, "hang by throwing in as well as by a lead (E109)")
    dead_lead: DeadLead = option("allow_special", "when every card is barred from the lead (H6)")
    tricks: bool = option(False, "play for tricks, with rows of face-down and face-up cards (P38)")
    target: int = option(21, "points that win a match for tricks (P38)", low=1, high=500)
    flip: Flip = option("immediate", "when the card under a played one is turned up (P38)")
    follow_scope: FollowScope = option(
        "hand_and_row", "where the led suit must be looked for (P38)"
    )
    trump_suit: TrumpSuit | None = option(None, "the trump suit of the game of tricks (P38)")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Rules are the key of many tables, and have many fields."""
        return hash((self.variant, *self.options().values()))

    def __post_init__(self) -> None:
        if self.variant not in PRESETS:
            raise RulesError(f"unknown preset {self.variant!r}; known: {', '.join(PRESETS)}")
        if self.cap_when_stock_empty is None:
            object.__setattr__(self, "cap_when_stock_empty", "none")
        for field in OPTIONS.values():
            _check_value(field, getattr(self, field.name))
        if self.cover_order is None:
            natural = "any" if self.throw_timing == "anytime" else "table"
            object.__setattr__(self, "cover_order", natural)
        self._check_together()

    def _check_together(self) -> None:
        low, high = PRESETS[self.variant].players
        if not low <= self.players <= high:
            raise RulesError(
                f"players={self.players} does not fit {self.variant}: it takes {low} to {high}"
            )
        self._check_deck()
        if self.show_transfer and not self.transfer:
            raise RulesError("show_transfer=true needs transfer=true")
        if self.epaulettes and (self.players != 2 or self.transfer or self.self_throw != "none"):
            raise RulesError("epaulettes=true needs players=2, transfer=false and self_throw=none")
        if self.tricks:
            self._check_tricks()
        elif self.trump_suit is not None:
            raise RulesError(f"trump_suit={self.trump_suit} needs tricks=true")
        if self.players * self.hand_size > self.deck:
            raise RulesError(
                f"players={self.players} with hand_size={self.hand_size} need "
                f"{self.players * self.hand_size} cards, but deck={self.deck}"
            )

    def _check_tricks(self) -> None:
        if self.players != 2 or self.deck != 6 * self.hand_size or self.hand_size > MAX_ROW:
            raise RulesError(
                "tricks=true needs players=2 and a deck of 6 x hand_size cards, hand_size at most "
                f"{MAX_ROW}; not players={self.players}, deck={self.deck}, "
                f"hand_size={self.hand_size}"
            )
        for name, value in NOT_IN_TRICKS.items():
            if getattr(self, name) != value:
                raise RulesError(
                    f"tricks=true needs {name}={format_value(value)}, "
                    f"not {format_value(getattr(self, name))}"
                )
        letters = [SUIT_LETTERS[suit] for suit in SUITS_OF[self.suits]]
        if self.trump_suit not in (None, *letters):
            raise RulesError(
                f"trump_suit={self.trump_suit} is not accepted with suits={self.suits}; "
                f"trump_suit takes {', '.join(letters)} or none"
            )

    def _check_deck(self) -> None:
        ranks, rest = divmod(self.deck - joker_count(self.deck), self.suits)
        if rest or not 2 <= ranks <= len(RANKS) or (joker_count(self.deck) and self.suits != 4):
            raise RulesError(
                f"deck={self.deck} is not accepted with suits={self.suits}; "
                f"deck takes {describe_deck(self.suits)}"
            )

    # --- presets and text -------------------------------------------------------------------

    @classmethod
    def preset(cls, name: str, /, **options: OptionValue) -> Rules:
        """The preset of this name or alias, with some options changed.

        Raises:
            RulesError: no such preset, no such option, or a value that is not accepted.
        """
        variant = find_preset(name)
        for key in options:
            if key not in OPTIONS:
                raise RulesError(f"unknown option {key!r}; known: {', '.join(OPTIONS)}")
        values: dict[str, Any] = {**PRESETS[variant].options, **options}
        return cls(variant=variant, **values)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read the canonical text: ``podkidnoy``, ``podkidnoy(players=3,cap=none)``.

        Raises:
            RulesError: the text is not of that form, or names what does not exist.
        """
        match = re.fullmatch(r"\s*([\w+-][\w +-]*?)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
        if match is None:
            raise RulesError(f"{text!r} is no rules text; write preset(option=value,...)")
        name, inside = match.groups()
        options: dict[str, OptionValue] = {}
        for item in filter(str.strip, (inside or "").split(",")):
            key, equals, value = (part.strip() for part in item.partition("="))
            if not equals:
                raise RulesError(f"{item.strip()!r} in {text!r} is not of the form option=value")
            if key in options:
                raise RulesError(f"option {key!r} stands twice in {text!r}")
            options[key] = parse_value(key, value)
        return cls.preset(name, **options)

    def __str__(self) -> str:
        changed = [f"{key}={format_value(value)}" for key, value in self.changed().items()]
        return self.variant + (f"({','.join(changed)})" if changed else "")

    def to_json(self) -> str:
        """The preset and every option as one JSON object, which `from_json` reads."""
        return json.dumps({"variant": self.variant, **self.options()})

    @classmethod
    def from_json(cls, text: str) -> Rules:
        """Read the JSON of rules; options that it does not name are those of the preset.

        Raises:
            RulesError: the text is no such JSON, or names what does not exist or go together.
        """
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise RulesError(f"{text!r} is no JSON ({error})") from None
        if not isinstance(values, dict) or not isinstance(values.get("variant"), str):
            raise RulesError('the JSON of rules is an object such as {"variant": "podkidnoy"}')
        return cls.preset(values.pop("variant"), **values)

    def changed(self) -> dict[str, OptionValue]:
        """The options in which these rules differ from their preset."""
        base = Rules.preset(self.variant).options()
        if self.throw_timing != base["throw_timing"]:
            base["cover_order"] = "any" if self.throw_timing == "anytime" else "table"
        return {key: value for key, value in self.options().items() if value != base[key]}

    def options(self) -> dict[str, OptionValue]:
        """Every option and its value."""
        return {key: getattr(self, key) for key in OPTIONS}


OPTIONS: dict[str, dataclasses.Field[Any]] = {
    field.name: field for field in dataclasses.fields(Rules) if field.metadata
}
"""Every option of `Rules` by name."""

NOT_IN_TRICKS: dict[str, OptionValue] = {
    "rank_order": "plain",
    "cover_order": "table",
    "transfer": False,
    "self_throw": "none",
    "stock_lead": False,
    "epaulettes": False,
}
"""What the game of tricks leaves no room for: the values that these options have in it."""

_TYPES = get_type_hints(Rules)


def accepted_values(name: str) -> tuple[OptionValue, ...] | None:
    """The values that an option accepts where they can be listed; None for a range of integers."""
    hint = _TYPES[name]
    if hint is bool:
        return (False, True)
    members = get_args(hint) if get_origin(hint) is not Literal else (hint,)
    choices = [value for member in members for value in get_args(member)]
    return tuple(choices) or None


def describe_deck(suits: int) -> str:
    """The decks of so many suits."""
    usual = f"{', '.join(map(str, DECKS))} or " if suits == 4 else ""
    return f"{usual}{suits} x 2 ... {len(RANKS)} cards"


def describe_accepted(name: str) -> str:
    """What an option accepts, in words."""
    if name == "deck":
        return describe_deck(4)
    choices = accepted_values(name)
    field = OPTIONS[name]
    if choices is None:
        text = f"{field.metadata['low']} to {field.metadata['high']}"
    else:
        text = ", ".join(format_value(value) for value in choices)
    nothing_named = _accepts_none(name) and "none" not in (choices or ())
    return text + (" or none" if nothing_named else "")


def _accepts_none(name: str) -> bool:
    return type(None) in get_args(_TYPES[name])


def _check_value(field: dataclasses.Field[Any], value: OptionValue) -> None:
    choices = accepted_values(field.name)
    if value is None:
        accepted = _accepts_none(field.name)
    elif choices is None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        accepted = whole and field.metadata["low"] <= value <= field.metadata["high"]
    else:
        accepted = any(value == choice and type(value) is type(choice) for choice in choices)
    if not accepted:
        raise RulesError(
            f"{field.name}={format_value(value)} is not accepted; "
            f"{field.name} takes {describe_accepted(field.name)}"
        )


def format_value(value: OptionValue) -> str:
    """An option's value as text: ``true``, ``none``, ``36``, ``neighbours``."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def parse_value(name: str, text: str) -> OptionValue:
    """The value that a text means for this option.

    Raises:
        RulesError: no option has this name.
    """
    if name not in OPTIONS:
        raise RulesError(f"unknown option {name!r}; known: {', '.join(OPTIONS)}")
    lowered = text.strip().lower()
    choices = accepted_values(name) or ()
    if lowered in ("none", "off") and not {"none", "off"} & set(choices):
        return None
    if lowered in ("true", "false"):
        return lowered == "true"
    return int(lowered) if re.fullmatch(r"-?\d+", lowered) else lowered


@dataclass(frozen=True)
class Preset:
    """A named set of options."""

    summary: str
    players: tuple[int, int]
    decks: tuple[int, ...]
    aliases: tuple[str, ...]
    options: Mapping[str, Any]


PRESETS: dict[str, Preset] = {
    "podkidnoy": Preset(
        summary="throw-in durak: everybody but the defender may throw in (S000-55 ... S000-64)",
        players=(2, 6),
        decks=DECKS[:-1],
        aliases=("подкидной", "throw-in"),
        options={},
    ),
    "prostoy": Preset(
        summary="simple durak: a lead of one rank, nothing thrown in (S000-42 ... S000-52)",
        players=(2, 6),
        decks=DECKS[:-1],
        aliases=("простой", "simple"),
        options={"throw_in": "none", "add_after_take": False, "first_limit": None, "cap": None},
    ),
    "site": Preset(
        summary="podkidnoy of a card-game site: throw in while the defender beats (S001-6 ... 20)",
        players=(2, 4),
        decks=DECKS[:-1],
        aliases=("сайт",),
        options={
            "lead_mode": "single",
            "throw_timing": "anytime",
            "throw_order": "free",
            "first_limit": None,
            "cap_when_stock_empty": "same",
            "later_first": "lowest_trump",
        },
    ),
    "perevodnoy": Preset(
        summary="podkidnoy in which the attack may be passed on (S001-26, S003-45 ... 47)",
        players=(2, 6),
        decks=DECKS[:-1],
        aliases=("переводной", "transfer"),
        options={"transfer": True, "throw_order": "priority"},
    ),
    "plus": Preset(
        summary="Durak +: one card at a time, priority of the attacker, six a bout (S003-1 ... 50)",
        players=(2, 6),
        decks=(36, 52),
        aliases=("дурак+", "durak+", "durak_plus"),
        options={
            "lead_mode": "single",
            "throw_order": "priority",
            "first_limit": None,
            "first_limit_scope": "first_bout",
            "first_cap_on_take": 5,
            "cap_when_stock_empty": "same",
            "draw_first_after_transfer": "leader",
            "later_first": "lowest_trump",
        },
    ),
    "epaulettes": Preset(
        summary="two players hang sixes, sevens, ... on each other (S000-2 ... S000-33)",
        players=(2, 2),
        decks=DECKS[:-1],
        aliases=("погоны", "с погонами", "pogony"),
        options={"epaulettes": True},
    ),
    "jokers": Preset(
        summary="podkidnoy with two jokers, up to eight players (S000-93 ... S000-105)",
        players=(2, 8),
        decks=(54,),
        aliases=("джокеры", "с джокерами"),
        options={"deck": 54},
    ),
    "armenian": Preset(
        summary="the leader may lead the top card of the stock (S002-1 ... S002-22)",
        players=(2, 6),
        decks=(36, 52),
        aliases=("армянский",),
        options={
            "lead_mode": "single",
            "throw_order": "priority",
            "first_limit": None,
            "cap_when_stock_empty": "same",
            "stock_lead": True,
            "later_first": "pod_duraka",
        },
    ),
    "armenian_tricks": Preset(
        summary="for two, without attack and defence: eighteen tricks a deal (S002-23 ... S002-33)",
        players=(2, 2),
        decks=(36,),
        aliases=("армянский 2", "armenian2"),
        options={"tricks": True},
    ),
    "american": Preset(
        summary="the defender may throw in to itself (S004-1 ... S004-14)",
        players=(2, 6),
        decks=(36, 52),
        aliases=("американский",),
        options={
            "lead_mode": "single",
            "throw_order": "priority",
            "first_limit": None,
            "cap_when_stock_empty": "same",
            "self_throw": "atomic",
            "later_first": "pod_duraka",
        },
    ),
}
"""Every preset by its name (rules study, section 2.2)."""


def find_preset(name: str) -> str:
    """The name of the preset that this name or alias means.

    Raises:
        RulesError: there is none.
    """
    wanted = name.strip().lower()
    for preset, facts in PRESETS.items():
        if wanted == preset or wanted in facts.aliases:
            return preset
    raise RulesError(f"unknown preset {name!r}; known: {', '.join(PRESETS)}")
