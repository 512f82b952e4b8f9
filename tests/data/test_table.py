import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import SegmentKeys, TextPairs
from misread.data.table import Table, read_table
from misread.data.table_columns import TableColumns
from misread.errors import ConfigurationError, InputFileError, UnknownNameError


def csv_table(folder, content, **settings):
    (folder / "t.csv").write_text(content, encoding="utf-8")
    return Table(**{"root": str(folder), "file": "t.csv", "segment_id": ["id"], "reference": "ref", **settings})


def test_a_segment_has_its_id_reference_cluster_and_groups_in_the_order_of_the_file(tmp_path):
    rows = "id,ref,page,hand,year\nb,one,p1,x,1858\na,two,p1,y,1859\n"
    segments = csv_table(tmp_path, rows, cluster="page", groups=["hand", "year"]).segments()
    assert (segments.segment_id, segments.references) == (["b", "a"], ["one", "two"])
    assert (segments.cluster, segments.cluster_name) == (["p1", "p1"], "page")
    assert segments.groups == {"hand": ["x", "y"], "year": ["1858", "1859"]}
    assert csv_table(tmp_path, rows).segments().cluster is None


def test_a_source_has_the_recorded_outputs_and_never_the_reference(tmp_path):
    source = csv_table(tmp_path, "id,ref,a,b\n1,secret,onc,\n", recorded=["a", "b"]).segments().sources()[0]
    assert source.recorded == {"a": "onc", "b": ""}
    assert "secret" not in repr(source)


def test_a_source_has_the_path_of_its_image(tmp_path):
    (tmp_path / "1.png").touch()
    segments = csv_table(tmp_path, "id,ref,image\n1,one,1.png\n", media="image").segments()
    assert segments.sources()[0].media == tmp_path / "1.png"


@pytest.mark.parametrize(
    ("rows", "settings", "message"),
    [
        ("1,1.png\n2,2.png\n", {"media": "ref"}, r"t\.csv, line 3: there is no file .*2\.png"),
        ("1,../1.png\n", {"media": "ref"}, r"t\.csv, line 2: '\.\./1\.png' leads out"),
        ("1,one\n2,two\n1,three\n", {}, r"t\.csv, line 4: segment id '1' was taken by .*t\.csv, line 2 already"),
        ("1,one\n,two\n", {}, r"t\.csv, line 3: column 'id' has no value"),
        ("1,one\n", {"segment_id": []}, r"segment_id names no column of t\.csv"),
    ],
)
def test_what_cannot_be_read_names_the_line(tmp_path, rows, settings, message):
    (tmp_path / "1.png").touch()
    with pytest.raises((InputFileError, ConfigurationError), match=message):
        csv_table(tmp_path, f"id,ref\n{rows}", **settings).segments()


@pytest.mark.parametrize(
    ("settings", "offers"),
    [
        ({}, set()),
        ({"media": "image"}, {"line_image"}),
        ({"media": "image", "medium": "audio"}, {"audio"}),
        ({"recorded": ["a", "b"]}, {"recorded:a", "recorded:b"}),
        ({"media": "image", "recorded": ["a"]}, {"line_image", "recorded:a"}),
    ],
)
def test_it_offers_its_media_and_its_recorded_outputs(settings, offers):
    assert Table(root="folder", file="t.csv", segment_id=["id"], reference="ref", **settings).offers == offers


@pytest.mark.parametrize("setting", ["reference", "cluster", "media", "segment_id", "groups", "recorded"])
def test_an_unknown_column_lists_those_there_are(tmp_path, setting):
    column = ["reff"] if setting in ("segment_id", "groups", "recorded") else "reff"
    with pytest.raises(UnknownNameError, match=r"unknown column 'reff' .*There are: id, ref\."):
        csv_table(tmp_path, "id,ref\n1,one\n", **{setting: column}).segments()


# Tables that a user names


@pytest.fixture
def file(tmp_path):
    """Write text under a name, give the path."""

    def write(name, content):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return tmp_path / name

    return write


TABLE = "id,ref,page,hand,a,b\n1,one,p1,x,onc,one\n2,two,p2,y,,twa\n"


