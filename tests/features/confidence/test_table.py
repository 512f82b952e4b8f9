import pytest

from misread.data import from_columns, with_annotations
from misread.evaluation import evaluate_table
from misread.report import DatasetResults, ReportInput
from misread.report.write import write_report
from misread.sockets import get_view
from misread.tables import ReportSettings, ViewInput


def made():
    texts = ["a b c", "d e f", "g h i"]
    wrong = ["a x c", "d e f", "g x i"]
    confidences = {"one": [[0.9, 0.2, 0.8]] * 3, "two": [0.5, 0.6, 0.7]}
    table = with_annotations(from_columns(texts, {"one": wrong, "two": texts}), {"confidence": confidences})
    return evaluate_table(table, metrics=["wer", "brier_score"], seed=1, statistics={"resamples": 99})


@pytest.mark.slow
def test_both_figures_are_drawn_and_are_the_same_every_time(tmp_path):
    source = ViewInput("books", made().scored, ReportSettings(["wer"], figure_formats=[]))
    for view in map(get_view, ("reliability", "review")):
        first = view.draw(source, tmp_path)
        assert [path.suffix for path in first] == [".svg"]
        before = [path.read_bytes() for path in first]
        assert [path.read_bytes() for path in view.draw(source, tmp_path)] == before


@pytest.mark.slow
def test_a_report_has_the_views_that_its_settings_name(tmp_path):
    of = made()
    run = ReportInput([DatasetResults(comparison=of.result, scored=of.scored)])
    views = ("reliability", "review", "punctuation")
    rendered = write_report(run, ReportSettings(["wer", "brier_score"], views=views, figure_formats=[]), tmp_path)
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"texts_reliability.csv", "texts_review.tex"} <= names
    # Nothing to show is no table.
    assert "texts_punctuation.csv" not in names
    assert {path.stem for path in rendered["texts"].figures} >= {"texts_reliability", "texts_review"}


def test_targets_of_a_review_stand_in_its_name():
    evaluation = made()
    assert evaluation.view("review(targets=[0.2,0.125])")["target"].tolist() == [0.2, 0.125]
    assert evaluation.view("review")["target"].tolist()[:2] == [0.2, 0.1]
