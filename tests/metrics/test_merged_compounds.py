from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kaldialign import edit_distance
from tests.conftest import with_budget

from misread.errors import TooDifferentError
from misread.metrics import merged_compounds
from misread.metrics.base import ScoredText
from misread.metrics.merged_compounds import MOST_PARTS, find_merges
from misread.sockets import METRICS

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


@cache
def fewest_errors(reference, hypothesis):
    """Errors, errors that are not substitutions, and deletions of the best of all alignments, one step after another.

    Deletions only follow from the others.
    """
    if not reference or not hypothesis:
        return len(reference) + len(hypothesis), len(reference) + len(hypothesis), len(reference)
    steps = [((reference[0] != hypothesis[0], 0, 0), 1, 1), ((1, 1, 1), 1, 0), ((1, 1, 0), 0, 1)]
    for parts in range(2, max(len(reference), len(hypothesis)) + 1):
        steps += [((0, 0, 0), parts, 1)] if "".join(reference[:parts]) == hypothesis[0] else []
        steps += [((0, 0, 0), 1, parts)] if "".join(hypothesis[:parts]) == reference[0] else []
    return min(
        tuple(map(sum, zip(cost, fewest_errors(reference[taken:], hypothesis[others:]), strict=True)))
        for cost, taken, others in steps
    )


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8))
def test_errors_are_those_of_the_best_of_all_alignments_and_kinds_where_words_merge(pairs):
    for (reference, hypothesis), (total, _, _, *kinds) in zip(pairs, count(*pairs).tolist(), strict=True):
        words = reference.split(), hypothesis.split()
        errors, apart, deletions = fewest_errors(*map(tuple, words))
        assert total == errors
        if total and find_merges(*words):
            assert kinds == [errors - apart, deletions, apart - deletions]


# Characters of one, two and four bytes, all kinds of white space, and what stands between texts.
SPACED = st.lists(
    st.tuples(*[st.text("aab\u3000 \u00e9\0 \u0431\U0001f600", max_size=12)] * 2), min_size=20, max_size=20
)


@given(SPACED)
def test_counts_of_any_texts_are_the_same_with_and_without_machine_code(pairs):
    with with_budget(float("inf")):
        slow = count(*pairs)
    with with_budget(0.0):
        assert count(*pairs).tolist() == slow.tolist()


def test_a_pair_that_cannot_be_counted_is_named_by_its_place(monkeypatch):
    monkeypatch.setattr(merged_compounds, "_MOST_CELLS", 5)
    pairs = [("a", "a")] * 9000 + [("ab " + "x " * 200, "a b " + "y " * 200)]
    with pytest.raises(TooDifferentError) as error:
        count(*pairs)
    assert error.value.pair == 9000


def test_very_many_parts_of_a_word_are_not_looked_for(either_way):
    parts = ["a"] * MOST_PARTS
    assert find_merges(parts, ["".join(parts)]) == [(MOST_PARTS, 1, MOST_PARTS, 1)]
    assert find_merges([*parts, "a"], ["".join(parts) + "a"]) == []
    pairs = [(" ".join(apart), "".join(apart)) for apart in (parts, [*parts, "a"])]
    for counted in either_way(lambda: count(*pairs)):
        assert counted[:, 0].tolist() == [0, MOST_PARTS + 1]


def test_the_signature_says_that_compounds_are_merged():
    assert MERGED.signature("none").facts["compounds"] == "merged"
