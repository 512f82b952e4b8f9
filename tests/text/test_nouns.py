"""Plurals of units and of what people call their clusters."""

import pytest

from misread.text.nouns import count_of, plural


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("box", "boxes"), ("class", "classes"), ("batch", "batches"), ("story", "stories"), ("day", "days"), ("y", "ys")],
)
def test_a_regular_noun_has_its_ending(noun, expected):
    assert plural(noun) == expected


def test_one_is_singular_and_thousands_are_separated():
    assert [count_of(number, "box") for number in (0, 1, 4668)] == ["0 boxes", "1 box", "4,668 boxes"]
