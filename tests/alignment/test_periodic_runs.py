"""Maximal periodic runs, compared with trying every start and every period."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import find_runs, join_runs, may_repeat
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.periodic_runs import periodic_runs
from misread.errors import ConfigurationError, InputTypeError


def try_everything(text):
    """All maximal runs as (start, end, period): the oracle."""
    runs = set()
    for period in range(1, len(text) // 2 + 1):
        for start in range(len(text) - period):
            if start and text[start - 1] == text[start - 1 + period]:
                continue
            end = start + period
            while end < len(text) and text[end] == text[end - period]:
                end += 1
            root = text[start : start + period]
            is_primitive = root not in (root + root)[1:-1]
            if end - start >= 2 * period and is_primitive:
                runs.add((start, end, period))
    return runs


def found_in(text, **limits):
    return {(run.start, run.end, run.period) for run in periodic_runs(text, **limits)}


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setattr("misread.compiled.budget.ALIGNING.seconds", 0.0)


def test_all_texts_of_two_letters_have_the_runs_that_trying_everything_finds():
    for length in range(11):
        for letters in product("ab", repeat=length):
            text = "".join(letters)
            assert found_in(text) == try_everything(text), text


a_text = st.builds(
    lambda before, root, times, after: before + times * root + after,
    st.text("abcde", max_size=9),
    st.text("abc", max_size=5),
    st.integers(0, 7),
    st.text("abcde", max_size=9),
)


@pytest.mark.parametrize("seconds", [0.0, 1e9])
@given(st.lists(a_text, max_size=3), st.integers(2, 4), st.integers(2, 20))
def test_limits_leave_the_long_runs_and_the_texts_that_have_one(seconds, texts, repeats, length):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("misread.compiled.budget.ALIGNING.seconds", seconds)
        expected = [
            {run for run in try_everything(text) if run[1] - run[0] >= max(length, repeats * run[2])} for text in texts
        ]
        assert [found_in(text, min_repeats=repeats, min_length=length) for text in texts] == expected
        pairs = PairedTexts([""] * len(texts), texts)
        assert may_repeat(pairs, repeats, length).tolist() == [bool(runs) for runs in expected]


@pytest.mark.slow
def test_texts_made_to_be_slow_have_the_runs_that_theory_knows():
    size = 100_000
    assert find_runs(np.zeros(size, np.uint32), 2, 2)[0].end == size
    assert found_in("ab" * (size // 2)) == {(0, size, 2)}
    fibonacci = ["b", "a"]
    while len(fibonacci[-1]) < size:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    # Kolpakov & Kucherov (1999): 2 F(n-2) - 3 runs in the n-th word of Fibonacci.
    assert len(periodic_runs(fibonacci[-1])) == 2 * len(fibonacci[-3]) - 3
    ruler = ""
    for letter in map(chr, range(97, 97 + 16)):
        ruler = ruler + letter + ruler
    assert periodic_runs(ruler) == []
    # Matches that grow with the place: quadratic where each is looked at by itself.
    assert {run.period for run in periodic_runs("".join("a" * i + "b" for i in range(1, 450)), min_repeats=3)} == {1}


def test_graphemes_and_not_their_code_points_repeat():
    assert found_in("\u0915\u093f" * 3) == {(0, 3, 1)}
    assert found_in("\r\n\r\n") == {(0, 2, 1)}


def test_runs_that_touch_are_joined():
    runs = periodic_runs("aaaabbbbxcccc", min_length=3)
    assert [[(run.start, run.end) for run in joined] for joined in join_runs(runs)] == [[(0, 4), (4, 8)], [(9, 13)]]


def test_what_is_no_text_or_no_number_is_refused():
    with pytest.raises(InputTypeError, match="text is of type list"):
        periodic_runs(["a"])
    with pytest.raises(ConfigurationError, match="min_repeats is 1, expected 2"):
        periodic_runs("a", min_repeats=1)
