import contextlib
import hashlib
import re
import shutil
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from misread.errors import MissingResultsError, RevisionError
from misread.pipeline import paths
from misread.revisions import git, open_revision
from misread.revisions.git import find_commit, read_all_at, read_at, require_repository, run_git

SCORES = paths.scores("lines", "a")


def open_at(project, name, tmp_path):
    return open_revision(project.root, name, tmp_path / "store")


def set_remote(project, url, **core):
    """Write DVC's configuration of a project, with a remote."""
    settings = "".join(f"    {name} = {value}\n" for name, value in {"remote": "far", **core}.items())
    text = f"[core]\n{settings}['remote \"far\"']\n    url = {url}\n"
    (project.root / ".dvc/config").write_text(text, encoding="utf-8")


def test_commits_are_found_by_every_name(past):
    named = find_commit(past.root, "worse")
    assert find_commit(past.root, named.hash) == find_commit(past.root, "HEAD~1") == named
    assert named.subject == "worse"


def test_files_are_read_at_once_as_they_are_read_one_by_one(fresh):
    texts = {"one.txt": "é\nb\n", "two.txt": "no end", "empty.txt": "", "blob 3\n": "a\n"}
    for name, text in texts.items():
        (fresh.root / name.strip()).write_text(text, encoding="utf-8")
    fresh.commit("texts")
    commit = find_commit(fresh.root, "HEAD")
    names = [Path(name.strip()) for name in ("absent.txt", *texts, "build")]
    read = read_all_at(fresh.root, commit, names)
    assert read == {name: read_at(fresh.root, commit, name) for name in names}
    assert [read[name] for name in names] == [None, *texts.values(), None]


