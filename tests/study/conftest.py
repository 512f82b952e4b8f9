"""Data that studies begin with."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

ROWS = [
    {"id": "l1", "truth": "the quick brown fox", "page": "p1", "one": "the quich brown fox", "gemini-2.0": "the quick"},
    {"id": "l2", "truth": "jumps over", "page": "p1", "one": "jumps over", "gemini-2.0": "jumps ovr"},
    {"id": "l3", "truth": "the lazy dog", "page": "p2", "one": "the lazy dog", "gemini-2.0": "the lazy dog"},
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of three lines and two systems."""
    path = tmp_path / "My lines.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    return path


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Folders of texts: references and two systems."""
    for folder, column in (("truth", "truth"), ("one", "one"), ("two.1", "gemini-2.0")):
        (tmp_path / "pages" / folder).mkdir(parents=True)
        for row in ROWS:
            (tmp_path / "pages" / folder / f"{row['page']}_{row['id']}.txt").write_text(row[column])
    return tmp_path / "pages"
