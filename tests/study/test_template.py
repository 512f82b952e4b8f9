"""The repository of misread is a study made the same way."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.study.repository_pipeline import of_repository

from misread.pipeline.composition import compose_text
from misread.study.repository import _as_config
from misread.study.template import Settings, render

OWN = Settings(
    title="misread",
    about="",
    systems=["tesseract", "rapidocr"],
    datasets=["rendered_lines"],
    metric_sets=["ocr", "raw"],
    data_root="downloads",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("dvc.yaml", "stages/captures/dvc.yaml", "conf/config.yaml", ".dvcignore", ".gitattributes"),
        *("data/judged/README.md", "conf/programs/README.md", "src/study/README.md"),
    ],
)
def test_the_repository_has_what_a_study_gets(repository: Path, name: str) -> None:
    written = of_repository(render(OWN)[name]) if name.endswith("dvc.yaml") else render(OWN)[name]
    assert (repository / name).read_text(encoding="utf-8") == written


def test_the_repository_ignores_what_a_study_ignores(repository: Path) -> None:
    ignored = (repository / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert set(render(OWN)[".gitignore"].splitlines()) <= set(ignored)


def test_the_root_has_the_folders_that_a_stranger_expects_and_no_others(repository: Path) -> None:
    ignored = {line.strip("/") for line in (repository / ".gitignore").read_text(encoding="utf-8").splitlines()}
    folders = {path.name for path in repository.iterdir() if path.is_dir() and not path.name.startswith(".")}
    expected = {"conf", "conformance", "data", "docs", "examples", "findings", "reports", "src", "stages", "tests"}
    expected.add("tools")
    assert folders - ignored == expected


def test_the_repository_has_the_settings_of_dvc_that_a_study_gets(repository: Path) -> None:
    assert (repository / ".dvc/config").read_text(encoding="utf-8") == _as_config()


@pytest.mark.slow
def test_the_repository_composes_to_what_a_study_of_its_data_composes_to(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "datasets").mkdir()
    for path in (repository / "conf/datasets").iterdir():
        (tmp_path / "datasets" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "config.yaml").write_text(render(OWN)["conf/config.yaml"], encoding="utf-8")
    assert compose_text(tmp_path, []) == (repository / "params.yaml").read_text(encoding="utf-8")


def test_no_template_is_taken_for_a_file_of_the_repository_itself(repository: Path) -> None:
    names = {path.name for path in (repository / "src").rglob("*")}
    assert not names & {"dvc.yaml", ".dvcignore", ".gitignore"}


def test_every_place_is_filled() -> None:
    assert "@" not in "".join(render(OWN).values()).replace("@grep", "").replace("@package", "")


@pytest.mark.parametrize(
    ("chosen", "installed"), [((), "misread[pipeline]"), (("MISREAD=../source",), "../source[pipeline]")]
)
def test_a_study_is_set_up_by_its_makefile(tmp_path: Path, chosen: tuple[str, ...], installed: str) -> None:
    (tmp_path / "Makefile").write_text(render(OWN)["Makefile"], encoding="utf-8")
    printed = subprocess.run(["make", "-n", "setup", *chosen], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"pip install '{installed}'" in printed.stdout.splitlines()
