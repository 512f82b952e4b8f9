"""Plug-ins that cannot be imported, or that change the process."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from misread.errors import ConfigurationError
from misread.provenance.environment import unchanged_process
from misread.provenance.plugins import find_text_function, import_plugin, use_study_modules


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Put a module `bad_lab` of this code into a study's folder."""
    folder, streams, language = Path.cwd(), (sys.stdout, sys.stderr), locale.setlocale(locale.LC_ALL)

    def write(code: str) -> Path:
        (tmp_path / "bad_lab.py").write_text(code)
        use_study_modules(["bad_lab"], tmp_path)
        return tmp_path / "bad_lab.py"

    yield write
    os.chdir(folder)
    sys.stdout, sys.stderr = streams
    locale.setlocale(locale.LC_ALL, language)


@pytest.mark.parametrize(
    ("code", "line", "reason"),
    [
        ("x = 1\nx.nope\n", 2, "AttributeError: 'int' object has no attribute 'nope'"),
        ("def f(:\n", 1, "SyntaxError: "),
        ("\n\nimport no_such_package\n", 3, "ModuleNotFoundError: No module named 'no_such_package'"),
        ("from pathlib import nope\n", 1, "ImportError: cannot import name 'nope'"),
        ("import sys\n\nsys.exit(3)\n", 3, r"it ends the process \(status 3\)"),
        ("import json\njson.loads('[')\n", 2, "JSONDecodeError: "),
        ("raise ValueError\n", 1, r"ValueError\."),
    ],
)
def test_one_that_fails_names_file_and_line(plugin: Callable[[str], Path], code: str, line: int, reason: str) -> None:
    path = plugin(code)
    with pytest.raises(ConfigurationError, match=f"bad_lab cannot be imported: {path}, line {line}: {reason}"):
        import_plugin("bad_lab")


def test_a_module_that_is_not_there_is_none(plugin: Callable[[str], Path]) -> None:
    plugin("")
    assert import_plugin("bad_lab.nowhere") is None


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("import os\nos.chdir('/')\n", r"the working directory \(.* -> /\)"),
        ("import locale\nlocale.setlocale(locale.LC_ALL, 'C.UTF-8')\n", r"the locale \(.*C.UTF-8.*\)"),
        ("import sys, io\nsys.stdout = io.StringIO()\n", "standard output"),
    ],
)
def test_one_that_changes_the_process_is_refused(plugin: Callable[[str], Path], code: str, changed: str) -> None:
    locale.setlocale(locale.LC_ALL, "C")
    plugin(code)
    folder = Path.cwd()
    with pytest.raises(ConfigurationError, match=f"plug-in bad_lab changes {changed}"):
        import_plugin("bad_lab")
    assert Path.cwd() == folder


def test_code_that_sets_everything_back_is_accepted(tmp_path: Path) -> None:
    folder = Path.cwd()
    with unchanged_process("stage capture"):
        os.chdir(tmp_path)
        os.chdir(folder)


def test_a_function_of_a_plugin_is_found_and_what_it_returns_is_checked(plugin: Callable[[str], Path]) -> None:
    plugin("def shout(text):\n    return text.upper() if text else None\n")
    shout = find_text_function("bad_lab.shout")
    assert shout("a") == "A"
    with pytest.raises(ConfigurationError, match=r"bad_lab\.shout returned None for '', expected text"):
        shout("")


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("os.path.normpath", "'os.path.normpath' is not of a plug-in: list 'os' in the setting plugins"),
        ("bad_lab.nope", "is not a function of bad_lab"),
        ("bad_lab.normpath", "is not a function of bad_lab"),
        ("bad_lab.Kind", "is not a function of bad_lab"),
    ],
)
def test_anything_else_is_refused(plugin: Callable[[str], Path], name: str, refusal: str) -> None:
    plugin("from os.path import normpath\nclass Kind: ...\n")
    with pytest.raises(ConfigurationError, match=refusal):
        find_text_function(name)
