import itertools
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.records import Counts, SegmentKeys
from misread.sockets import METRICS
from misread.stats.compare.length_groups import name_lengths, with_length_groups
from misread.stats.compare.shared_segments import SharedSegments

CER = METRICS["cer"]


def shared_of(lengths, groups=None):
    counts = Counts(CER.columns, np.zeros((len(lengths), len(CER.columns)), dtype=np.int64))
    counts["length"][:] = lengths
    keys = SegmentKeys([str(number) for number in range(len(lengths))], None, groups or {})
    return SharedSegments(keys, {"a": {"cer": counts}}, None, "", 0)


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
