import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.report.timings import make_timings

from misread.data.segment_table import Origin
from misread.engines.prices import ModelPrice
from misread.errors import ConfigurationError, UnknownNameError
from misread.features.regimes.ablation import AblatedRate, AblationResult
from misread.features.regimes.shown_results import NormalizersShown
from misread.metrics import Direction
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.provenance.signature import Signature
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.dvc_files import groups_csv, metrics_tree, rates_csv
from misread.stats.compare.groups import fairness_of_groups
from misread.tables import ReportSettings

pytestmark = pytest.mark.slow

SETTINGS = ReportSettings(
    ["cer"], degradation=["degradation"], group_order={"degradation": ["clean", "light", "heavy"]}
)
FOR_THE_PAGE = replace(SETTINGS, figure_formats=[])


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def written(tmp_path_factory, grouped, make_result):
    folder = tmp_path_factory.mktemp("written")
    write_report(run_of(grouped, make_result({"a": 0.1}, dataset="maps")), SETTINGS, folder)
    return folder


def run_of(*comparisons, **further):
    return ReportInput([DatasetResults(comparison=of, **further) for of in comparisons])


def test_tests_and_the_spread_of_segments_have_files_where_columns_name_them(tmp_path, three, make_result):
    test = replace(three.comparisons[0].tests["bootstrap"], pvalue_adjusted=0.5)
    pairs = tuple(replace(pair, tests={**pair.tests, "sign": test}) for pair in three.comparisons)
    settings = replace(FOR_THE_PAGE, columns=["interval", "sign", "spread"])
    rendered = write_report(
        run_of(replace(three, comparisons=pairs), make_result({"a": 0.1}, dataset="maps")), settings, tmp_path
    )
    stems = [table.stem for table in rendered["books"].tables]
    assert stems == ["books_cer", "books_cer_spread", "books_cer_tests"]
    assert [table.stem for table in rendered["maps"].tables] == ["maps_cer", "maps_cer_spread"]
    assert {row["sign_pvalue_adjusted"] for row in rows((tmp_path / "tables/books_cer_tests.csv").read_text())} == {
        "0.500000"
    }


def test_tokens_and_money_have_a_table_and_a_figure_that_the_page_shows(tmp_path, three):
    measured = {
        system: make_timings(Origin("books", system), 0.5, input_tokens=[tokens], output_tokens=[1], attempts=[2])
        for system, tokens in (("pero", 100), ("kraken", 10), ("tesseract4", 0))
    }
    price = ModelPrice(usd_per_1000_tokens=1.0, usd_per_1000_output_tokens=0.0, date="2026-03-01", source="a list")
    run = run_of(three, timings=measured, prices={"pero": price, "kraken": price})
    rendered = write_report(run, FOR_THE_PAGE, tmp_path)["books"]
    assert [table.stem for table in rendered.tables] == ["books_cer", "books_cost"]
    assert tmp_path / "figures/books_cer_by_cost.svg" in rendered.figures
    costs = {row["system"]: row["usd"] for row in rows((tmp_path / "tables/books_cost.csv").read_text())}
    assert costs == {"pero": "0.100000", "kraken": "0.010000", "tesseract4": ""}


def test_a_level_that_no_data_set_has_is_refused_before_anything_is_written(tmp_path, grouped, make_group, make_result):
    further = make_result({"pero": 0.02}, {}, {"degradation": {"torn": {"pero": {"cer": make_group(0.02)}}}})
    settings = replace(SETTINGS, group_order={"degradation": ["clean", "torn", "hevy"]})
    with pytest.raises(UnknownNameError, match=r"level 'hevy' in report\.group_order.* clean, heavy, light, torn\."):
        write_report(run_of(grouped, replace(further, dataset="maps")), settings, tmp_path)
    assert not list(tmp_path.iterdir())


def numbers(tree):
    return [leaf for value in tree.values() for leaf in (numbers(value) if isinstance(value, dict) else [value])]


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def test_every_data_set_has_its_tables_and_figures(written):
    figures = ("books_cer_by_degradation", "books_cer_differences", "books_cer_robustness_degradation", "maps_cer")
    tables = ("books_cer", "books_cer_by_degradation", "books_cer_fairness_degradation", "maps_cer", "overview")
    endings = ("csv", "html", "md", "signature.json", "tex")
    assert sorted(contents(written)) == sorted(
        [
            "metrics.json",
            "plots/groups.csv",
            "plots/rates.csv",
            *(f"figures/{stem}.{ending}" for stem in figures for ending in ("pdf", "png", "svg")),
            *(f"tables/{stem}.{ending}" for stem in tables for ending in endings),
        ]
    )


def test_figures_have_the_formats_that_are_asked_for_and_the_one_of_the_page(tmp_path, make_result):
    write_report(run_of(make_result({"a": 0.1})), replace(SETTINGS, figure_formats=["png"]), tmp_path)
    assert {Path(name).suffix for name in contents(tmp_path) if name.startswith("figures/")} == {".svg", ".png"}


def test_what_was_timed_and_ablated_has_tables_of_its_own(tmp_path, make_result):
    origin = Origin("books", "a", "0123456789")
    timings = {name: make_timings(origin, 0.1, 0.2) for name in ("a", "b")}
    rates = {"none": {"cer": AblatedRate(micro=0.1, signature=Signature.parse("cer|unit:char|norm:none|v:1"))}}
    ablations = [AblationResult(dataset="books", system=name, rates=rates) for name in ("a", "b")]
    write_report(
        run_of(make_result({"a": 0.1, "b": 0.2}), further=[NormalizersShown("books", ablations)], timings=timings),
        FOR_THE_PAGE,
        tmp_path,
    )
    assert {"speed/books_latency.md", "speed/books_cer_by_latency.svg", "tables/books_cer_normalizers.md"} <= set(
        contents(tmp_path)
    )


