import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.alignment import error_counts
from misread.alignment.unit_costs import operation_ranges
from misread.errors import LengthMismatchError, UnknownNameError

SHORT = [
    *map("".join, itertools.chain.from_iterable(itertools.product("ab", repeat=n) for n in range(5))),
    "abc",
    "cab",
]

texts = st.sampled_from(["ab", "abc", "aé漢😀", "abcdefgh"]).flatmap(lambda alphabet: st.text(alphabet, max_size=14))


def all_counts(reference, hypothesis):
    """Substitutions, deletions and insertions of every alignment of minimum cost: all of them, one by one."""
    found = {(0, 0): {(0, 0, 0)}}
    for i, j in itertools.product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        ways = {(0, 0, 0)} if i == j == 0 else set()
        if i:
            ways |= {(s, d + 1, n) for s, d, n in found[i - 1, j]}
        if j:
            ways |= {(s, d, n + 1) for s, d, n in found[i, j - 1]}
        if i and j:
            differ = reference[i - 1] != hypothesis[j - 1]
            ways |= {(s + differ, d, n) for s, d, n in found[i - 1, j - 1]}
        least = min(map(sum, ways))
        found[i, j] = {way for way in ways if sum(way) == least}
    return found[len(reference), len(hypothesis)]


def slow_ranges(reference, hypothesis):
    columns = list(zip(*all_counts(reference, hypothesis), strict=True))
    return [bound for column in columns for bound in (min(column), max(column))]


def rows(ranges):
    columns = (
        ranges.least_substitutions,
        ranges.most_substitutions,
        ranges.least_deletions,
        ranges.most_deletions,
        ranges.least_insertions,
        ranges.most_insertions,
    )
    return np.stack(columns, axis=-1).tolist()


def test_all_short_pairs_have_the_ranges_of_all_their_alignments():
    references, hypotheses = zip(*itertools.product(SHORT, SHORT), strict=True)
    expected = [slow_ranges(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert rows(operation_ranges(references, hypotheses)) == expected


@settings(max_examples=2 * settings.default.max_examples)
@given(texts, texts)
def test_a_range_is_that_of_all_alignments(reference, hypothesis):
    assert rows(operation_ranges(reference, hypothesis)) == [slow_ranges(reference, hypothesis)]


@given(st.lists(st.tuples(st.text("abc ", max_size=150), st.text("abc ", max_size=150)), max_size=4))
def test_what_is_counted_lies_in_the_range(pairs):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for unit in ("char", "grapheme", "word"):
        counts = error_counts(references, hypotheses, unit=unit)
        ranges = operation_ranges(references, hypotheses, unit=unit)
        assert (ranges.least_substitutions <= counts.substitutions).all()
        assert (counts.substitutions <= ranges.most_substitutions).all()
        assert (ranges.least_deletions <= counts.deletions).all()
        assert (counts.deletions <= ranges.most_deletions).all()
        assert (ranges.least_insertions <= counts.insertions).all()
        assert (counts.insertions <= ranges.most_insertions).all()


def test_texts_of_one_unit_leave_nothing_open():
    assert rows(operation_ranges(["a", "", "abc"], ["b", "xy", ""])) == [
        [1, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 2, 2],
        [0, 0, 3, 3, 0, 0],
    ]


def test_no_pairs_have_no_ranges():
    assert len(operation_ranges([], [])) == 0


def test_bad_input_is_refused_as_for_counts():
    with pytest.raises(LengthMismatchError, match="2 references and 1 hypotheses"):
        operation_ranges(["a", "b"], ["a"])
    with pytest.raises(UnknownNameError, match="There are: char, grapheme, word"):
        operation_ranges("a", "b", unit="line")
