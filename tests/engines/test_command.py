import os
import shutil
import sys
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from misread.data.segment_table import Source
from misread.engines import Command, Processes, UnreadableSourceError
from misread.errors import ConfigurationError, MissingDependencyError, UnknownNameError

pytestmark = pytest.mark.process

SHELL = "/bin/sh"


@pytest.fixture
def source(tmp_path):
    (tmp_path / "a b;$(x).png").write_text("pixels")
    return Source("a", tmp_path / "a b;$(x).png")


def read(source, *arguments, **settings):
    return Command(arguments, **settings).open().read(source)


def test_what_a_program_prints_is_the_text(source):
    assert read(source, "cat", "{input}").text == "pixels"


def test_what_a_program_writes_is_the_text_where_it_is_given_a_file(source):
    assert read(source, "cp", "{input}", "{output}").text == "pixels"
    assert read(source, SHELL, "-c", 'echo printed; cat "$0" > "$1"', "{input}", "{output}").text == "pixels"


def test_nothing_goes_through_a_shell(source):
    assert read(source, "echo", "-n", "$HOME;ls", "{input}").text == f"$HOME;ls {source.media}"


@pytest.mark.parametrize(
    ("printed", "text"),
    [("one\\ntwo\\n", "one\ntwo"), ("one\\n\\n", "one\n"), ("one\\r\\n", "one"), ("", ""), (" é ", " é ")],
)
def test_only_the_last_line_end_is_left_out(source, printed, text):
    assert read(source, "printf", printed, "{input}").text == text


NO_FILE = "/bin/sh made {output} a pipe, a device or a folder, expected a"
KEPT_OPEN = "/bin/sh ended, but what it had started kept its output open for longer than 0.5 s"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo half; echo first >&2; echo no model >&2; exit 3", "/bin/sh ended with status 3: no model"),
        ("exit 1", "/bin/sh ended with status 1"),
        ("kill -9 $$", "/bin/sh ended with signal SIGKILL"),
        ("kill -40 $$", "/bin/sh ended with signal SIGRTMIN+6"),
        (r"printf 'a\377'", "the text is not UTF-8 (byte 2)"),
        ("yes | head -c 2000", "/bin/sh wrote more than 1,000 bytes"),
        ("yes", "/bin/sh wrote more than 1,000 bytes"),
        ("echo hi; setsid sleep 8 &", KEPT_OPEN),
        ("true # {output}", "/bin/sh wrote no {output}"),
        *((f"{made} {{output}}", NO_FILE) for made in ("mkfifo", "ln -s /dev/zero", "mkdir")),
    ],
)
def test_what_goes_wrong_is_the_reason_and_what_was_printed_before_is_kept(source, script, reason):
    start = time.perf_counter()
    with pytest.raises(UnreadableSourceError) as caught:
        read(source, SHELL, "-c", script, "{input}", timeout=0.5, max_answer_bytes=1000)
    said = str(caught.value)
    assert said.startswith(reason) if reason is NO_FILE else said == reason
    assert not script.startswith("echo half") or caught.value.raw == "half\n"
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60",
        "sleep 60 & sleep 60",
        "exec >&-; sleep 60",
        "exec >&- 2>&-; sleep 60",
        "echo hi; setsid sleep 8 & sleep 60",
        "yes >&2",
    ],
)
def test_what_takes_too_long_is_stopped(source, script):
    start = time.perf_counter()
    with pytest.raises(UnreadableSourceError, match=r"^/bin/sh took longer than 0\.2 s and was stopped$"):
        read(source, SHELL, "-c", script, "{input}", timeout=0.2, max_answer_bytes=1000)
    assert time.perf_counter() - start < 5


def test_a_text_of_exactly_the_limit_is_taken(source):
    assert read(source, "printf", "abcde", "{input}", max_answer_bytes=5).text == "abcde"
    with pytest.raises(UnreadableSourceError, match="more than 4 bytes"):
        read(source, "printf", "abcde", "{input}", max_answer_bytes=4)


@pytest.mark.parametrize(
    "script", ["yes | head -c 20000000 >&2; echo text", "echo text; exec >&-; yes | head -c 999999 >&2"]
)
def test_a_program_may_complain_at_length_and_takes_little_memory(source, script):
    tracemalloc.start()
    try:
        assert read(source, SHELL, "-c", script, "{input}").text == "text"
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_complaints_of_what_goes_on_are_not_waited_for(source):
    assert read(source, SHELL, "-c", "echo text; setsid sleep 8 >&- &", "{input}", timeout=5.0).text == "text"


