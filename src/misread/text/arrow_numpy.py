"""Arrow arrays from lists and NumPy's, and back, without pandas.

`pyarrow.array`, `pyarrow.scalar` and `Array.to_numpy` import pandas, where it is installed, to look for its objects:
40 MB and a third of a second for a command that needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa


def to_arrow(numbers: IntArray | FloatArray) -> pa.Array:
    """Integers or floats as an Arrow array of 64 bits, which shares their memory."""
    import pyarrow as pa

    kept = np.ascontiguousarray(numbers)
    kind = pa.float64() if kept.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(kind, len(kept), [None, pa.py_buffer(kept)])


def to_column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Values as an Arrow array of a kind, None as null. OverflowError for 2 GiB of texts or more."""
    import pyarrow as pa

    if isinstance(values, pa.Array):
        return values if values.type == kind else values.cast(kind)
    if hasattr(values, "__arrow_array__"):
        return to_column(values.__arrow_array__(), kind)
    missing = [value is None for value in values]
    if all(missing):
        return pa.nulls(len(missing), kind)
    is_valid = pa.py_buffer(np.packbits(~np.array(missing), bitorder="little")) if any(missing) else None
    if kind == pa.string():
        encoded = [b"" if value is None else value.encode() for value in values]
        bounds = np.concatenate([[0], np.cumsum([*map(len, encoded)])])
        if bounds[-1] >= 2**31:
            raise OverflowError(f"{bounds[-1]:,} bytes of texts in one column, expected less than 2 GiB.")
        parts = [pa.py_buffer(bounds.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    elif kind in (of := _number_kinds()):
        parts = [pa.py_buffer(np.array([0 if value is None else value for value in values], of[kind]))]
    else:
        return pa.array(values, kind)
    return pa.Array.from_buffers(kind, len(missing), [is_valid, *parts])


@cache
def _number_kinds() -> dict[pa.DataType, type[np.number[Any]]]:
    import pyarrow as pa

    return {pa.int32(): np.int32, pa.int64(): np.int64, pa.float64(): np.float64}


def to_numpy(numbers: pa.Array) -> np.ndarray[Any, Any]:
    """Numbers of an Arrow array without nulls, which share its memory."""
    return np.from_dlpack(numbers)


def to_flags(flags: pa.Array) -> BoolArray:
    """Truth values of an Arrow array without nulls."""
    import pyarrow as pa

    found: BoolArray = np.from_dlpack(flags.cast(pa.uint8())).view(np.bool_)
    return found


def to_scalar(text: str) -> pa.Scalar:
    """A text as a large_string."""
    import pyarrow as pa

    data = text.encode()
    return pa.LargeStringArray.from_buffers(1, pa.py_buffer(np.array([0, len(data)])), pa.py_buffer(data))[0]
