"""Bounded rates, compared with jiwer."""

from __future__ import annotations

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import UndefinedResultError
from misread.metrics import ScoredText, mer, wil, wip
from misread.sockets import METRICS

SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "dd"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
def test_corpus_values_equal_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = (list(side) for side in zip(*pairs, strict=True))
    theirs = jiwer.process_words(references, hypotheses)
    assert mer(references, hypotheses) == pytest.approx(theirs.mer)
    assert wil(references, hypotheses) == pytest.approx(theirs.wil)
    assert wip(references, hypotheses) == pytest.approx(theirs.wip)


def test_nothing_found_is_all_information_lost() -> None:
    assert (mer("a b", ""), wil("a b", ""), wip("a b", "")) == (1.0, 1.0, 0.0)


def test_two_empty_sides_have_no_score() -> None:
    with pytest.raises(UndefinedResultError, match="neither side has a word"):
        wil("", " ")


def test_bounded_character_errors_stay_below_one_where_the_rate_does_not() -> None:
    counts = METRICS["ncer"].count(ScoredText(["a"], ["bcdef"]))
    assert METRICS["cer"].rate(counts).tolist() == [5.0]
    assert METRICS["ncer"].rate(counts).tolist() == [1.0]


def test_rates_work_over_any_leading_axes() -> None:
    metric = METRICS["wip"]
    counts = metric.count(ScoredText(["a b", "", "c"], ["a x", "", "c"]))
    rates = metric.rate(np.stack([counts, counts]))
    assert rates.shape == (2, 3)
    assert rates[0, 0] == 0.25
    assert np.isnan(rates[0, 1])
