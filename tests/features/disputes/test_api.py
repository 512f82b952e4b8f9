"""`misread.dispute`: what it takes and refuses, and what its result says of itself."""

import pytest

import misread
from misread.errors import (
    ConfigurationError,
    InputTypeError,
    InputValueError,
    LengthMismatchError,
    UndefinedResultError,
    UnknownNameError,
)
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import reach_verdict
from misread.stats import StatisticsSettings

from .made_readings import make_lines, misread_at_random

LINES = make_lines(40)
SYSTEMS = {name: misread_at_random(LINES, 0.05, seed) for name, seed in (("a", 2), ("b", 3))}


@pytest.mark.parametrize(
    ("systems", "settings", "error", "message"),
    [
        ({"a": ["x"]}, {}, UndefinedResultError, "takes two systems, and there is a; give"),
        ({}, {}, InputValueError, "systems is empty"),
        ({"a": "x", "b": "y"}, {}, InputTypeError, "systems is no mapping of systems to lists of texts"),
        ({"a": {"1": ["x"]}, "b": ["y"]}, {}, InputTypeError, "of several runs, give one"),
        ({"a": ["x"], "b": ["y", "z"]}, {}, LengthMismatchError, r"1.*2|2.*1"),
        ({"a": ["x"], "b": [None]}, {}, UndefinedResultError, "'b' has no hypothesis for 1 of 1 segments"),
        (SYSTEMS, {"normalizer": "lowr"}, UnknownNameError, "Did you mean 'lower'"),
        (SYSTEMS, {"budget": 0}, ConfigurationError, "budget is 0, expected 1 or more"),
        (SYSTEMS, {"missing": "ignore"}, UnknownNameError, "'ignore'"),
    ],
)
def test_what_cannot_be_compared_is_refused(systems, settings, error, message):
    with pytest.raises(error, match=message):
        misread.dispute(systems, seed=1, **settings)


def test_it_says_how_much_is_to_be_typed():
    disputes = misread.dispute({"a": ["brown fox", "same"], "b": ["brovn fox", "same"]}, seed=1)
    assert len(disputes) == 1
    assert disputes.share == 3 / 13
    assert repr(disputes) == "<Disputes of a, b: 1 span, 23.1% of the characters>"


def test_keys_are_those_of_the_place_and_of_all_readings():
    texts = {"a": ["own", "own"], "b": ["ovn", "ovn"]}
    first, second = misread.dispute(texts, seed=1).spans
    assert first.key != second.key
    assert [span.key for span in misread.dispute(texts, seed=2).spans] == [first.key, second.key]
    changed = misread.dispute({**texts, "b": ["ovn", "orn"]}, seed=1).spans
    assert [span.key == other.key for span, other in zip(changed, (first, second), strict=True)] == [True, False]


def test_without_clusters_segments_are_independent():
    disputes = misread.dispute(SYSTEMS, seed=1)
    verdict = reach_verdict(
        disputes,
        Filled(name="me", truths={key: stretch.readings(disputes.texts)[0] for key, stretch in disputes.drawn.items()}),
        metrics=["cer"],
        statistics=StatisticsSettings(seed=1, tests=["randomisation"]),
    )
    assert verdict.result.clusters is None
