import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.sockets import METRICS, get_metrics
from misread.sockets.metric_names import get_metric


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
