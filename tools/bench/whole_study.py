"""What a whole study costs, from one Parquet table to the report: CPU time, wall time and memory of each stage.

Run as `python -m tools.bench.whole_study 1000000` on a machine that does nothing else. Lines have about eight random
words, 20 lines are a document, and two systems have 5 % errors; the study is as `misread init` makes it.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from misread.pipeline.stages import STAGES
from tools.bench.processes import Process, run_command
from tools.bench.texts import LETTERS, corrupt, make_pairs

RATE = 0.05
LINES_OF_DOCUMENT = 20
_OF_OTHER_STUDIES = ("plugin", "judge")


def write_corpus(path: Path, lines: int) -> None:
    """Write references, documents, and what two systems read."""
    pairs = make_pairs("Latin", lines, 8, RATE)
    rng = random.Random(2)
    columns = {
        "id": [f"line-{line:08d}" for line in range(lines)],
        "document": [f"document-{line // LINES_OF_DOCUMENT:07d}" for line in range(lines)],
        "reference": pairs.references,
        "one": pairs.hypotheses,
        "two": [corrupt(rng, text, LETTERS["Latin"] + " ", RATE) for text in pairs.references],
    }
    pq.write_table(pa.table(columns), path)


def run_stages() -> Iterator[tuple[str, Process]]:
    """Run every stage of the study in this folder once for each of its ids."""
    ids = {"capture": [("corpus", "one"), ("corpus", "two")], "no_plugin": [()], "codebase": [()], "report": [()]}
    for stage in STAGES:
        if stage not in _OF_OTHER_STUDIES:
            for arguments in ids.get(stage, [("corpus",)]):
                yield " ".join((stage, *arguments)), run_command("misread", "stage", stage, *arguments)


def main(lines: int) -> None:
    """Print a row for each stage, and one for all by DVC."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_corpus(Path("corpus.parquet"), lines)
        columns = ["--id", "id", "--ref", "reference", "--cluster", "document", "--hyp", "one=one", "--hyp", "two=two"]
        run_command("misread", "init", "--table", "corpus.parquet", *columns, "study")
        with contextlib.chdir("study"):
            print("| stage | CPU-s | wall s | peak of a process |", "|---|---:|---:|---:|", sep="\n")
            for name, run in (*run_stages(), ("dvc repro, the same again", run_command("dvc", "repro", "--quiet"))):
                print(f"| {name} | {run.seconds:.1f} | {run.wall_seconds:.1f} | {run.peak_bytes / 1e9:.2f} GB |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
