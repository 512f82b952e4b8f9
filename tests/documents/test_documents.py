"""The README and the guide say what is true: their blocks are run, their tables are those of the committed run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import yaml
from sybil import Document, Region
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from tests.documents.blocks import DOCUMENTS, ROOT, blocks, run_console

from misread.data import ImageFolder
from misread.pipeline.params import Params

TABLE = re.compile(r"<!-- table: (\S+) -->\n(.*?)<!-- end of table -->", re.DOTALL)
BY_NAME = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


@pytest.fixture
def workbench(document: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Folder with what a document names: the examples and fetched data."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    text = document.read_text(encoding="utf-8")
    if "downloads/" in text:
        (tmp_path / "downloads").symlink_to(request.getfixturevalue("shared_data"))
    return tmp_path


def check(document: Path, parser: Callable[[Document], Iterable[Region]]) -> None:
    """Evaluate the examples of a document one after the other; the first that shows something else fails."""
    for example in Document.parse(str(document), parser):
        example.evaluate()


@pytest.mark.process
@BY_NAME
def test_console_blocks_print_what_they_show(document: Path, workbench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workbench)
    check(document, CodeBlockParser("console", run_console))


@BY_NAME
def test_python_blocks_give_what_they_show(document: Path, workbench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workbench)
    check(document, PythonCodeBlockParser())


@BY_NAME
def test_what_configuration_blocks_describe_can_be_made(document: Path) -> None:
    committed = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    del committed["system_ids"]
    for block in blocks(document, "yaml"):
        sections = yaml.safe_load(block)
        report = {**committed["report"], **sections.get("report", {})}
        ids = list(sections.get("systems", committed["systems"]))
        params = Params({**committed, **sections, "report": report, "system_ids": ids})
        entries = [*map(params.engine, params.systems), *map(params.dataset, params.datasets)]
        assert all([*entries, params.metrics(), params.normalizer(), params.report()])


@BY_NAME
def test_tables_are_those_of_the_committed_run(document: Path) -> None:
    for name, shown in TABLE.findall(document.read_text(encoding="utf-8")):
        assert shown == (ROOT / name).read_text(encoding="utf-8")


def test_settings_of_every_layout_make_a_data_set() -> None:
    rows = re.findall(r"^\| .* \| (`images: .*) \|$", (ROOT / "docs/how-to/pages.md").read_text(), re.MULTILINE)
    assert len(rows) == 7
    for row in rows:
        settings = yaml.safe_load("\n".join(re.findall(r"`([^`]+)`", row)))
        assert ImageFolder(root="data", **settings).offers == {settings["medium"]}


def test_the_menu_lists_every_page_once() -> None:
    listed = re.findall(r"^ +- .+: (\S+\.md)$", (ROOT / "docs/site/mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(set(listed))
    pages = {str(page.relative_to(ROOT / "docs")) for page in DOCUMENTS if page.is_relative_to(ROOT / "docs")}
    assert pages <= set(listed)


def test_the_home_page_leads_to_every_page_for_readers() -> None:
    home = set(re.findall(r"\]\(([^)#]+\.md)\)", (ROOT / "docs/index.md").read_text(encoding="utf-8")))
    pages = {str(page.relative_to(ROOT / "docs")) for page in DOCUMENTS if page.is_relative_to(ROOT / "docs")}
    assert pages - home == {"index.md"}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
def test_files_that_a_page_at_the_root_links_are_there(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_documents_show_every_kind_of_block() -> None:
    for language in ("console", "python", "yaml"):
        assert any(blocks(document, language) for document in DOCUMENTS)
