import csv
import math

import numpy as np
import pandas as pd
import pytest

from misread import evaluate
from misread.errors import ConfigurationError, InputValueError, OutputFileError
from misread.metrics.rates import cer

SCORED = ("cer", "wer")


def is_text(column):
    return all(isinstance(value, str) or value is None or value != value for value in column)


def test_segments_have_a_row_per_segment_and_system(frame, evaluate_lines):
    segments = evaluate_lines(groups=["page", "side"]).segments
    assert list(segments.columns[:6]) == ["segment_id", "page", "side", "system", "reference", "hypothesis"]
    assert segments["segment_id"].to_list() == frame["line"].to_list() * 3
    assert segments["page"].to_list() == frame["page"].to_list() * 3
    assert segments["side"].to_list() == frame["side"].to_list() * 3
    assert segments["system"].to_list() == ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    assert segments["hypothesis"].to_list() == [*frame["a"], *frame["b"], *frame["c"]]
    assert segments.index.to_list() == list(range(12))
    by_page = segments[segments["system"] == "b"].groupby("page")["cer_errors"].sum()
    assert by_page.to_dict() == {"p1": 19, "p2": 1, "p3": 0}


def test_rates_have_the_spread_of_their_segments(evaluate_lines):
    result = evaluate_lines()
    rates = result.to_frame().set_index(["system", "metric"])
    for system, lines in result.segments.groupby("system"):
        for metric in SCORED:
            row, segments = rates.loc[system, metric], lines[f"{metric}_rate"]
            assert row["standard_deviation"] == pytest.approx(segments.std())
            for percent in (5, 25, 50, 75, 95):
                assert row[f"percentile_{percent}"] == pytest.approx(segments.quantile(percent / 100))


@pytest.mark.parametrize("policy", ["empty", "drop"])
def test_rates_say_how_many_outputs_are_missing(frame, evaluate_lines, policy):
    frame.loc[[1, 3], "a"] = None
    result = evaluate_lines(frame, missing=policy)
    rates = result.to_frame().set_index(["system", "metric"])
    assert rates["missing"].to_dict() == {
        (system, metric): 2 * (system == "a") for system in "abc" for metric in SCORED
    }
    assert set(rates["failed"]) == {0}
    assert "missing" in str(result).replace("missing:", "")
    assert "missing" not in str(evaluate_lines(frame.dropna(), missing=policy)).replace("missing:", "")


def test_texts_of_segments_are_as_they_were_given(frame, evaluate_lines):
    segments = evaluate_lines(normalizer="lower").segments
    assert segments["reference"].to_list() == frame["ref"].to_list() * 3


@pytest.mark.parametrize("cluster", ["page", None])
def test_counts_of_segments_add_up_to_those_of_the_rates(evaluate_lines, cluster):
    metrics = ["cer", "wer", "ser", "exact_line_f1", "token_f1", "wil"]
    result = evaluate_lines(metrics=metrics, cluster=cluster)
    sums = result.segments.groupby("system").sum(numeric_only=True)
    for system, of in result.systems.items():
        for metric, rate in of.items():
            assert {name: sums.loc[system, f"{metric}_{name}"] for name in rate.counts} == rate.counts


def test_counts_add_up_where_segments_are_left_out(frame, evaluate_lines):
    frame.loc[1, "a"] = None
    frame.loc[2, "b"] = None
    result = evaluate_lines(frame, missing="drop")
    assert result.result.excluded == 2
    assert result.segments["segment_id"].to_list() == ["l10", "l1"] * 3
    errors = result.segments.groupby("system")["cer_errors"].sum()
    assert errors.to_dict() == {system: of["cer"].counts["errors"] for system, of in result.systems.items()}


def test_a_missing_hypothesis_stays_missing_in_its_row(frame, evaluate_lines):
    frame.loc[3, "a"] = None
    segments = evaluate_lines(frame, systems="a", missing="empty").segments
    assert segments["hypothesis"].isna().to_list() == [False, False, False, True]
    assert segments["cer_errors"].to_list()[3] == len("three")


def test_the_rate_of_a_segment_is_that_of_its_texts(frame, evaluate_lines):
    segments = evaluate_lines(systems="b").segments
    assert segments["cer_rate"].to_list() == [cer(*texts) for texts in zip(frame["ref"], frame["b"], strict=True)]


def test_a_rate_without_reference_is_nan():
    segments = evaluate(["", "one"], {"a": ["x", "one"]}, metrics="cer", seed=1).segments
    assert math.isnan(segments["cer_rate"][0])
    assert segments["cer_errors"].to_list() == [1, 0]


def test_a_frame_of_segments_is_a_new_one_each_time(evaluate_lines):
    result = evaluate_lines()
    segments = result.segments
    segments["cer_errors"] = 0
    assert result.segments["cer_errors"].sum() > 0


def test_a_group_with_the_name_of_another_column_is_refused(frame, evaluate_lines):
    for name in ("system", "cer_errors"):
        with pytest.raises(InputValueError, match=f"segments: {name!r} is the name of another column; rename"):
            evaluate_lines(frame.rename(columns={"side": name}), groups=[name]).segments  # noqa: B018
    with pytest.raises(InputValueError, match="clusters and a group are both called 'side'"):
        evaluate_lines(groups=["side"], cluster_name="side").segments  # noqa: B018


def test_columns_of_segments_have_their_types(evaluate_lines):
    segments = evaluate_lines(groups=["side"]).segments
    for name, column in segments.items():
        if name.endswith("_rate"):
            assert column.dtype == np.float64
        elif name.startswith(SCORED):
            assert column.dtype == np.int64
        else:
            assert is_text(column)


