"""Compiling and caching the kernels.

Numba's own cache does not notice when a *callee* in another file changes. So the cache lives in a
folder named after a hash of all kernel sources: an edit of any of them starts an empty cache, and
an unchanged package never compiles twice. The folder is the user's cache folder (or
``NUMBA_CACHE_DIR``), so a read-only install works; where no folder can be written the kernels are
compiled in memory.
"""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import platformdirs

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba.config
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


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel with Numba, without the GIL, cached by the content of all kernel sources.

    Raises:
        RuntimeError: the function stands in a file whose content is not part of the cache's key.
    """
    source = Path(inspect.getfile(function)).resolve()
    if PACKAGE in source.parents and source not in kernel_sources():
        raise RuntimeError(f"{source.name} holds a kernel but is not among the kernel sources")
    before = config.CACHE_DIR
    config.CACHE_DIR = cache_folder()
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(
            function
        )
    except RuntimeError:  # no folder can be written
        compiled = numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)
    finally:
        config.CACHE_DIR = before
    return cast("Callable[P, R]", compiled)
