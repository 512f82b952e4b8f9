"""Lists of calls as strace writes them."""

import subprocess
from pathlib import Path

import pytest
from tools.chaos.tracing import Call, reason_not_to_trace, writing_calls

from tools.chaos import tracing

LOG = """\
7 mkdir("build", 0777) = -1 EEXIST (File exists)
7 openat(AT_FDCWD</study>, "build/.run.7.part/a.json", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 3</study/build/a>
7 write(3</study/build/.run.7.part/a.json>, ""..., 5) = 5
7 write(3</study/build/.run.7.part/a.json>, ""..., 5 <unfinished ...>
8 write(2<pipe:[31]>, ""..., 5) = 5
7 <... write resumed>) = 5
8 write(3</study/build/.run.7.part/a.json>, ""..., 5) = 5
7 openat(AT_FDCWD</study>, "build/a.json", O_RDONLY|O_CLOEXEC) = 3</study/build/a.json>
7 openat(AT_FDCWD</study>, "/study/build/a.json", O_RDWR|O_CLOEXEC) = 3</study/build/a.json>
7 rename("build/.a.json.part", "build/a.json") = 0
7 rename("build/a.json", "build/b.json") = 0
7 write(4</elsewhere/x>, ""..., 5) = 5
7 +++ exited with 0 +++
"""


def test_calls_are_counted_by_thread_and_file_and_those_that_only_read_are_none(tmp_path):
    (tmp_path / "log").write_text(LOG)
    part = "build/.run.{process}.part/a.json"
    assert writing_calls(tmp_path / "log", Path("/study"), ["build"]) == [
        Call("mkdir", "build", 1),
        Call("openat", part, 1),
        Call("write", part, 1),
        Call("write", part, 2),
        Call("openat", "build/a.json", 2),
        Call("rename", "build/.a.json.part", 1),
        Call("rename", "build/a.json", 2),
    ]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("build/run/.new.{process}.part/config.json", ("config.json", "run")),
        ("build/.confusions.parquet.made.{process}.part/.0.scores.part", ("0.scores", "confusions.parquet")),
        ("build/journal/lines/.reader.jsonl.lock", ("reader.jsonl", "lines")),
        ("build/captures/lines/reader.parquet", ("reader.parquet", "lines")),
    ],
)
def test_a_hidden_file_has_the_name_that_its_user_knows(path, names):
    assert Call("write", path, 1).names == names


def test_without_strace_it_is_said_what_installs_it(monkeypatch):
    def missing(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(tracing.subprocess, "run", missing)
    assert reason_not_to_trace() == "strace is not installed: `apt-get install strace`"


def test_where_tracing_is_not_allowed_its_reason_is_said(monkeypatch):
    def refused(*_, **__):
        raise subprocess.CalledProcessError(1, "strace", stderr=b"strace: x\nstrace: Operation not permitted\n")

    monkeypatch.setattr(tracing.subprocess, "run", refused)
    assert reason_not_to_trace() == "strace may not trace: strace: Operation not permitted"
