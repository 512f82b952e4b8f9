"""What a profile removes leaves nothing behind: no mark, joiner, selector or blank that a script does not write."""

import unicodedata
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from misread.metrics.mixed import split_mixed
from misread.normalize import get_normalizer

# Regimes that copy other tools, and what is for answers, are exempt.
PROFILES = ["basic", "english", "turkish", "chinese", "arabic", "nist"]
LETTERS = "abcdéz19 한글नमस्ते你好世界カナقمر"
SYMBOLS = ["❤️", "❤", "👩‍💻", "⭐️", "☂̈"]
UNSPACED = "你好世界天気東京カナひらสวัสดีพม่า"

texts = st.text(LETTERS, max_size=12)


@given(texts, texts, st.sampled_from(SYMBOLS), st.sampled_from(["basic", "english", "chinese", "arabic", "turkish"]))
@example("", "", "❤️", "basic")
def test_a_symbol_goes_with_its_marks_selectors_and_joiners(before, after, symbol, profile):
    normalize = get_normalizer(profile)
    assert normalize(f"{before} {symbol} {after}") == normalize(f"{before} {after}")


@cache
def signs():
    """Marks, signs and formats of no letters; sounds of Kana belong to the letter before."""
    characters = [chr(code) for code in range(0x20000) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    characters = [sign for sign in characters if unicodedata.category(sign)[0] in "MPSC" and sign.strip()]
    return [
        sign
        for sign in characters
        if sign not in "゛゜\u200c\u200d" and not any(map(str.isalnum, unicodedata.normalize("NFKC", sign)))
    ]


@pytest.mark.parametrize("profile", [*PROFILES, "ocr"])
@given(data=st.data())
def test_whatever_a_profile_removes_it_removes_everywhere(profile, data):
    normalize, letters = get_normalizer(profile), st.text("abcdéz한글मस你好世界カナقمر", min_size=1, max_size=6)
    before, after, removed = (data.draw(part) for part in (letters, letters, st.sampled_from(signs())))
    if normalize(removed) or (profile == "nist" and removed in "'-"):
        return
    assert normalize(f"{before} {removed} {after}") == normalize(f"{before} {after}")
    # Where a blank takes its place, the joiner before it goes, too.
    joiner = data.draw(st.sampled_from(["", "\u200c", "\u200d"])) if profile != "ocr" else ""
    together = normalize(f"{before}{joiner}{removed}{after}")
    assert together in (normalize(f"{before}{joiner}{after}"), normalize(f"{before} {after}"))


@given(texts, st.sampled_from(PROFILES))
def test_a_normalized_text_stays_as_it_is(text, profile):
    normalize = get_normalizer(profile)
    assert normalize(unicodedata.normalize("NFD", text)) == normalize(normalize(text)) == normalize(text)


@pytest.mark.parametrize("profile", ["basic", "chinese"])
@given(parts=st.lists(st.text(UNSPACED, min_size=1, max_size=4), min_size=1, max_size=5))
def test_scripts_without_spaces_have_none_where_a_mark_was(profile, parts):
    normalize = get_normalizer(profile)
    plain = normalize("".join(parts))
    for mark in "，。、！", "，", " ", ", ":
        assert normalize(mark[0].join(parts)) == plain
    assert len(normalize("，".join(parts)).split()) <= 1


@given(st.text("你好世界a1", max_size=12), st.text("你好世界，。！？、：；“”《》　 -…·％＋℃①㎡ＡaA１1ｶﾞ", max_size=12))
@example("世界℃1", "，世 界。°C①")
def test_chinese_is_counted_alike_by_both_profiles_and_metrics(reference, output):
    chinese, basic = (
        [normalize(reference), normalize(output)] for normalize in map(get_normalizer, ("chinese", "basic"))
    )
    assert chinese == basic
    if not any(character.isascii() and character.isalnum() for text in chinese for character in text):
        assert [[*text] for text in chinese] == [split_mixed(text) for text in chinese]


@pytest.mark.parametrize("mark", "'’ʼ′`＇‘´ʻꞌ‵᾽")
@pytest.mark.parametrize("profile", ["basic", "english"])
def test_every_apostrophe_is_the_same(mark, profile):
    normalize = get_normalizer(profile)
    assert normalize(f"it{mark}s Mary{mark}s") == normalize("it's Mary's")


@pytest.mark.parametrize("profile", ["basic", "english", "arabic"])
def test_a_keycap_is_its_digit(profile):
    assert get_normalizer(profile)("room 1️⃣ or 2⃣") == get_normalizer(profile)("room 1 or 2")
