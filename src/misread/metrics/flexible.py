"""Flexible character accuracy: lines are matched in any order, in part where that is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.encode.inputs import check_text
from misread.metrics.base import Metric, ScoredText, TextForm
from misread.metrics.line_matching import count_in_any_order
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class FlexibleAccuracy(Metric):
    """Share of characters that are right if lines may stand in any order: 1 - errors / characters, 0 at least.

    The two lines for which a penalty is smallest are matched, the shorter one inside the longer one; what is left of
    a line is matched again, and what is left in the end was deleted or inserted. Weights of the penalty are tried over
    a grid, and the fewest errors count, or those of the whole texts if they are fewer. Line breaks are no characters.

    As in the program of the authors, whose numbers are published, a line is compared inside a longer one with stretches
    that are a character shorter; and where a line is cut, the character before the match and blanks at the ends of what
    is left do not count. So a merged line costs one error, most often. Substitutions, deletions and insertions are
    those of the stretches; only their sum is published.

    References
    ----------
    Clausner, Pletschacher & Antonacopoulos (2020), Flexible character accuracy measure for reading-order-independent
    evaluation, Pattern Recognition Letters 131, doi 10.1016/j.patrec.2020.02.003; PRImA, `FlexCharacterAccuracy` in
    prima-text.
    """

    text: TextForm = field(default="normalized_lines", kw_only=True)

    columns = ("errors", "length", "substitutions", "deletions", "insertions")
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 5)."""
        found = pairs.once(count_in_any_order)
        return np.column_stack([found[:, :3].sum(axis=1), found[:, 3], found[:, :3]])

    def rate(self, counts: IntArray) -> FloatArray:
        """Accuracy of summed counts, shape (..., 5) -> (...); NaN without a character."""
        errors, length = counts[..., 0], counts[..., 1]
        share = np.full(np.shape(length), np.nan)
        np.divide(errors, length, out=share, where=length > 0)
        accuracy: FloatArray = np.maximum(1 - share, 0)
        return accuracy

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Characters."""
        return ("length",)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "char", "norm": norm, "align": "flexible"}


@dataclass(frozen=True, slots=True)
class FlexibleErrors(Record):
    """Errors of characters if lines may stand in any order."""

    accuracy: float  # 1 - errors / n, below 0 where there are more errors than characters
    substitutions: int
    deletions: int
    insertions: int
    n: int  # characters of the reference, without line breaks


def flexible_character_accuracy(reference: str, hypothesis: str) -> FlexibleErrors:
    r"""Compare two texts whose lines may stand in any order.

    Parameters
    ----------
    reference, hypothesis : str
        Texts of lines.

    Returns
    -------
    FlexibleErrors
        Of two empty texts the accuracy is 1; of an empty reference it is below 0 by the characters of the hypothesis.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    References
    ----------
    Clausner, Pletschacher & Antonacopoulos (2020), doi 10.1016/j.patrec.2020.02.003.

    Examples
    --------
    >>> flexible_character_accuracy("first line\nsecond", "second\nfirst 1ine").accuracy
    0.9375
    """
    check_text("reference", reference)
    check_text("hypothesis", hypothesis)
    counts = count_in_any_order(PairedTexts([reference], [hypothesis]))[0].tolist()
    substitutions, deletions, insertions, length = counts
    errors = substitutions + deletions + insertions
    accuracy = 1 - errors / length if length else 1.0 - errors
    return FlexibleErrors(accuracy, substitutions, deletions, insertions, length)
