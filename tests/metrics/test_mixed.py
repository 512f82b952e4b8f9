import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import evaluate, split_mixed
from misread.errors import InputTypeError
from misread.metrics import MixedErrorRate, ScoredText
from misread.sockets import METRICS

WESTERN = st.text("ab é\u0416\u0301 \n.", max_size=15)
CJK = st.text("漢字かなカナ、。ー々", max_size=15)
THAI = st.text("กาำิ้ไทย", max_size=15)


def counts(metric, *pairs):
    return METRICS[metric].count(ScoredText(*map(list, zip(*pairs, strict=True))))


@given(st.tuples(WESTERN, WESTERN))
def test_without_cjk_it_is_the_word_error_rate(pair):
    np.testing.assert_array_equal(counts("mixed_error_rate", pair), counts("wer", pair))


@given(st.tuples(CJK, CJK))
def test_of_cjk_alone_it_is_the_character_error_rate(pair):
    np.testing.assert_array_equal(counts("mixed_error_rate", pair), counts("cer", pair))


@given(st.tuples(THAI, THAI))
def test_of_thai_alone_it_is_the_grapheme_error_rate(pair):
    # Canonical order aside, which words do not know.
    assert counts("mixed_error_rate", pair)[0, 1] == counts("ger", pair)[0, 1]
    assert counts("mixed_error_rate", pair)[0, 0] >= counts("ger", pair)[0, 0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我用Python三年", ["我", "用", "Python", "三", "年"]),
        ("ﾊﾞｽ 12月", ["ﾊﾞ", "ｽ", "12", "月"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("ກິນເຂົ້າ now", ["ກິ", "ນ", "ເ", "ຂົ້", "າ", "now"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),
        ("မြန်မာ", ["မြ", "န်", "မ", "ာ"]),
        ("한국어 말", ["한국어", "말"]),
        ("", []),
    ],
)
def test_tokens_are_characters_graphemes_or_words(text, tokens):
    assert split_mixed(text) == tokens


def test_hangul_is_taken_apart_by_option_and_the_signature_says_so():
    assert split_mixed("한국어 a", hangul=True) == ["한", "국", "어", "a"]
    assert MixedErrorRate("m", hangul=True).signature("none") != MixedErrorRate("m").signature("none")


def test_rows_with_and_without_cjk_are_counted_each_as_they_are():
    assert counts("mixed_error_rate", ("a b", "a c"), ("漢字", "漢子"), ("a 漢字", "a漢字"))[:, :2].tolist() == [
        [1, 2],
        [1, 2],
        [0, 3],
    ]


def test_one_text_is_expected():
    with pytest.raises(InputTypeError, match="text is None"):
        split_mixed(None)


def test_the_view_has_errors_by_script_with_confusions_and_how_often_their_characters_occur():
    made = evaluate(
        ["abба", "кот, cat", "да"],
        {"s": ["abбa", "кoт, cat", "да"]},
        clusters=["x", "y", "z"],
        metrics="cer",
        seed=1,
        statistics={"resamples": 99},
    )
    view = made.view("scripts").set_index("script")
    assert view.loc["Cyrillic", ["characters", "substitutions", "insertions"]].tolist() == [7, 2, 0]
    assert view.loc["Latin", "characters"] == 5
    assert view.loc["Common", "errors"] == 0
    assert view["characters"].sum() == made.systems["s"]["cer"].counts["length"]
    (row,) = (row for row in made.lay_out_view("scripts").cells if row[1].text == "Cyrillic")
    assert row[-1].text == "а → a 1 of 2, о → o 1 of 1"


def test_an_insertion_counts_for_the_script_of_the_inserted_character():
    made = evaluate(["ab", "ab"], {"s": ["abж", "ab"]}, metrics="cer", seed=1, statistics={"resamples": 99})
    view = made.view("scripts").set_index("script")
    assert view.loc["Cyrillic", ["characters", "insertions"]].tolist() == [0, 1]
    assert np.isnan(view.loc["Cyrillic", "errors"])
