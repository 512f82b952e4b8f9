"""Texts that repeat themselves without machine code, compared with trying every start and every period."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment.plain.periodic_runs import may_repeat

a_text = st.builds(
    lambda before, root, times, after: before + times * root + after,
    st.text("abc", max_size=12),
    st.text("abc", max_size=5),
    st.integers(0, 7),
    st.text("abc", max_size=12),
)


def repeats(text, least, shortest):
    """Whether a stretch is `least` times as long as some period, and no shorter than `shortest`."""
    for period in range(1, len(text)):
        equal = "".join("=" if one == other else "." for one, other in zip(text, text[period:], strict=False))
        if any(len(run) + period >= max(shortest, least * period) for run in equal.split(".") if run):
            return True
    return False


@given(st.lists(a_text, max_size=6), st.integers(2, 4), st.integers(4, 16))
def test_those_are_found_that_have_such_a_run_and_no_others(texts, least, shortest):
    # What stands between texts is in no run, and neither is the end of one with the start of the next.
    codes = np.frombuffer("".join(text + "a" for text in texts).encode(), np.uint8)
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    spans = np.array([(end - len(text), end) for text, end in zip(texts, ends, strict=True)], np.int64).reshape(-1, 2)
    expected = [repeats(text, least, shortest) for text in texts]
    assert may_repeat(codes, spans, least, shortest).tolist() == expected


def test_the_limits_themselves_are_within():
    codes = np.frombuffer(b"abcabcabcabc.aaaa", np.uint8)
    spans = np.array([[0, 12], [0, 11], [13, 17]])
    assert may_repeat(codes, spans, 4, 4).tolist() == [True, False, True]
    assert may_repeat(codes, spans, 4, 12).tolist() == [True, False, False]
    assert may_repeat(codes, spans, 4, 13).tolist() == [False, False, False]
