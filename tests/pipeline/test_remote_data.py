"""A data set in an object store goes through the stages as one in a folder does."""

import hashlib
import uuid

import pytest
import yaml

from misread.errors import InputFileError, MissingDataError
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.stages import segments
from misread.storage import read_segments
from misread.storage.remote import CACHE

fsspec = pytest.importorskip("fsspec", reason="misread[remote] is not installed")

FILES = {"lines.csv": b"id,text,image\na,one,1.png\nb,two,2.png\n", "1.png": b"first", "2.png": b"second"}


@pytest.fixture
def store(tmp_path, monkeypatch, memory):
    """A bucket with a data set, and a study that has its list."""
    root = f"memory://{uuid.uuid4().hex}"
    for name, content in FILES.items():
        memory.pipe(f"{root}/lines/{name}", content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    listed = "".join(f"{hashlib.sha256(FILES[name]).hexdigest()}  {name}\n" for name in sorted(FILES))
    paths.card("lines").mkdir(parents=True)
    (paths.card("lines") / "files.sha256").write_text(listed)
    dataset = {
        "_target_": "misread.data.Table",
        "root": "{data_root}/lines",
        "file": "lines.csv",
        "segment_id": ["id"],
        "reference": "text",
        "media": "image",
    }
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({"data_root": root, "datasets": {"lines": dataset}}))
    yield memory, root
    for place in [place for place in memory.store if place.startswith(root.removeprefix("memory:/"))]:
        del memory.store[place]


def test_references_and_media_are_read_from_the_copy(store):
    segments.main("lines")
    table, offers = read_segments(paths.segments("lines"), data_root=store[1])
    assert (list(table.references), offers) == (["one", "two"], {"line_image"})
    assert [path.read_bytes() for path in table.media] == [b"first", b"second"]
    assert load_params().data_changes("lines") == ""


def test_a_machine_without_the_copy_makes_it_when_media_are_read(store, tmp_path, monkeypatch):
    segments.main("lines")
    monkeypatch.setenv(CACHE, str(tmp_path / "another"))
    table, _ = read_segments(paths.segments("lines"), data_root=store[1])
    assert [path.read_bytes() for path in table.media] == [b"first", b"second"]


def test_the_file_of_segments_is_that_of_the_same_data_in_a_folder(store, tmp_path):
    segments.main("lines")
    remote = paths.segments("lines").read_bytes()
    (tmp_path / "folder/lines").mkdir(parents=True)
    for name, content in FILES.items():
        (tmp_path / "folder/lines" / name).write_bytes(content)
    params = tmp_path / "params.yaml"
    params.write_text(params.read_text().replace(store[1], "folder"))
    segments.main("lines")
    assert paths.segments("lines").read_bytes() == remote


def test_data_that_changed_in_the_store_is_refused(store):
    segments.main("lines")
    store[0].pipe(f"{store[1]}/lines/1.png", b"another")
    with pytest.raises(InputFileError, match=r"is not what .*files\.sha256 lists: 1\.png"):
        segments.main("lines")


def test_a_bucket_that_is_not_there_names_the_setting(store, tmp_path):
    params = tmp_path / "params.yaml"
    params.write_text(params.read_text().replace(store[1], "memory://gone"))
    with pytest.raises(MissingDataError, match=r"^memory://gone/lines \(setting datasets\.lines\.root\): there is no"):
        segments.main("lines")
