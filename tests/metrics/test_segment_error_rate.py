"""Segments and sentences that are wholly right."""

from __future__ import annotations

import numpy as np
import pytest

from misread.metrics import ScoredText
from misread.metrics.rates import ser
from misread.sockets import METRICS
from misread.spec import sentence_error_rate


def test_a_pair_is_right_or_wrong() -> None:
    assert ser("hello", "hello") == 0.0
    assert ser("Hello World", "Hello world") == 1.0


def test_the_worked_example_of_the_specification() -> None:
    truth = ["INVOICE NUMBER: INV-2024-001", "DATE: 2024-03-15", "TOTAL: $150.00"]
    found = sentence_error_rate(truth, [*truth[:2], "TOTAL: $15O.OO"])
    assert found.ser == pytest.approx(1 / 3)
    assert (found.total_sentences, found.error_sentences, found.correct_sentences) == (3, 1, 2)
    assert found["error_indices"] == [2]


def test_missing_and_extra_sentences_are_errors() -> None:
    assert sentence_error_rate(["a", "b"], ["a"]).error_indices == [1]
    assert sentence_error_rate(["a"], ["a", "b"]).error_indices == [1]


def test_no_sentence_is_no_error() -> None:
    assert sentence_error_rate([], []).ser == 0.0


def test_the_corpus_rate_counts_segments() -> None:
    metric = METRICS["ser"]
    counts = metric.count(ScoredText(["a", "b", "c", "d"], ["a", "x", "c", "d "]))
    assert metric.rate(counts.sum(axis=0)) == 0.5
    assert metric.is_exact(counts).tolist() == [True, False, True, False]
    assert np.isnan(metric.rate(np.zeros(2, dtype=np.int64)))
