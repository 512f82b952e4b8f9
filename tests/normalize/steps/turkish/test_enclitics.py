"""Words that Turkish writes apart or as suffixes; forms are those of dictionaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.normalize.steps.turkish.enclitics import join_turkish_enclitics


@pytest.mark.parametrize(
    ("apart", "joined"),
    [
        ("araba ile", "arabayla"),
        ("tren ile", "trenle"),
        ("okul ile", "okulla"),
        ("göz ile", "gözle"),
        ("kedi ile", "kediyle"),
        ("Ali İLE Veli", "Aliyle Veli"),
        ("IŞIK İLE", "IŞIKla"),
        ("kâtip ile", "kâtiple"),
        ("saat ile", "saatle"),
        ("saati ile", "saatiyle"),
        ("evde ise", "evdeyse"),
        ("yoksul ise", "yoksulsa"),
        ("güzel  ise.", "güzelse."),
        ("çocuk iken", "çocukken"),
        ("okur iken", "okurken"),
        ("hasta iken", "hastayken"),
    ],
)
def test_a_word_that_is_written_apart_becomes_the_suffix_that_is_said(apart, joined):
    assert join_turkish_enclitics(apart) == joined
    assert join_turkish_enclitics(joined) == joined


@pytest.mark.parametrize(
    "text", ["ile", "5 ile 6", "kalem, ile", "kalem\nile", "silen ilen", "kalem ilede", "ev iseler", "km ile"]
)
def test_without_a_word_before_it_or_as_part_of_another_it_stays(text):
    assert join_turkish_enclitics(text) == text


@given(st.text("abeı iİlsknm.\n'", max_size=30))
def test_only_white_space_and_these_words_change(text):
    kept = [text.replace(" ", "") for text in (text, join_turkish_enclitics(text))]
    assert len(kept[1]) <= len(kept[0])
    assert "\n" not in text or kept[1].count("\n") == kept[0].count("\n")
    if not any(word in text.replace("İ", "i") for word in ("ile", "ise", "iken")):
        assert kept[0] == kept[1]
