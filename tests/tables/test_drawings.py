import pytest

from misread.tables.drawings import make_axis
from misread.tables.number_text import RateFormat


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.03, 0.187], ["0", "5", "10", "15", "20"]),
        ([1.7], ["0", "50", "100", "150", "200"]),
        ([-0.2, 0.6], ["-20", "0", "20", "40", "60"]),
        ([-0.5], ["-50", "-40", "-30", "-20", "-10", "0"]),
    ],
)
def test_the_axis_has_zero_all_values_and_round_numbers(values, ticks):
    axis = make_axis(values, RateFormat())
    assert [tick.label for tick in axis.ticks] == ticks
    assert all(axis.ticks[0].position <= axis.place(value) <= axis.ticks[-1].position for value in values)
