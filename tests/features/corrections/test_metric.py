import numpy as np
import pytest

from misread.data import TableColumns, from_columns, read_table, with_annotations
from misread.errors import InputFileError, InputValueError
from misread.evaluation import evaluate_table
from misread.metrics import ScoredText
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS, lay_out_views
from misread.tables import ReportSettings, ViewInput
from misread.tally import ScoredSystem

NAMES = ("error_reduction", "corrected_words", "damaged_words", "improved_segments", "worsened_segments")
REFERENCES = ["the old cat", "sat on it", "all day"]
OCR = ["thc old cat", "sat on it", "a11 dav"]
CORRECTED = ["the old cat", "sits on it", "all dav"]


def counts(references=REFERENCES, ocr=OCR, corrected=CORRECTED):
    metric = METRICS["error_reduction"]
    found = metric.count(ScoredText(references, corrected, annotations={"ocr": ocr})).sum(axis=0)
    return dict(zip(metric.columns, found.tolist(), strict=True))


def rates(references=REFERENCES, ocr=OCR, corrected=CORRECTED):
    texts = ScoredText(references, corrected, annotations={"ocr": ocr})
    return {name: float(METRICS[name].rate(METRICS[name].count(texts).sum(axis=0))) for name in NAMES}


def test_segments_characters_and_words_are_counted_before_and_after_and_shares_follow():
    sums = counts()
    assert (sums["improved"], sums["worsened"], sums["same"]) == (2, 1, 0)
    assert (sums["errors_before"], sums["errors_after"]) == (4, 3)
    assert (sums["corrected"], sums["left_wrong"], sums["damaged"], sums["kept"]) == (2, 1, 1, 4)
    assert rates() == pytest.approx(dict(zip(NAMES, (1 / 4, 2 / 3, 1 / 5, 2 / 3, 1 / 3), strict=True)))


def test_nothing_changed_is_no_reduction_and_more_errors_are_below_0():
    assert rates(corrected=OCR)["error_reduction"] == 0
    assert rates(["a"], ["b"], ["xyz"])["error_reduction"] == -2
    assert np.isnan(rates(["a"], ["a"], ["a"])["error_reduction"])


def test_a_segment_without_the_text_before_is_refused_by_name():
    with pytest.raises(InputValueError, match="segment 2 has None as the text that was corrected"):
        counts(ocr=["a", None, "b"])


def test_negative_scores_can_be_compared_by_group():
    table = from_columns(["ab", "cd"] * 4, {"a": ["xyz", "cd"] * 4}, groups={"kind": ["x", "y"] * 4})
    table = with_annotations(table, {"ocr": ["ax", "cx"] * 4})
    made = evaluate_table(table, metrics="error_reduction", seed=1, statistics={"resamples": 99})
    assert made.result.groups["kind"]["x"]["a"]["error_reduction"].micro == -2
    assert made.result.fairness["kind"]["error_reduction"]["a"].range == 3


def test_errors_before_are_those_published_and_the_view_shows_the_balance(shared_data):
    path = shared_data / "repeated_runs" / "lines.jsonl"
    table = read_table(
        path, TableColumns(reference="ref", segment_id=["page", "line"], cluster="page", ocr="ocr"), {"run1": "run1"}
    )
    scored = ScoredSystem(normalize(table.captures()["run1"], get_normalizer("none")), [METRICS["error_reduction"]])
    total = scored.scores.counts["error_reduction"].row(0)
    sums = dict(zip(total, scored.scores.counts["error_reduction"].total.tolist(), strict=True))
    characters = sum(map(len, table.references))
    assert f"{sums['errors_before'] / characters:.4f}" == "0.1038"
    assert f"{sums['errors_after'] / characters:.4f}" == "0.0357"
    assert sums["improved"] + sums["worsened"] + sums["same"] == 522
    (table,) = lay_out_views(ViewInput("lines", {"run1": scored}, ReportSettings(["error_reduction"])), ["corrections"])
    assert table.named_records == [{"dataset": "lines", "system": "run1", **sums}]


def test_a_column_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "lines.csv"
    path.write_text("ref,a,ocr\nx,x,x\n", encoding="utf-8")
    assert read_table(path, TableColumns(reference="ref", ocr="ocr"), {"a": "a"}).annotations == {"ocr": ["x"]}
    with pytest.raises((InputFileError, LookupError), match="ocr2"):
        read_table(path, TableColumns(reference="ref", ocr="ocr2"), {"a": "a"})


@pytest.mark.parametrize(
    ("name", "unit"), [("error_reduction", "char"), ("corrected_words", "word"), ("improved_segments", "segment")]
)
def test_its_signature_says_what_is_counted(name, unit):
    assert METRICS[name].facts("lower")["unit"] == unit
