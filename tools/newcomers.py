"""Measure what four tasks of a new user print: `python -m tools.newcomers [TASK ...] [--show]`.

The data are made up, the same every time, and need no network. The table is that of
docs/design/010-tables-page-commands.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tools.bench.measure import PATH

_WORDS: Final = (
    "bell",
    "comes",
    "fog",
    "grey",
    "harbour",
    "keeps",
    "old",
    "over",
    "quiet",
    "rings",
    "seven",
    "the",
    "water",
)
_SYSTEMS: Final = {"heron": 0.02, "ibis": 0.05, "jay": 0.12}
"""Systems, and the share of characters that each misreads."""


_AUTHOR: Final = {f"GIT_{who}_{what}": "me" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
_ENVIRONMENT: Final = {**os.environ, **_AUTHOR, "PATH": PATH, "COLUMNS": "80"}


class Command(NamedTuple):
    """What is typed, how many lines it may print, and the status that it ends with."""

    words: tuple[str, ...]
    most_lines: int = 0
    status: int = 0


class Edit(NamedTuple):
    """What is done in an editor: a text in a file is replaced."""

    path: str
    old: str
    new: str


class Task(NamedTuple):
    """What a new user wants, the files that are there, and what is done with them."""

    aim: str
    write: Callable[[Path], None]
    steps: Sequence[Command | Edit]


class Line(NamedTuple):
    """What a task took, or one of its commands."""

    commands: int
    lines: int
    words: int


def measure(task: Task, folder: Path, *, show: bool = False) -> Iterator[tuple[Command, Line]]:
    """Do a task in an empty folder; for every command, what it printed on both streams."""
    task.write(folder)
    for step in task.steps:
        if isinstance(step, Edit):
            edit(folder, step)
            continue
        done = subprocess.run(
            step.words,
            cwd=folder,
            env=_ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != step.status:
            raise SystemExit(f"{' '.join(step.words)} ended with status {done.returncode}:\n{done.stdout}")
        if show:
            print(f"$ {' '.join(step.words)}\n{done.stdout}", end="")
        yield step, count(done.stdout)


def count(printed: str) -> Line:
    """Lines and words of what one command printed."""
    return Line(1, len(printed.splitlines()), len(printed.split()))


def edit(folder: Path, change: Edit) -> None:
    """Replace a text in a file; one that is not there ends the measurement."""
    path = folder / change.path
    text = path.read_text(encoding="utf-8")
    if change.old not in text:
        raise SystemExit(f"{path} has no {change.old!r} to replace.")
    path.write_text(text.replace(change.old, change.new), encoding="utf-8")


def _lines(number: int, rate: float, seed: int) -> list[str]:
    """Lines of words, in which characters are replaced at a rate; the same lines at every rate."""
    drawn, misread = random.Random(1), random.Random(seed)
    lines = [" ".join(drawn.choices(_WORDS, k=8)) for _ in range(number)]
    return ["".join("x" if misread.random() < rate and sign != " " else sign for sign in line) for line in lines]


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_folders(folder: Path) -> None:
    """Write twelve books of two pages, as the ground truth and as three systems read them."""
    for seed, (side, rate) in enumerate({"truth": 0.0, **_SYSTEMS}.items()):
        lines = _lines(24 * 5, rate, seed)
        for page in range(24):
            _write(folder / side / f"book{page // 2:02}" / f"page{page:02}.txt", lines[5 * page : 5 * page + 5])


def write_table(folder: Path) -> None:
    """Write a table of 60 lines on twelve pages, with two systems."""
    sides = [_lines(60, rate, seed) for seed, rate in enumerate((0.0, 0.02, 0.06))]
    rows = [f"line{row:02},page{row // 5:02},{','.join(texts)}" for row, texts in enumerate(zip(*sides, strict=True))]
    _write(folder / "lines.csv", ["id,page,truth,heron,ibis", *rows])


def write_answers(folder: Path) -> None:
    """Write answers of two models, three of each to every one of 20 pages of ten books; one is missing."""
    truth = _lines(20, 0.0, 0)
    rows = []
    for run in range(3):
        models = {"heron": _lines(20, 0.02, 10 + run), "ibis": _lines(20, 0.05, 20 + run)}
        for page, text in enumerate(truth):
            answers = {model: answers[page] for model, answers in models.items()}
            missing = {"ibis": None} if (run, page) == (2, 7) else {}
            row = {"page": f"page{page:02}", "book": f"book{page // 2}", "run": str(run), "text": text}
            rows.append(json.dumps({**row, **answers, **missing}))
    _write(folder / "answers.jsonl", rows)


def write_speech(folder: Path) -> None:
    """Write what twelve speakers said in forms of sclite: TRN, and STM with CTM."""
    for seed, (side, rate) in enumerate({"truth": 0.0, "heron": 0.02, "ibis": 0.05}.items()):
        lines = _lines(48, rate, seed)
        speakers = [f"spk{row // 4:02}" for row in range(48)]
        _write(folder / f"{side}.trn", [f"{text} ({speakers[row]}_{row:03})" for row, text in enumerate(lines)])
        if side == "truth":
            starts = [10 * (row % 4) for row in range(48)]
            stm = zip(speakers, starts, lines, strict=True)
            _write(
                folder / "truth.stm",
                [f"{speaker} 1 {speaker} {start}.00 {start + 9}.00 {text}" for speaker, start, text in stm],
            )
        else:
            words = [
                f"{speakers[row]} 1 {10 * (row % 4) + position}.00 0.50 {word}"
                for row, text in enumerate(lines)
                for position, word in enumerate(text.split())
            ]
            _write(folder / f"{side}.ctm", words)


_SCORE_FOLDERS: Final = ("misread", "score", "truth", *_SYSTEMS, "--cluster", "^([^/]+)/")
_INIT: Final = ("--id", "id", "--ref", "truth", "--cluster", "page", "--hyp", "heron=heron", "--hyp", "ibis=ibis")
_SCORE_ANSWERS: Final = (
    *("misread", "score", "--table", "answers.jsonl", "--id", "page", "--ref", "text", "--hyp", "heron=heron"),
    *("--hyp", "ibis=ibis", "--run-column", "run", "--cluster", "book"),
)
_SCORE_TRN: Final = ("misread", "score", "truth.trn", "heron.trn", "ibis.trn")
_SCORE_STM: Final = (
    *("misread", "score", "--ref-format", "stm", "--hyp-format", "ctm", "truth.stm", "heron.ctm", "ibis.ctm"),
)
TASKS: Final = {
    "folders": Task(
        "a table of three systems for a paper, from folders of texts",
        write_folders,
        [Command(_SCORE_FOLDERS, 28), Command((*_SCORE_FOLDERS, "--metrics", "cer", "--output", "latex"), 28)],
    ),
    "study": Task(
        "a study of one's own: another normalizer, other outputs, what changed",
        write_table,
        [
            Command(("misread", "init", "--table", "lines.csv", *_INIT, "."), 24),
            Command(("dvc", "repro"), 44),
            Command(("git", "add", "--all")),
            Command(("git", "commit", "--quiet", "--message", "Results")),
            Edit("conf/config.yaml", "normalizer: whitespace", "normalizer: lower"),
            Command(("misread", "compose"), 3),
            Command(("dvc", "repro"), 44),
            Command(("misread", "diff"), 24, 2),
            Command(("misread", "diff", "--rescore", "lower"), 30),
            Command(("git", "commit", "--quiet", "--all", "--message", "Lower")),
            Edit("data/lines/lines.csv", "x", "o"),
            Command(("dvc", "repro"), 44),
            Command(("misread", "diff"), 50),
        ],
    ),
    "answers": Task(
        "answers of two models, three runs each, one answer missing",
        write_answers,
        [Command(_SCORE_ANSWERS, 2, 1), Command((*_SCORE_ANSWERS, "--missing", "empty"), 40)],
    ),
    "speech": Task(
        "files of sclite: TRN, and STM with CTM",
        write_speech,
        [
            Command(_SCORE_TRN, 2, 1),
            Command((*_SCORE_TRN, "--format", "trn"), 28),
            Command((*_SCORE_STM, "--metrics", "wer(alignment=sclite)"), 24),
        ],
    ),
}


def main() -> None:
    """Do the tasks that are named, or all, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.newcomers", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*TASKS, []], default=[], metavar="TASK", help=", ".join(TASKS))
    parser.add_argument("--show", action="store_true", help="print what the commands print, too")
    arguments = parser.parse_args()
    rows = ["| task | commands | lines | words |", "|---|---:|---:|---:|"]
    for name in arguments.names or TASKS:
        with TemporaryDirectory(prefix="misread-") as folder:
            figures = [line for _, line in measure(TASKS[name], Path(folder), show=arguments.show)]
        totals = Line(*map(sum, zip(*figures, strict=True)))
        rows.append(f"| {TASKS[name].aim} | {totals.commands} | {totals.lines:,} | {totals.words:,} |")
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
