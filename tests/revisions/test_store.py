import subprocess

import pytest

from misread.errors import RevisionError
from misread.pipeline import paths
from misread.revisions import find_commit, latest_commits, open_revision

SCORES = paths.scores("lines", "a")


def open_at(project, name, tmp_path):
    return open_revision(project.root, name, tmp_path / "store")


def test_commits_are_found_by_every_name(past):
    named = find_commit(past.root, "worse")
    assert find_commit(past.root, named.hash) == find_commit(past.root, "HEAD~1") == named
    assert named.subject == "worse"


def test_the_latest_commits_come_first(past):
    assert [commit.subject for commit in latest_commits(past.root, 2)] == ["lower", "worse"]
    assert len(latest_commits(past.root, 99)) == 5


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
    with pytest.raises(RevisionError, match=f"run `dvc pull --all-commits {SCORES}`, or make it with `git checkout"):
        open_at(fresh, "HEAD", tmp_path).fetch(SCORES)
    with pytest.raises(RevisionError, match=f"run `dvc pull {SCORES}`, or run `dvc repro` to make it"):
        open_at(fresh, None, tmp_path).fetch(SCORES)


def test_a_remote_of_today_serves_a_commit_from_before_it_was_set(fresh, tmp_path_factory, tmp_path):
    from dvc.repo import Repo

    remote = tmp_path_factory.mktemp("remote")
    config = fresh.root / ".dvc/config"
    config.write_text(f"[core]\n    remote = far\n['remote \"far\"']\n    url = {remote}\n", encoding="utf-8")
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
    with pytest.raises(RevisionError, match="is not a DVC repository"):
        open_revision(tmp_path, None, tmp_path)


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
        params.write_text(f"{before}\nplugins: [careless]\n", encoding="utf-8")
        past.git("commit", "--quiet", "--message", "theirs", "params.yaml")
        past.git("checkout", "--quiet", "main")
        (past.root / "careless.py").write_text("open('hit', 'w')\n", encoding="utf-8")
        theirs = open_at(past, "theirs", tmp_path)
        with pytest.raises(RevisionError, match=r"lists the plug-in 'careless', which .* does not"):
            theirs.params()
        assert not list(tmp_path.rglob("hit"))
        params.write_text(f"{before}\nplugins: [careless]\n", encoding="utf-8")
        assert theirs.params().plugins == ["careless"]
    finally:
        params.write_text(before, encoding="utf-8")
        (past.root / "careless.py").unlink(missing_ok=True)
        past.git("checkout", "--quiet", "main")
