from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.stats.compare.ranking import assign_letters

DRAWN = np.random.default_rng(4)
FIRST = DRAWN.integers(0, 3, size=60)


def test_the_lowest_error_rate_has_rank_one_and_equal_rates_share_a_rank(compared):
    places = compared({"c": FIRST + 2, "a": FIRST, "b": FIRST + 1}).places
    assert [(name, place.rank) for name, place in places.items()] == [("a", 1), ("b", 2), ("c", 3)]
    places = compared({"a": FIRST + 1, "b": FIRST, "c": FIRST[::-1]}).places
    assert {name: place.rank for name, place in places.items()} == {"b": 1, "c": 1, "a": 3}
    places = compared({"a": FIRST, "b": FIRST}).places
    assert [place.first for place in places.values()] == [0.5, 0.5]


def test_how_often_each_is_first_adds_up_to_one_and_letters_are_those_of_the_adjusted_tests(compared):
    places = compared({"a": FIRST, "b": DRAWN.permutation(FIRST), "c": FIRST + 1}, correction="holm").places
    assert sum(place.first for place in places.values()) == pytest.approx(1)
    assert places["c"].first == 0
    assert {name: place.letters for name, place in places.items()} == {"a": "a", "b": "a", "c": "b"}
    assert [(place.highest, place.lowest) for place in places.values()] == [(1, 2), (1, 2), (3, 3)]


def test_one_segment_gives_ranks_without_stability(compared):
    places = compared({"a": [1], "b": [0]}).places
    assert [(place.rank, place.first) for place in places.values()] == [(1, None), (2, None)]


def test_a_system_without_a_rate_has_no_rank(compared):
    assert compared({"a": [1, 2], "b": [0, 0]}, lengths=0).places == {}


NAMES = [f"s{number}" for number in range(7)]
PAIRS = list(combinations(NAMES, 2))


def letters_of(text):
    """Letters, each with its number where it has one."""
    found = []
    for character in text:
        if character.isdigit():
            found[-1] += character
        else:
            found.append(character)
    return set(found)


@given(st.sets(st.sampled_from(PAIRS)))
def test_two_systems_share_a_letter_if_and_only_if_they_are_not_significantly_different(different):
    letters = assign_letters(NAMES, [frozenset(pair) for pair in different])
    for pair in PAIRS:
        shared = letters_of(letters[pair[0]]) & letters_of(letters[pair[1]])
        assert bool(shared) == (pair not in different)


@given(st.sets(st.sampled_from(PAIRS)), st.randoms())
def test_the_order_of_the_pairs_changes_nothing(different, random):
    pairs = [frozenset(pair) for pair in different]
    shuffled = random.sample(pairs, len(pairs))
    assert assign_letters(NAMES, shuffled) == assign_letters(NAMES, pairs)


def test_the_best_has_the_first_letter_and_after_z_letters_are_numbered():
    assert assign_letters(["z", "y"], [frozenset("yz")]) == {"z": "a", "y": "b"}
    systems = [f"{number:02}" for number in range(28)]
    letters = assign_letters(systems, [frozenset(pair) for pair in combinations(systems, 2)])
    assert (letters["25"], letters["26"], letters["27"]) == ("z", "a2", "b2")
