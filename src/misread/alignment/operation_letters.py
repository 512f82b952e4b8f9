"""Letters of many alignments in one buffer: strings are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

from misread.alignment.kernels.types import Bytes
from misread.types import IntArray


class Letters(Sequence[str]):
    """One string per pair, ASCII `letters[offsets[i] : offsets[i + 1]]`; converts to Arrow without a copy."""

    def __init__(self, letters: Bytes, offsets: IntArray) -> None:
        self._letters = letters
        self._offsets = offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __iter__(self) -> Iterator[str]:
        text = self._letters.tobytes().decode("ascii")
        return (text[begin:end] for begin, end in pairwise(self._offsets.tolist()))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        begin, end = self._offsets[places], self._offsets[places + 1]
        return self._letters[begin:end].tobytes().decode("ascii")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - Arrow's name
        import pyarrow as pa

        buffers = [None, pa.py_buffer(self._offsets), pa.py_buffer(self._letters)]
        array = pa.Array.from_buffers(pa.large_string(), len(self), buffers)
        return array if type is None else array.cast(type)
