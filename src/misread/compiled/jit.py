"""Compiled code: kept on disk where that is possible, and compiled again when anything that it is made of changes."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core.caching import FunctionCache
from numba.core.types.misc import unliteral

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_IMPORT: Final = re.compile(rf"\bfrom\s+({_PACKAGE.name}(?:\.\w+)*)\s+import\s+(\([^)]*\)|(?:[^\n\\]|\\\n)*)")
_NAME: Final = re.compile(r"\bas\s+\w+|(\w+)")


def jit(function: Function) -> Function:
    """Compile with Numba in nopython mode, releasing the GIL; keep the machine code between runs."""
    return _compile(function, _nrt=True)


def borrowing_jit(function: Function) -> Function:
    """As `jit`, without reference counts: for functions that may slice the arrays they get, but make and keep none.

    Numba raises and lowers the reference count of every array at every call, atomically, unless LLVM can prove both
    away. For a function that is called for each pair with ten arrays, that costs more than the pair.
    """
    return _compile(function, _nrt=False)


def summing_jit(function: Function) -> Function:
    """As `jit`, with sums in whatever order is fastest.

    Only for sums of whole numbers that fit their type in every partial sum, so that no order can change the result.
    """
    return _compile(function, _nrt=True, fastmath={"reassoc", "nsz", "contract"})


def _compile(function: Function, **options: Any) -> Function:
    compiled: Any = numba.njit(nogil=True, **options)(function)
    find_template = compiled.get_call_template

    def find_general_template(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Compile for int and bool alone: Numba would compile once more for each constant that a caller writes."""
        return find_template(tuple(map(unliteral, arguments)), keywords)

    compiled.get_call_template = find_general_template
    # What njit(cache=True) does, with a stamp of our own. Where neither the folder of the source nor NUMBA_CACHE_DIR
    # can be written, each process compiles for itself.
    with suppress(RuntimeError):
        compiled._cache = _Cache(function)  # noqa: SLF001
    return cast(Function, compiled)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, which looks at the file of a function, made to look at all that the function may use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file._source_stamp = _make_stamp(Path(function.__code__.co_filename))  # noqa: SLF001


@cache
def _make_stamp(source: Path) -> str:
    """Hash of what a module is made of; equal for equal content, wherever the files are and whenever written."""
    return hashlib.sha256(b"".join(sorted(map(_digest, find_sources(source))))).hexdigest()


def find_sources(source: Path) -> set[Path]:
    """Files that compiled code of a module may depend on: its own, those of this package that it imports, and so on."""
    found = {source}
    waiting = [source]
    while waiting:
        new = set(_find_imports(waiting.pop())) - found
        found |= new
        waiting += new
    return found


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def _find_imports(source: Path) -> tuple[Path, ...]:
    """Files of this package that a module imports; one name too many costs a compilation, one too few a wrong result.

    A parser would say it exactly, and take longer than all kernels of a command take to load.
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
