"""The API reference has every public name, each once, with a docstring."""

import inspect
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from tests.documents.blocks import DOCUMENTS

import misread
import misread.spec

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    page.stem: re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    for page in (DOCS / "reference").glob("*.md")
}
NAMES = [name for names in PAGES.values() for name in names]
GUIDE = DOCUMENTS


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
    listed = {*PAGES["misread"], *PAGES["specifications"]}
    assert listed == {f"misread.{name}" for name in misread.__all__ if name != "__version__"}


def test_names_of_the_specifications_have_a_page_of_their_own():
    assert PAGES["specifications"] == [f"misread.{name}" for name in misread.spec.__all__]
    assert all(getattr(misread, name) is getattr(misread.spec, name) for name in misread.spec.__all__)


def test_at_most_sixty_names_are_public():
    assert len(misread.__all__) <= 60


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_every_class_and_function_that_the_guide_names_is_in_the_reference(page):
    named = set(re.findall(r"\bmisread(?:\.\w+)+", page.read_text(encoding="utf-8")))
    listed = [find(name) for name in NAMES]
    assert not [name for name in named if is_public(name) and find(name) not in listed]


def test_every_name_is_there_with_a_docstring():
    assert len(NAMES) > 100
    assert not [name for name in NAMES if not inspect.getdoc(find(name))]


def test_every_command_is_in_the_table_of_commands():
    from misread.cli.app import COMMANDS

    page = (DOCS / "reference/commands.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `misread ([\w ]+)` \|", page, re.MULTILINE)) == set(COMMANDS)


def test_no_name_stands_twice():
    assert not [name for name, times in Counter(NAMES).items() if times > 1]
