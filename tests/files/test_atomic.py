import pytest

from misread.files.atomic import replacing


class InterruptionError(Exception):
    """Stands for whatever goes wrong while a file is written."""


def write_half_of(path):
    with replacing(path) as temporary:
        temporary.write_text("new, but only ha")
        raise InterruptionError


def test_the_file_is_not_there_before_the_block_ends(tmp_path):
    path = tmp_path / "new.txt"
    with replacing(path) as temporary:
        temporary.write_text("half")
        assert not path.exists()


def test_the_file_is_there_after_the_block(tmp_path):
    path = tmp_path / "new.txt"
    with replacing(path) as temporary:
        temporary.write_text("whole")
    assert path.read_text() == "whole"


def test_an_error_inside_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(InterruptionError):
        write_half_of(path)
    assert path.read_text() == "old"


def test_an_error_inside_leaves_no_new_file(tmp_path):
    with pytest.raises(InterruptionError):
        write_half_of(tmp_path / "never.txt")
    assert not (tmp_path / "never.txt").exists()


def test_an_error_inside_leaves_no_temporary_file(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(InterruptionError):
        write_half_of(path)
    assert [file.name for file in tmp_path.iterdir()] == ["kept.txt"]


def test_success_leaves_no_temporary_file(tmp_path):
    with replacing(tmp_path / "new.txt") as temporary:
        temporary.write_text("whole")
    assert [file.name for file in tmp_path.iterdir()] == ["new.txt"]


def test_missing_folders_are_made(tmp_path):
    with replacing(tmp_path / "a" / "b" / "new.txt") as temporary:
        temporary.write_text("whole")
    assert (tmp_path / "a" / "b" / "new.txt").is_file()


def test_the_temporary_file_is_hidden_so_that_no_list_of_files_counts_it(tmp_path):
    with replacing(tmp_path / "new.txt") as temporary:
        temporary.write_text("whole")
        assert temporary.name.startswith(".")
