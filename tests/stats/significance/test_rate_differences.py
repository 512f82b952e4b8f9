import itertools
import sys

import numpy as np
import pytest
import scipy.stats

from misread.errors import UnknownNameError
from misread.stats.significance.rate_differences import wilcoxon_signed_rank


@pytest.fixture
def published(published_numbers):
    return published_numbers["wilcoxon"]


@pytest.fixture
def approximate(monkeypatch):
    monkeypatch.setattr(sys.modules[wilcoxon_signed_rank.__module__], "EXACT_LIMIT", 0)


def case_differences(case):
    if "d" in case:
        return np.array(case["d"], dtype=float)
    return np.array(case["x"], dtype=float) - np.array(case["y"], dtype=float)


def slow_exact_pvalue(differences, zero_method="wilcox"):
    """All 2^n sign patterns are equally likely: count those at least as far from the middle."""
    if zero_method == "wilcox":
        differences = differences[differences != 0]
    ranks = scipy.stats.rankdata(np.abs(differences))[differences != 0]
    differences = differences[differences != 0]
    middle = ranks.sum() / 2
    seen = abs(ranks[differences > 0].sum() - middle)
    patterns = itertools.product([False, True], repeat=len(differences))
    sums = [ranks[list(pattern)].sum() for pattern in patterns]
    return np.mean([abs(total - middle) >= seen for total in sums])


def test_many_zeros_are_dropped_and_ties_corrected_as_published(published, approximate):
    case = published[0]
    result = wilcoxon_signed_rank(case_differences(case))
    assert [result.statistic, result.pvalue] == pytest.approx(case["asymptotic"]["wilcox"])
    assert (result.n, result.dropped, result.method) == (48, 8, "asymptotic")


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_every_rule_for_zeros_gives_what_is_published(published, approximate, zero_method):
    case = published[0]
    result = wilcoxon_signed_rank(case_differences(case), zero_method=zero_method)
    assert [result.statistic, result.pvalue] == pytest.approx(case["asymptotic"][zero_method])
    assert f"zero_method {zero_method}" in result.notes[0]


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_classifiers_over_data_sets_are_compared_as_published(published_numbers, approximate, zero_method):
    expected = published_numbers["demsar"]["wilcoxon_C45m_vs_C45"]
    differences = np.array([row[1] - row[0] for row in published_numbers["demsar"]["auc"].values()])
    result = wilcoxon_signed_rank(differences, zero_method=zero_method)
    assert [result.statistic, result.pvalue] == pytest.approx(expected["scipy"][zero_method]["asymptotic"])
    if zero_method == "zsplit":
        assert result.statistic == expected["T"] == expected["R_minus"] < expected["critical_T_05_N14"]


@pytest.mark.parametrize(("corrected", "key"), [(False, "asymptotic"), (True, "asymptotic_cc")])
def test_rank_sum_and_approximate_pvalue_are_the_published_ones(published, approximate, corrected, key):
    result = wilcoxon_signed_rank(case_differences(published[1]), corrected=corrected)
    assert [result.statistic, result.pvalue] == pytest.approx(published[1][key])


@pytest.mark.parametrize(("case", "key"), [(2, "cc"), (4, "greater")])
def test_the_correction_for_continuity_is_the_published_one(published, approximate, case, key):
    result = wilcoxon_signed_rank(case_differences(published[case]), corrected=True)
    expected = published[case][key][1] if case == 2 else 2 * published[case][key]["cc"]
    assert result.pvalue == pytest.approx(expected)


def test_an_unknown_rule_for_zeros_lists_the_choices():
    with pytest.raises(UnknownNameError, match="pratt, wilcox, zsplit"):
        wilcoxon_signed_rank(np.array([1.0, 0.0]), zero_method="drop")


def test_differences_that_are_all_equal_are_answered_as_published(published, approximate):
    case = published[2]
    result = wilcoxon_signed_rank(case_differences(case))
    assert [result.statistic, result.pvalue] == pytest.approx(case["asymptotic"])
    assert (result.effect_size, result.method) == (1.0, "asymptotic")


def test_the_exact_pvalue_is_the_published_one(published):
    case = published[3]
    result = wilcoxon_signed_rank(case_differences(case))
    assert result.pvalue == pytest.approx(case["exact"]["two_sided"])
    assert result.method == "exact"


