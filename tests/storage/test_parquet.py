import json
import random
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.golden.examples import STAGE_KINDS
from tools.fuzz.running import check
from tools.fuzz.study_files import stage_targets

from misread.errors import InputFileError
from misread.storage import parquet_writer, read_capture
from misread.storage.parquet import (
    CHECKSUM,
    NOTE,
    StoredTable,
    checksum_of,
    read_columns,
    read_note,
    read_parquet,
    reads_stage,
)
from misread.storage.parquet_writer import write_parquet


def write(path, *, texts=("a", None, "é"), kind="capture", note=None):
    write_parquet(path, {"text": pa.array(texts, pa.string())}, kind=kind, note=note or {})


def read(path):
    return read_parquet(path, kind="capture", made_by="capture")


def write_noted(path, note):
    """A table of one text with this note and its checksum."""
    table = pa.table({"text": ["a"]})
    checksum = checksum_of(note.encode(), table.schema, [1])
    pq.write_table(table.replace_schema_metadata({NOTE: note, CHECKSUM: checksum}), path)


def write_half(path):
    write(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_columns_and_note_are_read_as_written(tmp_path):
    write(tmp_path / "x.parquet", note={"origin": {"dataset": "é", "n": 3}})
    table, note = read(tmp_path / "x.parquet")
    assert table.to_pydict() == {"text": ["a", None, "é"]}
    assert note == {"kind": "capture", "format": 1, "origin": {"dataset": "é", "n": 3}}


def test_same_content_gives_the_same_bytes(tmp_path):
    write(tmp_path / "one.parquet", note={"a": 1, "b": 2})
    write(tmp_path / "two.parquet", note={"b": 2, "a": 1})
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_columns_of_unequal_length_leave_the_old_file(tmp_path):
    write(tmp_path / "x.parquet")
    before = (tmp_path / "x.parquet").read_bytes()
    with pytest.raises(pa.ArrowInvalid):
        write_parquet(tmp_path / "x.parquet", {"a": pa.array([1]), "b": pa.array([1, 2])}, kind="capture", note={})
    assert (tmp_path / "x.parquet").read_bytes() == before


def test_a_note_that_json_does_not_know_is_refused(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write(tmp_path / "x.parquet", note={"rate": float("nan")})


@pytest.mark.parametrize(
    ("write_file", "said"),
    [
        (lambda path: None, r"x\.parquet is not there"),
        (partial(write, kind="scores"), "is a file of kind 'scores', expected 'capture'"),
        (
            partial(write_noted, note=json.dumps({"kind": "capture", "format": 2})),
            "has layout 2, this version reads layout 1; upgrade misread .*or",
        ),
        (partial(pq.write_table, pa.table({"text": ["a"]})), "was not written by misread"),
        (write_half, r"x\.parquet is not a readable Parquet file .*"),
        *(
            (partial(Path.write_bytes, data=content), r"x\.parquet is not a readable Parquet file .*")
            for content in (b"", b"id,text\n1,one\n", b"PAR1PAR1")
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_stage_that_makes_it(tmp_path, write_file, said):
    write_file(tmp_path / "x.parquet")
    with pytest.raises(InputFileError, match=said + r".* run `dvc repro capture`"):
        read(tmp_path / "x.parquet")


def test_a_note_that_is_nested_beyond_what_can_be_read_is_refused(tmp_path):
    write_noted(tmp_path / "x.parquet", "[" * 100_000)
    with pytest.raises(InputFileError, match=r"nested too deeply.*run `dvc repro stages/captures/dvc.yaml`"):
        read_capture(tmp_path / "x.parquet")
    with pytest.raises(InputFileError, match=r"x\.parquet is not a Parquet file with a note .*nested too deeply"):
        read_note(tmp_path / "x.parquet")


def test_texts_that_seldom_repeat_have_no_dictionary(tmp_path):
    columns = {name: pa.array(["a", "b"]) for name in ("segment_id", "hypothesis_normalized@2", "cluster")}
    write_parquet(tmp_path / "x.parquet", columns, kind="normalized", note={})
    group = pq.read_metadata(tmp_path / "x.parquet").row_group(0)
    written = {group.column(place).path_in_schema: group.column(place).encodings for place in range(3)}
    assert {name for name, encodings in written.items() if "RLE_DICTIONARY" in encodings} == {"cluster"}


def test_numbers_are_written_as_steps_and_not_by_a_dictionary(tmp_path):
    write_parquet(tmp_path / "x.parquet", {"cer.errors": pa.array([1, 2, 1])}, kind="scores", note={})
    assert "DELTA_BINARY_PACKED" in pq.read_metadata(tmp_path / "x.parquet").row_group(0).column(0).encodings


@pytest.mark.parametrize("numbers", [[0, 2**63 - 1, -(2**63), 5], [7] * 1000, []])
def test_numbers_of_any_size_are_read_as_written(tmp_path, numbers):
    write_parquet(tmp_path / "x.parquet", {"cer.errors": pa.array(numbers, pa.int64())}, kind="scores", note={})
    table, _ = read_parquet(tmp_path / "x.parquet", kind="scores", made_by="score")
    assert table["cer.errors"].to_pylist() == numbers


@pytest.mark.parametrize(
    ("name", "kind"), [("cer.errors", pa.int64()), ("segment_id", pa.string()), ("reference_digest", pa.string())]
)
def test_no_count_and_no_text_of_scores_may_be_missing(tmp_path, name, kind):
    with pytest.raises(ValueError, match=f"'{name}' with null values"):
        write_parquet(tmp_path / "x.parquet", {name: pa.array([None], kind)}, kind="scores", note={})


def test_a_label_of_scores_may_be_missing(tmp_path):
    labels = {"group.side": pa.array(["left", None]), "cluster": pa.array([None, "a"])}
    write_parquet(tmp_path / "x.parquet", labels, kind="scores", note={})
    table, _ = read_parquet(tmp_path / "x.parquet", kind="scores", made_by="score")
    assert table.to_pydict() == {"group.side": ["left", None], "cluster": [None, "a"]}


def test_row_groups_do_not_depend_on_what_lies_behind_a_null(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_writer, "_GROUP_BYTES", 4)
    bounds, data = pa.array([0, 1, 3, 4, 6], pa.int32()).buffers()[1], pa.py_buffer(b"abbcdd")
    hidden = pa.StringArray.from_buffers(4, bounds, data, pa.py_buffer(b"\x0d"))
    for name, texts in (("one", hidden), ("two", pa.array(["a", None, "c", "dd"]))):
        write_parquet(tmp_path / name, {"text": texts}, kind="capture", note={})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert pq.read_metadata(tmp_path / "one").num_row_groups == 1


@pytest.mark.slow
def test_no_damage_to_the_head_of_a_page_makes_a_column_shorter(tmp_path):
    """Checksums are of pages without their heads, and Arrow passes over what says that it is another kind of page."""
    path = tmp_path / "segments.parquet"
    columns = {"segment_id": pa.array([f"l{row}" for row in range(9)]), "cluster": pa.array(list("aaabbbccc"))}
    write_parquet(path, columns, kind="segments", note={})
    content = path.read_bytes()

    def read_columns_alone():
        table = StoredTable(path, kind="segments", made_by="segments")
        return {name: table.column(name)[:].to_pylist() for name in columns}

    def read_batches():
        found = {name: [] for name in columns}
        for name, texts in found.items():
            for batch in read_columns(path, [name], kind="segments", made_by="segments"):
                texts.extend(batch[name].to_pylist())
        return found

    def read_some():
        table, _ = read_parquet(path, kind="segments", made_by="segments", without=["cluster"], rows=np.arange(9))
        return {**expected, "segment_id": table["segment_id"].to_pylist()}

    expected = {name: column.to_pylist() for name, column in columns.items()}
    said = set()
    for place, bit in product(range(4, 40), range(8)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
        for read in (read_columns_alone, read_batches, read_some):
            try:
                assert read() == expected
            except InputFileError as error:
                said.add(str(error))
    assert any("is not a readable Parquet file (it has fewer rows than it says)" in each for each in said)
    assert all(each.endswith("run `dvc repro segments` to make it again.") for each in said)


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_any_changed_bit_is_refused_or_changes_nothing(tmp_path, bit):
    path = tmp_path / "x.parquet"
    columns = {"errors": pa.array(range(40), pa.int64()), "text": pa.array([f"line {row}" for row in range(40)])}
    write_parquet(path, columns, kind="capture", note={"normalizer": "lower"})
    whole, expected = path.read_bytes(), read(path)
    said = []
    with path.open("r+b", buffering=0) as file:
        # Much faster than to write the whole file.
        def put(place, byte):
            file.seek(place)
            file.write(bytes([byte]))

        for place, byte in enumerate(whole):
            put(place, byte ^ 1 << bit)
            try:
                assert read(path) == expected
            except InputFileError as error:
                said.append(str(error))
            put(place, byte)
    assert len(said) > 0.5 * len(whole)
    assert all("run `dvc repro capture` to make it again" in line and "\n" not in line for line in said)


INPUTS = 25


@pytest.fixture(scope="module")
def stage_files():
    return {target.name: target for target in stage_targets()}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*STAGE_KINDS, "json"])
def test_changed_files_are_read_or_refused_by_the_documented_error(stage_files, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    target = stage_files[name]
    assert check(target, target.samples[0], tmp_path) is None
    for number in range(INPUTS):
        data = target.make(random.Random(f"test {number}"))
        assert not check(target, data, tmp_path), f"input {number}"


@pytest.mark.parametrize(
    "error", [KeyError("cer.errors"), TypeError("no\nlist"), OverflowError(), NotImplementedError()]
)
def test_what_a_reader_stumbles_over_names_the_file_and_the_stage(tmp_path, error):
    @reads_stage("score")
    def read(path):
        raise error

    with pytest.raises(InputFileError, match=r"counts\.parquet was written by another version .* `dvc repro score`"):
        read(tmp_path / "counts.parquet")


def test_an_error_that_says_more_is_left_as_it_is(tmp_path):
    @reads_stage("score")
    def read(path):
        raise InputFileError("it is cut short")

    with pytest.raises(InputFileError, match=r"^it is cut short$"):
        read(tmp_path / "counts.parquet")
