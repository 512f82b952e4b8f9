"""The README and the guide say what is true: their blocks are run, their tables are those of the committed run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import yaml
from tests.revisions.conftest import past  # noqa: F401  fixture
from tools.documents.blocks import DOCUMENTS, ROOT, blocks, run_console, with_tables

from misread.data import ImageFolder
from misread.pipeline.params import Params

BY_NAME = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


@pytest.fixture
def workbench(document: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Folder with what a document names: the guide's examples, fetched data, a project with two commits."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    text = document.read_text(encoding="utf-8")
    if "downloads/" in text:
        (tmp_path / "downloads").symlink_to(request.getfixturevalue("shared_data"))
    if 'read_results("project", "first")' in text:
        (tmp_path / "project").symlink_to(request.getfixturevalue("past").root)
    return tmp_path


@pytest.mark.process
@BY_NAME
def test_console_blocks_print_what_they_show(document: Path, workbench: Path) -> None:
    for block in blocks(document.read_text(encoding="utf-8"), "console"):
        assert run_console(block, workbench) == block


@BY_NAME
def test_python_blocks_give_what_they_show(document: Path, workbench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workbench)
    runner = doctest.DocTestRunner()
    for number, block in enumerate(blocks(document.read_text(encoding="utf-8"), "python")):
        name = f"{document.name} block {number}"
        runner.run(doctest.DocTestParser().get_doctest(block, {}, name, document.name, 0))
    assert runner.failures == 0


@BY_NAME
def test_what_configuration_blocks_describe_can_be_made(document: Path) -> None:
    committed = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    del committed["system_ids"]
    for block in blocks(document.read_text(encoding="utf-8"), "yaml"):
        sections = yaml.safe_load(block)
        report = {**committed["report"], **sections.get("report", {})}
        ids = list(sections.get("systems", committed["systems"]))
        params = Params({**committed, **sections, "report": report, "system_ids": ids})
        entries = [*map(params.engine, params.systems), *map(params.dataset, params.datasets)]
        assert all([*entries, params.metrics(), params.normalizer(), params.report()])


@BY_NAME
def test_tables_are_those_of_the_committed_run(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert with_tables(text) == text


def test_settings_of_every_layout_make_a_data_set() -> None:
    rows = re.findall(r"^\| .* \| (`images: .*) \|$", (ROOT / "docs/guide/pages.md").read_text(), re.MULTILINE)
    assert len(rows) == 7
    for row in rows:
        settings = yaml.safe_load("\n".join(re.findall(r"`([^`]+)`", row)))
        assert ImageFolder(root="data", **settings).offers == {settings["medium"]}


def test_the_guide_lists_every_page_once() -> None:
    listed = re.findall(r"^ +- .+: (\S+\.md)$", (ROOT / "docs/site/mkdocs.yml").read_text(), re.MULTILINE)
    assert len(listed) > 30
    assert sorted(listed) == sorted(set(listed))


def test_files_that_the_readme_links_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_documents_show_every_kind_of_block() -> None:
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    assert all(blocks(text, language) for language in ("console", "python", "yaml"))
    assert "<!-- table: " in text
