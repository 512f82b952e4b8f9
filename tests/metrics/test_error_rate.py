from __future__ import annotations

import json
import math
import unicodedata

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import misread
from misread.errors import InputTypeError, UndefinedResultError, UnknownNameError
from misread.metrics import Direction, ErrorRate, ScoredText, summarize
from misread.metrics.edit import normalized_edit_distance
from misread.metrics.rates import cer, mer, wer, wil, wip
from misread.sockets import METRICS
from misread.text.words import WHITE_SPACE

KINDS = ("hits", "substitutions", "deletions", "insertions")
TEXTS = st.text(alphabet="ab é\u0301\n", max_size=8)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6)
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "cümlesi"]), min_size=1, max_size=6).map(" ".join)


def count(metric, pairs):
    references, hypotheses = zip(*pairs, strict=True)
    return METRICS[metric].count(ScoredText(references, hypotheses))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "length"),
    [
        ("The quick brown fox", "The quich brown fax", 2, 19),
        ("hello world", "helo wrold", 3, 11),
        ("otomatik konuşma tanıma", "otomotik konuşma tanımla", 2, 23),
        ("abc", "abc", 0, 3),
        ("abc", "", 3, 3),
        ("a", "abc", 2, 1),
    ],
)
def test_the_character_error_rate_of_worked_examples(reference, hypothesis, errors, length):
    assert cer(reference, hypothesis) == errors / length


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "length"),
    [
        ("the quick fox", "the fast fox", 1, 3),
        ("bu bir test cümlesidir", "bu bir test cümlesi", 1, 4),
        ("one two", "one and two", 1, 2),
        ("one two three", "one three", 1, 3),
        ("  one\ttwo\n", "one two", 0, 2),
    ],
)
def test_the_word_error_rate_of_worked_examples(reference, hypothesis, errors, length):
    assert wer(reference, hypothesis) == errors / length


@pytest.mark.parametrize("rate", [cer, wer])
@pytest.mark.parametrize(
    ("rule", "with_text", "without_text"), [("max1", 2.0, 0.0), ("one", 1.0, 0.0), ("inf", math.inf, 0.0)]
)
def test_an_empty_reference_has_the_value_of_the_rule(rate, rule, with_text, without_text):
    text = "ab" if rate is cer else "a b"
    assert (rate("", text, empty_reference=rule), rate("", "", empty_reference=rule)) == (with_text, without_text)


@pytest.mark.parametrize("hypothesis", ["", "ab"])
def test_an_empty_reference_may_be_no_number(hypothesis):
    assert math.isnan(cer("", hypothesis, empty_reference="nan"))


def test_an_empty_reference_of_a_corpus_may_be_an_error_and_that_of_a_segment_is_none():
    with pytest.raises(UndefinedResultError, match="the reference has no word"):
        wer(" \n", "a", empty_reference="error")
    assert cer(["", "ab"], ["x", "ab"], empty_reference="error") == 1 / 2


@pytest.mark.parametrize("reference", ["", "ab"])
def test_an_unknown_rule_for_empty_references_is_refused_whatever_the_text(reference):
    with pytest.raises(UnknownNameError, match=r"'zero'.*There are: error, inf, max1, nan, one"):
        cer(reference, "ab", empty_reference="zero")


def test_none_among_texts_is_an_error():
    with pytest.raises(InputTypeError):
        cer(["a", "b"], ["a", None])


def test_composed_and_decomposed_characters_are_different_text():
    composed = unicodedata.normalize("NFC", "é")
    assert cer(composed, unicodedata.normalize("NFD", composed)) == 2 / 1


@pytest.mark.parametrize("space", sorted(WHITE_SPACE), ids=lambda space: f"U+{ord(space):04X}")
def test_all_kinds_of_white_space_separate_words(space):
    assert wer(f"one{space}two", "one two") == 0.0


@pytest.mark.parametrize(
    "joiner", ["\u200b", "\u200d", "\ufeff", "\x1f", "-"], ids=lambda joiner: f"U+{ord(joiner):04X}"
)
def test_what_is_no_white_space_joins_words(joiner):
    assert count("wer", [(f"one{joiner}two", "one two")])[0, 1] == 1


@pytest.mark.parametrize("metric", ["cer", "wer"])
@settings(max_examples=30, deadline=None)
@given(PAIRS)
def test_counts_add_over_segments(metric, pairs):
    parts = [count(metric, [pair]) for pair in pairs]
    assert np.array_equal(count(metric, pairs), np.concatenate(parts))


def test_the_rate_without_reference_units_is_no_number():
    assert np.isnan(METRICS["cer"].rate(count("cer", [("", "a")]))).all()


def test_a_segment_is_exact_when_it_has_no_error():
    counts = count("cer", [("a", "a"), ("a", "b"), ("", ""), ("", "a")])
    assert METRICS["cer"].is_exact(counts).tolist() == [True, False, True, False]


def test_an_error_rate_is_better_when_lower():
    rates = [metric for metric in METRICS.values() if isinstance(metric, ErrorRate)]
    assert {metric.direction for metric in rates} == {Direction.LOWER_IS_BETTER}


@pytest.fixture(scope="module")
def entries(data_of_every_format):
    text = (data_of_every_format / "das22_directories" / "entries.jsonl").read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.split("\n") if line]
    assert len(entries) >= 600
    return [(entry["ref"], entry["pero"]) for entry in entries]


