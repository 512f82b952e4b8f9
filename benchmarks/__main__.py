"""Measure all rows, print the table, and write it into the documents."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numba

from benchmarks.measure import Timing, measure
from benchmarks.rows import make_rows

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: make bench -->", "<!-- end of table: make bench -->"
HEADER = "| work | output | fastest peer | times as fast |\n|---|---|---|---:|"


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--scale", type=float, default=0.25, help="size of the work; 1 is 200,000 lines")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side, of which the median counts")
    parser.add_argument("--only", default="", help="regular expression for the work of the rows to run; writes nothing")
    parser.add_argument("--readme", action="store_true", help="write the table into README.md too")
    arguments = parser.parse_args()
    numba.config.NUMBA_NUM_THREADS = 1
    print(HEADER)
    lines = []
    for row in make_rows(arguments.scale):
        if re.search(arguments.only, f"{row.work} {row.output}"):
            lines.append(format_line(measure(row, arguments.rounds)))
            print(lines[-1], flush=True)
    if not arguments.only:
        table = "\n".join([HEADER, *lines])
        for name in ("docs/performance.md", *(["README.md"] if arguments.readme else [])):
            replace_table(ROOT / name, table)


def format_line(timing: Timing) -> str:
    """One line of the table: a ratio of CPU times, as absolute times say more of a machine than of a tool."""
    return f"| {timing.row.work} | {timing.row.output} | {timing.peer} | {timing.ratio:.3g} |"


def replace_table(path: Path, table: str) -> None:
    """Put the table between its markers."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise SystemExit(f"{path} has no lines {BEGIN} and {END}: put them where the table belongs.")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
