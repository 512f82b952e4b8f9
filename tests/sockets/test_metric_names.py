import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.features.answers import FieldRule
from misread.io.names import write_name
from misread.metrics import ErrorRate
from misread.provenance.plugins import use_study_modules
from misread.sockets import METRICS, get_metrics
from misread.sockets.metric_names import files_of_metric, get_metric


@pytest.mark.parametrize(
    ("name", "metric_id", "canonical"),
    [
        ("wer", "wer", ""),
        ("wer()", "wer", ""),
        ("wer(alignment=unit)", "wer", ""),
        ("wer(alignment=sclite)", "wer_sclite", "wer(alignment=sclite)"),
        (" wer( alignment = sclite ) ", "wer_sclite", "wer(alignment=sclite)"),
        ("mine=wer(alignment=sclite)", "mine", "wer(alignment=sclite)"),
        ("mine=wer", "mine", "wer"),
        ("teds(content=false)", "teds_content_false", "teds(content=false)"),
        ("teds(size=nodes,content=false)", "teds_content_false_nodes", "teds(content=false,size=nodes)"),
        ("rare_word_error_rate(below=5)", "rare_word_error_rate_below_5", "rare_word_error_rate(below=5)"),
        ("json_completeness(required=[b,a])", "json_completeness_b_a", "json_completeness(required=[b,a])"),
        ("json_completeness(required=[])", "json_completeness", ""),
        ("cp_wer(collar=5)", "cp_wer", ""),
        ("tcp_wer(collar=7.0)", "tcp_wer_collar_7", "tcp_wer(collar=7)"),
        (
            "json_completeness(required=['a','1','b c'])",
            "json_completeness_a_1_b_c",
            'json_completeness(required=[a,"1",b c])',
        ),
        (
            "flagged_segments(rules={length:3,min_repeats:4})",
            "flagged_segments_rules_08d54b7d",
            "flagged_segments(rules={length:3})",
        ),
        ("field_f1(rules={*:{compare:text}})", "field_f1", ""),
    ],
)
def test_a_name_has_one_spelling_and_an_id(name, metric_id, canonical):
    metric = get_metric(name)
    assert (metric.id, metric.name) == (metric_id, canonical)
    if canonical:
        assert get_metric(f"{metric_id}={canonical}") == metric


@pytest.mark.parametrize("name", METRICS)
def test_a_name_without_settings_is_the_metric_itself(name):
    assert get_metric(name) is METRICS[name]
    assert str(METRICS[name].signature("none")).startswith(f"{name}|") or name == "rare_word_error_rate"


def test_the_signature_has_the_name_and_not_the_id():
    signature = get_metric("mine=wer(alignment=sclite)").signature("none")
    assert signature.name == "wer(alignment=sclite)"
    assert signature == type(signature).parse(str(signature))


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("were", UnknownNameError, "unknown metric 'were'. Did you mean 'wer'"),
        ("wer(align=sclite)", UnknownNameError, "unknown setting 'align' in wer. Did you mean 'alignment'"),
        ("wer(alignment=best)", UnknownNameError, "unknown .* 'best'"),
        ("wer(alignment)", ConfigurationError, r"expected NAME\(SETTING=VALUE, ...\)"),
        ("wer(alignment=unit,alignment=sclite)", ConfigurationError, "each setting once"),
        ("wer(alignment=sclite", ConfigurationError, r"expected NAME\(SETTING=VALUE, ...\)"),
        ("My=wer", ConfigurationError, r"metric 'My=wer': expected NAME"),
        ("lab.Rate", ConfigurationError, r"'lab\.Rate' is not of a plug-in: list 'lab' in the setting plugins"),
        ("misread.metrics.ErrorRate(unit=char)", ConfigurationError, "of misread are named without their module"),
        ("field_f1(rules={a})", ConfigurationError, "each setting once"),
        ("cer(unit='char)", ConfigurationError, "each setting once"),
        ("field_f1(rules=nowhere.yaml)", InputFileError, r"field_f1: there is no file nowhere\.yaml"),
        ("judged", ConfigurationError, r"judged means nothing without a setting: judged\(file=FILE\)\."),
        ("judged(undecided=wrong)", ConfigurationError, "judged means nothing without a setting"),
        ("teds(content=1)", ConfigurationError, "teds.content is 1, expected true or false"),
    ],
)
def test_a_name_that_means_nothing_is_refused(name, error, message):
    with pytest.raises(error, match=message):
        get_metric(name)


