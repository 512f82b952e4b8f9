import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import TextPairs
from misread.normalize import PROFILES, Normalizer, get_normalizer, lint
from misread.normalize.linter import LintSettings, ScriptChange

# Whisper's basic normalizer puts a space in the place of every mark, sign and punctuation (arXiv 2409.02449).
WHISPER_BASIC = Normalizer(
    "whisper_basic",
    ["lower_case", "nfkc", {"step": "replace_pattern", "pattern": r"[\p{M}\p{S}\p{P}]", "replacement": " "}],
)
BRAHMIC = {"Devanagari": "हिन्दी की किताबें", "Malayalam": "മലയാളം ഭാഷ എളുപ്പമാണ്", "Thai": "น้ำดี ที่นี่ ปู่"}


def rules(normalizer, references, hypotheses=(), settings=None):
    hypotheses = [*hypotheses] or [None] * len(references)
    return [finding.rule for finding in lint(normalizer, TextPairs(references, hypotheses), settings).findings]


def test_letters_and_words_of_all_texts_are_counted():
    texts = TextPairs(["aab bb", "a 1", "B12 5th"], ["δε", None, None])
    assert lint(Normalizer("lower", ["lower_case"]), texts).scripts == {
        "GREEK": ScriptChange((1, 1), (2, 2)),
        "LATIN": ScriptChange((5, 5), (9, 9)),
    }


@given(st.lists(st.sampled_from(["hello", "world", "12", "3rd", "A4", "$5", "x."]), min_size=1))
def test_a_number_anywhere_in_a_text_takes_no_word_out_of_the_count(words):
    (change, *_) = lint(get_normalizer("whitespace"), TextPairs([" ".join(["hello", *words])], [None])).scripts.values()
    assert change.words == (1 + sum(any(map(str.isalpha, word)) for word in words),) * 2


def test_words_that_are_lost_or_divided_beside_numbers_are_named():
    apart = Normalizer("apart", [{"step": "replace_pattern", "pattern": "-", "replacement": " "}])
    assert rules(apart, ["a-b-c in 1942"]) == ["words"]
    joins = Normalizer("joined", [{"step": "replace_pattern", "pattern": " "}])
    assert rules(joins, ["one two three in 1942"]) == ["words"]


@pytest.mark.parametrize("script", BRAHMIC)
def test_a_normalizer_that_divides_words_at_vowel_signs_is_named(script):
    result = lint(WHISPER_BASIC, TextPairs([BRAHMIC[script]], [None]))
    named = {finding.rule: finding for finding in result.findings}
    assert f"in the script {script}" in named["words"].sentence
    assert f"of the script {script}" in named["letters"].sentence
    assert named["words"].examples == ((BRAHMIC[script], WHISPER_BASIC(BRAHMIC[script])),)


@pytest.mark.parametrize("text", ["בְּרֵאשִׁית בָּרָא", "ܒ݁ܪܹܝܫܝܼܬ ܒ݁ܪܵܐ", "अ॒ग्निमी॑ळे पु॒रोहि॑तं", *BRAHMIC.values(), "ភាសាខ្មែរ", "ދިވެހި"])
def test_marks_are_lost_where_a_script_needs_them(text):
    dropped = Normalizer("dropped", [{"step": "replace_pattern", "pattern": r"\p{M}"}])
    assert ("letters" in rules(dropped, [text])) == (unicodedata.name(text[0]).split()[0] not in {"HEBREW", "SYRIAC"})


@pytest.mark.parametrize("script", BRAHMIC)
def test_the_rule_of_these_tests_is_that_of_whisper(script):
    whisper = pytest.importorskip("whisper_normalizer.basic").BasicTextNormalizer()
    assert whisper(BRAHMIC[script]).split() == WHISPER_BASIC(BRAHMIC[script]).split()


def test_a_ratio_at_the_limit_is_not_named_and_one_above_it_is():
    apart = Normalizer("apart", [{"step": "replace_pattern", "pattern": "-", "replacement": " "}])
    assert rules(apart, ["a-b c"], settings=LintSettings(words_ratio=1.5)) == []
    assert rules(apart, ["a-b c"], settings=LintSettings(words_ratio=1.49)) == ["words"]


@pytest.mark.parametrize(
    ("profile", "text"),
    [
        ("basic", "ｱｲｳ ｶﾅ ｷ"),
        ("basic", "Straße ﬁne ２３ naïve"),
        ("chinese", "羣 峯 裡 Ａ１"),
        ("english", "Søren’s façade"),
        ("arabic", "أحمد إلى آمنة على مدرسة"),
        ("arabic", "بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ الحمـــد ﺏﹶﺕﹸ"),
        ("nist", unicodedata.normalize("NFD", "한국어 கொடுத்தோம் Tiếng")),
        ("ocr", "Preuſſen œuvre aͤhnlich ꝛ"),
        ("turkish", "kâr âlem"),
        ("turkish", "1942 ve 1999 yılında 15.000 kişi"),
    ],
)
def test_letters_and_numbers_that_are_exchanged_for_equivalent_ones_are_not_named(profile, text):
    assert rules(get_normalizer(profile), [text]) == []


def test_references_that_become_empty_are_named():
    drops = Normalizer("drops", [{"step": "replace_pattern", "pattern": r"\p{L}"}])
    assert "empty" in rules(drops, ["word", "12"])
    assert "empty" not in rules(get_normalizer("basic"), ["...", " "])


def test_what_is_not_idempotent_is_named():
    halves = Normalizer("halves", [{"step": "replace_pattern", "pattern": "aa", "replacement": "a"}])
    [finding] = [each for each in lint(halves, TextPairs(["xyz aaaa"], ["xyz"])).findings if each.rule == "idempotence"]
    assert finding.sentence == "is not idempotent: 1 of its results change when they are normalized again"
    assert finding.examples == (("xyz aa", "xyz a"),)


def test_steps_of_one_side_are_named():
    one_sided = Normalizer("one", [{"step": "extract_json", "side": "hypotheses"}])
    assert rules(one_sided, ['a {"b": 1}'], ['{"b": 1}']) == ["sides"]


def test_a_dotted_i_that_falls_apart_is_named():
    assert rules(get_normalizer("lower"), ["İzmir"]) == ["turkish"]
    assert rules(get_normalizer("turkish"), ["İzmir"]) == []


@pytest.mark.parametrize("profile", sorted(PROFILES.keys() - {"unfenced", "structured"}))
@given(texts=st.lists(st.text(st.sampled_from("abcdefgh .,!"), min_size=1), min_size=1, max_size=5))
def test_profiles_lose_no_plain_letters_and_are_idempotent(profile, texts):
    assert not {"letters", "idempotence", "sides"} & {*rules(get_normalizer(profile), texts)}
