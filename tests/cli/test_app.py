import subprocess
import sys

import pytest

from misread.version import __version__

COMMANDS = (
    *("score", "calibrate", "align", "show", "diff", "gate", "replay", "macros", "lint-paper"),
    *("compose", "stage", "doctor", "pin"),
)
RUN = (sys.executable, "-c", "from misread.cli import main; main()")


def run(*arguments, cwd):
    return subprocess.run([*RUN, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_the_version_is_printed(misread):
    assert misread("--version") == (0, f"misread {__version__}\n", "")


def test_help_names_every_command(misread):
    done = misread("--help")
    assert done.status == 0
    assert all(command in done.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(misread, command):
    done = misread(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"misread {command}" in done.out
    assert "\\b" not in done.out


def test_examples_in_the_help_stand_on_lines_of_their_own(misread):
    assert "    misread score gold.txt a.txt b.txt\n" in misread("score", "--help").out


def test_an_unknown_command_is_a_wrong_use(misread):
    assert misread("scores").status == 2


@pytest.mark.process
def test_a_process_that_succeeds_ends_with_status_0_and_prints_on_stdout_only(tmp_path):
    (tmp_path / "a.txt").write_text("a b\n", encoding="utf-8")
    done = run("score", "--ref", "a.txt", "--hyp", "a=a.txt", "--output", "json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{")


@pytest.mark.process
def test_a_process_that_is_refused_ends_with_status_1_and_one_line_on_stderr_only(tmp_path):
    done = run("score", "--ref", "a.txt", "--hyp", "a=b.txt", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: there is no file a.txt.\n")


@pytest.mark.process
def test_the_installed_command_is_the_same(tmp_path):
    from pathlib import Path

    command = Path(sys.executable).with_name("misread")
    if not command.is_file():
        pytest.skip(f"{command} is not there: the package is not installed in this environment")
    done = subprocess.run([command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"misread {__version__}\n"
