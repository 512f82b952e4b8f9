"""Digests of the content of installed plug-ins."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from misread.errors import UnknownNameError
from misread.provenance.plugins import describe_plugin, digest_plugin, installed_plugins
from misread.sockets import METRICS


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, str]], Path]]:
    """Install a plug-in "lab" of these files; give the folder that it is in."""
    metadata = tmp_path / "lab-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lab\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[misread.plugins]\nlab = lab\n")
    monkeypatch.syspath_prepend(tmp_path)

    def write(files: dict[str, str]) -> Path:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        digest_plugin.cache_clear()
        return tmp_path

    yield write
    digest_plugin.cache_clear()


PACKAGE = {"lab/__init__.py": "raise RuntimeError", "lab/deep/table.csv": "a,b"}


def test_a_plugin_is_found_and_digested_without_running_it(install):
    install(PACKAGE)
    assert "lab" in installed_plugins()
    assert len(digest_plugin("lab")) == 64


@pytest.mark.parametrize(
    ("files", "change"),
    [
        (PACKAGE, {"lab/__init__.py": "raise ValueError"}),
        (PACKAGE, {"lab/deep/table.csv": "a,c"}),
        (PACKAGE, {"lab/new.py": ""}),
        # A single module, and a folder without a module of its own.
        ({"lab.py": "A = 1"}, {"lab.py": "A = 2"}),
        ({"lab/metrics.py": "A = 1"}, {"lab/metrics.py": "A = 2"}),
    ],
)
def test_another_content_is_another_digest(install, files, change):
    install(files)
    before = digest_plugin("lab")
    install(change)
    assert digest_plugin("lab") != before


def test_caches_change_nothing(install):
    install(PACKAGE)
    before = digest_plugin("lab")
    install({"lab/__pycache__/a.cpython-311.pyc": "x", "lab/deep/k.nbi": "x", "lab/deep/k.nbc": "x"})
    assert digest_plugin("lab") == before


@pytest.mark.parametrize("name", ["nope", "../lab", "numpy"])
def test_what_is_no_plugin_lists_those_there_are(install, name):
    install(PACKAGE)
    with pytest.raises(UnknownNameError, match=rf"unknown plug-in '{name}' in .*'misread\.plugins'.* There are: .*lab"):
        digest_plugin(name)


def test_objects_say_which_plugin_they_come_from(install, monkeypatch):
    install({"lab.py": "class Lamp: ..."})
    monkeypatch.delitem(sys.modules, "lab", raising=False)
    lamp = importlib.import_module("lab").Lamp()
    assert describe_plugin(lamp) == f"lab@{digest_plugin('lab')[:8]}"
    assert describe_plugin(METRICS["cer"]) == describe_plugin("a text") == ""
