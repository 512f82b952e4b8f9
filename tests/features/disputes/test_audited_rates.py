"""Rates from disputed spans and a sample of the text that systems share."""

import numpy as np
import pytest

from misread.features.disputes.audited_rates import AuditCounts, audited_rate
from misread.stats import ratio_interval


def counts_of(**columns):
    return AuditCounts(**{name: np.array(column, np.int64) for name, column in columns.items()})


def make(further_errors, *, audited=(40, 40, 40, 40, 40, 40)):
    return counts_of(
        errors=[10, 12, 9, 11, 8, 15],
        length=[400, 420, 390, 410, 400, 430],
        further_errors=further_errors,
        further_length=[0, 1, 0, 0, -1, 0],
        agreed=[300, 310, 290, 300, 295, 320],
        audited=audited,
    )


def test_the_rate_counts_what_windows_add_in_all_agreed_text():
    rate, _ = audited_rate(make([1, 0, 2, 0, 0, 1]), 0.95)
    assert rate == pytest.approx((65 + 1815 * 4 / 240) / (2450 + 1815 * 0 / 240))


def test_windows_of_all_text_give_the_rate_and_interval_of_the_full_truth():
    errors, length = np.array([10, 30, 20, 15, 12, 18]), np.array([400, 500, 450, 420, 410, 430])
    # One in ten is wrong in every cluster.
    agreed = np.array([300, 350, 320, 310, 300, 310])
    further, zero = agreed // 10, np.zeros(6, np.int64)
    counts = AuditCounts(
        errors=errors, length=length, further_errors=further, further_length=zero, agreed=agreed, audited=agreed
    )
    rate, interval = audited_rate(counts, 0.95)
    full = ratio_interval(errors + further, length, None, 0.95)
    assert rate == pytest.approx((errors + further).sum() / length.sum())
    assert (interval.low, interval.high) == pytest.approx((full.low, full.high))


def test_fewer_windows_make_the_interval_wider():
    generator = np.random.default_rng(1)
    widths = {}
    for windows in (20, 200):
        further = generator.poisson(windows * 0.05, 30)
        counts = counts_of(
            errors=[20] * 30,
            length=[1000] * 30,
            further_errors=further,
            further_length=[0] * 30,
            agreed=[900] * 30,
            audited=[windows] * 30,
        )
        _, interval = audited_rate(counts, 0.95)
        widths[windows] = interval.high - interval.low
    assert widths[20] > 2 * widths[200]


def test_where_no_window_has_an_error_the_upper_end_is_that_of_one():
    none, one = make([0] * 6), make([1, 0, 0, 0, 0, 0])
    rate, interval = audited_rate(none, 0.95)
    assert rate == pytest.approx(65 / 2450)
    assert interval.low < rate < interval.high
    assert interval.high == audited_rate(one, 0.95)[1].high


def test_without_windows_there_is_no_rate_and_with_those_of_one_cluster_no_interval():
    assert audited_rate(make([0] * 6, audited=[0] * 6), 0.95) == (None, None)
    rate, interval = audited_rate(make([2, 0, 0, 0, 0, 0], audited=[40, 0, 0, 0, 0, 0]), 0.95)
    assert rate is not None
    assert interval is None
