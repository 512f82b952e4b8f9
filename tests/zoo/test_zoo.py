"""Files that real programs wrote: every text is read, or its place is listed, and what is no text changes nothing."""

from __future__ import annotations

import json
import random
import sys
from itertools import groupby
from pathlib import Path

import pytest
from lxml import etree

from misread.errors import MisreadError

sys.path.insert(0, str(Path(__file__).parent))
from places import MARK, find_places
from reading import ROWS, ZOO, expected_texts, read_level

_EXCEPTIONS = {(form, kind): reason for form, kind, reason, _ in json.loads((ZOO / "exceptions.json").read_text())}
_READ = [row for row in ROWS if "refused" not in row]
_PLACES = 3  # of each kind, in a file


def _all_texts(path, row):
    return {level: read_level(path, row["format"], level) for level in row["texts"]}


@pytest.mark.parametrize(
    ("row", "level"),
    [(row, level) for row in _READ for level in row["texts"]],
)
def test_a_file_gives_its_text_at_every_level_without_a_warning(row, level, recwarn):
    assert read_level(ZOO / "files" / row["file"], row["format"], level) == expected_texts(row, level)
    assert not recwarn.list


@pytest.mark.parametrize("row", [row for row in ROWS if "refused" in row], ids=lambda row: row["file"])
def test_a_broken_file_is_refused_with_its_fault(row):
    for level in row["texts"]:
        with pytest.raises(MisreadError, match=row["refused"]):
            read_level(ZOO / "files" / row["file"], row["format"], level)


@pytest.mark.parametrize(
    "row", [row for row in _READ if not row["file"].endswith("parquet")], ids=lambda row: row["file"]
)
def test_a_word_in_any_place_is_read_or_refused_or_its_place_is_listed(tmp_path, row):
    source, draw = ZOO / "files" / row["file"], random.Random(row["file"])
    places = sorted(find_places(source, row["format"]), key=lambda place: place[0])
    path = tmp_path / source.name
    for kind, group in groupby(places, key=lambda place: place[0]):
        if (row["format"].partition("(")[0], kind) in _EXCEPTIONS:
            continue
        alike = [*group]
        for _, plant in draw.sample(alike, min(_PLACES, len(alike))):
            path.write_bytes(plant().encode())
            try:
                texts = _all_texts(path, row)
            except MisreadError:
                continue
            assert any(MARK in text for values in texts.values() for text in values), kind


def test_each_exception_is_a_place_of_the_zoo():
    rows = [row for row in _READ if not row["file"].endswith("parquet")]
    kinds = {
        (row["format"].partition("(")[0], kind)
        for row in rows
        for kind, _ in find_places(ZOO / "files" / row["file"], row["format"])
    }
    assert set(_EXCEPTIONS) <= kinds


@pytest.mark.parametrize(
    "row", [row for row in _READ if row["format"] in {"alto", "hocr", "page"}], ids=lambda row: row["file"]
)
def test_ids_and_white_space_between_elements_change_no_text(tmp_path, row):
    source = ZOO / "files" / row["file"]
    root = etree.fromstring(source.read_bytes())
    for number, element in enumerate(root.iter(etree.Element)):
        for key in {"id", "ID"} & set(element.attrib):
            element.set(key, f"other{number}")
    etree.indent(root, space="      ")
    path = tmp_path / source.name
    path.write_bytes(etree.tostring(root))
    assert _all_texts(path, row) == _all_texts(source, row)


@pytest.mark.parametrize("row", [row for row in _READ if row["file"].endswith(".json")], ids=lambda row: row["file"])
def test_white_space_of_json_and_order_of_keys_change_no_text(tmp_path, row):
    source = ZOO / "files" / row["file"]
    path = tmp_path / source.name
    path.write_text(json.dumps(json.loads(source.read_text("utf-8")), indent=3, sort_keys=True), "utf-8")
    assert _all_texts(path, row) == _all_texts(source, row)


def test_the_zoo_is_small_and_every_file_is_in_its_manifest():
    files = [path for path in (ZOO / "files").rglob("*") if path.is_file()]
    assert {str(path.relative_to(ZOO / "files")) for path in files} == {row["file"] for row in ROWS}
    assert sum(path.stat().st_size for path in files) < 1_500_000
