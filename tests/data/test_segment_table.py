from dataclasses import replace
from pathlib import Path

import pytest

from misread.data.segment_table import SegmentKeys, SegmentTable, Source, TextFacts, TextPairs
from misread.errors import LengthMismatchError

TABLE = SegmentTable(
    name="lines",
    digest="0123",
    segment_id=["1", "2"],
    references=["one", "two"],
    cluster=["p1", "p1"],
    cluster_name="page",
    groups={"hand": ["x", "y"]},
    media=[Path("1.png"), Path("2.png")],
    times=[(0.0, 1.0), (1.0, 2.0)],
    hypotheses={"a": ["onc", None], "b": ["", "two"]},
    facts=TextFacts(alternatives="references", notes=["Of all."]),
    notes_on_hypotheses={"a": ["Of a."]},
)


def test_every_system_has_a_capture_of_its_own_with_the_same_references():
    captures = TABLE.captures()
    assert {system: capture.texts for system, capture in captures.items()} == {
        "a": TextPairs(["one", "two"], ["onc", None]),
        "b": TextPairs(["one", "two"], ["", "two"]),
    }
    assert captures["b"].segments == SegmentKeys(["1", "2"], ["p1", "p1"], {"hand": ["x", "y"]})
    assert captures["b"].reasons == [None, None]


def test_labels_that_look_alike_are_one_cluster_or_group_and_a_note_says_so():
    table = replace(
        TABLE.take([0] * 6),
        cluster=["Zo\u00eb", "Zoe\u0308", "p ", " p", "q ", "r"],
        groups={"hand": ["x", "y", "x\t", "x", "y", "y"], "side": ["l"] * 6},
    )
    capture = table.captures()["b"]
    assert capture.segments.cluster == ["Zo\u00eb", "Zo\u00eb", "p", "p", "q ", "r"]
    assert capture.segments.groups == {"hand": ["x", "y", "x", "x", "y", "y"], "side": ["l"] * 6}
    _, pages, hands = capture.origin.facts.notes
    assert pages.startswith("page: 6 labels are taken for 4, as some differ only in blanks at their ends or in Unicode")
    assert hands.startswith("hand: 3 labels are taken for 2, ")
    assert hands.endswith("(the first is 'x').")
    assert TABLE.with_joined_labels() is TABLE


def test_a_capture_knows_where_it_comes_from_and_the_notes_on_its_texts():
    a, b = (capture.origin for capture in TABLE.captures().values())
    assert (a.dataset, a.system, a.data_digest, a.cluster_name) == ("lines", "a", "0123", "page")
    assert (a.facts.alternatives, a.facts.notes, b.facts.notes) == ("references", ("Of all.", "Of a."), ("Of all.",))


def test_a_source_is_the_image_and_the_outputs_of_one_segment_without_its_reference():
    assert TABLE.sources()[1] == Source("2", Path("2.png"), {"a": None, "b": "two"}, span=(1.0, 2.0))
    assert replace(TABLE, media=None).sources()[0].media is None
    for table in (TABLE, replace(TABLE, media=None), replace(TABLE, hypotheses={}), SegmentTable()):
        assert list(table.sources()) == [table.sources()[row] for row in range(len(table))]
    assert TABLE.sources(recorded=False)[1] == replace(TABLE.sources()[1], recorded={})
    assert [source.segment_id for source in TABLE.sources()[::-1]] == ["2", "1"]


def test_a_source_is_the_part_of_the_image_or_of_the_recording_that_is_the_segment():
    areas = [((0, 0), (9, 0), (9, 5)), ((0, 5), (9, 5), (9, 9))]
    assert [source.area for source in replace(TABLE, areas=areas).sources()] == areas
    # Times of texts alone are not those of a recording.
    assert replace(TABLE, media=None).sources()[0].span is None


def test_a_table_without_segments_has_no_sources():
    assert (len(SegmentTable()), list(SegmentTable().sources()), SegmentTable().captures()) == (0, [], {})


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"references": ["one"]}, "references"),
        ({"cluster": ["p1"]}, "cluster"),
        ({"media": [Path("1.png")]}, "media"),
        ({"times": [(0.0, 1.0)]}, "times"),
        ({"groups": {"hand": ["x"]}}, r"groups\['hand'\]"),
        ({"hypotheses": {"a": ["one"]}}, r"hypotheses\['a'\]"),
    ],
)
def test_a_column_of_another_length_is_named_with_both_lengths(columns, name):
    with pytest.raises(LengthMismatchError, match=rf"segment_id has 2 entries and {name} has 1; "):
        replace(TABLE, **columns)
