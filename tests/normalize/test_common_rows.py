import pytest

from misread.data import from_columns
from misread.errors import UndefinedResultError
from misread.normalize import get_normalizer, normalize
from misread.normalize.common_rows import find_common_rows


def texts_of(systems):
    captures = from_columns(["x", "y", "z"], systems, ids=["a", "b", "c"]).captures()
    return {system: normalize(capture, get_normalizer("none")) for system, capture in captures.items()}


def test_rows_that_every_system_read_are_found_and_the_others_counted():
    rows, left_out = find_common_rows(texts_of({"one": ["x", None, "z"], "two": ["x", "y", ""]}))
    assert rows == {"one": {"a": 0, "c": 2}, "two": {"a": 0, "c": 2}}
    assert left_out == 1


def test_systems_that_share_no_segment_are_refused():
    with pytest.raises(UndefinedResultError, match="one, two have no segment in common"):
        find_common_rows(texts_of({"one": ["x", None, None], "two": [None, "y", "z"]}))
