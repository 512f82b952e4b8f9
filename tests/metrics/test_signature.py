import pytest
from hypothesis import example, given
from hypothesis.strategies import characters, text

from misread.metrics import (
    METRICS,
    ErrorRate,
    extend_signature,
    make_signature,
    read_signature,
    replace_fact,
    signature_name,
)
from misread.version import __version__


@pytest.mark.parametrize(("metric", "unit"), [("cer", "char"), ("wer", "word")])
def test_a_signature_names_unit_normalizer_alignment_empty_rule_and_version(metric, unit):
    assert read_signature(METRICS[metric].signature("lower@1a2b")) == {
        "unit": unit,
        "norm": "lower@1a2b",
        "align": "unit",
        "empty": "null",
        "v": __version__,
    }


def test_a_signature_begins_with_the_name():
    assert METRICS["cer_raw"].signature("none").startswith("cer_raw|")


def test_a_metric_on_raw_text_has_no_normalizer():
    assert read_signature(ErrorRate("cer_raw", "char", "raw").signature("lower@1a2b"))["norm"] == "none"


def test_further_facts_come_before_the_version():
    signature = extend_signature(make_signature("cer", [("unit", "char")]), [("n", "3"), ("seed", "1")])
    assert signature == f"cer|unit:char|n:3|seed:1|v:{__version__}"


def test_a_fact_may_hold_a_colon():
    assert read_signature(make_signature("cer", [("data", "a:b")]))["data"] == "a:b"


NAMES = text(characters())


@given(NAMES)
@example("a|b")
@example("100%")
@example("%7C")
@example("a:b, c (d)@e")
@example("two\nlines\u2028or three")
def test_any_name_can_be_read_back_from_one_line(name):
    signature = extend_signature(make_signature(name, [("data", name)]), [("strata", name)])
    assert len(signature.splitlines()) == 1
    assert signature_name(signature) == name
    facts = read_signature(signature)
    assert (facts["data"], facts["strata"], facts["v"]) == (name, name, __version__)


@given(NAMES, NAMES)
def test_two_names_never_give_one_signature(one, other):
    assert (make_signature("cer", [("data", one)]) == make_signature("cer", [("data", other)])) == (one == other)


def test_a_fact_that_is_replaced_leaves_the_others():
    signature = make_signature("cer", [("renorm", "a"), ("norm", "b|c"), ("n", "3")])
    assert read_signature(replace_fact(signature, "norm", "d|e")) == {
        "renorm": "a",
        "norm": "d|e",
        "n": "3",
        "v": __version__,
    }
