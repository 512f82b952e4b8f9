import pytest

from misread.metrics import METRICS, ErrorRate, extend_signature, make_signature, read_signature
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
