"""Tokens as sets and as multisets, and words out of order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from misread.metrics import ScoredText
from misread.metrics.tokens import token_accuracy
from misread.sockets import METRICS

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=7).map(" ".join)


def test_repeats_count_in_the_multiset_only() -> None:
    found = token_accuracy("a a a b", "a b")
    assert (found.token_precision, found.token_recall) == (1.0, 1.0)
    assert (found.multiset_precision, found.multiset_recall) == (1.0, 0.5)


def test_positions_are_those_of_the_longer_side() -> None:
    assert token_accuracy("a b c", "a x").exact_match_rate == pytest.approx(1 / 3)
    assert token_accuracy(["a", "b"], ["b", "a"]).exact_match_rate == 0.0


def test_empty_sides_give_zero() -> None:
    assert set(dict(token_accuracy("", "")).values()) == {0}
    assert token_accuracy("a", "").token_f1 == 0.0


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_bag_of_words_errors_are_word_errors_without_their_order(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = (list(side) for side in zip(*pairs, strict=True))
    scored = ScoredText(references, hypotheses)
    bag, words = METRICS["bag_of_words_error"].count(scored), METRICS["wer"].count(scored)
    assert (bag[:, 0] <= words[:, 0]).all()
    assert (bag[:, 1] == words[:, 1]).all()
    shuffled = ScoredText(references, [" ".join(reversed(text.split())) for text in hypotheses])
    assert (METRICS["bag_of_words_error"].count(shuffled) == bag).all()


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("token_f1", 1.0),
        ("token_precision", 1.0),
        ("token_recall", 1.0),
        ("token_multiset_f1", 2 * 2 / (3 + 2)),
        ("token_multiset_precision", 2 / 2),
        ("token_multiset_recall", 2 / 3),
        ("token_position_accuracy", 1 / 3),
    ],
)
def test_sets_multisets_and_positions_are_named_apart(name: str, rate: float) -> None:
    metric = METRICS[name]
    counts = metric.count(ScoredText(["a a b"], ["b a"]))
    assert metric.rate(counts.sum(axis=0)) == pytest.approx(rate)


@given(WORDS, WORDS)
def test_metrics_of_one_segment_are_those_of_the_function(reference: str, hypothesis: str) -> None:
    scores = dict(token_accuracy(reference, hypothesis))
    names = {
        **{name: name for name in ("token_precision", "token_recall", "token_f1")},
        **{f"token_{name}": name for name in ("multiset_precision", "multiset_recall", "multiset_f1")},
        "token_position_accuracy": "exact_match_rate",
    }
    for metric, key in names.items():
        counts = METRICS[metric].count(ScoredText([reference], [hypothesis]))
        assert METRICS[metric].rate(counts)[0] == pytest.approx(scores[key])


def test_what_order_costs_is_the_word_error_rate_less_that_of_the_bag():
    texts = ScoredText(["a b c d", "a b"], ["c d a b", "a x"])
    counts = METRICS["order_error_rate"].count(texts)
    np.testing.assert_array_equal(
        counts[:, 0], METRICS["wer"].count(texts)[:, 0] - METRICS["bag_of_words_error"].count(texts)[:, 0]
    )
    assert METRICS["order_error_rate"].rate(counts).tolist() == [1.0, 0.0]


def test_a_segment_is_exact_by_order_where_the_words_stand_in_their_order():
    metric = METRICS["order_error_rate"]
    counts = metric.count(ScoredText(["a b c", "a b c", "a b c", "a", ""], ["a b c", "c b a", "a x c", "", ""]))
    assert metric.is_exact(counts).tolist() == [True, False, True, False, True]


def test_segments_of_which_no_word_was_read_have_no_order():
    metric = METRICS["order_error_rate"]
    counts = metric.count(ScoredText(["a b c d", "a b", "a b"], ["c d a b", "", "x y z"]))
    assert np.isnan(metric.rate(counts)).tolist() == [False, True, True]
    assert metric.rate(counts.sum(axis=0)) == 1.0


METRIC = METRICS["word_accuracy"]
TEXTS = st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_words_found_are_those_of_a_longest_common_subsequence(pairs):
    references, hypotheses = (list(side) for side in zip(*pairs, strict=True))
    found = METRIC.count(ScoredText(references, hypotheses))
    expected = [LCSseq.similarity(one.split(), other.split()) for one, other in pairs]
    assert found.tolist() == [[of, len(one.split())] for of, one in zip(expected, references, strict=True)]


def test_words_that_were_added_cost_nothing_and_without_words_there_is_no_rate():
    counts = METRIC.count(ScoredText(["a b", ""], ["x a y b z", "x"]))
    assert METRIC.rate(counts)[0] == 1
    assert np.isnan(METRIC.rate(counts)[1])


def test_fewest_errors_may_have_fewer_hits():
    # Two substitutions cost 2; the common word costs two deletions and two insertions beside its hit.
    texts = ScoredText(["a b c"], ["c x y"])
    assert METRIC.count(texts).tolist() == [[1, 3]]
    assert METRICS["wer"].count(texts)[0, 2] == 0