def test_columns_become_captures_and_rows_without_ids_are_numbered_from_one(file):
    table = read_table(file("t.csv", TABLE), TableColumns(reference="ref"), {"first": "a", "second": "b"})
    assert table.keys == SegmentKeys(["1", "2"], None, {})
    assert {name: capture.texts for name, capture in table.captures().items()} == {
        "first": TextPairs(["one", "two"], ["onc", ""]),
        "second": TextPairs(["one", "two"], ["one", "twa"]),
    }


def test_ids_clusters_and_groups_come_from_their_columns(file):
    table = read_table(
        file("t.csv", TABLE),
        TableColumns(reference="ref", segment_id=["page", "id"], cluster="page", groups=["hand"]),
        {"a": "a"},
    )
    assert table.keys == SegmentKeys(["p1-1", "p2-2"], ["p1", "p2"], {"hand": ["x", "y"]})
    assert table.captures()["a"].origin.cluster_name == "page"


def test_a_null_is_a_missing_hypothesis_and_an_empty_text_an_empty_one(tmp_path):
    pq.write_table(pa.table({"ref": ["one", "two"], "a": [None, ""]}), tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", TableColumns(reference="ref"), {"a": "a"}).hypotheses["a"] == [None, ""]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('{"ref": "one", "a": "onc"}\n{"a": "two"}\n', r"t\.jsonl, line 2: column 'ref' has no value"),
        ('{"ref": "1858", "a": 1858}\n', r"t\.jsonl, line 1: column 'a' holds 1858 \(int\), expected text"),
    ],
)
def test_a_cell_without_a_text_names_its_line(file, rows, message):
    with pytest.raises(InputFileError, match=message):
        read_table(file("t.jsonl", rows), TableColumns(reference="ref"), {"a": "a"})


# The Paris trade directories, as configured.


def configured(repository, root):
    settings = yaml.safe_load((repository / "conf/datasets/das22.yaml").read_text(encoding="utf-8"))["datasets"][
        "das22"
    ]
    del settings["_target_"], settings["watched"]
    settings["root"] = settings["root"].replace("{data_root}", str(root))
    return Table(**settings)


@pytest.fixture(scope="module")
def das22(repository, data_of_every_format):
    return configured(repository, data_of_every_format)


@pytest.fixture(scope="module")
def das22_segments(das22):
    return das22.segments()


@pytest.fixture(scope="module")
def real_segments(repository, shared_data):
    return configured(repository, shared_data).segments()


def test_das22_offers_the_outputs_of_three_systems(das22):
    assert das22.offers == {"recorded:pero", "recorded:tesseract4", "recorded:kraken"}


def test_das22_has_all_its_entries_of_nine_books_and_four_empty_outputs(real_segments):
    assert (len(real_segments), len(set(real_segments.cluster))) == (4668, 9)
    assert sum(texts.count("") for texts in real_segments.hypotheses.values()) == 4


def test_das22_has_a_distinct_id_for_each_entry(das22_segments):
    assert len(set(das22_segments.segment_id)) == len(das22_segments)


def test_das22_texts_equal_those_of_the_file(das22, das22_segments):
    lines = (Path(das22.root) / das22.file).read_bytes().decode().rstrip("\n").split("\n")
    expected = [(entry["ref"], entry["pero"], entry["tesseract4"], entry["kraken"]) for entry in map(json.loads, lines)]
    outputs = (das22_segments.hypotheses[name] for name in ("pero", "tesseract4", "kraken"))
    found = list(zip(das22_segments.references, *outputs, strict=True))
    assert found == expected


@pytest.mark.parametrize(("empty", "read"), [("text", ["", "twa"]), ("missing", [None, "twa"])])
def test_a_data_set_says_what_an_empty_cell_is(file, tmp_path, empty, read):
    file("t.csv", "id,ref,a\n1,one,\n2,two,twa\n")
    table = Table(
        root=str(tmp_path), file="t.csv", segment_id=["id"], reference="ref", recorded=["a"], empty=empty
    ).segments()
    assert (table.hypotheses["a"], table.facts.empty_cells) == (read, empty)
    assert table.captures()["a"].origin.facts.empty_cells == empty
    (note,) = table.facts.notes
    assert note.startswith(
        "CSV does not distinguish an empty text from a missing one: empty cells (1 in a, of 2) are taken for"
    )


