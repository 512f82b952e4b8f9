"""Evaluation Metrics (lines): exact line precision, recall and F1, under the name that it gives their tests."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from misread.spec import exact_line_prf, exact_line_prf_from_text


def test_the_calculation_example() -> None:
    scores = exact_line_prf(gt_lines=["Hello", "World", "Hello"], pred_lines=["Hello", "World", "Test"])
    assert [round(score, 3) for score in scores] == [0.667, 0.667, 0.667]


def test_edge_cases_give_zero() -> None:
    assert exact_line_prf(["a"], []).precision == 0.0
    assert exact_line_prf([], ["a"]).recall == 0.0
    assert exact_line_prf([], []).f1 == 0.0


def test_order_does_not_count_and_repeats_are_matched_once_each() -> None:
    assert exact_line_prf(["a", "b", "c"], ["c", "a", "b"]).f1 == 1.0
    assert exact_line_prf(["a"], ["a", "a"]) == (0.5, 1.0, pytest.approx(2 / 3))


@pytest.mark.parametrize(("normalize", "matches"), [(False, 1), (True, 2)])
def test_lines_of_texts_are_compared_raw_or_with_white_space_collapsed(normalize: bool, matches: int) -> None:
    scores = exact_line_prf_from_text(ref="a  b\nc", hyp="c\na b", normalize=normalize)
    assert scores.precision == scores.recall == matches / 2


def test_matches_are_those_of_a_maximum_bipartite_matching() -> None:
    for reference, hypothesis in product(product("ab", repeat=3), product("abc", repeat=3)):
        equal = np.array([[line == other for other in hypothesis] for line in reference])
        matched = equal[linear_sum_assignment(equal, maximize=True)].sum()
        assert exact_line_prf(reference, hypothesis).recall == matched / 3
