"""What an exported agent says about itself, in the metadata of its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from durak_env import encoding
from durak_env.errors import OpponentError, RulesError
from durak_env.rules import Rules

FORMAT = "durak_env-agent-1"
"""Version of the file's inputs, outputs and metadata."""


@dataclass(frozen=True)
class AgentCard:
    """The metadata of an exported agent; every value is a text in the file.

    ``training`` and ``strength`` are JSON: how it was made, and what the arena measured.
    """

    name: str
    rules: str
    action_table: str
    encoder: str
    encoder_version: int
    algorithm: str
    training: dict[str, Any] = field(default_factory=dict)
    strength: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, name: str, encoder: encoding.Encoder, algorithm: str, **more: Any) -> AgentCard:
        """The card of an agent for this encoder and its rules."""
        return cls(
            name=name,
            rules=str(encoder.rules),
            action_table=encoding.Numbering(encoder).table.digest,
            encoder=encoder.name,
            encoder_version=encoder.version,
            algorithm=algorithm,
            **more,
        )

    def to_metadata(self) -> dict[str, str]:
        """The card as texts."""
        card = {key: _to_text(value) for key, value in asdict(self).items()}
        return {"format": FORMAT, **card}

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, str]) -> AgentCard:
        """Read a card.

        Raises:
            OpponentError: these are not the metadata of an exported agent.
        """
        if metadata.get("format") != FORMAT:
            raise OpponentError(f"it is no exported agent (its metadata lack format={FORMAT})")
        try:
            return cls(
                name=metadata["name"],
                rules=metadata["rules"],
                action_table=metadata["action_table"],
                encoder=metadata["encoder"],
                encoder_version=int(metadata["encoder_version"]),
                algorithm=metadata["algorithm"],
                training=json.loads(metadata["training"]),
                strength=json.loads(metadata["strength"]),
            )
        except (KeyError, ValueError) as error:
            raise OpponentError(f"its metadata are damaged ({error})") from None

    def check(self, rules: Rules | None) -> encoding.Encoder:
        """The agent's encoder, if this version of the package can serve the agent in this game.

        Raises:
            OpponentError: the agent's rules, action table or encoder are not those of the game.
        """
        try:
            own = Rules.parse(self.rules)
        except RulesError as error:
            raise OpponentError(f"its rules are not known here ({error})") from None
        if self.encoder not in encoding.ENCODERS:
            raise OpponentError(f"its encoder {self.encoder!r} is not known here")
        encoder = encoding.make(self.encoder, own)
        if rules is not None and encoding.has_universal_actions(encoder):
            encoder = encoding.make(self.encoder, rules)
        elif rules is not None and own != rules:
            raise OpponentError(f"it plays {own}, not {rules}")
        if encoding.has_perfect_information(encoder):
            raise OpponentError(f"its encoder {self.encoder} reads what is hidden")
        if self.action_table != encoding.Numbering(encoder).table.digest:
            raise OpponentError("its action table is not the one of this version")
        if encoder.version != self.encoder_version:
            raise OpponentError(
                f"its encoder {self.encoder} has version {self.encoder_version}, "
                f"here it is {encoder.version}"
            )
        return encoder


def _to_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
