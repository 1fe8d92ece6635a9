"""Armenian 2, a game of tricks for two players, as a PettingZoo AEC environment.

Version history: v0, first release.
"""

from __future__ import annotations

from typing import Any, ClassVar

from durak_env.envs.aec import DurakAECEnv

__all__ = ["env", "raw_env"]


class raw_env(DurakAECEnv):  # noqa: N801 - the name that PettingZoo asks for
    """See `durak_env.envs.aec.DurakAECEnv`; takes every option of `durak_env.Rules`."""

    metadata: ClassVar[dict[str, Any]] = {**DurakAECEnv.metadata, "name": "armenian_tricks_v0"}
    preset: ClassVar[str] = "armenian_tricks"


def env(**kwargs: Any) -> raw_env:
    """The environment. It checks everything itself, so no wrapper is put around it."""
    return raw_env(**kwargs)
