"""Edit distance over the length of the longer side."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from misread.alignment import Unit
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.types import IntArray


@dataclass(frozen=True)
class NormalizedDistance(Metric):
    """Errors over the length of the longer text: never above 1, however much a hypothesis adds.

    As OmniDocBench counts. Not defined where both texts are empty.

    Parameters
    ----------
    unit : {"char", "grapheme", "word"}
        What is aligned.
    """

    unit: Unit = "char"

    columns = ("errors", "longer_length")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2); of texts with alternatives, of the reading by words."""
        aligned = ErrorRate(self.id, self.unit, text=self.text)
        counts = aligned.count(replace(pairs, written=None) if pairs.written is not None else pairs)
        errors, length, hits, substitutions, _, insertions = np.moveaxis(counts, -1, 0)
        return np.stack([errors, np.maximum(length, hits + substitutions + insertions)], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, denominator."""
        return {"unit": self.unit, "norm": norm, "align": "unit", "over": "longer"}
