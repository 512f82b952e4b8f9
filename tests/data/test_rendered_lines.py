import csv
import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

FOLDER = Path(__file__).parents[2] / "data" / "rendered_lines"


@pytest.fixture(scope="module")
def rows():
    with (FOLDER / "lines.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@pytest.fixture
def generator(monkeypatch):
    # Bytecode beside the script would become part of the data set's folder.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = importlib.util.spec_from_file_location("generate_rendered_lines", FOLDER / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_120_lines_with_distinct_ids_and_texts(rows):
    assert len(rows) == 120
    assert len({row["segment_id"] for row in rows}) == 120
    assert len({row["text"] for row in rows}) == 120


def test_every_document_has_ten_lines_in_one_font(rows):
    assert Counter(Counter(row["document"] for row in rows).values()) == {10: 12}
    assert len({(row["document"], row["font"]) for row in rows}) == 12


def test_every_level_has_forty_lines_and_occurs_in_every_document(rows):
    assert Counter(row["degradation"] for row in rows) == {"clean": 40, "light": 40, "heavy": 40}
    assert len({(row["document"], row["degradation"]) for row in rows}) == 36


def test_every_image_opens_as_greyscale(rows):
    for row in rows:
        with Image.open(FOLDER / row["image"]) as image:
            image.load()
            assert (image.format, image.mode) == ("PNG", "L"), row["image"]


def test_images_and_rows_belong_together(rows):
    images = {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "images").iterdir()}
    assert images == {row["image"] for row in rows}


def test_the_table_is_what_the_script_makes_of_the_sentences(rows, generator):
    made = [{name: str(value) for name, value in line._asdict().items()} for line in generator.read_lines()]
    assert made == rows


@pytest.mark.parametrize("level", ["clean", "light", "heavy"])
def test_a_line_made_again_has_the_same_bytes(level, generator):
    line = next(line for line in generator.read_lines() if line.degradation == level)
    assert generator.png(line) == (FOLDER / line.image).read_bytes()


def test_the_data_set_stays_small():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 2_500_000
