"""The options of a deal (section 2.1, 7.13, 7.14), their defaults and their allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .cards import DECK_WITH_JOKERS, RANKS, SUITS_OF_SMALL_DECKS


@dataclass(frozen=True)
class Options:
    """The options of section 2.1; the defaults are the podkidnoy preset (POD)."""

    players: int = 2
    deck: int = 36
    suits: int = 4
    hand_size: int = 6
    rank_order: str = "plain"
    lead_mode: str = "set"
    throw_in: str = "on"
    throwers: str = "all"
    throw_order: str = "round_robin"
    throw_timing: str = "when_all_beaten"
    cover_order: str = ""
    add_after_take: bool = True
    first_limit: int | None = 5
    first_limit_scope: str = "until_first_discard"
    first_cap_on_take: int = 6
    cap: int | None = 6
    cap_when_stock_empty: str = "none"
    transfer: bool = False
    transfer_hand: str = "at_least_table"
    transfer_first_bout: bool = True
    transfer_cards: str = "one"
    transfer_chain: int | None = None
    transfer_two_players: bool = True
    new_attacker: str = "transferrer"
    draw_first_after_transfer: str = "attacker"
    show_transfer: bool = False
    show_limit: str = "once_per_bout_per_card"
    self_throw: str = "none"
    self_throw_in_cap: bool = True
    stock_lead: bool = False
    stock_lead_scope: str = "every_lead"
    stock_lead_peek: bool = False
    trump_when_dealt_out: str = "last_dealt"
    trump_joker: bool = True
    plain_joker: str = "beats_own_colour"
    joker_may_attack: bool = True
    joker_transfer: bool = True
    joker_turned_up: str = "reveal_next"
    epaulettes: bool = False
    trump_exempt: bool = True
    hang_ignores_hand_cap: bool = False
    hang_by_throw_in: bool = False
    dead_lead: str = "allow_special"
    draw_order: str = "leader_then_clockwise_defender_last"
    first_lead: str = "lowest_trump"
    no_trump_fallback: str = "lowest_card"
    draw_policy: str = "draw"
    repetition: int | None = 3
    go_out: str = "bout_end"
    place_order: str = "time"
    ask_everyone: bool = False


CHOICES: dict[str, tuple[str, ...]] = {
    "rank_order": ("plain", "lowest_beats_ace", "lowest_trump_beats_ace"),
    "lead_mode": ("set", "single"),
    "throw_in": ("on", "none"),
    "throwers": ("all", "neighbours", "attacker_only"),
    "throw_order": ("round_robin", "priority", "free"),
    "throw_timing": ("when_all_beaten", "anytime"),
    "cover_order": ("table", "any"),
    "first_limit_scope": ("until_first_discard", "first_bout"),
    "cap_when_stock_empty": ("none", "same"),
    "transfer_hand": ("at_least_table", "unrestricted"),
    "transfer_cards": ("one", "many"),
    "new_attacker": ("transferrer", "leader"),
    "draw_first_after_transfer": ("attacker", "leader"),
    "show_limit": ("once_per_bout_per_card", "once_per_deal_per_player", "none"),
    "self_throw": ("none", "atomic", "free"),
    "stock_lead_scope": ("every_lead", "first_lead_of_deal"),
    "plain_joker": ("beats_own_colour", "beats_all", "off"),
    "trump_when_dealt_out": ("last_dealt", "exposed"),
    "joker_turned_up": ("reveal_next", "no_trump"),
    "dead_lead": ("allow_special", "no_result"),
    "draw_order": ("leader_then_clockwise_defender_last", "strict_clockwise"),
    "first_lead": ("lowest_trump", "left_of_dealer", "lot"),
    "no_trump_fallback": ("lowest_card", "lot"),
    "draw_policy": ("draw", "last_defender_loses"),
    "go_out": ("bout_end", "immediately"),
    "place_order": ("time", "seat"),
}
SWITCHES = (
    "add_after_take",
    "transfer",
    "transfer_first_bout",
    "transfer_two_players",
    "show_transfer",
    "self_throw_in_cap",
    "stock_lead",
    "stock_lead_peek",
    "trump_joker",
    "joker_may_attack",
    "joker_transfer",
    "epaulettes",
    "trump_exempt",
    "hang_ignores_hand_cap",
    "hang_by_throw_in",
    "ask_everyone",
)
NUMBERS = ("players", "deck", "suits", "hand_size", "first_cap_on_take")
LIMITS = {"first_limit": 1, "cap": 1, "repetition": 2, "transfer_chain": 1}


def parse_options(given: Mapping[str, Any]) -> Options:
    """Defaults filled in and every value checked; an unknown name or value is a ValueError."""
    unknown = set(given) - {field.name for field in fields(Options)}
    if unknown:
        raise ValueError(f"unknown option: {', '.join(sorted(unknown))}")
    for name, value in given.items():
        _check_value(name, value)
    values = dict(given)
    if "cover_order" not in values:
        anytime = values.get("throw_timing") == "anytime"
        values["cover_order"] = "any" if anytime else "table"  # 7.5
    options = Options(**values)
    _check_deck(options)
    _check_table(options)
    _check_game(options)
    return options


def _check_value(name: str, value: object) -> None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if name in CHOICES:
        fine = value in CHOICES[name]
    elif name in SWITCHES:
        fine = isinstance(value, bool)
    elif name in NUMBERS:
        fine = is_number
    else:
        fine = value is None or (isinstance(value, int) and is_number and value >= LIMITS[name])
    if not fine:
        raise ValueError(f"option {name} cannot be {value!r}")


def _check_deck(options: Options) -> None:
    """Two to thirteen ranks in two to four suits, or 52 cards and two jokers (P1)."""
    if options.suits not in SUITS_OF_SMALL_DECKS:
        raise ValueError("suits must be 2, 3 or 4")
    if options.deck == DECK_WITH_JOKERS and options.suits == 4:
        return
    ranks, rest = divmod(options.deck, options.suits)
    if rest or not 2 <= ranks <= len(RANKS):
        raise ValueError(f"no deck of {options.deck} cards in {options.suits} suits")


def _check_table(options: Options) -> None:
    """Enough cards for everybody (P2, E7)."""
    if not 2 <= options.players <= 8:
        raise ValueError("players must be 2 to 8")
    if options.hand_size < 1 or options.first_cap_on_take < 1:
        raise ValueError("hand_size and first_cap_on_take must be at least 1")
    if options.players * options.hand_size > options.deck:
        raise ValueError("the deck is too small for so many hands")


def _check_game(options: Options) -> None:
    """Options that need others (7.9, S000-2)."""
    if options.show_transfer and not options.transfer:
        raise ValueError("option show_transfer needs transfer")
    if options.epaulettes and options.players != 2:
        raise ValueError("option epaulettes needs two players")
