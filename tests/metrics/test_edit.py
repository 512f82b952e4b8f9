"""Distance and operations of one pair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.errors import LengthMismatchError, UnknownNameError
from misread.spec import cer_wer_batch, edit_distance, get_edit_operations, normalized_edit_distance

ITEMS = st.lists(st.one_of(st.integers(0, 3), st.sampled_from(["a", "word", ("x", 1)])), max_size=8)


@given(ITEMS, ITEMS)
def test_lists_are_compared_item_by_item(reference: list[object], hypothesis: list[object]) -> None:
    assert edit_distance(reference, hypothesis) == Levenshtein.distance(reference, hypothesis)


def test_more_items_than_characters_below_the_surrogates_stay_distinct() -> None:
    items = list(range(0xD800 + 5))
    assert edit_distance(items, [*items[:-1], -1]) == 1


def test_a_list_and_a_text_are_compared_item_by_character() -> None:
    assert edit_distance(["a", "b"], "ab") == 0


@given(st.text(max_size=9), st.text(max_size=9))
def test_normalized_distance_lies_between_0_and_1(reference: str, hypothesis: str) -> None:
    value = normalized_edit_distance(reference, hypothesis)
    assert value == pytest.approx(Levenshtein.normalized_distance(reference, hypothesis))


def test_an_unknown_field_names_those_there_are() -> None:
    operations = get_edit_operations("hello", "hallo")
    assert dict(operations) == {"substitutions": 1, "deletions": 0, "insertions": 0, "matches": 4}
    with pytest.raises(UnknownNameError, match="substitutions"):
        operations["substitution"]


def test_a_batch_of_unequal_sides_is_refused() -> None:
    with pytest.raises(LengthMismatchError):
        cer_wer_batch(["a"], [])
