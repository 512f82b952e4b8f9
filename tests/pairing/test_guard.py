"""What the guard says of scored systems, refuses and leaves alone."""

import warnings

import pytest
from tests.pairing.test_check import REFERENCES, lines

from misread import evaluate, evaluate_frame
from misread.errors import PairingError, PairingWarning, UnknownNameError

SHIFTED = [*REFERENCES[1:], REFERENCES[0]]
SWAPPED = [REFERENCES[1], REFERENCES[0], *REFERENCES[2:]]
OPTIONS = {"metrics": ["cer"], "seed": 1, "statistics": {"resamples": 99}}


def test_another_pairing_of_all_is_refused_and_the_error_names_it_and_the_way_out():
    with pytest.raises(PairingError, match=r"x: 39 of 40 .* shifted by 1 segment .*that of 1 fits 2") as caught:
        evaluate(REFERENCES, {"x": SHIFTED}, **OPTIONS)
    assert caught.value.settings == ("datasets.texts.pairing",)
    assert "\n" not in str(caught.value)


def test_as_given_scores_it_and_stands_in_the_signature():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = evaluate(REFERENCES, {"x": SHIFTED}, pairing="as-given", **OPTIONS)
    assert result.systems["x"]["cer"].signature.facts["pairing"] == "as-given"
    assert result.pairing == {}


def test_a_doubt_is_a_warning_of_python_for_the_caller_and_the_first_of_the_result():
    with pytest.warns(PairingWarning, match="swapped") as caught:
        result = evaluate(REFERENCES, {"x": SWAPPED, "y": REFERENCES}, **OPTIONS)
    assert caught[0].filename == __file__
    assert result.warnings[0] == result.pairing["x"][0].sentence
    assert "x: 2 of 40 outputs may be paired with wrong references." in str(result)
    assert "pairing" not in result.systems["x"]["cer"].signature.facts
    frame = result.view("pairing")
    assert frame[["system", "fault", "segment_id", "fits"]].values.tolist() == [
        ["x", "swap", "1", "2"],
        ["x", "swap", "2", "1"],
    ]


def test_strict_refuses_any_doubt_and_an_unknown_rule_names_the_rules():
    with pytest.raises(PairingError, match="swapped"):
        evaluate(REFERENCES, {"x": SWAPPED}, pairing="strict", **OPTIONS)
    evaluate(REFERENCES, {"x": REFERENCES}, pairing="strict", **OPTIONS)
    with pytest.raises(UnknownNameError, match="as-given, checked, strict"):
        evaluate(REFERENCES, {"x": REFERENCES}, pairing="loose", **OPTIONS)


@pytest.mark.parametrize("metric", ["wer", "exact_line_f1", "ser"])
def test_it_looks_whatever_is_counted(metric):
    with pytest.raises(PairingError):
        evaluate(REFERENCES, {"x": SHIFTED}, metrics=[metric], seed=1)


def test_each_run_is_looked_at_and_named():
    with pytest.warns(PairingWarning, match="x, run b: 2 of 40"):
        evaluate(REFERENCES, {"x": {"a": REFERENCES, "b": SWAPPED}}, **OPTIONS)


def test_ids_are_told_from_the_texts_as_they_came():
    with_ids = [f"utt-{row:03} {text}" for row, text in enumerate(REFERENCES)]
    with pytest.warns(PairingWarning, match=r"x: all 40 texts begin with ids .* the first is utt-000.*format kaldi"):
        evaluate(with_ids, {"x": with_ids}, **OPTIONS)
    with pytest.raises(PairingError, match=r"Both sides begin with ids: .*format kaldi"):
        evaluate(with_ids, {"x": [*with_ids[1:], with_ids[0]]}, **OPTIONS)


def test_missing_and_empty_outputs_are_no_doubt():
    outputs = [None, "", *REFERENCES[2:]]
    result = evaluate(REFERENCES, {"x": outputs}, missing="empty", **OPTIONS)
    assert result.pairing == {}


def test_a_frame_takes_the_rule_too():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"truth": REFERENCES, "x": SHIFTED})
    with pytest.raises(PairingError):
        evaluate_frame(frame, reference="truth", systems=["x"], **OPTIONS)
    assert evaluate_frame(frame, reference="truth", systems=["x"], pairing="as-given", **OPTIONS).pairing == {}


def test_unrelated_references_are_no_reason_to_refuse():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PairingWarning)
        evaluate(REFERENCES, {"x": lines(9)}, **OPTIONS)
