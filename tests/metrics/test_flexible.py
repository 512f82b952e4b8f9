"""Flexible character accuracy, compared with the examples of its paper.

Lines matched in any order, compared with a search that aligns one pair of parts after the other.
"""

from collections import Counter
from functools import lru_cache
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread import cer, flexible_character_accuracy
from misread.alignment import PairedTexts
from misread.alignment.api import align
from misread.compiled.budget import ALIGNING
from misread.errors import InputTypeError
from misread.metrics import ScoredText
from misread.metrics.flexible import count_in_any_order
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


@pytest.mark.slow
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


WEIGHTS = [*product(range(15, 31, 5), range(0, 24, 3), range(4), range(6))]


@lru_cache(1 << 16)
def slow_counts(reference, hypothesis):
    kinds = Counter(operation.kind for operation in align(reference, hypothesis).operations)
    return kinds["substitution"], kinds["deletion"], kinds["insertion"]


@lru_cache(1 << 16)
def slow_match(reference, hypothesis):
    """Place in the longer text and the counts: the first place with the fewest errors."""
    beyond = len(reference) - len(hypothesis)
    if beyond == 0:
        return 0, slow_counts(reference, hypothesis)
    # A character shorter than the shorter text, as in the published program.
    size = min(len(reference), len(hypothesis)) - 1
    places = [
        (place, slow_counts(reference[place:][:size], hypothesis))
        if beyond > 0
        else (place, slow_counts(reference, hypothesis[place:][:size]))
        for place in range(abs(beyond) + 1)
    ]
    return min(places, key=lambda each: sum(each[1]))


def slow_rests(text, place, length):
    """What is left around a match, without the character before it and blanks at the ends."""
    rests = text[: max(place - 1, 0)].strip(" "), text[place + length :].strip(" ")
    return [rest for rest in rests if rest]


def slow_errors(references, hypotheses, weights):
    """Clausner, Pletschacher & Antonacopoulos (2020), as their program does it, with strings for parts."""
    total = Counter()
    expected, found = sorted(references, key=len, reverse=True), [*hypotheses]
    while expected and found:
        part, other = min(product(expected, found), key=lambda pair: slow_penalty(*pair, weights))
        place, counts = slow_match(part, other)
        total.update(dict(enumerate(counts)))
        for parts, text, length in ((expected, part, len(other)), (found, other, len(part))):
            parts.remove(text)
            parts += slow_rests(text, place, length) if len(text) > length else []
        expected.sort(key=len, reverse=True)
    return total[0], total[1] + sum(map(len, expected)), total[2] + sum(map(len, found))


def slow_penalty(part, other, weights):
    place, counts = slow_match(part, other)
    longer = abs(len(part) - len(other))
    offset = longer // 2 - abs(place - longer // 2) if longer > 1 else 0
    shorter = min(len(part), len(other))
    return sum(counts) * weights[0] + longer * weights[1] + offset * weights[2] - shorter * weights[3]


def slow_count(reference, hypothesis):
    sides = [[line for line in text.split("\n") if line] for text in (reference, hypothesis)]
    whole = slow_counts(*map("".join, sides))
    # The first of those with the fewest errors.
    counts = min((whole, *(slow_errors(*sides, weights) for weights in WEIGHTS)), key=sum)
    return [*counts, sum(map(len, sides[0]))]


def count(references, hypotheses):
    return count_in_any_order(PairedTexts(references, hypotheses)).tolist()


LINES = st.lists(st.text("ab é", max_size=7), max_size=3).map("\n".join)


@pytest.mark.slow
@given(LINES, LINES)
@settings(max_examples=25)
def test_counts_are_those_of_a_search_with_one_alignment_after_the_other(reference, hypothesis):
    assert count([reference], [hypothesis]) == [slow_count(reference, hypothesis)]


@pytest.mark.slow
def test_compiled_and_plain_counts_are_equal(monkeypatch):
    monkeypatch.setattr(ALIGNING, "seconds", 1000.0)
    draw = Random(1)  # noqa: S311 - a fixed sample
    pages = [
        ["\n".join("".join(draw.choices("abc ", k=draw.randint(0, 9))) for _ in range(3)) for _ in range(4)]
        for _ in range(2)
    ]
    plain = [count([one], [other])[0] for one, other in zip(*pages, strict=True)]
    monkeypatch.setattr(ALIGNING, "seconds", 0.0)
    assert count(*pages) == plain


@pytest.mark.parametrize("end", ["\n", ""])
def test_many_lines_at_once_are_counted_as_each_alone(end):
    draw = Random(2)  # noqa: S311 - a fixed sample
    sides = [["".join(draw.choices("ab ", k=draw.randint(0, 12))) + end for _ in range(60)] for _ in range(2)]
    sides[0][3], sides[1][5], sides[1][7] = "two\nlines", "ab\r\nba", ""
    sides[0][-1], sides[1][-1] = "ab", "b b  b ba  bb  abab"
    assert count(*sides) == [count([one], [other])[0] for one, other in zip(*sides, strict=True)]


@pytest.mark.slow
def test_a_line_that_holds_all_others_is_split_again_and_again():
    words = [letter * 3 for letter in "abcdefghijklmn"]
    lines, line = "\n".join(words), " ".join(reversed(words))
    assert count([lines, line], [line, lines]) == [slow_count(lines, line), slow_count(line, lines)]
