import sys

import pytest

from misread.errors import InputFileError
from misread.io import yaml_files
from misread.io.yaml_files import parse_yaml, read_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


def test_yaml_is_read_as_plain_values(tmp_path):
    (tmp_path / "a.yaml").write_text("a: &a [1, 2.5, no]\nb: *a\nc: {d: ~}\n")
    assert read_yaml(tmp_path / "a.yaml") == {"a": [1, 2.5, False], "b": [1, 2.5, False], "c": {"d": None}}


def test_an_empty_file_holds_nothing():
    assert parse_yaml("# only a comment\n", "a.yaml") is None


@pytest.mark.parametrize("text", [BOMB, "a: &a [*a]\n", "a: &a {b: {c: *a}}\n"])
def test_a_few_aliases_that_stand_for_billions_of_values_are_refused(text):
    with pytest.raises(InputFileError, match=r"^a\.yaml holds more than 100,000 values with its aliases"):
        parse_yaml(text, "a.yaml")


def test_as_many_values_as_the_limit_are_read(monkeypatch):
    # The list, and its entries.
    monkeypatch.setattr(yaml_files, "MOST_VALUES", 4)
    assert parse_yaml("[1, 2, 3]", "a.yaml") == [1, 2, 3]
    with pytest.raises(InputFileError):
        parse_yaml("[1, 2, 3, 4]", "a.yaml")


@pytest.mark.parametrize("text", ["a: [", "a: 2024-99-99\n", "a: !!python/object:os.system x\n", "a: b: c"])
def test_what_is_not_valid_yaml_names_the_file(text):
    with pytest.raises(InputFileError, match=r"^a\.yaml is not valid YAML: ") as caught:
        parse_yaml(text, "a.yaml")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_yaml_nested_too_deeply_names_the_file():
    with pytest.raises(InputFileError, match=r"^a\.yaml: YAML nested too deeply"):
        parse_yaml("[" * sys.getrecursionlimit(), "a.yaml")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputFileError, match="there is no file"):
        read_yaml(tmp_path / "a.yaml")


@pytest.mark.parametrize("text", ["a: \x1b[31m", "\0", "a: \ufffe"])
def test_characters_that_yaml_does_not_have_are_refused(text):
    with pytest.raises(InputFileError, match=r"^a\.yaml is not valid YAML: unacceptable character"):
        parse_yaml(text, "a.yaml")
