"""Properties of every edit distance, whatever the texts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import distances, error_counts

UNITS = ["char", "grapheme", "word"]

texts = st.one_of(
    st.text(st.sampled_from("ab \0"), max_size=90),
    st.text(st.sampled_from("aé\u0301漢😀 \n"), max_size=12),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
units = st.sampled_from(UNITS)


def distance(reference, hypothesis, unit):
    return int(distances(reference, hypothesis, unit=unit)[0])


@given(texts, texts, units)
def test_a_distance_is_the_same_both_ways(one, other, unit):
    assert distance(one, other, unit) == distance(other, one, unit)


@given(texts, texts, texts, units)
def test_a_way_over_a_third_text_is_no_shorter(one, other, third, unit):
    assert distance(one, other, unit) <= distance(one, third, unit) + distance(third, other, unit)


@given(texts, texts, units)
def test_a_distance_lies_between_the_difference_and_the_greater_of_the_lengths(one, other, unit):
    counts = error_counts(one, other, unit=unit)
    reference, hypothesis = int(counts.reference_length[0]), int(counts.hypothesis_length[0])
    assert abs(reference - hypothesis) <= distance(one, other, unit) <= max(reference, hypothesis)


@given(texts, texts, units)
def test_the_kinds_account_for_both_lengths(one, other, unit):
    counts = error_counts(one, other, unit=unit)
    assert (counts.hits + counts.substitutions + counts.deletions == counts.reference_length).all()
    assert (counts.hits + counts.substitutions + counts.insertions == counts.hypothesis_length).all()
    assert counts.errors.tolist() == [distance(one, other, unit)]


@given(texts, units)
def test_a_text_is_at_no_distance_from_itself(text, unit):
    assert distance(text, text, unit) == 0


@given(texts, texts, texts, texts)
def test_what_both_sides_begin_and_end_with_changes_no_error(one, other, prefix, suffix):
    framed = error_counts(prefix + one + suffix, prefix + other + suffix)
    alone = error_counts(one, other)
    assert framed.errors.tolist() == alone.errors.tolist()
    spaced = [f"{prefix} {text} {suffix}" for text in (one, other)]
    assert distance(*spaced, "word") == distance(one, other, "word")


@given(texts, texts)
def test_graphemes_are_at_one_distance_in_every_normal_form(one, other):
    forms = [tuple(unicodedata.normalize(form, text) for text in (one, other)) for form in ("NFC", "NFD")]
    assert len({distance(*sides, "grapheme") for sides in [*forms, (one, other), (forms[0][0], forms[1][1])]}) == 1


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("lengths", [(0, 1), (1, 0), (63, 64), (64, 65), (200, 130), (700, 1300)])
def test_texts_of_one_character_differ_by_their_lengths(unit, lengths):
    letter = "a " if unit == "word" else "a"
    counts = error_counts(*(letter * length for length in lengths), unit=unit)
    reference, hypothesis = lengths
    assert counts.hits.tolist() == [min(lengths)]
    assert (counts.deletions[0], counts.insertions[0]) == (
        max(0, reference - hypothesis),
        max(0, hypothesis - reference),
    )
