"""TSV and boxes as Tesseract 5.3 writes them for a part of testing/phototest.tif of tesseract-ocr/test."""

import pandas as pd
import pytest

from misread.data.formats.tesseract_files import TSV_HEADER, read_tesseract_box, read_tesseract_tsv
from misread.errors import InputFileError

ROWS = """1 1 0 0 0 0 0 0 640 90 -1 |\
2 1 1 0 0 0 36 32 582 58 -1 |3 1 1 1 0 0 36 32 582 58 -1 |4 1 1 1 1 0 36 32 544 30 -1 |\
5 1 1 1 1 1 36 32 60 24 87.689262 This|5 1 1 1 1 2 109 32 20 24 87.689262 "is|4 1 1 1 2 0 36 66 582 24 -1 |\
5 1 1 1 2 1 36 72 45 18 82.897903 ocr|2 1 2 0 0 0 36 32 582 58 -1 |5 1 2 1 1 1 1 1 1 1 95.000000  |\
5 2 1 1 1 1 36 72 45 18 82.897903 next"""


def tsv(rows=ROWS):
    return "\n".join(["\t".join(TSV_HEADER), *(row.replace(" ", "\t", 11) for row in rows.split("|"))]) + "\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_words_of_a_table_make_lines_and_blocks(write, end):
    layout = read_tesseract_tsv(write("p.tsv", tsv().replace("\n", end)), words=True)
    assert layout.text == 'This "is\nocr\nnext'
    assert layout.cut("region") == {"1.1": 'This "is\nocr', "2.1": "next"}
    assert layout.cut("line") == {"1.1.1.1": 'This "is', "1.1.1.2": "ocr", "2.1.1.1": "next"}
    assert layout.cut("word")["1.1.1.1.2"] == '"is'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"p\.tsv, line 1: expected the columns of Tesseract's TSV: level page_num"),
        ("level\ttext\n", r"line 1: expected the columns"),
        (tsv("5 1 1 1 1 1 36 32"), r"line 2: expected 12 fields"),
        (tsv("5 1 x 1 1 1 36 32 60 24 87 This"), r"line 2: expected 12 fields, all but the last numbers"),
        (tsv("5 1 1 1 1 1 36 32 60 24 lost This"), r"line 2: expected 12 fields, all but the last numbers"),
    ],
)
def test_another_table_is_refused_with_the_line(write, content, message):
    with pytest.raises(InputFileError, match=message):
        read_tesseract_tsv(write("p.tsv", content))


def test_boxes_of_characters_with_spaces_and_ends_of_lines(write):
    boxes = "T 36 34 55 58 0\nh 51 34 64 58 0\n  57 34 71 58 0\nis 76 34 96 58 0\n\t 97 34 98 58 0\no 1 2 3 4 0\n"
    layout = read_tesseract_box(write("p.box", boxes), words=True)
    assert (layout.text, layout.account.left_out) == ("Th is\no", {})
    assert layout.cut("line") == {"1": "Th is", "2": "o"}
    assert layout.cut("word") == {"1.1": "Th", "1.2": "is", "2.1": "o"}


def test_boxes_of_lines_and_of_pages(write):
    boxes = "WordStr 36 34 55 58 0 #This is\n\t 56 34 57 58 0\nWordStr 1 2 3 4 0 # #2\n\t 5 2 6 4 0\nn 1 2 3 4 1\n"
    layout = read_tesseract_box(write("p.box", boxes))
    assert layout.cut("region") == {"0": "This is\n#2", "1": "n"}


def test_boxes_without_spaces_are_said(write):
    layout = read_tesseract_box(write("p.box", "T 36 34 55 58 0\nh 51 34 64 58 0\n"))
    assert (layout.text, len(layout.account.left_out)) == ("Th", 1)


@pytest.mark.parametrize("row", ["T 36 34 55 58", "36 34 55 58 0", "T 36 34 55 x 0", "T\t36\t34\t55\t58\t0"])
def test_another_row_among_boxes_is_refused_with_the_line(write, row):
    with pytest.raises(InputFileError, match=r"p\.box, line 2: expected TEXT LEFT BOTTOM RIGHT TOP PAGE"):
        read_tesseract_box(write("p.box", f"T 36 34 55 58 0\n{row}\n"))


@pytest.mark.parametrize("left", ["-1", "36.5", ""])
def test_a_number_of_a_place_may_be_missing_or_have_a_sign(write, left):
    layout = read_tesseract_tsv(write("p.tsv", tsv(f"5 1 1 1 1 1 {left} 32 60 24 87 This")), words=True)
    assert layout.text == "This"


def test_cells_that_pandas_quotes_are_read_without_quotes(write):
    words = ['"Is', 'it?"', "he", '"']
    table = pd.DataFrame([[5, 1, 1, 1, 1, at, 1, 1, 1, 1, 95.5, text] for at, text in enumerate(words)])
    content = table.to_csv(sep="\t", index=False, header=list(TSV_HEADER))
    assert read_tesseract_tsv(write("p.tsv", content)).text == '"Is it?" he "'


def test_texts_of_other_rows_and_behind_boxes_are_unknown(write):
    rows = tsv("1 1 0 0 0 0 0 0 9 9 -1 lost|5 1 1 1 1 1 0 0 9 9 9 read")
    boxes = "r 1 2 3 4 0 #lost\n\t 1 2 3 4 0 #gone\n"
    for layout, text in (
        (read_tesseract_tsv(write("p.tsv", rows)), "read"),
        (read_tesseract_box(write("p.box", boxes)), "r"),
    ):
        assert layout.text == text
        (share,) = layout.account.unknown.values()
        assert (share.example, share.location.endswith(("line 1", "line 2"))) == ("lost", True)
