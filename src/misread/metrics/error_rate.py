"""Error rates from an alignment: characters and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from misread.alignment import Unit, error_counts
from misread.arrays import BoolArray, FloatArray, IntArray
from misread.errors import UndefinedResultError, UnknownNameError
from misread.metrics.base import Direction, ScoredText, TextForm, divide
from misread.metrics.signature import make_signature

EmptyReference = Literal["max1", "one", "nan", "inf", "error"]


@dataclass(frozen=True)
class ErrorRate:
    """(S + D + I) / N of a minimum-cost alignment in one unit.

    Parameters
    ----------
    id : str
        Name in configurations, files and tables.
    unit : {"char", "word"}
        Code points, or maximal runs of characters that are not white space.
    text : {"normalized", "raw"}
        Which form of the text is aligned.
    """

    id: str
    unit: Unit
    text: TextForm = "normalized"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("errors", "length", "hits", "substitutions", "deletions", "insertions")

    @property
    def direction(self) -> Direction:
        return Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        counts = error_counts(pairs.references, pairs.hypotheses, unit=self.unit)
        return np.stack(
            [
                counts.errors,
                counts.reference_length,
                counts.hits,
                counts.substitutions,
                counts.deletions,
                counts.insertions,
            ],
            axis=-1,
        )

    def rate(self, counts: IntArray) -> FloatArray:
        """Errors over reference length, shape (..., 6) -> (...); NaN where the reference has no unit."""
        return divide(counts[..., 0], counts[..., 1], undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    def signature(self, normalizer: str) -> str:
        """Unit, normalizer, alignment rule, rule for empty references, version."""
        norm = normalizer if self.text == "normalized" else "none"
        return make_signature(self.id, [("unit", self.unit), ("norm", norm), ("align", "unit"), ("empty", "null")])


def cer(
    reference: str | Sequence[str],
    hypothesis: str | Sequence[str],
    *,
    empty_reference: EmptyReference = "max1",
) -> float:
    """Character error rate: (S + D + I) / N of a minimum-cost alignment of code points.

    Parameters
    ----------
    reference, hypothesis : str or sequence of str
        Texts of equal number. For sequences the corpus rate is returned: errors and lengths are summed before
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
        If the two sequences differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    Levenshtein (1966); seeds/000, "Character Error Rate".

    Examples
    --------
    >>> cer("The quick brown fox", "The quich brown fax")
    0.10526315789473684
    >>> cer("", "abc")
    3.0
    """
    return _corpus_rate(reference, hypothesis, "char", empty_reference)


def wer(
    reference: str | Sequence[str],
    hypothesis: str | Sequence[str],
    *,
    empty_reference: EmptyReference = "max1",
) -> float:
    """Word error rate: (S + D + I) / N of a minimum-cost alignment of words.

    A word is a maximal run of characters that are not white space (Unicode White_Space).

    Parameters
    ----------
    reference, hypothesis : str or sequence of str
        Texts of equal number; for sequences the corpus rate (micro average).
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        As in `cer`.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    Raises
    ------
    LengthMismatchError
        If the two sequences differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    seeds/000, "Word Error Rate".

    Examples
    --------
    >>> wer("bu bir test cümlesidir", "bu bir test cümlesi")
    0.25
    """
    return _corpus_rate(reference, hypothesis, "word", empty_reference)


def _corpus_rate(
    reference: str | Sequence[str], hypothesis: str | Sequence[str], unit: Unit, empty_reference: EmptyReference
) -> float:
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
