"""Configurations: typed, read from YAML, changed on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, ValidationError

from durak_env.errors import ConfigError, RulesError
from durak_env.rules import Rules


class Section(BaseModel):
    """A part of a configuration; a key that does not exist is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Opponents(Section):
    """Shares of the deals that each kind of opponent is drawn for, relative to each other."""

    current: float = Field(default=4.0, ge=0)
    """The policy as it is now."""
    snapshots: float = Field(default=2.0, ge=0)
    """Past snapshots of the policy, all together."""
    scripted: dict[str, float] = {"random": 0.5, "easy": 1.0, "greedy": 2.0}
    """Scripted opponents by name."""
    snapshot_every: PositiveInt = 10
    """Iterations between snapshots."""
    snapshot_slots: PositiveInt = 4
    """How many snapshots are kept; a new one replaces the oldest."""


class Ppo(Section):
    """Settings of PPO."""

    rows: PositiveInt = 512
    """Games played at once."""
    steps: PositiveInt = 64
    """Decisions per row and iteration."""
    batch_size: PositiveInt = 2048
    epochs: PositiveInt = 3
    learning_rate: PositiveFloat = 7e-4
    """At the start; it falls linearly to `final_learning_rate`."""
    final_learning_rate: PositiveFloat = 5e-5
    entropy: float = Field(default=0.02, ge=0)
    """Coefficient of the entropy bonus at the start; it falls linearly to `final_entropy`."""
    final_entropy: float = Field(default=0.004, ge=0)
    gamma: float = Field(default=1.0, gt=0, le=1)
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    clip: PositiveFloat = 0.2
    value_weight: PositiveFloat = 0.5
    max_grad_norm: PositiveFloat = 0.5
    layers: list[PositiveInt] = [128, 128]
    """Hidden layers of the policy and, apart from it, of the value."""


class Evaluation(Section):
    """Matches against the baselines."""

    baselines: list[str] = ["random", "easy", "greedy"]
    every: PositiveInt = 10
    """Iterations between evaluations while training."""
    deals: PositiveInt = 200
    """Duplicate deals per baseline while training."""
    final_deals: PositiveInt = 2000
    """Duplicate deals per baseline for the exported agent."""


class Config(Section):
    """One training run."""

    algorithm: Literal["ppo"] = "ppo"
    name: str
    """Name of the agent."""
    rules: str = "podkidnoy"
    """The canonical text of the rules."""
    seed: int = Field(default=0, ge=0)
    decisions: PositiveInt
    """The learner's decisions in the whole run."""
    opponents: Opponents = Opponents()
    ppo: Ppo = Ppo()
    evaluation: Evaluation = Evaluation()

    @property
    def parsed_rules(self) -> Rules:
        """The rules."""
        return Rules.parse(self.rules)

    @property
    def iterations(self) -> int:
        """Rollouts of the whole run."""
        per_iteration = self.ppo.rows * self.ppo.steps
        return -(-self.decisions // per_iteration)


def load_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """Read a configuration.

    Args:
        path: a YAML file.
        overrides: ``key=value`` or ``section.key=value``, values in YAML.

    Raises:
        ConfigError: a file that cannot be read, a key that does not exist, or a value that is not
            accepted; the message names the key.
    """
    values = read_yaml(path)
    for override in overrides:
        apply_override(values, override)
    try:
        config = Config.model_validate(values)
        Rules.parse(config.rules)
    except ValidationError as error:
        raise ConfigError(f"{path}: {describe(error)}") from None
    except RulesError as error:
        raise ConfigError(f"{path}: rules: {error}") from None
    return config


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping that a YAML file holds.

    Raises:
        ConfigError: there is no such file, or it holds no mapping.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is no YAML ({' '.join(str(error).split())})") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: is no mapping of keys to values")
    return values


def apply_override(values: dict[str, Any], override: str) -> None:
    """Set ``section.key=value`` in a nested mapping.

    Raises:
        ConfigError: the text is not of that form.
    """
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(f"{override!r} is no override; write key=value or section.key=value")
    *sections, last = key.split(".")
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise ConfigError(f"{override!r}: {section} is no section")
    try:
        values[last] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"{override!r}: {text!r} is no YAML value") from None


def describe(error: ValidationError) -> str:
    """What is wrong, in one line; an unknown key comes before whatever it leaves missing."""
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    key = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        accepted = ", ".join(_section_of(first["loc"][:-1]).model_fields)
        return f"unknown key {key!r}; known here: {accepted}"
    if first["type"] == "missing":
        return f"key {key!r} is missing"
    return f"{key}: {first['msg'][0].lower() + first['msg'][1:]} (given: {first['input']!r})"


def _section_of(location: tuple[int | str, ...]) -> type[BaseModel]:
    section: type[BaseModel] = Config
    for name in location:
        inner = section.model_fields[str(name)].annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            section = inner
    return section