def test_what_every_comparison_needs_of_a_commit_is_read_at_once(past, tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(
        git, "run_git", lambda *given, **further: started.append(given[1]) or run_git(*given, **further)
    )
    revision = open_at(past, "worse", tmp_path)
    assert (revision.params().systems, bool(revision.stages), bool(revision.digest(SCORES))) == (["a", "b"], True, True)
    # What the commit lacks is asked for once more: it may be there, and its content missing.
    assert started == ["log", "cat-file", "ls-tree"]


def test_a_project_is_opened_once_until_its_settings_change(fresh, tmp_path):
    first, second = (open_revision(fresh.root, name, tmp_path / str(name)) for name in ("HEAD", None))
    assert first._project is second._project
    set_remote(fresh, tmp_path / "remote")
    assert open_revision(fresh.root, "HEAD", tmp_path / "third")._project is not first._project


def test_an_unknown_revision_is_answered_with_branches_and_tags(past):
    with pytest.raises(RevisionError, match=r"unknown revision 'wrse'; branches and tags are: main, empty, first"):
        find_commit(past.root, "wrse")


@pytest.mark.parametrize("name", ["--all", "-1", "first:params.yaml", ""])
def test_a_name_is_never_an_option_or_a_file(past, name):
    with pytest.raises(RevisionError, match="unknown revision"):
        find_commit(past.root, name)


def test_files_of_a_commit_are_those_of_that_commit(past, tmp_path):
    first, worse = open_at(past, "first", tmp_path / "1"), open_at(past, "worse", tmp_path / "2")
    assert first.digest(SCORES) != worse.digest(SCORES)
    assert first.fetch(SCORES).read_bytes() != worse.fetch(SCORES).read_bytes()
    assert first.params().normalizer().name == "whitespace"


def test_the_working_tree_is_what_lies_on_disk(past, tmp_path):
    tree = open_at(past, None, tmp_path)
    assert tree.label == "the working tree"
    assert tree.fetch(SCORES).read_bytes() == (past.root / SCORES).read_bytes()


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"])
def test_variables_of_a_hook_do_not_lead_to_another_repository(past, tmp_path, monkeypatch, name):
    """As in `git commit`, which runs its hooks with some of them."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "other")], check=True)
    worse = find_commit(past.root, "worse")
    monkeypatch.setenv(name, str(tmp_path / "other/.git"))
    assert find_commit(past.root, "worse") == worse
    assert open_at(past, "worse", tmp_path).params().normalizer().name == "whitespace"
    assert require_repository(past.root) == past.root


def test_a_label_names_the_commit_once(past, tmp_path):
    commit = find_commit(past.root, "first")
    assert open_at(past, "first", tmp_path).label == f"first ({commit.short})"
    assert open_at(past, commit.short, tmp_path).label == commit.short


def test_a_revision_without_results_says_how_to_make_them(past, tmp_path):
    empty = open_at(past, "empty", tmp_path)
    with pytest.raises(RevisionError, match=r"empty \(\w+\) has no params.yaml"):
        empty.params()
    with pytest.raises(RevisionError, match=r"was never made; make it with `git checkout \w+` and `dvc repro`"):
        empty.fetch(SCORES)


def test_a_missing_object_gives_the_line_that_brings_it(fresh, tmp_path):
    digest = open_at(fresh, "HEAD", tmp_path).digest(SCORES)
    cached = fresh.root / ".dvc/cache/files/md5" / digest[:2] / digest[2:]
    cached.chmod(0o644)
    cached.unlink()
    (fresh.root / SCORES).unlink()
    set_remote(fresh, tmp_path / "remote")
    fresh.commit("a remote")
    with pytest.raises(
        MissingResultsError, match=f"run `dvc pull --all-commits {SCORES}`, or make it with `git checkout"
    ):
        open_at(fresh, "HEAD", tmp_path).fetch(SCORES)
    with pytest.raises(MissingResultsError, match=f"run `dvc pull {SCORES}`, or run `dvc repro` to make it"):
        open_at(fresh, None, tmp_path).fetch(SCORES)


def test_a_remote_of_today_serves_a_commit_from_before_it_was_set(fresh, tmp_path_factory, tmp_path):
    from dvc.repo import Repo

    remote = tmp_path_factory.mktemp("remote")
    set_remote(fresh, remote)
    with Repo(str(fresh.root)) as repo:
        repo.push()
    content = (fresh.root / SCORES).read_bytes()
    for path in (fresh.root / ".dvc/cache/files").rglob("*"):
        if path.is_file():
            path.unlink()
    assert open_at(fresh, "HEAD", tmp_path).fetch(SCORES).read_bytes() == content


def test_outside_of_git_and_of_dvc_is_said_so(tmp_path):
    with pytest.raises(RevisionError, match="is not in a Git repository"):
        open_revision(tmp_path, "HEAD", tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    with pytest.raises(RevisionError, match="unknown revision 'HEAD'; there is no commit yet"):
        open_revision(tmp_path, "HEAD", tmp_path)
    (tmp_path / "dvc.lock").write_text(f"stages: {{score: {{outs: [{{path: build, md5: {'ab' * 16}}}]}}}}")
    (tmp_path / "dvc.yaml").write_text("stages: {score: {outs: [build]}}")
    with pytest.raises(RevisionError, match="is not a DVC repository"):
        open_revision(tmp_path, None, tmp_path).fetch(SCORES)


@pytest.mark.parametrize(("content", "message"), [("a: [", "is not valid YAML"), ("- a", "holds no settings")])
def test_a_configuration_that_cannot_be_read_names_the_revision(fresh, tmp_path, content, message):
    (fresh.root / "params.yaml").write_text(content, encoding="utf-8")
    fresh.commit("broken")
    for name in ("HEAD", None):
        with pytest.raises(RevisionError, match=message):
            open_at(fresh, name, tmp_path).params()


def test_a_commit_cannot_choose_a_module_to_run(past, tmp_path):
    """Modules are found in the folder at hand, whose own configuration has to list them."""
    params = past.root / "params.yaml"
    before = params.read_text(encoding="utf-8")
    try:
        past.git("checkout", "--quiet", "-b", "theirs")
        params.write_text(f"{before}\nplugins: [study]\n", encoding="utf-8")
        past.git("commit", "--quiet", "--message", "theirs", "params.yaml")
        past.git("checkout", "--quiet", "main")
        (past.root / "src/study").mkdir(parents=True)
        (past.root / "src/study/careless.py").write_text("open('hit', 'w')\n", encoding="utf-8")
        theirs = open_at(past, "theirs", tmp_path)
        with pytest.raises(RevisionError, match=r"lists the plug-in 'study', which .* does not"):
            theirs.params()
        assert not list(tmp_path.rglob("hit"))
        params.write_text(f"{before}\nplugins: [study]\n", encoding="utf-8")
        assert theirs.params().plugins == ["study"]
    finally:
        params.write_text(before, encoding="utf-8")
        shutil.rmtree(past.root / "src", ignore_errors=True)
        past.git("checkout", "--quiet", "main")


@pytest.fixture
def server():
    """Address of a server, and the paths that it was asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def do_HEAD(self):
            self.do_GET()

        def log_message(self, *_):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_port}", asked
        listening.shutdown()