def test_a_second_report_has_the_same_bytes(written, tmp_path_factory, grouped, make_result):
    again = tmp_path_factory.mktemp("again")
    write_report(run_of(grouped, make_result({"a": 0.1}, dataset="maps")), SETTINGS, again)
    assert contents(again) == contents(written)


def test_the_metrics_of_dvc_hold_numbers_only(tmp_path, grouped):
    write_report(run_of(grouped), FOR_THE_PAGE, tmp_path)
    leaves = numbers(json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8")))
    assert leaves
    assert all(isinstance(leaf, int | float) and not isinstance(leaf, bool) for leaf in leaves)


def test_metrics_are_nested_by_data_set_system_and_metric_without_undefined_numbers(three, make_result):
    assert metrics_tree([three])["books"]["pero"]["cer"] == 0.0301
    assert metrics_tree([make_result({"a": None})])["books"]["a"] == {}


def test_the_plot_of_rates_has_a_row_a_system_and_an_empty_cell_for_an_undefined_rate(three, make_result):
    rates = [(row["system"], row["rate"]) for row in rows(rates_csv([three], SETTINGS))]
    assert rates == [("tesseract4", "0.038100"), ("pero", "0.030100"), ("kraken", "0.155700")]
    assert rows(rates_csv([make_result({"a": None})], SETTINGS))[0]["rate"] == ""


def test_the_plot_of_groups_has_a_row_a_group_and_system_in_their_order(grouped, three):
    groups = [(row["group"], row["system"]) for row in rows(groups_csv([grouped], SETTINGS))]
    assert groups == [(group, system) for group in ("clean", "light", "heavy") for system in ("pero", "kraken")]
    assert rows(groups_csv([three], SETTINGS)) == []


def test_confusions_have_tables_and_a_heat_map_for_every_system(tmp_path, make_result):
    confusions = Confusions(["O"], ["0"], [2])
    facts = {"errors": 2, "length": 9, "signature": "cer|unit:char"}
    found = ConfusionTable(
        Origin("books", "a"),
        {"character": confusions, "word": confusions},
        {"characters": {**facts, "unit": "char"}, "words": {**facts, "unit": "word"}},
        {"character": {"O": 4}},
    )
    write_report(run_of(make_result({"a": 0.1}), confusions={"a": found}), SETTINGS, tmp_path)
    assert {
        *(f"tables/books_confused_{level}.{ending}" for level in ("characters", "words") for ending in ("tex", "csv")),
        *(f"figures/books_confusions_a.{ending}" for ending in ("pdf", "png", "svg")),
    } <= set(contents(tmp_path))


COLUMN = "../../col|umn\n\x1b[2J"
LEVEL = "\u202e=cmd|'/C'!A0`<b>\r"


@pytest.fixture
def hostile(grouped):
    """A column that would leave the folder, a level and names that would act on what shows them."""
    return with_levels(grouped, COLUMN, (LEVEL, "b"))


def with_levels(grouped, column, levels):
    (of_column,) = grouped.groups.values()
    groups = dict.fromkeys(levels, next(iter(of_column.values())))
    spread = fairness_of_groups(groups, "cer", direction=Direction.LOWER_IS_BETTER, has_band=True)
    return replace(grouped, groups={column: groups}, fairness={column: {"cer": spread}})


def write_hostile(folder, hostile):
    made = ReportSettings(["cer"], degradation=[COLUMN], names={"pero": "\x1b[31mPE\nRO$x$"}, figure_formats=["png"])
    write_report(run_of(hostile), made, folder)
    return contents(folder)


def test_no_name_leaves_the_folder_or_reaches_a_file_raw(tmp_path, hostile):
    folder = tmp_path / "a" / "b" / "reports"
    files = write_hostile(folder, hostile)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and folder not in path.parents] == []
    assert sum(name.startswith("tables/books_cer_by_col-umn") for name in files) == 5
    assert sum(name.startswith("figures/books_cer_by_col-umn") for name in files) == 2
    assert sum(name.startswith("figures/books_cer_robustness_col-umn") for name in files) == 2
    for name, content in files.items():
        if not name.endswith((".pdf", ".png", ".json")):
            assert not set("\x1b\r\u202e") & set(content.decode()), name
    for name in ("tables/books_cer.signature.json", "metrics.json"):
        assert json.loads(files[name])


def test_no_field_of_a_csv_is_a_formula_unless_texts_are_asked_for(tmp_path, hostile):
    hostile = with_levels(hostile, "level", ("=1+1", "-5"))
    for raw, expected in ((False, "'=1+1"), (True, "=1+1")):
        write_report(run_of(hostile), ReportSettings(["cer"], raw_csv=raw, figure_formats=[]), tmp_path)
        for path in ("tables/books_cer_by_level.csv", "plots/groups.csv"):
            assert {row["group"] for row in rows((tmp_path / path).read_text())} == {expected, "-5"}


def test_two_tables_that_would_be_one_file_are_refused(tmp_path, make_result):
    of = make_result({"a": 0.1})
    systems = {"a": dict.fromkeys(("cer_wer", "wer"), of.systems["a"]["cer"])}
    ranking = dict.fromkeys(systems["a"], of.ranking["cer"])
    results = [replace(of, dataset=dataset, systems=systems, ranking=ranking) for dataset in ("d", "d_cer")]
    said = r"two tables would be written to d_cer_wer: 'cer wer on d .* and 'WER on d_cer .*; rename a data set"
    with pytest.raises(ConfigurationError, match=said):
        write_report(run_of(*results), ReportSettings(["cer_wer", "wer"]), tmp_path)
