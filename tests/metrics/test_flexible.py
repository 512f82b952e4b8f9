"""Flexible character accuracy, compared with the examples of its paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread import cer, flexible_character_accuracy
from misread.errors import InputTypeError
from misread.metrics import ScoredText
from misread.sockets import METRICS

LEFT, RIGHT = ("Eight happy frogs", "scuba dived"), ("Jenny chick flaps", "white wings")
BOTH = f"{' '.join(LEFT)}\n{' '.join(RIGHT)}"
# Figure 4 of the paper: reference, hypothesis, accuracy.
FIGURE_4 = {
    "A, no errors": (BOTH, BOTH, 1.0),
    "B, other order of blocks": (BOTH, "\n".join(reversed(BOTH.split("\n"))), 1.0),
    "C, merged across columns": (
        "\n".join((*LEFT, *RIGHT)),
        f"{LEFT[0]} {RIGHT[0]}\n{LEFT[1]} {RIGHT[1]}",
        0.964,
    ),
    "D, too many segments": (BOTH, f"{LEFT[0]}\n{RIGHT[0]}\n{LEFT[1]}\n{RIGHT[1]}", 0.966),
    "E, part missing": (BOTH, " ".join(LEFT), 0.50),
    "F, all missing": (BOTH, "", 0.0),
    "G, added part": (" ".join(LEFT), f"{' '.join(LEFT)}\nJenny chick", 0.621),
}
# Figure 3: as many errors in three layouts.
QUOTE = '"I have\nno special\ntalent.\nI am only\npassionately\ncurious."\nAlbert\nEinstein'
READ = '1 hav\nnospecial\ntalents.\nI am one\npassionate\ncuriousity."'


@pytest.mark.parametrize("case", FIGURE_4)
def test_figure_4_of_the_paper(case):
    reference, hypothesis, accuracy = FIGURE_4[case]
    assert flexible_character_accuracy(reference, hypothesis).accuracy == pytest.approx(accuracy, abs=0.001)


@pytest.mark.parametrize(
    "hypothesis",
    [
        f"{READ}\nAlberto\nEmstein",
        READ.replace("talents.", "talents. Alberto").replace("I am one", "I am one Emstein"),
        f"Alberto\nEmstein\n{READ}",
    ],
)
def test_figure_3_of_the_paper(hypothesis):
    found = flexible_character_accuracy(QUOTE, hypothesis)
    assert (found.substitutions + found.insertions + found.deletions, found.n) == (15, 68)
    assert found.accuracy == pytest.approx(0.779, abs=0.0005)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors"),
    [("accc", "a\nbb\nccc", 2), ("aaa\nbbb\nccc", "bbb", 6), ("bbb", "aaa\nbbb\nccc", 6), ("bb", "a\nbb\nccc", 4)],
)
def test_lines_that_are_missing_or_too_many_are_errors(reference, hypothesis, errors):
    found = flexible_character_accuracy(reference, hypothesis)
    assert found.substitutions + found.insertions + found.deletions == errors


@given(st.lists(st.text("abc ", min_size=1, max_size=6), min_size=1, max_size=4), st.randoms())
def test_the_order_of_lines_does_not_count(lines, draw):
    other = lines[:]
    draw.shuffle(other)
    assert flexible_character_accuracy("\n".join(lines), "\n".join(other)).accuracy == 1


@given(st.text("ab \n", max_size=9), st.text("ab \n", max_size=9))
def test_errors_are_never_more_than_those_of_the_texts_without_line_breaks(reference, hypothesis):
    found = flexible_character_accuracy(reference, hypothesis)
    whole = Levenshtein.distance(reference.replace("\n", ""), hypothesis.replace("\n", ""))
    assert found.substitutions + found.deletions + found.insertions <= whole


def test_one_line_alone_has_its_character_error_rate():
    assert flexible_character_accuracy("one line", "one 1ine").accuracy == 1 - cer("one line", "one 1ine")


def test_empty_sides_are_defined():
    assert flexible_character_accuracy("", "").accuracy == 1
    assert flexible_character_accuracy("", "ab").accuracy == -1
    assert flexible_character_accuracy("ab", "\n\n").accuracy == 0


def test_the_metric_adds_errors_and_never_falls_below_0():
    metric = METRICS["flexible_character_accuracy"]
    counts = metric.count(ScoredText(["ab\ncd", "a"], ["cd\nab", "xyz"]))
    assert counts[:, :2].tolist() == [[0, 4], [3, 1]]
    assert metric.rate(counts).tolist() == [1.0, 0.0]
    assert metric.rate(counts.sum(axis=0)) == pytest.approx(1 - 3 / 5)
    assert np.isnan(metric.rate(np.zeros(5, np.int64)))


def test_one_text_is_expected():
    with pytest.raises(InputTypeError, match="hypothesis is of type list"):
        flexible_character_accuracy("a", ["a"])


def test_its_signature_has_unit_normalizer_and_alignment():
    assert dict(METRICS["flexible_character_accuracy"].facts("lower")) == {
        "unit": "char",
        "norm": "lower",
        "align": "flexible",
    }
