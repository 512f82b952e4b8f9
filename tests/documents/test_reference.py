"""The API reference has every public name, each once, with a docstring."""

import inspect
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.documents.blocks import DOCUMENTS

import misread
import misread.spec

DOCS = Path(__file__).resolve().parents[2] / "docs"
LINES = {
    page: re.findall(r"^- `(misread\.[\w.]+)`: (.*)$", (DOCS / f"reference/{page}.md").read_text(), re.MULTILINE)
    for page in ("misread", "parts", "specifications")
}
PAGES = {page: [name for name, _ in lines] for page, lines in LINES.items()}
NAMES = [name for names in PAGES.values() for name in names]
GUIDE = [page for page in DOCUMENTS if page.name != "specification.md"]  # which names tested internals


def find(name):
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def is_public(name):
    """Whether the guide's dotted name is that of a class or function of the package, and not of a module."""
    try:
        return callable(find(name))
    except (AttributeError, ImportError):
        return False


def test_every_name_at_the_root_is_in_the_reference():
    assert set(PAGES["misread"]) == {f"misread.{name}" for name in misread.__all__}


def test_names_of_the_specifications_have_a_page_of_their_own():
    names = [name for name in misread.spec.__all__ if name not in misread.__all__]
    assert PAGES["specifications"] == [f"misread.spec.{name}" for name in names]


def test_a_name_of_the_specifications_says_its_place_at_the_root():
    assert {*misread.spec.__all__} & {*misread.__all__} == {"cer", "ser", "wer"}
    for name in {*misread.spec.__all__} - {*misread.__all__}:
        getattr(misread.spec, name)
        with pytest.raises(AttributeError, match=rf"^misread has no {name}: it is misread\.spec\.{name}\.$"):
            getattr(misread, name)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = misread.no_such_name


@pytest.mark.process
def test_modules_of_the_reference_are_attributes_without_an_import_of_their_own():
    modules = {name.split(".")[1] for name in NAMES if name.count(".") > 1}
    assert {"stats", "metrics", "spec"} <= modules
    program = f"import misread; [dir(getattr(misread, name)) for name in {sorted(modules)}]"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_every_class_and_function_that_the_guide_names_is_in_the_reference(page):
    named = set(re.findall(r"\bmisread(?:\.\w+)+", page.read_text(encoding="utf-8")))
    listed = [find(name) for name in NAMES]
    assert not [name for name in named if is_public(name) and find(name) not in listed]


@pytest.mark.parametrize("page", LINES)
def test_a_line_is_the_summary_of_the_docstring(page):
    for name, line in LINES[page]:
        if callable(find(name)):
            summary, *_ = inspect.getdoc(find(name)).split("\n\n")
            assert line == " ".join(summary.split()), name


def test_the_site_has_the_docstrings_in_place_of_the_lines():
    spec = spec_from_file_location("hooks", DOCS / "site/hooks.py")
    spec.loader.exec_module(hooks := module_from_spec(spec))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="reference/parts.md"))
    shown = hooks.on_page_markdown((DOCS / "reference/parts.md").read_text(encoding="utf-8"), page)
    assert re.findall(r"^::: (\S+)$", shown, re.MULTILINE) == PAGES["parts"]


def test_settings_are_those_of_the_files():
    page = (DOCS / "reference/settings.md").read_text(encoding="utf-8")
    shown = re.findall(r"^`(conf/\S+)`:\n\n```yml\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert len(shown) > 6
    for name, text in shown:
        assert text == (DOCS.parent / name).read_text(encoding="utf-8"), name


def test_every_command_is_in_the_table_of_commands():
    from misread.cli.app import COMMANDS

    page = (DOCS / "reference/commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `misread ([\w ]+)` \|", page, re.MULTILINE)) == set(COMMANDS)


def test_no_name_stands_twice():
    assert not [name for name, times in Counter(NAMES).items() if times > 1]
