from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment.kernels.suffix_array import sort_suffixes


def in_order(codes):
    return sorted(range(len(codes)), key=lambda place: codes[place:])


@given(st.lists(st.integers(0, 3), max_size=80))
def test_suffixes_are_in_the_order_of_comparing_them_one_by_one(codes):
    assert sort_suffixes(np.array(codes, np.int32), 3).tolist() == in_order(codes)


def test_short_texts_over_two_letters_are_sorted():
    for length in range(9):
        for codes in product((0, 1), repeat=length):
            assert sort_suffixes(np.array(codes, np.int32), 1).tolist() == in_order(codes)
