"""What the zoo's programs are given: invented texts in several scripts, with times and speakers."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

SEGMENTS: Final = [
    (0.0, 2.5, "anna", "Der Bäcker zählt 24 süße Brötchen."),
    (2.5, 5.0, "badr", "القط نائم قرب الباب"),
    (5.0, 7.5, "anna", "देर से आई गाड़ी खाली थी"),
    (7.5, 9.0, "chen", "今天河边下雨"),
    (9.0, 12.0, "badr", "Žluťoučký kůň pil čaj well-known at 7:30"),
]
"""Begin and end in seconds, speaker, text."""

TEXTS: Final = [text for *_, text in SEGMENTS]
LEVELS: Final = {"page": [" ".join(TEXTS)], "line": TEXTS, "word": " ".join(TEXTS).split()}
PRINTED: Final = [["Seven boats waited near", "the wooden harbour."], ["Rain fell on 42 roofs", "before the morning."]]
"""Lines of the paragraphs of a printed page."""


def spread_words(begin: float, end: float, text: str) -> list[tuple[float, float, str]]:
    """Words of a segment with times that share its length."""
    words = text.split()
    step = (end - begin) / len(words)
    return [(round(begin + i * step, 3), round(begin + (i + 1) * step, 3), word) for i, word in enumerate(words)]


class Zoo:
    """Folder of the files, and the rows of its manifest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: list[dict[str, Any]] = []

    def path(self, name: str) -> Path:
        """Where a file of a program lies; its folder is made."""
        path = self.folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def add(
        self, name: str, package: str, form: str, texts: dict[str, list[str]], number: str = "", refused: str = ""
    ) -> None:
        """Record a written file, the format to read it as, its texts by level, why it is refused."""
        row: dict[str, Any] = {"file": name, "program": package, "version": number or version(package), "format": form}
        self.rows.append(row | {"texts": texts} | ({"refused": refused} if refused else {}))

    def write(self, name: str, content: str, *row: Any) -> None:
        """Write a file that a program gave as a text, and record it."""
        self.path(name).write_bytes(content.encode())
        self.add(name, *row)

    def save(self) -> None:
        """Write the manifest again, with the rows of other programs as they were."""
        path = self.folder / "zoo.jsonl"
        written = {row["file"] for row in self.rows}
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        others = [row for row in map(json.loads, lines) if row["file"] not in written]
        rows = sorted([*others, *self.rows], key=lambda row: row["file"])
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
