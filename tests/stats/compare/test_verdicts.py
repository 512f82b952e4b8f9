import math

import numpy as np
import pytest
import scipy.stats

from misread.stats import adjust
from misread.tables import explain_verdict

DRAWN = np.random.default_rng(3)
GOOD = DRAWN.integers(0, 3, size=60)
POOR = GOOD + DRAWN.integers(1, 3, size=60)
ALIKE = DRAWN.permutation(GOOD)
PAGES = [f"p{row // 5:02}" for row in range(60)]


def pages(number, size=5):
    return [f"p{row // size:02}" for row in range(number * size)]


def test_the_reason_of_a_significant_difference_names_both_systems_the_size_and_p(compared):
    reason = explain_verdict(compared({"a": POOR, "b": GOOD}, clusters=PAGES).pair)
    size = f"{10 * (POOR - GOOD).mean():.2f}"
    assert reason == f"cer of b is {size} points lower than that of a; randomisation gives p < 0.001, below 0.05."


def test_what_is_not_significant_is_inconclusive_and_without_a_margin_never_equal(compared):
    pair = compared({"a": GOOD, "b": ALIKE}, clusters=PAGES).pair
    assert pair.verdict == "inconclusive"
    assert "not below 0.05" in explain_verdict(pair)
    assert "would have been found with 80 % probability" in explain_verdict(pair)
    pair = compared({"a": GOOD, "b": GOOD}, clusters=PAGES).pair
    assert (pair.verdict, pair.equivalence) == ("inconclusive", None)


def test_a_difference_that_surely_lies_within_the_margin_is_equivalent(compared):
    pair = compared({"a": GOOD, "b": ALIKE}, clusters=PAGES, margin=0.1).pair
    assert pair.verdict == "equivalent"
    assert explain_verdict(pair).startswith("The difference lies within the margin of 10.00 points (p < 0.001)")
    assert pair.equivalence.pvalue_adjusted < 0.05


def test_a_significant_difference_within_the_margin_is_equivalent_and_the_reason_says_both(compared):
    pair = compared({"a": GOOD, "b": POOR}, clusters=PAGES, margin=0.4).pair
    assert (pair.verdict, pair.significant) == ("equivalent", True)
    assert "although randomisation gives p < 0.001" in explain_verdict(pair)


def test_below_ten_clusters_no_pair_is_called_equivalent(compared):
    pair = compared({"a": [1, 2] * 20, "b": [2, 1] * 20}, clusters=pages(8), margin=0.5).pair
    assert (pair.verdict, pair.equivalence) == ("inconclusive", None)


@pytest.mark.parametrize(("clusters", "systems", "can"), [(5, 2, False), (6, 2, True), (6, 3, False), (7, 3, True)])
def test_n_is_too_small_where_no_outcome_could_be_significant(compared, clusters, systems, can):
    errors = {f"s{number}": np.full(clusters * 5, number) for number in range(systems)}
    for pair in compared(errors, clusters=pages(clusters), correction="holm").pairs:
        assert (pair.verdict == "worse") == can
        assert explain_verdict(pair).startswith("n too small: no p below 0.05 can be reached with ") != can
        assert (pair.minimum_detectable_difference is None) or can


@pytest.mark.parametrize(
    ("systems", "clusters", "units"),
    [
        ({"a": POOR[:20], "b": GOOD[:20]}, pages(4), "4 clusters (page)"),
        ({"a": [1] * 40, "b": [0, 0, 0, *[1] * 37]}, None, "3 differing segments"),
        ({"a": [1] * 5, "b": [4] * 5}, ["p"] * 5, "1 cluster (page)"),
    ],
)
def test_too_few_units_are_counted_in_the_reason(compared, systems, clusters, units):
    pair = compared(systems, clusters=clusters).pair
    assert explain_verdict(pair) == f"n too small: no p below 0.05 can be reached with {units}."
    if units.startswith("1 "):
        assert (pair.confidence_interval, pair.influence, pair.further_clusters) == (None, None, None)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize(("resamples", "can"), [(19, False), (20, True)])
def test_b_is_too_small_where_no_share_of_the_resamples_could_be_significant(compared, test, resamples, can):
    # Word information preserved is no sum over segments: randomisation draws exchanges.
    pair = compared({"a": POOR, "b": GOOD}, metric="wip", tests=[test], deciding_test=test, resamples=resamples).pair
    assert pair.verdict == ("better" if can else "inconclusive")
    said = f"B too small: no p below 0.05 can be reached with {resamples} resamples."
    assert (explain_verdict(pair) == said) != can
    assert pair.further_segments is None
    assert (pair.minimum_detectable_difference is None) != can


def test_b_is_never_too_small_for_a_share_whose_pvalue_is_exact(compared):
    wrong = np.array([1, 1, 1, 0, 0] * 18)
    pair = compared({"a": wrong, "b": 1 - wrong}, lengths=1, metric="ser", clusters=pages(18), resamples=9).pair
    assert pair.verdict == "better"


@pytest.mark.parametrize("test", ["randomisation", "wilcoxon", "mcnemar", "sign"])
def test_identical_systems_do_not_differ_unit_by_unit(compared, test):
    pair = compared({"a": GOOD, "b": GOOD}, tests=[test], deciding_test=test).pair
    assert pair.verdict == "inconclusive"
    assert "the systems are equal in every" in explain_verdict(pair) or "n too small" in explain_verdict(pair)


def test_one_segment_is_too_few_for_every_test(compared):
    for test in ("randomisation", "bootstrap", "mcnemar", "wilcoxon", "paired_t", "sign"):
        pair = compared({"a": [0], "b": [9]}, tests=[test], deciding_test=test).pair
        assert pair.verdict == "inconclusive"
        assert pair.minimum_detectable_difference is None


