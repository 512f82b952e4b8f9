"""Texts that commands take from an object store."""

import json
import uuid

import pytest

from misread.storage.remote import CACHE

fsspec = pytest.importorskip("fsspec", reason="misread[remote] is not installed")

TABLE = b"id,text,a,b\nl1,the quick fox,the quick fox,the quik fox\nl2,jumps,jump,jumps\n"
FILES = {
    "lines.csv": TABLE,
    "gold/p1.txt": b"one\n",
    "gold/p2.txt": b"two\n",
    "kraken-2.0/p1.txt": b"one\n",
    "kraken-2.0/p2.txt": b"too\n",
    "a.trn": b"the fox (l1)\n",
    "gold.trn": b"the fax (l1)\n",
}
COLUMNS = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--segment-id", "id", "--resamples", "99")


@pytest.fixture
def bucket(tmp_path, monkeypatch, memory):
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    root = f"memory://{uuid.uuid4().hex}"
    for name, content in FILES.items():
        memory.pipe(f"{root}/{name}", content)
    yield root
    memory.rm(root, recursive=True)


def printed(misread, *arguments):
    done = misread("score", *arguments, "--output", "json")
    assert done.status == 0, done.err
    return done.json


def test_a_table_gives_what_its_copy_gives_and_its_address_is_what_a_run_says(bucket, tmp_path, misread):
    (tmp_path / "lines.csv").write_bytes(TABLE)
    local = printed(misread, "--table", str(tmp_path / "lines.csv"), *COLUMNS)
    assert printed(misread, "--table", f"{bucket}/lines.csv", *COLUMNS, "--run-dir", str(tmp_path / "run")) == local
    config = json.loads((tmp_path / "run/config.json").read_text())
    assert config["references"] == {"table": f"{bucket}/lines.csv", "column": "text"}
    assert str(tmp_path / "cache") not in (tmp_path / "run/config.json").read_text()


def test_folders_are_paired_file_by_file_and_named_by_their_addresses(bucket, misread):
    found = printed(misread, f"{bucket}/gold", f"{bucket}/kraken-2.0", "--resamples", "99")
    assert list(found["systems"]) == ["kraken-2.0"]
    assert found["systems"]["kraken-2.0"]["wer"]["micro"] == 0.5


def test_files_of_each_option_may_be_there_and_here(bucket, tmp_path, misread):
    (tmp_path / "b.trn").write_bytes(b"a fox (l1)\n")
    hypotheses = ("--hyp", f"a={bucket}/a.trn", "--hyp", f"b={tmp_path}/b.trn")
    found = printed(misread, "--ref", f"{bucket}/gold.trn", *hypotheses, "--format", "trn", "--resamples", "99")
    assert {system: of["wer"]["micro"] for system, of in found["systems"].items()} == {"a": 0.5, "b": 1.0}


def test_runs_may_be_there(bucket, tmp_path, misread):
    (tmp_path / "gold.trn").write_bytes(FILES["gold.trn"])
    runs = ("--hyp", f"a={bucket}/a.trn", "--run", f"a={bucket}/gold.trn")
    found = printed(misread, "--ref", str(tmp_path / "gold.trn"), *runs, "--format", "trn", "--resamples", "99")
    assert found["systems"]["a"]["wer"]["micro"] == 0.25


def test_texts_of_addresses_are_shown_side_by_side(bucket, misread):
    done = misread("inspect", "align", f"{bucket}/gold", f"{bucket}/kraken-2.0")
    assert done.status == 0, done.err
    assert "p2" in done.out


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--table", "memory://nothing/lines.csv", *COLUMNS), "--table"),
        (("--ref", "memory://nothing/a", "--hyp", "a=memory://nothing/b"), "--ref"),
        (("memory://nothing/a", "memory://nothing/b"), "files"),
    ],
)
def test_what_is_not_there_is_named_with_its_option(arguments, option, misread, tmp_path, monkeypatch, memory):
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    done = misread("score", *arguments)
    assert done.status == 1
    assert f"(setting {option}): there is no such bucket, or no file in that folder" in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--table", "http://127.0.0.1:9/lines.csv", *COLUMNS), "--table"),
        (("--table", "reference://d::{folder}/lines.json", *COLUMNS), "--table"),
        (("zip://gold::{folder}/lines.zip", "zip://a::{folder}/lines.zip"), "files"),
    ],
)
def test_an_address_of_another_kind_is_refused_in_one_line(arguments, option, misread, tmp_path):
    done = misread("score", *(argument.format(folder=tmp_path) for argument in arguments))
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert f"(setting {option}): there is no store of the kind " in done.err
