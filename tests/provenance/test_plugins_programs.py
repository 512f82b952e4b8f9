"""Programs that systems run: the digest of one alone, and of one with the folder that belongs to it."""

import hashlib
from pathlib import Path

import pytest

from misread.provenance.plugins import PROGRAMS, digest_program


@pytest.fixture(autouse=True)
def _project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.sh", "README.md", "a/run.py", "a/words.txt", "a/__pycache__/run.pyc"):
        (PROGRAMS / name).parent.mkdir(parents=True, exist_ok=True)
        (PROGRAMS / name).write_text(name)


def test_a_program_alone_is_its_file():
    assert digest_program(PROGRAMS / "b.sh") == hashlib.sha256(b"b.sh").hexdigest()


@pytest.mark.parametrize(
    ("changed", "is_seen"), [("a/words.txt", True), ("a/__pycache__/run.pyc", False), ("b.sh", False)]
)
def test_a_program_in_a_folder_is_all_that_lies_there(changed: str, is_seen: bool):
    before = digest_program(PROGRAMS / "a/run.py")
    (PROGRAMS / changed).write_text("changed")
    assert (digest_program(Path(PROGRAMS, "a/run.py")) != before) is is_seen
