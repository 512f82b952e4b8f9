import hashlib
import subprocess

import pytest
import yaml
from tests.dvc_status import status_of

TABLE = {"_target_": "misread.data.Table", "file": "t.csv", "segment_id": ["id"], "reference": "text"}


@pytest.fixture
def project(tmp_path):
    """Project with a data set outside the repository and one inside."""
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "t.csv").write_text("id,text\n1,a\n", encoding="utf-8")
    (tmp_path / "data" / "inside").mkdir(parents=True)
    datasets = {"books": {**TABLE, "root": "elsewhere"}, "inside": {**TABLE, "root": "data/inside"}}
    datasets["gone"] = {**TABLE, "root": "nowhere"}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({"datasets": datasets}), encoding="utf-8")
    return tmp_path


def test_it_lists_the_files_with_their_hashes(misread, project):
    done = misread("pin", "books")
    assert (done.status, done.out) == (0, "wrote data/books/files.sha256; commit it\n")
    digest = hashlib.sha256((project / "elsewhere" / "t.csv").read_bytes()).hexdigest()
    assert (project / "data" / "books" / "files.sha256").read_text(encoding="utf-8") == f"{digest}  t.csv\n"


def test_a_data_set_inside_the_repository_is_not_pinned(misread, project):
    done = misread("pin", "inside")
    assert done.status == 1
    assert "lies in data/inside, where Git keeps it: there is nothing to pin" in done.err
    assert list((project / "data" / "inside").iterdir()) == []


@pytest.mark.usefixtures("project")
def test_an_unknown_data_set_lists_the_choices(misread):
    done = misread("pin", "book")
    assert (done.status, done.out) == (1, "")
    assert "'book' in params.yaml (datasets). Did you mean 'books'?" in done.err


@pytest.mark.usefixtures("project")
def test_a_data_set_that_is_not_there_is_named(misread):
    done = misread("pin", "gone")
    assert (done.status, done.err) == (1, "error: there is no folder nowhere to list.\n")


def test_outside_a_project_it_says_what_to_do(misread):
    done = misread("pin", "books")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "run `misread compose`" in done.err


@pytest.fixture
def repository_of_dvc(project, misread):
    """The same in a repository of Git and DVC; the data lies beside it."""
    from dvc.repo import Repo

    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)
    Repo.init(str(project)).close()
    done = misread("pin", "books")
    assert (done.status, done.out) == (0, "wrote data/books/files.sha256 and data/books.dvc; commit both\n")
    return project


@pytest.mark.pipeline
def test_dvc_status_notices_data_that_changed_or_is_gone(repository_of_dvc):
    assert status_of(repository_of_dvc) == {}
    table = repository_of_dvc / "elsewhere" / "t.csv"
    table.write_text("id,text\n1,b\n", encoding="utf-8")
    ((changed,),) = status_of(repository_of_dvc).values()
    assert list(changed["changed deps"].values()) == ["modified"]
    table.write_text("id,text\n1,a\n", encoding="utf-8")
    assert status_of(repository_of_dvc) == {}
    table.parent.rename(repository_of_dvc / "moved")
    ((gone,),) = status_of(repository_of_dvc).values()
    assert list(gone["changed deps"].values()) == ["deleted"]


@pytest.mark.pipeline
def test_pinning_again_settles_it(repository_of_dvc, misread):
    (repository_of_dvc / "elsewhere" / "new.csv").write_text("id,text\n", encoding="utf-8")
    assert status_of(repository_of_dvc) != {}
    assert misread("pin", "books").status == 0
    assert status_of(repository_of_dvc) == {}


@pytest.mark.pipeline
def test_no_stage_runs_for_the_file_by_which_dvc_looks(repository_of_dvc):
    """Nothing depends on it: without the data at hand, everything else runs as before."""
    stage = {"cmd": "echo made by hand", "deps": ["params.yaml"]}
    (repository_of_dvc / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"one": stage}}), encoding="utf-8")
    (repository_of_dvc / "elsewhere").rename(repository_of_dvc / "moved")
    done = subprocess.run(["dvc", "repro"], cwd=repository_of_dvc, capture_output=True, text=True, check=True)
    assert done.stdout.count("Running stage") == 1


@pytest.mark.parametrize("linked", [True, False])
def test_a_loop_of_links_is_not_a_folder(misread, project, linked):
    (project / "nowhere").symlink_to("nowhere" if linked else "nothing")
    done = misread("pin", "gone")
    assert (done.status, done.err) == (1, "error: there is no folder nowhere to list.\n")
