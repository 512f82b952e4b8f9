import numpy as np
import pytest
import scipy.stats

from misread.stats import mcnemar_test, sign_test

NAN = float("nan")


@pytest.mark.parametrize(("positive", "negative"), [(1, 0), (3, 9), (10, 11), (40, 12)])
def test_the_pvalue_is_that_of_the_binomial_distribution(positive, negative):
    result = sign_test(np.array([0.1] * positive + [-0.2] * negative))
    assert result.pvalue == pytest.approx(scipy.stats.binomtest(positive, positive + negative).pvalue)
    assert result.statistic == min(positive, negative)


def test_right_or_wrong_segments_make_it_mcnemars_test():
    rng = np.random.default_rng(3)
    a, b = rng.random(60) < 0.5, rng.random(60) < 0.7
    result = sign_test(a.astype(float) - b)
    assert (result.pvalue, result.n, result.dropped) == (
        mcnemar_test(a, b).pvalue,
        mcnemar_test(a, b).n,
        mcnemar_test(a, b).dropped,
    )


def test_the_size_of_differences_does_not_matter():
    assert sign_test(np.array([5.0, 0.1, -0.3])) == sign_test(np.array([0.1, 0.2, -9.0]))


def test_ties_are_dropped_and_counted_also_those_up_to_rounding():
    result = sign_test(np.array([0.1, 0.0, -0.2, 0.1 + 0.2 - 0.3, 0.4]))
    assert (result.n, result.dropped, result.extra["ties"]) == (3, 2, 2)
    assert result.notes == ("Ties dropped: 2 of 5.",)


def test_the_effect_size_is_the_balance_of_all_segments():
    result = sign_test(np.array([0.1, 0.2, -0.2, 0.0]))
    assert (result.effect_size, result.effect_size_name) == (0.25, "dominance")


def test_no_nonzero_difference_has_p_one_by_definition():
    result = sign_test(np.zeros(4))
    assert (result.pvalue, result.n, result.method, result.effect_size) == (1.0, 0, "none", 0.0)
    assert result.notes == ("No nonzero differences: p is 1 by definition.",)
