"""Facts of source files are found again by content, and only as the same code found them."""

import json
import sys
import zlib
from pathlib import Path

import pytest

from misread.errors import InputFileError
from misread.provenance import stage_code
from misread.provenance.stage_code import Import, facts_of, keep_facts

SOURCE = '''"""What it is for."""
from typing import TYPE_CHECKING
from ..above import one, two as other
if TYPE_CHECKING:
    import lab.typed
def late():
    import lab.deep
    return files("lab.tables"), open("lab.txt"), say("laboratory.x")
'''


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Path of the file in which facts are kept, which is not there yet."""
    path = tmp_path / "__pycache__" / "sources.facts"
    monkeypatch.setattr(stage_code, "_KEPT", path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    forget()
    yield path
    forget()


@pytest.fixture
def parsed(monkeypatch):
    """Names of the files that are parsed."""
    names = []
    find = stage_code._find
    monkeypatch.setattr(stage_code, "_find", lambda path, *rest: (names.append(path.name), find(path, *rest))[1])
    return names


def forget():
    """As a new process does."""
    for each in (facts_of, stage_code._stored_facts, stage_code._new_facts, stage_code._finder):
        each.cache_clear()


def change_a_word(kept):
    seal, content = kept.read_bytes().split(b"\n", 1)
    changed = zlib.decompress(content).replace(b'"lab.deep"', b'"lab.dead"')
    assert changed != zlib.decompress(content)
    kept.write_bytes(seal + b"\n" + zlib.compress(changed))


def write(folder: Path, name: str, source: str = SOURCE) -> Path:
    path = folder / name
    path.write_text(source)
    return path


def test_imports_and_names_are_those_that_run(tmp_path):
    facts = facts_of(write(tmp_path, "a.py"), "lab")
    assert sorted(facts.imports) == [
        Import(0, "lab.deep", ["*"]),
        Import(0, "typing", ["TYPE_CHECKING"]),
        Import(2, "above", ["one", "two"]),
    ]
    assert sorted(facts.named_modules) == ["lab.tables", "lab.txt"]


def test_a_file_of_the_same_content_is_not_parsed_again(tmp_path, parsed):
    first = facts_of(write(tmp_path, "a.py"), "lab")
    keep_facts()
    forget()
    assert facts_of(write(tmp_path, "b.py"), "lab") == first
    assert facts_of(write(tmp_path, "c.py", f"{SOURCE}1 + 1\n"), "lab") != first
    assert parsed == ["a.py", "c.py"]


def test_what_a_package_is_called_makes_other_facts(tmp_path):
    path = write(tmp_path, "a.py")
    assert facts_of(path, "laboratory").named_modules == ["laboratory.x"] != facts_of(path, "lab").named_modules


@pytest.mark.parametrize(
    "change",
    [
        change_a_word,
        lambda kept: kept.write_bytes(kept.read_bytes()[:-1]),
        lambda kept: kept.write_bytes(b""),
        lambda kept: kept.unlink(),
    ],
    ids=["another word", "cut short", "empty", "gone"],
)
def test_a_file_of_facts_that_is_not_as_written_is_not_read(tmp_path, kept, parsed, change):
    path = write(tmp_path, "a.py")
    first = facts_of(path, "lab")
    keep_facts()
    change(kept)
    forget()
    assert facts_of(path, "lab") == first
    assert parsed == ["a.py", "a.py"]
    keep_facts()
    forget()
    facts_of(path, "lab")
    assert parsed == ["a.py", "a.py"]


def test_facts_that_other_code_found_are_not_used(tmp_path, parsed, monkeypatch):
    path = write(tmp_path, "a.py")
    facts_of(path, "lab")
    keep_facts()
    forget()
    changed = write(tmp_path, "digests.py", "# another one\n")
    monkeypatch.setattr(stage_code.digests, "__file__", str(changed))
    facts_of(path, "lab")
    assert parsed == ["a.py", "a.py"]


def test_those_that_were_found_first_make_room(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(stage_code, "_MOST_KEPT", 2)
    for number in range(3):
        facts_of(write(tmp_path, f"{number}.py", f"import lab.m{number}\n"), "lab")
    keep_facts()
    content = json.loads(zlib.decompress(kept.read_bytes().split(b"\n", 1)[1]))
    assert [imports[0][1] for _, imports, _ in content.values()] == ["lab.m1", "lab.m2"]


def test_nothing_is_written_where_no_bytecode_is(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    facts_of(write(tmp_path, "a.py"), "lab")
    keep_facts()
    assert not kept.parent.exists()


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path, monkeypatch, kept):
    kept.parent.write_text("a file in its place")
    facts_of(write(tmp_path, "a.py"), "lab")
    keep_facts()


def test_a_file_that_is_not_python_is_not_kept(tmp_path, kept):
    with pytest.raises(InputFileError, match=r"a\.py, line 1: not valid Python"):
        facts_of(write(tmp_path, "a.py", "def\n"), "lab")
    keep_facts()
    assert not kept.exists()
