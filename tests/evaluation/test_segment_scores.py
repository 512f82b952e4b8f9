import csv

import pandas as pd
import pytest

from misread import evaluate
from misread.errors import ConfigurationError, OutputFileError


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
