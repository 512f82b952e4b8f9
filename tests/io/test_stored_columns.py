import json
import platform
import resource
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import InputFileError
from misread.io.stored_columns import ColumnValues, StoredColumn, release_memory
from misread.storage import parquet_writer
from misread.storage.parquet import StoredTable
from misread.storage.parquet_writer import write_parquet

ENDS = st.none() | st.integers() | st.sampled_from([2**63, -(2**63), 2**63 - 1, 2**64])
GROUPS = st.lists(st.lists(st.text(max_size=3) | st.none(), min_size=1, max_size=4), max_size=5)


def stored(groups, loaded=None):
    """A column of these row groups; `loaded` gets the number of each that is read."""
    bounds, start = [], 0
    for group in groups:
        bounds.append(range(start, start + len(group)))
        start += len(group)

    def load(number):
        if loaded is not None:
            loaded.append(number)
        return pa.array(groups[number], pa.string())

    return StoredColumn(bounds, load)


@given(GROUPS, st.data())
def test_a_stored_column_is_looked_up_and_sliced_like_a_whole_one(groups, data):
    column, whole = stored(groups), pa.array([value for group in groups for value in group], pa.string())
    assert len(column) == len(whole)
    assert [column[row].as_py() for row in range(-len(whole), len(whole))] == whole.to_pylist() * 2
    part = data.draw(st.slices(len(whole)) | st.builds(slice, ENDS, ENDS, ENDS.filter(lambda step: step != 0)))
    assert column[part].to_pylist() == whole.to_pylist()[part]
    offset, length = data.draw(st.integers(0, len(whole) + 2)), data.draw(st.none() | st.integers(0, 9))
    expected = whole.slice(min(offset, len(whole)), length).to_pylist()
    assert column.slice(offset, length).to_pylist() == expected


def test_going_through_a_column_reads_every_row_group_once():
    loaded = []
    column = stored([["a", "b"], ["c"], ["d", "e"]], loaded)
    assert [column[row].as_py() for row in range(5)] == [*"abcde"]
    assert loaded == [0, 1, 2]


@pytest.mark.parametrize("index", [2, -3])
def test_an_index_outside_is_refused(index):
    for column in (stored([["a"], ["b"]]), ColumnValues(pa.array(["a", "b"]))):
        with pytest.raises(IndexError):
            column[index]


@pytest.fixture
def table(monkeypatch, tmp_path):
    """A file of three row groups, and its path."""
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 2)
    columns = {"text": pa.array([*"abcde"]), "length": pa.array(range(5))}
    write_parquet(tmp_path / "x", columns, kind="scores", note={"a": 1})
    return tmp_path / "x"


def test_columns_of_a_file_stay_there_until_they_are_looked_at(table):
    found = StoredTable(table, kind="scores", made_by="score")
    assert (found.note["a"], found.names) == (1, ["text", "length"])
    assert found.column("text").slice(1, 3).to_pylist() == [*"bcd"]
    assert found.column("text", "length")[4].as_py() == {"text": "e", "length": 4}
    with pytest.raises(KeyError, match="words"):
        found.column("words")


def test_a_file_that_is_replaced_is_read_as_it_was_when_it_was_opened(table):
    found = StoredTable(table, kind="scores", made_by="score")
    write_parquet(table, {"text": pa.array([*"vwxyz"])}, kind="scores", note={})
    assert found.column("text").slice().to_pylist() == [*"abcde"]


def test_damage_that_is_met_later_names_the_file_and_the_command(table):
    found = StoredTable(table, kind="scores", made_by="score")
    # Into the same file: another one in its place would not be noticed.
    with table.open("r+b") as file:
        file.write(bytes(table.stat().st_size))
    with pytest.raises(InputFileError, match=r"x is not a readable Parquet file \(.*run `dvc repro score`"):
        found.column("text").slice()


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


def test_a_column_equals_a_list_of_its_values_and_no_text():
    column = ColumnValues(pa.array(["a", "b"]))
    assert column == ["a", "b"]
    assert column != ["a", "c"]
    assert column != "ab"
    # More than are read at once.
    assert list(ColumnValues(pa.array(range(2500)))) == list(range(2500))


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


def resident_bytes():
    """Memory of this process that is in use or was freed and is not given back."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif("glibc" not in platform.libc_ver()[0], reason="no other C library can be asked to")
def test_what_was_freed_below_something_that_is_kept_goes_back_to_the_system():
    # Small enough for the C library to take them from its heap, whose end the last of them holds.
    held = [bytes([number % 251 + 1]) * 100_000 for number in range(1000)]
    last = held.pop()
    before = resident_bytes()
    del held
    release_memory()
    assert resident_bytes() < before - 50_000_000
    assert len(last) == 100_000
