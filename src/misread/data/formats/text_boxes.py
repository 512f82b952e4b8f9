"""Files of boxes with their transcriptions: those of ICDAR's robust reading contests, SROIE and FUNSD.

Texts are in the order of the boxes in the file. Sources: https://rrc.cvc.uab.es (tasks on scene text of 2013 to 2019,
and on receipts); Jaume, Ekenel, Thiran (2019), FUNSD.
"""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.layout import Layout, Line, Region, Word, make_layout
from misread.errors import InputFileError
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text, split_lines

_FUNSD: Final = re.compile(r"""\{\s*"form"\s*:\s*\[""")

_NOT_READ: Final = "###"
LEFT_OUT: Final = f"boxes that are not to be read ({_NOT_READ}), left out"
_NUMBER: Final = r"-?\d++(?:\.\d++)?+"
# Possessive, so that a line of blanks takes no longer than another.
_COMMA: Final = r"\s*+,\s*+"
_GAP: Final = rf"(?:{_COMMA}|[^\S ]*+[ ]\s*+)"
_BOX_OF_8: Final = re.compile(rf"\s*+(?P<box>{_NUMBER}(?:{_COMMA}{_NUMBER}){{7}})\s*+,(?P<text>.*)", re.DOTALL)
_BOX_OF_4: Final = re.compile(rf"\s*+(?P<box>{_NUMBER}(?:{_GAP}{_NUMBER}){{3}}){_GAP}(?P<text>.*)", re.DOTALL)
_QUOTED: Final = re.compile(r'"(?P<text>.*)"\s*', re.DOTALL)
# The contest on many languages names the script before each text.
_SCRIPTS: Final = re.compile(
    r"(?:Arabic|Latin|Chinese|Japanese|Korean|Bangla|Hindi|Symbols|Mixed|None),(?P<text>.*)", re.DOTALL
)


class BoxRow(NamedTuple):
    """A box as it is written."""

    line: int
    text: str


def parse_boxes(text: str, path: Path) -> list[BoxRow]:
    """Boxes of a text, in order; raises InputFileError that names the line."""
    rows: list[BoxRow] = []
    for at, row in enumerate(split_lines(text), start=1):
        if not row.strip():
            continue
        box = _BOX_OF_8.fullmatch(row) or _BOX_OF_4.fullmatch(row)
        if not box:
            raise InputFileError(f"{path}, line {at}: expected 4 or 8 coordinates and a text, separated by commas.")
        written = box["text"]
        if box.re is _BOX_OF_4 and (quoted := _QUOTED.fullmatch(written)):
            written = quoted["text"].replace('\\"', '"').replace("\\\\", "\\")
        rows.append(BoxRow(at, written))
    with_script = [_SCRIPTS.fullmatch(row.text) for row in rows]
    if all(with_script):
        return [row._replace(text=match["text"]) for row, match in zip(rows, with_script, strict=True) if match]
    return rows


def read_icdar_boxes(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read lines of four or eight coordinates and a text; each is a line whose id is its number.

    The script is left out if all boxes name one. Raises InputFileError with file and line.
    """
    rows = parse_boxes(read_text(path, encoding=encoding), path)
    lines = [
        Line.of_text(str(number), text, at, words) for number, (at, text) in enumerate(rows, 1) if text != _NOT_READ
    ]
    account = Account(ICDAR.label, path)
    for at, text in rows:
        if text == _NOT_READ:
            account.leave_out(LEFT_OUT, text, at)
    return make_layout(path, [Region("boxes", None, 1, lines)], account)


def read_funsd(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read a form of FUNSD: its entities are regions of one line, by their ids, in the order of the file."""
    content = decode_json(read_text(path, encoding=encoding), path)
    try:
        regions = [_entity(entity, words) for entity in content["form"]]
    except (KeyError, TypeError):
        raise InputFileError(
            f'{path}: expected {{"form": [{{"id": 0, "text": "...", "words": [{{"text": "..."}}, ...]}}, ...]}}.'
        ) from None
    account = Account(FUNSD.label, path)
    account.add_json(content, (line.text or "" for region in regions for line in region.lines), {"label": "", "id": ""})
    return make_layout(path, regions, account)


def _entity(entity: dict[str, Any], words: bool) -> Region:
    name, text = str(entity["id"]), entity["text"]
    inside = [
        Word(f"{name}.{number}", _text(word["text"]), 1) for number, word in enumerate(entity.get("words", ()), start=1)
    ]
    return Region(name, None, 1, [Line(name, _text(text), 1, inside if words else ())])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def has_icdar_boxes(content: Content) -> bool:
    """Whether all lines have eight coordinates and a text, not all numbers as in a table, or four and one in quotes."""
    form = _BOX_OF_8 if _BOX_OF_8.fullmatch(content.first) else _BOX_OF_4
    if not form.fullmatch(content.first):
        return False
    boxes = list(map(form.fullmatch, content.lines))
    if form is _BOX_OF_4:
        return len(boxes) > 1 and all(box and _QUOTED.fullmatch(box["text"]) for box in boxes)
    return all(boxes) and any(box is not None and any(map(str.isalpha, box["text"])) for box in boxes)


def is_funsd(content: Content) -> bool:
    """Whether it begins as a form of FUNSD."""
    return _FUNSD.match(content.begin) is not None


ICDAR = Format(
    name="icdar",
    label="boxes with texts",
    kind="pages",
    paired_by="file",
    help="boxes with texts: ICDAR's contests on scene text, SROIE",
    endings=frozenset({".txt", ".csv"}),
    takes=frozenset({"encoding"}),
    recognise=has_icdar_boxes,
    read=read_icdar_boxes,
)

FUNSD = Format(
    name="funsd",
    label="FUNSD",
    kind="pages",
    paired_by="file",
    help="forms of FUNSD",
    endings=frozenset({".json"}),
    takes=frozenset({"encoding"}),
    recognise=is_funsd,
    read=read_funsd,
)
