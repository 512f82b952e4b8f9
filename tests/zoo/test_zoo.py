"""Files that real programs wrote: every text is read, or named as left out, and what is no text changes nothing."""

from __future__ import annotations

import random
import sys
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from misread import cer
from misread.data.folders import read_folders
from misread.data.formats.paired_files import FolderOptions
from misread.data.segment_files import read_segment_files
from misread.errors import InputFileError, MisreadError

sys.path.insert(0, str(Path(__file__).parent))
from places import change_no_text, find_places, read_content
from reading import EXCEPTIONS, LOGS, ROWS, ZOO, expected_texts, is_excepted, look_for_mark, name_of, read_file

_READ = [row for row in ROWS if "refused" not in row]
_PLANTED = [row for row in _READ if not row["file"].endswith(("parquet", ".eval"))]
_ALONE = {"table", "ctm", "nemo", *LOGS}
_PLACES = 3  # of each kind, in a file


def _name(row):
    return row["file"]


@cache
def _read(file):
    return read_file(ZOO / "files" / file, next(row for row in ROWS if row["file"] == file))


@pytest.mark.parametrize("row", _READ, ids=_name)
def test_a_file_gives_its_text_at_every_level_without_a_warning(row, recwarn):
    assert _read(row["file"]).texts == expected_texts(row)
    assert (_read(row["file"]).doubts, recwarn.list) == ([], [])


@pytest.mark.parametrize("row", [row for row in ROWS if "refused" in row], ids=_name)
def test_a_file_that_nothing_reads_is_refused_with_its_fault(row):
    with pytest.raises(MisreadError, match=row["refused"]):
        read_file(ZOO / "files" / row["file"], row)


@pytest.mark.parametrize("row", _PLANTED, ids=_name)
def test_a_word_in_any_place_is_read_or_named_or_refused_or_its_place_is_listed(tmp_path, row):
    source, draw = ZOO / "files" / row["file"], random.Random(row["file"])
    path = tmp_path / source.name
    before = _read(row["file"])
    lost = set()
    places = sorted(find_places(source, name_of(row)), key=lambda place: place[0])
    for kind, group in groupby(places, key=lambda place: place[0]):
        alike = [*group]
        for _, plant in draw.sample(alike, min(_PLACES, len(alike))):
            path.write_bytes(plant().encode())
            outcome, is_as_before = look_for_mark(path, row, before)
            if outcome == "lost" and not is_excepted(name_of(row), kind):
                lost.add(kind)
            # A text that is lost changes none that is read; ids say which words or samples there are.
            assert is_as_before or outcome != "lost" or kind.lower().endswith(("id", "ids")), kind
    assert not lost


def test_each_exception_is_a_place_of_the_zoo():
    kinds = {
        (name_of(row), kind) for row in _PLANTED for kind, _ in find_places(ZOO / "files" / row["file"], name_of(row))
    }
    for listed, pattern, *_ in EXCEPTIONS:
        assert any(form == listed and fnmatchcase(kind, pattern) for form, kind in kinds), pattern


@pytest.mark.parametrize("row", _PLANTED, ids=_name)
def test_times_ids_coordinates_and_white_space_change_no_text(tmp_path, row):
    source = ZOO / "files" / row["file"]
    path = tmp_path / source.name
    if changed := change_no_text(source, name_of(row)):
        assert changed != read_content(source)
        path.write_text(changed, encoding="utf-8")
        assert read_file(path, row).texts == _read(row["file"]).texts


@pytest.mark.parametrize("row", [row for row in _READ if name_of(row) not in _ALONE], ids=_name)
def test_a_file_has_no_error_against_itself(row):
    path = ZOO / "files" / row["file"]
    if row["format"] == "lines":
        table = read_folders(path, {"same": path}, FolderOptions(format="text"))
    elif {"segment", "words"} & row["texts"].keys():
        table = read_segment_files(path, {"same": path}, row["format"])
    elif any(text for level in row["texts"].values() for text in level) or row["format"] == "text":
        table = read_folders(path, {"same": path}, FolderOptions(format=row["format"]))
    else:
        with pytest.raises(InputFileError, match="is empty, expected references"):
            read_folders(path, {"same": path}, FolderOptions(format=row["format"]))
        return
    assert cer(table.references, table.hypotheses["same"]) == 0


def test_the_zoo_is_small_and_every_file_is_in_its_manifest():
    files = [path for path in (ZOO / "files").rglob("*") if path.is_file()]
    names = {str(path.relative_to(ZOO / "files")) for path in files if path.name not in {"utt2spk", "segments"}}
    assert names == {row["file"] for row in ROWS}
    assert sum(path.stat().st_size for path in files) < 1_500_000
