import pytest

from misread.metrics import Direction, summarize
from misread.metrics.base import ScoredText
from misread.metrics.edit import normalized_edit_distance
from misread.sockets import METRICS

NED = METRICS["ned"]


@pytest.mark.parametrize(("one", "other"), [("abcd", "abxd"), ("", "abc"), ("abc", ""), ("ab", "abcd"), ("a", "a")])
def test_one_pair_has_the_normalized_edit_distance(one, other):
    counts = NED.count(ScoredText([one], [other]))
    assert NED.rate(counts)[0] == normalized_edit_distance(one, other)


def test_two_empty_texts_have_no_rate_and_a_hypothesis_cannot_cost_more_than_all():
    counts = NED.count(ScoredText(["", "a"], ["", "a long insertion"]))
    summary = summarize(NED, counts)
    assert summary.empty_references == 1
    assert summary.micro == 15 / 16
    assert NED.direction is Direction.LOWER_IS_BETTER
