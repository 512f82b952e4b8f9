"""A property of every interval: where nothing varies it has width or is absent, as no variation is not certainty."""

import dataclasses
from collections.abc import Mapping
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import misread
from misread.errors import UndefinedResultError
from misread.stats import (
    ConfidenceInterval,
    StatisticsSettings,
    cohen_kappa,
    decide_sequentially,
    fleiss_kappa,
    paired_bootstrap,
    ratio_interval,
)
from misread.stats.compare.settings import IntervalMethod

# Items, means of segments, amounts that are no items, quantities of both signs.
METRICS = ("cer", "wer", "ser", "ned", "mer", "wil", "word_accuracy", "token_f1", "line_accuracy", "token_density")
METRICS += ("exact_line_f1", "punctuation_f1", "case_error_rate", "chars_per_token")
METRICS += ("omission_error_share", "order_error_rate", "token_cost", "compression_ratio")
WORDS = st.lists(st.sampled_from(["la", "Table", "chat,", "noir.", "dort"]), min_size=2, max_size=6).map(" ".join)


def intervals_in(part):
    if isinstance(part, ConfidenceInterval):
        yield part
    elif dataclasses.is_dataclass(part):
        yield from intervals_in([getattr(part, entry.name) for entry in dataclasses.fields(part)])
    elif isinstance(part, Mapping):
        yield from intervals_in([*part.values()])
    elif isinstance(part, list | tuple):
        for entry in part:
            yield from intervals_in(entry)


def has_no_zero_width(part, but=()):
    return all(interval.low < interval.high or interval.low in but for interval in intervals_in(part))


@settings(max_examples=12)
@given(WORDS, WORDS, WORDS, st.integers(4, 12))
@pytest.mark.parametrize("method", get_args(IntervalMethod))
def test_rates_and_differences_of_clusters_that_are_all_alike(method, reference, first, second, clusters):
    found = misread.evaluate(
        [reference] * clusters,
        {"a": [first] * clusters, "b": [second] * clusters},
        metrics=METRICS,
        clusters=range(clusters),
        groups={"half": [number % 2 for number in range(clusters)]},
        statistics=StatisticsSettings(seed=1, interval=method, resamples=99),
        pairing="as-given",
    ).result
    # Equal systems differ by nothing.
    assert has_no_zero_width(found.comparisons, but=(0.0,))
    assert has_no_zero_width(found.systems)
    assert has_no_zero_width(found.groups)
    for system in found.systems.values():
        for metric in system.values():
            assert metric.micro is None or metric.confidence_interval or metric.interval_reason


@given(st.integers(4, 20), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_ratios_and_shares_of_clusters_that_are_all_alike(clusters, wrong, more, right):
    rows = np.tile([wrong, wrong + right], (clusters, 1))
    assert has_no_zero_width(ratio_interval(rows[:, 0], rows[:, 1], None, 0.95, highest=1.0))
    assert has_no_zero_width(ratio_interval(rows[:, 0] + more, rows[:, 1], None, 0.95))


@given(st.integers(3, 20), st.tuples(*[st.integers(0, 9)] * 4), st.integers(1, 9))
def test_kappa_looks_and_bootstrap_differences_of_clusters_that_are_all_alike(clusters, cells, errors):
    counts = np.tile(cells, (clusters, 1))
    for kappa in (cohen_kappa, fleiss_kappa):
        try:
            assert has_no_zero_width(kappa(counts))
        except UndefinedResultError:
            continue
    pairs = np.tile([errors, 0], (clusters, 1))
    assert has_no_zero_width(decide_sequentially(pairs, np.full(clusters, 20)))
    assert has_no_zero_width(
        paired_bootstrap(errors / 20, np.full(99, errors / 20), confidence=0.95, unit="page", n=clusters)
    )
