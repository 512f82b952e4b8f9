from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from tests.whole_tables import write_alignments, write_confusions

from misread.data.segment_table import Origin
from misread.errors import InputFileError
from misread.metrics.confusion_table import Confusion, Confusions, ConfusionTable
from misread.storage import explanation_files, read_alignments, read_confusions
from misread.storage.parquet import read_note
from misread.tally.alignments import SegmentAlignments

FACTS = {"characters": {"metric": "ger", "unit": "grapheme", "errors": 1}, "words": {"metric": "wer", "unit": "word"}}


@pytest.mark.parametrize("rows", [0, 2])
def test_alignments_are_read_as_written(tmp_path, rows):
    written = SegmentAlignments(Origin("a", "b"), ["x", "y"][:rows], ["CSDIT", ""][:rows], ["C", "I"][:rows], FACTS)
    write_alignments(tmp_path / "x.parquet", written)
    assert read_alignments(tmp_path / "x.parquet") == written


def test_the_same_alignments_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_alignments(tmp_path / name, SegmentAlignments(Origin("a", "b"), ["x"], ["CS"], ["S"], FACTS))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_missing_file_names_the_stage_that_makes_it(tmp_path):
    with pytest.raises(InputFileError, match="dvc repro score"):
        read_alignments(tmp_path / "x.parquet")


TABLE = ConfusionTable(
    Origin("a", "b"),
    {
        "character": Confusions(["O", "<INSERT>"], ["0", "\0"], [3, 1]),
        "word": Confusions([], [], []),
        "block": Confusions(["Basic Latin"], ["<DELETE>"], [1]),
    },
    {"characters": {"metric": "cer", "errors": 4}},
    {"character": {"O": 7}},
)


@pytest.mark.parametrize("table", [TABLE, ConfusionTable(Origin("a", "b", not_applicable="audio"), {}, {}, {})])
def test_confusions_are_read_as_written(tmp_path, table):
    write_confusions(tmp_path / "x.parquet", table)
    assert read_confusions(tmp_path / "x.parquet") == table


def test_of_confusions_that_occur_once_the_first_are_written_and_the_others_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(explanation_files, "MOST_SINGLE", 2)
    words = Confusions(list("abcde"), list("vwxyz"), [3, 2, 1, 1, 1])
    write_confusions(tmp_path / "x.parquet", replace(TABLE, confusions={**TABLE.confusions, "word": words}))
    found = read_confusions(tmp_path / "x.parquet").confusions
    assert list(found["word"]) == list(words[:4])
    assert found["character"] == TABLE.confusions["character"]
    left_out = read_note(tmp_path / "x.parquet")["left_out"]
    assert left_out == {"character": 0, "word": 1, "block": 0}


def test_a_row_says_what_was_read_for_what_how_often(tmp_path):
    write_confusions(tmp_path / "x.parquet", TABLE)
    assert pq.read_table(tmp_path / "x.parquet").to_pylist()[0] == {
        "kind": "character",
        "reference": "O",
        "hypothesis": "0",
        "count": 3,
    }


def test_a_file_of_another_kind_is_an_error(tmp_path):
    write_alignments(tmp_path / "x.parquet", SegmentAlignments(Origin("a", "b"), [], [], [], {}))
    with pytest.raises(InputFileError, match="is a file of kind 'alignments', expected 'confusions'"):
        read_confusions(tmp_path / "x.parquet")


def test_a_part_of_the_confusions_is_confusions():
    cells = TABLE.confusions["character"]
    assert list(cells[:1]) == [cells[0]] == [Confusion("O", "0", 3)]
