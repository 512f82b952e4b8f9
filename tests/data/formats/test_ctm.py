import pytest

from misread.data.formats.ctm import read_ctm
from misread.errors import InputFileError
from misread.text.alternatives import NO_WORD, Choice, Word

CTM = r"""f A 0.0 0.2 hello;tag 0.9
f A * * <ALT_BEGIN>
f A 0.5 0.2 um
f A * * <ALT>
f A 2.0 0.2 a\;b
f A * * <ALT_END>
f A 2.4 0.2 three
F a 9 1 last NA
"""


def test_ctm_has_words_by_channel_and_alternatives_at_their_latest_middle(write_text):
    words = read_ctm(write_text(CTM))[("f", "a")]
    assert [word.item for word in words] == [
        Word("hello"),
        Choice(((Word("um"),), (Word("a;b"),))),
        Word("three"),
        Word("last"),
    ]
    assert [word.middle for word in words] == [0.1, 2.1, 2.5, 9.5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f A 0.0 0.2\n", "line 1: 4 fields, expected FILE CHANNEL BEGIN DURATION WORD"),
        ("f A 0.0 -1 x\n", "line 1: duration is '-1', expected seconds from 0"),
        ("f A 0.0 1 x high\n", "line 1: confidence is 'high'"),
        ("f A 0.0 1 x nan\n", "line 1: confidence is 'nan'"),
        ("f A 0.0 1 two words here\n", "line 1: confidence is 'words'"),
        ("f A 2 1 x\nf A 1 1 y\n", "line 2: begins at 1, before the one above"),
        ("f A * * <ALT>\n", "line 1: <ALT> where"),
        ("f A * * <ALT_BEGIN>\nf A 1 1 x\n", "without <ALT_END>"),
        ("f A * * <ALT_BEGIN>\nf A * * <ALT_END>\n", "line 2: <ALT_END> after no word"),
    ],
)
def test_broken_ctm_names_file_and_line(write_text, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_ctm(write_text(text))


@pytest.mark.parametrize("confidence", ["0.9", "-12.384530", "1e-05", "NA", "1"])
def test_confidences_are_read_over(write_text, confidence):
    (word,) = read_ctm(write_text(f"f A .5 1. x {confidence}\n"))[("f", "a")]
    assert (word.item, word.middle) == (Word("x"), 1.0)


def test_an_at_sign_in_ctm_is_no_word(write_text):
    assert [word.item for word in read_ctm(write_text("f A 0 1 x\nf A 1 1 @\n"))[("f", "a")]] == [Word("x"), NO_WORD]
