"""Boxes with texts, by hand in the layouts of ICDAR's contests (rrc.cvc.uab.es) and of FUNSD."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from misread.data.formats.text_boxes import parse_boxes, read_funsd, read_icdar_boxes
from misread.errors import InputFileError


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        # Scene text of 2015, with a byte order mark, and receipts of 2019, where a text has commas.
        (
            "\ufeff377,117,463,117,465,130,378,130,Genaxis Theatre\r\n1,2,3,4,5,6,7,8,[06]\r\n",
            ["Genaxis Theatre", "[06]"],
        ),
        ("72,25,326,25,326,64,72,64,TAN WOON YANN, 789417-W\n", ["TAN WOON YANN, 789417-W"]),
        # Many languages, 2017 and 2019.
        ("1,2,3,4,5,6,7,8,Latin,one\n1,2,3,4,5,6,7,8,Korean,둘\n", ["one", "둘"]),
        ("1,2,3,4,5,6,7,8,Latin,one\n1,2,3,4,5,6,7,8,two\n", ["Latin,one", "two"]),
        # Focused scene text of 2013: test and training.
        ('38, 43, 920, 215, "Tire, \\"d\\""\n', ['Tire, "d"']),
        ('158 128 411 181 "Footpath"\n', ["Footpath"]),
        ("1,2,3,4,5,6,7,8,###\n1.5,2,3,4,5,6,7,-8,word\n", ["word"]),
    ],
)
def test_texts_are_in_the_order_of_the_boxes(write, rows, texts):
    layout = read_icdar_boxes(write("gt_1.txt", rows))
    assert layout.text == "\n".join(texts)
    assert [*layout.account.left_out] == (["boxes that are not to be read (###), left out"] if "###" in rows else [])


def test_boxes_are_lines_by_their_numbers(write):
    layout = read_icdar_boxes(write("gt.txt", "1,2,3,4,5,6,7,8,###\n\n1,2,3,4,5,6,7,8,one two\n"), words=True)
    assert layout.cut("line") == {"2": "one two"}
    assert layout.cut("word") == {"2.1": "one", "2.2": "two"}


@pytest.mark.parametrize("row", ["word", "1,2,3,word", "1,2,3,4,5,6,7,x"])
def test_another_row_is_refused_with_the_line(write, row):
    path = write("gt.txt", f"1,2,3,4,5,6,7,8,one\n{row}\n")
    if row.endswith("x"):
        assert read_icdar_boxes(path).text == "one\n5,6,7,x"
        return
    with pytest.raises(InputFileError, match=r"gt\.txt, line 2: expected 4 or 8 coordinates and a text"):
        read_icdar_boxes(path)


FORM = {
    "form": [
        {
            "box": [84, 109, 136, 119],
            "text": "COMPOUND",
            "label": "question",
            "words": [{"box": [84, 109, 136, 119], "text": "COMPOUND"}],
            "linking": [[0, 37]],
            "id": 0,
        },
        {
            "box": [1, 2, 3, 4],
            "text": "TO: Dr.",
            "label": "other",
            "words": [{"text": "TO:"}, {"text": "Dr."}],
            "id": 1,
        },
    ]
}


def test_entities_of_a_form_are_regions_by_their_ids(write):
    layout = read_funsd(write("0001.json", json.dumps(FORM)), words=True)
    assert layout.text == "COMPOUND\nTO: Dr."
    assert layout.cut("region") == layout.cut("line") == {"0": "COMPOUND", "1": "TO: Dr."}
    assert layout.cut("word") == {"0.1": "COMPOUND", "1.1": "TO:", "1.2": "Dr."}


@pytest.mark.parametrize("content", [{}, [], {"form": [{}]}, {"form": [{"id": 1, "text": 2}]}, {"form": None}])
def test_another_object_is_refused(write, content):
    with pytest.raises(InputFileError, match=r"0001\.json: expected .\"form\""):
        read_funsd(write("0001.json", json.dumps(content)))


@pytest.mark.parametrize("row", ["1" + " " * 9000 + "x", ("1" + " " * 3000) * 3 + "x", "1" * 9000, "1," * 9000])
def test_no_line_takes_long(ends_within, row):
    def parse():
        with suppress(InputFileError):
            parse_boxes(row, Path("gt.txt"))

    assert ends_within(0.5, parse)
