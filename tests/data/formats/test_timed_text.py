import pytest

from misread.data.formats.timed_text import read_seconds, take
from misread.errors import InputFileError


@pytest.mark.parametrize("value", [10**400, "1e", None, True, [1]])
def test_what_is_not_seconds_is_refused(value):
    with pytest.raises(InputFileError, match="expected seconds from 0"):
        read_seconds(value, "begin", "a.json, entry 1")


def test_a_value_of_another_type_names_all_that_may_stand_there():
    with pytest.raises(InputFileError, match="expected int or str"):
        take({"key": []}, "key", int | str, "a.json, entry 1", expected="key")
