"""What `misread doctor` and `misread data` say of data sets in an object store."""

import shutil
import uuid

import pytest

from misread.storage.remote import CACHE

fsspec = pytest.importorskip("fsspec", reason="misread[remote] is not installed")


@pytest.fixture
def project(tmp_path, monkeypatch, repository, memory):
    """The configuration and a card of the repository, with a data_root in a store."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "500")
    shutil.copytree(repository / "conf", tmp_path / "conf")
    shutil.copytree(repository / "data/csrnab", tmp_path / "data/csrnab")
    root = f"memory://{uuid.uuid4().hex}"
    path = tmp_path / "conf/config.yaml"
    text = path.read_text(encoding="utf-8")
    assert "data_root: downloads" in text
    path.write_text(text.replace("data_root: downloads", f"data_root: {root}"), encoding="utf-8")
    return root


def put(root, name, content):
    fsspec.filesystem("memory").pipe(f"{root}/{name}", content)


def line(text, what):
    return next(line for line in text.splitlines() if what in line)


@pytest.mark.slow
def test_the_doctor_asks_the_store_and_copies_nothing(misread, project, tmp_path):
    put(project, "sctk/csrnab.hyp", b"x")
    said = misread("doctor").out
    assert "ok" in line(said, "data set csrnab")
    assert f"at {project}/sctk (not copied yet)" in line(said, "data set csrnab")
    assert "there is no such bucket, or no file in that folder" in line(said, "data set das22")
    assert "(setting datasets.das22.root)" in line(said, "data set das22")
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_a_public_data_set_at_an_address_is_compared_with_its_list_and_none_is_written_there(misread, project):
    assert "misread data fetch csrnab" in line(misread("data", "list").out, "csrnab")
    done = misread("data", "fetch", "csrnab")
    assert done.status == 1
    assert (
        "writes to this machine alone: set data_root to a folder, fetch, and copy the folder to the address" in done.err
    )
    assert len(done.err.splitlines()) == 1
    put(project, "sctk/csrnab.hyp", b"x")
    done = misread("data", "fetch", "csrnab")
    assert done.status == 1
    assert f"{project}/sctk exists and is not what data/csrnab/files.sha256 lists" in done.err
    assert "put those files there, then run `misread data fetch csrnab` again" in done.err
    assert f"at {project}/sctk" in line(misread("data", "list").out, "csrnab")