def test_one_zero_is_answered_as_published(published, approximate):
    case = published[4]
    result = wilcoxon_signed_rank(case_differences(case))
    assert result.pvalue == pytest.approx(2 * case["greater"]["nocc"])
    assert (result.n, result.dropped, result.method) == (9, 1, "asymptotic")


def test_balanced_differences_among_zeros_have_p_one(published):
    result = wilcoxon_signed_rank(case_differences(published[5]))
    assert (result.pvalue, result.effect_size) == (1.0, 0.0)


def test_nothing_but_zeros_has_p_one_and_a_note(published):
    result = wilcoxon_signed_rank(case_differences(published[6]))
    assert (result.pvalue, result.statistic, result.effect_size, result.method) == (1.0, 0.0, 0.0, "none")
    assert (result.n, result.dropped) == (0, 10)
    assert "No nonzero differences" in result.notes[0]


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("spread", [1, 3, 6])
def test_ties_and_zeros_have_the_enumerated_pvalue(zero_method, spread):
    rng = np.random.default_rng(spread)
    for size in (1, 4, 8, 11):
        differences = rng.integers(-spread, spread + 2, size=size).astype(float)
        differences[0] = 1.0
        result = wilcoxon_signed_rank(differences, zero_method=zero_method)
        assert result.pvalue == pytest.approx(slow_exact_pvalue(differences, zero_method), rel=1e-12)
        assert result.method == "exact"


def test_the_exact_pvalue_without_ties_is_that_of_scipy():
    rng = np.random.default_rng(4)
    for size in (12, 30, 50):
        differences = rng.normal(0.3, 1.0, size=size)
        oracle = scipy.stats.wilcoxon(np.round(differences, 9), method="exact")
        result = wilcoxon_signed_rank(differences)
        assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-12)


def test_differences_that_are_equal_up_to_rounding_tie():
    # Three equal ranks with signs + - -: only three alike would be further from 0.
    assert wilcoxon_signed_rank(np.array([0.3 - 0.2, -0.1, 0.1 - 0.2])).pvalue == 1.0


def test_a_difference_of_rounding_alone_is_a_zero():
    result = wilcoxon_signed_rank(np.array([0.1 + 0.2 - 0.3, 0.5]))
    assert (result.n, result.extra["zeros"]) == (1, 1)


@pytest.mark.parametrize("zeros", [0, 9])
@pytest.mark.parametrize("sizes", [np.arange(1.0, 52.0), np.ones(51)], ids=["without ties", "ties"])
@pytest.mark.parametrize(("n", "method"), [(50, "exact"), (51, "asymptotic")])
def test_more_than_fifty_differences_other_than_zero_make_the_pvalue_asymptotic(n, method, sizes, zeros):
    differences = np.concatenate([sizes[:n] * (-1) ** np.arange(n), np.zeros(zeros)])
    assert wilcoxon_signed_rank(differences).method == method


def test_order_of_segments_does_not_matter():
    differences = np.random.default_rng(4).integers(-4, 6, size=40) / 7
    assert wilcoxon_signed_rank(differences) == wilcoxon_signed_rank(differences[::-1].copy())


def test_a_pvalue_too_small_for_a_float_stays_positive():
    assert 0 < wilcoxon_signed_rank(np.arange(1.0, 5001.0)).pvalue < 1e-300


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize(("size", "spread"), [(51, 1), (400, 5), (20_000, 40), (20_000, 10**9)])
def test_the_approximate_pvalue_is_that_of_scipy_with_any_ties_and_zeros(zero_method, corrected, size, spread):
    drawn = np.random.default_rng(size + spread).integers(-spread, spread + 1, size=size)
    differences = np.concatenate([drawn, np.full(60, spread), np.zeros(7)]) / spread
    oracle = scipy.stats.wilcoxon(
        np.round(differences, 9), zero_method=zero_method, correction=corrected, method="asymptotic"
    )
    result = wilcoxon_signed_rank(differences, zero_method=zero_method, corrected=corrected)
    assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue), rel=1e-12)
    assert result.method == "asymptotic"


def test_the_effect_size_leaves_out_zeros_however_they_are_ranked():
    differences = np.array([3.0, -1.0, 2.0, 0.0, 0.0, 2.0])
    for zero_method in ("wilcox", "pratt", "zsplit"):
        assert wilcoxon_signed_rank(differences, zero_method=zero_method).effect_size == 8 / 10
