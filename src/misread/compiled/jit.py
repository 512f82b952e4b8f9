"""Functions that are compiled when they are first called; Numba is imported no earlier."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, update_wrapper
from typing import Any, ClassVar, Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

_INTERPRETED: Final = ContextVar("interpreted", default=False)


def jit(function: Function) -> Function:
    """Compile with Numba in nopython mode, releasing the GIL; keep the machine code between runs."""
    return cast(Function, Kernel(function, _nrt=True))


def borrowing_jit(function: Function) -> Function:
    """Compile as `jit` does, without reference counts: for functions that may slice their arrays, but make none.

    Numba raises and lowers the reference count of every array at every call, atomically, unless LLVM can prove both
    away. For a function that is called for each pair with ten arrays, that costs more than the pair.
    """
    return cast(Function, Kernel(function, _nrt=False))


def summing_jit(function: Function) -> Function:
    """Compile as `borrowing_jit` does, with sums in whatever order is fastest.

    Only for sums of whole numbers that fit their type in every partial sum, so that no order can change the result.
    """
    return cast(Function, Kernel(function, _nrt=False, fastmath={"reassoc", "nsz", "contract"}))


def as_written(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a kernel, for whole arrays instead of numbers."""
    function: Callable[..., Any] = kernel.__wrapped__  # type: ignore[attr-defined]
    return function


@contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels as Python functions, for little work; not for kernels that use vectors."""
    import numpy as np

    token = _INTERPRETED.set(True)
    try:
        with np.errstate(over="ignore"):
            yield
    finally:
        _INTERPRETED.reset(token)


class Kernel:
    """A function and its machine code, which other kernels call without this object in between."""

    are_kept: ClassVar = True
    """False where neither the folder of a source nor NUMBA_CACHE_DIR can be written: each process then compiles."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        self._options = options

    def __call__(self, *arguments: Any) -> Any:
        return (as_written(self) if _INTERPRETED.get() else self.compiled)(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """Type that Numba sees where another kernel names this one."""
        return self.compiled._numba_type_

    @cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher, with what it has compiled so far."""
        import numba
        from numba.core.types.misc import unliteral

        from misread.compiled.cache import KernelCache

        function: Callable[..., Any] = self.__wrapped__  # type: ignore[attr-defined]
        # Nothing takes the address of a kernel: what C would call it by takes a tenth of the time to compile.
        compiled: Any = numba.njit(nogil=True, no_cfunc_wrapper=True, **self._options)(function)
        find_template = compiled.get_call_template

        def find_general_template(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
            """Compile for int and bool alone: Numba would compile once more for each constant that a caller writes."""
            return find_template(tuple(map(unliteral, arguments)), keywords)

        compiled.get_call_template = find_general_template
        # What njit(cache=True) does, with a stamp of our own.
        try:
            compiled._cache = KernelCache(function)  # noqa: SLF001
        except RuntimeError:
            Kernel.are_kept = False
        return compiled
