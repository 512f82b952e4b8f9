"""The package as it is installed: built, checked, and tried in an environment that has nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = [pytest.mark.process, pytest.mark.slow]
# Of everything else a use is asked for by its extra.
CORE = {
    *("filelock", "lazy-loader", "msgspec", "numba", "numpy", "packaging", "psutil"),
    *("pyarrow", "pyyaml", "regex", "rich", "scipy", "typer", "wcwidth"),
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


def members(wheel: Path) -> dict[str, int]:
    """Files of a wheel with their checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {member.filename: member.CRC for member in archive.infolist()}


def test_the_core_is_light() -> None:
    found = (Requirement(line) for line in requires("misread") or ())
    assert {each.name for each in found if each.marker is None} == CORE


def test_the_sources_that_are_published_build_the_same_bytes(distributions: list[Path], tmp_path: Path) -> None:
    sources = next(path for path in distributions if path.name.endswith(".tar.gz"))
    shutil.unpack_archive(sources, tmp_path)
    (unpacked,) = tmp_path.iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-d", tmp_path / "again", folder=unpacked)
    for path in distributions:
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_what_an_image_copies_builds_the_wheel(distributions: list[Path], repository: Path, tmp_path: Path) -> None:
    text = (repository / "docs/ocr-benchmark/services/Dockerfile").read_text(encoding="utf-8")
    source, *_ = re.split(r"^FROM source", text, flags=re.MULTILINE)
    for line in re.findall(r"^COPY (.*)$", source, re.MULTILINE):
        *names, target = line.split()
        for name in names:
            if (repository / name).is_dir():
                shutil.copytree(repository / name, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(repository / name, tmp_path / target)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "built", folder=tmp_path)
    (wheel,) = (tmp_path / "built").iterdir()
    assert members(wheel) == members(distributions[0])


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
    tested = run(programs / "misread", "doctor", "--self-test", folder=tmp_path)
    assert re.search(r"^Python: (\d{3}) of \1 cases as expected$", tested, re.MULTILINE)
    run(programs / "python", "-c", TRY, folder=tmp_path)
    cards = run(
        programs / "python", "-c",
        "from pathlib import Path; from misread.data.fetching import public_cards; print(*public_cards(Path('.')))",
        folder=tmp_path,
    )  # fmt: skip
    assert cards.split() == ["csrnab", "das22", "earnings21", "printed_pages", "timeus"]
    assert run(programs / "misread", "--cite", folder=tmp_path) == run("misread", "--cite", folder=tmp_path)


def test_the_requirements_of_the_service_are_installed_in_its_folder(repository: Path) -> None:
    service = repository / "docs/ocr-benchmark/services/benchmark_worker"
    wanted = ("--prerelease", "allow", "--no-header", "--no-annotate", "--quiet")
    known = ("--constraint", repository / "requirements.lock")
    lines = run("uv", "pip", "compile", *wanted, *known, "requirements.txt", folder=service).splitlines()
    assert any("misread" in line or line.startswith("..") for line in lines)
    assert {"httpx", "jsonschema", "tiktoken"} <= {line.partition("==")[0] for line in lines}
