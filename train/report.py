"""What a run shows: progress while it trains, and curve, agent and table at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from torch import nn

from durak_env.arena import compare
from durak_env.arena.match import Pairing
from durak_env.encoding import Encoder
from durak_env.integrations.torch import export, rewrite_card
from durak_env.opponents import load
from durak_env.opponents.card import AgentCard
from train.run import Run, versions


class Curve:
    """Scores against the baselines in the course of a run."""

    def __init__(self, points: list[dict[str, Any]] | None = None) -> None:
        self.points = points or []

    def add(self, decisions: int, seconds: float, scores: dict[str, float]) -> None:
        """Note the scores after this many decisions and seconds."""
        self.points.append({"decisions": decisions, "seconds": round(seconds, 1), "scores": scores})

    def latest(self) -> str:
        """The last scores in a few words."""
        if not self.points:
            return ""
        scores = self.points[-1]["scores"]
        return "  ".join(f"{name} {score:.3f}" for name, score in scores.items())

    def draw(self, path: Path, title: str) -> None:
        """Write the picture of the curve as PNG."""
        from matplotlib.figure import Figure  # noqa: PLC0415

        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.subplots()
        decisions = [point["decisions"] / 1e6 for point in self.points]
        for name in self.points[0]["scores"] if self.points else []:
            scores = [point["scores"][name] for point in self.points]
            axes.plot(decisions, scores, marker="o", markersize=3, label=f"against {name}")
        axes.axhline(0.5, color="grey", linewidth=0.8)
        axes.set(xlabel="learner's decisions (millions)", ylabel="score", title=title, ylim=(0, 1))
        axes.legend(loc="lower right")
        axes.grid(alpha=0.3)
        figure.savefig(path, format="png", dpi=120)


Advance = Callable[[int, Curve], None]


@contextmanager
def training_progress(console: Console, total: int) -> Iterator[Advance]:
    """A progress bar of decisions with throughput and estimated end.

    Without a terminal a line is printed for every new evaluation instead.
    """
    progress = Progress(
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[scores]}"),
        console=console,
        disable=not console.is_terminal,
    )
    task = progress.add_task("training", total=total, rate="", scores="")
    printed = 0

    def advance(decisions: int, curve: Curve) -> None:
        nonlocal printed
        speed = progress.tasks[0].speed
        rate = f"{speed / 1000:.1f}k/s" if speed else ""
        progress.update(task, completed=decisions, rate=rate, scores=curve.latest())
        if not console.is_terminal and len(curve.points) > printed:
            printed = len(curve.points)
            console.print(f"{decisions:>12,} decisions   {curve.latest()}", highlight=False)

    with progress:
        yield advance


def export_and_measure(
    run: Run,
    network: nn.Module,
    encoder: Encoder,
    curve: Curve,
    facts: dict[str, Any],
    console: Console,
) -> dict[str, Any]:
    """Export the network, measure the exported file, write curve and result, print the table.

    Returns:
        What ``result.json`` holds.
    """
    config = run.config
    training = {**facts, "config": config.model_dump(), "versions": versions(config.seed)}
    card = AgentCard.of(config.name, encoder, config.algorithm, training=training)
    agent = run.folder / "agent.onnx"
    export(network, card, agent)
    pairings = measure(run, agent)
    rows = [pairing.as_json() for pairing in pairings]
    rewrite_card(agent, AgentCard(**{**vars(card), "strength": rows}))
    run.write("curve.png", lambda path: curve.draw(path, f"{config.name}: {config.rules}"))
    result = {**training, "agent": agent.name, "table": rows, "curve": curve.points}
    run.write_json("result.json", result)
    print_table(console, config.name, pairings)
    console.print(f"{facts['decisions']:,} decisions in {facts['seconds']:.0f} s of training")
    console.print(f"the agent: {agent}   its curve: {run.folder / 'curve.png'}", soft_wrap=True)
    return result


def measure(run: Run, agent: Path) -> list[Pairing]:
    """Matches of the exported agent against every baseline."""
    rules = run.config.parsed_rules
    player = load(agent, rules)
    settings = run.config.evaluation
    return [
        compare(player, baseline, rules, settings.final_deals, seed=run.config.seed)
        for baseline in settings.baselines
    ]


def print_table(console: Console, name: str, pairings: list[Pairing]) -> None:
    """The scores with their intervals."""
    table = Table(title=f"{name}: duplicate deals, each played from every seat")
    for column in ("against", "deals", "games", "score", "95 % interval", "draws", "illegal"):
        table.add_column(column, justify="left" if column == "against" else "right")
    for pairing in pairings:
        table.add_row(
            pairing.b,
            f"{pairing.deals:,}",
            f"{pairing.games:,}",
            f"{pairing.score:.3f}",
            f"{pairing.low:.3f} to {pairing.high:.3f}",
            f"{pairing.draw_share:.3f}",
            str(sum(pairing.illegal)),
        )
    console.print(table)
