"""CONTRIBUTING is short, and what it says to add works as it stands there."""

import json
import os
import re
import subprocess
import sys

import pytest
from tests.copies import copy_writable
from tests.documents.blocks import ROOT, blocks

PAGE = ROOT / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_it_has_at_most_900_words():
    assert len(TEXT.split()) <= 900


def test_links_targets_and_modules_that_it_names_are_there():
    assert all((ROOT / link).exists() for link in re.findall(r"\]\(([^)#]+)", TEXT))
    assert set(re.findall(r"`make ([a-z-]+)`", TEXT)) <= TARGETS
    modules = [name.replace(".", "/") for name in re.findall(r"python -m ([\w.]+)", TEXT)]
    assert all((ROOT / f"{name}.py").exists() or (ROOT / name / "__main__.py").exists() for name in modules)


@pytest.mark.process
@pytest.mark.slow
def test_the_metric_works_from_the_code_of_the_page(tmp_path):
    copy_writable(ROOT / "src", tmp_path / "src", "__pycache__")
    for name in ("conf", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    module, line = blocks(PAGE, "python")
    (tmp_path / module.splitlines()[0].removeprefix("# ")).write_text(module, encoding="utf-8")
    registry = tmp_path / "src/misread/sockets/metrics.py"
    listed = registry.read_text(encoding="utf-8")
    start = "_LISTED: Final[Mapping[str, Plug]] = {\n"
    assert start in listed
    registry.write_text(listed.replace(start, start + line), encoding="utf-8")
    command = [sys.executable, "-c", "from misread.cli import main; main()"]
    asked = ["score", "--example", "--metrics", "deletion_rate,cer", "--output", "json"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run(
        [*command, *asked], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for system in json.loads(done.stdout)["systems"].values():
        counts = system["cer"]["counts"]
        assert system["deletion_rate"]["micro"] == pytest.approx(counts["deletions"] / counts["length"])
        assert {"low", "high"} <= set(system["deletion_rate"]["confidence_interval"])
