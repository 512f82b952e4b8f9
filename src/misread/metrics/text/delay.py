"""How long after it was spoken a word of a stream is final."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final

import numpy as np

from misread.errors import InputValueError
from misread.metrics.base import Direction, Kind, Metric, ScoredText, divide
from misread.metrics.text.aligned_words import place_words
from misread.types import BoolArray, FloatArray, IntArray

# Times are whole microseconds, so that counts add exactly.
_UNIT: Final = 1_000_000


@dataclass(frozen=True)
class FinalWordDelay(Metric):
    """Mean seconds from the end of a spoken word to the moment from which a stream no longer changes it.

    The annotation "spoken_times" has the end of each word of the reference in seconds, "final_times" when each word of
    the hypothesis became final. Words count that are right; others were not spoken, or are not what was spoken.
    """

    columns = ("microseconds", "words")
    reference_annotations = ("spoken_times",)
    direction = Direction.LOWER_IS_BETTER
    kind = Kind.OTHER
    # Where a word was guessed before its end.
    bounds = (-math.inf, math.inf)
    size_columns = ("words",)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        places = place_words(pairs.paired)
        sizes = [
            np.bincount(places.rows[side >= 0], minlength=len(pairs.references))
            for side in (places.references, places.hypotheses)
        ]
        spoken, final = (
            _read(pairs, name, of, self.id) for name, of in zip(("spoken_times", "final_times"), sizes, strict=True)
        )
        hits = places.hits
        delays = final[places.hypotheses[hits]] - spoken[places.references[hits]]
        rows = places.rows[hits]
        sums = np.zeros((len(pairs.references), 2), np.int64)
        np.add.at(sums[:, 0], rows, np.rint(delays * _UNIT).astype(np.int64))
        sums[:, 1] = np.bincount(rows, minlength=len(sums))
        return sums

    def rate(self, counts: IntArray) -> FloatArray:
        """Mean seconds of summed counts, shape (..., 2) -> (...); NaN where no word is right."""
        return divide(counts[..., 0], counts[..., 1] * _UNIT, undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether no word was late."""
        exact: BoolArray = counts[:, 0] <= 0
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule."""
        return {"unit": "word", "norm": norm, "align": "unit"}


def _read(pairs: ScoredText, name: str, sizes: Sequence[int] | IntArray, metric: str) -> FloatArray:
    """Seconds of all words of a side, one after the other."""
    found: list[Any] = []
    for row, (value, size) in enumerate(zip(pairs.annotation(name, metric), np.asarray(sizes).tolist(), strict=True)):
        if not size:
            continue
        if not isinstance(value, list) or len(value) != size or not all(map(_is_time, value)):
            shown = f"{len(value):,} {name}" if isinstance(value, list) else f"no {name}"
            raise InputValueError(f"{pairs.name(row)} has {shown}, expected seconds for each of its {size:,} words.")
        found += value
    return np.array(found, np.float64)


def _is_time(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
