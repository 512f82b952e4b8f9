from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.text.arrow import ArrowTexts

TEXTS = st.lists(st.text(max_size=6), max_size=6)


@given(TEXTS, st.slices(6), st.sampled_from(["", "\n", "\0"]))
def test_texts_are_the_same_as_a_list_of_them(texts, part, separator):
    arrow = ArrowTexts(pa.array(texts, pa.string()), "references")
    assert arrow == texts
    assert list(arrow[part]) == texts[part]
    assert arrow[part].join(separator) == separator.join(texts[part])
    assert all(text in arrow for text in texts)
    assert None not in arrow
    assert pa.array(arrow, pa.string()).to_pylist() == texts


@given(TEXTS, st.integers(0, 3))
def test_bounds_lead_to_the_bytes_of_each_text(texts, first):
    data, bounds = ArrowTexts(pa.array(texts, pa.string()), "references")[first:].encoded()
    assert [bytes(data[begin:end]).decode() for begin, end in pairwise(bounds)] == texts[first:]


@given(st.lists(st.text("ab", max_size=2), max_size=6))
def test_texts_are_distinct_if_none_occurs_twice(texts):
    assert ArrowTexts(pa.array(texts, pa.string()), "ids").are_distinct() is (len({*texts}) == len(texts))


def test_chunks_are_one_sequence():
    chunks = pa.chunked_array([["a"], [], ["b", "c"]], pa.string())
    assert ArrowTexts.of(chunks) == ["a", "b", "c"]
    assert ArrowTexts.of(pa.chunked_array([], pa.string())) == []


def test_texts_of_other_content_are_not_equal():
    arrow = ArrowTexts(pa.array(["a", "b"]), "references")
    assert arrow != ["a", "c"]
    assert arrow != ArrowTexts(pa.array(["a"]), "references")


@pytest.mark.parametrize("value", [1, b"a", None])
def test_what_is_no_text_is_not_among_texts(value):
    assert value not in ArrowTexts(pa.array(["a"]), "references")
