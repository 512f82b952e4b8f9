import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats.bootstrap.resampling import bootstrap_sums, cluster_rows, derived_seed, exact_columns, normal_sums


@pytest.fixture
def counts():
    rng = np.random.default_rng(8)
    lengths = rng.integers(4, 60, size=60)
    return np.column_stack([rng.binomial(lengths, 0.10), rng.binomial(lengths, 0.08), lengths])


@pytest.fixture
def clusters():
    return np.random.default_rng(9).integers(0, 12, size=60)


def slow_cluster_rows(counts, clusters):
    return np.array([counts[clusters == code].sum(axis=0) for code in sorted(set(clusters.tolist()))])


def test_clusters_are_added_up_in_the_order_of_their_codes(counts, clusters):
    codes = clusters * 10 - 50
    assert np.array_equal(cluster_rows(counts, codes), slow_cluster_rows(counts, codes))
    assert np.array_equal(cluster_rows(counts, None), counts)


def test_every_segment_needs_a_cluster(counts):
    with pytest.raises(LengthMismatchError, match=r"60 segments .* 59 have"):
        cluster_rows(counts, np.zeros(59, np.int64))


def test_the_paired_difference_of_rates_agrees_with_scipy(counts):
    def difference(errors_a, errors_b, lengths, axis):
        return (errors_a.sum(axis=axis) - errors_b.sum(axis=axis)) / lengths.sum(axis=axis)

    theirs = scipy.stats.bootstrap(
        tuple(counts.T), difference, paired=True, vectorized=True, n_resamples=20_000, method="percentile", rng=0
    )
    sums = bootstrap_sums(counts, resamples=20_000, seed=2)
    ours = (sums[:, 0] - sums[:, 1]) / sums[:, 2]
    error = theirs.standard_error
    assert ours.std(ddof=1) == pytest.approx(error, rel=0.03)
    low, high = np.quantile(ours, [0.025, 0.975])
    assert (low, high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.08 * error)


def test_counts_in_any_memory_layout_give_the_same_sums(counts):
    column_major = np.asfortranarray(counts)
    assert np.array_equal(
        bootstrap_sums(column_major, resamples=9, seed=2), bootstrap_sums(counts, resamples=9, seed=2)
    )


@pytest.mark.parametrize(
    ("segments", "changes", "error", "message"),
    [
        (0, {}, UndefinedResultError, "at least 2 units .* got 0"),
        (1, {}, UndefinedResultError, "at least 2 units .* got 1"),
        (60, {"resamples": 0}, ConfigurationError, "resamples"),
        (60, {"resamples": -1}, ConfigurationError, "resamples"),
        (60, {"seed": -1}, ConfigurationError, "seed"),
        (60, {"seed": 2**63}, ConfigurationError, "seed"),
    ],
)
def test_what_cannot_be_drawn_is_refused(counts, segments, changes, error, message):
    with pytest.raises(error, match=message):
        bootstrap_sums(counts[:segments], **{"resamples": 9, "seed": 0} | changes)


@pytest.fixture(scope="module")
def many_counts():
    rng = np.random.default_rng(5)
    lengths = rng.integers(4, 60, size=30_000)
    parts = [rng.binomial(lengths, rate) for rate in (0.06, 0.03, 0.01)]
    never, always = np.zeros(30_000, dtype=np.int64), np.full(30_000, 3)
    return np.column_stack([*parts, sum(parts), lengths, never, always])


def test_normal_sums_are_distributed_as_sums_of_drawn_units(many_counts):
    rates = [draw(many_counts, resamples=2000, seed=7) for draw in (normal_sums, bootstrap_sums)]
    normal, drawn = (sums[:, 3] / sums[:, 4] for sums in rates)
    assert scipy.stats.ks_2samp(normal, drawn).pvalue > 0.01


def test_columns_of_normal_sums_depend_on_each_other_as_counts_do(many_counts):
    sums = normal_sums(many_counts, resamples=2000, seed=7)
    # Each of four sums is rounded by itself.
    assert np.abs(sums[:, :3].sum(axis=1) - sums[:, 3]).max() <= 2
    assert not sums[:, 5].any()
    assert (sums[:, 6] == 90_000).all()


def test_normal_sums_are_never_negative():
    counts = np.zeros((30_000, 1), dtype=np.int64)
    counts[:2] = 1
    sums = normal_sums(counts, resamples=2000, seed=7)
    assert sums.min() == 0
    assert sums.mean() == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize(
    ("largest", "kind"), [(2**24 - 1, "float32"), (2**24, "float64"), (2**53 - 1, "float64"), (2**53, "int64")]
)
def test_sums_are_exact_in_the_type_chosen(largest, kind):
    columns = exact_columns(np.array([[largest], [-1]]), 1)
    assert columns.dtype == kind
    assert int(columns.astype(object).sum()) == largest - 1


def test_derived_seeds_differ_and_lie_in_range():
    seeds = {derived_seed(seed, number) for seed in range(20) for number in range(20)}
    assert len(seeds) == 400
    assert all(0 <= seed < 2**63 for seed in seeds)
