"""The list of a stage's code: all that may run, by whatever way it is reached, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from misread.errors import InputFileError
from misread.provenance import stage_code
from misread.provenance.stage_code import Sources, list_code

FILES = {
    "misread/__init__.py": "",
    "misread/__init__.pyi": "from .home import lazy as lazy\nfrom .unused import other as other\n",
    "misread/home.py": "def f():\n    from .deep.inner import x\n",
    "misread/unused.py": "",
    "misread/typed.py": "",
    "misread/plain.py": "files('misread.tables')\n",
    "misread/tables/__init__.py": "",
    "misread/tables/blocks.tsv": "a\tb\n",
    "misread/deep/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import misread.typed\n",
    "misread/deep/inner.py": "import misread.plain as p\n",
    "misread/stage.py": "from misread import (\n    lazy,\n    open,\n)\n",
    "misread/open/__init__.py": "",
    "misread/open/__init__.pyi": "from .drawer import found as found\n",
    "misread/open/drawer.py": "import_module('misread.listed')",
    "misread/listed/__init__.py": "",
    "misread/listed/__init__.pyi": "from .deep.entry import first as first\n",
    "misread/listed/deep/__init__.py": "",
    "misread/listed/deep/entry.py": "",
    "misread/kinds/__init__.py": "",
    "misread/kinds/one.py": "",
    "misread/other/__init__.py": "",
    "misread/other/data.json": "{}",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, source in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(*modules: str) -> dict[str, str]:
    for each in vars(stage_code).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
    pairs = (line.split("  ") for line in list_code(modules, Sources(Path.cwd(), "misread")).splitlines())
    return {name: digest for digest, name in pairs}


@pytest.mark.usefixtures("package")
def test_imports_of_every_form_are_followed_and_data_files_are_listed() -> None:
    unused = {name for name in FILES if name.startswith(("misread/kinds", "misread/other"))}
    assert listed("misread.stage").keys() == FILES.keys() - unused - {"misread/unused.py", "misread/typed.py"}


@pytest.mark.parametrize(
    "source",
    [
        "if not TYPE_CHECKING:\n    import misread.unused\n",
        "if typing.TYPE_CHECKING:\n    pass\nelse:\n    import misread.unused\n",
        "try:\n    pass\nexcept OSError:\n    import misread.unused\n",
        "try:\n    pass\nfinally:\n    import misread.unused\n",
        "match x:\n    case 1:\n        import misread.unused\n",
        "class A:\n    async def f(self):\n        with x:\n            import misread.unused\n",
        "x = [f(import_module('misread.unused')) for f in y]\n",
        'x = f"{import_module("misread" ".unused")}"\n' if sys.version_info >= (3, 12) else 'f("misread" ".unused")\n',
    ],
)
def test_an_import_is_found_wherever_it_stands(package: Path, source: str) -> None:
    (package / "misread/home.py").write_text(source)
    assert "misread/unused.py" in listed("misread.home")


@pytest.mark.usefixtures("package")
def test_a_package_stands_for_all_modules_in_it() -> None:
    assert listed("misread.kinds").keys() == {
        "misread/__init__.pyi",
        "misread/__init__.py",
        "misread/kinds/__init__.py",
        "misread/kinds/one.py",
    }


@pytest.mark.parametrize(
    ("name", "source", "is_seen"),
    [
        ("misread/deep/inner.py", "import misread.plain as p  # a comment\n", False),
        ("misread/deep/inner.py", '"""A docstring."""\n\nimport misread.plain as p\n', False),
        ("misread/deep/inner.py", "import misread.plain as p\np.x = 1\n", True),
        ("misread/tables/blocks.tsv", "a\tc\n", True),
        ("misread/unused.py", "x = 1\n", False),
    ],
)
def test_what_code_does_is_seen_and_what_is_said_of_it_is_not(
    package: Path, name: str, source: str, is_seen: bool
) -> None:
    before = listed("misread.stage")
    (package / name).write_text(source)
    after = listed("misread.stage")
    assert (after != before) is is_seen
    assert {each for each in before if before[each] != after[each]} == ({name} if is_seen else set())


def test_a_package_without_an_init_file_has_its_data_files(package: Path) -> None:
    (package / "bare").mkdir()
    (package / "bare/metrics.py").write_text("x = 1\n")
    (package / "bare/words.txt").write_text("one\n")
    listed = list_code(["bare.metrics"], Sources(package, "bare"))
    assert [line.split("  ")[1] for line in listed.splitlines()] == ["bare/metrics.py", "bare/words.txt"]


@pytest.mark.parametrize(
    ("code", "reason"), [("x = 1\ndef f(:\n", ", line 2: not valid"), ("x\0y", "not valid Python")]
)
def test_a_module_that_is_not_python_names_file_and_line(package: Path, code: str, reason: str) -> None:
    (package / "misread/home.py").write_text(code)
    with pytest.raises(InputFileError, match=reason):
        listed("misread.stage")