def commit_of_others(project, files):
    """A branch `theirs` with these files and other results; the working tree stays at `main`."""
    lock = (project.root / "dvc.lock").read_text(encoding="utf-8")
    project.git("checkout", "--quiet", "-b", "theirs")
    (project.root / "dvc.lock").write_text(re.sub("md5: [0-9a-f]{6}", "md5: abcdef", lock), encoding="utf-8")
    for name, text in files.items():
        (project.root / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / name).write_text(text, encoding="utf-8")
    project.git("add", "--force", "dvc.lock", *files)
    project.git("commit", "--quiet", "--message", "theirs")
    project.git("checkout", "--quiet", "main")


def test_a_commit_cannot_choose_a_server_or_a_folder_of_dvc(fresh, server, tmp_path):
    url, asked = server
    folders = {name: tmp_path / name for name in ("site", "cache")}
    config = (
        f"[core]\n    remote = theirs\n    site_cache_dir = {folders['site']}\n    hardlink_lock = true\n"
        f"['remote \"theirs\"']\n    url = {url}\n[cache]\n    dir = {folders['cache']}\n"
    )
    commit_of_others(fresh, {".dvc/config": config, ".dvc/config.local": config, ".dvc/tmp/theirs": "theirs"})
    before = sorted(fresh.root.rglob("*"))
    with pytest.raises(MissingResultsError, match="not in the cache, and there is no default remote"):
        open_at(fresh, "theirs", tmp_path).fetch(SCORES)
    assert asked == []
    assert not any(folder.exists() for folder in folders.values())
    assert sorted(fresh.root.rglob("*")) == before


def test_nothing_that_a_commit_imports_is_asked_for(fresh, server, tmp_path):
    url, asked = server
    imported = {
        "deps": [{"path": "counts.parquet", "repo": {"url": f"{url}/theirs.git", "rev_lock": "a" * 40}}],
        "outs": [{"path": str(SCORES), "md5": "abcdef" + "0" * 26, "hash": "md5"}],
        "frozen": True,
    }
    commit_of_others(fresh, {"dvc.yaml": "stages: {}", "theirs.dvc": yaml.safe_dump(imported)})
    with pytest.raises(RevisionError, match="was never made"):
        open_at(fresh, "theirs", tmp_path).fetch(SCORES)
    assert asked == []


BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10)]
)


@pytest.mark.parametrize("name", ["params.yaml", "dvc.yaml", "dvc.lock"])
def test_aliases_of_a_commit_that_stand_for_billions_of_values_are_refused(fresh, tmp_path, name):
    commit_of_others(fresh, {name: BOMB})
    theirs = open_at(fresh, "theirs", tmp_path)
    with pytest.raises(RevisionError, match=rf"{name} of theirs \(\w+\) holds more than 100,000 values"):
        theirs.params() if name == "params.yaml" else theirs.fetch(SCORES)


