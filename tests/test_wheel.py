"""The package as it is installed: built, checked, and tried in an environment that has nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = [pytest.mark.process, pytest.mark.slow]
# Of everything else a use is asked for by its extra.
CORE = {
    "lazy-loader",
    "msgspec",
    "numba",
    "numpy",
    "packaging",
    "pandas",
    "pyarrow",
    "pyyaml",
    "regex",
    "rich",
    "scipy",
    "typer",
    "wcwidth",
}
TRY = """\
import sys
import misread
done = misread.evaluate(["the quick", "brown fox"], {"a": ["the quick", "brawn fox"]}, metrics=["cer"], seed=1)
assert done.systems["a"]["cer"].counts["errors"] == 1
for package in ("dvc", "hydra", "jinja2", "jiwer", "matplotlib", "PIL"):
    try:
        __import__(package)
    except ImportError:
        continue
    sys.exit(f"{package} is there")
"""


def run(*command: str | Path, folder: Path, environment: Path | None = None) -> str:
    variables = {**os.environ, "VIRTUAL_ENV": str(environment)} if environment else dict(os.environ)
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def distributions(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Sdist and wheel."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, folder=repository)
    return sorted(folder.iterdir())


def test_the_core_is_light() -> None:
    found = (Requirement(line) for line in requires("misread") or ())
    assert {each.name for each in found if each.marker is None} == CORE


def test_the_index_would_take_them(distributions: list[Path], tmp_path: Path) -> None:
    assert run("uvx", "--quiet", "twine", "check", "--strict", *distributions, folder=tmp_path).count("PASSED") == 2


def test_a_wheel_in_an_empty_environment_scores_evaluates_and_knows_the_public_sets(
    distributions: list[Path], repository: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "empty"
    run("uv", "venv", "--quiet", "--python", sys.executable, environment, folder=tmp_path)
    # Nothing newer than what this repository is tested with.
    known = ("--constraint", repository / "requirements.lock")
    run("uv", "pip", "install", "--quiet", *known, distributions[0], folder=tmp_path, environment=environment)
    (tmp_path / "ref.txt").write_text("the quick brown fox\njumps over\n")
    (tmp_path / "a.txt").write_text("the quick brown fix\njumps over\n")
    programs = environment / "bin"
    scored = run(programs / "misread", "score", "ref.txt", "a.txt", "--output", "json", folder=tmp_path)
    (of,) = json.loads(scored)["systems"].values()
    assert of["cer"]["counts"]["errors"] == 1
    example = run(programs / "misread", "score", "--example", "--metrics", "cer", folder=tmp_path)
    assert "RapidOCR has significantly fewer character errors" in example
    run(programs / "python", "-c", TRY, folder=tmp_path)
    cards = run(
        programs / "python", "-c",
        "from pathlib import Path; from misread.data.fetching import public_cards; print(*public_cards(Path('.')))",
        folder=tmp_path,
    )  # fmt: skip
    assert cards.split() == ["csrnab", "das22", "earnings21", "printed_pages", "timeus"]
