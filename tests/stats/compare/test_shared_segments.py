import itertools
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.made_results import share_errors

from misread.data.segment_table import Origin, SegmentKeys
from misread.errors import UndefinedResultError
from misread.provenance.signature import Signature
from misread.sockets import METRICS
from misread.stats.bootstrap.resampling import cluster_rows
from misread.stats.compare.shared_segments import name_lengths, number_labels, share_segments
from misread.tally.scores import Counts, Scores
from misread.text import arrow
from misread.text.arrow import ArrowTexts

SIGNATURES = {"cer": Signature("cer", {"v": "1"})}


def scores(ids, clusters=None, cluster_name="page", groups=None, excluded=0, digests=None, missing="drop"):
    counts = np.array([[int(key[1:]), 10] for key in ids], dtype=np.int64).reshape(-1, 2)
    keys = SegmentKeys(ids, clusters, groups or {})
    origin = Origin("books", "any", cluster_name=cluster_name)
    return Scores(
        origin,
        keys,
        counts={"cer": Counts(("errors", "length"), counts)},
        signatures=SIGNATURES,
        normalizer="none",
        reference_digest=digests or ["d"] * len(ids),
        missing=missing,
        excluded=excluded,
    )


def test_segments_are_sorted_by_id_with_their_counts_for_every_system():
    shared = share_segments({"a": scores(["s3", "s1", "s2"]), "b": scores(["s2", "s3", "s1"])})
    assert list(shared.keys.segment_id) == ["s1", "s2", "s3"]
    assert [shared.counts[name]["cer"]["errors"].tolist() for name in "ab"] == [[1, 2, 3]] * 2


def test_only_common_segments_stay_and_others_are_counted_once():
    shared = share_segments({"a": scores(["s1", "s2"]), "b": scores(["s2", "s3"])})
    assert (list(shared.keys.segment_id), shared.excluded) == (["s2"], 2)
    # One that a policy left out of a system is the one that it lacks.
    assert share_segments({"a": scores(["s1", "s2"], excluded=1), "b": scores(["s1", "s2", "s3"])}).excluded == 1


def test_clusters_are_numbered_by_their_sorted_names():
    shared = share_segments({"a": scores(["s1", "s2", "s3"], clusters=["z", "a", "z"])})
    assert shared.cluster_codes.tolist() == [1, 0, 1]


def test_clusters_are_those_of_the_segments_that_are_left():
    shared = share_segments({"a": scores(["s1", "s2"], clusters=["p", "q"]), "b": scores(["s1"], clusters=["p"])})
    assert shared.clusters == 1


@pytest.mark.parametrize(
    ("clusters", "name", "unit"), [(["p"], "page", "page"), (["p"], "", "cluster"), (None, "page", "segment")]
)
def test_the_unit_of_resampling_is_the_cluster_by_its_name_or_the_segment(clusters, name, unit):
    shared = share_segments({"a": scores(["s1"], clusters=clusters, cluster_name=name)})
    assert (shared.resampling_unit, shared.clusters) == (unit, clusters and 1)


def test_a_group_keeps_its_segments_counts_and_clusters():
    groups = {"side": ["l", "r", "l"]}
    shared = share_segments({"a": scores(["s1", "s2", "s3"], clusters=["p", "q", "r"], groups=groups)})
    part = dict(shared.split("side"))["l"]
    assert list(part.keys.segment_id) == ["s1", "s3"]
    assert part.counts["a"]["cer"]["errors"].tolist() == [1, 3]
    assert part.clusters == 2


def test_a_group_named_like_a_number_is_found():
    shared = share_segments({"a": scores(["s1", "s2"], groups={"year": ["1858", "1859"]})})
    assert len(dict(shared.split("year"))["1858"].keys) == 1


@pytest.mark.parametrize(
    ("ids", "changes", "message"),
    [
        (["s2", "s1"], {"digests": ["e", "d"]}, "segment 's2' has one reference for a and another for b"),
        (["s3"], {}, "a, b have no segment in common"),
        (["s1"], {"missing": "empty"}, r"a .*missing: drop.* b .*missing: empty"),
    ],
)
def test_other_references_and_policies_are_refused(ids, changes, message):
    with pytest.raises(UndefinedResultError, match=message):
        share_segments({"a": scores(["s1", "s2"]), "b": scores(ids, **changes)})


def test_another_reference_outside_the_common_segments_does_not_matter():
    shared = share_segments({"a": scores(["s1", "s2"]), "b": scores(["s1", "s3"], digests=["d", "e"])})
    assert len(shared.keys) == 1