def test_an_unknown_rule_for_empty_cells_lists_those_there_are(tmp_path):
    with pytest.raises(UnknownNameError, match="'mising'"):
        Table(root=str(tmp_path), file="t.csv", segment_id=["id"], reference="ref", empty="mising")


@given(
    references=st.lists(st.sampled_from(["one", "two", ""]), min_size=1, max_size=6),
    hypotheses=st.lists(st.sampled_from(["one", "tow", ""]), min_size=6, max_size=6),
    missing=st.sampled_from(["drop", "empty"]),
)
def test_what_csv_takes_for_missing_is_what_json_lines_says_is_null(tmp_path_factory, references, hypotheses, missing):
    folder = tmp_path_factory.mktemp("table")
    rows = list(zip(references, hypotheses, strict=False))
    csv, lines = folder / "t.csv", folder / "t.jsonl"
    csv.write_text("ref,a\n" + "".join(f"{ref},{hyp}\n" for ref, hyp in rows))
    lines.write_text("".join(json.dumps({"ref": ref or None, "a": hyp or None}) + "\n" for ref, hyp in rows))
    if not any(references):
        with pytest.raises(InputFileError, match="has no value"):
            read_table(csv, TableColumns(reference="ref", empty="missing"), {"a": "a"}, missing=missing)
        return
    one = read_table(csv, TableColumns(reference="ref", empty="missing"), {"a": "a"}, missing=missing)
    other = read_table(lines, TableColumns(reference="ref"), {"a": "a"}, missing=missing)
    assert (one.keys, one.references, one.hypotheses, one.digest) == (
        *(other.keys, other.references, other.hypotheses, other.digest),
    )


# Utterances of recordings


def recordings(folder, rows, **settings):
    (folder / "talk.wav").write_bytes(b"sound")
    (folder / "talks.csv").write_text("id,text,audio,from,to\n" + rows)
    settings = {"media": "audio", "medium": "audio", "times": ["from", "to"], **settings}
    return Table(root=str(folder), file="talks.csv", segment_id=["id"], reference="text", **settings)


def test_an_utterance_is_a_part_of_a_recording(tmp_path):
    table = recordings(tmp_path, "1,one,talk.wav,0,1.5\n2,two,talk.wav,1.5,2\n").segments()
    assert [source.span for source in table.sources()] == [(0.0, 1.5), (1.5, 2.0)]


def test_times_may_be_numbers(tmp_path):
    (tmp_path / "talk.wav").write_bytes(b"sound")
    (tmp_path / "talks.jsonl").write_text('{"id": "1", "text": "one", "audio": "talk.wav", "from": 0, "to": 1.5}\n')
    table = replace(recordings(tmp_path, ""), file="talks.jsonl").segments()
    assert table.times == [(0.0, 1.5)]


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ("1,1", r"talks\.csv, line 2: the segment ends at 1 s \(to\) and begins at 1 s \(from\)"),
        ("2,1", "the segment ends at 1 s"),
        ("-1,1", r"line 2: column 'from' holds '-1', expected seconds, 0 or more"),
        ("0,soon", "column 'to' holds 'soon'"),
        ("0,", "column 'to' holds ''"),
        ("0,inf", "column 'to' holds 'inf'"),
        ("nan,1", "column 'from' holds 'nan'"),
    ],
)
def test_times_that_are_none_are_named_with_their_line(tmp_path, times, said):
    with pytest.raises(InputFileError, match=said):
        recordings(tmp_path, f"1,one,talk.wav,{times}\n").segments()


@pytest.mark.parametrize("settings", [{"times": ["from"]}, {"media": ""}, {"medium": "line_image"}])
def test_times_are_two_columns_of_a_recording(tmp_path, settings):
    with pytest.raises(ConfigurationError, match=r"times of talks\.csv are .*; expected two columns, begin and end"):
        recordings(tmp_path, "", **settings)
