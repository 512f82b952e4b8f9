"""Error rate of the stretch of a hypothesis that fits its reference best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from misread.alignment import PairedTexts
from misread.compiled.budget import ALIGNING, loaded_above
from misread.compiled.threads import run_in_chunks
from misread.errors import ConfigurationError
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.text.error_rate import ErrorRate
from misread.text.words import split_words
from misread.types import IntArray

_CELL_SECONDS: Final = 2e-6


@dataclass(frozen=True)
class StretchErrorRate(Metric):
    """Error rate where the reference is a part of what can be read: words before and after it are no insertions.

    The stretch of words with the fewest errors counts, if enough words of the reference are right in it. Otherwise
    nothing shows where the reference is, and the whole hypothesis counts.

    Parameters
    ----------
    unit : {"char", "word"}
        What is counted inside the stretch.
    least_share : float
        Share of the words of the reference that must be right in the stretch.

    References
    ----------
    Sellers (1980), The theory and computation of evolutionary distances: pattern recognition.
    """

    unit: Literal["char", "word"]
    least_share: float = 0.5

    columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions", "words_around", "not_found")
    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.least_share <= 1:
            raise ConfigurationError(
                f"least_share of {self.id} is {self.least_share}, expected a share above 0 up to 1."
            )

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 8)."""
        rate = ErrorRate(self.id, self.unit, text=self.text)
        stretches = pairs.once(_find_stretches)
        start, end, hits, words, found_words = stretches.T
        is_found = (hits >= self.least_share * words) & (words > 0)
        around = np.where(is_found, found_words - (end - start), 0)
        counts = np.column_stack([rate.count(pairs), around, ~is_found & (words > 0)])
        rows = np.flatnonzero(around)
        if len(rows):
            numbers = rows.tolist()
            references = [pairs.references[row] for row in numbers]
            counts[rows, :6] = rate.count(ScoredText(references, [_cut(pairs, row, stretches) for row in numbers]))
        return counts

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, guard."""
        guard = f"best-stretch-{self.least_share:g}"
        return {"unit": self.unit, "norm": norm, "align": "unit", "of": guard, "empty": "null"}


def _cut(pairs: ScoredText, row: int, stretches: IntArray) -> str:
    """The stretch of a hypothesis, with the white space inside it."""
    text = pairs.hypotheses[row]
    start, end = stretches[row, :2].tolist()
    place = first = 0
    for number, word in enumerate(split_words(text)[:end]):
        place = text.index(word, place)
        first = place if number == start else first
        place += len(word)
    return text[first:place]


def _find_stretches(texts: PairedTexts) -> IntArray:
    """Start and end of the best stretch of words, its hits, and the words of both sides, shape (pairs, 5)."""
    from misread.alignment.kernels.stretches import find_stretches

    found = np.empty((len(texts), 5), np.int64)
    for batch, pairs in texts.encode("word"):
        sizes = np.column_stack([pairs.references.lengths, pairs.hypotheses.lengths])
        part = np.empty((len(sizes), 3), np.int64)
        cells = int(sizes.prod(axis=1).sum())
        with loaded_above(ALIGNING, _CELL_SECONDS * cells):
            run_in_chunks(find_stretches, len(part), cells, pairs.wide_sides, part)
        found[batch] = np.column_stack([part, sizes])
    return found
