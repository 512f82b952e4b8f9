import json
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread import cer, confusion_rate, errors_by_block, errors_by_category, ger, wer, wrong_words
from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError, UnknownNameError
from misread.metrics.base import ScoredText
from misread.sockets import get_metrics
from misread.spec import confusion_matrix

REFERENCE, HYPOTHESIS = "INVOICE #12345 TOTAL: $150.00", "INV0ICE #I2345 T0TAL: $15O.OO"

texts = st.text(st.sampled_from("aé1; 漢"), max_size=30)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=10)


def sides(pairs):
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def test_its_parts_are_read_by_name_too():
    result = confusion_matrix("a", "b")
    assert result["total_errors"] == dict(result)["total_errors"] == 1


def test_nothing_stands_as_delete_on_the_right_and_insert_on_the_left():
    result = confusion_matrix(["ab", "c"], ["b", "cd"])
    assert result.confusion_matrix == {"a": {"<DELETE>": 1}, "<INSERT>": {"d": 1}}


@given(pairs)
def test_a_corpus_has_the_confusions_of_its_pairs(pairs):
    expected = Counter()
    for reference, hypothesis in pairs:
        for row, of_row in confusion_matrix(reference, hypothesis).confusion_matrix.items():
            expected.update({(row, column): count for column, count in of_row.items()})
    whole = confusion_matrix(*sides(pairs), top=3)
    found = {(row, column): count for row, of_row in whole.confusion_matrix.items() for column, count in of_row.items()}
    assert found == expected
    assert [count for _, _, count in whole.top_confusions] == sorted(expected.values(), reverse=True)[:3]


@given(pairs)
def test_the_rate_is_the_error_rate_of_the_unit(pairs):
    references, hypotheses = sides(pairs)
    for unit, rate in (("char", cer), ("grapheme", ger), ("word", wer)):
        assert confusion_rate(references, hypotheses, unit=unit) == rate(references, hypotheses)


def test_the_metric_of_that_name_counts_the_same():
    [metric] = get_metrics(["confusion_rate"])
    counts = metric.count(ScoredText([REFERENCE], [HYPOTHESIS]))
    assert metric.rate(counts.sum(axis=0)) == confusion_rate(REFERENCE, HYPOTHESIS)


def test_two_characters_that_changed_places_are_one_confusion():
    result = confusion_matrix("hello world", "helo wrold", alignment="transpositions")
    assert result.confusion_matrix["or"] == {"ro": 1}
    assert (result.total_errors, result.n) == (2, 11)


def test_graphemes_are_confused_whole():
    assert confusion_matrix("u\u0308x", "ux", unit="grapheme").confusion_matrix == {"ü": {"u": 1}}


def test_arrow_arrays_are_read_like_lists():
    result = confusion_matrix(pa.array(["ab", "c"]), pa.array(["b", "cd"]))
    assert result == confusion_matrix(["ab", "c"], ["b", "cd"])


def test_wrong_words_are_those_of_a_word_alignment():
    references, hypotheses = ["the old cat", "the dog", ""], ["tho cat", "tho dog", "a\u00a0b"]
    expected = Counter()
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        words, others = reference.split(), hypothesis.split()
        for kind, row, column in Levenshtein.editops(words, others).as_list():
            word = "<INSERT>" if kind == "insert" else words[row]
            expected[word, "<DELETE>" if kind == "delete" else others[column]] += 1
    found = wrong_words(references, hypotheses)
    assert {(word, other): count for word, other, count in found} == expected
    assert [count for _, _, count in wrong_words(references, hypotheses, top=1)] == [2]


def test_a_word_written_like_our_mark_loses_no_count():
    result = confusion_matrix("<INSERT>", "x x", unit="word")
    assert result.confusion_matrix == {"<INSERT>": {"x": 2}}


@given(pairs)
def test_groups_share_out_all_errors_and_all_characters(pairs):
    references, hypotheses = sides(pairs)
    whole = confusion_matrix(references, hypotheses)
    for groups in (errors_by_block(references, hypotheses), errors_by_category(references, hypotheses)):
        assert sum(group.errors for group in groups) == whole.total_errors
        assert sum(group.n for group in groups) == whole.n
        assert [group.errors for group in groups] == sorted((group.errors for group in groups), reverse=True)


def test_an_insertion_counts_where_the_inserted_character_belongs():
    [latin, greek] = errors_by_block("ab", "abω")[::-1]
    assert (latin.group, latin.errors, latin.n, latin.rate) == ("Basic Latin", 0, 2, 0.0)
    assert (greek.group, greek.errors, greek.n, greek.rate) == ("Greek and Coptic", 1, 0, None)


def test_a_substitution_counts_where_the_reference_character_belongs():
    assert [(group.group, group.errors, group.n) for group in errors_by_category("O1", "01")] == [
        ("Lu", 1, 1),
        ("Nd", 0, 1),
    ]


@pytest.mark.parametrize("function", [confusion_matrix, confusion_rate, wrong_words, errors_by_block])
def test_no_text_at_all_is_an_error(function):
    with pytest.raises(UndefinedResultError, match="there is no text to compare"):
        function([], [])


@pytest.mark.slow
def test_a_corpus_has_the_confusions_that_an_independent_package_finds(data_of_every_format):
    text = (data_of_every_format / "das22_directories" / "entries.jsonl").read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.split("\n") if line]
    pairs = [(entry["ref"], entry["tesseract4"] or "") for entry in entries][:1500]
    expected = Counter()
    for reference, hypothesis in pairs:
        for kind, row, column in Levenshtein.editops(reference, hypothesis).as_list():
            character = "<INSERT>" if kind == "insert" else reference[row]
            expected[character, "<DELETE>" if kind == "delete" else hypothesis[column]] += 1
    found = confusion_matrix(*sides(pairs)).confusion_matrix
    assert {(row, column): count for row, of_row in found.items() for column, count in of_row.items()} == expected


def test_none_may_be_asked_for_and_fewer_not_nor_another_unit_or_number():
    assert wrong_words(["a b"], ["a c"], top=0) == []
    with pytest.raises(ConfigurationError, match="top is -1"):
        wrong_words(["a b"], ["a c"], top=-1)
    with pytest.raises(UnknownNameError, match="unknown unit 'word'"):
        errors_by_block("a", "b", unit="word")
    with pytest.raises(LengthMismatchError):
        confusion_matrix(["a"], ["a", "b"])
