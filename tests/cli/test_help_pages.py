"""What `--help` explains, what it lists, and what `--help-all` explains."""

import re
from dataclasses import fields

import pytest

from misread.cli.help_pages import Panel
from misread.cli.inputs import Inputs
from misread.data.formats import FORMATS
from misread.data.table_columns import BRACKETS, TableColumns

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


def test_help_names_every_setting_of_every_format_and_every_column_in_brackets(help_of):
    text = " ".join(" ".join(help_of("score", "--help-all")).split())
    settings = {name for form in FORMATS.values() for name in form.defaults}
    assert settings == {name for name in settings if f"{name}=" in text}
    assert {*BRACKETS} == {name for name in BRACKETS if f"{name}," in text or f"{name}." in text}


def test_options_of_a_table_are_called_as_what_its_columns_hold():
    options = {field.name for field in fields(Inputs)}
    columns = {field.name for field in fields(TableColumns)}
    assert {"segment_id", "cluster", "groups"} <= columns & options
    assert {*BRACKETS} <= columns - options
