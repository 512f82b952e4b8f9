"""Metrics of whole lines: right at their position, or right anywhere."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from misread.alignment import are_single_lines
from misread.alignment.encode.inputs import check_text, check_texts
from misread.io.text import split_lines
from misread.metrics.base import Metric, ScoredText, TextForm
from misread.metrics.precision_recall import MatchScore, PrecisionRecallF1, match_score, precision_recall_f1
from misread.normalize import get_normalizer
from misread.types import FloatArray, IntArray


@dataclass(frozen=True)
class LineAccuracy(Metric):
    """Share of positions at which the lines of both sides are equal: Evaluation Metrics (lines), "Line Accuracy".

    Positions are counted from the first line, or with `from_end` from the last; there are as many as the longer side
    has lines, and a missing line is an empty one.
    """

    text: TextForm = field(default="normalized_lines", kw_only=True)
    from_end: bool = field(default=False, kw_only=True)

    columns = ("correct", "positions")
    # Neither side has a line.
    undefined = 1.0

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        lines = pairs.once(are_single_lines)
        counts = np.stack([lines[:, 0], lines[:, 1] | lines[:, 2]], dtype=np.int64).T
        # A line on one side alone is right if it is blank, as a missing one is.
        for row in np.flatnonzero(lines[:, 3] | (lines[:, 1] != lines[:, 2])).tolist():
            counts[row] = count_equal_lines(*_split(pairs, row), from_end=self.from_end)
        return counts

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "line", "norm": norm, "align": "last" if self.from_end else "first"}


@dataclass(frozen=True)
class ExactLines(Metric):
    """Precision, recall or F1 of lines matched as a multiset: order does not count, repeats are matched once each.

    Matches = sum over distinct lines of min(count in reference, count in hypothesis). Evaluation Metrics (lines),
    "Exact Line Precision/Recall/F1".
    """

    score: MatchScore
    text: TextForm = field(default="normalized_lines", kw_only=True)

    columns = ("matches", "reference_lines", "hypothesis_lines")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 3)."""
        lines = pairs.once(are_single_lines)
        counts: IntArray = lines[:, :3].astype(np.int64)
        for row in np.flatnonzero(lines[:, 3]).tolist():
            counts[row] = count_matching_lines(*_split(pairs, row))
        return counts

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 3) -> (...); 0 where a side without lines leaves it undefined."""
        return match_score(self.score, *np.moveaxis(counts, -1, 0))

    @property
    def is_ratio(self) -> bool:
        """Whether its denominator is of the reference alone, and so the same for every system."""
        return self.score == "recall"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "line", "norm": norm, "align": "multiset"}


def line_accuracy(reference: str, hypothesis: str, *, normalize: bool = False) -> float:
    r"""Share of positions, from the first line on, at which the lines are equal.

    Parameters
    ----------
    reference, hypothesis : str
        Texts; a newline at the end starts no further line, a blank line inside is a line.
    normalize : bool
        Whether white space is stripped and collapsed inside each line first.

    Returns
    -------
    float
        Fraction, 1 is perfect; 1 where neither side has a line.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    References
    ----------
    Evaluation Metrics (lines), "Line Accuracy (Forward)".

    Examples
    --------
    >>> line_accuracy("one\ntwo\nthree\n", "one\n2\nthree")
    0.6666666666666666
    """
    return _line_rate(LineAccuracy("line_accuracy"), reference, hypothesis, normalize)


def reverse_line_accuracy(reference: str, hypothesis: str, *, normalize: bool = False) -> float:
    r"""Share of positions, from the last line on, at which the lines are equal.

    Parameters
    ----------
    reference, hypothesis : str
        As in `line_accuracy`.
    normalize : bool
        Whether white space is stripped and collapsed inside each line first.

    Returns
    -------
    float
        Fraction, 1 is perfect; 1 where neither side has a line.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    References
    ----------
    Evaluation Metrics (lines), "Line Accuracy (Reverse)".

    Examples
    --------
    >>> line_accuracy("one\ntwo", "zero\none\ntwo"), reverse_line_accuracy("one\ntwo", "zero\none\ntwo")
    (0.0, 0.6666666666666666)
    """
    return _line_rate(LineAccuracy("reverse_line_accuracy", from_end=True), reference, hypothesis, normalize)


def exact_line_prf(reference_lines: Iterable[str], hypothesis_lines: Iterable[str]) -> PrecisionRecallF1:
    """Precision, recall and F1 of lines matched as a multiset.

    Parameters
    ----------
    reference_lines, hypothesis_lines : iterable of str
        Lines of both sides, in any order.

    Returns
    -------
    PrecisionRecallF1
        Fractions; 0 where a side has no line.

    Raises
    ------
    InputTypeError
        If a side is not a list of lines; names the side and the index.

    References
    ----------
    Evaluation Metrics (lines), "Exact Line Precision/Recall/F1".

    Examples
    --------
    >>> exact_line_prf(["Hello", "World", "Hello"], ["Hello", "World", "Test"]).f1
    0.6666666666666666
    """
    lines = [
        check_texts(name, side_lines, function_for_one="exact_line_prf_from_text")
        for name, side_lines in (("reference_lines", reference_lines), ("hypothesis_lines", hypothesis_lines))
    ]
    matches, reference, hypothesis = count_matching_lines(*lines)
    return precision_recall_f1(matches, hypothesis - matches, reference - matches)


def exact_line_prf_from_text(reference: str, hypothesis: str, normalize: bool = False) -> PrecisionRecallF1:
    r"""Precision, recall and F1 of the lines of two texts, matched as `exact_line_prf` does.

    Parameters
    ----------
    reference, hypothesis : str
        Texts.
    normalize : bool
        Whether white space is stripped and collapsed inside each line first.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    References
    ----------
    Evaluation Metrics (lines), "Exact Line Precision/Recall/F1".

    Examples
    --------
    >>> exact_line_prf_from_text("a  b\nc\n", "c\na b\n", normalize=True).f1
    1.0
    """
    return exact_line_prf(*_lines_of_both(reference, hypothesis, normalize=normalize, many="exact_line_prf"))


def count_equal_lines(reference: Sequence[str], hypothesis: Sequence[str], *, from_end: bool) -> tuple[int, int]:
    """Count positions with equal lines, and all positions."""
    if from_end:
        reference, hypothesis = reference[::-1], hypothesis[::-1]
    correct = sum(line == other_line for line, other_line in zip_longest(reference, hypothesis, fillvalue=""))
    return correct, max(len(reference), len(hypothesis))


def count_matching_lines(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[int, int, int]:
    """Count matches, lines of the reference and lines of the hypothesis."""
    matches = sum((Counter(reference) & Counter(hypothesis)).values())
    return matches, len(reference), len(hypothesis)


def _line_rate(metric: LineAccuracy, reference: str, hypothesis: str, normalize: bool) -> float:
    lines = _lines_of_both(reference, hypothesis, normalize=normalize)
    counts = count_equal_lines(*lines, from_end=metric.from_end)
    return float(metric.rate(np.array(counts, dtype=np.int64)))


def _lines_of_both(reference: str, hypothesis: str, *, normalize: bool, many: str = "") -> list[list[str]]:
    texts = [
        check_text("reference", reference, function_for_many=many),
        check_text("hypothesis", hypothesis, function_for_many=many),
    ]
    by_line = get_normalizer("whitespace").by_line
    return [split_lines(by_line(text) if normalize else text) for text in texts]


def _split(pairs: ScoredText, row: int) -> tuple[list[str], list[str]]:
    return split_lines(pairs.references[row]), split_lines(pairs.hypotheses[row])
