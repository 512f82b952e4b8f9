"""Metrics of whole lines: the worked example, the edges, and what additive counts promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.metrics import ScoredText
from misread.metrics.lines import ExactLines, LineAccuracy, count_equal_lines, line_accuracy
from misread.sockets import METRICS
from misread.spec import exact_line_prf, exact_line_prf_from_text, reverse_line_accuracy

LINES = st.lists(st.sampled_from(["a", "b", "a b", "", "c"]), max_size=6)


def joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def test_the_worked_example_of_the_specification() -> None:
    precision, recall, f1 = exact_line_prf(["Hello", "World", "Hello"], ["Hello", "World", "Test"])
    assert (precision, recall, f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "forward", "backward"),
    [
        ("", "", 1.0, 1.0),
        ("a\n", "", 0.0, 0.0),
        ("a\nb\nc", "a\nb\nc\n", 1.0, 1.0),
        ("a\nb\nc", "a\nb", 2 / 3, 0.0),
        ("a\nb\nc", "b\nc", 0.0, 2 / 3),
        ("a\n\nb", "a\n\nb", 1.0, 1.0),
        ("a\n\n", "a\n", 1.0, 0.0),
        ("a\r\nb\r\n", "a\nb\n", 1.0, 1.0),
    ],
)
def test_positions_are_counted_from_either_end(
    reference: str, hypothesis: str, forward: float, backward: float
) -> None:
    assert line_accuracy(reference, hypothesis) == pytest.approx(forward)
    assert reverse_line_accuracy(reference, hypothesis) == pytest.approx(backward)


def test_white_space_is_collapsed_inside_lines_and_never_across() -> None:
    assert line_accuracy(" a  b \nc", "a b\nc") == 0.5
    assert line_accuracy(" a  b \nc", "a b\nc", normalize=True) == 1.0
    assert line_accuracy("a b c", "a b\nc", normalize=True) == 0.0
    assert exact_line_prf_from_text("a\u00a0b\nc", "c\na b", True).f1 == 1.0


def test_sides_without_lines_give_zero() -> None:
    assert exact_line_prf([], []) == (0.0, 0.0, 0.0)
    assert exact_line_prf(["a"], []) == (0.0, 0.0, 0.0)
    assert exact_line_prf([], ["a"]) == (0.0, 0.0, 0.0)


@given(LINES, LINES)
def test_reverse_accuracy_is_forward_accuracy_of_reversed_lines(reference: list[str], hypothesis: list[str]) -> None:
    expected = line_accuracy(joined(reference[::-1]), joined(hypothesis[::-1]))
    assert reverse_line_accuracy(joined(reference), joined(hypothesis)) == expected


@given(LINES, LINES)
def test_matches_are_a_largest_matching_of_equal_lines(reference: list[str], hypothesis: list[str]) -> None:
    left = list(hypothesis)
    matches = 0
    for line in reference:
        if line in left:
            left.remove(line)
            matches += 1
    counts = ExactLines("exact_line_f1", "f1").count(ScoredText([joined(reference)], [joined(hypothesis)]))
    assert counts.tolist() == [[matches, len(reference), len(hypothesis)]]


@given(LINES, LINES)
def test_order_of_lines_does_not_count_in_a_multiset(reference: list[str], hypothesis: list[str]) -> None:
    assert exact_line_prf(reference, hypothesis) == exact_line_prf(sorted(reference), hypothesis[::-1])


def test_rates_of_sums_pool_segments() -> None:
    metric = LineAccuracy("line_accuracy")
    counts = metric.count(ScoredText(["a\nb", "c"], ["a\nx", "c"]))
    assert counts.tolist() == [[1, 2], [1, 1]]
    assert metric.rate(counts.sum(axis=0)) == pytest.approx(2 / 3)
    assert metric.is_exact(counts).tolist() == [False, True]


@pytest.mark.parametrize("name", [name for name in METRICS if "line" in name])
def test_counts_of_nothing_have_a_shape(name: str) -> None:
    metric = METRICS[name]
    assert metric.count(ScoredText([], [])).shape == (0, len(metric.columns))


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        reference, hypothesis = (rng.choice(list("abcd"), size=rng.integers(1, 9)).tolist() for _ in range(2))
        precision, recall, f1 = exact_line_prf(reference, hypothesis)
        matches = sum((Counter(reference) & Counter(hypothesis)).values())
        assert precision == pytest.approx(matches / len(hypothesis))
        assert recall == pytest.approx(matches / len(reference))
        expected = 2 * precision * recall / (precision + recall) if matches else 0.0
        assert f1 == pytest.approx(expected)


def test_the_signature_says_how_lines_are_paired_and_normalized() -> None:
    assert "norm:ws@1a2b:by-line|align:last" in str(METRICS["reverse_line_accuracy"].signature("ws@1a2b"))
    assert "norm:none|align:multiset" in str(METRICS["exact_line_f1_raw"].signature("ws@1a2b"))


@pytest.mark.parametrize("from_end", [False, True])
def test_texts_of_one_line_are_counted_as_longer_ones_are(from_end: bool) -> None:
    """Single lines are compared all at once, others one after the other."""
    sides = ["", "a", "b", "a\n", "\n"]
    pairs = [(reference, hypothesis) for reference in sides for hypothesis in sides]
    metric = LineAccuracy("line_accuracy", from_end=from_end)
    found = metric.count(ScoredText(*map(list, zip(*pairs, strict=True))))
    expected = [
        count_equal_lines(
            reference.split("\n")[: 1 if reference else 0], read.split("\n")[: 1 if read else 0], from_end=False
        )
        for reference, read in pairs
    ]
    assert found.tolist() == [list(counts) for counts in expected]
