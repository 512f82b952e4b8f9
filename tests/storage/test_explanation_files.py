import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.whole_tables import write_alignments, write_confusions

from misread.data.segment_table import Origin
from misread.errors import InputFileError
from misread.metrics.confusion_table import Confusion, Confusions, ConfusionTable
from misread.storage import explanation_files, open_alignments, read_alignments, read_confusions
from misread.storage.parquet import read_note
from misread.tally.alignments import SegmentAlignments
from misread.tally.confusion_sums import MostFrequent

FACTS = {"characters": {"metric": "ger", "unit": "grapheme", "errors": 1}, "words": {"metric": "wer", "unit": "word"}}


@pytest.mark.parametrize("rows", [0, 2])
def test_alignments_are_read_as_written(tmp_path, rows):
    written = SegmentAlignments(Origin("a", "b"), ["x", "y"][:rows], ["CSDIT", ""][:rows], ["C", "I"][:rows], FACTS)
    write_alignments(tmp_path / "x.parquet", written)
    for read in (read_alignments, open_alignments):
        assert read(tmp_path / "x.parquet") == written


def test_letters_that_stay_in_their_file_are_read_when_they_are_asked_for(tmp_path):
    written = SegmentAlignments(Origin("a", "b"), ["x", "y"], ["CSDIT", ""], ["C", "I"], FACTS)
    write_alignments(tmp_path / "x.parquet", written)
    opened = open_alignments(tmp_path / "x.parquet")
    assert (opened.characters[0], opened.words[-1]) == ("CSDIT", "I")
    assert list(opened.words.take(range(1, 2))) == ["I"]


def test_the_same_alignments_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_alignments(tmp_path / name, SegmentAlignments(Origin("a", "b"), ["x"], ["CS"], ["S"], FACTS))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_missing_file_names_the_stage_that_makes_it(tmp_path):
    for read in (read_alignments, open_alignments):
        with pytest.raises(InputFileError, match="dvc repro score"):
            read(tmp_path / "x.parquet")


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


def test_the_number_of_confusions_that_are_left_out_is_in_the_note(tmp_path):
    cells = pa.table({"reference": ["a"], "hypothesis": ["b"], "count": [1]})
    kinds = [("word", MostFrequent(cells, 7)), ("character", MostFrequent(cells, 0))]
    explanation_files.write_confusions(tmp_path / "x.parquet", TABLE, kinds)
    assert read_note(tmp_path / "x.parquet")["left_out"] == {"word": 7, "character": 0}
    assert list(read_confusions(tmp_path / "x.parquet").confusions["word"]) == [Confusion("a", "b", 1)]


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
