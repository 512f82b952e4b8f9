"""Letters of many alignments in one buffer: strings are made when they are asked for."""

from functools import partial
from itertools import pairwise
from typing import Any

from misread.alignment.kernels.types import Bytes
from misread.text.lazy_texts import DeferredTexts
from misread.types import IntArray


class Letters(DeferredTexts[str]):
    """One string per pair, ASCII `letters[offsets[i] : offsets[i + 1]]`; converts to Arrow without a copy."""

    def __init__(self, letters: Bytes, offsets: IntArray) -> None:
        super().__init__(len(offsets) - 1, partial(_decode, letters, offsets))
        self._letters = letters
        self._offsets = offsets

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - Arrow's name
        import pyarrow as pa

        buffers = [None, pa.py_buffer(self._offsets), pa.py_buffer(self._letters)]
        array = pa.Array.from_buffers(pa.large_string(), len(self), buffers)
        return array if type is None else array.cast(type)


def _decode(letters: Bytes, offsets: IntArray) -> list[str]:
    text = letters.tobytes().decode("ascii")
    return [text[begin:end] for begin, end in pairwise(offsets.tolist())]
