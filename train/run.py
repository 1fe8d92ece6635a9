"""A run folder: configuration, versions, checkpoints, result. What is in it is always whole."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import yaml

from durak_env.errors import ConfigError
from train.config import Config, load_config

PACKAGES = ("durak_env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "onnx")


class Run:
    """One run's folder.

    ``config.yaml`` (the resolved configuration), ``versions.json``, ``checkpoint.pt`` (the newest
    state that can be resumed), ``curve.json`` and ``curve.png``, ``agent.onnx``, ``result.json``,
    and TensorBoard's event files.
    """

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self.config = config

    @classmethod
    def create(cls, folder: Path, config: Config) -> Run:
        """Begin a new run.

        Raises:
            ConfigError: the folder holds a run already, or cannot be written.
        """
        if (folder / "config.yaml").exists():
            raise ConfigError(
                f"{folder} holds a run already; continue it with --resume {folder}, "
                "or name another folder with --run"
            )
        run = cls(folder, config)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            run.write_json("versions.json", versions(config.seed))
            text = yaml.safe_dump(config.model_dump(), sort_keys=False)
            run.write("config.yaml", lambda path: path.write_text(text, encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """Go on with a run.

        Raises:
            ConfigError: the folder holds no run.
        """
        if not (folder / "config.yaml").is_file():
            raise ConfigError(f"{folder} holds no run (there is no config.yaml in it)")
        return cls(folder, load_config(folder / "config.yaml"))

    def write(self, name: str, write: Callable[[Path], object]) -> Path:
        """Write a file by way of a temporary one, so that it is whole or absent."""
        temporary = self.folder / f"{name}.tmp"
        write(temporary)
        target = self.folder / name
        temporary.replace(target)
        return target

    def write_json(self, name: str, value: object) -> Path:
        """Write a value as JSON."""
        text = json.dumps(value, indent=2) + "\n"
        return self.write(name, lambda path: path.write_text(text, encoding="utf-8"))

    def save_checkpoint(self, state: dict[str, Any]) -> None:
        """Replace the checkpoint."""
        self.write("checkpoint.pt", lambda path: torch.save(state, path))

    def load_checkpoint(self) -> dict[str, Any] | None:
        """The checkpoint, or None if the run was stopped before the first one.

        Raises:
            ConfigError: the file is damaged.
        """
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return None
        try:
            state: dict[str, Any] = torch.load(path, weights_only=False)
        except Exception as error:  # torch raises whatever its reader meets
            raise ConfigError(f"{path}: is no checkpoint ({type(error).__name__})") from None
        return state


def versions(seed: int) -> dict[str, Any]:
    """What the run depends on besides its configuration."""
    return {
        "seed": seed,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        **{package: importlib.metadata.version(package) for package in PACKAGES},
    }
