"""Random draws of clusters and of windows."""

from collections import Counter

import pytest

from misread.errors import UndefinedResultError
from misread.features.disputes.random_draws import draw_clusters, draw_windows
from misread.features.disputes.stretches import Stretch

CHARACTERS = {f"p{number}": 10 for number in range(20)}


def windows_of(sizes):
    return {name: [Stretch(row, (turn,), (turn + 1,), False) for turn in range(size)] for row, (name, size) in sizes}


def test_as_many_whole_clusters_are_drawn_as_fit():
    drawn = draw_clusters(CHARACTERS, 55, 1, "page")
    assert len(drawn) == len({*drawn}) == 5
    assert {*drawn} <= CHARACTERS.keys()
    assert draw_clusters(CHARACTERS, 1000, 1, "page") != sorted(CHARACTERS)


def test_every_cluster_is_drawn_as_often():
    drawn = Counter(name for seed in range(1000) for name in draw_clusters(CHARACTERS, 50, seed, "page"))
    assert len(drawn) == 20
    assert all(190 < number < 310 for number in drawn.values())


def test_the_order_of_the_data_does_not_matter():
    backwards = dict(reversed(CHARACTERS.items()))
    assert draw_clusters(CHARACTERS, 55, 1, "page") == draw_clusters(backwards, 55, 1, "page")


def test_a_budget_for_less_than_two_clusters_is_refused():
    with pytest.raises(UndefinedResultError, match=r"pays for 1 of 20 pages, and a verdict takes 2.*20 characters"):
        draw_clusters(CHARACTERS, 19, 1, "page")
    with pytest.raises(UndefinedResultError, match="only one page"):
        draw_clusters({"p1": 10}, 19, 1, "page")


def test_every_window_is_drawn_with_the_same_probability_and_clusters_have_their_share():
    windows = windows_of(enumerate({"a": 40, "b": 40, "c": 20}.items()))
    draws = [draw_windows(windows, 20, seed) for seed in range(500)]
    assert {len(drawn) for drawn in draws} == {20}
    assert all(len({*drawn}) == 20 for drawn in draws)
    number = Counter(window for drawn in draws for window in drawn)
    # A fifth of 500, and six standard deviations.
    assert all(abs(number[window] - 100) < 54 for listed in windows.values() for window in listed)
    shares = Counter(tuple(sorted(Counter(window.row for window in drawn).items())) for drawn in draws)
    assert {*shares} <= {((0, 8), (1, 8), (2, 4))}


def test_all_windows_are_drawn_if_there_are_no_more():
    assert len(draw_windows(windows_of([(0, ("a", 5))]), 9, 1)) == 5
