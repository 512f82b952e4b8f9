import os
import re
import threading
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from misread.errors import InputFileError, UnknownNameError
from misread.io import text as text_module
from misread.io.text import join_lines, read_text, split_lines


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


SEPARATORS = ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\x1d", "\x1e", "\r"]
LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])))


@given(LINES, st.sampled_from(["\n", "\r\n"]))
@example([f"one{character}still one" for character in SEPARATORS], "\n")
def test_lines_that_were_written_are_the_lines_that_are_read(lines, end):
    assert split_lines("".join(line + end for line in lines)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "one\r\ntwo\rthree\n\u2028 four\x00 é e\u0301\ufeff",
        *("one\0two\n", "\0", "a\nb\n\0\n\0", "漢\0字"),
        # Nearly as other files begin.
        *("PK machine guns", "%PDF is a format", "II* two stars", "PAR 1"),
    ],
)
def test_reading_changes_no_character(tmp_path, text):
    (tmp_path / "x.txt").write_bytes(text.encode())
    assert read_text(tmp_path / "x.txt") == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"one\r\ntwo\nthr\xffee\nfour\n",
            r"line 3: byte 0xff is not valid UTF-8; name .*\(encoding\), or .*`iconv -f .*",
        ),
        ("one\nzwei é".encode()[:-1], "line 2: byte 0xc3.*"),
    ],
)
def test_an_invalid_byte_names_its_line(tmp_path, content, message):
    (tmp_path / "x.txt").write_bytes(content)
    with pytest.raises(InputFileError, match=rf"x\.txt, {message} > x\.utf8\.txt`"):
        read_text(tmp_path / "x.txt")
    (tmp_path / "x.txt").write_bytes(b"\0" + content)
    with pytest.raises(InputFileError, match="is binary, not text"):
        read_text(tmp_path / "x.txt")


def test_a_named_encoding_is_used_and_an_unknown_one_named(tmp_path):
    (tmp_path / "x.txt").write_bytes("Straße".encode("latin-1"))
    assert read_text(tmp_path / "x.txt", encoding="latin-1") == "Straße"
    with pytest.raises(UnknownNameError, match=r"unknown encoding 'utf-80' in encoding\. Did you mean 'utf-8'"):
        read_text(tmp_path / "x.txt", encoding="utf-80")


def test_a_missing_file_and_a_folder_in_its_place_are_named(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*absent\.txt"):
        read_text(tmp_path / "absent.txt")
    with pytest.raises(InputFileError, match="cannot be read: Is a directory"):
        read_text(tmp_path)


def test_lines_of_a_whole_text_end_alike_whatever_system_wrote_it():
    assert join_lines("one\r\n\r\nthree\rstill three\r\n") == "one\n\nthree\rstill three"
    assert join_lines("one\n\nthree\rstill three") == "one\n\nthree\rstill three"


# Byte order marks, and encodings that are not UTF-8


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_byte_order_mark_tells_the_encoding_and_is_not_text(tmp_path, encoding):
    mark = "" if encoding in ("utf-8-sig", "utf-16", "utf-32") else "\ufeff"
    (tmp_path / "x.txt").write_bytes(f"{mark}é 漢\n\ufeffsecond".encode(encoding))
    assert read_text(tmp_path / "x.txt") == "é 漢\n\ufeffsecond"


@pytest.mark.parametrize("text", ["the quick fox\n", "Привет, мир\n", "हिन्दी में\n", "שלום עולם\n", "x\n"])
@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
def test_a_wide_encoding_without_a_mark_is_named_with_the_way_out(tmp_path, text, encoding):
    (tmp_path / "x.txt").write_bytes(text.encode(encoding))
    with pytest.raises(InputFileError, match=rf"x\.txt is not UTF-8 but seems to be {encoding} .*`iconv -f {encoding}"):
        read_text(tmp_path / "x.txt")


def test_the_line_of_a_broken_character_is_counted_in_the_encoding_of_the_file(tmp_path):
    # U+0A0A has two bytes that are line feeds elsewhere; half of a surrogate pair is on the second line.
    (tmp_path / "x.txt").write_bytes("\ufeff\u0a0a\u0a0a\n".encode("utf-16-le") + b"\x00\xd8a\x00")
    with pytest.raises(InputFileError, match=r"x\.txt, line 2: "):
        read_text(tmp_path / "x.txt")


# Pipes and devices


def test_a_pipe_is_read_to_its_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[b"one\ntwo\n"])
    writer.start()
    assert read_text(tmp_path / "pipe") == "one\ntwo\n"
    writer.join()


def test_a_device_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(text_module, "MOST_STREAM_BYTES", 1000)
    with pytest.raises(InputFileError, match=r"/dev/zero is not a regular file and gives more than 1,000 bytes"):
        read_text(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "a PNG image, not text; give the text that was read of it"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"II*\0\x08", "a TIFF image"),
        (b"%PDF-1.7\n", "a PDF document, not text; take the text out of it first"),
        (b"PK\x03\x04\x14\0", "an archive, as DOCX and ODT are, not text"),
        (b"\x1f\x8b\x08\0", "compressed by gzip, not text; unpack it first"),
        (b"PAR1\x15", "a Parquet file, not text; call it .parquet"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_what_is_not_text_is_named_and_no_encoding_is_blamed(tmp_path, begin, said, encoding):
    (tmp_path / "a.txt").write_bytes(begin + bytes(range(256)))
    with pytest.raises(InputFileError, match=rf"a\.txt is {re.escape(said)}"):
        read_text(tmp_path / "a.txt", encoding=encoding)
