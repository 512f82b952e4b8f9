import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import align, evaluate
from misread.features.punctuation import PunctuationMatch
from misread.features.punctuation.marked_words import take_marks
from misread.metrics import ScoredText
from misread.sockets import METRICS

PLAIN = st.lists(st.sampled_from(["a", "b", "cc"]), max_size=6).map(" ".join)


def counts(metric, reference, hypothesis):
    return METRICS[metric].count(ScoredText([reference], [hypothesis]))[0].tolist()


@given(PLAIN, PLAIN)
def test_without_punctuation_and_capitals_nothing_changes(reference, hypothesis):
    expected = counts("wer", reference, hypothesis)
    for name in ("wer_without_punctuation", "wer_without_case", "wer_without_both"):
        assert counts(name, reference, hypothesis) == expected


@pytest.mark.parametrize(
    ("metric", "errors"), [("wer", 3), ("wer_without_punctuation", 1), ("wer_without_case", 3), ("wer_without_both", 0)]
)
def test_what_does_not_count_is_no_error(metric, errors):
    assert counts(metric, "Well, it's 3.5 km.", "well it's 3.5 km ,")[0] == errors


@pytest.mark.parametrize(
    ("metric", "reference", "hypothesis", "expected"),
    [
        # A mark between letters or digits is part of its word.
        ("punctuation_f1", "don't go at 3.5!", "dont go at 35", [0, 1, 0]),
        # Marks are matched at words that are aligned without them.
        ("punctuation_f1", "yes, we can. so", "yes we can. So!", [1, 2, 2]),
        ("punctuation_f1", "a, b", "b, a", [0, 1, 1]),
        # One that stands alone belongs to the word before it.
        ("punctuation_f1", "hello , world !", "hello, world!", [2, 2, 2]),
        ("punctuation_f1", "« oui »", "«oui»", [1, 2, 2]),
        # Repeated marks are matched once each.
        ("punctuation_f1", "what?!", "what?!?", [2, 2, 3]),
        ("punctuation_f1", "...", "...", [3, 3, 3]),
        ("punctuation_f1", "", "!", [0, 0, 1]),
        # Errors of case are of words that are otherwise equal.
        ("case_error_rate", "The NATO summit, Today", "the Nato summit today x", [3, 4]),
        ("case_error_rate", "Straße", "STRASSE", [1, 1]),
        ("case_error_rate", "", "", [0, 0]),
    ],
)
def test_marks_and_case_are_counted_at_words(metric, reference, hypothesis, expected):
    assert counts(metric, reference, hypothesis) == expected


def test_precision_recall_and_f1_are_of_the_same_counts():
    texts = ScoredText(["a, b. c"], ["a, b; c;"])
    rates = {name: METRICS[f"punctuation_{name}"] for name in ("precision", "recall", "f1")}
    found = {name: float(metric.rate(metric.count(texts))[0]) for name, metric in rates.items()}
    assert found == {"precision": pytest.approx(1 / 3), "recall": 1 / 2, "f1": pytest.approx(2 / 5)}


def test_one_mark_can_be_counted_alone_and_none_is_undefined():
    comma = PunctuationMatch("commas", mark=",")
    assert comma.count(ScoredText(["a, b."], ["a, b;"])).tolist() == [[1, 1, 1]]
    assert np.isnan(comma.rate(comma.count(ScoredText(["a."], ["a."])))[0])


WORDS = st.lists(st.text("aAbBkK\u212as\u017fßäÄдДﬁ", min_size=1, max_size=4), max_size=5)


@given(WORDS, st.lists(st.sampled_from([str, str.swapcase, str.upper, str.title, "".__add__, "x".__add__]), max_size=5))
def test_case_errors_are_those_of_comparing_word_by_word(words, changes):
    read = [change(word) for word, change in zip(words, changes, strict=False)] + words[len(changes) :]
    found = align(" ".join(words).casefold(), " ".join(read).casefold(), unit="word")
    hits = [of for of in found.operations if of.kind == "hit"]
    wrong = sum(words[of.reference_position] != read[of.hypothesis_position] for of in hits)
    assert counts("case_error_rate", " ".join(words), " ".join(read)) == [wrong, len(hits)]


def test_the_view_has_every_mark_by_itself():
    made = evaluate(["a, b.", "c, d"], {"s": ["a, b", "c; d"]}, metrics="wer", seed=1, statistics={"resamples": 99})
    view = made.view("punctuation").set_index("mark")
    assert view.loc[",", ["reference", "hypothesis", "matches"]].tolist() == [2, 1, 1]
    assert view.loc[",", "recall"] == 0.5
    assert view.loc[";", "precision"] == 0


MARKED = st.text("ab.,- é\u4e00\u3002\n", max_size=12)


@given(st.lists(MARKED, max_size=4))
def test_marks_of_many_texts_are_those_of_each(texts):
    together, alone = take_marks(texts), [take_marks([text]) for text in texts]
    assert [*together.folded] == [text for each in alone for text in each.folded]
    assert together.words == [word for each in alone for word in each.words]
    assert together.marks.tolist() == [mark for each in alone for mark in each.marks.tolist()]
    before = np.cumsum([0, *(len(each.words) for each in alone)])
    expected = [start + word for start, each in zip(before, alone, strict=False) for word in each.mark_words.tolist()]
    assert together.mark_words.tolist() == expected


@pytest.mark.parametrize(
    ("text", "words", "at"),
    [
        ("a, b.", ["a", "b"], [0, 1]),
        ("— oui — non", ["∅", "oui", "non"], [0, 1]),
        (" « a », b", ["∅", "a", "b"], [0, 1, 1]),
        ("a--b 3.5", ["ab", "3.5"], [0, 0]),
        ("漢字。", ["漢字"], [0]),
        ("", [], []),
    ],
)
def test_marks_stand_at_words_or_after_them(text, words, at):
    found = take_marks(["before.", text])
    assert found.words == ["before", *words]
    assert found.mark_words.tolist() == [0, *(1 + place for place in at)]
