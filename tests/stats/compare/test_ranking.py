import numpy as np
import pytest

DRAWN = np.random.default_rng(4)
FIRST = DRAWN.integers(0, 3, size=60)


def test_the_lowest_error_rate_has_rank_one(compared):
    places = compared({"c": FIRST + 2, "a": FIRST, "b": FIRST + 1}).places
    assert [(name, place.rank) for name, place in places.items()] == [("a", 1), ("b", 2), ("c", 3)]


def test_equal_rates_share_a_rank(compared):
    places = compared({"a": FIRST + 1, "b": FIRST, "c": FIRST[::-1]}).places
    assert {name: place.rank for name, place in places.items()} == {"b": 1, "c": 1, "a": 3}


def test_how_often_each_is_first_adds_up_to_one(compared):
    places = compared({"a": FIRST, "b": DRAWN.permutation(FIRST), "c": FIRST + 1}).places
    assert sum(place.first for place in places.values()) == pytest.approx(1)
    assert places["c"].first == 0


def test_identical_systems_share_the_first_place(compared):
    places = compared({"a": FIRST, "b": FIRST}).places
    assert [place.first for place in places.values()] == [0.5, 0.5]


def test_letters_are_those_of_the_adjusted_tests(compared):
    places = compared({"a": FIRST, "b": DRAWN.permutation(FIRST), "c": FIRST + 1}, correction="holm").places
    assert {name: place.letters for name, place in places.items()} == {"a": "a", "b": "a", "c": "b"}


def test_one_segment_gives_ranks_without_stability(compared):
    places = compared({"a": [1], "b": [0]}).places
    assert [(place.rank, place.first) for place in places.values()] == [(1, None), (2, None)]


def test_one_system_alone_is_first(compared):
    (place,) = compared({"a": FIRST}).places.values()
    assert (place.rank, place.first, place.letters) == (1, 1.0, "a")


def test_a_system_without_a_rate_has_no_rank(compared):
    assert compared({"a": [1, 2], "b": [0, 0]}, lengths=0).places == {}
