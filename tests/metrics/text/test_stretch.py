import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import distances
from misread.errors import ConfigurationError
from misread.metrics import METRICS, ScoredText, StretchErrorRate

TEXTS = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


def counts(reference, hypothesis, metric="wer_stretch"):
    (row,) = METRICS[metric].count(ScoredText([reference], [hypothesis])).tolist()
    return dict(zip(METRICS[metric].columns, row, strict=True))


@given(TEXTS, TEXTS)
def test_no_other_stretch_has_fewer_errors(reference, hypothesis):
    words = hypothesis.split()
    stretches = [" ".join(words[start:end]) for end in range(len(words) + 1) for start in range(end + 1)]
    least = distances([reference] * len(stretches), stretches, unit="word").min()
    found = counts(reference, hypothesis)
    whole = int(distances(reference, hypothesis, unit="word")[0])
    assert found["errors"] == (whole if found["not_found"] or not reference else least)


def test_words_around_the_reference_are_no_insertions():
    found = counts("the quick fox", "page 7 the quick box . all rights reserved")
    assert (found["errors"], found["words_around"], found["insertions"], found["not_found"]) == (1, 6, 0, 0)
    assert counts("the quick fox", "page 7 the  quick box .", "cer_stretch")["errors"] == 2


def test_a_stretch_that_has_too_little_of_the_reference_is_not_taken():
    whole = "something else that has one word the and no more"
    found = counts("the quick brown fox", whole)
    assert (found["not_found"], found["words_around"]) == (1, 0)
    assert found["errors"] == METRICS["wer"].count(ScoredText(["the quick brown fox"], [whole]))[0, 0]


def test_exactly_half_of_the_words_is_enough():
    assert counts("a b", "x a y")["not_found"] == 0
    assert counts("a b c", "x a y")["not_found"] == 1


def test_empty_sides_count_as_they_are():
    assert counts("", "a b")["errors"] == 2
    assert counts("a b", "")["errors"] == 2


def test_a_share_that_means_nothing_is_refused():
    with pytest.raises(ConfigurationError, match="least_share of x is 0, expected a share above 0"):
        StretchErrorRate("x", "word", 0)
