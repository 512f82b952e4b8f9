import csv
import json

import pytest

from misread.report import ReportSettings, write_report
from misread.report.dvc_files import groups_csv, metrics_tree, rates_csv

SETTINGS = ReportSettings(["cer"], group_order={"degradation": ["clean", "light", "heavy"]})


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def written(tmp_path, grouped, make_result):
    write_report([grouped, make_result({"a": 0.1}, dataset="maps")], SETTINGS, tmp_path)
    return tmp_path


def numbers(tree):
    return [leaf for value in tree.values() for leaf in (numbers(value) if isinstance(value, dict) else [value])]


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def test_every_data_set_has_its_tables_and_figures(written):
    assert sorted(contents(written)) == [
        "figures/books_cer_by_degradation.pdf",
        "figures/books_cer_by_degradation.png",
        "figures/books_cer_by_degradation.svg",
        "figures/maps_cer.pdf",
        "figures/maps_cer.png",
        "figures/maps_cer.svg",
        "metrics.json",
        "plots/groups.csv",
        "plots/rates.csv",
        "tables/books_cer.csv",
        "tables/books_cer.html",
        "tables/books_cer.md",
        "tables/books_cer.tex",
        "tables/maps_cer.csv",
        "tables/maps_cer.html",
        "tables/maps_cer.md",
        "tables/maps_cer.tex",
    ]


def test_a_second_report_has_the_same_bytes(written, tmp_path_factory, grouped, make_result):
    again = tmp_path_factory.mktemp("again")
    write_report([grouped, make_result({"a": 0.1}, dataset="maps")], SETTINGS, again)
    assert contents(again) == contents(written)


def test_the_metrics_of_dvc_hold_numbers_only(written):
    leaves = numbers(json.loads((written / "metrics.json").read_text(encoding="utf-8")))
    assert leaves
    assert all(isinstance(leaf, int | float) and not isinstance(leaf, bool) for leaf in leaves)


def test_metrics_are_nested_by_data_set_system_and_metric(three):
    found = metrics_tree([three])["books"]["pero"]["cer"]
    assert found["micro"] == 0.0301
    assert list(found) == ["micro", "macro", "median", "low", "high", "segments"]


def test_an_undefined_number_is_left_out_of_the_metrics(make_result):
    assert metrics_tree([make_result({"a": None})])["books"]["a"]["cer"] == {"segments": 60}


def test_the_plot_of_rates_has_a_row_a_system(three):
    found = rows(rates_csv([three], SETTINGS))
    assert [(row["system"], row["rate"]) for row in found] == [
        ("tesseract4", "0.038100"),
        ("pero", "0.030100"),
        ("kraken", "0.155700"),
    ]


def test_the_plot_of_groups_has_a_row_a_group_and_system_in_their_order(grouped):
    found = rows(groups_csv([grouped], SETTINGS))
    assert [(row["group"], row["system"]) for row in found] == [
        (group, system) for group in ("clean", "light", "heavy") for system in ("pero", "kraken")
    ]


def test_without_groups_the_plot_of_groups_is_a_header(three):
    assert rows(groups_csv([three], SETTINGS)) == []


def test_an_undefined_rate_is_an_empty_cell_of_the_plot(make_result):
    assert rows(rates_csv([make_result({"a": None})], SETTINGS))[0]["rate"] == ""
