import itertools
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.made_results import share_errors

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import UnknownNameError
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS, get_metrics
from misread.stats import StatisticsSettings, compare_systems, make_group_rows, robustness_curve
from misread.stats.compare.groups import name_lengths, with_length_groups
from misread.tally import score

REFERENCES = ["abcd", "abcd", "abcd", "abcdefgh", ""]
LEVELS = ["clean", "clean", "light", "heavy", "empty"]
SYSTEMS = {"a": ["abcd", "abcx", "abxx", "abcd", "z"], "b": ["abcd", "abcd", "abcd", "abcdefgh", ""]}


@pytest.fixture(scope="module")
def result():
    keys = SegmentKeys([f"s{row}" for row in range(5)], None, {"level": LEVELS})
    scores = {}
    for name, hypotheses in SYSTEMS.items():
        capture = Capture(Origin("d", name), keys, TextPairs(REFERENCES, hypotheses), [None] * 5)
        scores[name] = score(normalize(capture, get_normalizer("none")), get_metrics(["cer", "wip"]))
    return compare_systems(
        scores, get_metrics(["cer", "wip"]), StatisticsSettings(seed=1, resamples=99), dataset="d", baseline="a"
    )


def test_every_group_of_every_system_has_its_rate_interval_and_number(result):
    rows = make_group_rows(result, "level", "cer")
    assert [(row.system, row.group, row.rate, row.segments) for row in rows] == [
        ("a", "clean", 1 / 8, 2),
        ("a", "empty", None, 1),
        ("a", "heavy", 4 / 8, 1),
        ("a", "light", 2 / 4, 1),
        ("b", "clean", 0.0, 2),
        ("b", "empty", None, 1),
        ("b", "heavy", 0.0, 1),
        ("b", "light", 0.0, 1),
    ]
    assert rows[0].interval is None
    assert [row.group for row in rows if row.is_worst] == ["heavy", "clean"]


def test_the_spread_weighs_every_group_with_a_rate_the_same(result):
    spread = result.fairness["level"]["cer"]["a"]
    rates = [1 / 8, 4 / 8, 2 / 4]
    assert (spread.groups, spread.range, spread.mean) == (3, 3 / 8, pytest.approx(statistics.mean(rates)))
    assert spread.standard_deviation == pytest.approx(statistics.pstdev(rates))
    assert (spread.worst_group, spread.best_group) == ("heavy", "clean")
    assert spread.band == "Significant disparity"


def test_where_higher_is_better_the_worst_group_is_the_lowest_and_no_band_is_named(result):
    spread = result.fairness["level"]["wip"]["a"]
    assert spread.best_group == "clean"
    assert spread.band is None


def test_a_robustness_curve_begins_at_the_clean_level(result):
    curve = robustness_curve(result, "level", "cer", clean="clean")
    assert [(row.level, row.difference) for row in curve if row.system == "a"] == [
        ("clean", 0.0),
        ("empty", None),
        ("heavy", 3 / 8),
        ("light", 3 / 8),
    ]


def test_levels_may_be_given_in_their_order(result):
    curve = robustness_curve(result, "level", "cer", clean="clean", levels=["clean", "light", "heavy"])
    assert [row.level for row in curve] == ["clean", "light", "heavy"] * 2


def test_unknown_names_list_the_choices(result):
    with pytest.raises(UnknownNameError, match=r"unknown group column 'script' in the result of 'd'"):
        make_group_rows(result, "script", "cer")
    with pytest.raises(UnknownNameError, match=r"There are: cer, wip\."):
        make_group_rows(result, "level", "wer")
    with pytest.raises(UnknownNameError, match=r"unknown level 'cleen' in group column 'level'\. Did you mean 'clean'"):
        robustness_curve(result, "level", "cer", clean="cleen")


CER = METRICS["cer"]


def shared_of(lengths, groups=None):
    return share_errors({"a": np.zeros(len(lengths))}, lengths, groups=groups)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 6))
def test_classes_are_ranges_that_do_not_overlap_and_hold_their_members(lengths, classes):
    names = name_lengths(np.array(lengths), classes)
    ranges = {name: [int(end) for end in name.split("-")] for name in set(names)}
    assert len(ranges) <= classes
    for name, length in zip(names, lengths, strict=True):
        assert ranges[name][0] <= length <= ranges[name][-1]
    ordered = sorted(ranges.values())
    assert all(below[-1] < above[0] for below, above in itertools.pairwise(ordered))


def test_a_class_is_named_by_its_smallest_and_largest_member():
    assert name_lengths(np.array([3, 40, 5, 9]), 2) == ["3-5", "9-40", "3-5", "9-40"]
    assert name_lengths(np.array([3, 3, 9, 9]), 2) == ["3", "3", "9", "9"]


def test_different_lengths_make_classes_of_equal_size():
    names = name_lengths(np.arange(100), 4)
    assert [names.count(name) for name in ("0-24", "25-49", "50-74", "75-99")] == [25] * 4


def test_the_column_stands_beside_those_of_the_data_set():
    groups = with_length_groups(shared_of(range(40), {"side": ["l"] * 40}), [CER], 4).keys.groups
    assert list(groups) == ["side", "length"]
    assert len(set(groups["length"])) == 4


def test_a_line_that_was_read_in_three_runs_is_as_long_as_in_one():
    once, thrice = shared_of(range(40)), replace(shared_of(range(0, 120, 3)), scale=3)
    assert with_length_groups(thrice, [CER], 4).keys.groups == with_length_groups(once, [CER], 4).keys.groups


def test_a_class_has_at_least_ten_segments():
    assert len(set(with_length_groups(shared_of(range(29)), [CER], 4).keys.groups["length"])) == 2


def test_equal_lengths_few_segments_no_classes_and_a_column_of_that_name_change_nothing():
    for shared, classes in (
        (shared_of([7] * 40), 4),
        (shared_of(range(19)), 4),
        (shared_of(range(40)), 0),
        (shared_of(range(40), {"length": ["long"] * 40}), 4),
    ):
        assert with_length_groups(shared, [CER], classes) is shared


def test_metrics_without_a_length_have_no_classes():
    shared = shared_of(range(40))
    assert with_length_groups(shared, [METRICS["line_accuracy"]], 4) is shared
