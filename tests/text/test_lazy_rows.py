from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.text.lazy_rows import LazyRows


@dataclass
class Squares(LazyRows[int]):
    number: int
    made: list[int] = field(default_factory=list)

    def __len__(self):
        return self.number

    def row(self, index):
        if not -self.number <= index < self.number:
            raise IndexError
        self.made.append(index)
        return (index % self.number) ** 2


@given(st.integers(0, 9), st.slices(9))
def test_it_is_a_sequence_of_its_rows(number, part):
    expected = [index**2 for index in range(number)]
    rows = Squares(number)
    assert (list(rows), rows[part], len(rows)) == (expected, expected[part], number)
    assert [rows[index] for index in range(-number, 0)] == expected


def test_only_the_rows_that_are_looked_at_are_made_and_each_time_anew():
    rows = Squares(100)
    assert (rows[7], rows[2:4], rows[7]) == (49, [4, 9], 49)
    assert rows.made == [7, 2, 3, 7]


def test_there_is_nothing_after_the_last():
    with pytest.raises(IndexError):
        Squares(2)[2]
