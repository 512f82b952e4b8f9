from operator import itemgetter

import pytest

from misread.tables import Table
from misread.tables.missing import missing_columns
from misread.tally.missing_texts import MissingOutputs

ONCE = MissingOutputs(missing={"1": 2}, failed={"1": 0})
FAILED = MissingOutputs(missing={"1": 0}, failed={"1": 1234})
RUNS = MissingOutputs(missing={"1": 1, "2": 0, "3": 3}, failed={"1": 0, "2": 0, "3": 0})


def table_of(*outputs):
    rows = [(numbers,) for numbers in outputs]
    return Table(columns=missing_columns(rows, itemgetter(0)), rows=rows)


@pytest.mark.parametrize(
    ("outputs", "titles"),
    [
        ([None, None], []),
        ([None, ONCE], ["missing"]),
        ([FAILED], ["failed"]),
        ([ONCE, FAILED], ["missing", "failed"]),
        ([RUNS, None], ["missing (by run)"]),
    ],
)
def test_columns_are_there_where_some_output_is_missing_or_failed(outputs, titles):
    assert [column.plain for column in table_of(*outputs).headings] == titles


def test_numbers_are_those_of_all_runs_and_of_each():
    table = table_of(RUNS, None, MissingOutputs(missing={"1": 2}, failed={"1": 0}))
    assert [[cell.plain for cell in row] for row in table.cells] == [["4 (1/0/3)"], ["0"], ["2 (2)"]]
    assert table.named_records == [
        {"missing": 4, "missing_by_run": "1/0/3"},
        {"missing": 0, "missing_by_run": ""},
        {"missing": 2, "missing_by_run": "2"},
    ]


def test_files_have_plain_numbers():
    table = table_of(ONCE, FAILED)
    assert [[cell.plain for cell in row] for row in table.cells] == [["2", "0"], ["0", "1,234"]]
    assert table.records == [(2, 0), (0, 1234)]
