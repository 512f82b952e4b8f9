"""Output files of Tesseract other than texts: TSV with a row per word, boxes with a character or line per row.

Source: the renderers `tsv`, `makebox`, `lstmbox` and `wordstrbox` of https://github.com/tesseract-ocr/tesseract.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.layout import Layout, Line, Region, Word, join_confidences, make_layout, read_confidence
from misread.data.formats.tables import has_quoted_cells
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text, split_lines

TSV_HEADER: Final = (
    *("level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top", "width", "height", "conf"),
    "text",
)
"""Columns of Tesseract's TSV."""

_FIRST_LINE: Final = re.compile(re.escape("\t".join(TSV_HEADER)) + r"\r?\n")
_ROW: Final = re.compile(r"(?:\d+\t){6}(?:[-+.\deE]*\t){5}.*", re.DOTALL)
_WORD_LEVEL: Final = "5"
_BOX: Final = re.compile(
    r"(?P<text>.+?) (?P<numbers>-?\d+ -?\d+ -?\d+ -?\d+) (?P<page>\d+)(?: ?#(?P<line>.*))?", re.DOTALL
)
_WHOLE_LINE: Final = "WordStr"
_END_OF_LINE: Final = "\t"
WITHOUT_SPACES: Final = "files whose boxes have neither spaces nor ends of lines, so that their text has none"


def read_tesseract_tsv(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read a TSV file; ids are numbers of page, block, paragraph, line and word, joined by dots.

    Raises InputFileError with file and line if it does not have the columns of Tesseract.
    """
    text = read_text(path, encoding=encoding)
    rows = split_lines(text)
    if has_quoted_cells(text):
        # As pandas writes a table of pytesseract.
        rows = ["\t".join(cells) for cells in csv.reader(rows, delimiter="\t")]
    if not rows or tuple(rows[0].split("\t")) != TSV_HEADER:
        raise InputFileError(f"{path}, line 1: expected the columns of Tesseract's TSV: {' '.join(TSV_HEADER)}.")
    account = Account(TESSERACT_TSV.label, path)
    blocks: dict[str, dict[str, list[Word]]] = {}
    for at, row in enumerate(rows[1:], start=2):
        if not _ROW.fullmatch(row):
            raise InputFileError(f"{path}, line {at}: expected {len(TSV_HEADER)} fields, all but the last numbers.")
        cells = row.split("\t", len(TSV_HEADER) - 1)
        if not cells[-1].strip():
            continue
        if cells[0] != _WORD_LEVEL:
            account.doubt("texts of rows that are no words", cells[-1], at)
            continue
        block, line, word = (".".join(cells[1:end]) for end in (3, 5, 6))
        blocks.setdefault(block, {}).setdefault(line, []).append(
            Word(word, cells[-1], at, read_confidence(cells[-2], 100.0))
        )
    read = {block: [_join_words(*line, words) for line in lines.items()] for block, lines in blocks.items()}
    return make_layout(path, [Region(block, None, lines[0].at, lines) for block, lines in read.items()], account)


def _join_words(name: str, inside: list[Word], words: bool) -> Line:
    text = " ".join(str(word.text) for word in inside)
    confidence = join_confidences((word.text, word.confidence) for word in inside)
    return Line(name, text, inside[0].at, inside if words else (), confidence)


def read_tesseract_box(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read a file of boxes; pages are regions, and lines are numbered in the file.

    A box of a tab ends a line, one of a space separates words. Raises InputFileError with file and line.
    """
    pages: dict[str, list[Line]] = {}
    account = Account(TESSERACT_BOX.label, path)
    lines = list(_cut_lines(path, encoding, account))
    for number, (page, text, at) in enumerate(lines, start=1):
        pages.setdefault(page, []).append(Line.of_text(str(number), text, at, words))
    if lines and not any(" " in text for _, text, _ in lines) and len(lines) == len(pages):
        account.leave_out(WITHOUT_SPACES, "", 1)
    return make_layout(path, [Region(page, None, lines[0].at, lines) for page, lines in pages.items()], account)


def _cut_lines(path: Path, encoding: str, account: Account) -> Iterator[tuple[str, str, int]]:
    """Page, text and place of every line of text."""
    text, page, first_row = "", "", 0
    for at, row in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        if not row:
            continue
        box = _BOX.fullmatch(row)
        if box is None:
            raise InputFileError(f"{path}, line {at}: expected TEXT LEFT BOTTOM RIGHT TOP PAGE.")
        if text and (box["page"] != page or box["text"] in (_END_OF_LINE, _WHOLE_LINE)):
            yield page, text.strip(" "), first_row
            text = ""
        page, first_row = box["page"], first_row if text else at
        if box["line"] is not None and box["text"] == _WHOLE_LINE:
            text = box["line"]
        else:
            text += "" if box["text"] == _END_OF_LINE else box["text"]
            if box["line"]:
                account.doubt("texts behind boxes of characters", box["line"], at)
    if text.strip(" "):
        yield page, text.strip(" "), first_row


def is_tesseract_tsv(content: Content) -> bool:
    """Whether the first line has the columns of Tesseract."""
    return _FIRST_LINE.match(content.begin) is not None


def has_boxes(content: Content) -> bool:
    """Whether the file is called so, and all lines are boxes."""
    return content.ending == ".box" and bool(content.lines) and all(map(_BOX.fullmatch, content.lines))


TESSERACT_TSV = Format(
    name="tesseract_tsv",
    label="Tesseract's TSV",
    kind="pages",
    paired_by="file",
    help="TSV of Tesseract",
    endings=frozenset({".tsv"}),
    takes=frozenset({"encoding"}),
    recognise=is_tesseract_tsv,
    read=read_tesseract_tsv,
)

TESSERACT_BOX = Format(
    name="tesseract_box",
    label="Tesseract's boxes",
    kind="pages",
    paired_by="file",
    help="boxes of Tesseract, by character or by line",
    endings=frozenset({".box"}),
    takes=frozenset({"encoding"}),
    recognise=has_boxes,
    read=read_tesseract_box,
)
