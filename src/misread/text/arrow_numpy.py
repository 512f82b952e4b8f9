"""Arrow arrays from NumPy's and back, without pandas.

`pyarrow.array`, `pyarrow.scalar` and `Array.to_numpy` import pandas, where it is installed, to look for its objects:
40 MB and a third of a second for a command that needs none.
"""

from __future__ import annotations

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
