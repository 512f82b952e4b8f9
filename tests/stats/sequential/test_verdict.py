import numpy as np
import pytest

from misread.errors import ConfigurationError, InputTypeError, LengthMismatchError, UndefinedResultError
from misread.stats import decide_sequentially
from misread.stats.bootstrap.jackknife import Estimate, symmetric_interval
from misread.stats.sequential.confidence_sequence import Rule, judge_looks


def pages(number, rates=(0.10, 0.06), seed=1):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(200, 400, number)
    chances = np.minimum(np.array(rates) * np.exp(rng.normal(0, 0.3, (number, 1))), 1.0)
    return rng.binomial(lengths[:, np.newaxis], chances), lengths


def test_a_better_system_has_the_lower_rate():
    errors, lengths = pages(40)
    result = decide_sequentially(errors, lengths)
    assert result.verdict == "better"
    assert decide_sequentially(errors[:, ::-1], lengths).verdict == "worse"
    assert result.last.difference == pytest.approx((errors[:, 1].sum() - errors[:, 0].sum()) / lengths.sum())


def test_looks_are_those_of_the_kernel():
    errors, lengths = pages(40, rates=(0.10, 0.10))
    result = decide_sequentially(errors, lengths, total=90, margin=0.05, planned=30)
    seen = judge_looks(errors[:, 1] - errors[:, 0].astype(float), lengths.astype(float), Rule(90, 0.05, 0.05, 15.0))
    assert [look.interval.low for look in result.looks[12:]] == seen.low[12:].tolist()
    assert (result.verdict, result.decided_after) == ("equivalent", int((seen.verdict == 0).sum()) + 1)


@pytest.mark.parametrize("total", [None, 60])
def test_clusters_that_all_differ_alike_are_no_better_known_than_independent_errors(total):
    result = decide_sequentially(np.tile([1, 3], (12, 1)), np.full(12, 200), total=total)
    fixed = Estimate(0.01, 0.0, 11.0, independent=(24 / 2400**2) ** 0.5)
    interval = symmetric_interval(fixed, 0.95)
    assert result.verdict == "worse"
    left = 1 if total is None else (1 - 12 / total) ** 0.5
    assert result.last.interval.high - 0.01 > left * (interval.high - 0.01)


def test_systems_alike_are_equivalent_only_within_a_declared_margin():
    errors, lengths = pages(60, rates=(0.10, 0.10))
    assert decide_sequentially(errors, lengths).verdict == "not yet"
    assert decide_sequentially(errors, lengths, margin=0.05).verdict == "equivalent"


def test_earlier_looks_know_nothing_of_later_clusters():
    errors, lengths = pages(40, rates=(0.10, 0.09))
    whole = decide_sequentially(errors, lengths, total=60, margin=0.01)
    part = decide_sequentially(errors[:25], lengths[:25], total=60, margin=0.01)
    assert part.looks == whole.looks[:25]


def test_an_interval_is_wider_than_that_of_a_number_fixed_beforehand():
    errors, lengths = pages(50)
    residuals = errors[:, 1] - errors[:, 0] - (errors[:, 1] - errors[:, 0]).sum() / lengths.sum() * lengths
    estimate = Estimate(0.0, residuals.std(ddof=1) / lengths.mean() / np.sqrt(50), 49)
    fixed = symmetric_interval(estimate, 0.95)
    interval = decide_sequentially(errors, lengths, planned=50).last.interval
    assert 1.3 < (interval.high - interval.low) / (fixed.high - fixed.low) < 1.7


@pytest.mark.parametrize("seed", [1, 3, 5, 6])
def test_further_clusters_like_the_checked_ones_decide_about_when_expected(seed):
    errors, lengths = pages(15, rates=(0.10, 0.09), seed=seed)
    look = decide_sequentially(errors, lengths).last
    expected = look.checked + look.further
    times = 2 + expected // 15
    repeated = decide_sequentially(np.tile(errors, (times, 1)), np.tile(lengths, times))
    assert look.verdict == "not yet"
    assert 0.7 <= repeated.decided_after / expected <= 1.1


