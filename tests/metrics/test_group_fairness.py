"""Spread of a rate over groups."""

from __future__ import annotations

import statistics

import pytest

from misread.errors import UndefinedResultError
from misread.metrics import Direction
from misread.metrics.group_fairness import fairness

LANGUAGES = {"English": 0.018, "German": 0.021, "Arabic": 0.042, "Georgian": 0.035}


def test_the_worked_example_of_the_specification() -> None:
    found = fairness(LANGUAGES)
    assert round(found.mean, 3) == 0.029
    assert round(found.range, 3) == 0.024
    assert round(found.standard_deviation, 2) == 0.01
    assert (found.worst_group, found["best_group"], found.band) == ("Arabic", "English", "Good parity")


def test_the_deviation_is_that_of_the_population() -> None:
    assert fairness(LANGUAGES).standard_deviation == pytest.approx(statistics.pstdev(LANGUAGES.values()))


def test_one_group_has_no_spread() -> None:
    assert (fairness({"a": 0.3}).range, fairness({"a": 0.3}).standard_deviation) == (0.0, 0.0)


def test_no_group_is_refused() -> None:
    with pytest.raises(UndefinedResultError, match="there is no group"):
        fairness({})


def test_an_undefined_rate_names_its_group() -> None:
    with pytest.raises(UndefinedResultError, match="group 'b' has the rate nan"):
        fairness({"a": 0.1, "b": float("nan")})


def test_where_higher_is_better_the_worst_group_has_the_smallest_rate() -> None:
    found = fairness({"a": 0.9, "b": 0.7}, direction=Direction.HIGHER_IS_BETTER)
    assert (found.worst_group, found.best_group) == ("b", "a")
