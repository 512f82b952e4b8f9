import numpy as np
import pytest
import scipy.stats

from misread.errors import UndefinedResultError
from misread.metrics import Direction
from misread.stats import friedman_test
from misread.stats.significance.friedman import average_ranks, iman_davenport


@pytest.fixture
def cases(published_numbers):
    return published_numbers["friedman"]


@pytest.fixture
def demsar(published_numbers):
    return published_numbers["demsar"]


@pytest.fixture
def auc(demsar):
    """Table 6; the printed ranks need the unrounded value of one cell, 0.9751, that the table shows as tied."""
    return np.array(list(demsar["auc"].values()))


def test_statistic_and_p_are_the_published_ones(cases):
    for case in cases:
        result = friedman_test(np.array(case["columns"], dtype=float).T)
        assert (result.statistic, result.pvalue) == pytest.approx((case["statistic"], case["p"]))


def test_ranks_and_statistics_of_demsar_are_met(auc, demsar):
    result = friedman_test(auc)
    ranks = average_ranks(auc, direction=Direction.HIGHER_IS_BETTER)
    assert ranks == pytest.approx(demsar["average_ranks"], abs=1e-6)
    assert result.extra["uncorrected"] == pytest.approx(demsar["friedman_chi2_uncorrected"])
    assert (result.statistic, result.pvalue) == pytest.approx(demsar["friedman_tie_corrected_scipy"])


def test_the_f_of_demsar_is_met(demsar):
    f, pvalue = iman_davenport(demsar["friedman_chi2_uncorrected"], blocks=14, systems=4)
    assert f == pytest.approx(demsar["iman_davenport_F"])
    assert pvalue < 0.05
    assert f > demsar["F_crit_3_39_05"]


def test_f_is_that_of_an_analysis_of_variance_of_ranks():
    scores = np.random.default_rng(2).integers(0, 6, size=(12, 4)).astype(float)
    ranks = scipy.stats.rankdata(scores, axis=1)
    between = 12 * np.sum((ranks.mean(axis=0) - 2.5) ** 2)
    within = np.sum((ranks - 2.5) ** 2) - between
    expected = (between / 3) / (within / 33)
    result = friedman_test(scores)
    assert result.extra["iman_davenport"] == pytest.approx(expected)
    assert result.extra["iman_davenport_pvalue"] == pytest.approx(scipy.stats.f.sf(expected, 3, 33))


def test_ranks_depend_on_the_direction_and_the_test_does_not():
    scores = np.random.default_rng(2).random((12, 4))
    up, down = (average_ranks(scores, direction=direction) for direction in Direction)
    assert up + down == pytest.approx(np.full(4, 5.0))
    assert friedman_test(scores).statistic == pytest.approx(friedman_test(-scores).statistic)


def test_scores_equal_up_to_rounding_tie():
    scores = np.array([[0.1 + 0.2, 0.3, 0.5]])
    assert average_ranks(np.tile(scores, (2, 1)), direction=Direction.LOWER_IS_BETTER).tolist() == [1.5, 1.5, 3.0]


def test_the_same_order_everywhere_is_full_concordance():
    result = friedman_test(np.tile([0.1, 0.2, 0.3, 0.4], (12, 1)))
    assert result.effect_size == pytest.approx(1.0)
    assert np.isfinite(result.extra["iman_davenport"])
    assert 0 < result.extra["iman_davenport_pvalue"] < 1e-300


def test_ties_everywhere_have_p_one_by_definition():
    result = friedman_test(np.full((6, 3), 0.2))
    assert (result.statistic, result.pvalue, result.effect_size, result.method) == (0.0, 1.0, 0.0, "none")
    assert result.extra["iman_davenport_pvalue"] == 1.0


def test_few_blocks_are_said_to_be_so():
    scores = np.random.default_rng(2).random((10, 3))
    assert friedman_test(scores[:9], unit="book").notes == (
        "The chi-square approximation is poor for 9 blocks (book).",
    )
    assert friedman_test(scores).notes == ()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((9, 2)), "at least 3 systems, got 2"),
        (np.zeros((1, 3)), "at least 2 blocks"),
        ([[0, 0, 0], [0, np.nan, 0]], "system 2 has no finite score on block 2"),
    ],
)
def test_what_has_no_ranks_is_refused(scores, message):
    with pytest.raises(UndefinedResultError, match=message):
        friedman_test(np.asarray(scores))


@pytest.mark.parametrize("systems", [3, 4, 7])
def test_without_ties_the_uncorrected_statistic_is_the_same(systems):
    result = friedman_test(np.random.default_rng(systems).normal(size=(9, systems)))
    assert result.extra["uncorrected"] == pytest.approx(result.statistic)
