"""Parts on their way from the workers that make them."""

import errno
from contextlib import contextmanager, nullcontext

import pyarrow as pa
import pytest

from misread.errors import OutputFileError
from misread.storage.part_files import read_shares, take_part, write_part, write_shares

COLUMNS = {"length": pa.array([3, 1, 2]), "text": pa.array(["one", "", None])}


def columns_of(path):
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all().to_pydict()


def test_a_part_is_whole_while_a_worker_that_was_taken_for_dead_still_writes_it(tmp_path, monkeypatch):
    path, new_file, seen = tmp_path / "0.scores", pa.ipc.new_file, []

    @contextmanager
    def late(file, schema):
        with new_file(file, schema) as writer:
            # It has begun when another worker does its task.
            monkeypatch.setattr(pa.ipc, "new_file", new_file)
            seen.append(path.exists())
            write_part(path, COLUMNS)
            seen.append(columns_of(path))
            yield writer

    monkeypatch.setattr(pa.ipc, "new_file", late)
    write_part(path, COLUMNS)
    whole = {"length": [3, 1, 2], "text": ["one", "", None]}
    assert [*seen, columns_of(path)] == [False, whole, whole]
    assert [*tmp_path.iterdir()] == [path]


def test_a_part_that_cannot_be_written_to_its_end_is_not_there(tmp_path, monkeypatch):
    class FullDisk:
        def write_batch(self, batch):
            raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(pa.ipc, "new_file", lambda file, schema: nullcontext(FullDisk()))
    with pytest.raises(OutputFileError, match=r"0\.scores cannot be written: No space left on device"):
        write_part(tmp_path / "0.scores", COLUMNS)
    assert [*tmp_path.iterdir()] == []


def test_a_part_that_comes_when_its_stage_has_ended_makes_no_folder(tmp_path):
    with pytest.raises(OutputFileError, match=r"0\.scores cannot be written"):
        write_part(tmp_path / "gone" / "0.scores", COLUMNS)
    assert [*tmp_path.iterdir()] == []


def test_a_part_is_taken_once(tmp_path):
    write_part(tmp_path / "0.scores", COLUMNS)
    assert take_part(tmp_path / "0.scores")["length"].to_pylist() == [3, 1, 2]
    assert [*tmp_path.iterdir()] == []


def test_tables_of_a_file_are_read_one_by_one_or_together_and_may_be_empty(tmp_path):
    table = pa.table(COLUMNS)
    write_shares(tmp_path / "0.word", [table[:1], table[:0], table[1:]])
    shares = [read_shares(tmp_path / "0.word", numbers) for numbers in ([0], [1], [2], range(3))]
    assert [share.to_pydict()["length"] for share in shares] == [[3], [], [1, 2], [3, 1, 2]]
