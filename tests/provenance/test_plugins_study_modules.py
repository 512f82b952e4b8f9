"""Modules of a study: found by the names that it lists, in its folder, and digested by what a class can use."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from misread.errors import ConfigurationError
from misread.provenance import digests
from misread.provenance.plugins import describe_plugin, find_study_module, is_plugin, use_study_modules

Write = Callable[[dict[str, str]], Path]


@pytest.fixture
def study(tmp_path: Path) -> Write:
    """Write files of a study, whose module is called `our_study`; give its folder."""

    def write(files: dict[str, str]) -> Path:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        for cached in (digests.digest_definition, digests._bindings):
            cached.cache_clear()
        return tmp_path

    return write


PACKAGE = {
    "our_study/__init__.py": "",
    "our_study/metrics.py": "from our_study import words\n\nclass Rate:\n    words = words.LIST\n",
    "our_study/words.py": "LIST = 'words.txt'\n",
    "our_study/words.txt": "the\n",
    "our_study/engine.py": "class Engine: ...\n",
}


def test_a_module_is_imported_only_when_it_is_in_use(study: Write) -> None:
    root = study(PACKAGE)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("our_study.metrics")
    assert not is_plugin("our_study")
    use_study_modules(["our_study"], root)
    assert importlib.import_module("our_study.metrics").Rate
    assert is_plugin("our_study")


def test_other_files_of_the_folder_are_not_importable(study: Write) -> None:
    root = study({**PACKAGE, "beside.py": ""})
    use_study_modules(["our_study"], root)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("beside")


def test_two_studies_in_one_process_have_a_module_of_one_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "our_module.py").write_text(f"NAME = '{name}'\n")
        use_study_modules(["our_module"], tmp_path / name)
        found = importlib.import_module("our_module").NAME
        assert found == name


@pytest.mark.parametrize("name", ["json", "numpy"])
def test_a_name_that_is_taken_is_refused(study: Write, name: str) -> None:
    root = study({f"{name}/__init__.py": ""})
    with pytest.raises(
        ConfigurationError, match=f"plugins: '{name}' in .* has the name of a package that is installed"
    ):
        use_study_modules([name], root)
    assert sys.modules.get(name, importlib).__file__ != str(root / name / "__init__.py")


@pytest.mark.parametrize("name", ["our_study", "single"])
def test_a_package_and_a_single_file_are_found(study: Write, name: str) -> None:
    root = study({**PACKAGE, "single.py": "A = 1\n"})
    assert find_study_module(name, root)


@pytest.mark.parametrize("name", ["empty", "../our_study", "our_study.metrics", "nope"])
def test_what_is_not_a_module_of_the_study_is_not_found(study: Write, name: str) -> None:
    root = study(PACKAGE)
    (root / "empty").mkdir()
    assert find_study_module(name, root) is None


def test_what_is_imported_by_a_star_counts(study: Write) -> None:
    root = study({"our_stars/metrics.py": "from our_stars.words import *\n\nclass Rate:\n    words = LIST\n"})
    study({"our_stars/words.py": "LIST = 'a'\n"})
    use_study_modules(["our_stars"], root)
    rate = importlib.import_module("our_stars.metrics").Rate()
    before = describe_plugin(rate)
    study({"our_stars/words.py": "LIST = 'b'\n"})
    assert describe_plugin(rate) != before


@pytest.mark.parametrize(
    ("change", "is_seen"),
    [
        ({"our_study/metrics.py": "from our_study import words\n\nclass Rate:\n    words = words.LIST[1:]\n"}, True),
        ({"our_study/words.py": "LIST = 'names.txt'\n"}, True),
        ({"our_study/words.txt": "a\n"}, True),
        ({"our_study/engine.py": "class Engine:\n    x = 1\n"}, False),
        ({"our_study/metrics.py": f"{PACKAGE['our_study/metrics.py']}\n# a comment\n"}, False),
    ],
)
def test_the_digest_of_an_object_is_that_of_the_code_that_its_class_can_use(
    study: Write, change: dict[str, str], is_seen: bool
) -> None:
    root = study(PACKAGE)
    use_study_modules(["our_study"], root)
    rate = importlib.import_module("our_study.metrics").Rate()
    before = describe_plugin(rate)
    assert before.startswith("our_study@")
    study(change)
    assert (describe_plugin(rate) != before) is is_seen


def test_a_capture_asks_nothing_again_as_long_as_the_code_of_its_engine_is_the_same(study: Write) -> None:
    """What a journal's key has of a plug-in, as it was before names of variables left the digests of steps."""
    code = "class Engine:\n    def read(self, source):\n        word = source.media.stem\n        return word\n"
    root = study({"our_engine.py": code})
    use_study_modules(["our_engine"], root)
    assert describe_plugin(importlib.import_module("our_engine").Engine()) == "our_engine@9d467c0d"
