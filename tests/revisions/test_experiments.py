import pytest

from misread import read_results
from misread.errors import RevisionError
from misread.revisions.git import find_commit

from .conftest import CLUSTERS, IDS, REFERENCES, Project, make_project, read_badly


def run_experiment(project: Project, write_results, name: str, read: dict[str, list[str]]) -> None:
    """Leave the results of an experiment in DVC and Git, and the working tree as it was: as `dvc exp run --temp`."""
    from dvc.repo import Repo

    write_results(project.root, read=read, references=REFERENCES, ids=IDS, clusters=CLUSTERS)
    project.track()
    with Repo(str(project.root)) as repo:
        repo.experiments.save(name=name)
    project.git("reset", "--hard", "--quiet")


@pytest.fixture(scope="module")
def tried(tmp_path_factory, write_results) -> Project:
    """Two commits with an experiment `hasty` on either; on the first one `careful` as well."""
    project = make_project(tmp_path_factory.mktemp("tried"))
    good, bad = read_badly(10), read_badly(2)
    write_results(project.root, read={"a": good, "b": good}, references=REFERENCES, ids=IDS, clusters=CLUSTERS)
    project.track()
    project.commit("first")
    run_experiment(project, write_results, "hasty", {"a": bad, "b": good})
    run_experiment(project, write_results, "careful", {"a": REFERENCES, "b": good})
    project.commit("say more in the readme")
    run_experiment(project, write_results, "hasty", {"a": bad, "b": bad})
    return project


pytestmark = pytest.mark.pipeline


def test_an_experiment_is_a_revision_under_its_name(tried, misread, monkeypatch):
    monkeypatch.chdir(tried.root)
    done = misread("diff", "HEAD", "careful")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("IMPROVEMENT  1 of 2 systems is significantly better than at HEAD (")
    assert "-> careful (" in done.out
    assert misread("diff", "careful", "HEAD").out.startswith("REGRESSION  1 of 2 systems is significantly worse")


def test_results_of_an_experiment_are_read_in_python(tried):
    careful, head = (
        read_results(tried.root, revision=name).to_frame()["rate"].tolist() for name in ("careful", "HEAD")
    )
    assert careful[:2] == [0.0, 0.0] != head[:2]
    assert careful[2:] == head[2:]


def test_of_two_experiments_of_one_name_that_of_the_present_commit_is_meant(tried, misread, monkeypatch):
    monkeypatch.chdir(tried.root)
    assert "2 of 2 systems are significantly worse" in misread("diff", "HEAD", "hasty").out
    old, new = (
        reference
        for reference in tried.git("for-each-ref", "--format=%(refname)", "refs/exps").split()
        if reference.endswith("/hasty")
    )
    assert find_commit(tried.root, "hasty") in (find_commit(tried.root, old), find_commit(tried.root, new))
    tried.git("checkout", "--quiet", "--detach", "HEAD~1")
    try:
        assert "1 of 2 systems is significantly worse" in misread("diff", "HEAD", "hasty").out
    finally:
        tried.git("checkout", "--quiet", "main")


def test_an_experiment_that_could_be_either_of_two_is_refused_with_their_whole_names(tried):
    tried.git("commit", "--quiet", "--allow-empty", "--message", "third")
    try:
        with pytest.raises(
            RevisionError, match=r"2 experiments are called 'hasty', .*: refs/exps/\w\w/\w+/hasty, refs"
        ):
            find_commit(tried.root, "hasty")
    finally:
        tried.git("reset", "--quiet", "--hard", "HEAD~1")


def test_a_gate_takes_the_names_of_experiments(tried, misread, monkeypatch):
    monkeypatch.chdir(tried.root)
    options = ("--metrics", "cer", "--margin", "0.002")
    assert misread("gate", "--baseline", "HEAD", "--revision", "careful", *options).status == 0
    assert misread("gate", "--baseline", "careful", "--revision", "hasty", *options).status == 1


def test_an_unknown_name_is_answered_with_the_experiments_too(tried, misread, monkeypatch):
    monkeypatch.chdir(tried.root)
    done = misread("diff", "HEAD", "carefull")
    assert done.status == 2
    assert "unknown revision 'carefull'; branches and tags are: main; experiments are: careful, hasty." in done.err


def test_what_dvc_notes_beside_its_experiments_is_none(tried):
    tried.git("update-ref", "refs/exps/exec/EXEC_HEAD", "HEAD")
    with pytest.raises(RevisionError, match="unknown revision 'EXEC_HEAD'"):
        find_commit(tried.root, "EXEC_HEAD")


def test_a_branch_comes_before_an_experiment_of_its_name(tried):
    tried.git("branch", "careful", "HEAD~1")
    try:
        assert find_commit(tried.root, "careful") == find_commit(tried.root, "HEAD~1")
    finally:
        tried.git("branch", "--delete", "--force", "careful")
