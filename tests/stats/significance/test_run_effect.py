"""The test of an effect that runs share, against the enumeration of all permutations."""

from itertools import permutations, product

import numpy as np
import pytest

from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats import run_effect_test


def rate(counts):
    return counts[..., 0] / counts[..., 1]


def enumerate_pvalue(counts):
    """Share of all permutations within clusters whose rates vary at least as much; slow on purpose."""
    runs, clusters, _ = counts.shape
    observed = rate(counts.sum(axis=1)).var(ddof=1)
    variances = [
        rate(sum(counts[list(order), cluster] for cluster, order in enumerate(orders))).var(ddof=1)
        for orders in product(permutations(range(runs)), repeat=clusters)
    ]
    return np.mean(np.array(variances) >= observed - 1e-15)


@pytest.mark.parametrize(("runs", "clusters"), [(2, 6), (3, 4)])
def test_p_is_near_that_of_all_permutations(runs, clusters):
    rng = np.random.default_rng(runs)
    lengths = rng.integers(20, 90, clusters)
    errors = rng.binomial(lengths, 0.2, size=(runs, clusters)) + np.arange(runs)[:, np.newaxis]
    counts = np.stack([errors, np.broadcast_to(lengths, errors.shape)], axis=-1)
    found = run_effect_test(counts, rate, resamples=4999, seed=1)
    assert found.pvalue == pytest.approx(enumerate_pvalue(counts), abs=0.03)
    assert found.effect_size == pytest.approx(rate(counts.sum(axis=1)).std(ddof=1))


@pytest.mark.parametrize("clusters", [30, 500, 501, 1300])
def test_an_effect_of_one_run_is_found_with_any_number_of_clusters(clusters):
    rng = np.random.default_rng(clusters)
    errors = rng.integers(0, 5, size=(3, clusters))
    errors[2] += 3
    counts = np.stack([errors, np.full_like(errors, 40)], axis=-1)
    assert run_effect_test(counts, rate, resamples=199, seed=1).pvalue == 1 / 200


def test_equal_runs_have_no_effect():
    counts = np.stack([np.array([[1, 10], [2, 10]])] * 3)
    found = run_effect_test(counts, rate, resamples=99, seed=1)
    assert (found.pvalue, found.method, found.statistic) == (1, "none", 0)


@pytest.mark.parametrize("shape", [(1, 5, 2), (5, 1, 2)])
def test_one_run_or_cluster_is_refused(shape):
    with pytest.raises(UndefinedResultError, match="at least 2 runs of 2 segments"):
        run_effect_test(np.ones(shape, dtype=np.int64), rate, resamples=9, seed=1)


def test_an_undefined_score_and_no_permutation_are_refused():
    with pytest.raises(UndefinedResultError, match="every reference is empty"), np.errstate(invalid="ignore"):
        run_effect_test(np.zeros((2, 3, 2), dtype=np.int64), rate, resamples=9, seed=1)
    with pytest.raises(ConfigurationError, match="resamples is 0"):
        run_effect_test(np.ones((2, 3, 2), dtype=np.int64), rate, resamples=0, seed=1)
