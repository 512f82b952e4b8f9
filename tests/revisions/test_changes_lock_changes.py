import contextlib
import shutil

import pytest
import yaml

from misread.revisions import open_revision
from misread.revisions.changes import lock_changes

from .conftest import CLUSTERS, IDS, REFERENCES, Project, make_project, read_badly

CODE = {
    "check": {
        "cmd": "echo made by hand",
        "deps": ["conf", "params.yaml", "src/misread/text"],
        "outs": ["build/check.txt"],
    },
    "segments": {
        "matrix": {"dataset": ["lines"]},
        "cmd": "echo ${item.dataset}",
        "deps": ["build/check.txt", "src/misread/data", "data/${item.dataset}"],
        "outs": ["build/segments.txt"],
    },
    "score": {
        "matrix": {"dataset": ["lines"]},
        "cmd": "echo ${item.dataset}",
        "deps": ["build/segments.txt", "src/misread/data", "src/misread/metrics", "script.sh"],
        "outs": ["build/scores/${item.dataset}"],
    },
    "report": {"cmd": "echo report", "deps": ["src/misread/report"]},
}
BEFORE = {
    "conf/config.yaml": "a: 1\n",
    "data/lines/lines.csv": "one\n",
    "data/lines/files.sha256": "11111111aa  a.txt\n22222222bb  b.txt\n",
    "script.sh": "read\n",
    "build/check.txt": "misread 1\nlab 9999999999\nsrc/misread/text aaaaaaaaaa\n",
    "build/segments.txt": "s",
    "src/misread/text/lines.py": "a = 1\n",
    "src/misread/data/table.csv": "a,b\n",
    "src/misread/metrics/__init__.py": "",
    "src/misread/report/write.py": "a = 1\n",
}
AFTER = {
    "conf/config.yaml": "a: 2\n",
    "data/lines/lines.csv": "two\n",
    "data/lines/new.csv": "new\n",
    "data/lines/files.sha256": "33333333cc  a.txt\n22222222bb  b.txt\n",
    "script.sh": "read again\n",
    "build/check.txt": "misread 2\nlab 8888888888\nsrc/misread/text bbbbbbbbbb\n",
    "src/misread/text/lines.py": "a = 2\n",
    "src/misread/data/table.csv": "a,c\n",
    "src/misread/metrics/new.py": "",
    "src/misread/report/write.py": "a = 2\n",
}
CODE_CHANGES = [
    ("plug-in", "lab", ""),
    ("code", "misread.text.lines", "every stage"),
    ("code", "src/misread/data/table.csv", "segments, score"),
    ("code", "misread.metrics.new", "score"),
]

pytestmark = pytest.mark.pipeline


def store(project: Project, files: dict[str, str], read, write_results) -> None:
    from dvc.repo import Repo

    write_results(project.root, read={"a": read}, references=REFERENCES, ids=IDS, clusters=CLUSTERS)
    for name, content in files.items():
        (project.root / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / name).write_text(content, encoding="utf-8")
    with contextlib.chdir(project.root), Repo() as repo:
        repo.commit(force=True)


@pytest.fixture(scope="module")
def noted(tmp_path_factory, write_results) -> Project:
    """Two commits, before and after everything changed."""
    project = make_project(tmp_path_factory.mktemp("noted"))
    (project.root / "dvc.yaml").write_text(yaml.safe_dump({"stages": CODE}, sort_keys=False), encoding="utf-8")
    store(project, BEFORE, read_badly(10), write_results)
    project.commit("before")
    project.git("tag", "before")
    store(project, AFTER, read_badly(2), write_results)
    project.commit("after")
    project.git("tag", "after")
    return project


def found(project, tmp_path, before="before", after="after", *, datasets=("lines",)):
    first = open_revision(project.root, before, tmp_path / "first")
    return lock_changes(first, open_revision(project.root, after, tmp_path / "second"), datasets)


def of_kinds(changes, *kinds):
    return [change for change in changes if change.kind in kinds]


def test_modules_are_named_with_the_stages_that_run_them_and_plugins_by_themselves(noted, tmp_path):
    changes = of_kinds(found(noted, tmp_path), "code", "plug-in")
    assert [(change.kind, change.name, change.group) for change in changes] == CODE_CHANGES
    assert (changes[0].before, changes[0].after) == ("99999999", "88888888")
    assert changes[-1].before is None


def test_the_working_tree_is_a_side_like_any_other(noted, tmp_path):
    assert found(noted, tmp_path, after=None) == found(noted, tmp_path)


def test_files_of_a_data_set_are_named_by_git_and_those_elsewhere_by_their_list(noted, tmp_path):
    data = of_kinds(found(noted, tmp_path), "data")
    assert {change.group for change in data} == {"lines"}
    assert [(change.name, change.before is None) for change in data] == [
        ("a.txt", False),
        ("data/lines/lines.csv", False),
        ("data/lines/new.csv", True),
    ]
    assert (data[0].before, data[0].after) == ("11111111", "33333333")


def test_a_script_that_a_stage_depends_on_is_named(noted, tmp_path):
    (change,) = of_kinds(found(noted, tmp_path), "file")
    assert change.name == "script.sh"
    assert change.before != change.after


def test_code_of_the_report_and_other_data_sets_change_no_count(noted, tmp_path):
    assert not any("report" in change.name for change in found(noted, tmp_path))
    assert {change.group for change in found(noted, tmp_path, datasets=("pages",))} == {"", "every stage"}
    assert found(noted, tmp_path, before="after") == []


def test_without_a_cache_only_plugins_are_not_named(noted, tmp_path):
    copy = Project(shutil.copytree(noted.root, tmp_path / "copy", symlinks=True))
    shutil.rmtree(copy.root / ".dvc/cache")
    assert found(copy, tmp_path) == of_kinds(found(noted, tmp_path / "whole"), "code", "data", "file")


def test_data_that_git_does_not_know_is_named_as_a_whole(noted, tmp_path):
    copy = Project(shutil.copytree(noted.root, tmp_path / "copy", symlinks=True))
    lock = copy.root / "dvc.lock"
    lock.write_text(lock.read_text().replace("path: data/lines", "path: data/other"), encoding="utf-8")
    changes = of_kinds(found(copy, tmp_path, before="after", after=None), "data")
    assert [(change.name, change.after is None) for change in changes] == [("data/lines", True), ("data/other", False)]


def test_a_lock_that_is_not_yaml_is_named(noted, tmp_path):
    from misread.errors import RevisionError

    copy = Project(shutil.copytree(noted.root, tmp_path / "copy", symlinks=True))
    (copy.root / "dvc.lock").write_text("stages: [", encoding="utf-8")
    with pytest.raises(RevisionError, match=r"dvc.lock of the working tree is not valid YAML"):
        found(copy, tmp_path, after=None)


def test_the_command_says_them_in_a_line_per_group(noted, misread, monkeypatch):
    monkeypatch.chdir(noted.root)
    lines = [line.removeprefix("why").strip() for line in misread("diff", "before", "after").out.splitlines()]
    assert "code       every stage   1 changed (misread.text.lines)" in lines
    assert "code       score   1 new (misread.metrics.new)" in lines
    assert "plug-in    lab   99999999 -> 88888888" in lines
    assert "data       lines   2 changed (a.txt, data/lines/lines.csv), 1 new (data/lines/new.csv)" in lines
