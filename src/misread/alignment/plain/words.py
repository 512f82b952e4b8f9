"""Words of few pairs as numbers."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import PADDING, Codes, Sides
from misread.types import IntArray

# Encodings by bytes of a code.
_ENCODINGS: Final = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
_CODE_SECONDS: Final = 1e-7


def estimate_seconds(sides: Sides) -> float:
    """Approximate seconds that `number_words` takes."""
    return _CODE_SECONDS * (sides[0].size + sides[2].size)


def number_words(sides: Sides, split: Callable[[str], Sequence[str]]) -> Sides:
    """Number the words of each pair: from 1 on those of the reference, 0 for others of the hypothesis.

    Equal words of a reference have the number of the first one.
    """
    references, hypotheses = (list(map(split, _decode(*side))) for side in (sides[:2], sides[2:]))
    numbered: list[list[int]] = []
    looked_up: list[list[int]] = []
    for words, others in zip(references, hypotheses, strict=True):
        numbers: dict[str, int] = {}
        numbered.append([numbers.setdefault(word, number) for number, word in enumerate(words, 1)])
        looked_up.append([numbers.get(word, 0) for word in others])
    code_type = np.min_scalar_type(max(map(len, references), default=0))
    return *_lay_out(numbered, code_type), *_lay_out(looked_up, code_type)


def _decode(codes: Codes, spans: IntArray) -> Sequence[str]:
    joined = codes.tobytes().decode(_ENCODINGS[codes.itemsize])
    return [joined[start:end] for start, end in spans.tolist()]


def _lay_out(texts: Sequence[Sequence[int]], code_type: np.dtype[np.unsignedinteger]) -> tuple[Codes, IntArray]:
    """All texts in one array, one after the other, and where each begins and ends."""
    codes = np.array([*(number for text in texts for number in text), *[0] * PADDING], code_type)
    # As characters are, so that kernels are compiled for one type of array.
    codes.setflags(write=False)
    lengths = np.array([*map(len, texts)], np.int64)
    ends = np.cumsum(lengths)
    return codes, np.stack([ends - lengths, ends], axis=-1)
