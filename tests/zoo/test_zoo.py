"""Files that real programs wrote: every text is read, or named as left out, and what is no text changes nothing."""

from __future__ import annotations

import re
import sys
from functools import cache
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tools.zoo.measures import BEGIN, END, GUIDE, make_table

from misread import cer
from misread.data.folders import read_folders
from misread.data.formats import FORMATS
from misread.data.formats.paired_files import FolderOptions
from misread.data.segment_files import read_segment_files
from misread.errors import InputFileError, MisreadError

sys.path.insert(0, str(Path(__file__).parent))
from places import LOGS, change_no_text, read_content
from reading import PATTERNS, READ, ROWS, ZOO, expected_texts, find_exceptions, name_of, plant_marks, read, read_file

_ALONE = {"table", "ctm", "nemo", *LOGS}
_PLACES = 3  # of each kind, in a file
_name = itemgetter("file")


@cache
def _planted(file):
    row = next(row for row in ROWS if row["file"] == file)
    with TemporaryDirectory() as folder:
        return [*plant_marks(row, Path(folder), _PLACES)]


@pytest.mark.parametrize("row", READ, ids=_name)
def test_a_file_gives_its_text_at_every_level_without_a_warning(row, recwarn):
    assert read(row["file"]).texts == expected_texts(row)
    assert (read(row["file"]).doubts, recwarn.list) == ([], [])


@pytest.mark.parametrize("row", [row for row in ROWS if "refused" in row], ids=_name)
def test_a_file_that_nothing_reads_is_refused_with_its_fault(row):
    with pytest.raises(MisreadError, match=row["refused"]):
        read_file(ZOO / "files" / row["file"], row)


@pytest.mark.parametrize("row", READ, ids=_name)
def test_a_word_in_any_place_is_read_or_named_or_refused_or_its_place_is_listed(row):
    lost = [(kind, as_before) for kind, outcome, as_before in _planted(row["file"]) if outcome == "lost"]
    assert {kind for kind, _ in lost if not find_exceptions(row, kind)} == set()
    # A text that is lost changes none that is read; ids say which words or samples there are.
    assert all(as_before or kind.lower().endswith(("id", "ids")) for kind, as_before in lost)


def test_each_exception_is_a_place_of_the_zoo_where_a_word_is_lost():
    listed = [
        find_exceptions(row, kind) for row in READ for kind, outcome, _ in _planted(row["file"]) if outcome == "lost"
    ]
    assert {entry for entries in listed for entry in entries} == {*PATTERNS}
    assert max(map(len, listed)) == 1


@pytest.mark.parametrize("row", READ, ids=_name)
def test_times_ids_coordinates_and_white_space_change_no_text(tmp_path, row):
    source = ZOO / "files" / row["file"]
    path = tmp_path / source.name
    if changed := change_no_text(source, name_of(row)):
        assert changed != read_content(source)
        path.write_text(changed, encoding="utf-8")
        assert read_file(path, row).texts == read(row["file"]).texts


@pytest.mark.parametrize("row", [row for row in READ if name_of(row) not in _ALONE], ids=_name)
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
    assert [path.name for path in files if re.search(rb"/(?:home|root|tmp|work|Users)/", path.read_bytes())] == []


def test_the_guide_has_the_table_of_the_zoo():
    assert BEGIN + make_table() + END in GUIDE.read_text(encoding="utf-8")


def test_every_format_that_programs_at_hand_write_has_a_file():
    # They are written by people, or by scripts of data sets.
    by_others = {"docvqa", "funsd", "icdar", "nlp", "trn"}
    tables = {"csv", "json", "jsonl", "parquet", "tsv"}
    assert {path.suffix[1:] for row in READ if row["format"] == "table" for path in [Path(row["file"])]} == tables
    assert {*FORMATS} - {name_of(row) for row in READ} - tables == by_others
