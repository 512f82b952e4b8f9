"""Properties of every metric, by its base class alone."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError
from misread.metrics import Direction, ErrorRate, Kind, Metric, ScoredText
from misread.metrics.base import divide
from misread.sockets import METRICS
from misread.version import __version__

from .needs import annotated, with_counts

WORST = annotated(["ab c"], ["x y z w v u t s r q p o"])
BEST = annotated(["ab c"], ["ab c"])


# Others need a schema or fields, and count in the same way.
READY = [with_counts(metric) for name, metric in METRICS.items() if not name.endswith(("_compliance", "_completeness"))]


@pytest.mark.slow
@pytest.mark.parametrize("texts", [WORST, BEST], ids=["worst", "best"])
def test_scores_lie_in_the_range_that_the_metric_names(texts):
    for metric in READY:
        lowest, highest = metric.bounds
        score = float(metric.rate(metric.count(texts).sum(axis=0)))
        assert math.isnan(score) or lowest <= score <= highest, metric.id


# They are shares of what is wrong with an output, or its cost: docs/reference/metrics.md says so.
NONE_IN_AN_EMPTY_OUTPUT = {
    "flagged_segments",
    "loop_error_share",
    "omission_error_share",
    "refusals",
    "token_cost",
    "worsened_segments",
}


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_an_empty_output_is_nowhere_the_best_one(blank):
    texts = annotated(["ab c. The end"], [blank])
    nothing_heard = replace(texts, annotations={**texts.annotations, "turns": [[]]})
    for metric in READY:
        counts = metric.count(nothing_heard if metric.input_kind == "sessions" else texts)
        best = metric.bounds[metric.direction is Direction.HIGHER_IS_BETTER]
        assert float(metric.rate(counts.sum(axis=0))) != best or metric.id in NONE_IN_AN_EMPTY_OUTPUT, metric.id


def test_rates_with_insertions_have_no_highest_value():
    for name in ("cer", "wer", "bag_of_words_error"):
        metric = METRICS[name]
        assert float(metric.rate(metric.count(WORST).sum(axis=0))) > 1
        assert metric.bounds == (0.0, np.inf)


def test_a_metric_that_names_no_range_has_one_by_its_kind():
    assert METRICS["token_f1"].bounds == (0.0, 1.0)
    assert METRICS["chars_per_token"].bounds == (0.0, np.inf)


def test_a_quotient_is_the_rate_and_scores_over_what_the_hypothesis_has_are_none():
    counts = np.random.default_rng(1).integers(1, 50, size=(20, 200))
    quotients = set()
    for metric in READY:
        rows = counts[:, : len(metric.columns)]
        if metric.is_ratio:
            quotients.add(metric.id)
            assert np.array_equal(metric.rate(rows), divide(*metric.quotient(rows), undefined=math.nan)), metric.id
    assert quotients >= {"cer", "ser", "token_recall", "exact_line_recall", "corrected_words", "improved_segments"}
    assert quotients >= {"qa_success", "json_validity", "flagged_segments", "word_accuracy"}
    assert not quotients & {"exact_line_f1", "token_precision", "mer", "wil", "field_f1", "review_share", "teds"}


@pytest.mark.parametrize(("metric", "unit"), [("cer", "char"), ("wer", "word")])
def test_a_signature_names_unit_normalizer_alignment_empty_rule_and_version(metric, unit):
    assert METRICS[metric].signature("lower@1a2b").facts == {
        "unit": unit,
        "norm": "lower@1a2b",
        "align": "unit",
        "empty": "null",
        "v": __version__,
    }


def test_a_signature_begins_with_the_name_of_the_metric_and_one_on_raw_text_has_no_normalizer():
    signature = ErrorRate("cer_raw", "char", text="raw").signature("lower@1a2b")
    assert (signature.name, signature.facts["norm"]) == ("cer_raw", "none")


def test_exactly_the_errors_over_a_length_are_an_error_rate():
    for metric in METRICS.values():
        is_error_rate = metric.is_ratio and metric.rate_columns[:2] == ("errors", "length")
        assert (metric.kind is Kind.ERROR_RATE) == is_error_rate, metric.id


def test_a_noun_of_what_is_counted_is_of_scores_that_are_better_if_fewer():
    for metric in METRICS.values():
        assert not metric.counted or metric.direction is Direction.LOWER_IS_BETTER, metric.id
    assert {name: METRICS[name].counted for name in ("cer", "ger", "wer", "b_wer", "token_f1", "wer_unflagged")} == {
        "cer": "character errors",
        "ger": "grapheme errors",
        "wer": "word errors",
        "b_wer": "errors in listed words",
        "token_f1": "",
        "wer_unflagged": "",
    }


@pytest.mark.filterwarnings("error")
@given(
    st.lists(st.tuples(st.text("ab ", max_size=6), st.text("ab ", max_size=6)), min_size=1, max_size=5),
    st.sampled_from([*itertools.permutations(ErrorRate("cer", "char").columns, 2)]),
    st.sampled_from(["char", "grapheme", "word"]),
)
def test_any_two_columns_make_an_error_rate_of_these_columns(pairs, rate_columns, unit):
    metric = type("Own", (ErrorRate,), {"rate_columns": rate_columns})("own", unit)
    counts = metric.count(ScoredText(*map(list, zip(*pairs, strict=True))))
    rows = [dict(zip(metric.columns, row, strict=True)) for row in counts.tolist()]
    numerator, denominator = rate_columns
    expected = [row[numerator] / row[denominator] if row[denominator] else math.nan for row in rows]
    rates = metric.rate(counts)
    assert np.array_equal(rates, expected, equal_nan=True)
    assert np.array_equal(metric.is_exact(counts), [row["errors"] == 0 for row in rows])
    assert (metric.kind is Kind.ERROR_RATE) == (rate_columns == ("errors", "length"))
    assert ("errors" in metric.counted) == (metric.kind is Kind.ERROR_RATE)
    assert (rates[~np.isnan(rates)] <= metric.bounds[1]).all()


def test_a_class_with_a_rate_of_its_own_says_whether_it_is_a_ratio():
    with pytest.raises(ConfigurationError, match=r"Squared overrides rate; give it is_ratio"):
        type("Squared", (ErrorRate,), {"rate": lambda self, counts: counts[..., 0] ** 2})


class Vowels(Metric):
    """Share of vowels in the hypothesis, as a plug-in would define it."""

    columns = ("vowels", "characters")

    def count(self, pairs):
        counts = [(sum(text.count(letter) for letter in "aeiou"), len(text)) for text in pairs.hypotheses]
        return np.array(counts, np.int64)

    def facts(self, norm):
        return {"unit": "char", "norm": norm}


def test_a_metric_needs_columns_counts_and_facts_and_no_more():
    metric = Vowels("vowels")
    counts = metric.count(ScoredText(["ab", "", "ae"], ["ab", "", "ae"]))
    assert metric.rate(counts).tolist()[::2] == [0.5, 1.0]
    assert math.isnan(metric.rate(counts)[1])
    assert metric.is_exact(counts).tolist() == [False, True, True]
    assert str(metric.signature("lower@1a2b")) == f"vowels|unit:char|norm:lower@1a2b|v:{__version__}"
    assert (metric.kind, metric.bounds, metric.rate_columns) == (Kind.SHARE, (0.0, 1.0), ("vowels", "characters"))
    assert (metric.operations(WORST), metric.problems(["a"])) == (None, {})


def test_a_metric_without_columns_cannot_be_made():
    class Nothing(Metric):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Nothing("nothing")


def test_a_quotient_by_zero_is_what_is_asked_for():
    assert divide(np.array([1, 2]), np.array([4, 0]), undefined=0.0).tolist() == [0.25, 0.0]
    assert math.isnan(divide(np.array(2), np.array(0), undefined=math.nan))
