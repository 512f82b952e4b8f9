"""Draws without machine code are those of the kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.stats.bootstrap import resampling
from misread.stats.bootstrap.resampling import exact_columns

some_rows = st.builds(
    lambda seed, units, columns, largest: np.random.default_rng(seed).integers(-largest, largest + 1, (units, columns)),
    st.integers(0, 2**32),
    st.integers(1, 140),
    st.integers(1, 5),
    # Sums that are exact as 32-bit floats, as 64-bit floats, and as integers alone.
    st.sampled_from([1, 1000, 10**9, 10**14]),
)
a_seed = st.sampled_from([0, 1, 2**63 - 1]) | st.integers(0, 2**63 - 1)


def draw_in_all_ways(rows, resamples, seed):
    rng = np.random.default_rng(seed % 1000)
    first, second = (np.unique(rng.integers(0, 9, len(rows)), return_inverse=True)[1] for _ in range(2))
    return [
        resampling.resampled_sums(exact_columns(rows, len(rows)), resamples, seed),
        resampling.two_way_sums(exact_columns(rows, len(rows) ** 2), first, second, resamples, seed),
        resampling.flipped_sums(rows, resamples, seed),
    ]


@given(rows=some_rows, resamples=st.integers(1, 40), seed=a_seed)
def test_sums_are_those_of_the_kernels(either_way, rows, resamples, seed):
    plain, compiled = either_way(lambda: draw_in_all_ways(rows, resamples, seed))
    assert all(np.array_equal(one, other) for one, other in zip(plain, compiled, strict=True))
    assert {sums.dtype for sums in plain} == {np.dtype(np.int64)}


@pytest.mark.parametrize("units", [1, 2, 63, 64, 65, 1000])
def test_replicates_that_do_not_fit_into_one_step_are_drawn_alike(either_way, units):
    rows = np.arange(2 * units).reshape(units, 2)
    plain, compiled = either_way(lambda: draw_in_all_ways(rows, 1500, 7))
    assert all(np.array_equal(one, other) for one, other in zip(plain, compiled, strict=True))
