"""Properties of every test, whatever it is given: a finite answer with its reason, and never a p-value of 0."""

import json
import math
from dataclasses import FrozenInstanceError
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from misread import stats
from misread.errors import UndefinedResultError
from misread.io.json_files import to_json
from misread.stats import (
    PairComparison,
    mapsswe_test,
    mcnemar_test,
    paired_bootstrap,
    paired_t_test,
    randomisation_test,
    sign_test,
    wilcoxon_signed_rank,
)
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.stats.compare.settings import PairedTest
from misread.stats.significance.equivalence import bootstrap_equivalence, paired_t_equivalence
from misread.stats.significance.randomisation import sign_flip
from misread.tables import explain_verdict

SEGMENTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0, 1, 3, 40])), min_size=1, max_size=12
)
# Nothing but zeros, constant differences, ties, one difference, the largest and smallest of floats.
DIFFERENCES = st.lists(
    st.sampled_from([0.0, 0.1, -0.1, 0.3, 1e-12, 1e-300, 1e6, math.nan]), min_size=1, max_size=12
).filter(lambda values: not all(map(math.isnan, values)))
OPERATIONS = st.lists(st.tuples(st.text("CSD", max_size=6), st.text("CSD", max_size=6)), min_size=1, max_size=5)


def check(result):
    assert 0 < result.pvalue <= 1
    assert all(map(math.isfinite, (result.statistic, result.effect_size, *result.extra.values())))
    assert result.n >= 0
    assert result.dropped >= 0
    assert result.method
    assert result.effect_size_name
    assert convert(json.loads(to_json(result)), stats.TestResult) == result
    if result.method == "none":
        assert result.notes
        assert result.pvalue == 1
    with pytest.raises(FrozenInstanceError):
        result.pvalue = 0.5


@given(DIFFERENCES)
@pytest.mark.parametrize("test", [wilcoxon_signed_rank, sign_test, paired_t_test])
def test_of_differences_of_rates(test, values):
    forth, back = test(np.array(values)), test(-np.array(values))
    check(forth)
    assert forth.n + forth.dropped == len(values)
    assert (back.pvalue, back.effect_size) == pytest.approx((forth.pvalue, -forth.effect_size))


@pytest.mark.parametrize("test", [wilcoxon_signed_rank, sign_test, paired_t_test])
def test_undefined_differences_are_dropped_and_counted_and_none_at_all_are_refused(test):
    with_nan, without = test(np.array([0.1, math.nan, 0.3, math.nan])), test(np.array([0.1, 0.3]))
    assert (with_nan.pvalue, with_nan.n, with_nan.dropped) == (without.pvalue, 2, 2)
    assert "Dropped because a rate is undefined: 2 (segment)." in with_nan.notes
    for number in (0, 2):
        with pytest.raises(UndefinedResultError, match=f"no segment has a defined difference among {number}"):
            test(np.full(number, math.nan))


@given(DIFFERENCES, st.floats(1e-9, 1e9))
def test_of_equivalence_by_student(values, margin):
    check(paired_t_equivalence(np.array(values), margin=margin))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_of_whole_segments(pairs):
    a, b = np.array(pairs, dtype=bool).T
    check(mcnemar_test(a, b))
    assert mcnemar_test(a, b).pvalue == mcnemar_test(b, a).pvalue


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12), st.integers(1, 99))
def test_of_sign_flips(differences, length):
    options = {"length": length, "resamples": 19, "seed": 1, "alpha": 0.05}
    forth = sign_flip(np.array(differences), **options)
    check(forth)
    assert sign_flip(-np.array(differences), **options).pvalue == forth.pvalue


@given(SEGMENTS, st.integers(1, 30))
def test_of_exchanges(segments, resamples):
    a, b, lengths = np.array(segments, dtype=np.int64).T
    lengths[0] += 1

    def rate(counts):
        with np.errstate(divide="ignore", invalid="ignore"):
            return counts[..., 0] / counts[..., 1]

    sides = (np.stack([errors, lengths], axis=-1) for errors in (a, b))
    check(randomisation_test(*sides, rate, resamples=resamples, seed=1, alpha=0.05))


@given(SEGMENTS.filter(lambda segments: len(segments) > 1), st.floats(1e-6, 10))
def test_of_bootstrap_samples(segments, margin):
    counts = np.array(segments, dtype=np.int64)
    counts[:, 2] += 1
    sums = bootstrap_sums(counts, resamples=19, seed=1)
    replicates = (sums[:, 0] - sums[:, 1]) / sums[:, 2]
    observed = float((counts[:, 0] - counts[:, 1]).sum() / counts[:, 2].sum())
    n = len(counts)
    check(paired_bootstrap(observed, replicates, confidence=0.95, unit="segment", n=n))
    check(bootstrap_equivalence(observed, replicates, margin=margin, unit="segment", n=n))


@given(OPERATIONS)
def test_of_error_segments(sentences):
    # Both answer to the same words: the shorter is filled up.
    sides = ([], [])
    for pair in sentences:
        words = max(map(len, pair))
        for side, letters in zip(sides, pair, strict=True):
            side.append(np.frombuffer(letters.ljust(words, "C").encode(), np.uint8))
    a, b = sides
    check(mapsswe_test(a, b))
    assert mapsswe_test(b, a).statistic == -mapsswe_test(a, b).statistic


@given(SEGMENTS, st.booleans(), st.sampled_from(["none", "holm"]), st.sampled_from([None, 0.05]))
def test_of_a_whole_comparison(compared, segments, clustered, correction, margin):
    a, b, lengths = np.array(segments, dtype=np.int64).T
    names = [name for name in get_args(PairedTest) if name != "mapsswe"]
    found = compared(
        {"a": a, "b": b, "c": np.minimum(a, 1)},
        lengths,
        [f"p{row % 3}" for row in range(len(a))] if clustered else None,
        tests=names,
        resamples=19,
        correction=correction,
        margin=margin,
    )
    assert convert(json.loads(to_json(found.pairs)), list[PairComparison]) == found.pairs
    for pair in found.pairs:
        assert explain_verdict(pair).endswith(".")
        assert all(0 < test.pvalue <= test.pvalue_adjusted <= 1 for test in pair.tests.values())
