import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment.kernels.pairs import PADDING
from misread.alignment.kernels.utf8 import decode_texts

# Bounds of what UTF-8 can say in one to four bytes.
EDGES = "\0 \x7f\x80\xff\u0100\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
NARROW = st.characters(max_codepoint=0xFF)
TEXTS = st.lists(st.text(max_size=150) | st.text(EDGES, max_size=80) | st.text(NARROW, max_size=150), max_size=4)


def decode(contents, dtype=np.uint32):
    data = np.frombuffer(b"".join(contents), np.uint8)
    bounds = np.cumsum([0, *map(len, contents)])
    codes = np.ones(len(data) + 2 * len(contents) + PADDING, dtype)
    spans = np.empty((len(contents), 2), np.int64)
    end = decode_texts(data, bounds, codes, spans)
    return end, codes, spans


@given(TEXTS)
def test_codes_are_those_of_the_characters_with_a_line_feed_and_a_zero_after_each_text(texts):
    end, codes, spans = decode([text.encode() for text in texts])
    assert codes[:end].tolist() == [ord(character) for text in texts for character in f"{text}\n\0"]
    assert [codes[begin:stop].tolist() for begin, stop in spans] == [[*map(ord, text)] for text in texts]


@given(st.lists(st.text(NARROW, max_size=150), max_size=4))
def test_characters_of_one_byte_fit_codes_of_one_byte(texts):
    _, codes, spans = decode([text.encode() for text in texts], np.uint8)
    assert [bytes(codes[begin:stop]).decode("latin-1") for begin, stop in spans] == texts


@given(st.lists(st.binary(max_size=90) | st.text(EDGES).map(str.encode), min_size=1, max_size=3), st.binary(max_size=2))
def test_bytes_that_are_not_utf_8_are_refused(contents, broken):
    contents = [*contents, b"x" * 70 + broken]
    try:
        expected = [content.decode() for content in contents]
    except UnicodeDecodeError:
        expected = None
    end, codes, spans = decode(contents)
    found = None if end < 0 else ["".join(map(chr, codes[begin:stop].tolist())) for begin, stop in spans]
    assert found == expected


@pytest.mark.parametrize(
    "broken", [b"\xc0\x80", b"\xed\xa0\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80"]
)
def test_characters_that_no_text_may_have_are_refused(broken):
    assert decode([b"a" + broken])[0] == -1


def test_a_character_does_not_go_on_in_the_next_text():
    assert decode([b"a\xc3", b"\xa9"])[0] == -1
