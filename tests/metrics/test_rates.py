"""Seven rates with one signature."""

import inspect
import math

import pandas as pd
import pyarrow as pa
import pytest

import misread
from misread.errors import LengthMismatchError, MisreadError, UndefinedResultError, UnknownNameError
from misread.metrics import ScoredText
from misread.sockets import METRICS

RATES = {name: getattr(misread, name) for name in ("cer", "ger", "mer", "ser", "wer", "wil", "wip")}
PERFECT = {name: float(name == "wip") for name in RATES}
REFERENCES = ["the quick fox", "one two", ""]
HYPOTHESES = ["the fast fox jumps", "one two", "more"]

by_name = pytest.mark.parametrize("name", RATES)


def test_all_take_the_same_parameters() -> None:
    assert len({tuple(inspect.signature(rate).parameters) for rate in RATES.values()}) == 1


@by_name
@pytest.mark.parametrize("kind", [list, tuple, iter, pd.Series, pa.array], ids=lambda kind: kind.__name__)
def test_many_texts_in_any_order_have_the_rate_of_their_summed_counts(name: str, kind) -> None:
    metric = METRICS[name]
    expected = metric.rate(metric.count(ScoredText(REFERENCES, HYPOTHESES)).sum(axis=0))
    assert RATES[name](kind(REFERENCES), kind(HYPOTHESES)) == pytest.approx(float(expected))


@by_name
def test_one_text_has_the_rate_of_a_list_of_it(name: str) -> None:
    assert RATES[name]("one two", "one too") == RATES[name](["one two"], ["one too"])


@by_name
@pytest.mark.parametrize("rule", ["max1", "one", "inf"])
def test_two_empty_texts_agree_if_the_rule_gives_them_a_number(name: str, rule: str) -> None:
    assert RATES[name]("", "", empty_reference=rule) == PERFECT[name]


@by_name
def test_two_empty_texts_may_have_no_number_or_be_an_error(name: str) -> None:
    assert math.isnan(RATES[name]("", "", empty_reference="nan"))
    with pytest.raises(UndefinedResultError, match="the rate is undefined"):
        RATES[name]("", "", empty_reference="error")


@by_name
def test_an_unknown_rule_sides_of_other_lengths_and_no_text_are_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match="'zero'"):
        RATES[name]("a", "a", empty_reference="zero")
    with pytest.raises(LengthMismatchError):
        RATES[name](["a"], [])
    with pytest.raises(UndefinedResultError, match="no text to score"):
        RATES[name]([], [])


def test_every_error_of_the_package_is_the_one_at_the_root() -> None:
    assert misread.MisreadError is MisreadError
