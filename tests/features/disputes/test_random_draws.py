"""Random draws of clusters."""

from collections import Counter

import pytest

from misread.errors import UndefinedResultError
from misread.features.disputes.random_draws import draw_clusters

CHARACTERS = {f"p{number}": 10 for number in range(20)}


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
