import numpy as np
import pyarrow as pa
import pytest

from misread.alignment import find_operations

REFERENCES, HYPOTHESES = ["abc", "", "x", "kitten"], ["axcd", "", "", "sitting"]
STRINGS = ["CSCI", "", "D", "SCCCSCI"]


@pytest.fixture
def letters():
    return find_operations(REFERENCES, HYPOTHESES).letters()


def test_they_are_read_like_a_list(letters):
    assert list(letters) == [letters[place] for place in range(4)] == STRINGS
    assert (letters[-1], list(letters[1:3]), len(letters), "D" in letters) == (STRINGS[-1], STRINGS[1:3], 4, True)


def test_a_place_that_is_not_there_is_an_error(letters):
    with pytest.raises(IndexError):
        letters[4]


def test_they_equal_the_strings_that_they_are(letters):
    assert letters == STRINGS
    assert letters != STRINGS[:3]


@pytest.mark.parametrize("kind", [None, pa.string(), pa.large_string()])
def test_arrow_takes_them_as_they_are(letters, kind):
    array = pa.array(letters, kind)
    assert array.to_pylist() == STRINGS
    assert array.type == (kind or pa.large_string())


def test_none_of_a_corpus_are_an_empty_array():
    assert pa.array(find_operations([], []).letters(), pa.string()).to_pylist() == []


def test_their_letters_are_ascii(letters):
    assert set("".join(letters)) <= set("CSDIT")
    assert np.all(find_operations("ab", "ba", alignment="transpositions").codes == 4)
