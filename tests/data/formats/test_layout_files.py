"""Formats told by the content of a file."""

import json

import pytest

from misread.data.formats import FORMATS, find_format
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.recognition import guess_format
from misread.errors import UnknownNameError

HEADER = "level page_num block_num par_num line_num word_num left top width height conf text".replace(" ", "\t")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<?xml version="1.0"?>\n<!-- c --><PcGts xmlns="x">', "page"),
        ('<pc:PcGts xmlns:pc="x">', "page"),
        ('\ufeff<?xml version="1.0"?>\n<alto>', "alto"),
        ('<!DOCTYPE html PUBLIC "x" "y">\n<html><body><div class=\'ocr_page\'>', "hocr"),
        ('<html><head><meta name="ocr-system" content="x">', "hocr"),
        ('<?xml version="1.0"?>\n<html xmlns="x"><div class="ocr_page">'.encode("utf-16"), "hocr"),
        (json.dumps({"form": []}), "funsd"),
        (f"{HEADER}\n1\t1", "tesseract_tsv"),
        (f"{HEADER}\r\n", "tesseract_tsv"),
        ("1,2,3,4,5,6,7,8,one\n1,2,3,4,5,6,7,8,two\n", "icdar"),
        # What could be a text is one.
        ("1,2,3,4,5,6,7,8,one\nplain\n", None),
        ("1,2,3,4,one\n", None),
        ("1,2,3,4,5,6,7,8,9\n9,8,7,6,5,4,3,2,1\n", None),
        ("T 36 34 55 58 0\n", None),
        ("<html><body>ocr_page", None),
        ("<mets/>", None),
        ("the root is <PcGts>", None),
        ('{"text": ""}', None),
        ("level\ttext\n", None),
        ("", None),
        (b"\xff\xff\x00", None),
    ],
)
def test_only_what_can_be_of_no_other_format_is_told(write, content, expected):
    assert str(guess_format(write("p1", content), kinds=["pages"])) == str(expected)


def test_a_missing_file_and_a_folder_are_of_no_format(tmp_path):
    assert guess_format(tmp_path, kinds=["pages"]) is None
    assert guess_format(tmp_path / "absent", kinds=["pages"]) is None


def test_plain_text_has_no_parts(write):
    path = write("p.txt", "one\r\ntwo\n")
    assert LayoutReader(format=FORMATS["text"]).read(path) == ({"": "one\ntwo"}, None)
    with pytest.raises(UnknownNameError, match="unknown setting 'level' in text"):
        find_format("text(level=line)", kinds=["pages"])
