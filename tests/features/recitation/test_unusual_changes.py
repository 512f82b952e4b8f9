"""The test of unparalleled changes, against sums over units and a binomial."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from misread.features.recitation.disputed_words import Changes
from misread.features.recitation.unusual_changes import compare_changes
from misread.stats import degrees_of_freedom

DOCUMENTS = 6


@st.composite
def changes(draw, fewest):
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 59), st.integers(0, 9), st.integers(0, 2), st.integers(0, 2)),
            min_size=fewest,
            max_size=40,
            unique_by=lambda row: row[0],
        )
    )
    words, kinds, sizes, rareness = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    # What is unique has no parallel.
    return Changes(words, kinds, sizes, rareness > 0, rareness > 1)


def excess(shared, misreadings):
    """Share of unparalleled changes beyond those that are expected, one by one; and how many are expected."""
    expected = 0.0
    for size, _ in shared:
        alike = [unparalleled for other, unparalleled in misreadings if other == size]
        expected += sum(alike) / len(alike) if alike else 1.0
    return (sum(unparalleled for _, unparalleled in shared) - expected) / len(shared), expected


def rows_of(changed, units, without=None):
    return [
        (int(size), bool(unparalleled))
        for word, kind, size, unparalleled in zip(
            changed.words, changed.kinds, changed.sizes, changed.unparalleled, strict=True
        )
        if units(word, kind) != without
    ]


def pairs_of(changed):
    return [*zip(changed.words.tolist(), changed.kinds.tolist(), strict=True)]


def find_pvalue(shared, misreadings, documents):
    """The largest of three: binomial, by documents, by kinds."""
    value, expected = excess(rows_of(shared, lambda *_: 0), rows_of(misreadings, lambda *_: 0))
    unparalleled, number = int(shared.unparalleled.sum()), len(shared.words)
    pvalues = [stats.binom.sf(unparalleled - 1, number, min(1, expected / number))]
    for unit in (lambda word, kind: int(documents[word]), lambda word, kind: int(kind)):
        names = sorted({unit(*pair) for changed in (shared, misreadings) for pair in pairs_of(changed)})
        sizes = np.array([sum(unit(*pair) == name for pair in pairs_of(shared)) for name in names])
        if np.count_nonzero(sizes) < 2 or value <= 1e-12:
            pvalues.append(1.0)
            continue
        without = [excess(rows_of(shared, unit, name), rows_of(misreadings, unit, name))[0] for name in names]
        error = math.sqrt((len(names) - 1) / len(names) * np.sum((np.array(without) - np.mean(without)) ** 2))
        pvalues.append(stats.t.sf(value / error, degrees_of_freedom(sizes)) if error > 1e-9 else 0.0)
    return max(pvalues), expected


@given(changes(8), changes(8))
def test_p_is_the_largest_of_three_for_what_has_no_parallel_and_for_what_is_unique(shared, misreadings):
    documents = np.arange(60) % DOCUMENTS
    pvalue, expected = find_pvalue(shared, misreadings, documents)
    of_unique, _ = find_pvalue(
        *(replace(changed, unparalleled=changed.unique) for changed in (shared, misreadings)), documents
    )
    unusual = compare_changes(shared, misreadings, documents)
    assert unusual.expected == pytest.approx(expected)
    assert unusual.pvalue == pytest.approx(max(pvalue, of_unique), rel=1e-6, abs=1e-12)


def made(kinds, unparalleled, sizes=None):
    number = len(kinds)
    sizes = np.zeros(number, np.int64) if sizes is None else np.array(sizes)
    counts = np.bincount(kinds)
    return Changes(np.arange(number), np.array(kinds), sizes, np.array(unparalleled), counts[np.array(kinds)] == 1)


def test_one_convention_of_all_others_alarms_nobody():
    misreadings = made([*range(20)] * 10, [False] * 200)
    documents = np.arange(200) % 20
    many_kinds = compare_changes(made([*range(100, 180)], [True] * 80), misreadings, documents)
    one_kind = compare_changes(made([100] * 76 + [*range(4)], [True] * 76 + [False] * 4), misreadings, documents)
    assert many_kinds.pvalue < 1e-6
    assert one_kind.pvalue > 0.05


def test_sizes_are_compared_among_themselves():
    misreadings = made([*range(100)], [False] * 50 + [True] * 50, [0] * 50 + [2] * 50)
    unusual = compare_changes(made([*range(10)], [True] * 10, [2] * 10), misreadings, np.arange(100) % 10)
    assert (unusual.expected, unusual.pvalue) == (10.0, 1.0)
    # No misreading has changes of two characters: all of them may be without parallel.
    assert compare_changes(made([*range(10)], [True] * 10, [1] * 10), misreadings, np.arange(100) % 10).pvalue == 1.0


def test_kinds_that_the_others_share_wherever_they_occur_alarm_nobody():
    # Half of all kinds are shared, each of them where it occurs: one in two of the words has a kind that occurs once.
    kinds = [*range(100), *[*range(100, 120)] * 5]
    unique = [True] * 100 + [False] * 100
    misreadings = made([kind + 200 for kind in kinds], unique)
    unusual = compare_changes(made(kinds, [True] * 200), misreadings, np.arange(200) % 20)
    assert unusual.expected == 100
    assert unusual.pvalue > 0.4