def test_without_a_verdict_all_clusters_decide():
    errors, lengths = pages(20, rates=(0.10, 0.1001), seed=4)
    look = decide_sequentially(errors, lengths, total=60).last
    assert (look.verdict, look.checked + look.further) == ("not yet", 60)


def test_all_checked_and_equal_stays_undecided_without_a_margin():
    errors = np.tile([[3, 2], [2, 3]], (8, 1))
    result = decide_sequentially(errors, np.full(16, 100), total=16)
    assert (result.verdict, result.last.interval.low, result.last.interval.high) == ("not yet", 0.0, 0.0)
    assert result.last.further == 0


def test_empty_references_have_no_difference():
    result = decide_sequentially(np.zeros((4, 2), int), np.zeros(4, int), total=9)
    assert [look.difference for look in result.looks] == [None] * 4
    assert result.verdict == "not yet"


def test_systems_equal_everywhere_are_equivalent_and_never_better():
    errors = np.full((20, 2), 7)
    assert decide_sequentially(errors, np.full(20, 100)).verdict == "not yet"
    assert decide_sequentially(errors, np.full(20, 100), margin=0.01).verdict == "equivalent"


def test_the_order_of_names_is_told():
    errors, lengths = pages(20)
    names = [f"p{row:03}" for row in range(20)]
    assert "order of their names" in decide_sequentially(errors, lengths, clusters=names).notes[0]
    assert decide_sequentially(errors, lengths, clusters=names[::-1]).notes == ()


def test_clusters_that_drift_are_told():
    lengths = np.full(120, 300)
    drift = np.where(np.arange(120) < 60, 12, -25)
    errors = np.stack([np.full(120, 40), 40 + drift + np.random.default_rng(1).integers(-3, 4, 120)], axis=1)
    assert any("was the order random?" in note for note in decide_sequentially(errors, lengths).notes)


@pytest.mark.parametrize(
    ("settings", "kind", "words"),
    [
        ({"total": 5}, ConfigurationError, "total is 5, and 12 clusters were checked"),
        ({"total": 12.5}, InputTypeError, "whole number"),
        ({"margin": 0.0}, ConfigurationError, "margin is 0, expected a number above 0"),
        ({"margin": -0.01}, ConfigurationError, "margin is -0.01, expected a number above 0"),
        ({"level": 0.5}, ConfigurationError, "level is 0.5"),
        ({"planned": 0}, ConfigurationError, "planned is 0"),
        ({"clusters": ["p1"] * 12}, ConfigurationError, "cluster 'p1' was checked more than once"),
        ({"clusters": ["p1"]}, LengthMismatchError, "1 names"),
    ],
)
def test_a_setting_out_of_range_is_named_in_one_line(settings, kind, words):
    with pytest.raises(kind) as refusal:
        decide_sequentially(*pages(12), **settings)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("errors", "lengths", "words"),
    [
        (np.zeros((2, 2)), np.ones(2), "at least 3 checked clusters; got 2"),
        (np.zeros((4, 3)), np.ones(4), "expected two columns"),
        (-np.ones((4, 2)), np.ones(4), "errors has a number that is negative"),
        (np.ones((4, 2)), np.array([1, 2, 3, np.nan]), "lengths has a number that is negative or not finite"),
    ],
)
def test_counts_that_are_none_are_refused(errors, lengths, words):
    with pytest.raises(UndefinedResultError, match=words):
        decide_sequentially(errors, lengths)


def test_lengths_of_other_clusters_are_refused():
    with pytest.raises(LengthMismatchError, match="errors of 4 clusters, lengths of 3"):
        decide_sequentially(np.ones((4, 2)), np.ones(3))


def test_a_cluster_that_outweighs_others_is_named_where_unchecked_ones_count():
    errors, lengths = pages(20)
    errors[7, 1] += 150
    names = [f"p{19 - row:03}" for row in range(20)]
    assert decide_sequentially(errors, lengths, clusters=names).notes == ()
    (note,) = decide_sequentially(errors, lengths, total=60, clusters=names).notes
    assert note.startswith("Cluster p012 makes ")
    assert "number 8 makes" in decide_sequentially(errors, lengths, total=60).notes[0]
    assert decide_sequentially(errors, lengths, total=20, clusters=names).notes == ()
