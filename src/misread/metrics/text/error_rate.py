"""Error rates from an alignment: characters, graphemes and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from misread.alignment import (
    AlignedAlternatives,
    AlignmentPolicy,
    ErrorCounts,
    PairedTexts,
    Texts,
    Unit,
    align_alternatives,
    error_counts,
    joined_pairs,
    paired_error_counts,
    paired_operations,
)
from misread.errors import UndefinedResultError, UnknownNameError
from misread.metrics.base import Direction, Kind, Metric, ScoredText, WrittenAlternatives
from misread.types import IntArray

EmptyReference = Literal["max1", "one", "nan", "inf", "error"]


@dataclass(frozen=True)
class ErrorRate(Metric):
    """(S + D + I) / N of an alignment in one unit; with transpositions T, (S + D + I + T) / N.

    Parameters
    ----------
    unit : {"char", "grapheme", "word"}
        Code points, extended grapheme clusters (UAX #29), or maximal runs of characters that are not white space.
    alignment : {"unit", "sclite", "transpositions"}
        By which costs, see `misread.error_counts`.
    """

    unit: Unit
    alignment: AlignmentPolicy = "unit"

    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts that add; there is a column for transpositions where the alignment has them."""
        columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions")
        return (*columns, "transpositions") if self.alignment == "transpositions" else columns

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns)."""
        if pairs.written is not None and self.chooses_readings:
            return _stack(self._align(pairs.written).counts, self.alignment)
        if self.unit == "grapheme":
            return self._count_graphemes(pairs)
        return pairs.once(_count_errors, self.unit, self.alignment)

    def _count_graphemes(self, pairs: ScoredText) -> IntArray:
        """Count graphemes, where they are characters as those, which other metrics count as well."""
        joined = pairs.once(joined_pairs)
        rows = np.flatnonzero(joined)
        if 2 * len(rows) > len(joined):
            return pairs.once(_count_errors, self.unit, self.alignment)
        counts = pairs.once(_count_errors, "char", self.alignment)
        if len(rows):
            counts = counts.copy()
            counts[rows] = _count_errors(pairs.take(rows), self.unit, self.alignment)
        return counts

    def operations(self, pairs: ScoredText) -> Sequence[str]:
        """Alignment of every segment, one letter per operation, whose errors are those of `count`."""
        if pairs.written is not None and self.chooses_readings:
            return self._align(pairs.written).letters()
        return paired_operations(pairs.paired, unit=self.unit, alignment=self.alignment).letters()

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: words do, by their own costs."""
        return self.unit == "word" and self.alignment != "transpositions"

    def _align(self, written: WrittenAlternatives) -> AlignedAlternatives:
        if self.alignment == "unit":
            return written.with_unit_costs
        return align_alternatives(
            written.references, written.hypotheses, alignment="sclite", alternatives=written.sides
        )

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, rule for empty references."""
        return {"unit": self.unit, "norm": norm, "align": self.alignment, "empty": "null"}


def _count_errors(texts: PairedTexts, unit: Unit, alignment: AlignmentPolicy) -> IntArray:
    return _stack(paired_error_counts(texts, unit=unit, alignment=alignment), alignment)


def _stack(counts: ErrorCounts, alignment: AlignmentPolicy) -> IntArray:
    columns = [
        counts.errors,
        counts.reference_length,
        counts.hits,
        counts.substitutions,
        counts.deletions,
        counts.insertions,
    ]
    if alignment == "transpositions":
        columns.append(counts.transpositions)
    return np.stack(columns, axis=-1)


def cer(
    reference: Texts,
    hypothesis: Texts,
    *,
    empty_reference: EmptyReference = "max1",
) -> float:
    """Character error rate: (S + D + I) / N of a minimum-cost alignment of code points.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        Texts of equal number. For many texts the corpus rate is returned: errors and lengths are summed before
        dividing (micro average).
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        Value for a reference without characters: "max1" divides by max(1, N); "one" is 1.0, "nan" not a number,
        "inf" infinity, each where the hypothesis has characters (0.0 where it has none, but "nan" always);
        "error" raises.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    Levenshtein (1966); Evaluation Metrics (lines), "Character Error Rate".

    Examples
    --------
    >>> cer("The quick brown fox", "The quich brown fax")
    0.10526315789473684
    >>> cer("", "abc")
    3.0
    """
    return _corpus_rate(reference, hypothesis, "char", empty_reference)


def ger(
    reference: Texts,
    hypothesis: Texts,
    *,
    empty_reference: EmptyReference = "max1",
) -> float:
    r"""Grapheme error rate: (S + D + I) / N of a minimum-cost alignment of what readers take for characters.

    A grapheme is an extended grapheme cluster: a letter with all its marks, an emoji with all its parts, CR with LF.
    Canonically equivalent graphemes compare equal, so composed versus decomposed text never counts as an error.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        Texts of equal number; for many texts the corpus rate (micro average).
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        As in `cer`.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    Unicode Standard Annex #29, section 3; Unicode Standard Annex #15 (canonical equivalence).

    Examples
    --------
    >>> ger("M\u00fcll", "Mu\u0308ll"), cer("M\u00fcll", "Mu\u0308ll")
    (0.0, 0.5)
    """
    return _corpus_rate(reference, hypothesis, "grapheme", empty_reference)


def wer(
    reference: Texts,
    hypothesis: Texts,
    *,
    empty_reference: EmptyReference = "max1",
) -> float:
    """Word error rate: (S + D + I) / N of a minimum-cost alignment of words.

    A word is a maximal run of characters that are not white space (Unicode White_Space).

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        Texts of equal number; for many texts the corpus rate (micro average).
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        As in `cer`.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    Evaluation Metrics (lines), "Word Error Rate".

    Examples
    --------
    >>> wer("bu bir test cümlesidir", "bu bir test cümlesi")
    0.25
    """
    return _corpus_rate(reference, hypothesis, "word", empty_reference)


def _corpus_rate(reference: Texts, hypothesis: Texts, unit: Unit, empty_reference: EmptyReference) -> float:
    if empty_reference not in get_args(EmptyReference):
        raise UnknownNameError("rule for empty references", empty_reference, get_args(EmptyReference))
    counts = error_counts(reference, hypothesis, unit=unit)
    if len(counts) == 0:
        raise UndefinedResultError("there is no text to score: both sequences are empty.")
    errors, length = int(counts.errors.sum()), int(counts.reference_length.sum())
    if length > 0:
        return errors / length
    if empty_reference == "error":
        raise UndefinedResultError(f"the reference has no {unit}: its error rate is undefined.")
    values = {"max1": float(errors), "one": min(errors, 1) * 1.0, "nan": np.nan, "inf": np.inf if errors else 0.0}
    return values[empty_reference]
