import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.engines.timing import percentiles as module
from misread.engines.timing.percentiles import Percentiles

DURATIONS = st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=60)


def percentiles_of(durations):
    percentiles = Percentiles()
    for seconds in durations:
        percentiles.add(seconds)
    return percentiles


@given(DURATIONS)
def test_few_durations_have_exact_percentiles(durations):
    found = percentiles_of(durations).of((0, 50, 90, 100))
    assert found == pytest.approx(np.percentile(durations, (0, 50, 90, 100)))


@given(DURATIONS)
def test_many_durations_have_percentiles_within_a_4000th(durations):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_EXACT", 4)
        percentiles = percentiles_of(durations)
        expected = np.sort(durations)[np.round(np.array([0, 0.5, 0.9, 1]) * (len(durations) - 1)).astype(int)]
        exact = len(durations) <= 4
        assert exact or percentiles.of((0, 50, 90, 100)) == pytest.approx(expected, rel=1 / 4000, abs=1e-37)
        assert len(percentiles) == len(durations)


def test_nothing_was_added_at_first():
    assert not Percentiles()
    assert percentiles_of([0.0])
