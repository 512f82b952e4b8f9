"""Standard output that cannot be written, or does not have the letters."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from misread.cli import main

OUTPUTS = ["table", "markdown", "latex", "html", "csv", "json"]
FULL = Path("/dev/full")
RUN = (sys.executable, "-c", "from misread.cli import main; main()")


@pytest.fixture
def score(write_lines):
    gold, system = write_lines("gold.txt", "Épreuve\nœuvre\n"), write_lines("système漢.txt", "Epreuve\nœuvre\n")
    return "score", gold, system, "--resamples", "9"


@pytest.fixture
def print_to(monkeypatch, capsys, tmp_path):
    """Run `misread` with a stream as standard output; give status and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(stream, *arguments):
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "argv", ["misread", *arguments])
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        return status, capsys.readouterr().err

    return run


def without_warnings(said):
    return [line for line in said.splitlines() if not line.startswith(("warning: ", "hint: "))]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_full_disk_is_one_line_and_status_1(print_to, score, output):
    with FULL.open("w", encoding="utf-8") as full:
        status, said = print_to(full, *score, "--output", output)
    assert status == 1
    assert without_warnings(said) == ["error: standard output cannot be written: No space left on device."]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_reader_that_has_gone_ends_the_command_quietly(print_to, score, output):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as pipe:
        _, said = print_to(pipe, *score, "--output", output)
    assert without_warnings(said) == []


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_standard_output_does_not_have_are_escapes(print_to, score, output, encoding):
    content = io.BytesIO()
    stream = io.TextIOWrapper(content, encoding=encoding)
    status, said = print_to(stream, *score, "--output", output, "--confusions", "3")
    assert (status, without_warnings(said)) == (0, [])
    text = content.getvalue().decode(encoding)
    assert r"\u6f22" in text
    if output == "json":
        assert "système漢" in json.loads(text)["systems"]


def test_names_of_files_that_are_not_utf_8_are_escapes(misread, write_lines, tmp_path):
    write_lines("gold.txt", "one\n")
    name = os.fsdecode(b"\xff.txt")
    write_lines(name, "two\n")
    done = misread("score", "gold.txt", name, "--resamples", "9", "--run-dir", "run")
    assert (done.status, without_warnings(done.err)) == (0, [])
    assert r"\udcff" in done.out
    written = (tmp_path / "run" / "summary.json").read_text(encoding="utf-8")
    assert list(json.loads(written)["systems"]) == ["\udcff"]


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("inspect", "align", "--text", "--ref", "é", "--hyp", "a=e")]
)
def test_a_process_that_finds_no_room_says_so_once(tmp_path, arguments):
    with FULL.open("w", encoding="utf-8") as full:
        done = subprocess.run([*RUN, *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"error: standard output cannot be written: No space left on device.\n"


@pytest.mark.process
def test_a_process_whose_reader_has_gone_says_nothing(tmp_path):
    process = subprocess.Popen([*RUN, "--help"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("descriptor", [1, 2])
def test_a_process_without_a_stream_does_its_work(tmp_path, descriptor):
    command = ["sh", "-c", f'exec "$@" {descriptor}>&-', "sh", *RUN, "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
def test_a_process_in_ascii_prints_all_the_same(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    arguments = ("inspect", "align", "--text", "--ref", "漢é", "--hyp", "système=漢e")
    done = subprocess.run(
        [*RUN, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert r"syst\xe8me" in done.stdout


def test_a_file_that_cannot_be_written_is_one_line(misread, score, tmp_path):
    (tmp_path / "file").write_text("")
    done = misread(*score, "--run-dir", "file/run")
    assert (done.status, done.out) == (1, "")
    assert done.err == "error: file/run cannot be written: file is a file, not a folder.\n"


def test_a_file_that_cannot_be_read_is_one_line(misread, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "params.yaml")

    monkeypatch.setattr("misread.pipeline.params.load_params", refuse)
    assert misread("inspect", "align", "a") == (1, "", "error: params.yaml: Permission denied.\n")
