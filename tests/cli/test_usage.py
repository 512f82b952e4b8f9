import re
from enum import Enum
from types import NoneType
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest
from typer.models import OptionInfo

from misread.cli.app import make_app


@pytest.fixture
def files(write_lines):
    reference, hypothesis = write_lines("r.txt", "a b\nc\n"), write_lines("a.txt", "a b\nd\n")
    return "--ref", reference, "--hyp", f"a={hypothesis}"


def typed_options():
    """Every option of every command whose value is a number or one of several choices."""
    for command in make_app().registered_commands:
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            if get_origin(hint) is not Annotated:
                continue
            kind, *infos = get_args(hint)
            [kind] = {*(get_args(kind) or [kind])} - {NoneType} if get_origin(kind) is not list else [str]
            [info] = infos
            if isinstance(info, OptionInfo) and (kind in (int, float) or issubclass(kind, Enum)):
                named = info.param_decls or ([info.default] if isinstance(info.default, str) else [])
                option = next(iter(named), f"--{name.replace('_', '-')}")
                yield pytest.param(command.name, option, kind, id=f"{command.name} {option}")


@pytest.mark.parametrize(("command", "option", "kind"), list(typed_options()))
def test_a_value_that_does_not_fit_is_named_with_its_option_and_what_would(misread, command, option, kind):
    done = misread(command, option, "nosuch")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    if issubclass(kind, Enum):
        choices = ", ".join(sorted(each.value for each in kind))
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
        (("score", "--normalizer", "nosuch"), "english, lower, lower_ascii, nist, none"),
        (("score", "--missing", "nosuch"), "drop, empty, error"),
        (("score", "--metrics", "nosuch"), "cer, "),
        (("score", "--metrics", "cer,nosuch"), "cer, "),
        (("score", "--tests", "wilcoxon,nosuch"), "randomisation, sign, wilcoxon"),
        (("score", "--baseline", "nosuch"), "There are: a"),
        (("calibrate", "--metric", "nosuch"), "cer, "),
        (("calibrate", "--normalizer", "nosuch"), "english, lower, lower_ascii, nist, none"),
        (("calibrate", "--missing", "nosuch"), "drop, empty, error"),
        (("calibrate", "--tests", "nosuch"), "randomisation, sign, wilcoxon"),
        (("align", "--sort", "nosuch"), "disagreement, errors"),
        (("align", "--unit", "nosuch"), "char, grapheme, word"),
        (("align", "--alignment", "nosuch"), "sclite, transpositions, unit"),
        (("align", "--normalizer", "nosuch"), "english, lower, lower_ascii, nist, none"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_a_name_that_is_not_there_is_named_with_those_that_are(misread, files, arguments, choices):
    more = ("--hyp", "b=a.txt") if arguments[0] == "calibrate" else ()
    command, *options = arguments
    done = misread(command, *files, *more, *options)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "'nosuch'" in done.err
    assert choices in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "--resamples", "0"), "--resamples is 0, expected 1 to 1,000,000; 9999 is usual."),
        (("score", "--resamples", "1000000000"), "--resamples is 1000000000, expected 1 to 1,000,000; 9999 is usual."),
        (("score", "--seed", "-1"), "--seed is -1, expected 0 to 2^63 - 1."),
        (("score", "--confidence", "95"), "--confidence is 95.0, expected a number between 0 and 1."),
        (("score", "--confidence", "nan"), "--confidence is nan, expected a number between 0 and 1."),
        (("score", "--margin", "-1"), "--margin is -1.0, expected a difference of rates above 0"),
        (("calibrate", "--alpha", "5"), "--alpha is 5.0, expected a number between 0 and 1."),
        (("calibrate", "--resamples", "-5"), "--resamples is -5, expected 1 to 1,000,000; 9999 is usual."),
        (("score", "--metrics", ","), "--metrics is empty; name at least one, or leave it out."),
        (("score", "--tests", ""), "--tests is empty; name at least one of wilcoxon, "),
        (("score", "--tests", "sign,sign"), "--tests names 'sign' twice; once is enough."),
        (("align", "--systems", ","), "--systems is empty; name at least one, or leave it out."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_value_out_of_range_is_named_with_its_option(misread, tmp_path, files, arguments, message):
    command, *options = arguments
    given = () if command == "align" else files
    if command == "align":
        (tmp_path / "params.yaml").write_text("a: 1\n", encoding="utf-8")
    done = misread(command, *given, *options)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("align", "--worst", "0"), r"--worst is 0, expected a number in the range x>=1\."),
        (("score", "--confusions", "-1"), r"--confusions is -1, expected a number in the range x>=0\."),
        (("score", "--nosuch", "3"), r"No such option: --nosuch.* See `.* score --help`\."),
        (("score", "--output", "a\nb"), r"unknown value 'a\\nb' in --output\."),
        (("score", "--resamples"), r"Option '--resamples' requires an argument\. See `.* --help`\."),
        (("score", "--nemenyi=3"), r"Option '--nemenyi' does not take a value\. See `.* --help`\."),
        (("pin",), r"Missing argument '.*'\. See `.* pin --help`\."),
        (("scor",), r"No such command 'scor'.*See `.* --help`\."),
        (("--nosuch",), r"No such option: --nosuch.* See `.* --help`\."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_use_is_one_line_with_status_2(misread, arguments, message):
    done = misread(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert re.match(f"error: {message}", done.err)


def test_without_a_command_there_is_help(misread):
    done = misread()
    assert "Commands:" in done.out + done.err
