from itertools import product

import numpy as np
import pytest
import scipy.stats

from misread.errors import LengthMismatchError, UndefinedResultError, UnknownNameError
from misread.stats.significance.mcnemar import mcnemar_test


@pytest.fixture
def published(published_numbers):
    return published_numbers["mcnemar"]


def segments(table):
    """Correctness of A and B, segment by segment, from [[both, only A], [only B, neither]]."""
    (both, only_a), (only_b, neither) = table
    times = [both, only_a, only_b, neither]
    return np.repeat([True, True, False, False], times), np.repeat([True, False, True, False], times)


def test_exact_pvalues_are_the_published_ones(published):
    for case in published:
        if "exact" in case["expected"]:
            # Published with up to six decimals.
            assert mcnemar_test(*segments(case["table"])).pvalue == pytest.approx(case["expected"]["exact"], abs=6e-7)


def test_exact_and_mid_pvalues_are_the_recomputed_ones(published):
    for case in published:
        result = mcnemar_test(*segments(case["table"]))
        assert result.pvalue == pytest.approx(case["recomputed"]["exact_p"], rel=1e-9)
        assert result.extra["midp"] == pytest.approx(case["recomputed"]["midp"], rel=1e-9)


@pytest.mark.parametrize("discordant", [1, 2, 5, 10])
def test_mid_pvalues_are_those_of_all_outcomes_and_have_a_mean_of_one_half_under_the_null(discordant):
    # Every way in which the segments that only one system gets right can fall.
    favours_a = np.array([*product([0, 1], repeat=discordant)]).sum(axis=1)
    distances = np.abs(2 * favours_a - discordant)
    expected = [np.mean(distances > own) + np.mean(distances == own) / 2 for own in distances]
    pvalues = {
        only_a: mcnemar_test(*segments([[3, only_a], [discordant - only_a, 2]]), variant="midp").pvalue
        for only_a in range(discordant + 1)
    }
    assert [pvalues[only_a] for only_a in favours_a] == pytest.approx(expected)
    assert np.mean([pvalues[only_a] for only_a in favours_a]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("variant", "statistic", "key"),
    [("asymptotic", "chi_square", "chi2"), ("corrected", "chi_square_corrected", "chi2_cc")],
)
def test_asymptotic_pvalues_are_the_published_and_the_recomputed_ones(published, variant, statistic, key):
    for case in published:
        result, recomputed = mcnemar_test(*segments(case["table"]), variant=variant), case["recomputed"]
        assert result.pvalue == result.extra[variant] == pytest.approx(recomputed[f"{key}_p"], rel=1e-9)
        assert result.extra[statistic] == pytest.approx(recomputed[key] or 0.0, rel=1e-9)
        if key in case["expected"]:
            # Published with four digits or more.
            assert [result.extra[statistic], result.pvalue] == pytest.approx(case["expected"][key], rel=2e-3)
        assert result.extra["corrected"] == pytest.approx(case["expected"].get("cc_p", result.extra["corrected"]))


@pytest.mark.parametrize("correction", [False, True])
def test_asymptotic_pvalues_equal_those_of_statsmodels(correction):
    from statsmodels.stats import contingency_tables

    rng = np.random.default_rng(6)
    for _ in range(30):
        table = rng.integers(1, 25, size=(2, 2))
        oracle = contingency_tables.mcnemar(table, exact=False, correction=correction)
        if table[0, 1] != table[1, 0]:
            result = mcnemar_test(*segments(table), variant="corrected" if correction else "asymptotic")
            assert result.pvalue == pytest.approx(oracle.pvalue)


def test_an_unknown_variant_lists_the_choices():
    with pytest.raises(UnknownNameError, match="asymptotic, corrected, exact, midp"):
        mcnemar_test(*segments([[1, 1], [1, 1]]), variant="chi2")


def test_exact_pvalues_equal_those_of_statsmodels():
    from statsmodels.stats import contingency_tables

    rng = np.random.default_rng(6)
    for _ in range(30):
        table = rng.integers(0, 25, size=(2, 2)) + np.eye(2, dtype=int)
        result = mcnemar_test(*segments(table))
        oracle = contingency_tables.mcnemar(table, exact=True)
        assert (result.statistic, result.pvalue) == pytest.approx((oracle.statistic, oracle.pvalue))


