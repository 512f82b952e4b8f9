import errno
import os
import re
import resource
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from misread.errors import OutputFileError
from misread.io.atomic import naming, replacing, temporary_folder, write_folder


@contextmanager
def room_for(size):
    """No file may grow beyond so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


class InterruptionError(Exception):
    """Stands for whatever goes wrong while a file is written."""


def write_half_of(path):
    with replacing(path) as temporary:
        temporary.write_text("new, but only ha")
        raise InterruptionError


def test_the_file_and_its_folders_are_there_after_the_block_and_a_hidden_one_before_it(tmp_path):
    path = tmp_path / "a" / "b" / "new.txt"
    with replacing(path) as temporary:
        temporary.write_text("whole")
        assert not path.exists()
        assert temporary.name.startswith(".")
    assert contents(path.parent) == {"new.txt": "whole"}


@pytest.mark.parametrize("before", [{"kept.txt": "old"}, {}])
def test_an_error_inside_leaves_what_there_was(tmp_path, before):
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InterruptionError):
        write_half_of(tmp_path / "kept.txt")
    assert contents(tmp_path) == before


def test_what_a_killed_process_was_writing_is_gone_after_the_next_writing(tmp_path):
    (tmp_path / ".new.txt.part").write_text("half of something far longer than what is written now")
    with replacing(tmp_path / "new.txt") as temporary:
        temporary.write_text("whole")
    assert contents(tmp_path) == {"new.txt": "whole"}


def test_two_that_write_one_file_do_not_write_into_each_other(tmp_path):
    path = tmp_path / "new.txt"
    with replacing(path) as first, replacing(path) as second:
        first.write_text("first")
        second.write_text("second")
    assert contents(tmp_path) == {"new.txt": "first"}


def test_a_full_disk_is_an_answer_and_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    said = pytest.raises(OutputFileError, match=r"kept\.txt cannot be written: File too large\.$")
    with said, room_for(9), replacing(path) as temporary:
        temporary.write_text("far more than nine bytes")
    assert contents(tmp_path) == {"kept.txt": "old"}


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    said = pytest.raises(OutputFileError, match=r"file/new\.txt cannot be written: .*/file is a file, not a folder\.")
    with said, replacing(tmp_path / "file" / "new.txt"):
        pass


@pytest.mark.parametrize("name", [".", "folder", "a" * 300])
def test_a_path_that_can_be_no_file_is_an_answer(tmp_path, name):
    (tmp_path / "folder").mkdir()
    said = pytest.raises(OutputFileError, match=r"cannot be written: (Is a directory|File name too long)\.")
    with said, replacing(tmp_path / name) as temporary:
        temporary.write_text("x")


def test_a_pipe_is_written_and_not_replaced_by_a_file(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    with replacing(path) as temporary:
        temporary.write_text("whole")
    reader.join()
    assert read == ["whole"]
    assert path.is_fifo()


@pytest.fixture
def ended():
    """Number of a process that has ended."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_a_folder_of_parts_is_gone_afterwards_with_that_of_a_killed_process(tmp_path, ended):
    (tmp_path / f".x.parquet.made.{ended}.part").mkdir()
    with temporary_folder(tmp_path / "x.parquet") as folder:
        (folder / "0.arrow").write_bytes(b"part")
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_cannot_be_written_is_named_by_the_file_that_it_is_a_part_of(tmp_path):
    said = f"^{re.escape(str(tmp_path / 'scores.parquet'))} cannot be written: No space left on device"
    with (
        pytest.raises(OutputFileError, match=said),
        temporary_folder(tmp_path / "scores.parquet") as folder,
        naming(folder / "0.scores"),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("is_there", [False, True], ids=["new", "empty"])
def test_a_folder_appears_with_all_of_its_files(tmp_path, ended, monkeypatch, is_there):
    seen, replace = [], Path.replace
    (tmp_path / f".run.made.{ended}.part").mkdir()
    if is_there:
        (tmp_path / "run").mkdir()

    def watch(path, target):
        seen.append(sorted(file.name for file in path.iterdir()))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watch)
    write_folder(tmp_path / "run", {"a": b"new", "b": b"new"})
    assert seen == [["a", "b"]]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_folder_whose_files_find_no_room_does_not_appear(tmp_path):
    with pytest.raises(OutputFileError, match=r"/run cannot be written: File too large\.$"), room_for(9):
        write_folder(tmp_path / "run", {"a": b"new", "b": b"far more than nine bytes"})
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_nobody_has_waited_for_has_ended(tmp_path):
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    (tmp_path / f".x.parquet.made.{child}.part").mkdir()
    with temporary_folder(tmp_path / "x.parquet") as folder:
        assert list(tmp_path.iterdir()) == [folder]
    os.waitpid(child, 0)
