import hashlib
from pathlib import Path

from misread.provenance.plugins import list_programs


def test_all_files_of_the_folder_are_listed_with_their_digests_but_for_its_description(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.sh", "README.md", "a/run.py", "a/__pycache__/run.pyc", "a/README.md"):
        Path("conf/programs", name).parent.mkdir(parents=True, exist_ok=True)
        Path("conf/programs", name).write_text(name)
    listed = [line.split("  ") for line in list_programs().splitlines()]
    assert [name for _, name in listed] == ["conf/programs/a/README.md", "conf/programs/a/run.py", "conf/programs/b.sh"]
    assert listed[2][0] == hashlib.sha256(b"b.sh").hexdigest()


def test_a_project_without_programs_lists_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list_programs() == ""
