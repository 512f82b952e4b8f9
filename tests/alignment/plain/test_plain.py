"""Alignment without machine code gives what the kernels give, and is left where it no longer pays."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import distances, error_counts, find_operations
from misread.alignment.encode.graphemes import split_graphemes
from misread.alignment.encode.texts import encode_pairs
from misread.alignment.plain import levenshtein
from misread.compiled.budget import LOADING_SECONDS, Budget

# Few symbols make many alignments of equal cost; code points of every width, white space, the separator of texts.
ALPHABETS = ("a", "ab", "abc ", "\0ab", "aé x", "a漢 b", "a😀\u3000b", "etaoinshrd ")

a_text = st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=90))
an_edit = st.tuples(st.integers(0, 90), st.integers(0, 2), st.sampled_from("ab é漢😀"))


@st.composite
def a_pair(draw):
    """Two texts that have nothing in common, or of which one is the other with some errors."""
    text = draw(a_text)
    if draw(st.booleans()):
        return text, draw(a_text)
    other = text
    for place, kept, letter in draw(st.lists(an_edit, max_size=8)):
        other = other[:place] + letter + other[place + kept :]
    return text, other


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@given(pairs=st.lists(a_pair(), max_size=12))
def test_counts_distances_and_operations_are_those_of_the_kernels(either_way, unit, pairs):
    sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    plain, compiled = either_way(
        lambda: (
            [*vars_of(error_counts(*sides, unit=unit)), distances(*sides, unit=unit)],
            find_operations(*sides, unit=unit),
        )
    )
    assert all(np.array_equal(one, other) for one, other in zip(plain[0], compiled[0], strict=True))
    assert np.array_equal(plain[1].codes, compiled[1].codes)
    assert np.array_equal(plain[1].offsets, compiled[1].offsets)


@pytest.mark.parametrize("alignment", ["sclite", "transpositions"])
@given(pairs=st.lists(a_pair(), max_size=6), unit=st.sampled_from(["char", "word"]))
def test_other_rules_give_what_their_kernels_give(either_way, alignment, pairs, unit):
    sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    plain, compiled = either_way(
        lambda: [
            *vars_of(error_counts(*sides, unit=unit, alignment=alignment)),
            find_operations(*sides, unit=unit, alignment=alignment).codes,
        ]
    )
    assert all(np.array_equal(one, other) for one, other in zip(plain, compiled, strict=True))


@given(
    texts=st.lists(
        st.text(st.sampled_from("a\r\n e\u0301\u0323한ᄒ\u1161\u11ab👩\u200d🚀🇩🇪\u0915\u094d"), max_size=30), max_size=6
    )
)
def test_graphemes_are_those_of_the_kernels(either_way, texts):
    plain, compiled = either_way(
        lambda: (list(map(split_graphemes, texts)), error_counts(texts, texts[::-1], unit="grapheme"))
    )
    assert plain[0] == compiled[0]
    assert all(np.array_equal(one, other) for one, other in zip(vars_of(plain[1]), vars_of(compiled[1]), strict=True))


def vars_of(counts):
    return [getattr(counts, name) for name in counts.__slots__]


@pytest.mark.parametrize("lengths", [(700, 690), (64, 600), (1200, 3)])
def test_texts_of_several_hundred_units_are_aligned_alike(either_way, lengths):
    rng = np.random.default_rng(5)
    sides = ["".join(rng.choice([*"abcd"], length)) for length in lengths]
    plain, compiled = either_way(lambda: find_operations(*sides))
    assert np.array_equal(plain.codes, compiled.codes)


def test_no_pairs_are_no_counts(either_way):
    plain, compiled = either_way(lambda: error_counts([], [], unit="word"))
    assert len(plain) == len(compiled) == 0


def test_ties_are_broken_by_the_rule(either_way):
    # From the end: a deletion, else a substitution, else an insertion, else a hit.
    for reference, hypothesis, expected in (
        (" ", "bc", "IS"),
        ("bc", " ", "SD"),
        ("abca", "bcad", "DCCCI"),
        ("xabay", "xay", "CCDDC"),
    ):
        for found in either_way(lambda sides=(reference, hypothesis): find_operations(*sides)):
            assert [*found.letters()] == [expected], (reference, hypothesis)


def test_what_a_budget_covers_is_charged_and_what_is_above_ends_it():
    budget = Budget(1.0)
    assert budget.covers(0.5)
    assert not budget.covers(0.6)
    assert not budget.covers(0.0)
    # Exactly all of it: nothing is left.
    assert not Budget(1.0).covers(1.0)


def test_two_lines_are_well_within_the_budget_and_two_books_are_not():
    assert levenshtein.estimate_seconds(encode_pairs(["x" * 60] * 2, ["y" * 60] * 2, "char").sides) < 0.001
    assert levenshtein.estimate_seconds(encode_pairs(["x" * 10_000] * 2, ["y"] * 2, "char").sides) < LOADING_SECONDS
    assert levenshtein.estimate_seconds(encode_pairs(["x" * 10_000], ["y" * 10_000], "char").sides) > LOADING_SECONDS


@pytest.mark.process
def test_few_lines_are_scored_without_numba_and_many_with_it():
    program = """
import sys
import misread
lines = ["the quick brown fox", "jumps over the lazy dog", "é漢"]
others = ["the quich brown fox", "jumps ovr the lazy dog", "e漢"]
misread.evaluate(lines, {"a": others, "b": lines[::-1]}, seed=1)
print("numba" in sys.modules)
misread.error_counts(lines * 10_000, others * 10_000)
print("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
