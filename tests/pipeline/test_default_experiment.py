"""The committed experiment, end to end through DVC on real engines."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import signal
import time
from pathlib import Path

import pytest
from dvc.repo import Repo
from tests.dvc_status import status_of

from misread.cli.compose import compose

from .conftest import Project

# Other formats are compared byte for byte in tests of the report.
FIGURES = "report.figure_formats=[]"
# Of 120, so that engines read a tenth of the time.
LIMIT = 12
# Each process that reads loads the models of its engine; other tests load scipy.stats, which takes as long as a stage.
FEW = (
    f"+datasets.rendered_lines.limit={LIMIT}",
    "executor.workers=1",
    "statistics.tests=[randomisation]",
    "report.confusions=0",
)
STAGES = ("normalize", "score", "sensitivity", "compare")
AFTER_CAPTURE = {*(f"{stage}@rendered_lines" for stage in STAGES), "report"}
pytestmark = [pytest.mark.pipeline, pytest.mark.process]


def capture_of(system: str) -> str:
    return f"stages/captures/dvc.yaml:capture@rendered_lines-{system}"


def kill_while_reading(project: Project, journal: Path) -> int:
    """Start `dvc repro`, kill it and all it started once three readings are in a journal; return how many were."""
    process = project.start("dvc", "repro")
    deadline = time.monotonic() + 120
    while not (journal.is_file() and journal.read_bytes().count(b"\n") >= 3):
        assert process.poll() is None, "dvc repro ended before it could be killed"
        assert time.monotonic() < deadline, "no reading within two minutes"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return journal.read_bytes().count(b"\n")


@pytest.mark.slow
def test_pipeline_resumes_changes_and_reproduces_its_tables(project: Project, repository: Path) -> None:
    # Killed in the middle of a capture, it goes on where it stopped.
    project.run("misread", "compose", FIGURES, *FEW)
    journal = project.root / "build/journal/rendered_lines/tesseract.jsonl"
    before = kill_while_reading(project, journal)
    assert before < LIMIT
    read = journal.read_text().split("\n")[:before]
    captures = {capture_of("tesseract"), capture_of("rapidocr")}
    assert project.stages_run_by("dvc", "repro") >= captures | AFTER_CAPTURE
    entries = journal.read_text().split("\n")
    assert entries[:before] == read
    assert len({json.loads(entry.split(" ", 2)[2])["segment_id"] for entry in entries if entry.endswith("}")}) == LIMIT

    # Nothing changed: nothing runs.
    assert status_of(project.root) == {}
    rates = json.loads((project.root / "reports/metrics.json").read_text())["rendered_lines"]
    project.commit("two systems")

    # A table is made again at its own commit, from the captures that DVC keeps: every file the same byte for byte.
    # Tests of the engines show that they read twice alike, and those of the report the same for figures and page.
    signed = "reports/tables/rendered_lines_cer.signature.json"
    replayed = project.run("misread", "replay", signed)
    assert replayed.stdout.count("identical") == 4
    assert "two systems" in replayed.stdout

    # An experiment composes by itself; no capture is made again.
    changes = ("systems=[tesseract]", "normalizer=lower", FIGURES, *FEW)
    ran = project.stages_run_by("dvc", "exp", "run", *(word for change in changes for word in ("-S", change)))
    assert ran == {*AFTER_CAPTURE, "check"}
    # Nothing of the system that is gone is left in inputs.
    for made in ("captures", "normalized"):
        assert {path.stem for path in (project.root / f"build/{made}/rendered_lines").iterdir()} == {"tesseract"}
    # DVC's own views speak of the change.
    with contextlib.chdir(project.root), Repo() as repo:
        shown = repo.metrics.show()[""]["data"]["reports/metrics.json"]["data"]["rendered_lines"]
        changed = repo.metrics.diff()["diff"]["reports/metrics.json"]
        parameters = repo.params.diff()["diff"]["params.yaml"]
        compose([*changes], check=True)
    assert 0 < shown["tesseract"]["cer"] < 1
    assert any(key.startswith("rendered_lines.rapidocr.cer") for key in changed)
    assert any(key.startswith("systems.rapidocr") for key in parameters)
    project.run("dvc", "plots", "diff", "--out", "plots", "HEAD")
    assert "rapidocr" in (project.root / "plots/index.html").read_text()

    # The committed results are those of the committed configuration; other processors may round otherwise.
    assert rates.keys() == {"tesseract", "rapidocr"}
    for system, counted in rates.items():
        lines = (repository / f"reports/counts/rendered_lines/{system}.csv").read_text().splitlines()
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))[:LIMIT]
        committed = sum(int(row["cer.errors"]) for row in rows) / sum(int(row["cer.length"]) for row in rows)
        assert counted["cer"] == pytest.approx(committed, abs=0.005)
