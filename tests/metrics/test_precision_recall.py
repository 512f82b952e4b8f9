"""Precision, recall and F1 from counts."""

from __future__ import annotations

import numpy as np
import pytest

from misread.errors import InputTypeError, UndefinedResultError
from misread.metrics.precision_recall import match_score, precision_recall_f1


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 3, 0), (0, 0, 3), (0, 2, 2)])
def test_a_score_without_a_denominator_is_zero(counts: tuple[int, int, int]) -> None:
    assert precision_recall_f1(*counts) == (0.0, 0.0, 0.0)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(UndefinedResultError, match="-1 false positives"):
        precision_recall_f1(1, -1, 0)


@pytest.mark.parametrize("score", ["precision", "recall", "f1"])
def test_scores_of_sums_are_those_of_single_counts_and_zero_where_undefined(score: str) -> None:
    matches, reference, hypothesis = np.array([[2, 0, 0], [3, 0, 4], [5, 0, 0]])
    single = [
        getattr(precision_recall_f1(both, given - both, asked - both), score)
        for both, asked, given in zip(matches, reference, hypothesis, strict=True)
    ]
    assert match_score(score, matches, reference, hypothesis).tolist() == pytest.approx(single)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("wrong", ["1", None, True])
def test_what_is_not_a_number_is_refused_wherever_it_stands(place: int, wrong: object) -> None:
    counts: list[object] = [1, 1, 1]
    counts[place] = wrong
    with pytest.raises(InputTypeError):
        precision_recall_f1(*counts)
