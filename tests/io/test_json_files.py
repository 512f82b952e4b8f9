import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import InputFileError
from misread.io.json_files import (
    RepeatedKeyError,
    decode_json,
    read_json,
    read_record,
    split_object,
    write_json,
    write_text,
)


def test_what_was_written_is_read_again_in_order_and_has_its_characters(tmp_path):
    content = {"b": [1, 2.5, None, True], "a": {"text": "漢 – é 😀"}}
    for name in ("one.json", "two.json"):
        write_json(tmp_path / name, content)
    assert list(read_json(tmp_path / "one.json").items()) == list(content.items())
    assert "漢 – é 😀".encode() in (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_know_is_refused_and_leaves_the_old_file(tmp_path, value):
    write_json(tmp_path / "x.json", {"rate": 0.5})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "x.json", {"rate": value})
    assert read_json(tmp_path / "x.json") == {"rate": 0.5}


def test_text_keeps_its_line_ends(tmp_path):
    write_text(tmp_path / "x.txt", "unix\nwindows\r\nlast")
    assert (tmp_path / "x.txt").read_bytes() == b"unix\nwindows\r\nlast"


def test_a_missing_file_says_what_makes_it(tmp_path):
    with pytest.raises(InputFileError, match=r"x\.json is not there; run `dvc repro`"):
        read_json(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"a" 1}', r", line 1: not valid JSON \(Expecting ':' delimiter, column 6\)"),
        (b'{"a": 1, "a": 2}', r": 'a' occurs twice in one object"),
        (b"\xe9", r", line 1: byte 0xe9 is not valid UTF-8"),
        (b'{\n"a": 1,\n"b" 2\n}', r", line 3: not valid JSON \(.*\)"),
        (b'{\n"a": "\xe9"}', ", line 2: byte 0xe9 is not valid UTF-8"),
    ],
)
def test_a_record_that_is_damaged_has_its_reason_and_one_advice_whatever_its_path(tmp_path, content, reason):
    path = tmp_path / "one; two.json"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=rf"^{path}{reason}; run `dvc repro` to write it again\.$"):
        read_record(path, dict, kind="comparison")
    with pytest.raises(InputFileError, match=f"^{path}{reason}"):
        read_json(path)


# What people write


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', r"line 7: 'c' occurs twice in one object"),
        ('{"a": NaN}', "line 7: NaN is not valid JSON; write null"),
        ("[-Infinity]", "line 7: -Infinity is not valid JSON"),
        ('{"a" 1}', r"line 7: not valid JSON \(.*, column 6\)"),
        ("[" * 100_000, "line 7: JSON nested too deeply"),
        ('{"a":' * 100_000, "line 7: JSON nested too deeply"),
        ("1" * 5_000, "line 7: JSON that cannot be read"),
        (r'["\ud83d"]', "line 7: a text holds half of a surrogate pair"),
        (r'{"\uDE00\ud83d": 1}', "line 7: a text holds half of a surrogate pair"),
    ],
)
def test_a_line_that_says_nothing_for_certain_is_refused(text, message):
    with pytest.raises(InputFileError, match=rf"x\.jsonl, {message}"):
        decode_json(text, Path("x.jsonl"), line=7)


def test_names_may_occur_again_in_other_objects_and_pairs_of_escapes_are_characters():
    values = decode_json(r'[{"a": "\ud83d\ude00"}, {"a": {"a": "\\ud83d"}}]', Path("x"))
    assert values == [{"a": "😀"}, {"a": {"a": r"\ud83d"}}]


@pytest.mark.slow
@given(st.text(" \t\r\n", max_size=3), st.recursive(st.none() | st.text() | st.integers(), st.lists), st.data())
def test_white_space_around_a_value_and_nothing_else_is_passed_over(space, value, data):
    text = f"{space}{json.dumps(value)}"
    assert decode_json(f"{text}{space}", Path("x")) == value
    strange = data.draw(st.sampled_from([" 1", "]", "\x0b", "\xa0", " x"]))
    with pytest.raises(InputFileError, match="not valid JSON"):
        decode_json(f"[{text}]{strange}", Path("x"))


NAMES = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | NAMES,
    lambda values: st.lists(values) | st.dictionaries(NAMES, values),
    max_leaves=8,
)


@given(st.dictionaries(NAMES | st.sampled_from("abc"), ANYTHING), st.sampled_from([None, 0, 3]), st.data())
def test_parts_of_an_object_are_its_values_as_they_are_written(content, indent, data):
    written = json.dumps(content, indent=indent, ensure_ascii=data.draw(st.booleans()))
    names, within = data.draw(st.sampled_from([[], ["a"], [*content]])), data.draw(st.sampled_from([None, *content]))
    parts = split_object(written.encode(), "a", names=names, within=within)
    levels = [(parts, content)]
    if isinstance(content.get(within), dict):
        levels.append((parts.pop(within), content.pop(within)))
    for split, values in levels:
        assert {name: decode_json(str(part, "utf-8"), "a") for name, part in split.items()} == values


@pytest.mark.parametrize("names", ["", "abc"])
@pytest.mark.parametrize(
    "content", ['{"a": 1, "a": 1}', '{"b": [1], "a" : {}, "b": [2]}', '{"":1,"":0,"":2}', '{"c": {"a": 1, "a": 1}}']
)
def test_an_object_with_a_name_twice_has_no_parts(content, names):
    with pytest.raises(RepeatedKeyError, match="occurs twice"):
        split_object(content.encode(), "a", names=names, within="c")


@pytest.mark.parametrize("content", ["[1]", "1", "", "{", '{"a": NaN}', '{"a": 1} 2', '{"a": ' + "[" * 10_000])
def test_what_is_no_object_or_only_one_for_some_has_no_parts(content):
    with pytest.raises(ValueError):  # noqa: PT011 - each parser has its own words
        split_object(content.encode(), "a")
