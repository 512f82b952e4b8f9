"""What a whole study costs, from one Parquet table to the report: CPU time, wall time and memory of each stage.

Run as `python -m tools.bench.whole_study 1000000` on a machine that does nothing else. Lines have about eight random
words, 20 lines are a document, and two systems have 5 % errors; the study is as `misread init` makes it. `--folder`
keeps it, and measures it again where it is there already.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from tools.bench.texts import LETTERS, corrupt, make_pairs

RATE = 0.05
LINES_OF_DOCUMENT = 20
MISREAD = Path(sys.executable).with_name("misread")
# Runs a stage and appends what it took, workers included. A process inherits the peak of the one that started it, and
# this one is small.
_SHIM = """#!{python} -IS
import json, os, sys, time
start = time.perf_counter()
command = [{misread!r}, *sys.argv[1:]]
_, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ), 0)
took = {{"stage": sys.argv[2], "cpu": usage.ru_utime + usage.ru_stime, "wall": time.perf_counter() - start}}
with open({log!r}, "a") as file:
    file.write(json.dumps({{**took, "peak": usage.ru_maxrss * 1024}}) + "\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""


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


def make_study(folder: Path, lines: int) -> Path:
    """Make the study in this folder, unless it is there; return its own folder."""
    study = folder / f"study_of_{lines}"
    if not study.exists():
        corpus = folder / "corpus.parquet"
        write_corpus(corpus, lines)
        columns = ["--id", "id", "--ref", "reference", "--cluster", "document", "--hyp", "one=one", "--hyp", "two=two"]
        subprocess.run([MISREAD, "init", "--table", corpus, *columns, study], check=True, stdout=subprocess.DEVNULL)
        corpus.unlink()
    return study


def run_study(study: Path, folder: Path) -> tuple[float, dict[str, list[float]]]:
    """Seconds of `dvc repro` from nothing, and by stage its CPU and wall seconds and the peak of a process in bytes."""
    for made in ("build", "reports", ".dvc/cache", "dvc.lock", "stages/captures/dvc.lock"):
        path = study / made
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    log = folder / "stages.jsonl"
    log.unlink(missing_ok=True)
    # DVC runs `misread stage NAME ...`, which finds this first.
    shim = folder / "bin" / "misread"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(_SHIM.format(python=sys.executable, misread=str(MISREAD), log=str(log)))
    shim.chmod(0o755)
    path = os.pathsep.join([str(shim.parent), str(MISREAD.parent), os.environ["PATH"]])
    start = time.perf_counter()
    subprocess.run(["dvc", "repro", "--quiet"], cwd=study, check=True, env={**os.environ, "PATH": path})
    seconds = time.perf_counter() - start
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for line in log.read_text().splitlines():
        run = json.loads(line)
        of_stage = found[run["stage"]]
        of_stage[0] += run["cpu"]
        of_stage[1] += run["wall"]
        of_stage[2] = max(of_stage[2], run["peak"])
    return seconds, dict(found)


def main(lines: int, folder: Path) -> None:
    """Print a row for each stage, and one for all."""
    folder.mkdir(parents=True, exist_ok=True)
    seconds, stages = run_study(make_study(folder, lines), folder)
    print("| stage | CPU-s | wall s | peak of a process |", "|---|---|---|---|", sep="\n")
    for stage, (cpu, wall, peak) in stages.items():
        print(f"| {stage} | {cpu:.1f} | {wall:.1f} | {peak / 1e9:.2f} GB |")
    total, peak = sum(cpu for cpu, _, _ in stages.values()), max(peak for _, _, peak in stages.values())
    print(f"| all; `dvc repro` by the clock | {total:.1f} | {seconds:.1f} | {peak / 1e9:.2f} GB |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.bench.whole_study", description=__doc__)
    parser.add_argument("lines", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the study is kept")
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        main(arguments.lines, arguments.folder or Path(temporary))
