from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from tests.made_results import share_errors

from misread.sockets import METRICS
from misread.stats import rank_over_datasets
from misread.stats.compare.ranking import assign_letters, rank_over_clusters

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


def test_one_segment_gives_ranks_without_stability(compared):
    places = compared({"a": [1], "b": [0]}).places
    assert [(place.rank, place.first) for place in places.values()] == [(1, None), (2, None)]


def test_one_system_alone_is_first(compared):
    (place,) = compared({"a": FIRST}).places.values()
    assert (place.rank, place.first, place.letters) == (1, 1.0, "a")


def test_a_system_without_a_rate_has_no_rank(compared):
    assert compared({"a": [1, 2], "b": [0, 0]}, lengths=0).places == {}


CER = METRICS["cer"]


def test_systems_are_ranked_in_every_cluster_by_its_rate():
    of = share_errors(
        {"a": [0, 2, 1, 3], "b": [1, 2, 2, 3], "c": [5, 5, 1, 1]}, clusters=[0, 0, 1, 2], cluster_name="book"
    )
    ranks = rank_over_clusters(of, CER, alpha=0.05)
    # Ranks by book: 1 2 3; 1.5 3 1.5; 2.5 2.5 1.
    found = ranks.nemenyi
    assert found.average_ranks == pytest.approx({"a": 5 / 3, "c": 5.5 / 3, "b": 7.5 / 3})
    assert list(found.average_ranks) == ["a", "c", "b"]
    assert (ranks.friedman.unit, found.blocks, ranks.dropped, found.alpha) == ("book", 3, 0, 0.05)


def test_friedman_is_that_of_scipy():
    rng = np.random.default_rng(1)
    errors = {name: rng.integers(0, 10, 12) for name in "abcd"}
    ranks = rank_over_clusters(share_errors(errors, clusters=range(12)), CER, alpha=0.05)
    assert ranks.friedman.pvalue == pytest.approx(scipy.stats.friedmanchisquare(*errors.values()).pvalue)


def test_a_cluster_where_a_rate_is_undefined_is_left_out():
    of = share_errors({key: [1, 2, 3, 4] for key in "abc"}, [10, 10, 0, 10], clusters=range(4))
    ranks = rank_over_clusters(of, CER, alpha=0.05)
    assert (ranks.nemenyi.blocks, ranks.dropped) == (3, 1)


@pytest.mark.parametrize(
    ("systems", "clusters"),
    [("ab", [0, 1, 2, 3]), ("abc", [0, 0, 0, 0]), ("abc", None)],
    ids=["systems", "few", "none"],
)
def test_with_too_little_to_rank_there_are_no_ranks(systems, clusters):
    of = share_errors({key: [1, 2, 3, 4] for key in systems}, clusters=clusters)
    assert rank_over_clusters(of, CER, alpha=0.05) is None


def dataset(**rates):
    systems = {name: {"cer": SimpleNamespace(micro=rate, direction=CER.direction)} for name, rate in rates.items()}
    return SimpleNamespace(
        statistics=SimpleNamespace(alpha=0.05), systems=systems, first_system=next(iter(systems.values()))
    )


def test_systems_with_a_rate_on_all_data_sets_are_ranked_over_them():
    results = [dataset(a=0.1, b=0.2, c=0.3, d=0.4), dataset(a=0.1, b=0.2, c=0.3), dataset(a=0.2, b=0.1, c=0.3, d=None)]
    ranks = rank_over_datasets(results, "cer")
    assert ranks.nemenyi.average_ranks == pytest.approx({"a": 4 / 3, "b": 5 / 3, "c": 3.0})
    assert (ranks.friedman.unit, ranks.nemenyi.blocks) == ("data set", 3)


def test_few_systems_or_data_sets_have_no_ranks():
    assert rank_over_datasets([dataset(a=0.1, b=0.2, c=0.3)] * 2, "cer") is None
    assert rank_over_datasets([dataset(a=0.1, b=0.2)] * 3, "cer") is None
    assert rank_over_datasets([], "cer") is None


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