def test_a_missing_image_is_named_before_anything_runs(tmp_path):
    with pytest.raises(UnreadableSourceError, match=r"there is no file .*absent\.png"):
        read(Source("a", tmp_path / "absent.png"), "cat", "{input}")


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(MissingDependencyError, match="there is no program 'no-such-ocr'; install it"):
        Command(["no-such-ocr", "{input}"]).open()


@pytest.mark.parametrize("script", ["sleep 60", "setsid sleep 8 & exit"])
def test_what_runs_is_stopped_when_the_capture_is_given_up(source, script):
    reader = Command([SHELL, "-c", script, "{input}"]).open()

    def expect_a_failure():
        with pytest.raises(UnreadableSourceError):
            reader.read(source)

    thread = threading.Thread(target=expect_a_failure)
    thread.start()
    while not reader._running:
        time.sleep(0.01)
    reader.close()
    thread.join(5)
    assert not thread.is_alive()


def test_several_run_at_a_time(source):
    engine = Command([SHELL, "-c", "sleep 0.5", "{input}"], concurrency=4)
    start = time.perf_counter()
    assert len(list(Processes().run(engine, [source] * 4))) == 4
    assert time.perf_counter() - start < 1.8


RUN = ["cat", "{input}"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        *(
            ({"arguments": arguments}, r"expected a program and its arguments, one of them with \{input\}")
            for arguments in ([], ["cat"], ["{input}"], ["cat", "input"])
        ),
        *(
            ({"arguments": RUN, name: 0}, f"{name} of engine Command is 0, expected more than 0")
            for name in ("timeout", "concurrency", "max_answer_bytes")
        ),
        ({"arguments": RUN, "medium": "video"}, "unknown medium 'video'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(settings, said):
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        Command(**settings)
    assert Command(RUN, medium="audio").reads == {"audio"}


# Its own scripts


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("conf/programs/large").mkdir(parents=True)
    Path("conf/programs/ocr.py").write_text("print('one')")
    Path("conf/programs/large/main.py").write_text("print('one')")
    Path("conf/programs/large/model.txt").write_text("weights")
    return tmp_path


@pytest.mark.parametrize(
    ("script", "changed", "differs"),
    [
        ("conf/programs/ocr.py", "conf/programs/ocr.py", True),
        ("conf/programs/ocr.py", "conf/programs/large/main.py", False),
        ("conf/programs/large/main.py", "conf/programs/large/main.py", True),
        ("conf/programs/large/main.py", "conf/programs/large/model.txt", True),
        ("conf/programs/large/main.py", "conf/programs/ocr.py", False),
    ],
)
def test_the_versions_have_the_content_of_a_script_and_of_what_belongs_to_it(project, script, changed, differs):
    engine = Command([sys.executable, script, "{input}"])
    before = engine.versions()
    assert script in before
    Path(changed).write_text("print('two')")
    assert (engine.versions() != before) is differs


def test_caches_of_python_are_not_content(project):
    engine = Command([sys.executable, "conf/programs/large/main.py", "{input}"])
    before = engine.versions()
    Path("conf/programs/large/__pycache__").mkdir()
    Path("conf/programs/large/__pycache__/main.pyc").write_text("x")
    assert engine.versions() == before


@pytest.mark.parametrize("place", ["ocr.py", "scripts/ocr.py", "conf/programs/../ocr.py"])
def test_a_script_of_the_project_that_would_change_unnoticed_is_refused(project, place):
    Path("scripts").mkdir()
    shutil.copy("conf/programs/ocr.py", place)
    with pytest.raises(ConfigurationError, match=r"ocr\.py lies in the project, where no stage would notice a change"):
        Command([sys.executable, place, "{input}"]).versions()


def test_an_installed_program_is_known_by_its_name_and_the_given_version():
    assert Command(["/usr/bin/env", "{input}"], version="9.1").versions() == {"program": "env", "version": "9.1"}


def test_a_system_without_groups_of_programs_is_refused(monkeypatch):
    monkeypatch.delattr(os, "killpg")
    with pytest.raises(ConfigurationError, match=r"run it by hand, .*Recorded"):
        Command(["cat", "{input}"]).open()
