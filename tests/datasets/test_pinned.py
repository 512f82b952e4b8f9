import hashlib
import os
import shutil
import subprocess

import pytest

from misread.datasets.pinned import LIST_NAME, changed_files, is_inside, list_files, locate, pin
from misread.datasets.table import Table
from misread.errors import InputFileError, MissingDataError


@pytest.fixture
def outside(tmp_path):
    """Folder of a data set outside of the repository."""
    root = tmp_path / "elsewhere" / "lines"
    (root / "images").mkdir(parents=True)
    (root / "lines.csv").write_text("id,ref\n1,one\n")
    (root / "images" / "1.png").write_bytes(b"first")
    (root / "images" / "2.png").write_bytes(b"second")
    return root


@pytest.fixture
def card(tmp_path):
    """Folder of the data set's card in the repository."""
    folder = tmp_path / "repository" / "data" / "lines"
    folder.mkdir(parents=True)
    return folder


def dataset(root):
    return Table(str(root), "lines.csv", ["id"], "ref", provenance="scans of the town archive, CC0")


def find(root, card):
    return locate("lines", dataset(root), card, data_root="../elsewhere")


def test_the_list_has_one_line_a_file_sorted_by_name(outside):
    names = ("images/1.png", "images/2.png", "lines.csv")
    expected = [f"{hashlib.sha256((outside / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert list_files(outside) == "\n".join(expected) + "\n"


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not installed")
def test_sha256sum_accepts_the_list(outside, card):
    path = pin(dataset(outside), card)
    done = subprocess.run(["sha256sum", "--check", "--strict", path], cwd=outside, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_hidden_files_and_caches_are_not_listed(outside):
    before = list_files(outside)
    (outside / ".DS_Store").touch()
    (outside / "__pycache__").mkdir()
    (outside / "__pycache__" / "generate.pyc").touch()
    assert list_files(outside) == before


def test_the_list_lies_in_the_folder_of_the_card(outside, card):
    assert pin(dataset(outside), card) == card / LIST_NAME


def test_pinned_data_is_found(outside, card):
    pin(dataset(outside), card)
    find(outside, card)


def test_the_digest_is_that_of_the_list(outside, card):
    path = pin(dataset(outside), card)
    assert find(outside, card) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_digest_does_not_depend_on_where_the_data_lies(outside, card, tmp_path):
    pin(dataset(outside), card)
    moved = tmp_path / "moved"
    before = find(outside, card)
    outside.rename(moved)
    assert find(moved, card) == before


def test_a_changed_file_is_named(outside, card):
    pin(dataset(outside), card)
    (outside / "images" / "2.png").write_bytes(b"other")
    with pytest.raises(InputFileError, match=r": images/2\.png missing, new or changed.*misread pin lines"):
        find(outside, card)


def test_a_missing_file_is_named(outside, card):
    pin(dataset(outside), card)
    (outside / "images" / "1.png").unlink()
    with pytest.raises(InputFileError, match=r": images/1\.png missing, new or changed"):
        find(outside, card)


def test_a_new_file_is_named(outside, card):
    pin(dataset(outside), card)
    (outside / "images" / "3.png").touch()
    with pytest.raises(InputFileError, match=r": images/3\.png missing, new or changed"):
        find(outside, card)


def test_of_many_differing_files_five_are_named_and_the_others_counted(outside, card):
    pin(dataset(outside), card)
    for number in range(3, 10):
        (outside / "images" / f"{number}.png").touch()
    with pytest.raises(InputFileError, match=r"images/3\.png, .*images/7\.png and 2 more missing, new or changed"):
        find(outside, card)


def test_changed_data_is_accepted_by_pinning_it_again(outside, card):
    pin(dataset(outside), card)
    (outside / "lines.csv").write_text("id,ref\n1,uno\n")
    pin(dataset(outside), card)
    find(outside, card)


def test_data_without_a_list_says_how_to_make_it(outside, card):
    with pytest.raises(InputFileError, match=r"files\.sha256 does not list its files; run `misread pin lines`"):
        find(outside, card)


def test_a_broken_list_names_its_line(outside, card):
    path = pin(dataset(outside), card)
    path.write_text(path.read_text() + "<<<<<<< theirs\n")
    with pytest.raises(InputFileError, match=r"files\.sha256, line 4: expected `SHA256  NAME`"):
        find(outside, card)


def test_a_list_with_windows_line_ends_is_the_same_list(outside, card):
    path = pin(dataset(outside), card)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    find(outside, card)


def test_a_missing_folder_names_the_setting_and_the_provenance(card, tmp_path):
    with pytest.raises(
        MissingDataError,
        match=r"'lines' is not at .*absent \(setting data_root: \.\./elsewhere\)\. It is: scans of the town archive",
    ):
        find(tmp_path / "absent", card)


def test_a_missing_folder_cannot_be_pinned(card, tmp_path):
    with pytest.raises(MissingDataError, match=r"there is no folder .*absent"):
        pin(dataset(tmp_path / "absent"), card)


def test_data_in_the_repository_needs_no_list(card):
    (card / "lines.csv").write_text("id,ref\n1,one\n")
    assert find(card, card) == hashlib.sha256(list_files(card).encode()).hexdigest()


def test_a_folder_beside_the_card_is_not_inside(outside, card):
    assert not is_inside(outside, card)


def test_a_folder_below_the_card_is_inside(card):
    (card / "images").mkdir()
    assert is_inside(card / "images", card)


@pytest.mark.parametrize(
    ("dataset_id", "folder"),
    [("das22", "das22_directories"), ("timeus", "timeus_handwriting"), ("printed_pages", "tesseract_pages")],
)
def test_the_shared_data_is_what_the_cards_list(repository, shared_data, dataset_id, folder):
    card = repository / "data" / dataset_id
    digest = locate(dataset_id, dataset(shared_data / folder), card, data_root=str(shared_data))
    assert digest == hashlib.sha256((card / LIST_NAME).read_bytes()).hexdigest()


OLD = 1_600_000_000


@pytest.fixture
def changed(outside, card, tmp_path, monkeypatch):
    """Files that changed since they were pinned, and the names of those that were read to know it."""
    from misread.datasets import pinned

    for path in outside.rglob("*.*"):
        os.utime(path, (OLD, OLD))
    read = []
    digest = pinned._sha256
    monkeypatch.setattr(pinned, "_sha256", lambda path: [read.append(path.name), digest(path)][1])
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
    locate("lines", dataset(outside), card, data_root="../elsewhere", record=tmp_path / "record.json")
    assert changed() == ([], [])
