"""Rows for whole studies, which take minutes and run by name alone: each stage of a large one, and what DVC costs."""

import random
import subprocess
from collections.abc import Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from misread.pipeline.stages import STAGES
from tools.bench.measure import Row, costs, run_command
from tools.bench.texts import LETTERS, corrupt, make_pairs
from tools.parts import ROOT

_RATE = 0.05
_LINES_OF_DOCUMENT = 20
_OF_OTHER_STUDIES = ("judge",)
_PIPELINES = ("dvc.yaml", "stages/captures/dvc.yaml")
# Writes each file that it is given.
_WRITE = 'for file; do mkdir -p "$(dirname "$file")"; echo "$file" > "$file"; done'


def study_rows(scale: float) -> Iterator[Row]:
    """From one Parquet table to the report, as `misread init` makes the study: lines of about eight random words.

    A million lines at scale .25, two systems with 5 % errors, 20 lines in a document.
    """
    lines = int(4_000_000 * scale)
    with TemporaryDirectory() as folder, chdir(folder):
        _write_corpus(Path("corpus.parquet"), lines)
        columns = [
            *("--segment-id", "id", "--ref", "reference", "--cluster", "document"),
            *("--hyp", "one=one", "--hyp", "two=two"),
        ]
        run_command("misread", "init", "--table", "corpus.parquet", *columns, "study")
        ids = {"capture": [("corpus", "one"), ("corpus", "two")], "check": [()], "report": [()]}
        with chdir("study"):
            for stage in STAGES:
                for arguments in ids.get(stage, [("corpus",)]) if stage not in _OF_OTHER_STUDIES else []:
                    output = " ".join((stage, *arguments))
                    yield Row(
                        f"study of {lines:,} lines",
                        output,
                        costs(partial(run_command, "misread", "stage", stage, *arguments)),
                    )
            yield Row(f"study of {lines:,} lines", "all by DVC", costs(partial(run_command, "dvc", "repro", "--quiet")))


def _write_corpus(path: Path, lines: int) -> None:
    """Write references, documents, and what two systems read."""
    pairs = make_pairs("Latin", lines, 8, _RATE)
    rng = random.Random(2)
    columns = {
        "id": [f"line-{line:08d}" for line in range(lines)],
        "document": [f"document-{line // _LINES_OF_DOCUMENT:07d}" for line in range(lines)],
        "reference": pairs.references,
        "one": pairs.hypotheses,
        "two": [corrupt(rng, text, LETTERS["Latin"] + " ", _RATE) for text in pairs.references],
    }
    pq.write_table(pa.table(columns), path)


def dvc_rows(scale: float) -> Iterator[Row]:
    """The stages of dvc.yaml with commands that only write what they declare: 10 x 10 pairs at scale .25."""
    number = max(1, int(40 * scale))
    with TemporaryDirectory() as folder:
        _make_trivial_project(Path(folder), number)
        for which, goals in (("the first time", ("45 CPU-s",)), ("with nothing to do", ("6 CPU-s",))):
            measure = costs(partial(run_command, "dvc", "--cd", folder, "repro", "--quiet"))
            yield Row(f"{number} systems on {number} data sets", f"DVC itself, {which}", measure, *goals)


def _make_trivial_project(root: Path, number: int) -> None:
    """Make a project with our pipelines, commands apart, and settings of the usual size."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root)], check=True)
    params = yaml.safe_load((ROOT / "params.yaml").read_text())
    for group in ("systems", "datasets"):
        usual = next(iter(params[group].values()))
        params[group] = {f"{group}{index}": dict(usual) for index in range(number)}
    for dataset, section in params["datasets"].items():
        section["watched"] = f"data/{dataset}"
    params["system_ids"] = list(params["systems"])
    params["report"]["names"] = {entry: f"name of {entry}" for entry in (*params["systems"], *params["datasets"])}
    (root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))
    (root / "write.sh").write_text(_WRITE)
    for dataset in params["datasets"]:
        (root / "data" / dataset).mkdir()
        (root / "data" / dataset / "source.txt").write_text(dataset)
    for file in _PIPELINES:
        pipeline = yaml.safe_load((ROOT / file).read_text())
        pipeline.pop("plots", None)
        for entry in pipeline["stages"].values():
            stage = entry.get("do", entry)
            stage["cmd"] = f"sh write.sh {' '.join(_outputs(stage, params['system_ids']))}"
        (root / file).write_text(yaml.safe_dump(pipeline, sort_keys=False))
        (root / file).with_suffix(".lock").unlink(missing_ok=True)


def _outputs(stage: dict[str, Any], systems: list[str]) -> Iterator[str]:
    """Files that a stage declares, and in its folders one for each system; ids are left to DVC."""
    for out in (*stage.get("outs", ()), *stage.pop("metrics", ())):
        path = Path(out if isinstance(out, str) else next(iter(out)))
        yield from [str(path)] if path.suffix else [str(path / f"{system}.parquet") for system in systems]
