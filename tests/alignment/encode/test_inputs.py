import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.alignment import error_counts
from misread.errors import InputTextError, InputTypeError, LengthMismatchError

REFERENCES = ["abc", "", "漢字😀", "Müll", "two words", "\0"]
HYPOTHESES = ["abd", "x", "漢字", "Mull", "two  word", ""]
UNITS = ["char", "grapheme", "word"]

ARROW = {
    "string": lambda texts: pa.array(texts, pa.string()),
    "large_string": lambda texts: pa.array(texts, pa.large_string()),
    "string_view": lambda texts: pa.array(texts, pa.string_view()),
    "dictionary": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "slice": lambda texts: pa.array(["before", *texts, "after"]).slice(1, len(texts)),
    "chunks": lambda texts: pa.chunked_array([texts[:2], [], texts[2:]], pa.string()),
    "chunks of a dictionary": lambda texts: pa.chunked_array([texts[:2], texts[2:]], pa.string()).dictionary_encode(),
}
SERIES = {
    "object": lambda texts: pd.Series(texts, dtype=object),
    "str": lambda texts: pd.Series(texts, dtype="str"),
    "an index of its own": lambda texts: pd.Series(texts, index=range(len(texts), 0, -1)),
}


def errors(references, hypotheses, unit):
    return error_counts(references, hypotheses, unit=unit).errors.tolist()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("make", [*ARROW.values(), *SERIES.values()], ids=[*ARROW, *SERIES])
def test_columns_of_strings_are_counted_as_lists_are(make, unit):
    expected = errors(REFERENCES, HYPOTHESES, unit)
    assert errors(make(REFERENCES), make(HYPOTHESES), unit) == expected
    assert errors(REFERENCES, make(HYPOTHESES), unit) == expected


@settings(deadline=None)
@given(st.lists(st.text(max_size=5), max_size=5), st.integers(0, 5))
def test_any_arrow_array_is_counted_as_its_list_is(texts, cut):
    chunked = pa.chunked_array([texts[:cut], texts[cut:]], pa.string())
    for unit in UNITS:
        counts = error_counts(chunked, texts, unit=unit)
        assert counts.errors.tolist() == [0] * len(texts)
        expected = error_counts(texts, texts, unit=unit).reference_length
        assert counts.reference_length.tolist() == expected.tolist()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "empty", [pa.array([], pa.string()), pa.chunked_array([], pa.string()), pd.Series([], dtype=str)]
)
def test_columns_without_rows_have_no_counts(empty, unit):
    assert len(error_counts(empty, [], unit=unit)) == 0


@pytest.mark.parametrize("make", ARROW.values(), ids=ARROW)
def test_a_null_is_an_error_that_names_the_pair(make):
    with pytest.raises(InputTypeError, match=r"^hypothesis 3 is null where a string is needed\.$"):
        error_counts(["a"] * 5, make(["a", "", "b", None, None]))


@pytest.mark.parametrize(("missing", "shown"), [(None, "None"), (float("nan"), "nan"), (pd.NA, "<NA>")])
def test_a_missing_value_in_a_series_is_an_error_that_names_the_pair(missing, shown):
    with pytest.raises(InputTypeError, match=f"^reference 1 is {shown}.* where a string is needed"):
        error_counts(pd.Series(["a", missing], dtype=object), ["a", "b"])


def test_an_arrow_array_of_anything_else_is_an_error_that_names_its_type():
    with pytest.raises(InputTypeError, match=r"^references is an Arrow array of int64 where strings are needed\.$"):
        error_counts(pa.array([1, 2]), ["a", "b"])


def test_bytes_that_are_not_utf_8_are_an_error_that_names_the_pair():
    buffers = [None, pa.py_buffer(np.array([0, 1, 3], np.int32)), pa.py_buffer(b"a\xff\xfe")]
    broken = pa.Array.from_buffers(pa.string(), 2, buffers)
    with pytest.raises(InputTextError, match=r"^references is not a valid Arrow array: Invalid UTF8 .* index 1\.$"):
        error_counts(broken, ["a", "b"])


def test_columns_of_different_length_are_an_error_that_names_both():
    with pytest.raises(LengthMismatchError, match="2 references and 3 hypotheses"):
        error_counts(pa.array(["a", "b"]), pd.Series(["a", "b", "c"]))


def test_the_texts_of_an_arrow_array_stay_what_they_are_in_slices():
    # A null behind the slice is none of ours.
    texts = pa.array(["x", "ab", "cd", None]).slice(1, 2)
    assert errors(texts, ["ab", "ce"], "char") == [0, 1]
