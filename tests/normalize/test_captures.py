from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextFacts, TextPairs
from misread.errors import ConfigurationError, InputTextError, UnknownNameError
from misread.normalize import Normalizer, NormalizerByColumn, get_normalizer, normalize


def capture(references, hypotheses, languages=None, alternatives=""):
    ids = [f"s{number}" for number in range(1, len(references) + 1)]
    groups = {"language": languages} if languages else {}
    origin = Origin("speech", "asr", facts=TextFacts(alternatives=alternatives))
    return Capture(origin, SegmentKeys(ids, None, groups), TextPairs(references, hypotheses), [None] * len(ids))


BY_LANGUAGE = NormalizerByColumn("by_language", column="language", profiles={"tr": "turkish", "en": "english"})


def test_a_column_chooses_the_profile_of_every_segment():
    texts = normalize(capture(["IŞIK 2", "Two I's", "İki"], ["a", None, "B b"], ["tr", "en", "tr"]), BY_LANGUAGE)
    assert texts.normalized == TextPairs(["ışık iki", "2 i is", "iki"], ["a", None, "b b"])
    assert texts.normalized_lines.references == ["ışık iki\n", "2 i is\n", "iki\n"]
    assert texts.normalizer == BY_LANGUAGE.signature


def test_a_label_without_a_profile_is_named_unless_there_is_a_default():
    texts = capture(["A"], ["a"], ["fr"])
    with pytest.raises(ConfigurationError, match=r"no profile for language 'fr'; there are those for en, tr"):
        normalize(texts, BY_LANGUAGE)
    with_default = NormalizerByColumn("x", column="language", profiles={"tr": "turkish"}, default="lower")
    assert normalize(texts, with_default).normalized.references == ["a"]


def test_a_column_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(UnknownNameError, match=r"unknown group column 'language'"):
        normalize(capture(["A"], ["a"]), BY_LANGUAGE)


def test_an_unknown_profile_is_refused_before_any_work():
    with pytest.raises(UnknownNameError, match="unknown normalizer 'turkısh'"):
        NormalizerByColumn("x", column="language", profiles={"tr": "turkısh"})


def test_the_signature_has_every_profile_and_label():
    others = [
        NormalizerByColumn("by_language", column="language", profiles={"tr": "turkish", "en": "lower"}),
        NormalizerByColumn("by_language", column="language", profiles={"tr": "turkish"}, default="english"),
        NormalizerByColumn("by_language", column="lang", profiles={"tr": "turkish", "en": "english"}),
    ]
    assert len({BY_LANGUAGE.signature, *(other.signature for other in others)}) == 4


@pytest.mark.parametrize(
    ("references", "hypotheses", "named"),
    [(["a", "b\ud800"], ["a", "b"], "reference of segment 's2'"), (["a"], ["\udfff"], "hypothesis of segment 's1'")],
)
def test_half_of_a_surrogate_pair_is_named_with_its_segment(references, hypotheses, named):
    with pytest.raises(InputTextError, match=rf"{named} \(data set 'speech'\) has half of a surrogate pair"):
        normalize(capture(references, hypotheses), get_normalizer("lower"))


def test_a_step_of_one_side_leaves_the_other_alone():
    chosen = Normalizer("one", [{"step": "extract_json", "side": "hypotheses"}])
    texts = normalize(capture(['so {"a": 1}'], ['so {"a": 1}']), chosen)
    assert texts.normalized == TextPairs(['so {"a": 1}'], ['{"a": 1}'])


def test_what_the_linter_names_becomes_a_doubt():
    texts = normalize(capture(["İzmir"] * 500, ["x"] * 500), get_normalizer("lower"))
    [doubt] = texts.origin.facts.doubts
    assert doubt.sentence.startswith("Normalizer 'lower' writes the Turkish letter İ as two characters")
    assert doubt.sentence.endswith("(167 references looked at).")
    assert normalize(capture(["İzmir"], ["x"]), get_normalizer("turkish")).origin.facts.sentences == ()


def test_what_only_hypotheses_show_is_named_with_their_system():
    texts = normalize(capture(["plain words"] * 3, ["İzmir", None, "abc"]), get_normalizer("lower"))
    [doubt] = texts.origin.facts.doubts
    assert doubt.sentence.endswith("(2 hypotheses of asr looked at).")
    drops = Normalizer("drops", [{"step": "replace_pattern", "pattern": "[a-z]"}])
    doubts = normalize(capture(["KEPT"], ["all lower"]), drops).origin.facts.doubts
    (emptied,) = [doubt for doubt in doubts if "empties 1 hypothesis" in doubt.sentence]
    assert "empties 1 hypothesis, such as 'all lower' to ''" in emptied.sentence
    assert emptied.brief == emptied.sentence.replace(", such as 'all lower' to ''", "")
    assert not emptied.is_caution


def carried(name, text, entries, normalizer="english"):
    sides = ([text], ["x"]) if name == "entities" else (["x"], [text])
    annotated = replace(capture(*sides), annotations={name: [entries]})
    return normalize(annotated, get_normalizer(normalizer)).annotations[name][0]


def test_labels_follow_the_raw_words_through_words_that_are_joined_split_and_dropped():
    text = "Um, Mr. Smith won't pay twenty five dollars"
    labels = [["FILLER"], ["TITLE"], ["PERSON"], [], [], ["MONEY"], ["MONEY"], ["CURRENCY", "MONEY"]]
    assert get_normalizer("english")(text) == "mister smith will not pay $25"
    assert carried("entities", text, labels) == [["TITLE"], ["PERSON"], [], [], [], ["MONEY", "CURRENCY"]]


def test_a_word_made_of_several_has_no_confidence_and_as_many_words_by_chance_are_not_those_that_were():
    assert carried("confidence", "um don't", [0.1, 0.9]) == [0.9, 0.9]
    assert carried("confidence", "twenty five", [0.1, 0.9]) == [0.1, 0.9]
    assert carried("confidence", "a", [0.1, 0.9]) == [0.1, 0.9]


@given(
    st.lists(
        st.sampled_from(["um", "Dr.", "don't", "twenty", "five", "dollars,", "$5", "Colour", "(x)", "-"]), max_size=9
    ),
    st.sampled_from(["english", "basic", "lower", "ocr"]),
)
def test_every_normalized_word_has_the_labels_of_words_in_their_order(words, name):
    # Words that are unlike all others keep their own labels.
    text = " ".join(f"{word} q{chr(97 + number) * 3}" for number, word in enumerate(words))
    labels = [[f"{number}"] for number in range(2 * len(words))]
    normalized = get_normalizer(name)(text).split()
    followed = carried("entities", text, labels, name)
    assert len(followed) == len(normalized)
    known = {f"q{chr(97 + number) * 3}": [f"{2 * number + 1}"] for number in range(len(words))}
    assert [of_word for word, of_word in zip(normalized, followed, strict=True) if word in known] == [*known.values()]
    sources = [[*map(int, of_word)] for of_word in followed if of_word]
    assert all(sooner == later or max(sooner) <= min(later) for sooner, later in pairwise(sources))
