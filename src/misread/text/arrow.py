"""Texts in Arrow buffers: read and written without a Python string for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import eq
from typing import Any, Final, overload

import numpy as np

from misread.errors import InputTextError, InputTypeError
from misread.text.arrow_numpy import as_array, to_arrow, to_flags, to_numpy, to_scalar
from misread.types import IntArray

KEPT: Final = 1 << 16
"""Most texts whose strings are kept in memory, 0.1 kB each; a row group of a stage's file has fewer."""

AT_A_TIME: Final = 4096
"""Strings that are made at a time if there are more."""

_ONE_OF: Final = {"references": "reference", "hypotheses": "hypothesis"}


def is_arrow(texts: object) -> bool:
    """Whether these texts are an Arrow array, chunked or not; does not import pyarrow."""
    kind = type(texts)
    return kind.__module__.partition(".")[0] == "pyarrow" and hasattr(texts, "null_count") and hasattr(texts, "cast")


class ArrowTexts(Sequence[str]):
    """The strings of an Arrow array: string, large_string, string_view, or a dictionary of such, chunked or not.

    As a sequence it makes Python strings: all of them once if there are few texts, else those that are asked for, each
    time. `join`, `encoded`, `ascending` and `numbered` make none, or few. Raises InputTypeError for any other type or
    a null, and InputTextError for bytes that are not UTF-8, with the side and the index.
    """

    def __init__(self, texts: Any, side: str) -> None:
        import pyarrow as pa

        if not _holds_strings(texts.type):
            raise InputTypeError(f"{side} is an Arrow array of {texts.type} where strings are needed.")
        array = _as_one(texts)
        if array.null_count:
            index = int(np.argmax(to_flags(array.is_null())))
            raise InputTypeError(f"{_ONE_OF.get(side, side)} {index} is null where a string is needed.")
        try:
            array.validate(full=True)
        except pa.ArrowInvalid as error:
            raise InputTextError(f"{side} is not a valid Arrow array: {error}.") from error
        self._array = array

    @classmethod
    def of(cls, texts: Any) -> ArrowTexts:
        """Take strings that Arrow itself has made or read, without nulls, as they are."""
        made = cls.__new__(cls)
        made._array = _as_one(texts)  # noqa: SLF001
        return made

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> ArrowTexts: ...
    def __getitem__(self, index: int | slice) -> str | ArrowTexts:
        if isinstance(index, slice):
            return ArrowTexts.of(self._array[index])
        if "_strings" not in self.__dict__ and len(self) > KEPT:
            text: str = self._array[index].as_py()
            return text
        return self._strings[index]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._parts())

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and any(value in part for part in self._parts())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ArrowTexts):
            return bool(self._array.equals(other._array))
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002
        return self._array if type is None else self._array.cast(type)

    def join(self, separator: str) -> str:
        """All texts joined as by `str.join`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        whole = pa.LargeListArray.from_arrays(to_arrow(np.array([0, len(self)])), self._array)
        joined: str = pc.binary_join(whole, to_scalar(separator))[0].as_py()
        return joined

    def encoded(self) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], IntArray]:
        """All texts in UTF-8, and their bounds: text i is `data[bounds[i] : bounds[i + 1]]`."""
        _, offsets, data = self._array.buffers()
        if offsets is None or data is None:
            return np.frombuffer(b"", np.uint8), np.zeros(len(self) + 1, np.int64)
        bounds = np.frombuffer(offsets, np.int64)[self._array.offset :][: len(self) + 1]
        return np.frombuffer(data, np.uint8), bounds

    def take(self, rows: Sequence[int] | IntArray) -> ArrowTexts:
        """Texts of these rows, in this order."""
        return ArrowTexts.of(self._array.take(to_arrow(np.asarray(rows, np.int64))))

    def ascending(self) -> IntArray:
        """Rows in the order of their texts, which is that of Python: UTF-8 sorts as code points do."""
        import pyarrow.compute as pc

        if pc.all(pc.less_equal(self._array[:-1], self._array[1:])).as_py() is not False:
            return np.arange(len(self))
        rows: IntArray = to_numpy(pc.array_sort_indices(self._array)).astype(np.int64)
        return rows

    def are_distinct(self) -> bool:
        """Whether no text occurs twice."""
        import pyarrow.compute as pc

        # Sorted: a hash table of half a million texts takes 100 MB.
        ordered = self._array.take(to_arrow(self.ascending()))
        return pc.any(pc.equal(ordered[:-1], ordered[1:])).as_py() is not True

    def numbered(self) -> tuple[list[str], IntArray]:
        """Different texts in ascending order, and for each row the number of its text among them."""
        encoded = self._array.dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        order = sorted(range(len(texts)), key=texts.__getitem__)
        numbers = np.empty(len(texts), np.int64)
        numbers[order] = np.arange(len(texts))
        return [texts[index] for index in order], numbers[to_numpy(encoded.indices)]

    def __getstate__(self) -> dict[str, Any]:
        return {"_array": self._array}

    def _parts(self) -> Iterator[list[str]]:
        """All strings, in parts if they do not stay in memory."""
        if len(self) <= KEPT:
            yield self._strings
        else:
            for start in range(0, len(self), AT_A_TIME):
                yield self._array.slice(start, AT_A_TIME).to_pylist()

    @cached_property
    def _strings(self) -> list[str]:
        return self._array.to_pylist()  # type: ignore[no-any-return]


def _as_one(texts: Any) -> Any:
    """One large_string array; nothing is copied where there is one chunk."""
    import pyarrow as pa

    return as_array(texts.cast(pa.large_string()))


def _holds_strings(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)  # type: ignore[no-any-return]
