import sys
from io import StringIO

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from ruamel.yaml import YAML

from misread.errors import InputFileError
from misread.io import yaml_files
from misread.io.yaml_files import dump_yaml, parse_yaml, read_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


def test_yaml_is_read_as_plain_values(tmp_path):
    (tmp_path / "a.yaml").write_text("a: &a [1, 2.5, no]\nb: *a\nc: {d: ~}\n")
    assert read_yaml(tmp_path / "a.yaml") == {"a": [1, 2.5, False], "b": [1, 2.5, False], "c": {"d": None}}


NUMBERS = [
    *("1e3", "1E3", "0o17", "007", "1_000", "0x1F", "0b1"),
    *("190:20", "1.", ".5", "+1", "-.inf", ".NaN", "1_e3", "_1"),
]
WORDS = [
    "on",
    "null",
    "~",
    "=",
    "<<",
    "y",
    "No",
    "TRUE",
    "",
    "2024-01-31",
    "2001-12-14 21:59:43",
    "- a",
    "a: b",
    "'",
    "#a",
]
TEXTS = (
    st.sampled_from([*NUMBERS, *WORDS])
    | st.text("0189_.:+-eExXoObBaAfFiInNyYtT~=< \n'\"#", max_size=8)
    | st.text(max_size=6)
)


@example(["1e3", "0o17"], False)
@given(
    st.lists(TEXTS.filter(lambda text: "$" not in text and text.isprintable()), min_size=1, unique=True), st.booleans()
)
def test_every_reader_of_yaml_finds_the_texts_that_were_written(texts, in_one_line):
    content = {"keys": {text: [text] for text in texts}}
    text = dump_yaml(content, in_one_line=in_one_line)
    assert yaml.safe_load(text) == content
    assert YAML(typ="safe", pure=True).load(text) == content
    assert OmegaConf.to_container(OmegaConf.load(StringIO(text))) == content


def test_a_key_of_two_mappings_and_one_that_is_merged_are_read():
    text = "a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\n"
    assert parse_yaml(text, "p.yaml") == {"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 2}}


def test_an_empty_file_holds_nothing():
    assert parse_yaml("# only a comment\n", "a.yaml") is None


def test_as_many_values_as_the_limit_are_read(monkeypatch):
    # The list, and its entries.
    monkeypatch.setattr(yaml_files, "MOST_VALUES", 4)
    assert parse_yaml("[1, 2, 3]", "a.yaml") == [1, 2, 3]
    with pytest.raises(InputFileError):
        parse_yaml("[1, 2, 3, 4]", "a.yaml")


INVALID = ("a: [", "a: 2024-99-99\n", "a: !!python/object:os.system x\n", "a: b: c")
TWICE = ("a: 1\nb: 2\na: 3\n", "a: 1\nb: 2\n'a': 3\n", "a: [{b: 1}]\nc: 1\na: {}\n", "1: a\nb: 2\n0x1: c\n")
STEPS = "normalizer:\n  - name: x\n    steps: [a]\n    steps: [b]\n"
REFUSED = [
    *((text, " is not valid YAML: ") for text in INVALID),
    *((text, " is not valid YAML: unacceptable character") for text in ("a: \x1b[31m", "\0", "a: \ufffe")),
    *((text, ", line 3: ('a'|1) occurs twice, first in line 1; keep one of them") for text in TWICE),
    (STEPS, ", line 4: 'steps' occurs twice, first in line 3"),
    *((text, " holds more than 100,000 values with its") for text in (BOMB, "a: &a [*a]\n", "a: &a {b: {c: *a}}\n")),
    ("[" * sys.getrecursionlimit(), ": YAML nested too deeply"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_cannot_be_read_names_the_file_and_the_line(text, said):
    with pytest.raises(InputFileError, match=rf"^a\.yaml{said}") as caught:
        parse_yaml(text, "a.yaml")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputFileError, match="there is no file"):
        read_yaml(tmp_path / "a.yaml")
