"""Measure rows, print the table, and write the whole one into the documents: `python -m tools.bench [NAME ...]`."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numba

from misread.compiled.budget import use_machine_code
from tools.bench import alignment_rows, capture_rows, command_rows, stage_rows, study_rows, waiting_rows
from tools.bench.measure import Measured, Row
from tools.parts import ROOT, read_part, replace_part

README, PERFORMANCE = ROOT / "README.md", ROOT / "docs/performance.md"
COMMAND = "make bench"
HEADER = ("| input | result | compared with | measured | goal | stretch |", "|---|---|---|---:|---:|---:|")
# Rows that the README shows, without their goals.
CHOSEN = (
    "| lines | chars S/D/I, end to end | jiwer |",
    "| lines | chars S/D/I, end to end | rapidfuzz editops |",
    "| bootstrap | 8 systems, 10,000 segments, B = 10,000 | scipy.stats.bootstrap |",
)

ROWS: dict[str, Callable[[float], Iterator[Row]]] = {
    "lines": alignment_rows.line_rows,
    "paragraphs": alignment_rows.paragraph_rows,
    "books": alignment_rows.book_rows,
    "metrics": alignment_rows.metric_rows,
    "resampling": stage_rows.resampling_rows,
    "stage": stage_rows.stage_rows,
    "processes": command_rows.process_rows,
    "formats": command_rows.format_rows,
    "captures": capture_rows.capture_rows,
    "waiting": waiting_rows.waiting_rows,
}
# Of design notes, not of the page.
ALONE = {"study": study_rows.study_rows, "dvc": study_rows.dvc_rows}
# Machines differ by more than this from one hour to the next.
_NOISE = 0.05


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    told = f"{', '.join(ROWS)}; {' or '.join(ALONE)}; all or none of them: the whole table, which is written"
    parser.add_argument("names", nargs="*", choices=[*ROWS, *ALONE, "all"], default="all", metavar="NAME", help=told)
    parser.add_argument("--scale", type=float, default=0.25, help="size of the work; 1 is 200,000 lines")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side, of which the median counts")
    arguments = parser.parse_args()
    numba.config.NUMBA_NUM_THREADS = 1
    use_machine_code()
    committed = read_figures(read_part(PERFORMANCE, COMMAND))
    print(*HEADER, sep="\n")
    lines, worse = [], []
    for name in ROWS if "all" in arguments.names else arguments.names:
        for row in (ROWS | ALONE)[name](arguments.scale):
            measured = row.measure(arguments.rounds)
            goals = " | ".join(goal or "–" for goal in (row.goal, row.stretch))
            lines.append(f"| {row.work} | {row.output} | {measured.beside} | {measured.figure} | {goals} |")
            print(lines[-1], flush=True)
            before = committed.get((row.work, row.output, measured.beside))
            if before is not None and is_worse(measured, before):
                worse.append(f"{row.work}, {row.output}: {measured.figure}, {before:g} before")
    print("", *(worse or ["No row is worse than the committed one in all rounds."]), sep="\n")
    if "all" in arguments.names:
        table = [*HEADER, *lines]
        replace_part(PERFORMANCE, COMMAND, table)
        replace_part(README, COMMAND, choose_rows(table))


def read_figures(table: Sequence[str]) -> Mapping[tuple[str, ...], float]:
    """Figures of a table by input, result and what they are compared with."""
    cells = [line.strip("| ").split(" | ") for line in table[len(HEADER) :]]
    return {tuple(row[:3]): float(number[0]) for row in cells if (number := re.match(r"[\d.]+", row[3]))}


def is_worse(measured: Measured, before: float) -> bool:
    """Whether every round is worse than an earlier figure, by more than machines differ."""
    if measured.more_is_better:
        return max(measured.values) < before * (1 - _NOISE)
    return min(measured.values) > before * (1 + _NOISE)


def choose_rows(table: Sequence[str]) -> list[str]:
    """Header and chosen rows of the whole table, up to what was measured."""
    chosen = (*table[:2], *(line for line in table[2:] if line.startswith(CHOSEN)))
    return ["|".join(line.split("|")[:5]) + "|" for line in chosen]


if __name__ == "__main__":
    main()
