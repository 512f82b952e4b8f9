import pytest

from misread.errors import UnknownNameError
from misread.normalize.steps.case import fold_case, lower_ascii, lower_case


@pytest.mark.parametrize(
    ("text", "lower"),
    [("Quai d'ORSAY", "quai d'orsay"), ("ÉTÉ", "été"), ("ΟΔΟΣ", "οδος"), ("Straße", "straße"), ("", "")],
)
def test_lower_case_goes_beyond_ascii(text, lower):
    assert lower_case(text) == lower


def test_lower_ascii_leaves_all_letters_beyond_z():
    text = "".join(map(chr, range(0x24F)))
    assert lower_ascii(text) == text.encode().lower().decode()


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("IŞIK", "ışık"),
        ("İZMİR", "izmir"),
        ("I\u0307zmir", "izmir"),
        ("ıiIİ", "ıiıi"),
        ("DİYARBAKIR'da", "diyarbakır'da"),
    ],
)
def test_turkish_has_an_i_with_and_one_without_a_dot(text, folded):
    assert fold_case(text, language="tr") == fold_case(text, language="az") == folded


def test_full_folding_equates_sharp_s_and_final_sigma():
    assert fold_case("STRASSE ΟΔΟΣ") == fold_case("Straße οδος")


def test_a_language_without_rules_is_refused_with_those_that_have_them():
    with pytest.raises(UnknownNameError, match=r"unknown language of case folding 'xx'.* az, tr\."):
        fold_case("I", language="xx")