def test_rates_have_a_row_per_system_and_metric(evaluate_lines, many_pages):
    result = evaluate_lines(many_pages)
    rates = result.to_frame().set_index(["system", "metric"])
    assert list(rates.index) == [(system, metric) for system in "abc" for metric in SCORED]
    for (system, metric), row in rates.iterrows():
        rate = result.systems[system][metric]
        assert (row["rate"], row["low"], row["high"]) == (rate.rate, rate.interval.low, rate.interval.high)
        assert (row["macro"], row["median"], row["signature"]) == (rate.macro, rate.median, str(rate.signature))
        assert (row["segments"], row["exact_segments"]) == (rate.segments, rate.exact_segments)
        assert {name: row[name] for name in rate.counts} == rate.counts


def test_columns_of_rates_have_their_types(evaluate_lines):
    rates = evaluate_lines(metrics=["cer", "ser"]).to_frame()
    assert (rates[["rate", "low", "high", "macro", "median"]].dtypes == np.float64).all()
    assert (rates[["errors", "length", "wrong", "compared"]].dtypes == pd.Int64Dtype()).all()
    assert (rates[["segments", "exact_segments", "empty_references"]].dtypes == np.int64).all()
    assert rates["wrong"].isna().to_list() == [True, False] * 3
    assert all(is_text(rates[name]) for name in ("system", "metric", "signature"))


def test_an_undefined_rate_is_nan_in_the_frame():
    rates = evaluate(["", ""], {"a": ["one", ""]}, metrics="cer", seed=1).to_frame()
    assert rates[["rate", "low", "high"]].isna().all(axis=None)
    assert rates["rate"].dtype == np.float64


def test_pairs_have_a_row_per_pair_and_metric(evaluate_lines):
    result = evaluate_lines()
    pairs = result.pairs_frame().set_index(["baseline", "system", "metric"])
    assert len(pairs) == 6
    for (baseline, system, metric), row in pairs.iterrows():
        pair = result.pairs[baseline, system][metric]
        ends = (pair.interval.low, pair.interval.high) if pair.interval else (None, None)
        assert (row["difference"], *(None if np.isnan(row[name]) else row[name] for name in ("low", "high"))) == (
            pair.difference,
            *ends,
        )
        assert (row["pvalue"], row["verdict"]) == (pair.pvalue, pair.verdict)
        assert row["pvalue_raw"] == pair.tests[row["test"]].pvalue
        assert row["better"] + row["same"] + row["worse"] == 4


def test_columns_of_pairs_have_their_types_even_without_pairs(evaluate_lines):
    for result in (evaluate_lines(), evaluate_lines(systems="a")):
        pairs = result.pairs_frame()
        assert (pairs[["difference", "low", "high", "pvalue", "pvalue_raw"]].dtypes == np.float64).all()
        assert (pairs[["better", "same", "worse"]].dtypes == np.int64).all()


def test_parquet_is_read_as_it_was_written(evaluate_lines, tmp_path):
    result = evaluate_lines(groups=["side"])
    result.save_segments(tmp_path / "new" / "scores.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "new" / "scores.parquet"), result.segments)


def test_csv_has_the_same_numbers(evaluate_lines, tmp_path):
    result = evaluate_lines()
    result.save_segments(str(tmp_path / "scores.csv"))
    read = pd.read_csv(tmp_path / "scores.csv", keep_default_na=False)
    assert list(read.columns) == list(result.segments.columns)
    assert read["cer_errors"].to_list() == result.segments["cer_errors"].to_list()
    assert read["cer_rate"].astype(float).to_list() == pytest.approx(result.segments["cer_rate"].to_list(), abs=5e-7)
    assert read["hypothesis"].to_list() == result.segments["hypothesis"].to_list()


def test_no_text_of_csv_is_a_formula(tmp_path):
    formula = "=1+1"
    result = evaluate([formula], {formula: [formula]}, groups={formula: [formula]}, metrics="cer", seed=1)
    result.save_segments(tmp_path / "scores.csv")
    result.save_segments(tmp_path / "raw.csv", raw_csv=True)
    safe, raw = (list(csv.reader((tmp_path / name).open(newline=""))) for name in ("scores.csv", "raw.csv"))
    assert not [cell for row in safe for cell in row if cell.startswith("=")]
    assert safe[0][1] == f"'{formula}"
    assert raw[0][1] == raw[1][1] == formula


def test_a_missing_text_and_an_undefined_rate_are_empty_fields(tmp_path):
    result = evaluate(["", "one"], {"a": ["", None]}, missing="empty", metrics="cer", seed=1)
    result.save_segments(tmp_path / "scores.csv")
    rows = list(csv.DictReader((tmp_path / "scores.csv").open(newline="")))
    assert [row["cer_rate"] for row in rows] == ["", "1.000000"]
    assert [row["hypothesis"] for row in rows] == ["", ""]


@pytest.mark.parametrize("name", ["scores.xlsx", "scores", "scores.CSV.gz"])
def test_another_ending_is_answered_with_the_endings(evaluate_lines, tmp_path, name):
    with pytest.raises(ConfigurationError, match=r"segments are written as \.parquet or \.csv; choose one"):
        evaluate_lines().save_segments(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_left_as_it_was(evaluate_lines, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputFileError, match="is a file, not a folder"):
        evaluate_lines().save_segments(tmp_path / "file" / "scores.csv")
    assert (tmp_path / "file").read_text() == "mine"
