"""Cohen's kappa, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from misread.errors import UndefinedResultError
from misread.stats import cohen_kappa
from misread.stats.significance.agreement import kappa_of

ROWS = st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=2, max_size=8)


@given(ROWS)
def test_kappa_is_that_of_statsmodels(rows):
    counts = np.array(rows)
    total = counts.sum(axis=0)
    if total.sum() == 0 or not np.isfinite(kappa_of(total)):
        return
    expected = cohens_kappa(total.reshape(2, 2), return_results=False)
    found = cohen_kappa(counts)
    assert found.kappa == pytest.approx(expected)
    if found.interval is not None:
        assert -1 <= found.interval.low <= found.kappa <= found.interval.high <= 1


def test_the_interval_of_single_segments_is_about_that_of_the_textbook():
    """The large-sample error of Fleiss, Cohen & Everitt (1969), as statsmodels has it."""
    rng = np.random.default_rng(1)
    first = rng.random(600) < 0.6
    second = np.where(rng.random(600) < 0.8, first, ~first)
    counts = np.zeros((600, 4), dtype=int)
    counts[np.arange(600), 2 * ~first + ~second] = 1
    expected = cohens_kappa(counts.sum(axis=0).reshape(2, 2))
    found = cohen_kappa(counts)
    assert found.kappa == pytest.approx(expected.kappa)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (expected.kappa_low, expected.kappa_upp), abs=0.003
    )


def test_full_agreement_is_1_and_full_disagreement_below_0():
    assert cohen_kappa(np.array([[3, 0, 0, 2], [1, 0, 0, 4]])).kappa == 1
    assert cohen_kappa(np.array([[0, 3, 2, 0], [0, 1, 4, 0]])).kappa < 0


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[1, 2, 3, 4]], "kappa needs at least 2 clusters or segments to have an interval; got 1"),
        ([[5, 0, 0, 0], [2, 0, 0, 0]], "both judges give the same decision on every segment"),
    ],
)
def test_what_has_no_kappa_is_refused(counts, words):
    with pytest.raises(UndefinedResultError, match=words):
        cohen_kappa(np.array(counts))


def test_kappa_that_rests_on_one_cluster_has_no_interval():
    assert cohen_kappa(np.array([[3, 1, 1, 2], [5, 0, 0, 0]])).interval is None
