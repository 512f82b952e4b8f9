import pytest

from misread.data.formats.ctm import read_ctm
from misread.data.formats.marked_text import find_words_in_parentheses
from misread.data.formats.stm import read_stm
from misread.data.formats.trn import read_trn
from misread.errors import InputFileError
from misread.text.alternatives import Word


def test_words_in_parentheses_may_be_left_out_in_every_format_where_that_is_asked_for(write_text):
    optional = Word("two", optional=True)
    assert read_trn(write_text("(two) (id)\n"), optional_words=True).text[0] == (optional,)
    assert read_stm(write_text("f A ann 0 1 (two)\n"), optional_words=True)[0].text[0] == (optional,)
    assert read_ctm(write_text("f A 0 1 (two)\n"), optional_words=True)[("f", "a")][0].item == optional


@pytest.mark.parametrize("read", [read_trn, read_ctm])
@pytest.mark.parametrize("text", ["", ";; of a system that recognized nothing\n", "\n \n"])
def test_a_file_of_hypotheses_may_hold_none(write_text, read, text):
    assert not read(write_text(text))


@pytest.mark.parametrize(
    "number", ["1_0", "٣", "nan", "inf", "1e400", "1e1", "0x10", "+1", "-0", "1,5", "1\u00a0", ".", "9" * 400]
)
def test_times_are_decimal_numbers_as_tools_of_nist_write_them(write_text, number):
    with pytest.raises(InputFileError, match="line 1: begin is"):
        read_ctm(write_text(f"f A {number} 1 x\n"))
    with pytest.raises(InputFileError, match="line 1: duration is"):
        read_ctm(write_text(f"f A 1 {number} x\n"))
    with pytest.raises(InputFileError, match="line 1: begin is"):
        read_stm(write_text(f"f A ann {number} 1 x\n"))
    with pytest.raises(InputFileError, match="line 1: end is"):
        read_stm(write_text(f"f A ann 1 {number} x\n"))


def test_words_in_parentheses_are_found_in_alternatives_too(write_text):
    for optional_words in (False, True):
        content = write_text("(a) { (b) / { c / (d) } } () e(f) (u)\n")
        (text,) = read_trn(content, optional_words=optional_words).text
        assert len(find_words_in_parentheses(text)) == 3
