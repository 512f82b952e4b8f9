import math

import pytest

from misread.stats.bootstrap import draws


@pytest.mark.parametrize("columns", [1, 20, 200])
@pytest.mark.parametrize("units", [30, 10_000, 1_000_000])
@pytest.mark.parametrize("resamples", [100, 9_999, 1_000_000])
def test_blocks_are_never_small_and_there_are_several_of_many_replicates(columns, units, resamples):
    size = draws._size_of_block(columns * units, units, resamples)
    assert size >= draws.BLOCK
    assert size == draws.BLOCK or math.ceil(resamples / size) >= draws._FEWEST_BLOCKS - 1


def test_blocks_of_much_work_are_not_larger_than_they_have_to_be():
    assert draws._size_of_block(20_000_000, 1_000_000, 20_000) == draws.BLOCK
