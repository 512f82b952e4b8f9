"""Reports of specifications beside rates, by command."""

import csv
import io

import pytest

from misread import evaluate
from misread.errors import ConfigurationError
from misread.features.specifications import report_standards
from misread.spec import evaluate_prediction, evaluations_csv


@pytest.fixture
def files(tmp_path):
    """A file of references, one with other spaces and another letter, and one that lacks nothing."""
    texts = {"gold.txt": "a b\nc\n", "one.txt": "a  b\nd\n", "two.txt": "a b\nc\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in texts]


def test_the_csv_of_lines_is_printed_alone_and_is_that_of_python(misread, files):
    done = misread("score", *files[:2], "--report", "evaluation_lines", "--output", "csv", "--normalizer", "lower")
    evaluations = [evaluate_prediction("a b", "a  b", "1"), evaluate_prediction("c", "d", "2")]
    assert done.out == evaluations_csv(evaluations)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert (len(rows[0]), rows[-1]["id"], rows[-1]["wer"]) == (17, "MACRO_AVG", "0.5")


def test_the_report_of_lines_stands_below_the_rates_and_in_the_json(misread, files):
    assert "\nid,len_gt,len_pred,wer" in misread("score", *files[:2], "--report", "evaluation_lines").out
    (first, _) = misread("score", *files[:2], "--report", "evaluation_lines", "--output", "json").json[
        "evaluation_lines"
    ]
    assert (first["id"], first["cer"], first["cer_norm"]) == ("1", 1 / 3, 0)


def test_several_systems_have_no_column_and_are_refused(misread, files):
    done = misread("score", *files, "--report", "evaluation_lines", "--output", "csv")
    assert (done.status, "there are 2: its CSV has no column for them" in done.err) == (1, True)


def test_ids_are_always_written_for_spreadsheets(misread, tmp_path):
    (tmp_path / "lines.csv").write_text("id,r,h\n=1+1,a,a\n", encoding="utf-8")
    table = ("--table", str(tmp_path / "lines.csv"), "--segment-id", "id", "--ref", "r", "--hyp", "x=h")
    asked = ("score", *table, "--report", "evaluation_lines", "--output", "csv")
    assert "\n'=1+1,1," in misread(*asked).out
    assert "--raw-csv is for rates and views, not for --report." in misread(*asked, "--raw-csv").err


@pytest.mark.parametrize(("missing", "ids"), [("empty", ["1", "2"]), ("drop", ["1"])])
def test_a_missing_text_is_empty_or_left_out(misread, tmp_path, missing, ids):
    (tmp_path / "lines.jsonl").write_text('{"r": "a", "h": "a"}\n{"r": "b", "h": null}\n', encoding="utf-8")
    table = ("--table", str(tmp_path / "lines.jsonl"), "--ref", "r", "--hyp", "x=h", "--missing", missing)
    out = misread("score", *table, "--report", "evaluation_lines", "--output", "csv").out
    assert [row["id"] for row in csv.DictReader(io.StringIO(out))] == [*ids, "MACRO_AVG"]


def test_words_and_published_rates_stand_below_the_rates(misread, files):
    out = misread("score", *files, "--report", "standards").out
    assert any(line.split() == ["one", "50.00", "33.33", "Very", "Poor"] for line in out.splitlines())
    assert any(line.split() == ["two", "0.00", "0.00", "Excellent"] for line in out.splitlines())
    assert any(line.split() == ["IAM", "English", "2.5–3.5", "6–9"] for line in out.splitlines())
    assert "nothing of it was measured here" in " ".join(out.split())


def test_words_and_published_rates_are_in_the_json(misread, files):
    content = misread("score", *files, "--report", "standards", "--output", "json").json["standards"]
    assert {row["system"]: row["quality"] for row in content["quality"]} == {"one": "Very Poor", "two": "Excellent"}
    assert content["standards"][-1] == {
        "dataset": "CVL",
        "language": "German",
        "cer": [0.02, 0.04],
        "wer": [0.07, 0.12],
    }


def test_words_need_a_rate_of_characters():
    scored = evaluate(["a"], {"x": ["a"]}, metrics=["wer"], seed=1).scored
    with pytest.raises(ConfigurationError, match="has words for the CER, which was not counted"):
        report_standards(scored)
