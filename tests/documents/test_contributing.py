"""What CONTRIBUTING says to add works as it stands there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.copies import copy_writable
from tests.documents.blocks import ROOT, blocks

PAGE = ROOT / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_targets_and_modules_that_it_names_are_there():
    assert set(re.findall(r"`make ([a-z-]+)`", TEXT)) <= TARGETS
    modules = [name.replace(".", "/") for name in re.findall(r"python -m ([\w.]+)", TEXT)]
    assert all((ROOT / f"{name}.py").exists() or (ROOT / name / "__main__.py").exists() for name in modules)


GUIDE = ROOT / "docs/how-to/code-of-your-own.md"
# Of each part of the guide: its module in misread, the list there, the start of that list, and the line that is added.
PARTS = {
    "steps.py": (
        *("normalize/steps/own.py", "normalize/steps/__init__.py", "STEPS: Final[Mapping[str, StepFacts]] = {\n"),
        '    "long_s": StepFacts("misread.normalize.steps.own"),\n',
    ),
    "views.py": (
        *("features/own_view.py", "sockets/views.py", "VIEWS: Final[Mapping[str, Plug]] = {\n"),
        '    "short": Plug("misread.features.own_view", "Short"),\n',
    ),
    "formats.py": (
        *("data/formats/cards.py", "data/formats/__init__.py", "FORMATS: Final[Mapping[str, Format]] = _formats(\n"),
        '    cards="cards:CARDS",\n',
    ),
    "engines.py": (
        *("engines/file_names.py", "engines/__init__.pyi", "from .base import Engine as Engine\n"),
        "from .file_names import FileNames as FileNames\n",
    ),
}
METRIC = ("sockets/metrics.py", "_LISTED: Final[Mapping[str, Plug]] = {\n")
NAMED = re.search(r"^    \.venv/bin/pytest (\S+) (.*)$", TEXT, re.MULTILINE)
AFFECTED = (
    *NAMED[2].split(),
    "tests/normalize/test_normalizer.py",
    *(
        "tests/cli/test_list_names.py",
        "tests/data/formats/test_formats.py",
        "tests/cli/test_score.py::test_all_metrics_can_be_scored",
    ),
)
FILE_NAMES = """
from pathlib import Path
from types import SimpleNamespace
from misread.engines import Engine, FileNames
engine = FileNames("names")
print(isinstance(engine, Engine), engine.open().read(SimpleNamespace(media=Path("lines/a1.png"))))
"""


def add_line(package, registry, start, line):
    path = package / registry
    listed = path.read_text(encoding="utf-8")
    assert start in listed
    path.write_text(listed.replace(start, start + line, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def added(tmp_path_factory):
    """Environment of a copy of misread with what CONTRIBUTING and the guide add."""
    package = tmp_path_factory.mktemp("copy") / "src/misread"
    copy_writable(ROOT / "src/misread", package)
    for name in ("conf", "examples"):
        (package.parents[1] / name).symlink_to(ROOT / name)
    module, line, test = blocks(PAGE, "python")
    assert test.startswith(f"# {NAMED[1]}\n")
    (package.parents[1] / Path(NAMED[1]).name).write_text(test, encoding="utf-8")
    (package.parents[1] / module.splitlines()[0].removeprefix("# ")).write_text(module, encoding="utf-8")
    add_line(package, *METRIC, line)
    for module in blocks(GUIDE, "python"):
        name = module.splitlines()[0].rpartition("/")[2]
        if name in PARTS:
            path, *line = PARTS[name]
            (package / path).write_text(module, encoding="utf-8")
            add_line(package, *line)
    return {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONWARNINGS": "error::RuntimeWarning"}


def run(environment, *arguments):
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.process
@pytest.mark.slow
def test_the_metric_of_the_page_counts_and_says_what_it_counts(added, tmp_path):
    program = "from misread.cli import main; main()"
    options = ("--metrics", "deletion_rate,cer", "--resamples", "99", "--run-dir", str(tmp_path))
    done = run(added, "-c", program, "score", "--example", *options)
    assert done.returncode == 0, done.stderr
    for system in json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["systems"].values():
        counts = system["cer"]["counts"]
        assert system["deletion_rate"]["micro"] == pytest.approx(counts["deletions"] / counts["length"])
        assert {"low", "high"} <= set(system["deletion_rate"]["confidence_interval"])
    # The noun of the verdict is that of the metric, and errors are those of the other metric alone.
    assert done.stdout.count("fewer deleted characters") == done.stdout.count("fewer character errors") == 1
    assert re.search(r"fewer deleted characters: [\d.]+ points fewer than", done.stdout)


@pytest.mark.process
@pytest.mark.slow
def test_the_engine_of_the_guide_is_an_engine(added):
    assert run(added, "-c", FILE_NAMES).stdout == "True a1\n"


@pytest.mark.process
@pytest.mark.slow
def test_what_the_pages_add_passes_its_test_and_breaks_one_golden_line_and_one_row_of_a_guide(added):
    own = Path(added["PYTHONPATH"]).parent / Path(NAMED[1]).name
    done = run(added, "-m", "pytest", "-q", "-rfp", "-p", "no:cacheprovider", "--no-header", str(own), *AFFECTED)
    [name] = re.findall(r"^def (test_\w+)", own.read_text(encoding="utf-8"), re.MULTILINE)
    assert re.search(rf"^PASSED \S*::{name}$", done.stdout, re.MULTILINE), done.stdout
    broken = sorted(re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE))
    assert broken == [
        "tests/data/formats/test_formats.py::test_the_guide_has_a_row_of_every_format[cards]",
        "tests/test_public.py::test_names_commands_signature_keys_and_layouts_are_those_that_are_committed",
    ], done.stdout
