"""Kappa of Cohen and of Fleiss, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import UndefinedResultError
from misread.stats import cohen_kappa, compare_raters, fleiss_kappa
from misread.stats.significance.agreement import OPEN, kappa_of

ROWS = st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=2, max_size=8)


@given(ROWS)
def test_kappa_is_that_of_statsmodels(rows):
    from statsmodels.stats import inter_rater

    counts = np.array(rows)
    total = counts.sum(axis=0)
    if total.sum() == 0 or not np.isfinite(kappa_of(total)):
        return
    expected = inter_rater.cohens_kappa(total.reshape(2, 2), return_results=False)
    found = cohen_kappa(counts)
    assert found.kappa == pytest.approx(expected)
    if found.interval is not None:
        assert -1 <= found.interval.low <= found.kappa <= found.interval.high <= 1


def test_the_interval_of_single_segments_is_about_that_of_the_textbook():
    """The large-sample error of Fleiss, Cohen & Everitt (1969), as statsmodels has it."""
    from statsmodels.stats import inter_rater

    rng = np.random.default_rng(1)
    first = rng.random(600) < 0.6
    second = np.where(rng.random(600) < 0.8, first, ~first)
    counts = np.zeros((600, 4), dtype=int)
    counts[np.arange(600), 2 * ~first + ~second] = 1
    expected = inter_rater.cohens_kappa(counts.sum(axis=0).reshape(2, 2))
    found = cohen_kappa(counts)
    assert found.kappa == pytest.approx(expected.kappa)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (expected.kappa_low, expected.kappa_upp), abs=0.003
    )


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[1, 2, 3, 4]], "kappa needs at least 2 clusters or segments to have an interval; got 1"),
        ([[5, 0, 0, 0], [2, 0, 0, 0]], "all judges give the same decision on every segment"),
    ],
)
def test_what_has_no_kappa_is_refused(counts, words):
    with pytest.raises(UndefinedResultError, match=words):
        cohen_kappa(np.array(counts))


def test_kappa_that_rests_on_one_cluster_has_no_interval():
    assert cohen_kappa(np.array([[3, 1, 1, 2], [5, 0, 0, 0]])).interval is None


@given(st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_kappa_of_several_judges_is_that_of_statsmodels(judges, seed):
    from statsmodels.stats import inter_rater

    rng = np.random.default_rng(seed)
    decisions = (rng.random((40, judges)) < rng.random((40, 1))).astype(np.int64)
    clusters = rng.integers(0, 8, 40)
    found = compare_raters(decisions, clusters, [f"j{number}" for number in range(judges)])
    assert found.together.kappa == pytest.approx(inter_rater.fleiss_kappa(inter_rater.aggregate_raters(decisions)[0]))
    assert sum(found.together.accepted_by) == 40
    assert len(found.pairs) == judges * (judges - 1) // 2
    for pair in found.pairs:
        sides = decisions[:, [int(pair.first[1:]), int(pair.second[1:])]].T
        table = [[np.sum((sides[0] == one) & (sides[1] == other)) for other in (1, 0)] for one in (1, 0)]
        assert pair.agreement.kappa == pytest.approx(inter_rater.cohens_kappa(np.array(table), return_results=False))


def test_agreement_of_several_judges_is_the_share_of_pairs_that_decide_alike():
    # Three judges: all, two and none of them accept.
    found = fleiss_kappa(np.array([[0, 0, 0, 2], [0, 0, 2, 0], [2, 0, 0, 0]]))
    assert found.agreement == pytest.approx((2 + 2 / 3 + 2) / 6)


def test_what_a_judge_left_open_counts_for_no_pair_of_it():
    decisions = np.array([[1, 1, OPEN], [0, 0, 1], [1, 0, 1], [0, 0, 0], [1, 1, 1], [OPEN, 1, 1]])
    found = compare_raters(decisions, np.arange(6), ["a", "b", "c"])
    sizes = [
        pair.agreement.both + pair.agreement.first_only + pair.agreement.second_only + pair.agreement.neither
        for pair in found.pairs
    ]
    assert sizes == [5, 4, 5]
    assert found.together.accepted_by == (1, 1, 1, 1)


def test_judges_without_a_segment_in_common_are_named():
    with pytest.raises(UndefinedResultError, match="qwen and anna have no decision on the same segment"):
        compare_raters(np.array([[1, OPEN], [OPEN, 1]]), np.arange(2), ["qwen", "anna"])


@given(st.integers(4, 40), st.integers(1, 30), st.integers(1, 30))
def test_kappa_of_raters_that_agree_on_everything_has_the_exact_interval_of_the_share_alike(clusters, both, neither):
    from scipy.stats import binomtest

    counts = np.tile([both, 0, 0, neither], (clusters, 1))
    segments = int(counts.sum())
    least = binomtest(segments, segments).proportion_ci(0.95, "exact").low
    accepted = both / (both + neither)
    expected = accepted**2 + (1 - accepted) ** 2
    for found in (cohen_kappa(counts), fleiss_kappa(counts[:, [3, 1, 2, 0]])):
        assert found.kappa == 1
        assert found.interval.high == 1
        assert found.interval.low == pytest.approx(max((least - expected) / (1 - expected), -1))


@given(st.integers(4, 30), st.tuples(*[st.integers(0, 9)] * 4))
def test_kappa_of_clusters_that_are_all_alike_has_an_interval_with_width(clusters, row):
    counts = np.tile(row, (clusters, 1))
    if np.isfinite(kappa_of(counts.sum(axis=0))):
        found = cohen_kappa(counts)
        assert found.interval.low <= found.kappa <= found.interval.high
        assert found.interval.high - found.interval.low > 0.5 / counts.sum()


def test_kappa_of_alike_clusters_has_at_least_the_error_of_independent_segments():
    """The large-sample error of Fleiss, Cohen & Everitt (1969), as statsmodels has it."""
    from statsmodels.stats import inter_rater

    counts = np.tile([60, 10, 5, 45], (20, 1))
    expected = inter_rater.cohens_kappa(counts.sum(axis=0).reshape(2, 2))
    found = cohen_kappa(counts).interval
    assert (found.low, found.high) == pytest.approx((expected.kappa_low, expected.kappa_upp), abs=0.001)


def test_kappa_of_three_clusters_has_no_interval():
    assert cohen_kappa(np.tile([5, 1, 1, 4], (3, 1))).interval is None
