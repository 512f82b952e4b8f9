import gc
import io
import re
import subprocess
import sys
import threading
import time
import weakref
from dataclasses import fields
from enum import Enum
from importlib import import_module
from types import FunctionType, NoneType
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import pytest
from typer.models import OptionInfo

from misread.cli import app
from misread.cli.app import COMMANDS, GROUPS
from misread.cli.help_pages import SUMMARY
from misread.cli.input_reading import needs_of
from misread.cli.input_rules import RULES, check_inputs
from misread.cli.inputs import Inputs
from misread.compiled.jit import Kernel
from misread.errors import ConfigurationError
from misread.version import __version__

RUN = (sys.executable, "-c", "from misread.cli import main; main()")


def run(*arguments, cwd):
    return subprocess.run([*RUN, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_the_version_is_printed(misread):
    assert misread("--version") == (0, f"misread {__version__}\n", "")


def test_help_names_every_command_on_one_screen(misread, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    done = misread("--help")
    lines = done.out.splitlines()
    assert (done.status, len(lines) <= 24, max(map(len, lines)) <= 100) == (0, True, True)
    assert {line[10:].split()[0] for line in lines[2:]} == {command.split()[0] for command in COMMANDS}
    assert [line.split()[0] for line in lines[2:] if line[2] != " "] == [
        *("score", "look", "decide", "texts", "study", "paper")
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_help_of_a_group_has_one_line_for_each_of_its_commands(misread, group):
    named = [line.split()[0] for line in misread(group, "--help").out.splitlines()[4:]]
    assert named == [command.split()[1] for command in COMMANDS if command.startswith(f"{group} ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_first_sentence_of_every_command_is_short_enough_for_the_list(command):
    assert 0 < len(function_of(command).__doc__.partition("\n")[0].removesuffix(".")) <= SUMMARY


@pytest.mark.parametrize("arguments", [("judge", "--table", "x"), ("judge", "gold.txt")])
def test_a_group_without_its_second_word_names_those_there_are(misread, arguments):
    assert misread(*arguments) == (
        *(2, ""),
        "error: `misread judge` needs one more word: record, agreement. See `misread judge --help`.\n",
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(misread, command):
    done = misread(*command.split(), "--help")
    assert (done.status, done.err) == (0, "")
    assert f"misread {command}" in done.out
    assert "\\b" not in done.out


def test_examples_in_the_help_stand_on_lines_of_their_own(misread):
    assert "    misread score gold.txt a.txt b.txt\n" in misread("score", "--help").out


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


@pytest.fixture
def files(write_lines):
    reference, hypothesis = write_lines("r.txt", "a b\nc\n"), write_lines("a.txt", "a b\nd\n")
    return "--ref", reference, "--hyp", f"a={hypothesis}"


def choices_of(kind):
    """Choices of an option, sorted; none where it takes other values."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return sorted(choice.value for choice in kind)
    return sorted(get_args(kind)) if get_origin(kind) is Literal else []


def function_of(command):
    """Function behind a command."""
    module, _, attribute = COMMANDS[command].partition(":")
    return getattr(import_module(module), attribute)


def typed_options():
    """Every option of every command whose value is a number or one of several choices."""
    for command in COMMANDS:
        for name, hint in get_type_hints(function_of(command), include_extras=True).items():
            if get_origin(hint) is not Annotated:
                continue
            kind, *infos = get_args(hint)
            if get_origin(kind) is not Literal:
                [kind] = {*(get_args(kind) or [kind])} - {NoneType} if get_origin(kind) is not list else [str]
            [info] = infos
            if isinstance(info, OptionInfo) and (kind in (int, float) or choices_of(kind)):
                named = info.param_decls or ([info.default] if isinstance(info.default, str) else [])
                option = next(iter(named), f"--{name.replace('_', '-')}")
                yield pytest.param(command, option, kind, id=f"{command} {option}")


@pytest.mark.parametrize(("command", "option", "kind"), list(typed_options()))
def test_a_value_that_does_not_fit_is_named_with_its_option_and_what_would(misread, command, option, kind):
    done = misread(*command.split(), option, "nosuch")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    if choices_of(kind):
        choices = ", ".join(choices_of(kind))
        assert done.err.startswith(f"error: unknown value 'nosuch' in {option}.")
        assert done.err.endswith(f" There are: {choices}.\n")
    else:
        expected = "whole number" if kind is int else "number"
        assert done.err == f"error: {option} is 'nosuch', expected a {expected}.\n"


def test_there_are_such_options():
    assert len(list(typed_options())) > 15


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        (("score", "--normalizer", "nosuch"), "`misread list normalizers` lists all "),
        (("score", "--missing", "nosuch"), "drop, empty, error"),
        (("score", "--metrics", "nosuch"), "`misread list metrics` lists all "),
        (("score", "--metrics", "cer,nosuch"), "`misread list metrics` lists all "),
        (("score", "--tests", "wilcoxon,nosuch"), "randomisation, sign, wilcoxon"),
        (("score", "--baseline", "nosuch"), "There are: a"),
        (("plan size", "--metrics", "nosuch"), "`misread list metrics` lists all "),
        (("plan size", "--normalizer", "nosuch"), "`misread list normalizers` lists all "),
        (("plan size", "--missing", "nosuch"), "drop, empty, error"),
        (("plan size", "--runs", "nosuch"), "averaged, crossed"),
        (("inspect align", "--sort", "nosuch"), "disagreement, errors"),
        (("inspect align", "--unit", "nosuch"), "char, grapheme, word"),
        (("inspect align", "--alignment", "nosuch"), "sclite, transpositions, unit"),
        (("inspect align", "--normalizer", "nosuch"), "`misread list normalizers` lists all "),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_a_name_that_is_not_there_is_named_with_those_that_are(misread, files, arguments, choices):
    more = ("--hyp", "b=a.txt", "--difference", "0.1") if arguments[0] == "plan size" else ()
    command, *options = arguments
    done = misread(*command.split(), *files, *more, *options)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "'nosuch'" in done.err
    assert choices in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "--resamples", "0"), "--resamples is 0, expected 1 to 1,000,000; 9999 is usual."),
        (("score", "--seed", "-1"), "--seed is -1, expected 0 to 2^63 - 1."),
        (("score", "--confidence", "95"), "--confidence is 95.0, expected a number between 0 and 1."),
        (("score", "--confidence", "nan"), "--confidence is nan, expected a number between 0 and 1."),
        (("score", "--margin", "-1"), "--margin is -1.0, expected a difference of rates above 0"),
        (
            ("plan size", "--difference", "1", "--metrics", "cer,wer"),
            "--metrics lists 2 metrics (cer,wer); this command takes one.",
        ),
        (("score", "--metrics", ","), "--metrics is empty; name at least one, or leave it out."),
        (("score", "--tests", ""), "--tests is empty; name at least one of wilcoxon, "),
        (("score", "--tests", "sign,sign"), "--tests names 'sign' twice; once is enough."),
        (("inspect align", "--systems", ","), "--systems is empty; name at least one, or leave it out."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_value_out_of_range_is_named_with_its_option(misread, tmp_path, files, arguments, message):
    command, *options = arguments
    given = () if command == "inspect align" else files
    if command == "inspect align":
        (tmp_path / "params.yaml").write_text("a: 1\n", encoding="utf-8")
    done = misread(*command.split(), *given, *options)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("inspect align", "--worst", "0"), r"--worst is 0, expected a number in the range x>=1\."),
        (("score", "--confusions", "-1"), r"--confusions is -1, expected a number in the range x>=0\."),
        (("score", "--nosuch", "3"), r"No such option: --nosuch.* See `.* score --help`\."),
        (("score", "--output", "a\nb"), r"unknown value 'a\\nb' in --output\."),
        (("score", "--resamples"), r"Option '--resamples' requires an argument\. See `.* --help`\."),
        (("score", "--raw-csv=3"), r"Option '--raw-csv' does not take a value\. See `.* --help`\."),
        (("pin",), r"Missing argument '.*'\. See `.* pin --help`\."),
        (("scor",), r"No such command 'scor'.*See `.* --help`\."),
        (("--nosuch",), r"No such option: --nosuch.* See `.* --help`\."),
        (("plan size", "--most-runs", "10001"), r"--most-runs is 10001, expected a number in the range 1<=x<=10000\."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_use_is_one_line_with_status_2(misread, arguments, message):
    done = misread(*arguments[0].split(), *arguments[1:])
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert re.match(f"error: {message}", done.err)


def test_without_a_command_there_is_help(misread):
    done = misread()
    assert "Usage: misread" in done.out + done.err


def work():
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass


def work_until(done):
    while not done.is_set():
        pass


def as_of(module, function=work):
    """A function that takes long, as if it were of a module."""
    return FunctionType(function.__code__, {"__name__": module, "time": time})


@pytest.fixture
def said(monkeypatch):
    """What is said of work after a hundredth of a second, or another time."""

    def run(of, seconds=0.01):
        monkeypatch.setattr(app, "SECONDS", seconds)
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        with app.say_what_takes_long():
            of()
        time.sleep(0.02)
        return sys.stderr.getvalue()

    return run


def test_work_that_is_done_in_time_is_not_spoken_of(said):
    assert said(lambda: None) == ""


@pytest.mark.slow
def test_waiting_is_not_spoken_of(said):
    # Threads that other tests left behind may work meanwhile, though not all the time.
    assert "" in [said(lambda: time.sleep(0.1), seconds=0.09) for _ in range(3)]


@pytest.mark.slow
def test_work_of_another_package_is_called_starting(said):
    assert said(work) == "note: starting; not done yet.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "activity"),
    [
        ("misread.data.table", "reading the data"),
        ("misread.tally", "counting errors"),
        ("misread.stats.compare.compare", "resampling and testing differences"),
    ],
)
def test_the_innermost_package_that_is_at_work_is_named(said, module, activity):
    assert said(as_of(module)) == f"note: {activity}; not done yet.\n"


@pytest.mark.slow
def test_nothing_of_the_work_stays_in_memory_once_it_was_spoken_of(said):
    class Texts:
        pass

    held = []

    def hold():
        texts = Texts()
        held.append(weakref.ref(texts))
        work()

    gc.disable()
    try:
        assert said(hold) == "note: starting; not done yet.\n"
        assert held[0]() is None
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize(("are_kept", "expected"), [(True, "done once, and kept"), (False, "no writable folder")])
def test_compiling_is_named_whichever_thread_does_it(said, monkeypatch, are_kept, expected):
    monkeypatch.setattr(Kernel, "are_kept", are_kept)
    done = threading.Event()
    thread = threading.Thread(target=as_of("numba.core.compiler", work_until), args=(done,))
    thread.start()
    try:
        assert expected in said(work)
    finally:
        done.set()
        thread.join()


PROGRAM = """
import sys
from misread.cli import app, main
app.SECONDS = {seconds}
sys.argv = ["misread", "score", "gold.txt", "a.txt", "--output", "json"]
main()
"""


@pytest.mark.process
@pytest.mark.parametrize(("seconds", "notes"), [(0.0, 1), (60.0, 0)])
def test_a_command_says_so_once_and_never_on_standard_output(tmp_path, seconds, notes):
    for name in ("gold", "a"):
        (tmp_path / f"{name}.txt").write_text("the quick brown fox\n", encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM.format(seconds=seconds)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("{")
    assert "note:" not in done.stdout
    assert done.stderr.count("note:") == notes


@pytest.mark.process
def test_the_library_says_nothing(tmp_path):
    program = "import misread; print(misread.cer('ab', 'ax')); import threading; print(threading.active_count())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.5", "1"]
    assert done.stderr == ""


def test_every_setting_that_a_refusal_of_inputs_names_is_an_option():
    options = {field.name for field in fields(Inputs)}
    settings = {name for rule in RULES for name in ConfigurationError(rule.refusal).settings}
    assert settings
    assert settings <= options
    assert {name for rule in RULES for name in rule.options} <= options


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({"files": ["a", "b"], "ref": "c"}, ("ref", "hyp")),
        ({"ref": "a"}, ("ref", "hyp")),
        ({"table": "t.csv", "ref": "a"}, ("table", "ref", "hyp")),
        ({"ref": "a", "hyp": ["b=b"], "format": "asr_log"}, ("format", "table")),
        ({"table": "t.csv", "ref": "a", "hyp": ["b=b"], "format": "trn"}, ("format", "hypothesis_format")),
        ({"table": "t.csv(request=a)", "ref": "a", "hyp": ["b=b"]}, ("request", "run")),
    ],
)
def test_an_error_of_inputs_carries_its_settings(options, settings):
    with pytest.raises(ConfigurationError) as caught:
        check_inputs(Inputs(**options), needs_of([]))
    assert caught.value.settings == settings


def test_a_setting_that_the_command_has_no_option_for_is_a_key(monkeypatch):
    options = {"missing": "--missing", "segment_id": "--segment-id", "flag": "--flag", "format": "--format"}
    monkeypatch.setattr(app, "_options_by_setting", options)
    assert app.spell_as_option("missing", "drop") == "--missing drop"
    assert app.spell_as_option("segment_id", "") == "--segment-id"
    assert app.spell_as_option("flag", "true") == "--flag"
    assert app.spell_as_option("format", "text(verbatim=true)") == "--format 'text(verbatim=true)'"
    assert app.spell_as_option("system", "model") == "system: model"
    assert app.spell_as_option("statistics.alpha", "") == "statistics.alpha"
    assert app.spell_as_option("counts", "git") == "counts: git"


@pytest.mark.parametrize("value", ["inf", "1e308", "-1e51"])
def test_a_number_that_no_command_can_use_is_refused(misread, value):
    assert misread("score", "--example", "--margin", value).err == (
        "error: --margin is too large, expected a number up to 1e+50.\n"
    )
    assert misread("score", "--example", "--seed", f"1{'0' * 400}").err == (
        "error: --seed is too large, expected a number up to 1e+50.\n"
    )


def test_a_column_in_the_brackets_of_a_table_is_spelled_as_one_writes_it(monkeypatch):
    monkeypatch.setattr(app, "_options_by_setting", {"table": "--table"})
    assert app.spell_as_option("system", "") == "--table 'FILE(system=COLUMN)'"
    assert app.spell_as_option("empty", "missing") == "--table 'FILE(empty=missing)'"
