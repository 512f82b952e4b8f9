import errno
import os
import re
import resource
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from misread.errors import OutputFileError
from misread.io.atomic import naming, replace_together, replacing, temporary_folder, undo_interrupted


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


def test_files_that_belong_together_are_replaced_together_and_others_stay(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    for number in (b"1", b"2"):
        replace_together(tmp_path, {"a": number, "b": number})
    assert contents(tmp_path) == {"note.txt": "mine", "a": "2", "b": "2"}


def test_one_file_that_finds_no_room_leaves_all_as_they_were(tmp_path):
    replace_together(tmp_path, {"a": b"old", "b": b"old"})
    with pytest.raises(OutputFileError, match=r"/b cannot be written: File too large\.$"), room_for(9):
        replace_together(tmp_path, {"a": b"new", "b": b"far more than nine bytes"})
    assert contents(tmp_path) == {"a": "old", "b": "old"}


def test_one_file_that_cannot_be_moved_leaves_all_as_they_were(tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "b").write_text("old")
    with pytest.raises(OutputFileError, match="cannot be written: Is a directory"):
        replace_together(tmp_path, {"a": b"new", "b": b"new", "c": b"new"})
    (tmp_path / "c").rmdir()
    assert contents(tmp_path) == {"b": "old"}


@pytest.mark.parametrize("number", range(6))
def test_whichever_file_cannot_be_moved_all_are_as_they_were(tmp_path, monkeypatch, number):
    replace_together(tmp_path, {"a": b"old", "b": b"old", "c": b"old"})
    moved, rename = [], Path.rename

    def fail(path, target):
        moved.append(path)
        if len(moved) == number + 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OutputFileError, match=r"Input/output error; check that disk.* run the command again"):
        replace_together(tmp_path, {"a": b"new", "b": b"new", "c": b"new"})
    assert contents(tmp_path) == {"a": "old", "b": "old", "c": "old"}


def test_at_no_moment_the_last_file_stands_beside_files_of_another_writing(tmp_path, monkeypatch):
    replace_together(tmp_path, {"a": b"old", "b": b"old", "c": b"old"})
    seen, rename = [], Path.rename

    def watch(path, target):
        seen.append({file.name: file.read_text() for file in tmp_path.iterdir() if file.is_file()})
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", watch)
    replace_together(tmp_path, {"a": b"new", "b": b"new", "c": b"new"})
    assert len(seen) == 6
    assert all("c" not in found or len(set(found.values())) == 1 for found in seen)


@pytest.fixture
def ended():
    """Number of a process that has ended."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


@pytest.mark.parametrize(
    ("there", "moved", "after"),
    [
        ({"a": "old", "b": "old"}, {}, {"a": "old", "b": "old"}),
        ({"a": "old"}, {"b": "old"}, {"a": "old", "b": "old"}),
        ({"a": "new"}, {"a": "old", "b": "old"}, {"a": "old", "b": "old"}),
        ({"a": "new", "b": "new"}, {"a": "old", "b": "old"}, {"a": "new", "b": "new"}),
    ],
    ids=["before", "first file removed", "last file not written", "all written"],
)
def test_wherever_the_writing_of_several_files_was_killed_they_are_of_one_writing(tmp_path, ended, there, moved, after):
    old, new = tmp_path / f".old.{ended}.part", tmp_path / f".new.{ended}.part"
    for folder, files in ((tmp_path, there), (old, moved), (new, {"b": "new"})):
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(content)
    undo_interrupted(tmp_path, "b")
    assert contents(tmp_path) == after


def test_what_another_process_is_writing_is_left_to_it(tmp_path):
    (tmp_path / f".new.{os.getppid()}.part").mkdir()
    undo_interrupted(tmp_path, "b")
    assert [path.name for path in tmp_path.iterdir()] == [f".new.{os.getppid()}.part"]


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


def test_a_new_folder_appears_with_all_of_its_files(tmp_path, ended, monkeypatch):
    seen, replace = [], Path.replace
    (tmp_path / f".run.{ended}.part").mkdir()

    def watch(path, target):
        seen.append((path, sorted(file.name for file in path.iterdir()), target.exists()))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watch)
    replace_together(tmp_path / "run", {"a": b"new", "b": b"new"})
    assert [(names, there) for _, names, there in seen] == [(["a", "b"], False)]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_process_that_nobody_has_waited_for_has_ended(tmp_path):
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    (tmp_path / f".x.parquet.made.{child}.part").mkdir()
    with temporary_folder(tmp_path / "x.parquet") as folder:
        assert list(tmp_path.iterdir()) == [folder]
    os.waitpid(child, 0)
