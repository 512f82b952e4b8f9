import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.alignment import error_counts, find_operations
from misread.alignment.api import align
from misread.errors import InputTypeError, LengthMismatchError, UnknownNameError

LETTERS = {"hit": "C", "substitution": "S", "deletion": "D", "insertion": "I", "transposition": "T"}
TAGS = {"equal": "C", "replace": "S", "delete": "D", "insert": "I"}

texts = st.text(st.sampled_from("ab \u00a0\u0308é漢😀"), max_size=90)
units = st.sampled_from(["char", "grapheme", "word"])
policies = st.sampled_from(["unit", "sclite", "transpositions"])


def rapidfuzz_letters(reference, hypothesis):
    steps = Levenshtein.opcodes(reference, hypothesis)
    return "".join(TAGS[tag] * max(stop - start, end - begin) for tag, start, stop, begin, end in steps)


@given(st.lists(st.tuples(texts, texts), max_size=20), units, policies)
def test_they_are_those_of_every_pair_by_itself(pairs, unit, alignment):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    alone = [
        "".join(LETTERS[step.kind] for step in align(*pair, unit=unit, alignment=alignment).operations)
        for pair in pairs
    ]
    assert find_operations(references, hypotheses, unit=unit, alignment=alignment).letters() == alone


@given(st.lists(st.tuples(texts, texts), max_size=20), units, policies)
def test_they_are_those_that_are_counted(pairs, unit, alignment):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    counts = error_counts(references, hypotheses, unit=unit, alignment=alignment)
    strings = find_operations(references, hypotheses, unit=unit, alignment=alignment).letters()
    counted = (counts.hits, counts.substitutions, counts.deletions, counts.insertions, counts.transpositions)
    for letter, expected in zip("CSDIT", counted, strict=True):
        assert [string.count(letter) for string in strings] == expected.tolist()


@given(st.lists(st.tuples(texts, texts), max_size=20))
def test_each_one_stands_where_rapidfuzz_puts_it(pairs):
    found = find_operations([pair[0] for pair in pairs], [pair[1] for pair in pairs]).letters()
    assert found == [rapidfuzz_letters(*pair) for pair in pairs]


@pytest.mark.slow
def test_more_pairs_than_are_encoded_at_once_keep_their_order():
    rng = np.random.default_rng(3)
    references, hypotheses = (["".join(rng.choice(list("abc"), size=3)) for _ in range(9000)] for _ in range(2))
    expected = [rapidfuzz_letters(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert find_operations(references, hypotheses).letters() == expected


def test_a_pair_has_the_codes_between_two_offsets():
    found = find_operations(["abc", "", "x"], ["axcd", "", ""])
    assert (found.codes.tolist(), found.offsets.tolist(), len(found)) == ([0, 1, 0, 3, 2], [0, 4, 4, 5], 3)
    assert (found.codes.dtype, found.offsets.dtype) == (np.uint8, np.int64)


def test_a_swap_is_one_operation():
    assert find_operations("hello world", "helo wrold", alignment="transpositions").letters() == ["CCCDCCCTCC"]


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
def test_arrow_arrays_are_read_like_lists(unit):
    references, hypotheses = ["ein Wort", "zwei", ""], ["ein Ort", "", "drei"]
    expected = find_operations(references, hypotheses, unit=unit).letters()
    assert find_operations(pa.array(references), pa.array(hypotheses), unit=unit).letters() == expected


@pytest.mark.parametrize(
    ("hypotheses", "alignment", "error", "message"),
    [
        (["a"], "unit", LengthMismatchError, "2 references and 1 hypotheses"),
        (["a", None], "unit", InputTypeError, "hypothesis 1 is None"),
        (["a", "b"], "levenshtein", UnknownNameError, "unknown alignment 'levenshtein'"),
    ],
)
def test_what_cannot_be_aligned_is_named(hypotheses, alignment, error, message):
    with pytest.raises(error, match=message):
        find_operations(["a", "b"], hypotheses, alignment=alignment)


REFERENCES, HYPOTHESES = ["abc", "", "x", "kitten"], ["axcd", "", "", "sitting"]
STRINGS = ["CSCI", "", "D", "SCCCSCI"]


@pytest.fixture
def letters():
    return find_operations(REFERENCES, HYPOTHESES).letters()


def test_they_are_read_like_a_list(letters):
    assert list(letters) == [letters[place] for place in range(4)] == STRINGS
    assert (letters[-1], list(letters[1:3]), len(letters), "D" in letters) == (STRINGS[-1], STRINGS[1:3], 4, True)
    assert (letters == STRINGS, letters == STRINGS[:3]) == (True, False)
    with pytest.raises(IndexError):
        letters[4]


@pytest.mark.parametrize("kind", [None, pa.string(), pa.large_string()])
def test_arrow_takes_them_as_they_are(letters, kind):
    array = pa.array(letters, kind)
    assert array.to_pylist() == STRINGS
    assert array.type == (kind or pa.large_string())


def test_no_pairs_have_no_operations():
    found = find_operations([], [])
    assert (found.letters(), found.offsets.tolist()) == ([], [0])
    assert pa.array(find_operations([], []).letters(), pa.string()).to_pylist() == []


def test_their_letters_are_ascii(letters):
    assert set("".join(letters)) <= set("CSDIT")
    assert np.all(find_operations("ab", "ba", alignment="transpositions").codes == 4)
