"""Registers every preset in Gymnasium's and PettingZoo's registries. Safe to call twice."""

from __future__ import annotations

import gymnasium

from durak_env.rules import PRESETS


def register() -> None:
    """Register ``durak/<preset>-v0`` for every preset, where it is not registered yet."""
    for preset in PRESETS:
        name = f"durak/{preset}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="durak_env.envs.single:DurakEnv",
                vector_entry_point="durak_env.envs.vector:DurakVectorEnv",
                kwargs={"preset": preset},
            )
        register_aec(name, preset)


def register_aec(name: str, preset: str) -> None:
    """Register with PettingZoo, which has a registry since 1.27."""
    try:
        from pettingzoo import aec_registry  # noqa: PLC0415
        from pettingzoo import register as register_pettingzoo  # noqa: PLC0415
    except ImportError:
        return
    if name not in aec_registry:
        register_pettingzoo("aec", name, entry_point=f"durak_env.{preset}_v0:env")
