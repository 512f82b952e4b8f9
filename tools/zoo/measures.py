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
    lines = [f"{len(rows)} files of {len({row['program'] for row in rows})} programs:", ""]
    lines += ["| format | files of | read | refused | other readers, files read rightly |", "|---|---|---|---|---|"]
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
    from reading import EXCEPTIONS, PATTERNS, READ, ROWS, expected_texts, find_exceptions, plant_marks, read

    right, levels, outcomes, unlisted = (Counter[str]() for _ in range(4))
    for row in READ:
        given = read(row["file"]).texts
        for level, texts in expected_texts(row).items():
            kind = level if level in {"page", "region", "line", "word", "segment", "words"} else "column"
            levels[kind] += 1
            right[kind] += given[level] == texts
        with TemporaryDirectory() as folder:
            for kind, outcome, _ in plant_marks(row, Path(folder)):
                outcomes[outcome] += 1
                unlisted[kind] += outcome == "lost" and not find_exceptions(row, kind)
    return {
        **{"files": len(ROWS), "refused": len(ROWS) - len(READ), "programs": len({row["program"] for row in ROWS})},
        **{"right": {level: f"{right[level]} of {number}" for level, number in levels.items()}},
        **{"warned": sum(bool(read(row["file"]).doubts) for row in READ), "planted": outcomes.total()},
        **{f"planted, {outcome}": number for outcome, number in outcomes.items()},
        **{"exceptions": len(EXCEPTIONS), "their patterns": len(PATTERNS), "lost where nothing is listed": +unlisted},
    }


if __name__ == "__main__":
    write_table()
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in measure().items())
