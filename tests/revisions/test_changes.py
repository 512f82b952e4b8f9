from dataclasses import replace

from misread.data.segment_table import Origin, SegmentKeys
from misread.provenance.signature import Signature
from misread.revisions.changes import Change, origin_changes, params_changes
from misread.tally.scores import Scores

SCORES = Scores(
    Origin("lines", "a", "0123456789", {"engine": "1.0", "model": "x"}),
    SegmentKeys([], None, {}),
    signatures={"cer": Signature("cer", {"unit": "char", "v": "0.1.0"})},
    normalizer="none",
    missing="error",
)


def test_settings_are_compared_leaf_by_leaf():
    before = {"systems": {"a": {"x": 1, "y": [1, 2]}}, "seed": 1}
    after = {"systems": {"a": {"x": 2, "y": [1, 2]}, "b": {"x": 1}}, "seed": 1}
    assert params_changes(before, after) == [
        Change("params", "systems.a.x", "1", "2"),
        Change("params", "systems.b.x", None, "1"),
    ]


def test_an_empty_section_is_compared_as_a_setting():
    assert params_changes({"systems": {"a": {"x": 1}}}, {"systems": {"a": {"x": 1}, "b": {}}}) == [
        Change("params", "systems.b", None, "{}")
    ]


def test_settings_that_change_no_number_are_left_out():
    assert params_changes({"report": {"digits": 1}, "data_root": "a"}, {"report": {"digits": 2}, "executor": {}}) == []


def test_versions_of_the_engine_data_normalizer_and_misread_are_compared():
    after = replace(
        SCORES,
        origin=Origin("lines", "a", "9876543210", {"engine": "2.0", "runtime": "3"}),
        signatures={"cer": Signature("cer", {"unit": "char", "v": "0.2.0"})},
        normalizer="lower@1a2b",
    )
    assert origin_changes("a", SCORES, after) == [
        Change("engine", "a.engine", "1.0", "2.0"),
        Change("engine", "a.model", "x", None),
        Change("engine", "a.runtime", None, "3"),
        Change("data", "lines", "01234567", "98765432"),
        Change("normalizer", "lines", "none", "lower@1a2b"),
        Change("version", "misread", "0.1.0", "0.2.0"),
    ]
    assert origin_changes("a", SCORES, SCORES) == []
