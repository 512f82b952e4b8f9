import numpy as np
import pytest
import statsmodels.api as sm

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.stats.design.cluster_design import design_effect, design_sentence, effective_segments


def sample(clusters=20, size=15, spread=0.4):
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(clusters), size)
    lengths = rng.integers(4, 60, size=codes.size)
    logs = np.log(0.1) + rng.normal(0, spread, size=clusters)[codes] + rng.normal(0, 0.3, size=codes.size)
    return rng.binomial(lengths, np.exp(logs).clip(max=1)), lengths, codes


def test_it_is_the_ratio_of_the_sandwich_variances_of_statsmodels():
    errors, lengths, clusters = sample()
    # Weighted by 1 / length, regression through the origin has the corpus rate as its slope.
    model = sm.WLS(errors, lengths, weights=1 / lengths)
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
    independent = model.fit(cov_type="HC0")
    assert clustered.params[0] == pytest.approx(errors.sum() / lengths.sum())
    expected = clustered.cov_params()[0, 0] / independent.cov_params()[0, 0]
    assert design_effect(errors, lengths, clusters) == pytest.approx(expected)


def test_it_predicts_how_much_the_cluster_bootstrap_widens():
    errors, lengths, clusters = sample()
    counts = np.column_stack([errors, lengths])
    variances = []
    for codes in (clusters, None):
        sums = bootstrap_sums(counts, clusters=codes, resamples=20_000, seed=1)
        variances.append(np.var(sums[:, 0] / sums[:, 1]))
    assert variances[0] / variances[1] == pytest.approx(design_effect(errors, lengths, clusters), rel=0.06)


def test_clusters_that_err_together_have_an_effect_above_one():
    assert design_effect(*sample()) > 2


def test_one_segment_a_cluster_has_no_effect():
    errors, lengths, clusters = sample()
    assert design_effect(errors, lengths, np.arange(len(clusters))) == pytest.approx(1.0)


def test_clusters_of_twins_count_each_twin_once_too_often():
    errors, lengths, _ = sample()
    twice = np.repeat(np.arange(len(errors)), 2)
    assert design_effect(errors[twice], lengths[twice], twice) == pytest.approx(2.0)


def test_order_of_segments_does_not_matter():
    errors, lengths, clusters = sample()
    order = np.random.default_rng(1).permutation(len(errors))
    moved = design_effect(errors[order], lengths[order], clusters[order])
    assert moved == pytest.approx(design_effect(errors, lengths, clusters))


@pytest.mark.parametrize("errors", [[0, 0, 0, 0], [1, 2, 3, 1]])
def test_segments_of_equal_rate_have_an_effect_of_one(errors):
    lengths = np.array([7, 14, 21, 7])
    assert design_effect(np.array(errors), lengths, np.array([0, 0, 1, 1])) == 1.0


def test_clusters_of_equal_rate_have_no_variance_left():
    lengths = np.full(4, 10)
    assert design_effect(np.array([1, 3, 3, 1]), lengths, np.array([0, 0, 1, 1])) == 0.0


def test_a_large_corpus_does_not_overflow():
    errors, lengths, clusters = sample()
    large = design_effect(errors * 1_000_000, lengths * 1_000_000, clusters)
    assert large == pytest.approx(design_effect(errors, lengths, clusters))


def test_one_cluster_is_refused():
    errors, lengths, clusters = sample()
    with pytest.raises(UndefinedResultError, match="at least 2 clusters"):
        design_effect(errors, lengths, np.zeros_like(clusters))


def test_an_empty_reference_is_refused():
    with pytest.raises(UndefinedResultError, match="the reference is empty"):
        design_effect(np.array([1, 2]), np.array([0, 0]), np.array([0, 1]))


def test_arrays_of_unequal_length_are_refused():
    with pytest.raises(LengthMismatchError, match="2 errors, 2 lengths and 1 cluster codes"):
        design_effect(np.array([1, 2]), np.array([9, 9]), np.array([0]))


def test_effective_segments_are_segments_over_the_effect():
    assert effective_segments(1200, 8.0) == 150.0


@pytest.mark.parametrize("deff", [0.0, 0.5, 1.0])
def test_no_clusters_make_a_sample_larger_than_it_is(deff):
    assert effective_segments(1200, deff) == 1200.0


def test_the_sentence_gives_one_number_or_the_range_over_the_systems():
    assert design_sentence(1210, [143.2, 143.4]) == "Effective sample size: 143 of 1210 segments."
    assert design_sentence(1210, [181.0, 143.2]) == "Effective sample size: 143 to 181 of 1210 segments."
