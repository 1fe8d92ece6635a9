"""``durak variants``: the presets and their options."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from durak_env.cli.common import json_option, print_json, print_table
from durak_env.rulebook import cited
from durak_env.rules import (
    OPTIONS,
    PRESETS,
    OptionValue,
    Rules,
    describe_accepted,
    find_preset,
    format_value,
)


@click.command()
@click.argument("name", required=False)
@json_option
def variants(name: str | None, as_json: bool) -> None:
    """List the presets, or every option of one.

    NAME is a preset or one of its aliases.
    """
    preset = None if name is None else find_preset(name)
    if as_json:
        chosen = list(PRESETS) if preset is None else [preset]
        facts = [variant_facts(variant) for variant in chosen]
        if preset is not None:
            facts[0]["options"] = option_facts(preset)
            facts[0]["statements"] = list(map(dataclasses.asdict, cited(PRESETS[preset].summary)))
        print_json({"variants": facts})
    elif preset is None:
        print_variants()
    else:
        print_variant(preset)


def variant_facts(name: str) -> dict[str, Any]:
    """What scripts are told about a preset."""
    preset = PRESETS[name]
    return {
        "name": name,
        "players": list(preset.players),
        "decks": list(preset.decks),
        "aliases": list(preset.aliases),
    }


def option_facts(variant: str) -> list[dict[str, OptionValue]]:
    """Every option of a preset: its value here, the default, what it accepts, what it means."""
    default = Rules().options()
    return [
        {
            "name": name,
            "value": value,
            "default": default[name],
            "accepts": accepted_by(variant, name),
            "doc": OPTIONS[name].metadata["doc"],
        }
        for name, value in Rules.preset(variant).options().items()
    ]


def accepted_by(variant: str, option: str) -> str:
    """What an option of a preset accepts, in words; presets differ in the number of players."""
    if option != "players":
        return describe_accepted(option)
    low, high = PRESETS[variant].players
    return f"{low} to {high}"


def print_variants() -> None:
    """The table of all presets."""
    print_table(
        ("name", "players", "decks", "aliases", "what it is"),
        (
            (
                name,
                "-".join(map(str, preset.players)),
                " ".join(map(str, preset.decks)),
                ", ".join(preset.aliases),
                preset.summary,
            )
            for name, preset in PRESETS.items()
        ),
    )


def print_variant(name: str) -> None:
    """A preset, the table of its options, and what its sources say."""
    preset = PRESETS[name]
    click.echo(f"{name}: {preset.summary}")
    click.echo(f"aliases: {', '.join(preset.aliases)}")
    print_table(
        ("option", "value", "default", "accepts", "what it means"),
        (
            (
                str(fact["name"]),
                format_value(fact["value"]),
                format_value(fact["default"]),
                str(fact["accepts"]),
                str(fact["doc"]),
            )
            for fact in option_facts(name)
        ),
    )
    click.echo()
    print_table(
        ("statement", "what the source says"),
        ((one.id, one.text) for one in cited(preset.summary)),
    )
