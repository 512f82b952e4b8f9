"""Disputed words and changes without parallel, against counts word by word."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.features.recitation.disputed_words import find_change, find_disputed
from misread.features.recitation.read_words import ReadWords

WORDS = st.text("abc", min_size=1, max_size=3)


@given(WORDS, WORDS)
def test_a_change_is_what_is_left_between_common_ends(reference, reading):
    left, right = find_change(reference, reading)
    assert (left == right == "") == (reference == reading)
    starts = range(len(reference) + 1)
    assert any(reference[:at] + right + reference[at + len(left) :] == reading for at in starts)
    # Nothing more can be taken off at an end.
    assert not (left and right) or (left[0] != right[0] and left[-1] != right[-1])


@st.composite
def readings(draw):
    systems, number = draw(st.integers(3, 4)), draw(st.integers(1, 25))
    vocabulary = ["ab", "abb", "cab", "bca", "c", "cc"]
    codes = st.integers(0, len(vocabulary) - 1)
    # Most readings are right.
    references = np.array(draw(st.lists(codes, min_size=number, max_size=number)), np.int64)
    other = np.array([draw(st.lists(codes, min_size=number, max_size=number)) for _ in range(systems)], np.int64)
    wrong = np.array([draw(st.lists(st.booleans(), min_size=number, max_size=number)) for _ in range(systems)])
    plain = np.array(
        [draw(st.lists(st.sampled_from([True, True, False]), min_size=number, max_size=number)) for _ in range(systems)]
    )
    read = np.where(wrong, other, references)
    return ReadWords(vocabulary, np.zeros(number, np.int64), references, read, np.zeros_like(read), plain)


@given(readings(), st.integers(0, 2))
def test_counts_are_those_word_by_word(words, system):
    others = [other for other in range(len(words.readings)) if other != system]
    disputed, agreements, misreadings = [], [], {other: [] for other in others}
    confirmed = departures = 0
    for at, reference in enumerate(words.references):
        read = {other: words.readings[other][at] for other in others}
        if not all(words.plain[other][at] for other in others):
            continue
        right = words.readings[system][at] == reference
        if set(read.values()) == {reference}:
            confirmed, departures = confirmed + 1, departures + (not right)
        elif len(set(read.values())) == 1:
            disputed.append(at)
            if right:
                agreements.append((at, change(words, at, read[others[0]])))
        elif right:
            for other, reading in read.items():
                if reading != reference:
                    misreadings[other].append((at, change(words, at, reading)))
    by_others = {entry for entries in misreadings.values() for entry in entries}
    places = Counter(kind for _, kind in by_others)
    all_places = Counter(kind for _, kind in {*by_others, *agreements})

    counted = find_disputed(words, system)
    assert (counted.confirmed, counted.departures) == (confirmed, departures)
    assert counted.disputed.tolist() == disputed
    assert counted.agreements.words.tolist() == [at for at, _ in agreements]
    assert counted.agreements.unparalleled.tolist() == [places[kind] == 0 for _, kind in agreements]
    assert counted.agreements.unique.tolist() == [all_places[kind] == 1 for _, kind in agreements]
    assert [size + 1 for size in counted.agreements.sizes] == [min(3, max(map(len, kind))) for _, kind in agreements]
    for changes, other in zip(counted.misreadings, others, strict=True):
        assert changes.words.tolist() == [at for at, _ in misreadings[other]]
        assert changes.unparalleled.tolist() == [places[kind] == 1 for _, kind in misreadings[other]]
        assert changes.unique.tolist() == [all_places[kind] == 1 for _, kind in misreadings[other]]


def change(words, at, reading):
    return find_change(words.vocabulary[words.references[at]], words.vocabulary[reading])
