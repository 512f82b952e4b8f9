import os
import shutil
from pathlib import Path

import pytest

from misread.data import Table, pin, read_pinned
from misread.errors import InputFileError
from misread.io.file_lists import changed_files, is_inside, read_list


def dataset(root):
    return Table(root=str(root), file="lines.csv", segment_id=["id"], reference="ref")


OLD = 1_600_000_000


@pytest.fixture
def changed(outside, card, tmp_path, monkeypatch):
    """Files that changed since they were pinned, and the names of those that were read to know it."""
    from misread.io import file_lists

    for path in outside.rglob("*.*"):
        os.utime(path, (OLD, OLD))
    read = []
    digest = file_lists.digest_file
    monkeypatch.setattr(file_lists, "digest_file", lambda path: [read.append(path.name), digest(path)][1])
    pin(dataset(outside), card)

    def find():
        read.clear()
        return changed_files(outside, card, tmp_path / "record.json"), list(read)

    return find


def test_files_of_the_size_and_time_that_was_noted_are_not_read_again(changed, outside):
    assert changed() == ([], ["1.png", "2.png", "lines.csv"])
    assert changed() == ([], [])
    (outside / "lines.csv").write_text("id,ref\n1,two\n")
    assert changed() == (["lines.csv"], ["lines.csv"])


def test_a_file_with_another_time_and_the_same_content_did_not_change(changed, outside):
    changed()
    os.utime(outside / "lines.csv", (OLD + 1, OLD + 1))
    assert changed() == ([], ["lines.csv"])
    assert changed() == ([], [])


def test_a_file_that_was_written_just_now_is_read_again_the_next_time(changed, outside):
    changed()
    (outside / "lines.csv").touch()
    assert changed() == ([], ["lines.csv"])
    assert changed() == ([], ["lines.csv"])


def test_new_and_missing_files_are_changes(changed, outside):
    changed()
    (outside / "images/1.png").rename(outside / "images/3.png")
    assert changed() == (["images/1.png", "images/3.png"], ["3.png"])


@pytest.mark.parametrize("record", ["", "[]", '{"root": 1}', "{"])
def test_a_record_that_is_not_understood_only_costs_time(changed, outside, tmp_path, record):
    changed()
    (tmp_path / "record.json").write_text(record)
    assert changed() == ([], ["1.png", "2.png", "lines.csv"])


def test_a_record_of_another_folder_says_nothing_of_this_one(changed, outside, card, tmp_path):
    changed()
    copy = shutil.copytree(outside, tmp_path / "copy")
    (copy / "lines.csv").write_text("id,ref\n1,two\n")
    os.utime(copy / "lines.csv", (OLD, OLD))
    assert changed_files(copy, card, tmp_path / "record.json") == ["lines.csv"]


def test_data_that_is_not_there_or_not_pinned_has_no_changes(outside, card, tmp_path):
    assert changed_files(outside, card, tmp_path / "record.json") == []
    pin(dataset(outside), card)
    shutil.rmtree(outside)
    assert changed_files(outside, card, tmp_path / "record.json") == []
    assert changed_files(card, card, tmp_path / "record.json") == []


def test_a_run_notes_what_it_read(changed, outside, card, tmp_path):
    record = tmp_path / "record.json"
    read_pinned("lines", dataset(outside), card, data_root="../elsewhere", record=record)
    assert changed() == ([], [])
    # The table is all that was read: an image may change, and a second table is one that may be read.
    (outside / "images/1.png").write_bytes(b"another")
    assert changed() == ([], [])
    (outside / "more.csv").touch()
    assert changed() == (["more.csv"], ["more.csv"])


@pytest.mark.parametrize("name", ["../out.txt", "a/../../out.txt", "/etc/passwd", "a//b", "./a", "", "a\0b"])
def test_a_name_that_leads_out_of_the_folder_is_refused_with_its_line(name):
    with pytest.raises(InputFileError, match=r"files\.sha256, line 2: .* leads out of the data set's folder"):
        read_list(f"{'0' * 64}  a b/c-1.txt\n{'0' * 64}  {name}\n", Path("files.sha256"))


def test_names_with_blanks_and_dots_stay():
    assert read_list("0  a b/..c.txt\n", Path("files.sha256")) == {"a b/..c.txt": "0"}


def test_a_name_that_is_not_utf8_is_refused_by_its_file(outside, card):
    (outside / "images/3\udcff.png").write_bytes(b"third")
    with pytest.raises(InputFileError, match=r"images/3\\udcff\.png' is not UTF-8, in which names are written; rename"):
        pin(dataset(outside), card)
    assert not (card / "files.sha256").exists()


def test_a_loop_of_links_is_where_its_link_is(card):
    (card / "loop").symlink_to("loop")
    assert is_inside(card / "loop", card)
    assert not is_inside(card / "loop", card / "images")
