from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.alignment import find_error_units, find_operations
from misread.metrics.confusions import DELETED, INSERTED, count_confusions, sum_by_group

texts = st.text(st.sampled_from("abO0 漢"), max_size=40)
pairs = st.lists(st.tuples(texts, texts), max_size=12)


def by_the_specification(pairs):
    """Its loop over edit operations, kept as it is written there."""
    counts = Counter()
    for reference, hypothesis in pairs:
        for kind, row, column in Levenshtein.editops(reference, hypothesis).as_list():
            expected = INSERTED if kind == "insert" else reference[row]
            counts[expected, DELETED if kind == "delete" else hypothesis[column]] += 1
    return counts


def confusions(pairs, name=None):
    sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return count_confusions(find_error_units(*sides, find_operations(*sides), unit="char"), name)


def as_counts(found):
    return {(one.reference, one.hypothesis): one.count for one in found}


@given(pairs)
def test_they_are_those_of_the_specification_s_loop(pairs):
    assert as_counts(confusions(pairs)) == by_the_specification(pairs)


@settings(max_examples=30, deadline=None)
@given(pairs)
def test_the_most_frequent_stand_first_and_equal_ones_by_code_point(pairs):
    found = list(confusions(pairs))
    last = dict.fromkeys([INSERTED, DELETED], chr(0x10FFFF))
    key = [
        (-one.count, last.get(one.reference, one.reference), last.get(one.hypothesis, one.hypothesis)) for one in found
    ]
    assert sorted(key) == key


def script(character):
    return "Latin" if character.isascii() else "Han"


@settings(max_examples=30, deadline=None)
@given(pairs)
def test_groups_have_the_errors_of_their_characters(pairs):
    marks = {INSERTED, DELETED}
    expected = Counter()
    for sides, count in by_the_specification(pairs).items():
        expected[tuple(side if side in marks else script(side) for side in sides)] += count
    assert as_counts(confusions(pairs, script)) == expected


def test_texts_without_errors_have_none():
    assert list(confusions([("a", "a"), ("", "")])) == []


def test_counts_of_characters_add_up_to_those_of_their_groups():
    assert sum_by_group({"a": 3, "1": 2, "b": 1}, str.isdigit) == {False: 4, True: 2}
