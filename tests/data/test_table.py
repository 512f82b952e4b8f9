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


def test_a_segment_has_its_id_and_reference(tmp_path):
    segments = csv_table(tmp_path, "id,ref\n1,one\n2,two\n").segments()
    assert (segments.segment_id, segments.references) == (["1", "2"], ["one", "two"])


def test_segments_stay_in_the_order_of_the_file(tmp_path):
    segments = csv_table(tmp_path, "id,ref\nb,1\na,2\nc,3\n").segments()
    assert segments.segment_id == ["b", "a", "c"]


def test_a_segment_belongs_to_its_cluster(tmp_path):
    segments = csv_table(tmp_path, "id,ref,page\n1,one,p1\n2,two,p2\n", cluster="page").segments()
    assert segments.cluster == ["p1", "p2"]


def test_a_cluster_is_called_by_the_name_of_its_column(tmp_path):
    assert csv_table(tmp_path, "id,ref,page\n1,one,p1\n", cluster="page").segments().cluster_name == "page"


def test_without_a_cluster_column_there_are_no_clusters(tmp_path):
    assert csv_table(tmp_path, "id,ref\n1,one\n").segments().cluster is None


def test_a_segment_has_its_groups(tmp_path):
    segments = csv_table(tmp_path, "id,ref,hand,year\n1,one,x,1858\n", groups=["hand", "year"]).segments()
    assert segments.groups == {"hand": ["x"], "year": ["1858"]}


def test_a_source_has_the_recorded_outputs(tmp_path):
    segments = csv_table(tmp_path, "id,ref,a,b\n1,one,onc,\n", recorded=["a", "b"]).segments()
    assert segments.sources()[0].recorded == {"a": "onc", "b": ""}


def test_a_recorded_output_that_is_null_is_missing_and_not_empty(tmp_path):
    pq.write_table(pa.table({"id": [1, 2], "ref": ["one", "two"], "a": ["", None]}), tmp_path / "t.parquet")
    segments = Table(
        root=str(tmp_path), file="t.parquet", segment_id=["id"], reference="ref", recorded=["a"]
    ).segments()
    assert [source.recorded["a"] for source in segments.sources()] == ["", None]


def test_a_source_never_holds_the_reference(tmp_path):
    source = csv_table(tmp_path, "id,ref,a\n1,secret,onc\n", recorded=["a"]).segments().sources()[0]
    assert "secret" not in repr(source)


def test_a_source_has_the_path_of_its_image(tmp_path):
    (tmp_path / "1.png").touch()
    segments = csv_table(tmp_path, "id,ref,image\n1,one,1.png\n", media="image").segments()
    assert segments.sources()[0].media == tmp_path / "1.png"


def test_an_image_that_is_not_there_names_the_line(tmp_path):
    (tmp_path / "1.png").touch()
    with pytest.raises(InputFileError, match=r"t\.csv, line 3: there is no file .*2\.png"):
        csv_table(tmp_path, "id,ref,image\n1,one,1.png\n2,two,2.png\n", media="image").segments()


def test_an_image_outside_of_the_data_set_names_the_line(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "1.png").touch()
    with pytest.raises(InputFileError, match=r"t\.csv, line 2: '\.\./1\.png' leads out"):
        csv_table(tmp_path / "set", "id,ref,image\n1,one,../1.png\n", media="image").segments()


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


def test_an_id_that_occurs_twice_names_both_lines(tmp_path):
    with pytest.raises(InputFileError, match=r"t\.csv, line 4: segment id '1' was taken by .*t\.csv, line 2 already"):
        csv_table(tmp_path, "id,ref\n1,one\n2,two\n1,three\n").segments()


def test_a_missing_id_names_its_line(tmp_path):
    with pytest.raises(InputFileError, match=r"t\.csv, line 3: column 'id' has no value"):
        csv_table(tmp_path, "id,ref\n1,one\n,two\n").segments()


def test_no_column_of_ids_is_a_setting_that_cannot_be_used(tmp_path):
    with pytest.raises(ConfigurationError, match=r"segment_id names no column of t\.csv"):
        csv_table(tmp_path, "id,ref\n1,one\n", segment_id=[]).segments()


def test_a_missing_reference_names_its_line(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"id": 1, "ref": "one"}\n{"id": 2}\n')
    with pytest.raises(InputFileError, match=r"t\.jsonl, line 2: column 'ref' has no value"):
        Table(root=str(tmp_path), file="t.jsonl", segment_id=["id"], reference="ref").segments()


@pytest.mark.parametrize("setting", ["reference", "cluster", "media"])
def test_an_unknown_column_lists_those_there_are(tmp_path, setting):
    with pytest.raises(UnknownNameError, match=r"unknown column 'reff' .*There are: id, ref\."):
        csv_table(tmp_path, "id,ref\n1,one\n", **{setting: "reff"}).segments()


