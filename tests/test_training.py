"""The training program: configurations, learning, and resuming without loss."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console

from durak_env import Rules, arena, opponents
from durak_env.errors import ConfigError
from durak_env.integrations.sb3 import DurakVecEnv
from train.config import Config, load_config
from train.ppo import train
from train.run import Run

TINY: dict[str, Any] = {
    "name": "tiny",
    "decisions": 6 * 32 * 16,
    "ppo": {"rows": 32, "steps": 16, "batch_size": 128, "epochs": 2, "layers": [16]},
    "opponents": {"snapshot_every": 2, "snapshot_slots": 2},
    "evaluation": {"every": 2, "deals": 5, "final_deals": 10},
}
QUIET = Console(quiet=True)


def tiny(**changes: Any) -> Config:
    return Config.model_validate({**TINY, **changes})


# --- configurations ---------------------------------------------------------------------------


def write(folder: Path, text: str) -> Path:
    path = folder / "config.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nmae: x\ndecisions: 1", "unknown key 'nmae'; known here: algorithm, name"),
        ("name: x\ndecisions: 1\nppo: {rowz: 3}", "unknown key 'ppo.rowz'; known here: rows"),
        ("name: x", "key 'decisions' is missing"),
        ("name: x\ndecisions: many", "decisions: .*valid integer.*'many'"),
        ("name: x\ndecisions: 1\nrules: podkidnoy(players=9)", "rules: players=9"),
        ("name: x\ndecisions: 1\nrules: podkidnoi", "rules: unknown preset 'podkidnoi'"),
        ("[1, 2]", "is no mapping"),
        ("name: [", "is no YAML"),
    ],
)
def test_a_wrong_configuration_gets_one_clear_line(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(ConfigError, match=complaint) as refusal:
        load_config(write(tmp_path, text))
    assert "\n" not in str(refusal.value)


def test_overrides_change_a_configuration(tmp_path: Path) -> None:
    path = write(tmp_path, "name: x\ndecisions: 1\n")
    config = load_config(path, ["ppo.rows=7", "seed=3", "rules=podkidnoy(players=3)"])
    assert (config.ppo.rows, config.seed, config.parsed_rules.players) == (7, 3, 3)
    with pytest.raises(ConfigError, match=r"unknown key 'ppo\.rowz'"):
        load_config(path, ["ppo.rowz=7"])
    with pytest.raises(ConfigError, match="is no override"):
        load_config(path, ["rows"])


@pytest.mark.parametrize("path", sorted(Path("configs").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_shipped_configurations_load(path: Path) -> None:
    assert load_config(path).iterations > 0


def test_the_program_ends_with_one_line_for_bad_input(tmp_path: Path) -> None:
    for arguments in (["absent.yaml"], ["--resume", str(tmp_path)], ["--no-such-option"], []):
        ended = subprocess.run(
            [sys.executable, "-m", "train.ppo", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 2
        assert len(ended.stderr.splitlines()) == 1, ended.stderr
        assert "error:" in ended.stderr


# --- runs -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, dict[str, Any]]:
    run = Run.create(tmp_path_factory.mktemp("runs") / "whole", tiny())
    return run, train(run, QUIET)


def weights(run: Run) -> torch.Tensor:
    state = run.load_checkpoint()
    assert state is not None
    return torch.cat([value.flatten() for value in state["policy"].values()])


def test_a_run_leaves_agent_curve_and_result(finished: tuple[Run, dict[str, Any]]) -> None:
    run, result = finished
    files = {path.name for path in run.folder.iterdir()}
    assert {"agent.onnx", "curve.png", "result.json", "config.yaml", "versions.json"} <= files
    assert any(name.startswith("events.out.tfevents") for name in files)
    assert not any(name.endswith(".tmp") for name in files)
    assert json.loads((run.folder / "result.json").read_text()) == result
    assert [row["b"] for row in result["table"]] == ["random", "easy", "greedy"]
    assert all(row["illegal"] == 0 for row in result["table"])
    assert [point["decisions"] for point in result["curve"]] == [1024, 2048, 3072]
    agent = opponents.load(run.folder / "agent.onnx", Rules())
    assert agent.card.strength == result["table"]  # type: ignore[attr-defined]


def test_the_same_seed_gives_the_same_weights(
    finished: tuple[Run, dict[str, Any]], tmp_path: Path
) -> None:
    again = Run.create(tmp_path / "again", tiny())
    train(again, QUIET)
    assert (weights(again) == weights(finished[0])).all()
    other = Run.create(tmp_path / "other", tiny(seed=1))
    train(other, QUIET)
    assert (weights(other) != weights(finished[0])).any()


@pytest.mark.parametrize("moment", [3, 16, 40, 77])
def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(
    finished: tuple[Run, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: int,
) -> None:
    """Stopped in its ``moment``-th step: before the first checkpoint, or in mid-iteration."""
    run = Run.create(tmp_path / "stopped", tiny())
    steps = 0
    step = DurakVecEnv.step_wait

    def interrupted(env: DurakVecEnv) -> Any:
        nonlocal steps
        steps += 1
        if steps == moment:
            raise KeyboardInterrupt
        return step(env)

    monkeypatch.setattr(DurakVecEnv, "step_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(run, QUIET)
    monkeypatch.undo()
    result = train(Run.open(run.folder), QUIET)
    assert (weights(run) == weights(finished[0])).all()
    expected = finished[1]
    scores = [[point["decisions"], point["scores"]] for point in result["curve"]]
    assert scores == [[point["decisions"], point["scores"]] for point in expected["curve"]]


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", tiny())
    (run.folder / "checkpoint.pt").write_bytes(b"half a checkpoint")
    with pytest.raises(ConfigError, match=r"checkpoint\.pt: is no checkpoint"):
        train(Run.open(run.folder), QUIET)


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    Run.create(tmp_path / "run", tiny())
    with pytest.raises(ConfigError, match="holds a run already; continue it with --resume"):
        Run.create(tmp_path / "run", tiny())


def test_a_short_training_beats_random(tmp_path: Path) -> None:
    """About 65 thousand decisions: the score's 95 % interval lies above 0.7."""
    settings = {"rows": 128, "steps": 64, "batch_size": 1024, "layers": [64]}
    config = tiny(
        decisions=65_536,
        ppo=settings,
        evaluation={"every": 100, "deals": 50, "final_deals": 500, "baselines": ["random"]},
    )
    result = train(Run.create(tmp_path / "run", config), QUIET)
    assert result["table"][0]["low"] > 0.7


def test_more_than_two_players_train(tmp_path: Path) -> None:
    config = tiny(rules="podkidnoy(players=4)", decisions=2 * 32 * 16)
    result = train(Run.create(tmp_path / "run", config), QUIET)
    agent = opponents.load(tmp_path / "run" / "agent.onnx", config.parsed_rules)
    pairing = arena.compare(agent, "random", config.parsed_rules, deals=5)
    assert pairing.games == 20
    assert result["table"][0]["fair"] > 0.5
