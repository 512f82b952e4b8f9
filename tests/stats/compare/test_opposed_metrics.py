from dataclasses import replace

import pytest

from misread import evaluate
from misread.stats.compare.opposed_metrics import explain_opposed

REFERENCES = ["one two\nthree four\nfive\n", "six\nseven"]
BROKEN = ["one two three\nfour five\n", "six seven"]
SHUFFLED = ["five\nthree four\none two\n", "six\nseven"]
OPEN = ["one two\nthree four\nfive", "six\nseven"]


def cautions(hypotheses, *metrics, normalizer="none"):
    result = evaluate(REFERENCES, {"a": hypotheses}, metrics=metrics, normalizer=normalizer, seed=1).result
    assert {caution.text for caution in result.cautions} <= set(result.warnings)
    return [(caution.metric, caution.text) for caution in result.cautions]


def test_other_line_breaks_are_named_where_the_normalizer_joins_lines():
    metric, text = cautions(BROKEN, "cer", "line_accuracy", normalizer="whitespace")[0]
    assert metric == "line_accuracy"
    assert text == (
        "line_accuracy: a has faults although its cer is 0: the normalizer whitespace changes line breaks before cer "
        "is counted, and line_accuracy compares line by line."
    )


def test_lines_in_another_order_are_named_where_order_does_not_count():
    (caution,) = cautions(SHUFFLED, "cer", "exact_line_f1", "line_accuracy")
    assert caution[0] == "exact_line_f1"
    assert caution[1].startswith("exact_line_f1: a has no fault although its cer is not 0: ")
    assert caution[1].endswith("exact_line_f1 takes lines in any order.")


def test_a_line_break_at_the_end_is_named_where_lines_alone_count():
    (caution,) = cautions(OPEN, "line_accuracy", "cer")
    assert caution[1].endswith(
        "cer counts line breaks and blanks between lines, too, and line_accuracy compares the lines alone."
    )


@pytest.mark.parametrize(
    ("hypotheses", "metrics", "normalizer"),
    [
        (REFERENCES, ("cer", "line_accuracy", "exact_line_f1"), "whitespace"),
        (SHUFFLED, ("cer", "line_accuracy"), "none"),
        # Their names say that they are of raw text.
        (BROKEN, ("cer", "line_accuracy_raw", "ser_raw"), "whitespace"),
        (BROKEN, ("wer", "line_accuracy"), "whitespace"),
    ],
)
def test_nothing_is_said_of_metrics_that_agree_or_whose_names_tell(hypotheses, metrics, normalizer):
    assert cautions(hypotheses, *metrics, normalizer=normalizer) == []


@pytest.mark.parametrize("render", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_it_stands_below_the_table_of_the_lines(render):
    result = evaluate(REFERENCES, {"a": BROKEN}, metrics=["cer", "line_accuracy"], normalizer="whitespace", seed=1)
    text = " ".join(getattr(result, render)("line_accuracy").replace("\\", "").split())
    assert "a has faults although its cer is 0" in text
    assert "although" not in getattr(result, render)("cer")


@pytest.mark.parametrize("fact", ["of", "without"])
def test_a_rate_of_some_texts_alone_contradicts_nothing(fact):
    result = evaluate(
        REFERENCES, {"a": BROKEN}, metrics=["cer", "line_accuracy"], normalizer="whitespace", seed=1
    ).result
    rates = result.systems["a"]
    assert explain_opposed({"a": rates}) != []
    of_some = replace(rates["cer"], signature=rates["cer"].signature.with_facts({fact: "x"}))
    assert explain_opposed({"a": {**rates, "cer": of_some}}) == []
