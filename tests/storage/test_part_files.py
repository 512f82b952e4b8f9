"""Parts on their way from the workers that make them."""

import errno
from contextlib import contextmanager, nullcontext

import pyarrow as pa
import pytest

from misread.errors import OutputFileError
from misread.storage import parquet_writer, part_files, table_writer
from misread.storage.parquet import read_parquet
from misread.storage.parquet_writer import write_parquet
from misread.storage.part_files import move_part, read_part, take_part, write_part, writing_drawers

COLUMNS = {"length": pa.array([3, 1, 2]), "text": pa.array(["one", "", None])}

KINDS = {name: column.type for name, column in COLUMNS.items()}


def columns_of(path):
    return {name: column.to_pylist() for name, column in read_part(path).items()}


def test_a_part_is_whole_while_a_worker_that_was_taken_for_dead_still_writes_it(tmp_path, monkeypatch):
    path, new_file, seen = tmp_path / "0.scores", pa.ipc.new_file, []

    @contextmanager
    def late(file, schema):
        with new_file(file, schema) as writer:
            # It has begun when another worker does its task.
            monkeypatch.setattr(pa.ipc, "new_file", new_file)
            seen.append(path.exists())
            write_part(path, COLUMNS, kind="capture")
            seen.append(columns_of(path))
            yield writer

    monkeypatch.setattr(pa.ipc, "new_file", late)
    write_part(path, COLUMNS, kind="capture")
    whole = {"length": [3, 1, 2], "text": ["one", "", None]}
    assert [*seen, columns_of(path)] == [False, whole, whole]
    assert [*tmp_path.iterdir()] == [path]


def test_a_part_that_cannot_be_written_to_its_end_is_not_there(tmp_path, monkeypatch):
    class FullDisk:
        def write_table(self, table):
            raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(pa.ipc, "new_file", lambda file, schema: nullcontext(FullDisk()))
    with pytest.raises(OutputFileError, match=r"0\.scores cannot be written: No space left on device"):
        write_part(tmp_path / "0.scores", COLUMNS, kind="capture")
    assert [*tmp_path.iterdir()] == []


def test_drawers_are_there_when_all_are_written(tmp_path):
    with writing_drawers(tmp_path / "0.word", pa.schema(KINDS)) as put:
        for _ in range(2):
            put(pa.table(COLUMNS))
            assert not (tmp_path / "0.word").exists()
    assert columns_of(tmp_path / "0.word")["length"] == [3, 1, 2, 3, 1, 2]
    assert [*tmp_path.iterdir()] == [tmp_path / "0.word"]


def test_a_part_that_comes_when_its_stage_has_ended_makes_no_folder(tmp_path):
    with pytest.raises(OutputFileError, match=r"0\.scores cannot be written"):
        write_part(tmp_path / "gone" / "0.scores", COLUMNS, kind="capture")
    assert [*tmp_path.iterdir()] == []


def test_a_part_is_taken_once(tmp_path):
    write_part(tmp_path / "0.scores", COLUMNS, kind="capture")
    assert take_part(tmp_path / "0.scores")["length"].to_pylist() == [3, 1, 2]
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(("rows_of_a_group", "begin"), [(2, b"ARRO"), (3, b"PAR1"), (1, b"PAR1"), (4, b"ARRO")])
def test_a_part_is_encoded_by_who_makes_it_where_it_fills_row_groups(tmp_path, monkeypatch, rows_of_a_group, begin):
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", rows_of_a_group)
    write_parquet(tmp_path / "whole", COLUMNS, kind="capture", note={})
    write_part(tmp_path / "0.capture", COLUMNS, kind="capture")
    assert (tmp_path / "0.capture").read_bytes()[:4] == begin
    with table_writer(tmp_path / "moved", kind="capture") as table:
        assert move_part(tmp_path / "0.capture", table) == 3
    assert (tmp_path / "moved").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moved", "whole"]


def test_an_encoded_part_whose_table_has_its_row_groups_elsewhere_is_encoded_again(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)
    with table_writer(tmp_path / "table", kind="capture") as table:
        table.write({name: column[:1] for name, column in COLUMNS.items()})
        for number in range(2):
            write_part(tmp_path / f"{number}.capture", COLUMNS, kind="capture")
            move_part(tmp_path / f"{number}.capture", table)
        with pytest.raises(ValueError, match="1 rows wait for their row group"):
            table.append(memoryview(b""))
    content, _ = read_parquet(tmp_path / "table", kind="capture", made_by="capture")
    assert content["length"].to_pylist() == [3, 3, 1, 2, 3, 1, 2]
    assert content["text"].to_pylist() == ["one", *["one", "", None] * 2]


def test_an_encoded_part_is_not_there_before_it_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)
    monkeypatch.setattr(part_files, "encode_groups", lambda groups: (_ for _ in ()).throw(OSError(errno.ENOSPC, "")))
    with pytest.raises(OutputFileError, match=r"0\.capture cannot be written: No space left on device"):
        write_part(tmp_path / "0.capture", COLUMNS, kind="capture")
    assert [*tmp_path.iterdir()] == []
