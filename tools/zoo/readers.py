"""Give the zoo to readers of others: `python -m tools.zoo.readers tests/zoo`, in environments that have them.

Packages: webvtt-py pysubs2 srt praatio tgt pandas; meeteval; dinglehopper, ocrd and hocr-tools, kraken.
Each is asked for the texts that the file must give: of segments or lines, of columns, or of the page.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

Texts = dict[str, list[str]]
Read = Callable[[Path], Texts]


def _webvtt_py(path: Path) -> Texts:
    import webvtt

    read = webvtt.from_srt if path.suffix == ".srt" else webvtt.read
    return {"segment": [caption.text for caption in read(str(path))]}


def _pysubs2(path: Path) -> Texts:
    import pysubs2

    return {"segment": [event.plaintext for event in pysubs2.load(str(path))]}


def _srt(path: Path) -> Texts:
    import srt

    return {"segment": [cue.content for cue in srt.parse(path.read_text("utf-8"))]}


def _praatio(path: Path) -> Texts:
    from praatio import textgrid

    grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False)
    spoken = sorted(entry for tier in grid.tiers if isinstance(tier, textgrid.IntervalTier) for entry in tier.entries)
    return {"segment": [entry.label for entry in spoken]}


def _tgt(path: Path) -> Texts:
    import tgt

    tiers = [tier for tier in tgt.read_textgrid(str(path), encoding="utf-8") if isinstance(tier, tgt.IntervalTier)]
    spoken = sorted((entry.start_time, entry.text) for tier in tiers for entry in tier)
    return {"segment": [text for _, text in spoken]}


def _pandas(path: Path) -> Texts:
    import pandas as pd

    if path.suffix in {".csv", ".tsv"}:
        frame = pd.read_csv(path, sep=None, engine="python")
    elif path.suffix == ".parquet":
        frame = pd.read_parquet(path)
    else:
        frame = pd.read_json(path, lines=path.suffix == ".jsonl")
    if "word_num" in frame:
        return {"word": [str(word) for word in frame["text"].dropna() if str(word).strip()]}
    return {column: [*map(str, frame[column])] for column in frame} | {"segment": [*map(str, frame.iloc[:, -1])]}


def _csv(path: Path) -> Texts:
    if path.suffix not in {".csv", ".tsv"}:
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, dialect="excel" if path.suffix == ".csv" else "excel-tab")]
    texts = {column: [row[column] for row in rows] for column in rows[0]}
    return texts | {"word": [text for text in texts.get("text", ()) if text.strip()], "segment": texts.get("text", [])}


def _meeteval(path: Path) -> Texts:
    import meeteval

    rows = meeteval.io.load(path).to_seglst()
    return {"segment": [row["words"] for row in rows], "words": [row["words"] for row in rows]}


def _dinglehopper(path: Path) -> Texts:
    from dinglehopper.ocr_files import extract

    return {"page": [extract(str(path), textequiv_level="line").text]}


def _ocrd(path: Path) -> Texts:
    from ocrd_models.ocrd_page import parse

    page = parse(str(path), silence=True).get_Page()
    lines = [line for region in page.get_AllRegions(classes=["Text"]) for line in region.get_TextLine()]
    return {"line": [line.get_TextEquiv()[0].get_Unicode() for line in lines]}


def _kraken(path: Path) -> Texts:
    from kraken.lib.xml import XMLPage

    return {"line": [line.text for line in XMLPage(path, linetype="bbox").get_sorted_lines()]}


def _hocr_tools(path: Path) -> Texts:
    from lxml import html

    lines = html.parse(str(path)).xpath("//*[@class='ocr_line']")
    return {"line": [line.text_content() for line in lines]}


READERS: dict[str, tuple[Read, set[str]]] = {
    "webvtt-py": (_webvtt_py, {"webvtt", "srt"}),
    "pysubs2": (_pysubs2, {"webvtt", "srt"}),
    "srt": (_srt, {"srt"}),
    "praatio": (_praatio, {"textgrid"}),
    "tgt": (_tgt, {"textgrid"}),
    "pandas": (_pandas, {"table", "tesseract_tsv", "whisper_tsv"}),
    "csv": (_csv, {"table", "tesseract_tsv", "whisper_tsv"}),
    "meeteval": (_meeteval, {"seglst", "stm", "ctm"}),
    "dinglehopper": (_dinglehopper, {"page", "alto"}),
    "ocrd": (_ocrd, {"page"}),
    "kraken": (_kraken, {"page", "alto"}),
    "lxml": (_hocr_tools, {"hocr"}),
}
"""What reads a file, by package, with the formats that it reads; lxml as hocr-lines of hocr-tools."""


def _ask(read: Read, path: Path, texts: Texts) -> str:
    """Whether a reader gives what it must at the levels that it has."""
    try:
        given = read(path)
    except Exception:  # noqa: BLE001 - what a reader of others raises is its own
        return "refuses"
    levels = [level for level in texts if level in given]
    is_right = all(_join(level, given[level]) == _join(level, texts[level]) for level in levels)
    return ("right" if is_right else "differs") if levels else ""


def _join(level: str, texts: list[str]) -> list[str]:
    joined = [" ".join(text.split()) for text in texts]
    return [" ".join(joined).strip()] if level in {"words", "page"} else joined


def main(folder: Path) -> None:
    """Ask the readers of this environment, and keep what those of others have said."""
    path = folder / "readers.json"
    results: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    rows = [json.loads(line) for line in (folder / "zoo.jsonl").read_text("utf-8").splitlines()]
    for name, (read, forms) in READERS.items():
        try:
            number = version(name) if name != "csv" else ".".join(map(str, sys.version_info[:3]))
        except PackageNotFoundError:
            continue
        asked = [row for row in rows if row["format"].partition("(")[0] in forms]
        said = {row["file"]: _ask(read, folder / "files" / row["file"], row["texts"]) for row in asked}
        results[name] = {"version": number, "files": {file: answer for file, answer in said.items() if answer}}
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    for module in ("torch", "torch.nn", "torch.nn.functional"):
        sys.modules.setdefault(module, MagicMock(Tensor=type("Tensor", (), {})))
    main(Path(sys.argv[1]))
