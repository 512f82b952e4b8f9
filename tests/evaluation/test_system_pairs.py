import pytest

from misread import evaluate
from misread.data import from_columns
from misread.errors import InputTypeError, NoResultError, UnknownNameError
from misread.evaluation import evaluate_table
from misread.evaluation.system_pairs import Named

LINES = 40
REFERENCES = [f"line {number} of the page" for number in range(LINES)]
WORSE = [text.replace("page", "paqe") for text in REFERENCES]
WORST = [text.replace("page", "p") for text in REFERENCES]


@pytest.fixture(scope="module")
def result():
    hypotheses = {"good": REFERENCES, "worse": WORSE, "worst": WORST}
    return evaluate(REFERENCES, hypotheses, metrics=["cer", "ser"], seed=1, statistics={"resamples": 999})


def test_a_pair_says_how_the_second_compares_with_the_first(result):
    pair = result.pairs["good", "worse"]["cer"]
    rates = [result.systems[system]["cer"].rate for system in ("good", "worse")]
    assert pair.difference == rates[1] - rates[0] > 0
    assert (pair.baseline, pair.system, pair.verdict) == ("good", "worse", "worse")
    assert pair.interval.low <= pair.difference <= pair.interval.high


def test_the_other_order_has_the_opposite_sign_interval_and_verdict_and_the_same_tests(result):
    pair, other = result.pairs["good", "worse"]["cer"], result.pairs["worse", "good"]["cer"]
    assert (other.baseline, other.system, other.verdict) == ("worse", "good", "better")
    assert other.difference == -pair.difference
    assert (other.interval.low, other.interval.high) == (-pair.interval.high, -pair.interval.low)
    assert (other.pvalue, other.tests) == (pair.pvalue, pair.tests)
    assert other.reversed() == pair


def test_the_p_value_of_a_pair_is_the_adjusted_one_and_the_raw_one_is_in_its_test(result):
    pair = result.pairs["good", "worse"]["cer"]
    raw = pair.tests[pair.decided_by].pvalue
    # Holm over three pairs, of which all are alike.
    assert pair.pvalue == pytest.approx(3 * raw)
    assert pair.pvalue_raw == raw


def test_pairs_stand_baseline_first_each_once_and_may_be_asked_for_with_get(result):
    assert list(result.pairs) == [("good", "worse"), ("good", "worst"), ("worse", "worst")]
    assert len(result.pairs) == 3
    assert ("worst", "good") in result.pairs
    assert "good" not in result.pairs
    assert [list(metrics) for metrics in result.pairs.values()] == [["cer", "ser"]] * 3
    assert repr(result.pairs) == "<pairs: 'good', 'worse'; 'good', 'worst'; 'worse', 'worst'>"
    assert result.pairs.get(("good", "bad")) is None
    assert result.pairs.get("good", 0) == 0
    assert result.pairs.get(("good", "worse"))["cer"].verdict == "worse"


def test_the_chosen_baseline_stands_first():
    table = from_columns(REFERENCES, {"good": REFERENCES, "worse": WORSE})
    result = evaluate_table(table, baseline="worse", seed=1, statistics={"resamples": 99})
    assert list(result.pairs) == [("worse", "good")]


def test_one_system_has_no_pairs():
    result = evaluate(REFERENCES, {"worse": WORSE}, metrics="cer", seed=1)
    assert dict(result.pairs) == {}
    assert len(result.pairs_frame()) == 0
    assert result.systems["worse"]["cer"].counts["errors"] == LINES
    assert str(result).startswith("CER on texts (40 segments")
    with pytest.raises(NoResultError, match=r"a system is not compared with itself\. There are none\.$"):
        result.pairs["worse", "worse"]


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (("good", "bad"), UnknownNameError, r"^unknown system 'bad'\. There are: good, worse, worst\.$"),
        (("wors", "good"), UnknownNameError, r"^unknown system 'wors'\. Did you mean 'worst'\? There are"),
        (
            ("good", "good"),
            NoResultError,
            r"^the pair 'good', 'good' has no result: a system is not compared with itself\. There are: 'good', 'wor",
        ),
        ("good", InputTypeError, r"^pairs\['good'\]: expected the names of two systems, such as pairs\['a', 'b'\]\.$"),
        (("good",), InputTypeError, "expected the names of two systems"),
    ],
)
def test_what_is_not_a_pair_is_answered_in_one_line(result, names, error, message):
    with pytest.raises(error, match=message):
        result.pairs[names]


def test_an_unknown_metric_is_answered_with_the_metrics(result):
    for found in (result.pairs["good", "worse"], result.systems["good"]):
        with pytest.raises(
            UnknownNameError, match=r"unknown metric 'wer'\. Did you mean 'ser'\? There are: cer, ser\."
        ):
            found["wer"]


def test_pairs_against_the_baseline_alone_are_said_to_be_so():
    hypotheses = {"good": REFERENCES, "worse": WORSE, "worst": WORST}
    result = evaluate(REFERENCES, hypotheses, statistics={"pairs": "baseline", "resamples": 99}, seed=1)
    assert list(result.pairs) == [("good", "worse"), ("good", "worst")]
    assert result.pairs["worst", "good"]["cer"].difference < 0
    with pytest.raises(NoResultError, match=r"compared with the baseline 'good' alone .*There are: 'good', 'worse'; "):
        result.pairs["worse", "worst"]


def test_a_system_without_a_rate_is_said_to_have_none():
    hypotheses = {"good": REFERENCES, "silent": [""] * LINES}
    result = evaluate(REFERENCES, hypotheses, metrics=["cer", "token_density"], seed=1, statistics={"resamples": 99})
    assert result.systems["silent"]["token_density"].rate is None
    assert list(result.pairs["good", "silent"]) == ["cer"]
    message = r"metric 'token_density' has no result: one of the two systems has no rate\. There are: cer\."
    with pytest.raises(NoResultError, match=message):
        result.pairs["good", "silent"]["token_density"]
    only = evaluate(REFERENCES, hypotheses, metrics="token_density", seed=1, statistics={"resamples": 99})
    assert len(only.pairs) == 0
    with pytest.raises(NoResultError, match="the pair 'good', 'silent' has no result: one of the two systems has no"):
        only.pairs["good", "silent"]


RATES = Named("system", {"a": 1, "b": 2}, {"ears": "an audio engine on images"})


def test_names_lead_to_results_or_are_answered_with_the_names_or_the_reason():
    assert (RATES["a"], dict(RATES), len(RATES)) == (1, {"a": 1, "b": 2}, 2)
    assert repr(RATES) == "<systems: a, b>"
    with pytest.raises(UnknownNameError, match=r"^unknown system 'aa'\. Did you mean 'a'\? There are: a, b\.$"):
        RATES["aa"]
    message = r"^system 'ears' has no result: an audio engine on images\. There are: a, b"
    with pytest.raises(NoResultError, match=message):
        RATES["ears"]
    assert issubclass(UnknownNameError, LookupError)
    assert issubclass(NoResultError, LookupError)


@pytest.mark.parametrize("name", ["aa", "ears"])
def test_asking_whether_a_result_is_there_raises_nothing(name):
    assert name not in RATES
    assert RATES.get(name) is None
    assert RATES.get(name, 0) == 0
    assert RATES.get("a") == 1