def test_a_sample_four_times_as_large_detects_half_the_difference(compared):
    once = compared({"a": GOOD, "b": ALIKE}).pair.minimum_detectable_difference
    four = compared({"a": np.tile(GOOD, 4), "b": np.tile(ALIKE, 4)}).pair.minimum_detectable_difference
    assert four == pytest.approx(once / 2, rel=0.03)


def test_a_larger_family_detects_larger_differences_only(compared):
    systems = {"a": GOOD, "b": ALIKE, "c": ALIKE[::-1]}
    alone, after = (compared(systems, correction=correction).pairs[0] for correction in ("none", "holm"))
    assert alone.minimum_detectable_difference < after.minimum_detectable_difference


def test_further_segments_come_to_what_the_observed_difference_needs_and_clusters_bring_theirs(compared):
    systems = {"a": GOOD, "b": ALIKE ^ np.array([1, *[0] * 59])}
    pair = compared(systems).pair
    needed = len(GOOD) + pair.further_segments
    # Power grows with the root of the number of segments.
    assert needed == pytest.approx(60 * (pair.minimum_detectable_difference / pair.difference) ** 2, rel=0.06)
    assert pair.further_clusters is None
    pair = compared(systems, clusters=PAGES).pair
    assert pair.further_segments == 5 * pair.further_clusters > 0


@pytest.mark.parametrize("systems", [{"a": GOOD, "b": POOR}, {"a": GOOD, "b": GOOD}], ids=["decided", "identical"])
def test_where_it_is_settled_or_no_number_would_do_nothing_further_is_asked_for(compared, systems):
    pair = compared(systems, clusters=PAGES).pair
    assert (pair.further_segments, pair.further_clusters) == (None, None)


def test_with_a_margin_the_nearer_of_two_ends_counts(compared):
    systems = {"a": GOOD, "b": ALIKE ^ np.array([1, *[0] * 59])}
    alone, within = (compared(systems, clusters=PAGES, margin=margin).pair for margin in (None, 0.02))
    assert within.verdict == "inconclusive"
    assert within.further_clusters < alone.further_clusters


def test_the_clusters_asked_for_could_be_significant(compared):
    pair = compared({"a": POOR[:15], "b": GOOD[:15]}, clusters=pages(3)).pair
    assert 2 ** (1 - (3 + pair.further_clusters)) < 0.05
    assert math.isfinite(pair.further_segments)


def test_equivalence_by_student_looks_at_the_mean_rate_of_clusters(compared):
    pair = compared({"a": GOOD, "b": ALIKE}, clusters=PAGES, margin=0.1, equivalence="paired_t").pair
    rates = (ALIKE - GOOD).reshape(12, 5).mean(axis=1) / 10
    _, expected = scipy.stats.ttest_1samp(rates, 0.1, alternative="less")
    assert pair.equivalence.extra["pvalue_upper"] == pytest.approx(expected)
    assert (pair.equivalence.n, pair.equivalence.unit) == (12, "page")
    assert pair.verdict == "equivalent"


def test_against_the_baseline_alone_the_family_is_smaller(compared):
    systems = {"a": POOR, "b": GOOD, "c": ALIKE}
    every, few = (compared(systems, clusters=PAGES, correction="holm", pairs=pairs) for pairs in ("all", "baseline"))
    assert [(pair.baseline, pair.system) for pair in few.pairs] == [("a", "b"), ("a", "c")]
    raw = [pair.tests["randomisation"].pvalue for pair in few.pairs]
    assert [pair.pvalue_adjusted for pair in few.pairs] == adjust(raw, method="holm").tolist()
    assert few.pairs[0].pvalue_adjusted <= every.pairs[0].pvalue_adjusted


def test_without_every_pair_there_are_ranks_and_no_letters(compared):
    places = compared({"a": POOR, "b": GOOD, "c": ALIKE}, pairs="baseline").places
    assert {place.letters for place in places.values()} == {None}
    assert places["b"].first is not None


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "mcnemar", "wilcoxon", "sign"])
def test_a_difference_that_is_the_same_everywhere_is_found(compared, test):
    pair = compared({"a": [1] * 60, "b": [0] * 60}, clusters=PAGES, tests=[test], deciding_test=test).pair
    assert (pair.verdict, pair.minimum_detectable_difference) == ("better", None)
    assert pair.confidence_interval.low < -0.1 < pair.confidence_interval.high < 0


def test_student_sees_no_variation_in_it_and_says_so(compared):
    pair = compared({"a": [1] * 60, "b": [0] * 60}, tests=["paired_t"], deciding_test="paired_t").pair
    assert pair.verdict == "inconclusive"
    assert explain_verdict(pair) == "paired_t finds no variation from segment to segment to judge the difference by."


def test_systems_without_any_error_are_inconclusive_and_equivalent_within_a_margin(compared):
    for margin, verdict in ((None, "inconclusive"), (0.01, "equivalent")):
        assert compared({"a": [0] * 60, "b": [0] * 60}, clusters=PAGES, margin=margin).pair.verdict == verdict


def test_the_reason_names_the_correction_from_two_pairs_on(compared):
    systems = {"a": POOR, "b": GOOD, "c": ALIKE}
    two = compared(systems, clusters=PAGES, correction="holm", pairs="baseline").pairs
    assert [len(two), "after Holm over 2 pairs" in explain_verdict(two[0])] == [2, True]
    one = compared({"a": POOR, "b": GOOD}, clusters=PAGES, correction="holm").pair
    assert "Holm" not in explain_verdict(one)
