"""Short subjects: one table of texts for each step."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UnknownNameError
from misread.normalize import Normalizer
from misread.normalize.steps.unicode_forms import nfc, nfd, nfkc

TABLE = [
    ("nfc", {}, "Mu\u0308ll", "Müll"),
    ("nfkc", {}, "ﬁ ①", "fi 1"),
    ("remove_invisible", {}, "\ufeffa\u200b\u00ad\x00b\u202e", "ab"),
    ("remove_invisible", {}, "می\u200cخواهم\n", "می\u200cخواهم\n"),
    ("remove_invisible", {"joiners": True}, "می\u200cخواهم", "میخواهم"),
    ("join_lines", {}, " a \r\nb\n\nc ", " a b  c "),
    ("join_lines", {"separator": ""}, "漢\n字", "漢字"),
    ("rejoin_hyphens", {}, "Wör-\nter, Baden-\nBaden, Jah\u2e17\nre, 14-\n18", "Wörter, Baden-Baden, Jahre, 14-18"),
    ("rejoin_hyphens", {}, "Mül=\nler, Mül= \n ler, Mül\u2e40\nler, Mül¬\nler", "Müller, Müller, Müller, Müller"),
    ("rejoin_hyphens", {}, "x=\ny, x =\nyes, ab=\n5, 5=\nab, ab=\nc", "x=\ny, x =\nyes, ab=\n5, 5=\nab, ab=\nc"),
    ("rejoin_hyphens", {}, "Baden¬\nBaden, Baden=\nBaden, a=b", "Baden-Baden, Baden=\nBaden, a=b"),
    ("expand_ligatures", {}, "ﬀ ﬄ Æ \ueba7", "ff ffl Æ ſſi"),
    ("replace_long_s", {}, "Waſſer", "Wasser"),
    ("replace_letter_forms", {}, "fu\u0364r \ue72bber ꝛ ⸗", "für über r -"),
    ("straighten_quotes", {}, "‘a’ „b“ «c» l’été", "'a' \"b\" \"c\" l'été"),
    ("unify_dashes", {}, "a–b — c−d", "a-b - c-d"),
    ("remove_punctuation", {}, "a, b! (c) $5 – d", "a b c $5  d"),
    ("remove_punctuation", {"categories": ["P", "S"], "keep": "%"}, "5% $3.", "5% 3"),
    ("remove_punctuation", {"keep_in_words": "'-"}, "'it's well-known' - yes-", "it's well-known  yes"),
    ("remove_diacritics", {}, "é ñ ǖ ά हिन्दी й", "e n u α हिन्दी й"),
    ("remove_diacritics", {"scripts": ["cyrillic"]}, "é й", "é и"),
    ("remove_diacritics", {}, "x\u030c\u0301", "x"),
    ("replace_special_letters", {}, "Æsøß łđ", "AEsoss ld"),
    ("remove_arabic_marks", {}, "كِتَـــاب", "كتاب"),
    ("unify_arabic_letters", {"final_heh": True}, "مدرسة آخر", "مدرسه اخر"),
    ("remove_hebrew_marks", {}, "בְּרֵאשִׁית", "בראשית"),
    ("narrow_full_width", {}, "Ａ１！　ﾊﾟ", "A1! パ"),
    ("unify_chinese_variants", {}, "羣⼭豈", "群山豈"),
    ("latin_digits", {}, "٣ ३ ３ ²", "3 3 3 ²"),
    ("remove_fillers", {}, "Um, human uh 10 mm umm", ", human  10 mm umm"),
    ("remove_fillers", {"words": ["ben"]}, "Ben benim", " benim"),
    ("remove_bracketed", {}, "[a] b <c> (d) [e", " b  (d) [e"),
    ("unify_equivalents", {"sets": [["colour", "color"], ["per cent", "percent"]]}, "color percent", "colour per cent"),
    ("merge_compounds", {"compounds": ["foot ball"]}, "foot ball foot-ball foot balls", "football football foot balls"),
    ("spell_numbers", {"language": "en"}, "42 and 3.5, B52", "forty-two and three point five, B52"),
    ("spell_numbers", {"language": "fr"}, "3,5", "trois virgule cinq"),
    ("simplify_chinese", {}, "漢語", "汉语"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "settings", "text", "changed"), TABLE)
def test_a_step_changes_a_text_as_it_says(step, settings, text, changed):
    assert Normalizer("one", [{"step": step, **settings}])(text) == changed


@pytest.mark.parametrize(
    ("step", "settings", "message"),
    [
        ("remove_punctuation", {"categories": ["L"]}, "category 'L' is not one of"),
        ("remove_diacritics", {"scripts": ["klingon"]}, "script 'klingon' is not one of: latin,"),
        ("remove_bracketed", {"brackets": ["[["]}, r"brackets '\[\[' are not one of"),
        ("unify_equivalents", {"sets": [["a"]]}, "needs at least two words"),
        ("unify_equivalents", {"sets": [["a", "b"], ["c", "b"]]}, "'b' is in two sets"),
        ("merge_compounds", {"compounds": ["one"]}, "needs at least two parts"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(step, settings, message):
    with pytest.raises(ConfigurationError, match=f"normalizer 'one': {step}: .*{message}"):
        Normalizer("one", [{"step": step, **settings}])


@pytest.mark.parametrize("step", ["spell_numbers", "remove_fillers"])
def test_a_language_without_rules_is_refused_with_those_that_have_them(step):
    with pytest.raises(UnknownNameError, match=r"unknown language of .* 'xx'.* There are: .*fr"):
        Normalizer("one", [{"step": step, "language": "xx"}])


@given(st.text(st.sampled_from("ae\u0301\u0323\u0308\u0327가\u1100\u1161ﬁ"), max_size=80))
def test_forms_are_those_of_unicode_for_any_number_of_marks(text):
    assert nfc(text) == unicodedata.normalize("NFC", text)
    assert nfd(text) == unicodedata.normalize("NFD", text)
    assert nfkc(text) == unicodedata.normalize("NFKC", text)
