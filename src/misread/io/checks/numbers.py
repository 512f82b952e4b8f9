"""Checks of numeric arguments: a number, a row or a table of numbers, a row of booleans.

A wrong type raises InputTypeError, which names the argument; an array of the wrong shape UndefinedResultError.
"""

from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from misread.errors import InputTypeError, UndefinedResultError
from misread.types import BoolArray, FloatArray, IntArray

LARGEST: Final = 1e50
"""No rate, deviation or price is larger; their fourth powers, and sums of them, are finite."""


def check_number(name: str, value: object) -> float:
    """Raise InputTypeError unless `value` is a number; the caller checks its range."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        raise InputTypeError(f"{name} is {value!r}, expected a number.")
    return value  # type: ignore[return-value]


def check_whole(name: str, value: object) -> int:
    """Raise InputTypeError unless `value` is a whole number."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputTypeError(f"{name} is {value!r}, expected a whole number.")
    return int(value)


def check_row(name: str, values: object) -> FloatArray:
    """Convert a list, column or other iterable to a row of floats."""
    return _array(name, values, "iuf", "a row of numbers").astype(np.float64)


def check_counts(name: str, values: object) -> IntArray:
    """Convert to a row of whole numbers, as `check_row` does to floats."""
    return _array(name, values, "iu", "a row of whole numbers").astype(np.int64)


def check_table(name: str, values: object) -> FloatArray:
    """Convert to rows of floats of equal length, shape (rows, columns)."""
    return _array(name, values, "iuf", "rows of numbers", axes=2).astype(np.float64)


def check_flags(name: str, values: object) -> BoolArray:
    """Convert booleans, or the numbers 1 and 0, to a row of booleans."""
    row = _array(name, values, "biu", "a row of True or False")
    if not np.isin(row, (0, 1)).all():
        raise InputTypeError(f"{name} has numbers other than 0 and 1, expected a row of True or False.")
    return row.astype(np.bool_)


def _array(name: str, values: object, kinds: str, expected: str, *, axes: int = 1) -> np.ndarray[Any, Any]:
    refusal = InputTypeError(f"{name} is {_describe(values)}, expected {expected}.")
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        raise refusal
    try:
        array = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):
        raise refusal from None
    if array.size and array.dtype.kind not in kinds:
        raise InputTypeError(f"{name} holds {array.dtype.name}, expected {expected}.")
    if array.ndim != axes:
        raise UndefinedResultError(f"{name} is an array of shape {array.shape}, expected {expected}.")
    return array


def _describe(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
