"""A short gate: on data without any difference, tests reject as often as they promise."""

import numpy as np
import pytest
import scipy.stats

from misread.stats import cluster_rows, sign_flip

CLUSTERS, SEGMENTS, DATA_SETS, ALPHA = 20, 15, 500, 0.05
CODES = np.repeat(np.arange(CLUSTERS), SEGMENTS)


def null_data(rng, spread):
    """Errors of two equally good systems; `spread` is that of their difference by cluster, on the log scale."""
    lengths = rng.integers(4, 23, size=(CLUSTERS, SEGMENTS))
    hardness = np.log(0.10) + rng.normal(0, 0.5, (CLUSTERS, 1)) + rng.normal(0, 0.5, lengths.shape)
    of_cluster = rng.normal(0, spread / np.sqrt(2), (2, CLUSTERS, 1))
    a, b = (rng.binomial(lengths, np.minimum(np.exp(hardness + own), 0.95)).ravel() for own in of_cluster)
    return b - a, lengths.ravel()


@pytest.fixture(scope="module")
def sizes():
    rng = np.random.default_rng(11)
    settings = {"resamples": 999, "seed": 1, "alpha": ALPHA}
    rejected = dict.fromkeys([("clustered", "page"), ("clustered", "segment"), ("independent", "segment")], 0)
    for _ in range(DATA_SETS):
        for kind, spread in (("clustered", 0.4), ("independent", 0.0)):
            errors, lengths = null_data(rng, spread)
            total = int(lengths.sum())
            rejected[kind, "segment"] += sign_flip(errors, length=total, **settings).pvalue < ALPHA
            if kind == "clustered":
                pages = cluster_rows(errors[:, None], CODES)[:, 0]
                rejected[kind, "page"] += sign_flip(pages, length=total, unit="page", **settings).pvalue < ALPHA
    return {case: count / DATA_SETS for case, count in rejected.items()}


def band():
    """Where the share of rejections lies in 99.9 % of all suites, if the level is held."""
    return scipy.stats.binom.ppf([0.0005, 0.9995], DATA_SETS, ALPHA) / DATA_SETS


def test_flipping_whole_clusters_holds_its_level_on_clustered_data(sizes):
    low, high = band()
    assert low <= sizes["clustered", "page"] <= high


def test_flipping_segments_holds_its_level_on_independent_data(sizes):
    low, high = band()
    assert low <= sizes["independent", "segment"] <= high


def test_flipping_segments_of_clustered_data_finds_differences_that_are_not_there(sizes):
    assert sizes["clustered", "segment"] > 0.15
