"""The line-level specification's record and its CSV."""

from __future__ import annotations

import csv
import io

import pytest

from misread.errors import InputTypeError, UndefinedResultError
from misread.metrics import evaluations_csv
from misread.spec import evaluate_prediction

HEADER = (
    "id,len_gt,len_pred,wer,cer,wer_norm,cer_norm,line_acc,line_acc_norm,rev_line_acc,rev_line_acc_norm,"
    "exact_line_precision,exact_line_recall,exact_line_f1,"
    "exact_line_precision_norm,exact_line_recall_norm,exact_line_f1_norm"
)


def test_the_header_is_that_of_the_specification() -> None:
    assert evaluations_csv([evaluate_prediction("a", "a", "x")]).splitlines()[0] == HEADER


def test_the_last_row_holds_the_means() -> None:
    text = evaluations_csv([evaluate_prediction("abcd", "abcd", "x"), evaluate_prediction("ab", "a", "y")])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["id"] for row in rows] == ["x", "y", "MACRO_AVG"]
    assert float(rows[-1]["cer"]) == pytest.approx(0.25)
    assert float(rows[-1]["len_gt"]) == 3.0


def test_raw_and_normalized_scores_stand_beside_each_other() -> None:
    result = evaluate_prediction("one  two\nthree", "one two\nthree", "x")
    assert (result.wer, result.wer_norm) == (0.0, 0.0)
    assert result.cer == pytest.approx(1 / 14)
    assert result.cer_norm == 0.0
    assert (result.line_acc, result.line_acc_norm) == (0.5, 1.0)
    assert (result.exact_line_f1, result.exact_line_f1_norm) == (0.5, 1.0)


def test_no_evaluation_is_no_mean() -> None:
    with pytest.raises(UndefinedResultError, match="no evaluation to write; give at least one"):
        evaluations_csv([])


def test_an_id_that_a_spreadsheet_would_compute_is_a_text_unless_ids_are_asked_for() -> None:
    evaluations = [evaluate_prediction("a", "a", "=1+1\n")]
    assert evaluations_csv(evaluations).splitlines()[1].startswith(r"'=1+1\n,1,1,")
    assert '\n"=1+1\n",1,1,' in evaluations_csv(evaluations, raw=True)


@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_a_side_that_is_not_a_text_is_named(side: str) -> None:
    with pytest.raises(InputTypeError, match=side):
        evaluate_prediction(**{"reference": "a", "hypothesis": "b", "id": "1", side: None})


def test_scores_are_read_by_name_as_well():
    result = evaluate_prediction("a b", "a c", "sample_001")
    assert result["wer"] == dict(result)["wer"] == result.wer == 0.5
