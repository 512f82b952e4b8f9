import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from misread.metrics import ScoredText
from misread.sockets import METRICS

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
