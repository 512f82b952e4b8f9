from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from misread.errors import ConfigurationError, InputTypeError, InputValueError, UndefinedResultError
from misread.io.checks.numbers import check_counts, check_flags, check_number, check_row, check_table, check_whole


@pytest.mark.parametrize("value", [0, -1.5, np.float32(2), np.int64(3), float("nan")])
def test_a_number_comes_back_as_it_is(value):
    assert check_number("seconds", value) is value


@pytest.mark.parametrize("value", [None, "1", True, np.bool_(True), [1], 1j, np.array([1.0])])
def test_anything_else_is_named_and_shown(value):
    with pytest.raises(InputTypeError, match=r"^seconds is .*, expected a number\.$"):
        check_number("seconds", value)


@pytest.mark.parametrize("value", [1.0, None, "1", True, Decimal(1)])
def test_a_whole_number_is_not_a_float(value):
    with pytest.raises(InputTypeError, match=r"^seed is .*, expected a whole number\.$"):
        check_whole("seed", value)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        *((check_number, value) for value in (1e51, -1e308, 10**400)),
        *((check_whole, value) for value in (2**63, -(10**400))),
        *((check_row, [value]) for value in (1e308, 2**53 + 1, np.uint64(2**63))),
        *((check_counts, [value]) for value in (2**53 + 1, -(2**62), np.uint64(2**64 - 1))),
        (check_table, [[1, 1e51]]),
    ],
)
def test_what_cannot_be_summed_up_is_refused(check, value):
    error = ConfigurationError if check is check_whole else InputValueError
    with pytest.raises(error, match=r"^given (is|holds numbers) .*, expected"):
        check("given", value)


@pytest.mark.parametrize(
    "values",
    [[1, 2.5], (1, 2.5), np.array([1, 2.5]), pd.Series([1, 2.5]), iter([1, 2.5])],
    ids=lambda of: type(of).__name__,
)
def test_a_row_comes_of_anything_in_an_order(values):
    row = check_row("values", values)
    assert (row.tolist(), row.dtype) == ([1.0, 2.5], np.float64)


def test_an_empty_row_is_a_row():
    assert len(check_row("values", [])) == len(check_flags("flags", [])) == 0


@pytest.mark.parametrize("values", [None, 1.0, "12", ["1"], [None, 1.0], [[1.0], [1.0, 2.0]], {1.0}, {1.0: 2}])
def test_what_holds_no_numbers_in_a_row_is_refused(values):
    with pytest.raises(InputTypeError, match=r"^values .*expected a row of numbers\.$"):
        check_row("values", values)


def test_a_table_is_not_a_row():
    with pytest.raises(UndefinedResultError, match=r"values is an array of shape \(1, 2\), expected a row of numbers"):
        check_row("values", [[1.0, 2.0]])


def test_a_table_has_rows_of_equal_length():
    assert check_table("scores", [[1, 2.5], [3, 4]]).tolist() == [[1.0, 2.5], [3.0, 4.0]]
    with pytest.raises(InputTypeError, match="scores is of type list, expected rows of numbers"):
        check_table("scores", [[1.0], [1.0, 2.0]])
    with pytest.raises(UndefinedResultError, match="expected rows of numbers"):
        check_table("scores", [1.0, 2.0])


def test_counts_are_whole_numbers():
    assert check_counts("errors", np.array([1, 2], np.uint8)).dtype == np.int64
    with pytest.raises(InputTypeError, match="errors holds float64, expected a row of whole numbers"):
        check_counts("errors", [1.0, 2.0])


def test_booleans_are_no_numbers_and_numbers_no_booleans():
    with pytest.raises(InputTypeError, match="values holds bool"):
        check_row("values", [True, False])
    with pytest.raises(InputTypeError, match="flags holds float64"):
        check_flags("flags", [0.0, 1.0])
