"""Arrow arrays from lists and NumPy's, and back, without pandas.

`pyarrow.array`, `pyarrow.scalar` and `Array.to_numpy` import pandas, where it is installed, to look for its objects:
40 MB and a third of a second for a command that needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa


def to_arrow(numbers: IntArray | FloatArray | BoolArray) -> pa.Array:
    """Numbers or truth values as an Arrow array of the same kind; numbers share their memory."""
    import pyarrow as pa

    contiguous = np.ascontiguousarray(numbers)
    if contiguous.dtype == np.bool_:
        bits = np.packbits(contiguous.astype(np.bool_), bitorder="little")
        return pa.Array.from_buffers(pa.bool_(), len(contiguous), [None, pa.py_buffer(bits)])
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(contiguous.dtype), len(contiguous), [None, pa.py_buffer(contiguous)]
    )


def to_column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Values as an Arrow array of a kind, None as null. OverflowError for 2 GiB of texts or more in a `string`."""
    import pyarrow as pa

    if isinstance(values, pa.Array):
        return values if values.type == kind else values.cast(kind)
    if isinstance(values, np.ndarray):
        return to_column(to_arrow(values), kind) if values.dtype != object else to_column(values.tolist(), kind)
    if hasattr(values, "__arrow_array__"):
        return to_column(values.__arrow_array__(kind), kind)
    values = list(values)
    missing = [value is None for value in values]
    if all(missing):
        return pa.nulls(len(values), kind)
    is_valid = pa.py_buffer(np.packbits(~np.array(missing), bitorder="little")) if any(missing) else None
    if kind in (pa.string(), pa.large_string()):
        encoded = [b"" if value is None else value.encode() for value in values]
        bounds = np.concatenate([[0], np.cumsum([*map(len, encoded)])])
        if kind == pa.string():
            if bounds[-1] >= 2**31:
                raise OverflowError(f"{bounds[-1]:,} bytes of texts in one column, expected less than 2 GiB.")
            bounds = bounds.astype(np.int32)
        parts = [pa.py_buffer(bounds), pa.py_buffer(b"".join(encoded))]
    elif _only(int, values, pa.types.is_integer(kind)) or _only(float, values, pa.types.is_floating(kind)):
        numbers = np.array([0 if value is None else value for value in values], str(kind).replace("double", "float64"))
        parts = [pa.py_buffer(numbers)]
    elif _only(bool, values, pa.types.is_boolean(kind)):
        parts = [pa.py_buffer(np.packbits(np.array(values, np.bool_), bitorder="little"))]
    else:
        return pa.array(values, kind)
    return pa.Array.from_buffers(kind, len(values), [is_valid, *parts])


def _only(kind: type, values: list[Any], is_wanted: bool) -> bool:
    """Whether NumPy reads these values as Arrow does; it makes numbers of others, which Arrow refuses to make."""
    return is_wanted and {*map(type, values)} <= {kind, type(None)}


def to_numpy(numbers: pa.Array | pa.ChunkedArray) -> np.ndarray[Any, Any]:
    """Numbers of an Arrow array, or column of a table; they share the memory of an array. ValueError for a null."""
    array = as_array(numbers)
    if array.null_count:
        raise ValueError(f"{array.null_count:,} of {len(array):,} numbers are null, expected none.")
    return _share(array)


def to_floats(numbers: pa.Array | pa.ChunkedArray) -> FloatArray:
    """Numbers of an Arrow array, or column of a table, as floats; null as NaN."""
    import pyarrow as pa

    floats = as_array(numbers).cast(pa.float64())
    numbers_and_nulls: FloatArray = _share(floats)
    return (
        numbers_and_nulls
        if floats.null_count == 0
        else np.where(to_flags(floats.is_valid()), numbers_and_nulls, np.nan)
    )


def to_flags(flags: pa.Array | pa.ChunkedArray) -> BoolArray:
    """Truth values of an Arrow array, or column of a table, without nulls."""
    import pyarrow as pa

    truth_values: BoolArray = to_numpy(as_array(flags).cast(pa.uint8())).view(np.bool_)
    return truth_values


def _share(numbers: pa.Array) -> np.ndarray[Any, Any]:
    kind = np.dtype(numbers.type.to_pandas_dtype())
    return np.frombuffer(numbers.buffers()[1] or b"", kind, len(numbers), kind.itemsize * numbers.offset)


def as_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of a table as one array; nothing is copied where there is one chunk."""
    import pyarrow as pa

    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    # Of no chunks Arrow would make an array of a list, for which it imports pandas.
    return column.combine_chunks() if column.num_chunks else pa.nulls(0, column.type)


def to_scalar(text: str) -> pa.Scalar:
    """A text as a large_string."""
    import pyarrow as pa

    data = text.encode()
    return pa.LargeStringArray.from_buffers(1, pa.py_buffer(np.array([0, len(data)])), pa.py_buffer(data))[0]
