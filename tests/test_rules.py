"""`Rules`: what every option accepts, the presets, and the canonical text."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given

from durak_env import DurakError, Rules, RulesError
from durak_env.rules import (
    OPTIONS,
    PRESETS,
    accepted_values,
    describe_accepted,
    find_preset,
    format_value,
    parse_value,
)
from tests.strategies import any_rules

DEPENDENT = (
    *("players", "deck", "suits", "hand_size", "throw_timing", "cover_order"),
    *("transfer", "show_transfer", "epaulettes", "self_throw", "tricks", "trump_suit"),
)
"""The options that other options lean on: the text without them may mean nothing."""

RANGES = [name for name in OPTIONS if accepted_values(name) is None]
"""The options that take a whole number from a range."""

ROOMY: dict[str, Any] = {"players": 2, "hand_size": 1, "deck": 52}
"""A table at which no value contradicts another."""

NEEDS: dict[str, dict[str, Any]] = {
    "show_transfer": {"transfer": True},
    "suits": {"deck": 24},
    "tricks": {"deck": 36, "hand_size": 6},
    "trump_suit": {"tricks": True, "deck": 36, "hand_size": 6},
}
"""What some options need besides."""

ENDS = {"players": PRESETS["podkidnoy"].players, "deck": (8, 54)}
"""The ends of the ranges that other options narrow."""


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIONS)
def test_every_accepted_value(name: str) -> None:
    limits = OPTIONS[name].metadata
    ends = ENDS.get(name, (limits["low"], limits["high"]))
    for value in accepted_values(name) or ends:
        options = {**ROOMY, **NEEDS.get(name, {}), name: value}
        assert getattr(Rules.preset("podkidnoy", **options), name) == value


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("value", ["nonsense", "", 1.0, 36.0, -1, 1000, [], "36", "True"], ids=repr)
def test_what_no_option_accepts(name: str, value: Any) -> None:
    """The message names the option, the value and what is accepted."""
    with pytest.raises(RulesError) as error:
        Rules.preset("podkidnoy", **{name: value})
    message = str(error.value)
    assert message.startswith(f"{name}={format_value(value)} is not accepted")
    assert describe_accepted(name) in message


@pytest.mark.parametrize("name", RANGES)
def test_the_ends_of_a_range(name: str) -> None:
    limits = OPTIONS[name].metadata
    for value in (limits["low"] - 1, limits["high"] + 1, True):
        with pytest.raises(RulesError, match=f"^{name}="):
            Rules.preset("podkidnoy", **{name: value})


@pytest.mark.parametrize("name", OPTIONS)
def test_none(name: str) -> None:
    """7.14: None where a limit may be absent, and nowhere else."""
    named = "none" in (accepted_values(name) or ()) and name != "cap_when_stock_empty"
    if "none" in describe_accepted(name) and not named:
        Rules.preset("podkidnoy", **{name: None})
    else:
        with pytest.raises(RulesError, match=f"^{name}=none"):
            Rules.preset("podkidnoy", **{name: None})


@pytest.mark.parametrize(
    "name", [name for name in OPTIONS if accepted_values(name) == (False, True)]
)
def test_switches_are_no_numbers(name: str) -> None:
    with pytest.raises(RulesError, match=f"^{name}=1 is not accepted"):
        Rules.preset("podkidnoy", **{name: 1})


def test_unknown_names() -> None:
    with pytest.raises(RulesError, match="unknown option 'colour'; known: players, deck"):
        Rules.preset("podkidnoy", colour=1)
    with pytest.raises(RulesError, match="unknown preset 'poker'; known: podkidnoy"):
        Rules.preset("poker")
    with pytest.raises(RulesError, match="unknown preset 'poker'"):
        Rules(variant="poker")
    with pytest.raises(TypeError, match="colour"):
        Rules(colour=1)  # type: ignore[call-arg]


def test_errors_are_value_errors() -> None:
    assert issubclass(RulesError, DurakError)
    assert issubclass(DurakError, ValueError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 6, "hand_size": 7}, "need 42 cards, but deck=36"),
        ({"players": 5, "deck": 24}, "need 30 cards, but deck=24"),
        ({"players": 7, "deck": 52}, "players=7 does not fit podkidnoy: it takes 2 to 6"),
        ({"deck": 35}, "deck=35 is not accepted with suits=4; deck takes 24, 32, 36, 52, 54 or 4"),
        ({"deck": 36, "suits": 2}, "deck=36 is not accepted with suits=2; deck takes 2 x 2 ... 13"),
        ({"deck": 54, "suits": 3}, "deck=54 is not accepted with suits=3"),
        ({"deck": 4}, "deck=4 is not accepted with suits=4"),
        ({"show_transfer": True}, "show_transfer=true needs transfer=true"),
        ({"epaulettes": True, "players": 3}, "epaulettes=true needs players=2, transfer=false"),
        ({"epaulettes": True, "transfer": True}, "epaulettes=true needs .* transfer=false"),
        ({"epaulettes": True, "self_throw": "free"}, "epaulettes=true needs .* self_throw=none"),
    ],
)
def test_e7_contradictions(options: dict[str, Any], message: str) -> None:
    """E7, P1, B25, 7.9: the hands must fit the deck, the players the preset, and so on."""
    with pytest.raises(RulesError, match=message):
        Rules.preset("podkidnoy", **options)


@pytest.mark.parametrize(
    ("preset", "players"),
    [("site", (2, 4)), ("epaulettes", (2, 2)), ("american", (2, 6))],
)
def test_players_of_presets(preset: str, players: tuple[int, int]) -> None:
    """P2: S001-25 two to four, S000-2 two, S004-1 up to six."""
    low, high = players
    Rules.preset(preset, players=low)
    Rules.preset(preset, players=high)
    with pytest.raises(RulesError, match=f"does not fit {preset}: it takes {low} to {high}"):
        Rules.preset(preset, players=high + 1, deck=54)


def test_cover_order_follows_the_timing() -> None:
    """7.5: any where cards may be thrown in at any time, else table order; both may be asked."""
    assert Rules().cover_order == "table"
    assert Rules(throw_timing="anytime").cover_order == "any"
    assert Rules(throw_timing="anytime", cover_order="table").cover_order == "table"
    assert Rules(cover_order="any").cover_order == "any"


# --- presets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "values"),
    [
        ("podkidnoy", ("set", "on", "round_robin", "when_all_beaten", True, 5, 6, 6, "none")),
        (
            "prostoy",
            ("set", "none", "round_robin", "when_all_beaten", False, None, 6, None, "none"),
        ),
        ("site", ("single", "on", "free", "anytime", True, None, 6, 6, "same")),
        ("perevodnoy", ("set", "on", "priority", "when_all_beaten", True, 5, 6, 6, "none")),
        ("plus", ("single", "on", "priority", "when_all_beaten", True, None, 5, 6, "same")),
        ("epaulettes", ("set", "on", "round_robin", "when_all_beaten", True, 5, 6, 6, "none")),
        ("jokers", ("set", "on", "round_robin", "when_all_beaten", True, 5, 6, 6, "none")),
        ("armenian", ("single", "on", "priority", "when_all_beaten", True, None, 6, 6, "same")),
        ("american", ("single", "on", "priority", "when_all_beaten", True, None, 6, 6, "same")),
    ],
)
def test_preset_matrix(preset: str, values: tuple[Any, ...]) -> None:
    """Section 2.2."""
    rules = Rules.preset(preset)
    assert values == (
        rules.lead_mode,
        rules.throw_in,
        rules.throw_order,
        rules.throw_timing,
        rules.add_after_take,
        rules.first_limit,
        rules.first_cap_on_take,
        rules.cap,
        rules.cap_when_stock_empty,
    )
    common = (rules.hand_size, rules.throwers, rules.draw_policy, rules.repetition)
    assert common == (6, "all", "draw", 3)
    assert rules.deck == (54 if preset == "jokers" else 36)
    assert rules.transfer == (preset == "perevodnoy")
    assert rules.stock_lead == (preset == "armenian")
    assert rules.self_throw == ("atomic" if preset == "american" else "none")
    assert rules.epaulettes == (preset == "epaulettes")
    assert rules.draw_first_after_transfer == ("leader" if preset == "plus" else "attacker")
    assert rules.first_limit_scope == ("first_bout" if preset == "plus" else "until_first_discard")
    assert not rules.show_transfer


@pytest.mark.parametrize(
    ("preset", "later_first"),
    [
        ("podkidnoy", "prev_winner"),
        ("prostoy", "prev_winner"),
        ("site", "lowest_trump"),
        ("perevodnoy", "prev_winner"),
        ("plus", "lowest_trump"),
        ("epaulettes", "prev_winner"),
        ("jokers", "prev_winner"),
        ("armenian", "pod_duraka"),
        ("american", "pod_duraka"),
    ],
)
def test_later_first_of_presets(preset: str, later_first: str) -> None:
    """P30."""
    assert Rules.preset(preset).later_first == later_first


@pytest.mark.parametrize("preset", PRESETS)
def test_aliases(preset: str) -> None:
    for name in (preset, *PRESETS[preset].aliases):
        for spelling in (name, name.upper(), f" {name} "):
            assert find_preset(spelling) == preset
            assert Rules.parse(spelling) == Rules.preset(preset)


def test_aliases_are_unambiguous() -> None:
    names = [name for preset, facts in PRESETS.items() for name in (preset, *facts.aliases)]
    assert len(set(names)) == len(names)
    assert find_preset("подкидной") == "podkidnoy"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_size_of_a_preset(preset: str) -> None:
    low, high = PRESETS[preset].players
    for players in range(low, high + 1):
        for deck in PRESETS[preset].decks:
            if players * 6 <= deck:
                assert str(Rules.preset(preset, players=players, deck=deck)).startswith(preset)


# --- the value ----------------------------------------------------------------------------------


def test_rules_are_frozen_and_hashable() -> None:
    rules = Rules(players=3)
    assert {rules: "three"}[Rules.preset("podkidnoy", players=3)] == "three"
    assert rules != Rules.preset("prostoy", players=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.players = 4  # type: ignore[misc]
    with pytest.raises(RulesError, match="players=9"):
        dataclasses.replace(rules, players=9)


@given(rules=any_rules())
def test_the_text_reads_back(rules: Rules) -> None:
    again = Rules.parse(str(rules))
    assert again == rules
    assert (hash(again), str(again)) == (hash(rules), str(rules))
    assert Rules.preset(rules.variant, **rules.changed()) == rules


@given(rules=any_rules())
def test_the_text_names_only_what_differs(rules: Rules) -> None:
    changed = rules.changed()
    assert len(changed) == str(rules).count("=")
    for name in changed:
        if name not in DEPENDENT:
            rest = {key: value for key, value in changed.items() if key != name}
            assert Rules.preset(rules.variant, **rest) != rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("podkidnoy", Rules()),
        ("podkidnoy()", Rules()),
        (" podkidnoy ( players = 3 , cap = none, ) ", Rules(players=3, cap=None)),
        ("podkidnoy(cap=off,add_after_take=FALSE)", Rules(cap=None, add_after_take=False)),
        ("подкидной(throwers=neighbours)", Rules(throwers="neighbours")),
        ("podkidnoy(throw_in=none)", Rules(throw_in="none")),
        ("podkidnoy(cap_when_stock_empty=none)", Rules()),
        ("podkidnoy(plain_joker=off)", Rules(plain_joker="off")),
        ("с погонами", Rules.preset("epaulettes")),
        ("дурак+ (players=3)", Rules.preset("plus", players=3)),
    ],
)
def test_parse(text: str, rules: Rules) -> None:
    assert Rules.parse(text) == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no rules text"),
        ("podkidnoy(players=3", "is no rules text"),
        ("podkidnoy(players=3) x", "is no rules text"),
        ("poker", "unknown preset 'poker'"),
        ("podkidnoy(players)", "'players' in .* is not of the form option=value"),
        ("podkidnoy(colour=1)", "unknown option 'colour'"),
        ("podkidnoy(cap=5,cap=6)", "option 'cap' stands twice"),
        ("podkidnoy(cap=)", "cap= is not accepted"),
        ("podkidnoy(cap=many)", "cap=many is not accepted; cap takes 1 to 26 or none"),
        ("podkidnoy(players=none)", "players=none is not accepted"),
        ("podkidnoy(throw_in=maybe)", "throw_in takes none, on"),
        ("podkidnoy(players=7)", "players=7 does not fit"),
    ],
)
def test_parse_refuses(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


def test_values_as_text() -> None:
    assert [format_value(value) for value in (None, True, 36, "all")] == [
        "none",
        "true",
        "36",
        "all",
    ]
    assert parse_value("cap", "none") is None
    assert parse_value("throw_in", "none") == "none"
    assert parse_value("ask_everyone", "true") is True
    with pytest.raises(RulesError, match="unknown option"):
        parse_value("colour", "1")


# --- JSON ---------------------------------------------------------------------------------------


@given(rules=any_rules())
def test_the_json_reads_back(rules: Rules) -> None:
    assert Rules.from_json(rules.to_json()) == rules


def test_json_may_name_what_differs_only() -> None:
    text = '{"variant": "переводной", "players": 3, "cap": null}'
    assert Rules.from_json(text) == Rules.preset("perevodnoy", players=3, cap=None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[]", "object"),
        ('{"players": 3}', "variant"),
        ('{"variant": "bridge"}', "unknown preset 'bridge'"),
        ('{"variant": "podkidnoy", "colour": 1}', "unknown option 'colour'"),
        ('{"variant": "podkidnoy", "name": 1}', "unknown option 'name'"),
        ('{"variant": "podkidnoy", "players": 9}', "players"),
        ('{"variant": "podkidnoy", "players": [2]}', "players"),
        ('{"variant": "podkidnoy", "deck": 36.0}', "deck"),
        ('{"variant": "podkidnoy", "players": 7}', "players"),
    ],
)
def test_json_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.from_json(text)


def test_json_is_not_cut_short() -> None:
    text = Rules().to_json()
    with pytest.raises(RulesError, match="no JSON"):
        Rules.from_json(text[: len(text) // 2])