@pytest.mark.parametrize(("metric", "split"), [("cer", str), ("wer", str.split)])
def test_every_segment_of_a_corpus_has_the_errors_of_an_independent_package(entries, metric, split):
    assert count(metric, entries)[:, 0].tolist() == [Levenshtein.distance(*map(split, pair)) for pair in entries]


def test_a_corpus_has_the_sums_of_words_that_jiwer_finds(entries):
    # jiwer splits words at U+0020 only: line breaks are made spaces for it.
    references, hypotheses = ([" ".join(text.split()) for text in side] for side in zip(*entries, strict=True))
    output = jiwer.process_words(references, hypotheses)
    sums = dict(zip(METRICS["wer"].columns, count("wer", entries).sum(axis=0).tolist(), strict=True))
    assert {name: sums[name] for name in KINDS} == {name: getattr(output, name) for name in KINDS}


def test_a_corpus_has_the_sums_of_characters_that_jiwer_finds(entries):
    references, hypotheses = map(list, zip(*entries, strict=True))
    untouched = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
    output = jiwer.process_characters(references, hypotheses, untouched, untouched)
    sums = dict(zip(METRICS["cer"].columns, count("cer", entries).sum(axis=0).tolist(), strict=True))
    assert {name: sums[name] for name in KINDS} == {name: getattr(output, name) for name in KINDS}


REFERENCES = ["the fox", "", "naïve", "hello world"]
HYPOTHESES = ["the  fix", "x", unicodedata.normalize("NFD", "naïve"), "hello wrold"]


def test_graphemes_are_what_the_rate_is_over_and_a_decomposed_one_is_no_error():
    composed, decomposed = "Müll", unicodedata.normalize("NFD", "Müll")
    assert (misread.ger(composed, decomposed), misread.cer(composed, decomposed)) == (0.0, 0.5)
    assert misread.ger("🇫🇷🇩🇪", "🇫🇷🇮🇹") == 0.5


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_a_metric_counts_what_its_columns_name(unit, alignment):
    metric = ErrorRate("some", unit, alignment=alignment)
    counts = metric.count(ScoredText(REFERENCES, HYPOTHESES))
    expected = misread.error_counts(REFERENCES, HYPOTHESES, unit=unit, alignment=alignment)
    assert counts.shape == (4, len(metric.columns))
    for column, name in enumerate(metric.columns):
        wanted = expected.reference_length if name == "length" else getattr(expected, name)
        assert counts[:, column].tolist() == wanted.tolist()
    assert metric.is_exact(counts).tolist() == (expected.errors == 0).tolist()


def test_transpositions_are_a_column_only_where_they_are_counted():
    assert "transpositions" not in ErrorRate("cer", "char").columns
    assert ErrorRate("cer", "char", alignment="transpositions").columns[-1] == "transpositions"


def test_a_metric_of_unknown_unit_or_alignment_is_an_error_that_names_the_choices():
    with pytest.raises(UnknownNameError, match=r"unit 'line' in metric 'ler'\. There are: char, grapheme, word"):
        ErrorRate("ler", "line")
    with pytest.raises(UnknownNameError, match=r"alignment 'nist' in metric 'cer'\..* There are: sclite, transp"):
        ErrorRate("cer", "char", alignment="nist")


SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "dd"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
def test_corpus_values_equal_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = (list(side) for side in zip(*pairs, strict=True))
    theirs = jiwer.process_words(references, hypotheses)
    assert mer(references, hypotheses) == pytest.approx(theirs.mer)
    assert wil(references, hypotheses) == pytest.approx(theirs.wil)
    assert wip(references, hypotheses) == pytest.approx(theirs.wip)


def test_nothing_found_is_all_information_lost() -> None:
    assert (mer("a b", ""), wil("a b", ""), wip("a b", "")) == (1.0, 1.0, 0.0)


def test_two_empty_sides_have_no_score() -> None:
    with pytest.raises(UndefinedResultError, match="neither side has a word"):
        wil("", " ")


def test_bounded_character_errors_stay_below_one_where_the_rate_does_not() -> None:
    counts = METRICS["ncer"].count(ScoredText(["a"], ["bcdef"]))
    assert METRICS["cer"].rate(counts).tolist() == [5.0]
    assert METRICS["ncer"].rate(counts).tolist() == [1.0]


def test_rates_work_over_any_leading_axes() -> None:
    metric = METRICS["wip"]
    counts = metric.count(ScoredText(["a b", "", "c"], ["a x", "", "c"]))
    rates = metric.rate(np.stack([counts, counts]))
    assert rates.shape == (2, 3)
    assert METRICS["cer"].rate(np.ones((3, 2, 6), dtype=np.int64)).shape == (3, 2)
    assert rates[0, 0] == 0.25
    assert np.isnan(rates[0, 1])


NED = METRICS["ned"]


@pytest.mark.parametrize(("one", "other"), [("abcd", "abxd"), ("", "abc"), ("abc", ""), ("ab", "abcd"), ("a", "a")])
def test_one_pair_has_the_normalized_edit_distance(one, other):
    counts = NED.count(ScoredText([one], [other]))
    assert NED.rate(counts)[0] == normalized_edit_distance(one, other)


def test_two_empty_texts_have_no_rate_and_a_hypothesis_cannot_cost_more_than_all():
    counts = NED.count(ScoredText(["", "a"], ["", "a long insertion"]))
    summary = summarize(NED, counts)
    assert summary.empty_references == 1
    assert summary.micro == 15 / 16
    assert NED.direction is Direction.LOWER_IS_BETTER
