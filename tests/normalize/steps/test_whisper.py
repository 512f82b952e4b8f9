import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import InputTextError
from misread.normalize.steps.whisper import whisper_basic, whisper_english

basic = pytest.importorskip("whisper_normalizer.basic").BasicTextNormalizer()
english = pytest.importorskip("whisper_normalizer.english").EnglishTextNormalizer()
PARTS = st.sampled_from([*"ab1I<>[]()'.,$% \n\u0301é", "mr ", "'s", "one ", "twenty ", "can't", "st", "  ", "hm "])


@given(st.lists(PARTS, max_size=25).map("".join))
def test_results_are_those_of_the_package(text):
    assert whisper_english(text) == english(text)
    assert whisper_basic(text) == basic(text)


def test_a_heap_of_marks_is_the_same_text_in_another_order():
    text = "a" + "\u0323\u0301" * 20
    assert (whisper_english(text), whisper_basic(text)) == (english(text), basic(text))


def test_a_number_without_end_is_named():
    with pytest.raises(InputTextError, match=r"a text of 100,000 characters that begins with '11111111111111111111'"):
        whisper_english("1" * 100_000)
