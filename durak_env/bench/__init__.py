"""Speed, measured: ``durak bench``.

Every measurement counts player decisions per second of wall time, in one process, deals included.
It is warmed up, then repeated; the median, the slowest and the fastest repetition are reported.
Peers are other people's environments, measured in the same run by the same protocol: compare
ratios, since absolute figures depend on the machine and on what else it does.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from durak_env.bench import own, peers
from durak_env.bench.measure import Benchmark
from durak_env.bench.own import GAMES, PPO_GAMES
from durak_env.errors import DurakError
from durak_env.rules import PRESETS, Rules

__all__ = ["Benchmark", "benchmarks", "machine", "run", "tables"]


TWO = Rules()
FOUR = Rules(players=4)


def benchmarks() -> dict[str, Benchmark]:
    """Every measurement by name."""
    threaded = partial(own.batched_on_threads, TWO, 2)
    listed = [
        Benchmark("kernel", partial(own.kernel, TWO), GAMES, TWO),
        Benchmark("batched", partial(own.batched, TWO), GAMES, TWO),
        Benchmark("batched:four", partial(own.batched, FOUR), GAMES, FOUR),
        Benchmark("batched:threads", threaded, GAMES, TWO, threads=2),
        Benchmark("aec", partial(own.aec, TWO), 1, TWO),
        Benchmark("single", partial(own.single, TWO), 1, TWO),
        Benchmark("vector", partial(own.vector, TWO), GAMES, TWO),
        Benchmark("ppo", partial(own.ppo, TWO), PPO_GAMES, TWO, ("torch", "sb3_contrib")),
        *peers.peers(),
    ]
    return {benchmark.name: benchmark for benchmark in listed}


def against_peers() -> list[Benchmark]:
    """Every peer, and before them our own measurements that they are compared with."""
    known = benchmarks()
    ours = {peer.against: known[peer.against] for peer in peers.peers()}
    return [*ours.values(), *peers.peers()]


def tables() -> list[Benchmark]:
    """`kernel` for every preset with every number of players, on the preset's own deck."""
    listed = []
    for name, preset in PRESETS.items():
        for players in range(preset.players[0], preset.players[1] + 1):
            rules = Rules.preset(name, players=players)
            listed.append(Benchmark("kernel", partial(own.kernel, rules), GAMES, rules))
    return listed


def run(
    names: Sequence[str] = (),
    *,
    everything: bool = False,
    with_peers: bool = False,
    seconds: float = 5.0,
    started: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Measure.

    Args:
        names: what to measure; if empty, everything of our own whose packages are installed.
        everything: measure `kernel` not for podkidnoy alone but for all `tables`.
        with_peers: measure what `against_peers` lists instead; peers that are not installed are
            named in the report.
        seconds: time for each measurement, warming up not counted.
        started: called with the name of each measurement when it begins.

    Returns:
        ``{"machine": {...}, "results": [...], "missing": {...}}`` as ``durak bench --json`` prints
        it; the result of a peer has ``against`` and ``ratio``, how many times as fast ours is.

    Raises:
        DurakError: a name that does not exist, or a measurement whose packages are not installed.
    """
    chosen = against_peers() if with_peers else choose(names)
    if everything:
        chosen = tables() + [one for one in chosen if one.name != "kernel"]
    results: dict[str, dict[str, Any]] = {}
    listed = []
    for benchmark in chosen:
        if not benchmark.available():
            continue
        if started is not None:
            started(benchmark.name)
        result = benchmark.measure(seconds)
        if benchmark.against in results:
            ours = results[benchmark.against]["per_second"]["median"]
            result["against"] = benchmark.against
            result["ratio"] = ours / result["per_second"]["median"]
        results[benchmark.name] = result
        listed.append(result)
    missing = {one.name: one.missing() for one in chosen if not one.available()}
    return {"machine": machine(), "results": listed, "missing": missing}


def choose(names: Sequence[str]) -> list[Benchmark]:
    """The measurements of these names; without a name, our own that can be made.

    Raises:
        DurakError: a name that does not exist, or a measurement whose packages are not installed.
    """
    known = benchmarks()
    if not names:
        return [one for one in known.values() if one.available() and not one.against]
    for name in names:
        if name not in known:
            raise DurakError(f"unknown measurement {name!r}; known: {', '.join(known)}")
        if not known[name].available():
            raise DurakError(
                f"{name} needs {', '.join(known[name].missing())}: "
                "pip install 'durak_env[train]' 'durak_env[bench]'"
            )
    return [known[name] for name in names]


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    installed = ("durak_env", "numpy", "numba", "gymnasium", "pettingzoo")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": load,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in installed},
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
