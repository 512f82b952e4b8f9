import math

import pytest

from misread.errors import InputFileError
from misread.files.json_files import read_json, write_json, write_text


def test_what_was_written_is_read_again(tmp_path):
    content = {"b": [1, 2.5, None, True], "a": {"text": "漢 – é 😀"}}
    write_json(tmp_path / "x.json", content)
    assert read_json(tmp_path / "x.json") == content


def test_keys_keep_their_order(tmp_path):
    write_json(tmp_path / "x.json", {"b": 1, "a": 2})
    assert list(read_json(tmp_path / "x.json")) == ["b", "a"]


def test_same_content_gives_the_same_bytes(tmp_path):
    write_json(tmp_path / "one.json", {"a": [0.1, "é"]})
    write_json(tmp_path / "two.json", {"a": [0.1, "é"]})
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_characters_are_written_as_they_are(tmp_path):
    write_json(tmp_path / "x.json", "é漢")
    assert (tmp_path / "x.json").read_bytes() == '"é漢"\n'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_know_is_refused(tmp_path, value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "x.json", {"rate": value})


def test_refused_content_leaves_the_old_file(tmp_path):
    write_json(tmp_path / "x.json", {"rate": 0.5})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "x.json", {"rate": math.nan})
    assert read_json(tmp_path / "x.json") == {"rate": 0.5}


def test_text_keeps_its_line_ends(tmp_path):
    write_text(tmp_path / "x.txt", "unix\nwindows\r\nlast")
    assert (tmp_path / "x.txt").read_bytes() == b"unix\nwindows\r\nlast"


def test_a_missing_file_says_what_makes_it(tmp_path):
    with pytest.raises(InputFileError, match=r"x\.json is not there; run `dvc repro`"):
        read_json(tmp_path / "x.json")


def test_broken_json_names_the_line(tmp_path):
    (tmp_path / "x.json").write_text('{\n"a": 1,\n"b" 2\n}')
    with pytest.raises(InputFileError, match=r"x\.json, line 3: not valid JSON"):
        read_json(tmp_path / "x.json")


def test_another_encoding_names_the_line(tmp_path):
    (tmp_path / "x.json").write_bytes('{\n"a": "é"}'.encode("latin-1"))
    with pytest.raises(InputFileError, match=r"x\.json, line 2: byte 0xe9"):
        read_json(tmp_path / "x.json")


def test_json_nested_too_deeply_is_named(tmp_path):
    (tmp_path / "x.json").write_text("[" * 200_000)
    with pytest.raises(InputFileError, match=r"x\.json: JSON nested too deeply"):
        read_json(tmp_path / "x.json")
