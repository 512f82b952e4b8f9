"""Machine code on disk: stored where that is possible, and compiled again when a source of it changes."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_IMPORT: Final = re.compile(rf"\bfrom\s+({_PACKAGE.name}(?:\.\w+)*)\s+import\s+(\([^)]*\)|(?:[^\n\\]|\\\n)*)")
_NAME: Final = re.compile(r"\bas\s+\w+|(\w+)")


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, which checks only the file of a function, made to check all files that the function may use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        # An index of another version is not unpickled: it may name a class that is gone.
        self._cache_file._version += f" {_make_stamp(Path(function.__code__.co_filename))}"  # noqa: SLF001
        self._cache_file._source_stamp = None  # noqa: SLF001

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code as Numba does, without what only a compiler needs: SciPy's BLAS and all implementations.

        To load these takes a third of the time of a command on 200,000 lines.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


@cache
def _make_stamp(source: Path) -> str:
    """Hash of the sources of a module; equal for equal content, wherever and whenever the files were written."""
    return hashlib.sha256(b"".join(sorted(map(_digest, find_sources(source))))).hexdigest()


def find_sources(source: Path) -> set[Path]:
    """Files that compiled code of a module may depend on: its own, those of this package that it imports, and so on."""
    sources = {source}
    waiting = [source]
    while waiting:
        new = set(_find_imports(waiting.pop())) - sources
        sources |= new
        waiting += new
    return sources


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _find_imports(source: Path) -> tuple[Path, ...]:
    """Files of this package that a module imports; one name too many costs a compilation, one too few a wrong result.

    A parser would be exact, and take longer than all kernels of a command take to load.
    """
    statements = _IMPORT.findall(source.read_text(encoding="utf-8"))
    return tuple(path for module, names in statements for path in _resolve(module, _NAME.findall(names)))


def _resolve(module_name: str, names: Sequence[str]) -> Iterator[Path]:
    module = _PACKAGE.joinpath(*module_name.split(".")[1:])
    for name in filter(None, names):
        for path in (module / f"{name}.py", module.with_suffix(".py"), module / "__init__.py"):
            if path.is_file():
                yield path
                break
