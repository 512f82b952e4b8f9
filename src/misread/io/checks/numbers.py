"""Checks of numeric arguments: a number, a row or a table of numbers, a row of booleans.

A wrong type raises InputTypeError, which names the argument; an array of the wrong shape UndefinedResultError.
"""

import math
from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from misread.errors import ConfigurationError, InputTypeError, InputValueError, UndefinedResultError
from misread.io.json_files import LARGEST
from misread.types import BoolArray, FloatArray, IntArray

MOST_COUNT: Final = 2**53
"""Whole numbers up to it are exact as floats, and a thousand of them have a sum in 64 bits."""


def check_number(name: str, value: object) -> float:
    """Raise InputTypeError unless `value` is a number, InputValueError above 1e50; the caller checks its range."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        raise InputTypeError(f"{name} is {value!r}, expected a number.")
    number: Any = value.item() if isinstance(value, np.generic) else value
    if LARGEST < abs(number) < math.inf:
        raise InputValueError(f"{name} is {_shown(value)}, expected a number of at most {LARGEST:g}.")
    return value  # type: ignore[return-value]


def check_confidence(confidence: object) -> float:
    """Raise ConfigurationError if a nominal coverage is not inside (0, 1)."""
    number = check_number("confidence", confidence)
    if not 0 < number < 1:
        raise ConfigurationError(f"confidence is {confidence}; it has to lie inside (0, 1), and 0.95 is usual.")
    return number


def check_whole(name: str, value: object) -> int:
    """Raise InputTypeError unless a setting is a whole number, ConfigurationError if it has more than 64 bits."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputTypeError(f"{name} is {value!r}, expected a whole number.")
    if abs(int(value)) >= 2**63:
        raise ConfigurationError(f"{name} is {_shown(value)}, expected a whole number below 2**63.")
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
    most = MOST_COUNT if array.dtype.kind in "iu" else LARGEST
    if array.size and np.any((np.abs(array) > most) & np.isfinite(array)):
        raise InputValueError(f"{name} holds numbers beyond {most:.3g}, expected {expected} up to it.")
    if array.ndim != axes:
        raise UndefinedResultError(f"{name} is an array of shape {array.shape}, expected {expected}.")
    return array


def _shown(value: Any) -> str:
    """A number of any size in a few letters."""
    if abs(value) >= 1e300:
        return "beyond 1e300"
    return str(value) if isinstance(value, Integral) and abs(int(value)) < 10**40 else f"{value:g}"


def _describe(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
