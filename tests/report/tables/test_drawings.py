import pytest

from misread.report.numbers import RateFormat
from misread.report.tables.drawings import make_axis


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.03, 0.187], ["0", "5", "10", "15", "20"]),
        ([1.7], ["0", "50", "100", "150", "200"]),
    ],
)
def test_the_axis_begins_at_zero_and_has_round_numbers(values, ticks):
    assert [tick.label for tick in make_axis(values, RateFormat()).ticks] == ticks
