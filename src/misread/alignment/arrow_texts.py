"""Texts in Arrow buffers: read as code points without a Python string for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from misread.arrays import IntArray
from misread.errors import InputTextError

_ONE_OF: Final = {"references": "reference", "hypotheses": "hypothesis"}


def is_arrow(texts: object) -> bool:
    """Whether these texts are an Arrow array, or a chunked one; pyarrow is not imported to know that."""
    kind = type(texts)
    return kind.__module__.partition(".")[0] == "pyarrow" and hasattr(texts, "null_count") and hasattr(texts, "cast")


class ArrowTexts(Sequence[str]):
    """The strings of an Arrow array.

    Parameters
    ----------
    texts : pyarrow.Array or pyarrow.ChunkedArray
        Of type string, large_string, string_view, or a dictionary of such.
    side : str
        "references" or "hypotheses", for messages.

    Raises
    ------
    InputTextError
        If the array holds anything else, a null, or bytes that are not UTF-8; names the side, and the index.
    """

    def __init__(self, texts: Any, side: str) -> None:
        import pyarrow as pa

        if not _holds_strings(texts.type):
            raise InputTextError(f"{side} is an Arrow array of {texts.type} where strings are needed.")
        array = texts.cast(pa.large_string())
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], pa.large_string())
        if array.null_count:
            index = int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))
            raise InputTextError(f"{_ONE_OF[side]} {index} is null where a string is needed.")
        try:
            array.validate(full=True)
        except pa.ArrowInvalid as error:
            raise InputTextError(f"{side} is an Arrow array that breaks Arrow's own rules: {error}.") from error
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        chosen = self._array[index]
        return chosen.to_pylist() if isinstance(index, slice) else chosen.as_py()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self._array.to_pylist())

    def code_points(self) -> tuple[NDArray[np.uint32], IntArray]:
        """Decode all texts at once.

        Returns
        -------
        code_points : uint32 array
            Of all texts, one after the other.
        lengths : int64 array, shape (texts,)
            Code points of each text.
        """
        import pyarrow.compute as pc

        _, offsets, data = self._array.buffers()
        bounds = np.frombuffer(offsets, np.int64)[self._array.offset :][: len(self) + 1]
        joined = str(data[bounds[0] : bounds[-1]], "utf-8")
        lengths = np.asarray(pc.utf8_length(self._array), np.int64)
        return np.frombuffer(joined.encode("utf-32-le"), np.dtype("<u4")), lengths


def _holds_strings(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)  # type: ignore[no-any-return]
