"""Clusters and groups from a table of ids."""

import pytest

from misread.data import with_labels
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError, UnknownNameError


@pytest.fixture
def ids(tmp_path):
    """Write a table; give its path."""

    def ids(*rows, name="ids.csv"):
        path = tmp_path / name
        path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        return path

    return ids


def segments(*names):
    return SegmentTable(segment_id=list(names), references=["x"] * len(names), groups={"kind": ["k"] * len(names)})


def test_segments_take_their_columns_by_id_in_any_order(ids):
    path = ids("id,writer,century", "b,Eva,18", "c,Ida,19", "a,Ada,18")
    table = with_labels(segments("a", "b"), path, cluster="writer", groups=["century"])
    assert (table.cluster, table.cluster_name) == (["Ada", "Eva"], "writer")
    assert table.groups == {"kind": ["k", "k"], "century": ["18", "18"]}


@pytest.mark.parametrize(
    ("row", "segment"),
    [
        ("p1", "p1"),
        ("p1", "p1#l1"),
        ("p1.xml", "p1#l1"),
        ("p1.gt.txt", "p1"),
        ("p1", "p1.xml"),
        ("x/p1", "x/p1#r1l1"),
        ("p1#l1", "p1#l1"),
        ("M\u00fcll", "Mu\u0308ll#l1"),
    ],
)
def test_a_row_for_a_file_is_that_of_all_its_parts(ids, row, segment):
    assert with_labels(segments(segment), ids("id,w", f"{row},Ada"), cluster="w").cluster == ["Ada"]


def test_a_row_for_a_part_goes_before_that_of_its_file(ids):
    path = ids("page;w".replace(";", ","), "p1,Ada", "p1#l2,Eva")
    assert with_labels(segments("p1#l1", "p1#l2"), path, id_column="page", cluster="w").cluster == ["Ada", "Eva"]


def test_versions_are_not_endings_where_two_would_be_the_same(ids):
    with pytest.raises(
        InputFileError, match=r"ids\.csv: column 'id' has no row for 1 of 1 segments \(v1\); it has v1\.0"
    ):
        with_labels(segments("v1"), ids("id,w", "v1.0,a", "v1.5,b"), cluster="w")


@pytest.mark.parametrize(
    ("rows", "settings", "error", "message"),
    [
        (["id,w", "a,x"], {"cluster": "w"}, InputFileError, r"no row for 1 of 2 segments \(b\); it has a\."),
        (["id,w", "a,x", "b,"], {"cluster": "w"}, InputFileError, r"line 3: column 'w' has no value"),
        (["id,w", "a,x", "a,y"], {"cluster": "w"}, InputFileError, r"line 3: segment id 'a' was taken"),
        (["name,w", "a,x"], {"cluster": "w"}, UnknownNameError, r"unknown column 'id'.*There are: name, w"),
        (["id,w", "a,x", "b,y"], {"cluster": "v"}, UnknownNameError, r"unknown column 'v'.*There are: id, w"),
        (["id,w", "a,x"], {}, ConfigurationError, r"give cluster or groups, columns of this table"),
    ],
)
def test_what_does_not_fit_is_refused(ids, rows, settings, error, message):
    with pytest.raises(error, match=message):
        with_labels(segments("a", "b"), ids(*rows), **settings)
