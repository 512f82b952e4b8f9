import sys
import time
import unicodedata

import pytest

from misread.normalize import PROFILES, Normalizer, get_normalizer
from misread.normalize.steps.punctuation import straighten_quotes


@pytest.mark.parametrize(
    ("profile", "text", "normalized"),
    [
        ("none", " A  b", " A  b"),
        ("whitespace", " A\n b ", "A b"),
        ("lower", " A\n B ", "a b"),
        ("lower_ascii", " Ä\n B ", "Ä b"),
        ("unfenced", "```\nx\n```", "x"),
        ("ocr", "Die Waſſer⸗\nleitung „iſt“ ﬁx, 1914–18", 'Die Wasserleitung "ist" fix, 1914-18'),
        ("basic", "Élan, vital! [noise] ½", "élan vital 1 2"),
        ("chinese", "ＡＢ１，羣⼭。", "ab1 群山"),
        ("arabic", "قَالَ: أَحْمَدُ، ٣", "قال احمد 3"),
        ("structured", 'Sure:\n```json\n{"a": 1}\n```', '{"a": 1}'),
        ("nist", "Well, [cough] it's well-known.", "well it's well-known"),
    ],
)
def test_a_profile_does_what_it_is_for(profile, text, normalized):
    assert get_normalizer(profile)(text) == normalized


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "–", "¬", "\u00ad", "⸗", "⹀", "="])
def test_ocr_joins_words_that_are_divided_by_any_hyphen(hyphen):
    assert get_normalizer("ocr")(f"die Mül{hyphen}\nlerin") == "die Müllerin"


@pytest.mark.parametrize(
    "text", ["മലയാളം ഭാഷ എളുപ്പമാണ്", "हिन्दी की किताबें", "ภาษาไทยน้ำดี", "தமிழ் மொழி", "বাংলা ভাষা", "ខ្មែរ ភាសា", "မြန်မာ စာ"]
)
def test_basic_keeps_the_words_and_marks_of_brahmic_scripts(text):
    """Whisper's basic normalizer divides these words at their vowel signs (arXiv 2409.02449)."""
    # Of these scripts, Khmer and Burmese are written without spaces between words.
    text = text.replace(" ", "") if text[0] in "ខမ" else text
    assert get_normalizer("basic")(text) == unicodedata.normalize("NFKC", text).casefold()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_takes_time_in_proportion_to_the_length(profile):
    """20,000 characters of lines of speech, against ten times as many, with room for a busy machine."""
    normalizer = get_normalizer(profile)
    text = "the 42nd of May 1999 costs $3.50 two hundred and one ÜBER İstanbul'da XX. yüzyıl 14:30 5 km "
    times = []
    for number in (200, 2000):
        start = time.process_time()
        normalizer(text * number)
        times.append(time.process_time() - start)
    assert times[1] < 40 * times[0] + 0.1


def is_lone_mark(character):
    decomposed = unicodedata.normalize("NFKD", character)
    return decomposed[0] == " " and len(decomposed) > 1 and all(map(is_mark, decomposed[1:]))


def is_mark(character):
    return unicodedata.category(character)[0] == "M"


LONE_MARKS = [*filter(is_lone_mark, map(chr, range(sys.maxunicode + 1)))]


@pytest.mark.parametrize("profile", ["arabic", "basic", "english", "chinese", "nfkc"])
def test_no_word_is_divided_at_marks_that_are_compatible_with_a_space_and_marks(profile):
    normalizer = Normalizer("nfkc", ["nfkc"]) if profile == "nfkc" else get_normalizer(profile)
    assert len(LONE_MARKS) >= 50
    signs = LONE_MARKS
    if profile in ("basic", "english"):
        signs = [mark for mark in signs if straighten_quotes(unicodedata.normalize("NFC", mark)) != "'"]
    for letter in "aبか":
        divided = [mark for mark in signs if len(normalizer(f"{letter}{mark}{letter}").split()) != 1]
        assert divided == []


def test_a_lone_mark_of_arabic_goes_as_any_other_does():
    arabic = get_normalizer("arabic")
    for mark in LONE_MARKS:
        if unicodedata.name(mark).startswith("ARABIC"):
            assert arabic(f"قا{mark}ل") == arabic("قال")
