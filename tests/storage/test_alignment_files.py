import pytest
from tests.whole_tables import write_alignments

from misread.errors import InputFileError
from misread.records import Origin, SegmentAlignments
from misread.storage import read_alignments

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
