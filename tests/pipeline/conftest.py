"""Copies of the project in which stages can run without touching the checkout."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from dvc.repo import Repo
from tests.copies import copy_writable

from misread.features.regimes import stage as sensitivity
from misread.io import write_json
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.prices import read_prices
from misread.pipeline.stages import capture, compare, normalize, report, score, segments


@dataclass(frozen=True)
class Project:
    """A copy of the project under a folder of its own; `search` names folders in it where Python looks first."""

    root: Path
    search: tuple[str, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        scripts = Path(sys.executable).parent
        return {
            **os.environ,
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(str(self.root / folder) for folder in self.search),
        }

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False)
        if check:
            assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def stages_run_by(self, *command: str) -> set[str]:
        """Names of the stages that a DVC command ran."""
        output = self.run(*command).stdout
        return {
            line.removeprefix("Running stage '").rstrip("':")
            for line in output.splitlines()
            if line.startswith("Running stage '")
        }

    def commit(self, message: str) -> None:
        self.run("git", "add", "--all")
        self.run("git", "commit", "--quiet", "--allow-empty", "--message", message)


def copy_project(repository: Path, root: Path) -> Project:
    """Copy what Git tracks or would track, without results, into a new repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source = repository / name
        if source.is_file() and not name.startswith("reports/") and Path(name).name != "dvc.lock":
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    project = Project(root)
    project.run("git", "init", "--quiet", "--initial-branch=main")
    return project


FEW = """\
# @package _global_
datasets:
  few:
    _target_: misread.data.Table
    root: corpus/few
    watched: corpus/few
    file: lines.csv
    segment_id: [segment_id]
    reference: text
    cluster: document
    media: image
    recorded: [first]
    provenance: made for a test
report: {names: {few: four lines}}
"""
OWN_METRICS = """\
from misread.metrics import ErrorRate

FACTOR = 3

class LabRate(ErrorRate):
    is_ratio = False

    def rate(self, counts):
        return FACTOR * super().rate(counts)
"""
LAB_RATE = "lab_rate: study.metrics.LabRate(unit=char)\n"
FIRST = "# @package _global_\nsystems: {first: {_target_: misread.engines.Recorded, revision: 1}}\n"
SEGMENTS = """\
segment_id,document,image,text,first
a1,a,line.png,The quick brown fox,The quich brown fox
a2,a,line.png,jumps  over_it,jumps  ovr_it
b1,b,line.png,one two three,one two tree
b2,b,line.png,ships at sea,ship at sea
"""


ANNA = """\
{"judge": {"model": "anna"}}
{"reference": "The quick brown fox", "hypothesis": "The quich brown fox", "same": true}
{"reference": "one two three", "hypothesis": "one two tree", "same": false}
"""


def make_small_project(repository: Path, root: Path) -> Project:
    """Make a project of four segments, one recorded system, a metric of its own and a copy of the code; compose it."""
    for folder in ("conf", "data/judged", "src", "stages"):
        # With compiled code beside its source, which stays good wherever it lies.
        copy_writable(repository / folder, root / folder, "dvc.lock")
    for name in ("dvc.yaml", ".dvcignore", ".gitignore"):
        shutil.copy2(repository / name, root)
    (root / "corpus/few").mkdir(parents=True)
    (root / "corpus/few/lines.csv").write_text(SEGMENTS)
    (root / "data/few").mkdir(parents=True)
    (root / "data/few/anna.jsonl").write_text(ANNA)
    shutil.copy2(next((repository / "data/rendered_lines/images").glob("*.png")), root / "corpus/few/line.png")
    (root / "conf/datasets/few.yaml").write_text(FEW)
    (root / "conf/systems/first.yaml").write_text(FIRST)
    (root / "conf/metrics/lab_rate.yaml").write_text(LAB_RATE)
    (root / "src/study/metrics.py").write_text(OWN_METRICS)
    project = Project(root, search=("src", "observed"))
    project.run("git", "init", "--quiet", "--initial-branch=main")
    Repo.init(str(root)).close()
    shutil.copy2(repository / ".dvc/config", root / ".dvc/config")
    # The second opinion would stop a run whose definition of a word a test has changed.
    metrics = ("metrics=[ocr,raw,lab_rate]", "+metrics.anna=anna", "plugins=[study]")
    project.run(
        "misread",
        "compose",
        "datasets=[few]",
        "systems=[first]",
        *metrics,
        "+judges.anna={_target_: misread.features.judges.RecordedDecisions, file: anna.jsonl, undecided: wrong}",
        "statistics.resamples=99",
        # Others load scipy.stats, which takes longer than the stage.
        "statistics.tests=[randomisation]",
        "crosscheck.segments=0",
        "report.figure_formats=[]",
        "report.confusions=0",
    )
    return project


def run_stages(root: Path) -> None:
    """Run the stages from `segments` on in this process; other tests show that DVC runs those that have to."""
    with contextlib.chdir(root):
        params = load_params()
        # As the stage `check` does.
        write_json(paths.PRICES, {system: asdict(price) for system, price in read_prices(params).items()})
        for dataset in params.datasets:
            segments.main(dataset)
            for system in params.systems:
                capture.main(dataset, system)
            for stage in (normalize, score, sensitivity, compare):
                stage.main(dataset)
        report.main()


@pytest.fixture
def project(repository: Path, tmp_path: Path) -> Project:
    """A fresh copy."""
    return copy_project(repository, tmp_path / "project")


@pytest.fixture
def write_plugin(tmp_path):
    """Install a package `reading_room`, which lists itself as a plug-in, in the folder of the test."""

    def write(code):
        package = tmp_path / "reading_room"
        package.mkdir()
        (package / "__init__.py").write_text(code)
        metadata = tmp_path / "reading_room-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: reading-room\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text("[misread.plugins]\nreading_room = reading_room\n")

    return write
