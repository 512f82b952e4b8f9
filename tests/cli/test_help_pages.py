"""What `--help` explains, what it lists, and what `--help-all` explains."""

import re
from dataclasses import fields

import pytest

from misread.cli.help_pages import Panel
from misread.cli.inputs import Inputs

FIRST = [
    *("--ref", "--hyp", "--table", "--segment-id", "--cluster"),
    *("--normalizer", "--missing", "--example", "--metrics", "--baseline", "--output", "--notes"),
]


@pytest.fixture
def help_of(misread, monkeypatch):
    """Lines that help prints on a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")

    def ask(*arguments):
        done = misread(*arguments)
        assert (done.status, done.err) == (0, "")
        return done.out.splitlines()

    return ask


def explained(lines):
    """Options with an explanation, in their order."""
    return re.findall(r"^  (--[a-z-]+)", "\n".join(lines), re.MULTILINE)


def test_help_of_score_has_two_screens_and_explains_what_most_people_need_first(help_of):
    lines = help_of("score", "--help")
    assert len(lines) <= 2 * 24
    assert explained(lines) == [*FIRST, "--help", "--help-all"]
    assert [panel for panel in Panel if any(line.startswith(f"  {panel} ") for line in lines)] == list(Panel)


def test_every_option_is_listed_by_help_and_explained_once_by_help_all(help_of):
    listed = re.findall(r"(?<=[ (])--[a-z-]+(?=,|$| )", "\n".join(help_of("score", "--help")), re.MULTILINE)
    options = explained(help_of("score", "--help-all"))
    assert len(options) == len(set(options)) > len(fields(Inputs))
    assert set(options) <= set(listed)


def test_help_all_has_a_paragraph_for_each_panel(help_of):
    lines = help_of("score", "--help-all")
    titles = [line.removesuffix(":") for line in lines if re.fullmatch(r"[A-Z]\w+:", line)]
    assert titles == ["Arguments", "Options", *Panel]


def test_a_command_with_few_options_in_panels_explains_all_of_them(help_of):
    assert "--width" in explained(help_of("diff", "--help"))
    assert "--help-all" not in explained(help_of("diff", "--help"))
