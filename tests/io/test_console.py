import errno
import logging
import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from misread.data.segment_table import Origin, TextFacts
from misread.errors import InputFileError
from misread.io import console
from misread.io.console import errors_as_answers, print_error, run_stage, warn, warn_of_notes

NAME = "a\x1b[2J\n\u202eb"
SHOWN = r"a\x1b[2J\n\u202eb"


def test_an_error_or_warning_is_one_line_that_acts_on_nothing(capsys):
    print_error(InputFileError(f"there is no file {NAME}."))
    warn(f"{NAME} is odd")
    assert capsys.readouterr().err == f"error: there is no file {SHOWN}.\nwarning: {SHOWN} is odd\n"


def test_a_name_without_end_does_not_fill_the_screen(capsys):
    print_error(InputFileError(f"there is no segment {'i' * 10**6}, nor {'p/' * 2000}."))
    assert capsys.readouterr().err == (
        f"error: there is no segment {'i' * 60}... (1,000,001 characters) nor {'p/' * 2000}.\n"
    )


def test_a_logged_warning_is_one_line_that_acts_on_nothing(capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    with errors_as_answers():
        logging.getLogger("misread.somewhere").warning("%s holds nothing", NAME)
    assert capsys.readouterr().err == f"warning: {SHOWN} holds nothing\n"


@pytest.mark.parametrize("is_command", [True, False])
@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("seconds", [0, 60])
def test_a_command_shows_what_takes_long_on_a_terminal(capsys, monkeypatch, is_command, is_terminal, seconds):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(console, "_SECONDS_BEFORE_BAR", seconds)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    with errors_as_answers() if is_command else nullcontext():
        assert list(console.steps("abc", NAME)) == ["a", "b", "c"]
    out, err = capsys.readouterr()
    is_shown = is_command and is_terminal and not seconds
    assert (out, bool(err), "3/3" in err and SHOWN in err) == ("", is_shown, is_shown)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InputFileError("no."), "error: no.\n"),
        (PermissionError(errno.EACCES, "Permission denied", "x.csv"), "error: x.csv: Permission denied.\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "a/b"),
            "error: a/b: No space left on device; make room on that disk and run the command again.\n",
        ),
        (MemoryError(), "error: there is not enough memory; the file being written is as it was before.\n"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", b"\xff"), "error: \\udcff: Is a directory.\n"),
    ],
)
def test_what_the_system_refuses_is_an_answer(capsys, error, said):
    with pytest.raises(SystemExit) as end, errors_as_answers():
        raise error
    assert end.value.code == 1
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit(130)], ids=["in a stage", "by Typer"])
def test_an_interrupt_is_one_line_and_the_status_of_its_signal(capsys, interrupt):
    with pytest.raises(SystemExit) as end, errors_as_answers():
        raise interrupt
    assert end.value.code == 130
    assert capsys.readouterr().err.startswith("error: interrupted; the file being written is as it was before.")


def test_a_termination_is_one_line_and_the_status_of_its_signal(capsys):
    with pytest.raises(SystemExit) as end, errors_as_answers():
        signal.raise_signal(signal.SIGTERM)
    assert end.value.code == 143
    assert capsys.readouterr().err.startswith("error: ended by SIGTERM; the file being written is as it was before.")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_forked_process_still_dies_of_a_termination():
    with errors_as_answers():
        child = os.fork()
        if not child:
            signal.raise_signal(signal.SIGTERM)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM


def test_a_termination_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with errors_as_answers():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(
    "error", [OSError("no reason"), ValueError("a mistake of ours"), ConnectionError(errno.EPERM, "x")]
)
def test_what_is_no_answer_is_not_hidden(error):
    with pytest.raises(type(error)), errors_as_answers():
        raise error


def test_a_stage_ends_with_one_line_where_a_file_cannot_be_written(capsys, monkeypatch, tmp_path):
    from misread.io import write_text

    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["stage.py", "d"])
    with pytest.raises(SystemExit) as end:
        run_stage(lambda dataset: write_text(tmp_path / "file" / dataset, ""))
    assert end.value.code == 1
    reason = f"{tmp_path / 'file'} is a file, not a folder"
    assert capsys.readouterr().err == f"error: {tmp_path / 'file' / 'd'} cannot be written: {reason}.\n"


def test_streams_that_were_closed_are_no_error(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with errors_as_answers():
        sys.stdout.write("nobody reads this")
    assert os.path.samestat(os.fstat(sys.stdout.fileno()), Path(os.devnull).stat())
    sys.stdout.close()


def test_a_note_of_several_systems_is_printed_once(capsys):
    notes = ("2 cells are empty.",), ("2 cells are empty.", "x.")
    warn_of_notes([Origin("d", "a", facts=TextFacts(notes=of_system)) for of_system in notes])
    assert capsys.readouterr().err == "warning: 2 cells are empty.\nwarning: x.\n"


def test_a_stage_script_with_the_wrong_ids_says_what_it_takes(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["stages/capture.py", "d"])
    with pytest.raises(SystemExit) as end:
        run_stage(lambda dataset_id, system_id: None)
    assert end.value.code == 1
    assert capsys.readouterr().err == "error: python stages/capture.py takes DATASET SYSTEM, got 'd'.\n"
