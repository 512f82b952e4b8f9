"""Measure what misread and readers of others make of the zoo: `python -m tools.zoo.measures`; it writes the table, too.

The table of docs/reference/formats.md comes from tests/zoo/zoo.jsonl and tests/zoo/readers.json.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ZOO = Path(__file__).resolve().parents[2] / "tests" / "zoo"
GUIDE = ZOO.parents[1] / "docs" / "reference" / "formats.md"
BEGIN, END = "<!-- zoo -->\n", "<!-- end of zoo -->\n"


def make_table() -> str:
    """The table: a row a format, with its programs, and what misread and others give."""
    rows = [json.loads(line) for line in (ZOO / "zoo.jsonl").read_text("utf-8").splitlines()]
    readers = json.loads((ZOO / "readers.json").read_text("utf-8"))
    lines = ["| format | files of | read | refused | other readers, files read rightly |", "|---|---|---|---|---|"]
    for form in sorted({row["format"].partition("(")[0] for row in rows}):
        files = [row for row in rows if row["format"].partition("(")[0] == form]
        programs = dict.fromkeys(row["program"].lower() for row in files)
        refused = sum("refused" in row for row in files)
        others = []
        for name, reader in readers.items():
            said = [reader["files"][row["file"]] for row in files if row["file"] in reader["files"]]
            if said:
                others.append(f"{name} {said.count('right')} of {len(said)}")
        cells = (f"`{form}`", ", ".join(programs), str(len(files) - refused), str(refused or ""), ", ".join(others))
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "".join(f"{line}\n" for line in lines)


def write_table() -> None:
    """Put the table into the guide."""
    text = GUIDE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    GUIDE.write_text(before + BEGIN + make_table() + END + rest.partition(END)[2], "utf-8")


def measure() -> dict[str, Any]:
    """Count files, programs, texts that are right by level, places and what became of a word there, warnings."""
    sys.path.insert(0, str(ZOO))
    from places import find_places
    from reading import EXCEPTIONS, ROWS, expected_texts, is_excepted, look_for_mark, name_of, read_file

    right, levels, outcomes, lost = Counter[str](), Counter[str](), Counter[str](), Counter[tuple[str, bool]]()
    warned = 0
    with TemporaryDirectory() as folder:
        for row in (row for row in ROWS if "refused" not in row):
            source = ZOO / "files" / row["file"]
            before, expected = read_file(source, row), expected_texts(row)
            warned += bool(before.doubts)
            for level, texts in expected.items():
                kind = level if level in {"page", "region", "line", "word", "segment", "words"} else "column"
                levels[kind] += 1
                right[kind] += before.texts[level] == texts
            if source.suffix in {".parquet", ".eval"}:
                continue
            path = Path(folder, source.name)
            for kind, plant in find_places(source, name_of(row)):
                path.write_bytes(plant().encode())
                outcome, _ = look_for_mark(path, row, before)
                outcomes[outcome] += 1
                if outcome == "lost":
                    lost[f"{name_of(row)} {kind}", is_excepted(name_of(row), kind)] += 1
    read = sum("refused" not in row for row in ROWS)
    unlisted = {kind: number for (kind, is_listed), number in lost.items() if not is_listed}
    return {
        **{"files": len(ROWS), "programs": len({row["program"] for row in ROWS}), "files refused": len(ROWS) - read},
        **{"right": {level: f"{right[level]} of {number}" for level, number in levels.items()}},
        **{"warned": f"{warned} of {read}", "planted": sum(outcomes.values()), **outcomes},
        **{"exceptions": len(EXCEPTIONS), "lost where nothing is listed": unlisted},
    }


if __name__ == "__main__":
    write_table()
    for name, value in measure().items():
        print(f"{name}: {value}")
