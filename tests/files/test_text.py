import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import InputFileError
from misread.files.text import read_text, split_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\ntwo", ["one", "two"]),
        ("one\n\nthree\n", ["one", "", "three"]),
        ("\none\n", ["", "one"]),
        ("one\n\n", ["one", ""]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\r\n\r\nthree", ["one", "", "three"]),
        ("unix\nwindows\r\nlast", ["unix", "windows", "last"]),
        ("  kept \t\n", ["  kept \t"]),
    ],
)
def test_a_line_ends_at_a_line_feed_and_the_last_one_opens_no_further_line(text, lines):
    assert split_lines(text) == lines


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\x1d", "\x1e"])
def test_other_separators_are_characters_of_the_text(character):
    assert split_lines(f"one{character}still one\n") == [f"one{character}still one"]


def test_a_carriage_return_inside_a_line_is_a_character_of_it():
    assert split_lines("one\rstill one\n") == ["one\rstill one"]


@given(st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))))
def test_lines_that_were_written_are_the_lines_that_are_read(lines):
    assert split_lines("".join(line + "\n" for line in lines)) == lines


@given(st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))))
def test_windows_line_ends_give_the_same_lines(lines):
    assert split_lines("".join(line + "\r\n" for line in lines)) == lines


def test_reading_changes_no_character(tmp_path):
    text = "\ufeffone\r\ntwo\rthree\n\u2028 four\x00 é e\u0301\ufeff"
    (tmp_path / "x.txt").write_bytes(text.encode())
    assert read_text(tmp_path / "x.txt") == text


def test_a_lone_invalid_byte_names_its_line(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"one\r\ntwo\nthr\xffee\nfour\n")
    with pytest.raises(InputFileError, match=r"x\.txt, line 3: byte 0xff is no utf-8"):
        read_text(tmp_path / "x.txt")


def test_a_character_cut_in_half_at_the_end_names_the_last_line(tmp_path):
    (tmp_path / "x.txt").write_bytes("one\nzwei é".encode()[:-1])
    with pytest.raises(InputFileError, match=r"x\.txt, line 2: byte 0xc3"):
        read_text(tmp_path / "x.txt")


def test_a_named_encoding_is_used(tmp_path):
    (tmp_path / "x.txt").write_bytes("Straße".encode("latin-1"))
    assert read_text(tmp_path / "x.txt", encoding="latin-1") == "Straße"


def test_an_unknown_encoding_is_named(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"one")
    with pytest.raises(InputFileError, match="there is no encoding 'utf-80'"):
        read_text(tmp_path / "x.txt", encoding="utf-80")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*absent\.txt"):
        read_text(tmp_path / "absent.txt")


def test_a_folder_in_place_of_a_file_is_named(tmp_path):
    with pytest.raises(InputFileError, match="cannot be read: Is a directory"):
        read_text(tmp_path)