@pytest.mark.parametrize("setting", ["segment_id", "groups", "recorded"])
def test_an_unknown_column_in_a_list_lists_those_there_are(tmp_path, setting):
    with pytest.raises(UnknownNameError, match=r"unknown column 'reff' .*There are: id, ref\."):
        csv_table(tmp_path, "id,ref\n1,one\n", **{setting: ["reff"]}).segments()


# Tables that a user names


@pytest.fixture
def file(tmp_path):
    """Write text under a name, give the path."""

    def write(name, content):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return tmp_path / name

    return write


TABLE = "id,ref,page,hand,a,b\n1,one,p1,x,onc,one\n2,two,p2,y,,twa\n"


def test_columns_become_captures(file):
    captures = read_table(file("t.csv", TABLE), TableColumns(reference="ref"), {"first": "a", "second": "b"}).captures()
    assert {name: capture.texts for name, capture in captures.items()} == {
        "first": TextPairs(["one", "two"], ["onc", ""]),
        "second": TextPairs(["one", "two"], ["one", "twa"]),
    }


def test_rows_without_ids_are_numbered_from_one(file):
    assert read_table(file("t.csv", TABLE), TableColumns(reference="ref"), {"a": "a"}).keys == SegmentKeys(
        ["1", "2"], None, {}
    )


def test_ids_clusters_and_groups_come_from_their_columns(file):
    table = read_table(
        file("t.csv", TABLE),
        TableColumns(reference="ref", segment_id=["page", "id"], cluster="page", groups=["hand"]),
        {"a": "a"},
    )
    assert table.keys == SegmentKeys(["p1-1", "p2-2"], ["p1", "p2"], {"hand": ["x", "y"]})


def test_the_origin_knows_what_a_cluster_is_called(file):
    assert (
        read_table(file("t.csv", TABLE), TableColumns(reference="ref", cluster="page"), {"a": "a"})
        .captures()["a"]
        .origin.cluster_name
        == "page"
    )


def test_a_null_is_a_missing_hypothesis_and_an_empty_text_an_empty_one(tmp_path):
    pq.write_table(pa.table({"ref": ["one", "two"], "a": [None, ""]}), tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", TableColumns(reference="ref"), {"a": "a"}).hypotheses["a"] == [None, ""]


def test_an_id_that_occurs_twice_in_a_named_table_names_both_lines(file):
    with pytest.raises(InputFileError, match=r"line 3: segment id '1' was taken by .*line 2 already"):
        read_table(
            file("t.csv", "id,ref,a\n1,one,onc\n1,two,twa\n"),
            TableColumns(reference="ref", segment_id=["id"]),
            {"a": "a"},
        )


def test_an_unknown_column_of_a_named_table_lists_those_there_are(file):
    with pytest.raises(UnknownNameError, match=r"unknown column 'c' .*There are: a, b, hand, id, page, ref"):
        read_table(file("t.csv", TABLE), TableColumns(reference="ref"), {"c": "c"})


def test_a_missing_reference_of_a_named_table_names_its_line(file):
    with pytest.raises(InputFileError, match=r"t\.jsonl, line 2: column 'ref' has no value"):
        read_table(
            file("t.jsonl", '{"ref": "one", "a": "onc"}\n{"a": "two"}\n'), TableColumns(reference="ref"), {"a": "a"}
        )


def test_a_number_as_hypothesis_names_its_line(file):
    with pytest.raises(InputFileError, match=r"t\.jsonl, line 1: column 'a' holds 1858 \(int\), expected text"):
        read_table(file("t.jsonl", '{"ref": "1858", "a": 1858}\n'), TableColumns(reference="ref"), {"a": "a"})


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


def test_das22_has_all_its_entries(real_segments):
    assert len(real_segments) == 4668


def test_das22_has_a_distinct_id_for_each_entry(das22_segments):
    assert len(set(das22_segments.segment_id)) == len(das22_segments)


def test_das22_has_nine_books(real_segments):
    assert len(set(real_segments.cluster)) == 9


def test_das22_texts_equal_those_of_the_file(das22, das22_segments):
    lines = (Path(das22.root) / das22.file).read_bytes().decode().rstrip("\n").split("\n")
    expected = [(entry["ref"], entry["pero"], entry["tesseract4"], entry["kraken"]) for entry in map(json.loads, lines)]
    outputs = (das22_segments.hypotheses[name] for name in ("pero", "tesseract4", "kraken"))
    found = list(zip(das22_segments.references, *outputs, strict=True))
    assert found == expected


def test_das22_has_an_output_of_every_system_for_every_entry(das22_segments):
    assert all(None not in texts for texts in das22_segments.hypotheses.values())


def test_das22_has_four_empty_outputs(real_segments):
    assert sum(texts.count("") for texts in real_segments.hypotheses.values()) == 4


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
