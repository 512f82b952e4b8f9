"""Precision, recall and F1 from counts."""

from __future__ import annotations

from typing import NamedTuple

from misread.errors import UndefinedResultError


class PrecisionRecallF1(NamedTuple):
    """Three scores that belong together, as fractions."""

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
    if min(true_positives, false_positives, false_negatives) < 0:
        raise UndefinedResultError(
            f"counts are 0 or more; got {true_positives} true positives, {false_positives} false positives and "
            f"{false_negatives} false negatives."
        )
    found, there = true_positives + false_positives, true_positives + false_negatives
    return PrecisionRecallF1(
        true_positives / found if found else 0.0,
        true_positives / there if there else 0.0,
        2 * true_positives / (found + there) if found + there else 0.0,
    )