@pytest.mark.parametrize("table", [[[30, 10], [11, 5]], [[0, 1], [0, 0]]])
def test_ten_against_eleven_and_one_segment_are_no_difference(table):
    assert mcnemar_test(*segments(table)).pvalue == 1.0


def test_the_table_is_reported_with_an_odds_ratio_above_one_in_favour_of_the_first_system():
    result = mcnemar_test(*segments([[30, 10], [4, 5]]), variant="midp")
    counts = {name: result.extra[name] for name in ("b", "c", "both_correct", "both_wrong")}
    assert counts == {"b": 10, "c": 4, "both_correct": 30, "both_wrong": 5}
    assert (result.statistic, result.n, result.dropped) == (4.0, 14, 35)
    assert (result.effect_size, result.effect_size_name, result.notes) == (2.5, "odds_ratio", ())
    assert (result.pvalue, result.method) == (result.extra["midp"], "exact, mid-p")


def test_the_odds_ratio_has_a_clopper_pearson_interval():
    result = mcnemar_test(*segments([[30, 10], [4, 5]]), confidence=0.9)
    low = scipy.stats.beta.ppf(0.05, 10, 5)
    high = scipy.stats.beta.ppf(0.95, 11, 4)
    ends = result.extra["odds_ratio_low"], result.extra["odds_ratio_high"]
    assert ends == pytest.approx((low / (1 - low), high / (1 - high)))


@pytest.mark.parametrize(("only_a", "only_b", "odds_ratio"), [(6, 0, 13.0), (0, 6, 1 / 13), (0, 0, 1.0)])
def test_the_odds_ratio_is_finite_without_disagreement_on_one_side(only_a, only_b, odds_ratio):
    result = mcnemar_test(*segments([[30, only_a], [only_b, 5]]))
    assert result.effect_size == pytest.approx(odds_ratio)
    assert result.notes


@pytest.mark.parametrize(("only_a", "only_b", "bounded"), [(6, 0, False), (0, 6, True), (0, 0, False)])
def test_an_odds_ratio_without_upper_bound_has_none(only_a, only_b, bounded):
    extra = mcnemar_test(*segments([[30, only_a], [only_b, 5]])).extra
    assert ("odds_ratio_high" in extra) is bounded
    assert (extra["odds_ratio_low"] == 0) is (only_a == 0)


@pytest.mark.parametrize("table", [[[30, 10], [4, 5]], [[30, 6], [0, 5]], [[3, 7], [7, 5]]])
def test_swapping_the_systems_inverts_the_odds_ratio_and_keeps_p(table):
    a, b = segments(table)
    forth, back = mcnemar_test(a, b), mcnemar_test(b, a)
    assert (back.pvalue, back.extra["midp"], back.statistic) == (forth.pvalue, forth.extra["midp"], forth.statistic)
    assert back.effect_size == pytest.approx(1 / forth.effect_size)
    assert (back.extra["b"], back.extra["c"]) == (forth.extra["c"], forth.extra["b"])


def test_order_of_segments_does_not_matter():
    a, b = segments([[30, 10], [4, 5]])
    order = np.random.default_rng(1).permutation(len(a))
    assert mcnemar_test(a[order], b[order]) == mcnemar_test(a, b)


@pytest.mark.parametrize("table", [[[9, 0], [0, 0]], [[0, 0], [0, 9]], [[50, 0], [0, 50]], [[1, 0], [0, 0]]])
def test_systems_that_never_disagree_have_p_one(table):
    result = mcnemar_test(*segments(table))
    assert (result.pvalue, result.extra["midp"], result.statistic, result.n) == (1.0, 1.0, 0.0, 0)
    assert "p is 1 by definition" in result.notes[0]


def test_a_pvalue_too_small_for_a_float_stays_positive():
    result = mcnemar_test(*segments([[0, 3000], [0, 0]]))
    assert 0 < result.pvalue < 1e-300
    assert 0 < result.extra["midp"] < 1e-300


def test_systems_of_unequal_length_and_no_segments_are_refused():
    with pytest.raises(LengthMismatchError, match="system A has 2 lines and system B 1"):
        mcnemar_test(np.array([True, True]), np.array([True]), unit="line")
    with pytest.raises(UndefinedResultError, match="at least one segment"):
        mcnemar_test(np.array([], dtype=bool), np.array([], dtype=bool))
