"""`make test-fast` leaves out what it says, and nothing takes long or starts a program without saying so."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import MARKS_OF_FIXTURES, MARKS_OF_PROGRAMS

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = set(re.search(r"FAST := 'not \((.*)\)'", (ROOT / "Makefile").read_text(encoding="utf-8"))[1].split(" or "))


def test_the_fast_tests_leave_out_every_mark_that_is_registered(pytestconfig):
    registered = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    own = {name for name in registered if f'"{name}: ' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")}
    assert own == LEFT_OUT


def test_every_mark_that_a_fixture_or_a_program_asks_for_is_left_out():
    asked = {mark for marks in MARKS_OF_FIXTURES.values() for mark in marks} | set(MARKS_OF_PROGRAMS.values())
    assert asked <= LEFT_OUT


def test_every_fixture_that_marks_its_tests_is_there():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    assert not [name for name in MARKS_OF_FIXTURES if not re.search(rf"def {name}\(|name=\"{name}\"", sources)]


MARKED = """
import subprocess, sys
import pytest

PYTHON = [sys.executable, "-c", ""]

@pytest.fixture
def chromium(): ...

def test_unmarked(): subprocess.run(PYTHON)

@pytest.mark.process
def test_marked(): subprocess.run(PYTHON)

def test_of_git(): subprocess.run(["git", "--version"])

def test_in_a_browser(chromium): ...
"""


@pytest.mark.process
def test_a_test_that_starts_a_program_needs_its_mark(tmp_path):
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(MARKED, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-m", "not browser", "-c", str(ROOT / "pyproject.toml"), str(tmp_path)]
    # On a narrow terminal pytest cuts what it says of an error.
    wide = {**os.environ, "COLUMNS": "200"}
    said = subprocess.run(command, cwd=tmp_path, env=wide, capture_output=True, text=True, check=False).stdout
    assert "3 passed, 1 deselected, 1 error" in said
    assert "test_it.py::test_unmarked - AssertionError" in said
    assert "mark it with process" in said
