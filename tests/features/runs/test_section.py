"""Tables of repeated runs, in the terminal, in files and on the page."""

import csv

import pytest

from misread.data import from_columns
from misread.evaluation import evaluate_table
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.page.page import render_page
from misread.sockets import lay_out_sections
from misread.tables import ReportSettings

REFERENCES = ["the quick", "brown fox", "jumps over", "the lazy dog"] * 3
READ = {
    "1": ["the quick", "brown fx", "jumps over", "the lazy dog"] * 3,
    "2": ["the quich", "brown fox", "jumps over", "the lasy dog"] * 3,
}
PAGES = [f"p{row // 2}" for row in range(12)]


@pytest.fixture(scope="module")
def result():
    table = from_columns(REFERENCES, {"one": REFERENCES, "m": READ}, clusters=PAGES, cluster_name="page")
    return evaluate_table(table, metrics=["cer"], seed=1, statistics={"resamples": 99}).result


def test_one_row_for_each_system_with_several_runs(result):
    runs, parts = lay_out_sections(result, ReportSettings(["cer"], names={"m": "Mistral"}))
    assert [[cell.plain for cell in row][:2] for row in runs.cells] == [["Mistral", "2"]]
    assert runs.cells[0][8].plain == "3/12"
    assert [row[1].text for row in parts.cells] == ["pages", "runs", "residual"]
    shares = [float(row[3].text) for row in parts.cells]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    assert any(note.startswith("Mistral: ") and "runs make" in note for note in runs.notes)


def test_records_have_the_unrounded_numbers(result):
    runs, parts = lay_out_sections(result, ReportSettings(["cer"]))
    of = result.sections["runs"]["cer"]["m"]
    (record,) = (dict(zip(runs.record_names, each, strict=True)) for each in runs.records)
    assert record["deviation_between_runs"] == of.deviation
    assert record["error_of_mean"] == of.variance.error
    assert (record["lowest"], record["highest"]) == (min(of.rates), max(of.rates))
    assert [dict(zip(parts.record_names, each, strict=True))["variance"] for each in parts.records] == list(
        of.variance.components.variances
    )


def test_without_repeated_runs_there_is_no_table(make_result):
    assert list(lay_out_sections(make_result({"a": 0.1}), ReportSettings(["cer"]))) == []


@pytest.mark.slow
def test_files_and_page_have_both_tables(result, tmp_path):
    run, settings = ReportInput([DatasetResults(comparison=result)]), ReportSettings(["cer"], figure_formats=[])
    rendered = write_report(run, settings, tmp_path)
    for stem in ("texts_cer_runs", "texts_cer_components"):
        assert (tmp_path / "tables" / f"{stem}.tex").is_file()
        assert list(csv.DictReader((tmp_path / "tables" / f"{stem}.csv").read_text().splitlines()))
    page = render_page(run, rendered, settings, tmp_path)
    assert "Repeated runs: CER" in page
    assert "What the error of one run comes from" in page
