import pytest

from misread.data.formats.trn import read_trn
from misread.errors import InputFileError
from misread.text.alternatives import Word, list_words


def test_trn_has_the_id_behind_the_text(write_text):
    segments = read_trn(write_text("one (two) (spk_1)\n\n;; remark\n(spk_2) \t\n"))
    assert segments.segment_id == ["spk_1", "spk_2"]
    assert segments.text == [(Word("one"), Word("(two)")), ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one (a)\ntwo\n", r"line 2: expected `TEXT \(ID\)`"),
        ("one (a)\ntwo (A)\n", r"line 2: id 'A' was taken by .*line 1"),
        ("one (a)\n{ b / c (b)\n", r"line 2: '{' is never closed"),
        ("one (a)\n" + "{ b / " * 900 + "c" + " }" * 900 + " (b)\n", "line 2: braces are nested more than 20 deep"),
    ],
)
def test_broken_trn_names_file_and_line(write_text, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_trn(write_text(text))


def test_tags_behind_words_are_no_part_of_them(write_text):
    (text,) = read_trn(write_text(r"i've;tag1 { um;tag1; / uh;;tag2 } a\;s;tag1 far (u)")).text
    assert list_words(text) == ["i've", "um", "a;s", "far"]
