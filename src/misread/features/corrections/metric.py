"""Improvements and damage by a correction of recognized text."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from misread.alignment import PairedTexts, paired_error_counts, paired_operations
from misread.alignment.kernels.kinds import HIT, INSERTION
from misread.errors import InputValueError
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.types import BoolArray, IntArray

CorrectionScore = Literal[
    "error_reduction", "corrected_words", "damaged_words", "improved_segments", "worsened_segments"
]

ANNOTATION: Final = "ocr"
COLUMNS: Final = (
    *("improved", "worsened", "same", "errors_before", "errors_after"),
    *("corrected", "left_wrong", "damaged", "kept", "inserted_before", "inserted_after"),
)

# Numerator and denominators of each score that is a share.
_SHARES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "corrected_words": ("corrected", ("corrected", "left_wrong")),
    "damaged_words": ("damaged", ("damaged", "kept")),
    "improved_segments": ("improved", ("improved", "worsened", "same")),
    "worsened_segments": ("worsened", ("improved", "worsened", "same")),
}


@dataclass(frozen=True)
class CorrectionBalance(Metric):
    """Compare a correction with the text before it, the annotation "ocr" of the references.

    A segment is improved if fewer of its characters are wrong than before. A word of the reference is right if it is a
    hit of the alignment of words: corrected if it was wrong and is right, damaged if it was right and is wrong
    (over-normalization).

    Parameters
    ----------
    score : {"error_reduction", "corrected_words", "damaged_words", "improved_segments", "worsened_segments"}
        Share of the errors of characters that are gone, below 0 if there are more than before; share of the wrong words
        that were corrected; share of the right words that were damaged; share of the segments that are better, or
        worse.
    """

    score: CorrectionScore

    columns = COLUMNS
    reference_annotations = (ANNOTATION,)

    @property
    def direction(self) -> Direction:
        lower = self.score in ("damaged_words", "worsened_segments")
        return Direction.LOWER_IS_BETTER if lower else Direction.HIGHER_IS_BETTER

    @property
    def kind(self) -> Kind:
        return Kind.OTHER if self.score == "error_reduction" else Kind.SHARE

    @property
    def bounds(self) -> tuple[float, float]:
        return -math.inf if self.score == "error_reduction" else 0.0, 1.0

    @property
    def rate_columns(self) -> tuple[str, ...]:
        if self.score == "error_reduction":
            return ("errors_before", "errors_after")
        return _SHARES[self.score][1]

    @property
    def size_columns(self) -> tuple[str, ...]:
        return self.rate_columns[:1] if self.score == "error_reduction" else self.rate_columns

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 11)."""
        before = PairedTexts(pairs.references, _read(pairs, self.id))
        errors, errors_after = (paired_error_counts(texts).errors for texts in (before, pairs.paired))
        words = [paired_operations(texts, unit="word") for texts in (before, pairs.paired)]
        inserted = [operations.count(INSERTION) for operations in words]
        was_right, now_right = (operations.codes[operations.codes != INSERTION] == HIT for operations in words)
        segments = len(pairs.references)
        # Of each word of the references, whether it was and is right, as a number of two bits.
        first = 4 * np.arange(segments).repeat(np.diff(words[0].offsets) - inserted[0])
        cells = np.bincount(first + (2 * was_right + now_right), minlength=4 * segments)
        left_wrong, corrected, damaged, stayed = cells.reshape(segments, 4).T
        better = [errors_after < errors, errors_after > errors, errors_after == errors]
        counts = [*better, errors, errors_after, corrected, left_wrong, damaged, stayed, *inserted]
        return np.stack(counts, axis=-1, dtype=np.int64)

    def quotient(self, counts: IntArray) -> tuple[IntArray, IntArray]:
        """Numerator and denominator of the share; the denominator depends only on the text before the correction."""
        columns = dict(zip(COLUMNS, np.moveaxis(counts, -1, 0), strict=True))
        if self.score == "error_reduction":
            return columns["errors_before"] - columns["errors_after"], columns["errors_before"]
        numerator, denominators = _SHARES[self.score]
        total: IntArray = np.sum([columns[name] for name in denominators], axis=0)
        return columns[numerator], total

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether nothing is wrong after the correction."""
        exact: BoolArray = counts[:, COLUMNS.index("errors_after")] == 0
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule."""
        unit = "char" if self.score == "error_reduction" else "word" if self.score.endswith("words") else "segment"
        return {"unit": unit, "norm": norm, "align": "unit", "against": ANNOTATION}


def _read(pairs: ScoredText, metric: str) -> Sequence[str]:
    texts = pairs.annotation(ANNOTATION, metric)
    # One look at all is faster than one at each.
    if set(map(type, texts)) <= {str}:
        return texts
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputValueError(f"{pairs.name(row)} has {text!r} as the text that was corrected, expected a text.")
    return texts
