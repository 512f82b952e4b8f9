"""The door for numbers: one of them, a row of them, or a row of yes and no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any

import numpy as np

from misread.arrays import BoolArray, FloatArray
from misread.errors import InputTypeError, UndefinedResultError


def check_number(name: str, value: object) -> float:
    """Refuse what is not a number; where it has to lie is the caller's affair.

    Raises
    ------
    InputTypeError
        Names the argument and shows it.
    """
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        raise InputTypeError(f"{name} is {value!r}, expected a number.")
    return value  # type: ignore[return-value]


def check_whole(name: str, value: object) -> int:
    """Refuse what is not a whole number.

    Raises
    ------
    InputTypeError
        Names the argument and shows it.
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputTypeError(f"{name} is {value!r}, expected a whole number.")
    return int(value)


def check_row(name: str, values: object) -> FloatArray:
    """Make a row of floats of a list, a column or anything else that can be gone through once.

    Raises
    ------
    InputTypeError
        If there are no numbers in it; names the argument.
    UndefinedResultError
        If it is more than one row.
    """
    return _row(name, values, "iuf", "numbers").astype(np.float64)


def check_flags(name: str, values: object) -> BoolArray:
    """Make a row of true and false of booleans, or of the numbers 1 and 0.

    Raises
    ------
    InputTypeError
        If there is anything else in it; names the argument.
    UndefinedResultError
        If it is more than one row.
    """
    row = _row(name, values, "biu", "True or False")
    if not np.isin(row, (0, 1)).all():
        raise InputTypeError(f"{name} holds other numbers than 0 and 1, expected a row of True or False.")
    return row.astype(np.bool_)


def _row(name: str, values: object, kinds: str, expected: str) -> np.ndarray[Any, Any]:
    refusal = InputTypeError(f"{name} is {_describe(values)}, expected a row of {expected}.")
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        raise refusal
    try:
        row = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):
        raise refusal from None
    if row.ndim != 1:
        raise UndefinedResultError(f"{name} is an array of shape {row.shape}, expected a row of {expected}.")
    if len(row) and row.dtype.kind not in kinds:
        raise InputTypeError(f"{name} holds {row.dtype.name}, expected a row of {expected}.")
    return row


def _describe(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
