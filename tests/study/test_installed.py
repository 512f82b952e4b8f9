"""The wheel in an environment of its own: a study from nothing, a clone of it, a changed plug-in, an upgrade."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from tests.dvc_status import short

from misread.version import __version__

ENGINE = """\
from dataclasses import dataclass


@dataclass(frozen=True)
class Corrected:
    \"\"\"Outputs recorded of another system, with a misread letter put right.\"\"\"

    id: str
    of: str
    revision: int = 1

    @property
    def reads(self):
        return frozenset({f"recorded:{self.of}"})

    def versions(self):
        return {"corrected": "1"}

    def open(self):
        return self

    def read(self, source):
        return source.recorded[self.of].replace("ich ", "ick ")

    def close(self):
        pass
"""
METRICS = """\
from misread.metrics import ErrorRate


class Doubled(ErrorRate):
    is_ratio = False

    def rate(self, counts):
        return 2 * super().rate(counts)
"""
PLUGIN = """\
from misread.metrics import ErrorRate


class Tripled(ErrorRate):
    is_ratio = False

    def rate(self, counts):
        return 3 * super().rate(counts)
"""
SYSTEM = """\
# @package _global_
systems: {corrected: {_target_: study.engine.Corrected, of: one}}
report: {names: {corrected: corrected}}
"""
LINES = """\
id,page,truth,one,two
l1,p1,the quick brown fox,the quich brown fox,the quick brown fox
l2,p1,jumps over,jumps ovr,jumps over
l3,p2,the lazy dog,the lazy dog,the lasy dog
"""
NAMES = re.compile("^Running stage '([^']*)'", re.MULTILINE)
SETTINGS = (
    "statistics.resamples=99",
    "statistics.tests=[randomisation]",
    "crosscheck.segments=0",
    "ablation.normalizers=[none]",
    "report.confusions=0",
    "report.figure_formats=[]",
)


@pytest.fixture
def environment(repository: Path, tmp_path: Path) -> Path:
    """An environment with the wheel and what the tests have besides; misread's sources are out of sight."""
    folder = tmp_path / "environment"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=repository, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [site] = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    [wheel] = (tmp_path / "dist").glob("*.whl")
    install = ["uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--python", str(folder / "bin/python")]
    subprocess.run([*install, str(wheel)], check=True)
    return folder


@pytest.mark.slow
@pytest.mark.pipeline
@pytest.mark.process
def test_a_study_from_nothing_runs_travels_and_sees_a_changed_plugin_and_an_upgrade(
    environment: Path, tmp_path: Path
) -> None:
    root = tmp_path / "study"
    root.mkdir()
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    variables["PATH"] = f"{environment / 'bin'}{os.pathsep}{variables['PATH']}"

    def run(*command: str, folder: Path = root) -> str:
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def dvc(*command: str, folder: Path = root) -> str:
        return run("python", "-m", "dvc", *command, folder=folder)

    def repro(folder: Path = root) -> set[str]:
        return set(map(short, NAMES.findall(dvc("repro", folder=folder))))

    # A plug-in is installed beside misread.
    [site] = environment.glob("lib/python*/site-packages")
    (site / "lab.py").write_text(PLUGIN)
    (site / "lab-1.dist-info").mkdir()
    (site / "lab-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: lab\nVersion: 1\n")
    (site / "lab-1.dist-info/entry_points.txt").write_text("[misread.plugins]\nlab = lab\n")

    # From nothing to a study.
    (root / "lines.csv").write_text(LINES)
    table = ("--table", "lines.csv", "--segment-id", "id", "--ref", "truth", "--cluster", "page")
    run("misread", "init", *table, "--hyp", "one=one", "--hyp", "two=two", ".")
    assert str(environment) in run("python", "-c", "import misread.errors as m; print(m.__file__)")
    # With an engine and a metric of its own.
    for name, text in {
        "src/study/engine.py": ENGINE,
        "src/study/metrics.py": METRICS,
        "conf/systems/corrected.yaml": SYSTEM,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    config = root / "conf/config.yaml"
    text = config.read_text().replace("systems: [one, two]", "systems: [one, corrected]")
    text = text.replace("plugins: []", "plugins: [study, lab]")
    text = text.replace("metrics: [ocr]", "metrics: []")
    config.write_text(
        text.replace(
            "metrics: {}", "metrics: {cer: cer, own: study.metrics.Doubled(unit=char), lab: lab.Tripled(unit=char)}"
        )
    )
    run("misread", "compose", *SETTINGS)
    everything = {"check", "segments", "capture", "normalize", "score", "sensitivity", "compare", "report"}
    printed = dvc("repro")
    assert set(map(short, NAMES.findall(printed))) == everything
    assert len(printed.splitlines()) <= 44
    # What DVC keeps of reports/ is ignored already: a file of its own could be cut short where its write fails.
    assert not (root / "reports/.gitignore").exists()

    def rate(metric: str) -> float:
        return float(json.loads((root / "reports/metrics.json").read_text())["lines"]["corrected"][metric])

    assert rate("own") == 2 * rate("cer") == 2 / 41
    signature = json.loads((root / "reports/tables/lines_own.signature.json").read_text())["signature"]
    assert "|plugin:study@" in signature
    run("git", "add", "--all")
    run("git", "commit", "--quiet", "--message", "results")

    # Results go through a DVC remote: a fresh clone has them, and nothing runs again but the look at what is installed.
    store, clone = tmp_path / "store", tmp_path / "clone"
    dvc("remote", "add", "--default", "store", str(store))
    dvc("push", "--quiet")
    run("git", "commit", "--quiet", "--all", "--message", "remote")
    run("git", "clone", "--quiet", str(root), str(clone), folder=tmp_path)
    dvc("pull", "--quiet", folder=clone)
    assert repro(clone) == {"check"}
    assert run("git", "status", "--porcelain", folder=clone) == ""
    assert (root / "reports/index.html").read_bytes() == (clone / "reports/index.html").read_bytes()

    # A metric beside the engine changes, and an installed plug-in: nothing is read again.
    capture = root / "build/captures/lines/corrected.parquet"
    read, before = capture.read_bytes(), rate("lab")
    (root / "src/study/metrics.py").write_text(METRICS.replace("2 *", "4 *"))
    (site / "lab.py").write_text(PLUGIN.replace("3 *", "6 *"))
    run("misread", "stage", "capture", "lines", "corrected")
    assert capture.read_bytes() == read

    # The engine, of whose code the capture has a digest, and misread itself, of which no file is in the project. What
    # the old one and the new one put right has as many letters.
    (root / "src/study/engine.py").write_text(ENGINE.replace('"ich ", "ick "', '"ovr", "over"'))
    [version] = environment.glob("lib/python*/site-packages/misread/version.py")
    version.write_text(version.read_text().replace(__version__, "99.1"))
    assert repro() == everything
    assert capture.read_bytes() != read
    assert (rate("own"), rate("lab")) == (4 / 41, 2 * before)
    signature = json.loads((root / "reports/tables/lines_own.signature.json").read_text())["signature"]
    assert "|v:99.1" in signature
    difference = run("misread", "diff", "HEAD", "--metrics", "cer", "--output", "markdown")
    assert "study@" in difference
    assert "corrected" in difference
    assert repro() == {"check"}
