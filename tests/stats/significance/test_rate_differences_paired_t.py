import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError
from misread.stats import paired_t_test

NAN = float("nan")


@pytest.mark.parametrize("n", [2, 7, 300])
def test_statistic_p_and_interval_equal_those_of_scipy(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.2, 0.1, n), rng.normal(0.22, 0.1, n)
    result, oracle = paired_t_test(a - b, confidence=0.9), scipy.stats.ttest_rel(a, b)
    assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue))
    ends = oracle.confidence_interval(0.9)
    assert (result.extra["mean_low"], result.extra["mean_high"]) == pytest.approx((ends.low, ends.high))
    assert result.extra["df"] == oracle.df


def test_the_sleep_of_students_ten_patients_has_the_published_t():
    hours = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    result = paired_t_test(hours)
    assert (round(result.statistic, 4), round(result.pvalue, 6)) == (4.0621, 0.002833)
    assert result.extra["mean_difference"] == pytest.approx(1.58)


def test_the_effect_size_is_the_mean_in_standard_deviations():
    differences = np.array([0.1, 0.3, 0.2, -0.1])
    result = paired_t_test(differences)
    assert result.effect_size == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert result.effect_size_name == "cohens_dz"


def test_the_result_says_that_it_is_about_the_mean_of_segment_rates():
    (note,) = paired_t_test(np.array([0.1, 0.2])).notes
    assert note.startswith("Tests the mean of segment rates")


@pytest.mark.parametrize("differences", [[0.0] * 9, [0.1] * 9, [0.1 + 0.2, 0.3], [0.2]])
def test_differences_without_variation_have_p_one_by_definition(differences):
    result = paired_t_test(np.array(differences))
    assert (result.statistic, result.pvalue, result.effect_size, result.method) == (0.0, 1.0, 0.0, "none")
    assert result.extra["mean_difference"] == pytest.approx(differences[0])
    assert any("p is 1 by definition" in note for note in result.notes)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_a_confidence_outside_zero_to_one_is_refused(confidence):
    with pytest.raises(ConfigurationError, match="confidence"):
        paired_t_test(np.array([0.1, 0.2]), confidence=confidence)
