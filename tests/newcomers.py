"""What four new users have, made up and the same every time, and what they type."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

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


class Command(NamedTuple):
    """What is typed, how many lines it may print, and the status that it ends with."""

    words: tuple[str, ...]
    most_lines: int = 0
    status: int = 0


class Task(NamedTuple):
    """The files that are there, and what is done with them."""

    write: Callable[[Path], None]
    steps: Sequence[Command]


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
_INIT: Final = (
    "--segment-id",
    "id",
    "--ref",
    "truth",
    "--cluster",
    "page",
    "--hyp",
    "heron=heron",
    "--hyp",
    "ibis=ibis",
)
_SCORE_ANSWERS: Final = (
    *(
        "misread",
        "score",
        "--table",
        "answers.jsonl(run=run)",
        "--segment-id",
        "page",
        "--ref",
        "text",
        "--hyp",
        "heron=heron",
    ),
    *("--hyp", "ibis=ibis", "--cluster", "book"),
)
_SCORE_TRN: Final = ("misread", "score", "truth.trn", "heron.trn", "ibis.trn")
_SCORE_STM: Final = (
    *("misread", "score", "--format", "stm", "--hyp-format", "ctm", "truth.stm", "heron.ctm", "ibis.ctm"),
)
TASKS: Final = {
    "folders": Task(
        write_folders,
        [Command(_SCORE_FOLDERS, 28), Command((*_SCORE_FOLDERS, "--metrics", "cer", "--output", "latex"), 28)],
    ),
    "study": Task(write_table, [Command(("misread", "init", "--table", "lines.csv", *_INIT, "."), 24)]),
    "answers": Task(
        write_answers,
        [Command(_SCORE_ANSWERS, 2, 1), Command((*_SCORE_ANSWERS, "--missing", "empty"), 40)],
    ),
    "speech": Task(
        write_speech,
        [
            Command(_SCORE_TRN, 29),
            Command((*_SCORE_TRN, "--format", "trn"), 28),
            Command((*_SCORE_STM, "--metrics", "wer(alignment=sclite)"), 24),
        ],
    ),
}
