"""What users write is checked by their type checker against the annotations of the package."""

import json
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

PYRIGHT = "basedpyright==1.40.2"
RIGHT = """\
from typing import Any

import misread
from misread.errors import MisreadError

references = ["the quick brown fox", "jumps over"]
systems = {"a": ["the quich brown fox", "jumps ovcr"], "b": references}
result = misread.evaluate(references, systems, metrics=["cer", "wer"], clusters=["p1", "p2"], seed=1)
rate: float | None = result.systems["a"]["cer"].rate
verdict: str = result.pairs["a", "b"]["cer"].verdict
try:
    count: int = misread.spec.edit_distance("kitten", "sitting")
    print(rate, verdict, count, misread.cer(references[0], systems["a"][0]), result.to_markdown())
except MisreadError as error:
    print(error.settings)

def cost(rows: Any) -> misread.Evaluation:
    return misread.evaluate_frame(
        rows, reference="text", hypothesis="read", system="engine", segment_id="line", measured={"usd": "price"}, seed=1
    )
"""
WRONG = """\
import misread

result = misread.evaluate(["a"], {"a": ["a"]}, seed="1")
count: str = misread.spec.edit_distance("kitten", "sitting")
misread.no_such_name
"""
CACHE = Path(__file__).resolve().parents[1] / ".mypy_cache/programs"
# Checked together: to start takes most of the time.
PROGRAMS = {"right.py": RIGHT, "wrong.py": WRONG}
LINES_OF_ERRORS = {3, 4, 5}


def test_the_package_is_marked_as_typed():
    assert files("misread").joinpath("py.typed").is_file()


@pytest.fixture
def programs(tmp_path):
    for name, source in PROGRAMS.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


def run_mypy(folder):
    """Files and lines with errors; what mypy knows of the package stays in its cache of this checkout."""
    options = ["--strict", "--cache-dir", str(CACHE)]
    command = [sys.executable, "-m", "mypy", *options, *PROGRAMS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("(checked 2 source files)\n"), done.stdout
    return {(name, int(line)) for name, line in re.findall(r"^(\w+\.py):(\d+): error", done.stdout, re.MULTILINE)}


def run_pyright(folder):
    """Files and lines with errors."""
    settings = {"typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["uvx", "--quiet", PYRIGHT, "--outputjson", "--pythonpath", sys.executable, *PROGRAMS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] == len(PROGRAMS)
    return {
        (Path(entry["file"]).name, entry["range"]["start"]["line"] + 1)
        for entry in answer["generalDiagnostics"]
        if entry["severity"] == "error"
    }


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("run", [run_mypy, run_pyright])
def test_a_right_program_passes_and_every_mistake_is_found(run, programs):
    assert run(programs) == {("wrong.py", line) for line in LINES_OF_ERRORS}
