import unicodedata

import numpy as np
import pyarrow as pa
import pytest

import misread
from misread.errors import LengthMismatchError, UndefinedResultError, UnknownNameError
from misread.metrics import METRICS, ErrorRate, ScoredText
from misread.metrics.signature import read_signature

REFERENCES = ["the fox", "", "naïve", "hello world"]
HYPOTHESES = ["the  fix", "x", unicodedata.normalize("NFD", "naïve"), "hello wrold"]


def test_a_decomposed_text_has_no_grapheme_error():
    composed, decomposed = "Müll", unicodedata.normalize("NFD", "Müll")
    assert (misread.ger(composed, decomposed), misread.cer(composed, decomposed)) == (0.0, 0.5)


def test_graphemes_are_what_the_rate_is_over():
    assert misread.ger("🇫🇷🇩🇪", "🇫🇷🇮🇹") == 0.5


@pytest.mark.parametrize("rate", [misread.cer, misread.ger, misread.wer])
def test_many_texts_give_the_rate_of_the_sums(rate):
    assert rate(["aa", "b c d e"], ["aa", "b c d e f"]) > 0
    assert rate(["ab", "c"], ["ab", "d"]) == (0.5 if rate is misread.wer else 1 / 3)
    assert rate(pa.array(["ab", "c"]), ("ab", "d")) == rate(["ab", "c"], ["ab", "d"])


@pytest.mark.parametrize("rate", [misread.cer, misread.ger, misread.wer])
def test_an_empty_reference_follows_its_rule(rate):
    found = [rate("", "ab cd", empty_reference=rule) for rule in ("one", "inf", "nan")]
    assert found[:2] == [1.0, np.inf]
    assert np.isnan(found[2])
    assert (rate("", ""), rate("", "a")) == (0.0, 1.0)
    with pytest.raises(UndefinedResultError, match="the reference has no"):
        rate("", "a", empty_reference="error")
    with pytest.raises(UndefinedResultError, match="both sequences are empty"):
        rate([], [])
    with pytest.raises(LengthMismatchError):
        rate(["a"], [])
    with pytest.raises(UnknownNameError, match="rule for empty references"):
        rate("a", "a", empty_reference="zero")


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


@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_the_signature_names_unit_and_alignment(alignment):
    facts = read_signature(ErrorRate("ger", "grapheme", alignment=alignment).signature("whitespace"))
    assert (facts["unit"], facts["align"], facts["norm"]) == ("grapheme", alignment, "whitespace")


def test_the_grapheme_error_rate_is_known_by_name():
    assert METRICS["ger"] == ErrorRate("ger", "grapheme")


def test_a_metric_of_unknown_unit_or_alignment_is_an_error_that_names_the_choices():
    with pytest.raises(UnknownNameError, match=r"unit 'line' in metric 'ler'\. There are: char, grapheme, word"):
        ErrorRate("ler", "line")
    with pytest.raises(UnknownNameError, match=r"alignment 'nist' in metric 'cer'\..* There are: sclite, transp"):
        ErrorRate("cer", "char", alignment="nist")
