"""Units without machine code, compared with those of the kernels and with `str.split`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment.encode.joined_units import IS_WHITE
from misread.alignment.kernels import units as kernels
from misread.alignment.plain.units import count_codes, find_word_bounds


@given(st.text("a é漢😀\n\u3000\u00a0"))
def test_bounds_are_those_of_the_kernel_and_of_the_words(text):
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    bounds = find_word_bounds(code_points, IS_WHITE)
    assert np.array_equal(bounds, kernels.find_word_bounds(code_points, IS_WHITE))
    data = text.encode()
    assert [data[begin:end].decode() for begin, end in bounds.reshape(-1, 2)] == text.split()


def test_codes_of_one_byte_are_compared_with_white_space_above_them():
    bounds = find_word_bounds(np.frombuffer("één twéé".encode("latin-1"), np.uint8), IS_WHITE)
    assert bounds.tolist() == [0, 5, 6, 12]


@given(st.lists(st.integers(0, 9)))
def test_codes_are_counted_as_the_kernel_counts_them(codes):
    joined = np.array(codes, np.uint32)
    counts = count_codes(joined, 12)
    assert np.array_equal(counts, kernels.count_codes(joined, 12))
    assert counts.tolist() == [codes.count(code) for code in range(12)]
