"""Six things that a new user does, with files that are the same every time: what is typed, and what is printed.

`python -m tests.newcomers` prints the effort of each task, and with -v all that it prints.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

_WORDS: Final = "bell comes fog grey harbour keeps old over quiet rings seven the water"
_SYSTEMS: Final = {"heron": 0.02, "ibis": 0.05, "jay": 0.12}
"""Systems, and the share of characters that each misreads."""


class Effort(NamedTuple):
    """Commands that are typed, and lines and words that they print."""

    commands: int
    lines: int
    words: int


class Task(NamedTuple):
    """The files that are there, what is typed, what the answer has, and the most that may be printed."""

    write: Callable[[Path], None]
    commands: Sequence[str]
    answer: str
    most: Effort
    follows: str = ""  # the task that goes before, in the same folder


def _lines(number: int, rate: float, seed: int) -> list[str]:
    """Lines of words, in which characters are replaced at a rate; the same lines at every rate."""
    drawn, misread = random.Random(1), random.Random(seed)
    lines = [" ".join(drawn.choices(_WORDS.split(), k=8)) for _ in range(number)]
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


def write_files(folder: Path) -> None:
    """Write 60 lines, and as two systems read them."""
    for seed, (side, rate) in enumerate({"reference": 0.0, "heron": 0.02, "ibis": 0.05}.items()):
        _write(folder / f"{side}.txt", _lines(60, rate, seed))


def write_table(folder: Path) -> None:
    """Write a table of 60 lines on twelve pages, with two systems, and one in which one of them reads better."""
    for name, rates in {"lines": (0.0, 0.02, 0.06), "better": (0.0, 0.02, 0.01)}.items():
        sides = [_lines(60, rate, seed) for seed, rate in enumerate(rates)]
        texts = (",".join(row) for row in zip(*sides, strict=True))
        rows = [f"line{row:02},page{row // 5:02},{text}" for row, text in enumerate(texts)]
        _write(folder / f"{name}.csv", ["id,page,truth,heron,ibis", *rows])


def write_answers(folder: Path) -> None:
    """Write answers of four models on 60 pages of ten books, with what each cost."""
    truth = _lines(60, 0.0, 0)
    models = {"small": (0.06, 0.0002), "middle": (0.03, 0.001), "large": (0.02, 0.004), "dear": (0.05, 0.005)}
    rows = [
        {
            "page": f"p{page:02}",
            "book": f"b{page // 6}",
            "model": model,
            "truth": truth[page],
            "answer": text,
            "usd": usd,
        }
        for seed, (model, (rate, usd)) in enumerate(models.items())
        for page, text in enumerate(_lines(60, rate, seed + 1))
    ]
    _write(folder / "answers.jsonl", list(map(json.dumps, rows)))


def write_captions(folder: Path) -> None:
    """Write subtitles of forty cues, and as two recognizers heard them."""
    for seed, (side, rate) in enumerate({"gold": 0.0, "heron": 0.02, "ibis": 0.05}.items()):
        cues = (
            f"{number}\n00:{number:02}:01,000 --> 00:{number:02}:04,000\n{text}\n"
            for number, text in enumerate(_lines(40, rate, seed), start=1)
        )
        _write(folder / f"{side}.srt", list(cues))


_FILES: Final = "misread score reference.txt heron.txt ibis.txt"
_CER: Final = f"{_FILES} --metrics cer"
REPRO: Final = "dvc repro"
TASKS: Final[Mapping[str, Task]] = {
    "paper": Task(
        write_files,
        [_FILES, f"{_CER} --normalizer none,whitespace,ocr", f"{_CER} --normalizer ocr --output latex"],
        "Under none, whitespace and ocr, heron is significantly ahead.",
        Effort(3, 42, 330),
    ),
    "folders": Task(
        write_folders,
        ["misread score truth heron ibis jay --cluster folder --metrics cer --view worst"],
        "ranked by the mean over systems; 20 of 24 shown.",
        Effort(1, 44, 270),
    ),
    "costs": Task(
        write_answers,
        [
            "misread score --table 'answers.jsonl(system=model,measured={usd:usd})' --segment-id page --ref truth "
            "--hyp answer --cluster book --metrics cer"
        ],
        "USD per 1,000 CER % dominated by",
        Effort(1, 30, 230),
    ),
    "subtitles": Task(
        write_captions,
        ["misread score gold.srt heron.srt ibis.srt --metrics asr --normalizer none,english"],
        "Under none and english, the data cannot tell heron from ibis.",
        Effort(1, 30, 150),
    ),
    "study": Task(
        write_table,
        [
            "misread init --table lines.csv --segment-id id --ref truth --cluster page --hyp heron=heron "
            "--hyp ibis=ibis .",
            *(REPRO, "git add -A && git commit -qm Results"),
            *(f"cp better.csv data/lines/lines.csv && {REPRO}", "misread diff"),
        ],
        "IMPROVEMENT 1 of 2 systems is significantly better than at HEAD",
        Effort(5, 150, 1050),
    ),
    "gate": Task(
        lambda _: None,
        ["git commit -qam Better", "misread gate --baseline HEAD~1 --metrics cer --margin 0.002 --markdown gate.md"],
        "PASS 2 comparisons with HEAD~1",
        Effort(2, 16, 120),
        follows="study",
    ),
}


def measure(task: Task, folder: Path, *, repro: str = REPRO) -> tuple[Effort, str]:
    """Do a task in a folder, with the stages run by `repro`; what it prints comes back, too."""
    task.write(folder)
    scripts = os.environ.get("MISREAD_SCRIPTS", str(Path(sys.executable).parent))
    identity = {f"GIT_{who}_{what}": "new" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **identity, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    script = "exec 2>&1\n" + "\n".join(command.replace(REPRO, repro) for command in task.commands)
    done = subprocess.run(
        ["bash", "-euc", script], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, timeout=300
    )
    if done.returncode:
        raise RuntimeError(f"status {done.returncode}: {done.stdout}")
    return Effort(len(task.commands), len(done.stdout.splitlines()), len(done.stdout.split())), done.stdout


def measure_all(root: Path, *, repro: str = REPRO) -> dict[str, tuple[Effort, str]]:
    """Do all tasks, each in a folder of its own or in that of the task which it follows."""
    measured = {}
    for name, task in TASKS.items():
        folder = root / (task.follows or name)
        folder.mkdir(exist_ok=True)
        measured[name] = measure(task, folder, repro=repro)
    return measured


if __name__ == "__main__":
    with TemporaryDirectory(prefix="misread-") as root:
        for task_name, (effort, said) in measure_all(Path(root)).items():
            sys.stdout.write(f"{task_name}: {effort}\n" + (said if "-v" in sys.argv else ""))
