import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.io.column_values import ColumnValues


@given(st.lists(st.text() | st.none()), st.data())
def test_a_column_is_the_sequence_of_its_values(values, data):
    column = ColumnValues(pa.array(values, pa.string()))
    assert (list(column), len(column)) == (values, len(values))
    part = data.draw(st.slices(len(values)).filter(lambda each: each.step in (None, 1)))
    assert column[part] == values[part]
    for index in range(-len(values), len(values)):
        assert column[index] == values[index]


def test_values_are_read_when_they_are_asked_for():
    asked = []
    column = ColumnValues(pa.array(["1", "2", "x"]), lambda text: asked.append(text) or json.loads(text))
    assert (column[1], asked) == (2, ["2"])


def test_more_values_than_are_read_at_once_keep_their_order():
    assert list(ColumnValues(pa.array(range(2500)))) == list(range(2500))


def test_a_column_equals_a_list_of_its_values_and_no_text():
    column = ColumnValues(pa.array(["a", "b"]))
    assert column == ["a", "b"]
    assert column != ["a", "c"]
    assert column != "ab"


@pytest.mark.parametrize(("read", "expected"), [(None, ["a"]), (str.upper, ["A"])])
def test_arrow_takes_a_column_with_what_was_read(read, expected):
    assert pa.array(ColumnValues(pa.array(["a"]), read), pa.large_string()).to_pylist() == expected


@given(st.lists(st.text() | st.none()), st.data())
def test_rows_of_a_range_stay_in_the_column(values, data):
    begin = data.draw(st.integers(0, len(values)))
    rows = range(begin, data.draw(st.integers(begin, len(values))))
    column = ColumnValues(pa.array(values, pa.string()), lambda value: [value])
    assert column.take(rows) == column.take(list(rows)) == [[values[row]] for row in rows]
    assert isinstance(column.take(rows), ColumnValues)


def test_an_index_behind_the_end_is_refused():
    with pytest.raises(IndexError):
        ColumnValues(pa.array(["a"]))[1]