def test_counts_of_a_unit_are_the_sums_of_its_segments_in_the_order_of_names():
    shared = share_segments({"a": scores(["s1", "s4", "s2", "s3"], clusters=["z", "a", "z", "a"])})
    assert (list(shared.unit_names), shared.unit_counts("a", "cer").tolist()) == (["a", "z"], [[7, 20], [3, 20]])
    assert shared.unit_counts("a", "cer") is shared.unit_counts("a", "cer")


def test_units_are_numbered_without_gaps_where_one_is_left_out():
    shared = share_segments({"a": scores(["s1", "s2", "s3", "s4"], clusters=["b", "a", "c", "b"])})
    rest = shared.without(1)
    sums = cluster_rows(rest.counts["a"]["cer"].values, rest.cluster_codes)
    assert rest.unit_counts("a", "cer").tolist() == sums.tolist()
    assert (rest.clusters, rest.unit_codes.tolist(), list(rest.keys.segment_id)) == (2, [0, 1], ["s2", "s3"])
    assert list(rest.unit_names) == ["a", "c"]


@pytest.mark.parametrize("as_read", [list, lambda names: ArrowTexts(pa.array(names), "names")])
def test_groups_of_the_rest_are_those_of_its_segments(as_read):
    ids = ["s1", "s2", "s3"]
    shared = share_segments({"a": scores(ids, groups={"hand": as_read(["y", "x", "y"]), "print": as_read(["p"] * 3)})})
    rest = shared.without(0)
    assert rest.codes("hand").tolist() == [0, 1]
    assert {name: list(part.keys.segment_id) for name, part in rest.split("hand")} == {"x": ["s2"], "y": ["s3"]}


def test_the_rest_of_a_pair_has_the_counts_of_one_metric_alone():
    shared = share_segments({name: scores(["s1", "s2"]) for name in "abc"})
    rest = shared.only(["c", "a"], "cer").without(0)
    assert {name: [*of] for name, of in rest.counts.items()} == {"c": ["cer"], "a": ["cer"]}
    assert rest.counts["a"]["cer"].values.tolist() == [[2, 10]]


LABELS = st.lists(st.text(st.characters(codec="utf-8"), max_size=3), max_size=30)


@given(LABELS)
def test_labels_are_numbered_in_the_order_of_their_characters(labels):
    names, numbers = number_labels(labels)
    assert names == sorted({*labels})
    assert [names[number] for number in numbers] == labels


@given(LABELS)
def test_labels_in_arrow_buffers_have_the_same_numbers(labels):
    names, numbers = number_labels(labels)
    of_arrow = number_labels(ArrowTexts.of(pa.array(labels, pa.large_string())))
    assert (of_arrow[0], of_arrow[1].tolist()) == (names, numbers.tolist())


@given(LABELS)
def test_texts_ascend_as_python_sorts_them(labels):
    texts = ArrowTexts.of(pa.array(labels, pa.large_string()))
    assert [labels[row] for row in texts.ascending()] == sorted(labels)


def test_of_very_many_texts_no_string_is_kept(monkeypatch):
    monkeypatch.setattr(arrow, "KEPT", 3)
    monkeypatch.setattr(arrow, "AT_A_TIME", 2)
    labels = ["d", "a", "c", "b", "é"]
    texts = ArrowTexts.of(pa.array(labels, pa.large_string()))
    assert (list(texts), texts[-1], texts[1:3] == ["a", "c"], "é" in texts, "x" in texts) == (
        labels,
        "é",
        True,
        True,
        False,
    )
    assert "_strings" not in vars(texts)


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
    groups = shared_of(range(40), {"side": ["l"] * 40}).with_length_groups([CER], 4).keys.groups
    assert list(groups) == ["side", "length"]
    assert len(set(groups["length"])) == 4


def test_a_line_that_was_read_in_three_runs_is_as_long_as_in_one():
    once, thrice = shared_of(range(40)), replace(shared_of(range(0, 120, 3)), scale=3)
    assert thrice.with_length_groups([CER], 4).keys.groups == once.with_length_groups([CER], 4).keys.groups


def test_a_class_has_at_least_ten_segments():
    assert len(set(shared_of(range(29)).with_length_groups([CER], 4).keys.groups["length"])) == 2


def test_equal_lengths_few_segments_no_classes_and_a_column_of_that_name_change_nothing():
    for shared, classes in (
        (shared_of([7] * 40), 4),
        (shared_of(range(19)), 4),
        (shared_of(range(40)), 0),
        (shared_of(range(40), {"length": ["long"] * 40}), 4),
    ):
        assert shared.with_length_groups([CER], classes) is shared


def test_metrics_without_a_length_have_no_classes():
    shared = shared_of(range(40))
    assert shared.with_length_groups([METRICS["line_accuracy"]], 4) is shared
