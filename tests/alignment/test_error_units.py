import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import count_units, find_error_units, find_operations, split_graphemes
from misread.alignment.api import align
from misread.alignment.error_units import NO_UNIT
from misread.text.words import split_words

texts = st.text(st.sampled_from("ab \n\0\x1c\u00a0\u3000e\u0308é漢😀"), max_size=40)
pairs = st.lists(st.tuples(texts, texts), max_size=12)


def found(pairs, unit, alignment="unit"):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    steps = find_operations(references, hypotheses, unit=unit, alignment=alignment)
    units = find_error_units(references, hypotheses, steps, unit=unit)
    names = [*units.texts, None]
    return [(names[one], names[other]) for one, other in zip(units.references, units.hypotheses, strict=True)]


def one_by_one(pairs, unit, alignment="unit"):
    """What each error of each pair joins, by Python's own indexing."""
    joint = " " if unit == "word" else ""
    joined = []
    for aligned in (align(*pair, unit=unit, alignment=alignment) for pair in pairs):
        for kind, row, column in aligned.operations:
            size = 2 if kind == "transposition" else 1
            reference = None if kind == "insertion" else joint.join(aligned.reference[row : row + size])
            hypothesis = None if kind == "deletion" else joint.join(aligned.hypothesis[column : column + size])
            if kind != "hit":
                joined.append((reference, hypothesis))
    if unit != "grapheme":
        return joined
    return [tuple(text and unicodedata.normalize("NFC", text) for text in error) for error in joined]


@given(pairs, st.sampled_from(["char", "grapheme", "word"]), st.sampled_from(["unit", "transpositions"]))
def test_every_error_has_the_units_that_stand_there(pairs, unit, alignment):
    assert found(pairs, unit, alignment) == one_by_one(pairs, unit, alignment)


def test_what_is_not_there_has_no_unit():
    units = find_error_units("abc", "bcd", find_operations("abc", "bcd"), unit="char")
    assert [units.texts[unit] for unit in (units.references[0], units.hypotheses[1])] == ["a", "d"]
    assert (units.references[1], units.hypotheses[0], len(units)) == (NO_UNIT, NO_UNIT, 2)


def test_equal_graphemes_are_one_text_however_they_are_written():
    assert found([("é", "x"), ("e\u0301", "y")], "grapheme") == [("é", "x"), ("é", "y")]


@pytest.mark.parametrize(("unit", "split"), [("char", list), ("grapheme", split_graphemes), ("word", split_words)])
@given(entries=st.lists(texts.map(lambda text: unicodedata.normalize("NFC", text)), max_size=8))
def test_units_are_counted_as_they_stand_in_the_texts(unit, split, entries):
    assert count_units(entries, unit=unit) == Counter(part for text in entries for part in split(text))
