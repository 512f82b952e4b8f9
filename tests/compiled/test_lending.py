"""Machine code is lent to another copy of the package, module by module."""

import shutil
from pathlib import Path

import pytest

import misread
from misread.compiled import lending
from misread.compiled.lending import lend_machine_code


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with machine code of two modules, one of them in a folder of its own."""
    own = tmp_path / "own"
    for folder in ("", "kernels"):
        (own / folder / "__pycache__").mkdir(parents=True)
        for ending in ("nbi", "nbc", "pyc"):
            (own / folder / f"__pycache__/module.{ending}").write_text(f"{folder} {ending}")
    monkeypatch.setattr(lending, "_PACKAGE", own)
    return own


def test_machine_code_goes_beside_the_same_modules_and_byte_code_does_not(package, tmp_path):
    other = tmp_path / "other"
    (other / "kernels").mkdir(parents=True)
    lend_machine_code(other)
    found = {path.relative_to(other).as_posix(): path.read_text() for path in other.rglob("*.*")}
    assert found == {
        f"{folder}__pycache__/module.{ending}": f"{folder[:-1]} {ending}"
        for folder in ("", "kernels/")
        for ending in ("nbi", "nbc")
    }


def test_a_copy_without_these_folders_or_none_at_all_is_left_as_it_is(package, tmp_path):
    lend_machine_code(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    shutil.rmtree(package / "kernels")
    (tmp_path / "other").mkdir()
    lend_machine_code(tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["__pycache__"]


def test_the_package_is_the_one_that_runs():
    assert Path(misread.__file__).parent == lending._PACKAGE
