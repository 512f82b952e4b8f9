"""Measure rows, print the table, and write it into the documents: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numba

from benchmarks.book_rows import book_rows
from benchmarks.line_rows import grapheme_rows, line_rows, metric_rows, paragraph_rows, word_rows
from benchmarks.measure import Row
from benchmarks.stage_rows import process_rows, stage_rows
from benchmarks.statistics_rows import bootstrap_rows, comparison_rows, flip_rows

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "docs/performance.md")
BEGIN, END = "<!-- table: make bench -->", "<!-- end of table: make bench -->"
HEADER = "| input | result | compared with | measured | goal | stretch |\n|---|---|---|---:|---:|---:|"

ROWS: dict[str, Callable[[float], Iterator[Row]]] = {
    "lines": line_rows,
    "words": word_rows,
    "graphemes": grapheme_rows,
    "paragraphs": paragraph_rows,
    "books": book_rows,
    "metrics": metric_rows,
    "bootstrap": bootstrap_rows,
    "flips": flip_rows,
    "comparison": comparison_rows,
    "stage": stage_rows,
    "processes": process_rows,
}


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"{', '.join(ROWS)}; without any, all, and the table is written")
    parser.add_argument("--scale", type=float, default=0.25, help="size of the work; 1 is 200,000 lines")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side, of which the median counts")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in ROWS:
            parser.error(f"no rows are called {name!r}; there are: {', '.join(ROWS)}")
    numba.config.NUMBA_NUM_THREADS = 1
    print(HEADER)
    lines = []
    for name in arguments.names or ROWS:
        for row in ROWS[name](arguments.scale):
            beside, figure = row.measure(arguments.rounds)
            goals = " | ".join(goal or "–" for goal in (row.goal, row.stretch))
            lines.append(f"| {row.work} | {row.output} | {beside} | {figure} | {goals} |")
            print(lines[-1], flush=True)
    if not arguments.names:
        for document in DOCUMENTS:
            replace_table(ROOT / document, "\n".join([HEADER, *lines]))


def replace_table(path: Path, table: str) -> None:
    """Replace the table between its markers."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise SystemExit(f"{path} has no lines {BEGIN} and {END}: put them where the table belongs.")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
