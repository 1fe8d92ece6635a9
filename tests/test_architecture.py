"""The shape of the package: which way imports run, what an import loads, what is public."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import durak_env

PACKAGE = Path(durak_env.__file__).resolve().parent

FLOORS = [
    ["errors", "cards", "rulebook"],
    ["rules"],
    ["registration"],
    ["actions", "engine"],
    ["notation", "codes", "position", "game", "match", "view"],
    ["belief", "encoding", "solver", "render"],
    ["opponents"],
    ["envs"],
    ["arena", "integrations", "bench", "play", "soak"],
    ["cli", "oneline"],
]
"""The modules of the package, ground first. A module imports from floors below its own, or from
its own. `<preset>_v0` modules stand on the floor of the environments."""

ENTRANCE = "durak_env"
"""The package itself: it names what is public and loads it when it is first used."""


def floor_of(module: str) -> int:
    """The floor of ``durak_env.<part>...``."""
    part = module.split(".")[1]
    if part.endswith("_v0"):
        part = "envs"
    for floor, parts in enumerate(FLOORS):
        if part in parts:
            return floor
    raise AssertionError(f"durak_env.{part} stands on no floor: give it one in FLOORS")


def name_of(path: Path) -> str:
    """The dotted name of a source file."""
    parts = list(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, own: str) -> Iterator[str]:
    """Every module that is imported anywhere in a source, inside functions too, in full."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{own} imports relatively"
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if source_of(inside) else str(node.module)


def source_of(module: str) -> Path | None:
    """The source of a module of the package; None if there is none."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    sources = (path.with_suffix(".py"), path / "__init__.py")
    return next((source for source in sources if source.is_file()), None)


SOURCES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
MODULES = [name for name in SOURCES if name != ENTRANCE]


def imported_by(module: str) -> set[str]:
    """What a module of the package imports."""
    return set(imports(ast.parse(SOURCES[module].read_text()), module))


def wrong_imports(module: str, imported: set[str]) -> set[str]:
    """The imports that run upwards."""
    own = [name for name in imported if name.split(".")[0] == ENTRANCE and name != ENTRANCE]
    return {name for name in own if floor_of(name) > floor_of(module)}


@pytest.mark.parametrize("module", MODULES)
def test_floors(module: str) -> None:
    """A module imports from floors below its own or from its own, and never from the entrance."""
    imported = imported_by(module)
    assert wrong_imports(module, imported) == set()
    if floor_of(module) < floor_of("durak_env.cli"):
        assert ENTRANCE not in imported


def test_an_import_that_runs_upwards_is_found() -> None:
    """In every form of import, inside functions too."""
    for text in (
        "from durak_env.envs.aec import DurakAECEnv",
        "from durak_env import envs",
        "import durak_env.opponents",
        "def later():\n    from durak_env import site_v0",
        "if TYPE_CHECKING:\n    from durak_env.arena import Pairing",
    ):
        found = set(imports(ast.parse(text), "durak_env.game"))
        assert wrong_imports("durak_env.game", found), text
    for text in ("from durak_env import encoding", "from durak_env.rules import Rules"):
        assert not wrong_imports("durak_env.envs.aec", set(imports(ast.parse(text), "")))


def third_parties(module: str) -> set[str]:
    """The other distributions that a module imports."""
    roots = {name.split(".")[0] for name in imported_by(module)}
    return roots - set(sys.stdlib_module_names) - {ENTRANCE}


ALLOWED = {
    "errors": set(),
    "cards": set(),
    "rules": set(),
    "actions": set(),
    "notation": set(),
    "engine": {"numpy", "numba", "platformdirs"},
    "codes": {"numpy"},
    "position": {"numpy"},
    "game": {"numpy"},
    "match": {"numpy"},
    "view": {"numpy"},
    "belief": {"numpy"},
    "encoding": {"numpy"},
    "solver": {"numpy"},
    "opponents": {"numpy", "onnxruntime"},
}
"""What the lower floors may need: neither Gymnasium, nor torch, nor anything to draw with."""


@pytest.mark.parametrize("module", [name for name in MODULES if name.split(".")[1] in ALLOWED])
def test_what_the_lower_floors_need(module: str) -> None:
    assert third_parties(module) <= ALLOWED[module.split(".")[1]]


def test_the_engine_knows_nothing_of_text() -> None:
    """It knows the rules as numbers: how many cards a deck has, but no notation and no names."""
    for module in MODULES:
        if module.startswith("durak_env.engine"):
            own = {name for name in imported_by(module) if name.startswith(ENTRANCE)}
            known = ("durak_env.engine", "durak_env.rules", "durak_env.cards")
            assert all(name.startswith(known) for name in own)


HEAVY = {
    "torch",
    "pygame",
    "matplotlib",
    "ray",
    "stable_baselines3",
    "sb3_contrib",
    "tianshou",
    "torchrl",
    "onnxruntime",
    "onnx",
    "numba",
    "pydantic",
    "yaml",
    "rich",
    "click",
}


def test_importing_the_package_loads_little() -> None:
    """No framework, nothing to draw with, and no kernel."""
    program = "import durak_env, json, sys; print(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    loaded = set(json.loads(done.stdout))
    assert "durak_env.rules" in loaded
    assert not HEAVY & loaded
    assert not {name for name in loaded if name.startswith(("durak_env.engine", "durak_env.envs"))}


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("name", durak_env.__all__)
def test_public_names(name: str) -> None:
    """Every one resolves and says what it is."""
    value = getattr(durak_env, name)
    assert isinstance(value, str) if name == "__version__" else value.__doc__


def test_the_list_of_public_names() -> None:
    assert sorted(durak_env.__all__) == list(durak_env.__all__)
    assert len(set(durak_env.__all__)) == len(durak_env.__all__)


def test_no_such_name() -> None:
    with pytest.raises(AttributeError, match="module 'durak_env' has no attribute 'Gmae'"):
        durak_env.Gmae  # noqa: B018


@pytest.mark.parametrize("module", list(SOURCES))
def test_docstrings(module: str) -> None:
    """Modules, public classes and public functions say what they are."""
    tree = ast.parse(SOURCES[module].read_text())
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name
