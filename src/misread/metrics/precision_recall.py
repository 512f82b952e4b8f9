"""Precision, recall and F1 from counts: of one task, or of any sums of segments."""

from typing import Literal, NamedTuple

from misread.errors import UndefinedResultError
from misread.io.checks.numbers import check_number
from misread.metrics.base import divide
from misread.types import FloatArray, IntArray

MatchScore = Literal["precision", "recall", "f1"]


class PrecisionRecallF1(NamedTuple):
    """Precision, recall and F1 of one task, as fractions."""

    precision: float
    recall: float
    f1: float


def precision_recall_f1(true_positives: int, false_positives: int, false_negatives: int) -> PrecisionRecallF1:
    """Precision, recall and F1 of a detection task.

    Parameters
    ----------
    true_positives, false_positives, false_negatives : int
        Counts, 0 or more.

    Returns
    -------
    PrecisionRecallF1
        Fractions; a score whose denominator is 0 is 0.

    Raises
    ------
    InputTypeError
        If a count is not a number; names it.
    UndefinedResultError
        If a count is negative.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7; Evaluation Metrics (Thulium usage), "Precision, Recall,
    F1".

    Examples
    --------
    >>> precision_recall_f1(true_positives=80, false_positives=10, false_negatives=20).recall
    0.8
    """
    check_number("true_positives", true_positives)
    check_number("false_positives", false_positives)
    check_number("false_negatives", false_negatives)
    if min(true_positives, false_positives, false_negatives) < 0:
        raise UndefinedResultError(
            f"counts are 0 or more; got {true_positives} true positives, {false_positives} false positives and "
            f"{false_negatives} false negatives."
        )
    predicted, actual = true_positives + false_positives, true_positives + false_negatives
    return PrecisionRecallF1(
        true_positives / predicted if predicted else 0.0,
        true_positives / actual if actual else 0.0,
        2 * true_positives / (predicted + actual) if predicted + actual else 0.0,
    )


def match_score(score: MatchScore, matches: IntArray, reference: IntArray, hypothesis: IntArray) -> FloatArray:
    """Precision, recall or F1, elementwise; 0 where an empty side leaves it undefined.

    `matches` are counts of what both sides share, `reference` and `hypothesis` the counts of each side.
    """
    if score == "precision":
        return divide(matches, hypothesis, undefined=0.0)
    if score == "recall":
        return divide(matches, reference, undefined=0.0)
    return divide(2 * matches, reference + hypothesis, undefined=0.0)
