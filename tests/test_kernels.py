"""Compiling and caching: an edited kernel is never run from an old cache."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import durak_env
from durak_env.engine.jit import PACKAGE, kernel, kernel_sources

PROGRAM = """
import json
import numpy as np
import durak_env
from durak_env.engine import chance
from durak_env.engine.jit import cache_folder
number = chance.below(np.array([1], dtype=np.uint64), 0, 6)
stats = chance.below.stats
print(json.dumps({
    "package": durak_env.__file__,
    "number": int(number),
    "folder": cache_folder(),
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
}))
"""
"""Calls one small kernel, whose callee `signed` stands in another file."""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    source = Path(durak_env.__file__).parent
    copy = tmp_path / "source" / "durak_env"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def start(package: Path, cache: Path) -> dict[str, Any]:
    """Run the program on this copy in a process of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=package.parent,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    assert Path(answer["package"]).parent == package
    return answer


def edit_callee(package: Path) -> None:
    """Let `signed`, which `scale` and thereby `below` call, give a hundred more."""
    bits = package / "engine" / "bits.py"
    text = bits.read_text()
    line = "return np.int64(value)"
    assert text.count(line) == 1
    bits.write_text(text.replace(line, "return 100 + np.int64(value)"))


def files(folder: Path) -> dict[str, int]:
    """Every file below a folder and when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_a_second_start_compiles_nothing(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = start(package, cache)
    assert (first["hits"], first["misses"]) == (0, 1)
    assert Path(first["folder"]).parent == cache
    written = files(cache)
    second = start(package, cache)
    assert (second["hits"], second["misses"]) == (1, 0)
    assert second["number"] == first["number"]
    assert files(cache) == written


def test_an_edited_callee_starts_an_empty_cache(package: Path, tmp_path: Path) -> None:
    before = start(package, tmp_path / "cache")
    edit_callee(package)
    after = start(package, tmp_path / "cache")
    assert after["folder"] != before["folder"]
    assert after["number"] == before["number"] + 100


def test_an_unwritable_cache_folder(package: Path, tmp_path: Path) -> None:
    """The kernels are compiled in memory, and an edited callee is noticed then as well."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    before = start(package, blocked / "cache")
    assert 0 <= before["number"] < 6
    assert before["hits"] == 0
    edit_callee(package)
    assert start(package, blocked / "cache")["number"] == before["number"] + 100
    assert not list(package.rglob("*.nbi"))


def test_a_kernel_outside_the_kernel_sources_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file would not be part of the cache's key."""
    stray = tmp_path / "stray.py"
    stray.write_text("def double(number):\n    return 2 * number\n")
    space: dict[str, Any] = {}
    exec(compile(stray.read_text(), str(stray), "exec"), space)
    monkeypatch.setattr("durak_env.engine.jit.PACKAGE", tmp_path)
    with pytest.raises(RuntimeError, match=r"stray\.py holds a kernel but is not among"):
        kernel(space["double"])


def test_kernel_sources() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in kernel_sources()}
    assert {"engine/play.py", "engine/bits.py", "view/kernels.py"} <= names
    for path in PACKAGE.rglob("*.py"):
        if "@kernel\n" in path.read_text():
            assert path in kernel_sources()


NO_CONSTANTS = {
    "durak_env.rules": {"MAX_PLAYERS", "MAX_ROW", "Rules"},
    "durak_env.cards": {"SUIT_LETTERS", "joker_count", "rank_count"},
}
"""What kernel sources may import from other files."""


@pytest.mark.parametrize("path", kernel_sources(), ids=lambda path: path.parent.name + path.name)
def test_kernels_freeze_nothing_from_other_files(path: Path) -> None:
    """A constant that a kernel freezes must stand in a file that is part of the cache's key.

    MAX_PLAYERS and MAX_ROW of `durak_env.rules` are allowed: they are shapes of fields of rows. So
    is what turns rules into the numbers of a row.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("durak_env"):
            module = PACKAGE.parent / Path(*str(node.module).split("."))
            source = module.with_suffix(".py")
            if source not in kernel_sources() and module / "__init__.py" not in kernel_sources():
                assert {name.name for name in node.names} <= NO_CONSTANTS[str(node.module)]
