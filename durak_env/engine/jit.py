"""Compiling and caching the kernels.

Numba's own cache does not notice when a *callee* in another file changes. So the cache lives in a
folder named after a hash of all kernel sources: an edit of any of them starts an empty cache, and
an unchanged package never compiles twice. The folder is the user's cache folder (or
``NUMBA_CACHE_DIR``), so a read-only install works; where no folder can be written the kernels are
compiled in memory.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import platformdirs
from numba.core import event as numba_event

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba.config
event: Any = numba_event
types: Any = numba.types
njit: Any = numba.njit
PACKAGE = Path(__file__).resolve().parent.parent


@cache
def kernel_sources() -> tuple[Path, ...]:
    """The files that may hold kernels: all of ``engine/`` and every ``kernels.py``."""
    return tuple(sorted({*(PACKAGE / "engine").glob("*.py"), *PACKAGE.rglob("kernels.py")}))


@cache
def cache_folder() -> str:
    """The compile cache of exactly these kernel sources."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("durak_env")
    return str(Path(base) / f"kernels-{digest.hexdigest()[:16]}")


@cache
def can_be_written(folder: str) -> bool:
    """Whether files can be made in this folder, which is made if need be.

    Where they cannot, Numba would cache beside the source, under a key that misses edited callees.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@dataclass(frozen=True)
class WideCall:
    """How one kernel calls another: with 64-bit integers, whatever it has.

    Numba would compile a version of its own for every constant and every width of an integer, which
    takes a third of the time of a first start.
    """

    dispatcher: Any

    def __call__(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Stands for the dispatcher's own method, which is given wider types."""
        own = type(self.dispatcher).get_call_template
        return own(self.dispatcher, tuple(map(widened, args)), kws)


def widened(kind: Any) -> Any:
    """A Numba type as kernels pass it on: constants and integers as int64, but uint64 as it is."""
    if isinstance(kind, types.BaseTuple):
        return types.Tuple([widened(one) for one in kind])
    plain = types.unliteral(kind)
    small = isinstance(plain, types.Integer) and (plain.signed or plain.bitwidth < 64)
    return types.int64 if small else plain


class PauseCollector(event.Listener):  # type: ignore[misc]
    """Nothing is collected while kernels are compiled: what the compiler makes stays in use, and to
    look through it again and again takes a tenth of a first start."""

    depth = 0
    was_enabled = False

    def on_start(self, _event: Any) -> None:
        """A kernel is compiled, perhaps for another one."""
        if self.depth == 0:
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, _event: Any) -> None:
        """It is done."""
        self.depth -= 1
        if self.depth == 0 and self.was_enabled:
            gc.enable()


event.register("numba:compile", PauseCollector())


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel with Numba, without the GIL, cached by the content of all kernel sources.

    It cannot make arrays: nothing has to be counted then, which is quicker to compile and to run.

    A kernel that takes a single row or view is for other kernels: it cannot be called from Python,
    which spares the compiler a wrapper for each.

    Raises:
        RuntimeError: the function stands in a file whose content is not part of the cache's key.
    """
    return compiled(function, arrays=False)


def array_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """`kernel` for one that makes an array for its own use."""
    return compiled(function, arrays=True)


def compiled(function: Callable[P, R], *, arrays: bool) -> Callable[P, R]:
    """See `kernel`."""
    source = Path(inspect.getfile(function)).resolve()
    if PACKAGE in source.parents and source not in kernel_sources():
        raise RuntimeError(f"{source.name} holds a kernel but is not among the kernel sources")
    cached = can_be_written(cache_folder())
    before = config.CACHE_DIR
    config.CACHE_DIR = cache_folder()
    try:
        compile_it = njit(
            cache=cached,
            nogil=True,
            error_model="numpy",
            forceinline=True,
            no_cfunc_wrapper=True,
            _nrt=arrays,
            no_cpython_wrapper="Row" in function.__annotations__.values(),
        )
        dispatcher = compile_it(function)
        dispatcher.get_call_template = WideCall(dispatcher)
        return cast("Callable[P, R]", dispatcher)
    finally:
        config.CACHE_DIR = before