def test_a_matrix_of_billions_of_stages_is_not_written_out(fresh, tmp_path):
    matrix = {f"key{number}": list(range(10)) for number in range(10)}
    content = yaml.safe_load((fresh.root / "dvc.yaml").read_text(encoding="utf-8"))
    content["stages"]["many"] = {"matrix": matrix, "cmd": "echo", "outs": ["${item.key0}"]}
    commit_of_others(fresh, {"dvc.yaml": yaml.safe_dump(content)})
    assert open_at(fresh, "theirs", tmp_path).digest(SCORES).startswith("abcdef")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dvc.lock", "- a"),
        ("dvc.lock", "stages: {a: 1}"),
        ("dvc.yaml", "stages: [a]"),
        ("dvc.yaml", "stages: {everything: {outs: 1}}"),
    ],
)
def test_files_of_dvc_that_hold_something_else_are_refused_by_name(fresh, tmp_path, name, text):
    commit_of_others(fresh, {name: text})
    with pytest.raises(RevisionError, match=rf"^{name} of theirs \(\w+\) is not what DVC writes: "):
        open_at(fresh, "theirs", tmp_path).fetch(SCORES)


def test_a_hash_is_never_a_path(fresh, tmp_path):
    stage = {"outs": [{"path": str(SCORES), "md5": "../../../../secret"}]}
    (fresh.root / ".dvc/secret").write_text("secret", encoding="utf-8")
    commit_of_others(fresh, {"dvc.lock": yaml.safe_dump({"stages": {"everything": stage}})})
    with pytest.raises(RevisionError, match=r"has the hash '\.\./\.\./\.\./\.\./secret', which is none of DVC's"):
        open_at(fresh, "theirs", tmp_path).fetch(SCORES)


def test_a_commit_older_than_the_remote_says_how_to_push_it(fresh, tmp_path):
    commit_of_others(fresh, {})
    set_remote(fresh, tmp_path / "remote")
    with pytest.raises(
        MissingResultsError,
        match=r"nor in the remote, for the commit names none and `dvc push` left it out; run `dvc remote add --local "
        r"--default NAME URL` and `dvc push --all-commits` where it was made, or make it with `git checkout \w+`",
    ):
        open_at(fresh, "theirs", tmp_path).fetch(SCORES)


def test_results_in_a_folder_that_a_stage_makes_are_found_by_its_list(fresh, tmp_path):
    """As `misread` has it: a stage scores all systems, and makes one folder. DVC keeps notes on how it was before."""
    from dvc.repo import Repo

    stage = {"matrix": {"dataset": ["lines"]}, "cmd": "echo", "outs": ["build/scores/${item.dataset}"]}
    old = yaml.safe_load((fresh.root / "dvc.lock").read_text(encoding="utf-8"))["stages"]["everything"]
    (fresh.root / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"score": stage}}), encoding="utf-8")
    (fresh.root / SCORES).write_bytes(b"now")
    with contextlib.chdir(fresh.root), Repo() as repo:
        repo.commit(force=True)
    lock = yaml.safe_load((fresh.root / "dvc.lock").read_text(encoding="utf-8"))
    lock["stages"] |= {"everything": old, "score@lines-a": old}
    (fresh.root / "dvc.lock").write_text(yaml.safe_dump(lock), encoding="utf-8")
    fresh.commit("a folder")
    head = open_at(fresh, "HEAD", tmp_path)
    assert head.fetch(SCORES).read_bytes() == b"now"
    assert head.digest(SCORES) == hashlib.md5(b"now", usedforsecurity=False).hexdigest()
    assert head.digest(SCORES.with_name("other")) is None
    shutil.rmtree(fresh.root / ".dvc/cache")
    with pytest.raises(MissingResultsError, match=r"^build/scores/lines of HEAD \(\w+\) is not in the cache"):
        open_at(fresh, "HEAD", tmp_path / "again").digest(SCORES)
