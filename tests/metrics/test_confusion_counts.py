from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.alignment import error_units, operations
from misread.metrics.confusion_counts import DELETED, INSERTED, count_confusions, sum_by_group

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
    return count_confusions(error_units(*sides, operations(*sides), unit="char"), name)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_they_are_those_of_the_specification_s_loop(pairs):
    found = confusions(pairs)
    assert {(one.reference, one.hypothesis): one.count for one in found} == by_the_specification(pairs)
    assert sorted(found, key=lambda one: (-one.count, one.reference, one.hypothesis)) == found


def script(character):
    return "Latin" if character.isascii() else "Han"


@settings(max_examples=30, deadline=None)
@given(pairs)
def test_groups_have_the_errors_of_their_characters(pairs):
    marks = {INSERTED, DELETED}
    expected = Counter()
    for sides, count in by_the_specification(pairs).items():
        expected[tuple(side if side in marks else script(side) for side in sides)] += count
    assert {(one.reference, one.hypothesis): one.count for one in confusions(pairs, script)} == expected


def test_texts_without_errors_have_none():
    assert confusions([("a", "a"), ("", "")]) == []


def test_counts_of_characters_add_up_to_those_of_their_groups():
    assert sum_by_group({"a": 3, "1": 2, "b": 1}, str.isdigit) == {False: 4, True: 2}