def test_two_of_one_id_are_refused():
    with pytest.raises(ConfigurationError, match="metric 'wer' is named twice; once is enough, and ID=NAME gives one"):
        get_metrics(["wer", "wer=wer(alignment=sclite)"])
    assert [metric.id for metric in get_metrics(["wer", "wer(alignment=sclite)"])] == ["wer", "wer_sclite"]


def test_an_id_beside_the_name_is_that_of_the_metric():
    metric = get_metric("wer(alignment=sclite)", "strict")
    assert (metric.id, metric.name) == ("strict", "wer(alignment=sclite)")
    assert get_metric("wer", "wer") is METRICS["wer"]
    with pytest.raises(ConfigurationError, match="the id is 'strict'; leave `mine=` out of 'mine=wer'"):
        get_metric("mine=wer", "strict")


@pytest.mark.parametrize("metric_id", ["WER", "a-b", "", 3])
def test_an_id_that_names_no_file_is_refused(metric_id):
    with pytest.raises(ConfigurationError, match="of metric 'wer' cannot be used: ids are made of a-z, 0-9 and _"):
        get_metric("wer", metric_id)


@given(st.text())
def test_a_text_in_a_name_is_that_of_the_metric(mark):
    assert get_metric(write_name("punctuation_f1", {"mark": mark}), "mine").mark == mark


def test_settings_in_braces_are_those_of_an_object():
    metric = get_metric('field_f1(rules={total:{compare:number},*:{compare:text},"a:b":{no_value:["null"]}})', "mine")
    assert metric.rules == {"*": FieldRule(), "a:b": FieldRule(no_value=["null"]), "total": FieldRule(compare="number")}
    assert metric.name == 'field_f1(rules={*:{},"a:b":{no_value:["null"]},total:{compare:number}})'
    assert get_metric(metric.name, "mine") == metric


def test_rules_may_be_a_file_which_is_shown_by_its_name_and_digest(tmp_path):
    (tmp_path / "rules.yaml").write_text("'*': {}\ntotal: {compare: number}\n")
    metric = get_metric("field_f1(rules=rules.yaml)", "mine", root=tmp_path)
    assert metric.rules == {"*": FieldRule(), "total": FieldRule(compare="number")}
    digest = hashlib.sha256((tmp_path / "rules.yaml").read_bytes()).hexdigest()[:8]
    assert metric.signature("none").name == f"field_f1(rules=rules.yaml@{digest})"
    assert get_metric("field_f1(rules=rules.yaml)", root=tmp_path).id == "field_f1_rules"
    (tmp_path / "rules.yaml").write_text("total: {compare: nombre}\n")
    with pytest.raises(UnknownNameError, match=r"unknown value 'nombre' in x: field_f1\.rules\.total\.compare"):
        get_metric("field_f1(rules=rules.yaml)", "mine", where="x", root=tmp_path)


def test_files_of_a_name_are_the_paths_in_it():
    assert files_of_metric("json_compliance(schema=a/b.json,required=[x])") == ["a/b.json"]
    assert files_of_metric("field_f1(rules={a:{}})") == files_of_metric("mine=wer") == []


OWN = """\
from misread.metrics import ErrorRate

class DeletionRate(ErrorRate):
    rate_columns = ("deletions", "length")

class Watts(ErrorRate):
    def __init__(self):
        super().__init__("watts", "char")

NOTHING = 1
class Other: ...
"""


def test_a_class_of_ones_own_module_is_a_name(tmp_path):
    (tmp_path / "own_rates.py").write_text(OWN)
    use_study_modules(["own_rates"], tmp_path)
    metric = get_metric("own_rates.DeletionRate(unit=char,alignment=unit)")
    assert isinstance(metric, ErrorRate)
    assert (metric.id, metric.name) == ("deletion_rate_char", "own_rates.DeletionRate(unit=char)")
    assert get_metric("own_rates.Watts", "watts").unit == "char"
    for name, message in {
        "own_rates.DeletionRate": "own_rates.DeletionRate: no unit given",
        "own_rates.Watts()": "own_rates.Watts calls itself 'watts'; let the class take the id 'watts_'",
        "own_rates.Missing": "'own_rates.Missing' is not a class of own_rates",
        "own_rates.NOTHING": "'own_rates.NOTHING' is not a class of own_rates",
        "own_rates.Other": "own_rates.Other is not a metric: it does not inherit misread.metrics.Metric",
    }.items():
        with pytest.raises(ConfigurationError, match=f"^x: {message}"):
            get_metric(name, "watts_", where="x")
