"""Tables of seconds, tokens and US dollars that were recorded with outputs, summed by hand."""

import pandas as pd
import pytest

from misread.data import from_columns, from_frame, with_annotations
from misread.errors import ConfigurationError, InputTypeError, InputValueError, UnknownNameError
from misread.evaluation import evaluate_table
from misread.evaluation.texts import evaluate_frame

FRAME = pd.DataFrame(
    [
        {"id": key, "ref": key, "model": model, "run": run, "read": key, "s": seconds, "usd": usd, "out": tokens}
        for key, model, run, seconds, usd, tokens in (
            *(("x", "big", 1, 1.0, 0.25, 10), ("x", "big", 2, 3.0, 0.25, 30)),
            *(("y", "big", 1, 2.0, 0.25, 20), ("y", "big", 2, 2.0, 0.25, 20)),
            *(("x", "small", 1, 0.5, 0.125, None), ("y", "small", 1, None, None, 7)),
        )
    ]
)
COLUMNS = {"reference": "ref", "hypothesis": "read", "system": "model", "run": "run", "segment_id": "id"}
MEASURED = {"latency_seconds": "s", "usd": "usd", "output_tokens": "out"}


@pytest.fixture(scope="module")
def result():
    return evaluate_table(from_frame(FRAME, **COLUMNS, measured=MEASURED), seed=1)


def test_latencies_are_those_of_all_runs(result):
    table = result.view("latency").set_index("system")
    assert table["segments"].to_dict() == {"big": 4, "small": 1}
    assert table["mean_ms"].to_dict() == {"big": 2000.0, "small": 500.0}
    assert table["segments_per_second"].to_dict() == {"big": 0.5, "small": 2.0}
    # As good, and faster.
    assert table["error"].to_dict() == {"big": 0.0, "small": 0.0}
    assert table["dominated_by"]["big"] == "small"
    assert pd.isna(table["dominated_by"]["small"])


def test_tokens_and_costs_are_sums_and_a_cost_that_is_not_known_makes_no_sum(result):
    table = result.view("cost").set_index("system")
    assert table["output_tokens"].to_dict() == {"big": 80, "small": 7}
    assert table["usd"]["big"] == 1.0
    assert table["usd_per_1000_readings"]["big"] == 250.0
    assert pd.isna(table["usd"]["small"])


def test_tables_say_that_they_were_recorded(result):
    assert "Recorded elsewhere" in result.lay_out_view("latency").notes[0]
    assert len(result.lay_out_view("latency").notes) == 1
    assert "recorded with the outputs" in result.lay_out_view("cost").notes[0]


def test_there_is_nothing_to_show_where_nothing_was_recorded():
    result = evaluate_table(from_columns(["x"], {"a": ["x"]}), seed=1)
    assert result.lay_out_view("latency") is None
    assert result.lay_out_view("cost") is None


@pytest.mark.parametrize("value", [-1.0, "1", True, float("inf")])
def test_an_annotation_that_is_no_amount_is_refused(value):
    table = with_annotations(from_columns(["x"], {"a": ["x"]}), {"latency_seconds": {"a": [value]}})
    with pytest.raises(InputValueError, match=r"segment '1' has .* as latency_seconds, expected a number, 0 or more"):
        evaluate_table(table, seed=1).lay_out_view("latency")


def test_a_frame_is_evaluated_with_what_its_rows_took(result):
    direct = evaluate_frame(FRAME, **COLUMNS, measured=MEASURED, seed=1)
    for view in ("latency", "cost"):
        pd.testing.assert_frame_equal(direct.view(view), result.view(view))
    assert direct.result == result.result


def test_what_is_no_measure_is_answered_with_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"unknown measure 'latency' in measured\. .*latency_seconds"):
        evaluate_frame(FRAME, **COLUMNS, measured={"latency": "s"}, seed=1)
    with pytest.raises(InputTypeError, match=r"measured is of type str, expected columns by what they measure\."):
        evaluate_frame(FRAME, **COLUMNS, measured="s", seed=1)
    with pytest.raises(InputValueError, match=r"row 0: column 's' holds 'soon', expected a number, 0 or more\."):
        evaluate_frame(FRAME.assign(s="soon"), **COLUMNS, measured=MEASURED, seed=1)


def test_columns_of_a_wide_frame_are_of_no_one_system():
    with pytest.raises(ConfigurationError, match="measured needs system: it is about rows with one system each"):
        from_frame(FRAME, reference="ref", systems="read", measured={"usd": "usd"})
