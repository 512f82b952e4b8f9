import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kaldialign import edit_distance

from misread.alignment import PairedTexts
from misread.alignment.compounds import MOST_PARTS, find_merges, may_merge
from misread.metrics import METRICS
from misread.metrics.base import ScoredText
from misread.text.words import split_words

MERGED = METRICS["wer_merged_compounds"]
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "ba", "aab", "c"]), max_size=8).map(" ".join)


def count(*pairs):
    references, hypotheses = zip(*pairs, strict=True)
    return MERGED.count(ScoredText(list(references), list(hypotheses)))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "length"),
    [
        ("the white paper", "the whitepaper", 0, 3),
        ("the whitepaper", "the white paper", 0, 2),
        ("a b c d", "abcd", 0, 4),
        ("whitepaper", "white x paper", 3, 1),
        ("white paper", "xyz", 2, 2),
        ("ab cd", "a bcd", 2, 2),
        ("", "x", 1, 0),
        ("one two", "one two", 0, 2),
    ],
)
def test_words_written_together_or_apart_are_equal(reference, hypothesis, errors, length):
    assert count((reference, hypothesis))[0, :2].tolist() == [errors, length]


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8))
def test_errors_and_lengths_are_those_of_kaldialign(pairs):
    for (reference, hypothesis), counted in zip(pairs, count(*pairs), strict=True):
        theirs = edit_distance(reference.split(), hypothesis.split(), merge_compounds=True)
        errors, length, hits, *kinds = counted.tolist()
        assert (errors, length) == (theirs["total"], theirs["ref_len"])
        assert sum(kinds) == errors
        assert hits == length - kinds[0] - kinds[1] >= 0
        assert min(kinds) >= 0


SPACED = st.lists(st.text("ab\u3000 é\0 ", max_size=10), min_size=20, max_size=20)


@given(SPACED, SPACED)
def test_pairs_that_are_left_out_have_nothing_to_merge(references, hypotheses):
    pairs = zip(references, hypotheses, strict=True)
    merging = [bool(find_merges(split_words(one), split_words(other))) for one, other in pairs]
    assert may_merge(PairedTexts(references, hypotheses)).tolist() == merging


def test_counts_are_the_same_with_and_without_machine_code(either_way):
    generator = np.random.default_rng(1)
    pairs = [[" ".join(generator.choice(["a", "b", "ab", "abb"], 30)) for _ in range(2)] for _ in range(20)]
    slow, fast = either_way(lambda: count(*pairs))
    assert slow.tolist() == fast.tolist()


def test_very_many_parts_of_a_word_are_not_looked_for():
    parts = ["a"] * MOST_PARTS
    assert find_merges(parts, ["".join(parts)]) == [(MOST_PARTS, 1, MOST_PARTS, 1)]
    assert find_merges([*parts, "a"], ["".join(parts) + "a"]) == []


def test_the_signature_says_that_compounds_are_merged():
    assert MERGED.signature("none").facts["compounds"] == "merged"
