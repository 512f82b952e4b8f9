"""Places of texts in files, and what is no text, by programs that know no reader."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from lxml import etree

MARK: Final = "qqmarkqq"
LOGS: Final = frozenset({"inspect", "lm_eval"})

Place = tuple[str, Callable[[], str]]
"""Kind of a place, and the content of the file with a word planted there."""

_TREES = {"abbyy", "alto", "hocr", "page"}
_STRINGS = {"CONTENT", "SUBS_CONTENT"}  # attributes that ALTO's schema types as xsd:string and that hold text


def find_places(path: Path, form: str) -> Iterator[Place]:
    """Every place of a file that may hold text."""
    content = read_content(path)
    if path.suffix in {".json", ".jsonl"}:
        yield from _json_places(content, path.suffix == ".jsonl")
    elif form in _TREES:
        yield from _tree_places(content)
    elif form == "table" or form in {"tesseract_tsv", "whisper_tsv"}:
        yield from _cell_places(content, form)
    else:
        yield from _line_places(content)


def read_content(path: Path) -> str:
    """Content of a file in UTF-8 or UTF-16."""
    data = path.read_bytes()
    return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")


_COUNTED = {"offset", "length", "Page", "page", "type", "type_", "block_type", "breakType", "blockType", "doc_id"}
_IDS = {"id", "Id", "Ids", "sample_id", "sample_ids", "uuid", "created", "audio_filepath", "input_path", "doc_hash"}


def change_no_text(path: Path, form: str) -> str:
    """Content of a file with other times, ids, coordinates and white space, but the same texts; "" if it has none."""
    if path.suffix in {".parquet", ".eval"}:
        return ""
    content = read_content(path)
    if path.suffix == ".json":
        return json.dumps(_change(json.loads(content), form), indent=3, sort_keys=True)
    if path.suffix == ".jsonl":
        rows = (_change(json.loads(line), form) for line in content.splitlines())
        return "\n\n".join(json.dumps(row, separators=(" , ", " :  "), sort_keys=True) for row in rows)
    if form in _TREES:
        return _change_tree(content)
    if form in {"tesseract_tsv", "whisper_tsv"}:
        return _change_cells(content)
    changed = content
    for pattern, replacement in _OTHERS.get(form, ()):
        changed = re.sub(pattern, replacement, changed)
    return changed


_TIMES = (r"(?m)^(?:\d\d:)?(\d\d:\d\d[.,]\d{3} --> )(?:\d\d:)?(\d\d:\d\d[.,])", r"07:\g<1>07:\2")
_SECONDS = (r"(\d\.\d+)(?= )", r"1\1")
_OTHERS: dict[str, list[tuple[str, Any]]] = {
    "srt": [_TIMES],
    "webvtt": [_TIMES],
    "stm": [_SECONDS],
    "ctm": [_SECONDS],
    "text": [(" ", "   ")],
    "lines": [(" ", "   ")],
    "textgrid": [
        (r"(?m)^([\d.]+)\n([\d.]+)\n(?=\")", lambda at: f"{float(at[1]) / 2}\n{float(at[2]) / 2}\n"),
        (r"(?m)^(\s*(?:xmin|xmax|number|mark|time) = )([\d.]+)", lambda at: f"{at[1]}{float(at[2]) / 2}"),
    ],
    "kaldi": [(r"(?m)^(\S+) ", r"other-\1   ")],
    "table": [(r"(?m)(^|[,;\t])(\"?)u(\d)(\"?)(?=[,;\t])", r"\1\2other\3\4")],
    "tesseract_box": [(r"(?m)(?<= )\d+ \d+ \d+ \d+(?= 0( #|$))", "0 0 9 9")],
}
"""Patterns of what is no text in lines, and what it becomes."""


def _change(value: Any, form: str, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: child if key in _COUNTED else _change(child, form, key) for key, child in value.items()}
    if isinstance(value, list):
        return [_change(child, form, name) for child in value]
    if isinstance(value, str):
        return f"{value}x" if name in _IDS else value
    # A log says how many tokens there were.
    return value / 2 if form not in LOGS and isinstance(value, int | float) and not isinstance(value, bool) else value


def _change_cells(content: str) -> str:
    heading, *rows = content.splitlines()
    if heading[0].isdigit():
        heading, rows = "start\tend\ttext", [heading, *rows]
    columns = [name in {"left", "top", "width", "height", "conf", "start", "end"} for name in heading.split("\t")]
    cells = (zip(row.split("\t"), columns, strict=True) for row in rows if row)
    halved = ("\t".join(str(int(float(cell) // 2)) if at else cell for cell, at in row) for row in cells)
    return "\n".join([heading, *halved])


def _change_tree(content: str) -> str:
    root = etree.fromstring(content.encode())
    for number, element in enumerate(root.iter(etree.Element)):
        for key in {"id", "ID"} & set(element.attrib):
            element.set(key, f"other{number}")
        for key in {"HPOS", "VPOS", "WIDTH", "HEIGHT", "points"} & set(element.attrib):
            element.set(key, re.sub(r"\d+", lambda at: str(int(at[0]) // 2), element.get(key)))
        if "bbox" in element.get("title", ""):
            element.set("title", re.sub(r"bbox \d+ \d+", "bbox 0 0", element.get("title")))
    etree.indent(root, space="      ")
    return etree.tostring(root, encoding="unicode")


def _tree_places(content: str) -> Iterator[Place]:
    root = etree.fromstring(content.encode())

    def plant(element: Any, name: str) -> str:
        before = element.get(name) if name in _STRINGS else getattr(element, name)
        set_value = element.set if name in _STRINGS else lambda key, value: setattr(element, key, value)
        set_value(name, f"{before} {MARK}")
        written = etree.tostring(root, encoding="unicode")
        set_value(name, before)
        return written

    for element in root.iter(etree.Element):
        kind = element.get("class") or etree.QName(element).localname
        if kind in {"Unicode", "PlainText"}:
            kind = f"{etree.QName(element.getparent().getparent()).localname}/{kind}"
        for name in ("text", "tail"):
            if (getattr(element, name) or "").strip():
                yield f"{kind}/{name}", lambda element=element, name=name: plant(element, name)
        for name in _STRINGS & set(element.attrib):
            yield f"{kind}/@{name}", lambda element=element, name=name: plant(element, name)


def _json_places(content: str, by_line: bool) -> Iterator[Place]:
    value = [json.loads(line) for line in content.splitlines()] if by_line else json.loads(content)

    def plant(holder: Any, key: Any) -> str:
        before = holder[key]
        holder[key] = f"{before} {MARK}"
        written = "\n".join(json.dumps(row, ensure_ascii=False) for row in (value if by_line else [value]))
        holder[key] = before
        return written

    def walk(holder: Any, path: str) -> Iterator[Place]:
        for key, child in holder.items() if isinstance(holder, dict) else enumerate(holder):
            name = f"{path}.{key}" if isinstance(holder, dict) else path
            if isinstance(child, dict | list):
                yield from walk(child, name)
            elif isinstance(child, str) and child.strip():
                yield name.lstrip("."), lambda holder=holder, key=key: plant(holder, key)

    yield from walk(value, "")


def _cell_places(content: str, form: str) -> Iterator[Place]:
    heading = content.partition("\n")[0]
    separator = next((mark for mark in "\t;," if mark in heading), ",")
    quotes: Any = {"quoting": csv.QUOTE_NONE, "quotechar": None} if form == "tesseract_tsv" else {}
    rows = [*csv.reader(io.StringIO(content, newline=""), delimiter=separator, **quotes)]

    def plant(row: list[str], column: int) -> str:
        before, written = row[column], io.StringIO(newline="")
        row[column] = f"{before} {MARK}"
        csv.writer(written, delimiter=separator, **quotes).writerows(rows)
        row[column] = before
        return written.getvalue()

    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell.strip():
                kind = "heading" if number == 0 else rows[0][column] or "index"
                yield kind, lambda row=row, column=column: plant(row, column)


_HEADING = r'WEBVTT|^\s*(name|class|File type|Object class)\b|"(ooTextFile|TextGrid|IntervalTier|anna)"'


def _line_places(content: str) -> Iterator[Place]:
    lines = content.splitlines()
    for number, line in enumerate(lines):
        if line.strip():
            kind = "times" if "-->" in line else "number" if line.strip().isdigit() else "line"
            if re.search(r'"[^"]*"', line):
                kind = "point" if line.lstrip().startswith("mark") else "quoted"
            if re.search(_HEADING, line):
                kind = "heading"
            elif kind in {"line", "number"} and "-->" in "".join(lines[number + 1 : number + 2]):
                kind = "identifier"
            planted = f'{line.rstrip()[:-1]} {MARK}"' if line.rstrip().endswith('"') else f"{line} {MARK}"
            text = "\n".join([*lines[:number], planted, *lines[number + 1 :]]) + "\n"
            yield kind, lambda text=text: text
