"""Differences that nobody can see are counted as errors and named."""

from __future__ import annotations

import pytest

from misread.metrics.base import ScoredText
from misread.tally.invisible import _CHARACTERS, count_invisible_differences

MARKS = "zero-width or bidirectional marks"


@pytest.mark.parametrize(
    ("reference", "hypothesis", "kind"),
    [
        ("one", "o\u200bne", MARKS),
        ("one", "\ufeffone", MARKS),
        ("\u202bone", "one", MARKS),
        ("o\0ne", "one", "control characters"),
        ("one", "one\r", "carriage returns"),
        ("Müll", "Mu\u0308ll", "composed and decomposed letters"),
    ],
)
def test_each_kind_is_found_on_either_side(reference: str, hypothesis: str, kind: str) -> None:
    assert count_invisible_differences(ScoredText([reference], [hypothesis])) == {kind: 1}
    assert count_invisible_differences(ScoredText([hypothesis], [reference])) == {kind: 1}


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("one", "two"), ("a\u200bb", "a\u200bb"), ("a\u200bb", "a\u200bc"), ("ein Müller", "ein Möller"), ("a b", "a\tb")],
)
def test_differences_that_can_be_seen_are_not_named(reference: str, hypothesis: str) -> None:
    assert count_invisible_differences(ScoredText([reference], [hypothesis])) == {}


def test_segments_are_counted_not_characters() -> None:
    pairs = ScoredText(["a", "b", "c"], ["a\u200b\u200b", "b", "c\u200b"])
    assert count_invisible_differences(pairs) == {MARKS: 2}


def test_no_character_that_is_looked_for_is_printable():
    printable = "".join(filter(str.isprintable, map(chr, range(0x110000))))
    assert not any(pattern.search(printable) for pattern in _CHARACTERS.values())
