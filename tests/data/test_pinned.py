import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from misread.data.base import below, collecting_files, matching_files
from misread.data.pinned import _files_among, pin, read_pinned
from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError, MissingDataError
from misread.io.file_lists import LIST_NAME, is_inside, list_files
from misread.pipeline.composition import compose_datasets


@dataclass(frozen=True)
class Scans:
    """A reader of a table and of all images beside it."""

    root: str
    provenance: str = "scans of the town archive, CC0"

    def segments(self):
        root = Path(self.root)
        ids = [line.partition(",")[0] for line in below(root, "lines.csv", "").read_text().splitlines()[1:]]
        matching_files(root, ["images/*.png"], "images", "image")
        return SegmentTable(name="", digest="", segment_id=ids, references=ids)


def dataset(root):
    return Scans(str(root))


def find(root, card):
    return read_pinned("lines", dataset(root), card, data_root="../elsewhere").digest


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


def test_the_digest_is_that_of_the_list_beside_the_card_wherever_the_data_lies(outside, card, tmp_path):
    path = pin(dataset(outside), card)
    assert path == card / LIST_NAME
    moved = tmp_path / "moved"
    before = find(outside, card)
    outside.rename(moved)
    assert find(moved, card) == before == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("2.png", lambda path: path.write_bytes(b"other")),
        ("1.png", lambda path: path.unlink()),
        ("3.png", lambda path: path.touch()),
    ],
)
def test_a_file_that_is_changed_missing_or_new_is_named(outside, card, name, change):
    pin(dataset(outside), card)
    change(outside / "images" / name)
    with pytest.raises(InputFileError, match=rf": images/{name} missing, new or changed.*misread pin lines"):
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


def test_a_file_that_the_reader_has_no_use_for_may_change_or_be_added(outside, card):
    (outside / "README.md").write_text("old\n")
    pin(dataset(outside), card)
    before = find(outside, card)
    (outside / "README.md").write_text("new\n")
    (outside / "images/Thumbs.db").touch()
    assert find(outside, card) == before


def test_a_reader_that_names_no_file_may_have_read_all(outside, card):
    class Opaque(Scans):
        def segments(self):
            return SegmentTable(name="", digest="", segment_id=["1"], references=["one"])

    pin(dataset(outside), card)
    (outside / "README.md").touch()
    with pytest.raises(InputFileError, match=r": README\.md missing, new or changed"):
        read_pinned("lines", Opaque(str(outside)), card, data_root="")


def test_what_changed_is_named_and_not_what_cannot_be_read_because_of_it(outside, card):
    class Strict(Scans):
        def segments(self):
            raise InputFileError("line 2 has three columns.")

    pin(dataset(outside), card)
    with pytest.raises(InputFileError, match="three columns"):
        read_pinned("lines", Strict(str(outside)), card, data_root="")
    (outside / "lines.csv").write_text("a,b,c\n")
    with pytest.raises(InputFileError, match=r": lines\.csv missing, new or changed"):
        read_pinned("lines", Strict(str(outside)), card, data_root="")


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
    where = r"'lines' is not at .*absent \(setting data_root: \.\./elsewhere\)\. It is: scans of the town archive"
    with pytest.raises(MissingDataError, match=where):
        find(tmp_path / "absent", card)
    with pytest.raises(MissingDataError, match=r"there is no folder .*absent"):
        pin(dataset(tmp_path / "absent"), card)


def test_data_in_the_repository_needs_no_list(outside, card):
    shutil.copytree(outside, card, dirs_exist_ok=True)
    assert find(card, card) == hashlib.sha256(list_files(card).encode()).hexdigest()


def test_data_that_git_tracks_elsewhere_in_the_project_needs_no_list(outside, card):
    table = read_pinned("lines", dataset(outside), card, data_root="", watched=outside)
    assert table.digest == hashlib.sha256(list_files(outside).encode()).hexdigest()


def test_a_folder_below_the_card_is_inside_and_one_beside_it_is_not(outside, card):
    (card / "images").mkdir()
    assert (is_inside(card / "images", card), is_inside(outside, card)) == (True, False)


SHARED = ["csrnab", "das22", "earnings21", "printed_pages", "timeus"]


@pytest.fixture(scope="module")
def shared_params(repository, shared_data):
    params = compose_datasets(repository / "conf", SHARED)
    return replace(params, content={**params.content, "data_root": str(shared_data)})


@pytest.mark.slow
@pytest.mark.parametrize("dataset_id", SHARED)
def test_of_the_shared_data_every_file_that_is_opened_counts(repository, shared_params, dataset_id, monkeypatch):
    monkeypatch.chdir(repository)
    reader = shared_params.dataset(dataset_id)
    opened = set()
    watched = [True]

    def note_opened(event, arguments):
        if watched and event == "open" and isinstance(arguments[0], str | os.PathLike):
            opened.add(os.path.realpath(arguments[0]))

    sys.addaudithook(note_opened)
    with collecting_files() as paths:
        reader.segments()
    watched.clear()
    root = Path(reader.root).resolve()
    read = {Path(name).relative_to(root) for name in opened if Path(name).is_relative_to(root) and Path(name).is_file()}
    listed = {Path(line.split("  ")[1]) for line in (Path("data") / dataset_id / LIST_NAME).read_text().splitlines()}
    assert read
    assert read <= {*_files_among(Path(reader.root), paths)} <= listed
