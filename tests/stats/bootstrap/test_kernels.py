import numpy as np
import pytest
import scipy.stats

from misread.stats.bootstrap.kernels import flipped_sums, resampled_sums, two_way_sums

WORD = 2**64 - 1
INCREMENT = 0x9E3779B97F4A7C15


def slow_mix(state):
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & WORD
    return state ^ (state >> 31)


def slow_draws(units, state):
    words = [slow_mix((state + (j + 1) * INCREMENT) & WORD) for j in range(-(-units // 2))]
    halves = [half for word in words for half in (word & (2**32 - 1), word >> 32)]
    return [(half * units) >> 32 for half in halves[:units]]


def slow_streams(resamples, seed):
    start = slow_mix((seed + INCREMENT) & WORD)
    return [slow_mix((start + replicate * INCREMENT) & WORD) for replicate in range(resamples)]


def slow_sums(rows, resamples, seed):
    """Whole numbers of any size: the oracle of the unsigned arithmetic."""
    return np.array([rows[slow_draws(len(rows), state)].sum(axis=0) for state in slow_streams(resamples, seed)])


def sums_of(rows, resamples, seed, kind=np.float64):
    return resampled_sums(np.ascontiguousarray(rows.T, dtype=kind), resamples, seed)


@pytest.fixture
def rows():
    return np.random.default_rng(5).integers(0, 60, size=(40, 3))


def test_the_mixing_is_that_of_splitmix64():
    # First outputs of the published generator for seed 1234567.
    state, outputs = 1234567, []
    for _ in range(3):
        state = (state + INCREMENT) & WORD
        outputs.append(slow_mix(state))
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("units", [1, 2, 7, 40])
@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_sums_equal_the_slow_ones(rows, units, seed):
    assert np.array_equal(sums_of(rows[:units], 6, seed), slow_sums(rows[:units], 6, seed))


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_every_type_that_is_exact_gives_the_same_sums(rows, kind):
    assert np.array_equal(sums_of(rows, 20, 3, kind), slow_sums(rows, 20, 3))


def test_sums_are_the_same_on_one_thread_and_on_three(rows, use_threads):
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append(sums_of(rows, 501, 3).tobytes())
    assert found[0] == found[1]


def test_every_unit_is_drawn_equally_often():
    drawn = sums_of(np.eye(7, dtype=np.int64), 20_000, 2).sum(axis=0)
    assert scipy.stats.chisquare(drawn).pvalue > 1e-4


def test_how_often_a_unit_is_drawn_is_binomial():
    times = sums_of(np.eye(7, dtype=np.int64), 20_000, 4)[:, 3]
    expected = scipy.stats.binom.pmf(np.arange(8), 7, 1 / 7) * 20_000
    seen = np.bincount(times, minlength=8)
    # Four draws or more are rare: one cell.
    pooled = [np.append(cells[:4], cells[4:].sum()) for cells in (seen, expected)]
    assert scipy.stats.chisquare(*pooled).pvalue > 1e-4


def test_mean_and_covariance_are_those_of_drawing_with_replacement(rows):
    resamples = 50_000
    sums = sums_of(rows, resamples, 11)
    covariance = len(rows) * np.cov(rows.T, ddof=0)
    standard_errors = np.sqrt(np.diag(covariance) / resamples)
    assert (np.abs(sums.mean(axis=0) - rows.sum(axis=0)) < 4 * standard_errors).all()
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert (np.abs(np.cov(sums.T) - covariance) < 6 * scale / np.sqrt(resamples)).all()


def test_large_counts_do_not_lose_digits():
    rows = np.full((3, 1), 2**60 + 1, dtype=np.int64)
    assert sums_of(rows, 2, 0, np.int64).tolist() == [[3 * 2**60 + 3]] * 2


def slow_flips(rows, resamples, seed):
    start = slow_mix((seed + INCREMENT) & WORD)
    sums = []
    for replicate in range(resamples):
        stream = slow_mix((start + replicate * INCREMENT) & WORD)
        words = [slow_mix((stream + (j + 1) * INCREMENT) & WORD) for j in range(-(-len(rows) // 64))]
        flipped = [words[unit // 64] >> unit % 64 & 1 == 1 for unit in range(len(rows))]
        sums.append(rows[np.array(flipped)].sum(axis=0))
    return np.array(sums)


@pytest.mark.parametrize("units", [1, 63, 64, 65, 130])
def test_flips_equal_the_slow_ones(units):
    rows = np.random.default_rng(5).integers(-60, 60, size=(units, 2))
    assert np.array_equal(flipped_sums(rows, 6, 3), slow_flips(rows, 6, 3))


def test_every_unit_is_flipped_half_of_the_time_and_apart_from_the_others():
    flips = flipped_sums(np.eye(70, dtype=np.int64), 20_000, 1)
    assert np.abs(flips.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(20_000)
    correlations = np.corrcoef(flips.T)[np.triu_indices(70, k=1)]
    assert np.abs(correlations).max() < 6 / np.sqrt(20_000)


def test_flips_are_the_same_on_one_thread_and_on_three(use_threads):
    rows = np.random.default_rng(5).integers(-9, 9, size=(100, 2))
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append(flipped_sums(rows, 50, 1))
    assert np.array_equal(*found)


@pytest.mark.parametrize("resamples", [1, 1023, 1025])
def test_flips_of_every_batch_equal_the_slow_ones(resamples):
    rows = np.random.default_rng(5).integers(-60, 60, size=(9, 1))
    assert np.array_equal(flipped_sums(rows, resamples, 3), slow_flips(rows, resamples, 3))


def test_two_way_sums_weigh_each_row_by_both_draws(rows):
    first, second = np.arange(40) % 5, np.arange(40) // 8
    slow = []
    for state in slow_streams(6, 3):
        drawn = [np.bincount(slow_draws(5, of), minlength=5) for of in (state, slow_mix(state))]
        slow.append((rows.T * drawn[0][first] * drawn[1][second]).sum(axis=1))
    found = two_way_sums(np.ascontiguousarray(rows.T, dtype=np.float64), first, second, 6, 3)
    assert np.array_equal(found, slow)


def test_two_way_sums_are_the_same_on_one_thread_and_on_three(rows, use_threads):
    kinds = np.arange(40) % 5, np.arange(40) // 8
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append(two_way_sums(np.ascontiguousarray(rows.T, dtype=np.float64), *kinds, 501, 3))
    assert np.array_equal(*found)
