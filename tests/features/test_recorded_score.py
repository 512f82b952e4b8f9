"""Recorded scores against exact sums, and what an output without one is."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.logs import fit_digits
from misread.errors import ConfigurationError, InputValueError, UndefinedResultError, UnknownNameError
from misread.metrics import Direction
from misread.metrics.base import ScoredText
from misread.sockets.metric_names import get_metric


def count(name, *scores):
    """Counts of a metric for texts with these scores."""
    texts = ["" for _ in scores]
    return get_metric(name).count(ScoredText(texts, texts, annotations={"scores": scores}))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_the_mean_is_that_of_the_numbers(values):
    counts = count("recorded", *({"s": value} for value in values))
    assert get_metric("recorded").rate(counts.sum(axis=0)) == pytest.approx(math.fsum(values) / len(values), abs=1e-12)


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=50))
def test_any_numbers_have_a_mean_to_the_digits_that_fit(values):
    digits = fit_digits(values)
    name = f"recorded(values=number,digits={digits})"
    mean = get_metric(name).rate(count(name, *({"s": value} for value in values)).sum(axis=0))
    assert mean == pytest.approx(math.fsum(values) / len(values), rel=1e-12, abs=10.0**-digits)
    assert get_metric(name).bounds == (-math.inf, math.inf)


def test_scores_that_cannot_be_counted_so_exactly_are_refused_with_the_digits_that_can():
    scores = [{"s": 1e6}] * 10
    with pytest.raises(UndefinedResultError, match=r"10 scores that sum to 1e\+07 are .*; recorded\(digits=10\)"):
        count("recorded(values=number)", *scores)
    with pytest.raises(UndefinedResultError, match=r"too large for 0 decimals; write them in a larger unit"):
        count("recorded(values=number,digits=0)", {"s": 1e18})
    counts = count("recorded(values=number,digits=10)", *scores)
    assert counts.sum(axis=0).tolist() == [10**17, 10]
    for digits in (-1, 13):
        with pytest.raises(ConfigurationError, match=f"is {digits}, expected 0 to 12"):
            get_metric(f"recorded(digits={digits})")


def test_a_scorer_is_chosen_by_its_name():
    scores = {"a": 1, "b,c": 0.5}
    assert count("recorded(scorer=a)", scores).tolist() == [[10**12, 1]]
    assert count('recorded(scorer="b,c")', scores).tolist() == [[5 * 10**11, 1]]


def test_full_scores_are_exact_and_the_least_where_lower_is_better():
    counts = np.array([[10**12, 1], [0, 1], [1, 1]])
    assert get_metric("recorded").is_exact(counts).tolist() == [True, False, False]
    assert get_metric("recorded(better=lower)").is_exact(counts).tolist() == [False, True, False]
    assert get_metric("recorded(better=lower)").direction is Direction.LOWER_IS_BETTER
    assert get_metric("recorded(values=number)").is_exact(counts).tolist() == [False, False, False]


@pytest.mark.parametrize("scores", [None, {}, {"s": None}])
def test_an_output_without_a_score_is_an_error_or_0_or_left_out(scores):
    with pytest.raises(UndefinedResultError, match=r"segment 2 has no score by any scorer; recorded\(unscored=zero\)"):
        count("recorded", {"s": 1}, scores)
    assert count("recorded(unscored=zero)", {"s": 1}, scores).tolist() == [[10**12, 1], [0, 1]]
    assert count("recorded(unscored=drop)", {"s": 1}, scores).tolist() == [[10**12, 1], [0, 0]]


@pytest.mark.parametrize(
    ("name", "scores", "error", "refusal"),
    [
        (
            "recorded",
            {"a": 1, "b": 1},
            ConfigurationError,
            r"scores of several kinds, a, b: name whose count, as in reco",
        ),
        (
            "recorded(scorer=c)",
            {"a": 1, "b": 1},
            UnknownNameError,
            r"unknown scorer 'c' in segment 1\. There are: a, b",
        ),
        (
            "recorded",
            {"a": 87.5},
            InputValueError,
            r"has the score 87\.5, expected one from 0 to 1; recorded\(values=num",
        ),
        ("recorded", {"a": "maybe"}, InputValueError, r"has the score 'maybe', expected a number"),
        ("recorded", {"a": True}, InputValueError, r"has the score True, expected a number"),
        *(
            ("recorded(values=number)", {"a": value}, InputValueError, "has the score .*, expected a number within")
            for value in (1e308, -1e308, 10**400, math.inf, math.nan)
        ),
        ("recorded(values=number,digits=0)", {"a": 1e50}, UndefinedResultError, "write them in a larger unit"),
        ("recorded", 0.5, InputValueError, r"has 0\.5 as its scores, expected an object of numbers by scorer"),
    ],
)
def test_what_is_no_score_is_refused_with_its_segment(name, scores, error, refusal):
    with pytest.raises(error, match=refusal):
        count(name, scores)


def test_the_signature_names_scorer_and_rules():
    assert get_metric("recorded(scorer=a,unscored=zero)").facts("x") == {
        "unit": "segment",
        "scorer": "a",
        "unscored": "zero",
    }
