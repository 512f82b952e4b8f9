"""The one decorator for compiled code: cached on disk where that is possible, compiled in memory where it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile with Numba in nopython mode, releasing the GIL; keep the machine code between runs.

    Numba raises at decoration when neither the package folder nor NUMBA_CACHE_DIR can be written (an install in
    a read-only folder); the code is then compiled anew in each process.

    Parameters
    ----------
    function : callable
        A function of integer or float arrays and scalars.

    Returns
    -------
    callable
        The compiled function.
    """
    try:
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]


def parallel_jit(function: Function) -> Function:
    """As `jit`, with `numba.prange` loops spread over threads.

    Parameters
    ----------
    function : callable
        A function whose parallel iterations write to places of their own, so that the number of threads cannot
        change the result.

    Returns
    -------
    callable
        The compiled function.
    """
    try:
        return numba.njit(cache=True, parallel=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(parallel=True)(function)  # type: ignore[no-any-return]


def summing_jit(function: Function) -> Function:
    """As `parallel_jit`, with sums in whatever order is fastest.

    Parameters
    ----------
    function : callable
        A function that adds whole numbers which fit their type in every partial sum, so that no order of addition
        can change the result.

    Returns
    -------
    callable
        The compiled function.
    """
    order_is_free = {"reassoc", "nsz", "contract"}
    try:
        return numba.njit(cache=True, parallel=True, fastmath=order_is_free)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(parallel=True, fastmath=order_is_free)(function)  # type: ignore[no-any-return]
