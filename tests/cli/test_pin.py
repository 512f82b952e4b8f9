import hashlib

import pytest
import yaml

TABLE = {"_target_": "misread.data.Table", "file": "t.csv", "segment_id": ["id"], "reference": "text"}


@pytest.fixture
def project(tmp_path):
    """Project with a data set outside the repository and one inside."""
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "t.csv").write_text("id,text\n1,a\n", encoding="utf-8")
    (tmp_path / "data" / "inside").mkdir(parents=True)
    datasets = {
        "books": {**TABLE, "root": "elsewhere", "watched": "data/books"},
        "inside": {**TABLE, "root": "data/inside", "watched": "data/inside"},
    }
    datasets["gone"] = {**TABLE, "root": "nowhere", "watched": "data/gone"}
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
