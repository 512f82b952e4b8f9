from dataclasses import replace

import pytest

from misread.stats import ConfidenceInterval
from misread.tables import ReportSettings, make_rate_table
from misread.tables.number_text import RateFormat, level_title, pvalue_text
from misread.tables.rates_layout import (
    MOST_SYSTEMS,
    lay_out_overview,
    lay_out_pairs,
    lay_out_rates,
    metric_title,
    size_text,
)


def by_system(table):
    return {row[0].text: row for row in table.cells}


def titles(table):
    return [column.plain for column in table.headings]


def texts(row):
    return [cell.plain for cell in row]


def test_the_dagger_is_exactly_on_those_not_significantly_different_from_the_best(make_paper, three):
    table = make_paper(three)
    daggers = {name: rate.footnote for name, (_, rate, *_) in by_system(table).items()}
    assert daggers == {"pero": "", "tesseract4": "†", "kraken": ""}
    # While there is such a one, the best is not bold.
    assert not any(cell.is_bold for row in table.cells for cell in row)


def test_systems_compared_with_the_baseline_alone_show_that_difference_and_no_dagger(make_paper, make_result):
    of = make_result({"a": 0.3, "b": 0.1, "c": 0.2})
    of = replace(of, comparisons=tuple(pair for pair in of.comparisons if {pair.baseline, pair.system} != {"b", "c"}))
    table = make_paper(of)
    assert not any(rate.footnote for _, rate, *_ in table.cells)
    assert "not significantly different from the best" not in " ".join(table.marks)
    assert not any("to best" in title for title in titles(table))
    differences = {name: row[-2].text for name, row in by_system(table).items()}
    assert (differences["a"], differences["b"][0], differences["c"][0]) == ("", "-", "-")
    assert table.verdict.startswith("b (by 20.00 points) and c (by 10.00 points) have significantly fewer ")


def test_the_best_is_bold_when_all_others_are_significantly_worse(make_paper, make_result):
    rows = by_system(make_paper(make_result({"a": 0.3, "b": 0.1, "c": 0.2})))
    assert {name: (row[0].is_bold, row[1].is_bold) for name, row in rows.items()} == {
        "a": (False, False),
        "b": (True, True),
        "c": (False, False),
    }


def test_one_system_is_not_bold_and_has_no_columns_of_comparison(make_paper, make_result):
    table = make_paper(make_result({"a": 0.1}))
    assert titles(table) == ["system", "CER %", "[95 %]", "S/D/I", "errors/N"]
    assert texts(table.cells[0]) == ["a", "10.00", "[9.00, 11.00]", "7/2/1", "10/2923"]
    assert not table.cells[0][0].is_bold


def test_a_row_has_a_cell_for_every_title_and_the_caption_says_on_how_much(make_paper, three):
    table = make_paper(three)
    assert {len(row) for row in table.cells} == {len(table.headings)} == {8}
    assert table.caption == "CER on books (60 segments, 2,923 characters). Lower is better."
    assert {len(record) for record in table.records} == {len(table.record_names)}


def test_without_intervals_the_header_and_a_sign_say_so(make_paper, make_result):
    table = make_paper(make_result({"a": 0.1, "b": 0.2}, with_interval=False))
    assert titles(table)[2] == "[no interval]"
    assert [row[2].plain for row in table.cells] == ["[--]", "[--]"]
    assert table.marks[-1].startswith("[--]: no interval")
    assert table.cells[1][5].plain == "+10.00 [--]"


def test_a_metric_without_counts_of_errors_has_no_columns_for_them(make_paper, make_result, make_rate):
    share = replace(make_rate(0.1), kind="share", counts={"wrong": 6, "compared": 60})
    assert titles(make_paper(make_result({"a": share}))) == ["system", "CER %", "[95 %]"]


def test_transpositions_have_a_letter_where_they_are_counted(make_paper, make_result, make_rate):
    of = make_rate(0.1)
    table = make_paper(make_result({"a": replace(of, counts={**of.counts, "transpositions": 4})}))
    assert titles(table)[3] == "S/D/I/T"
    assert table.cells[0][3].text == "7/2/1/4"


def test_columns_are_those_that_were_asked_for_in_their_order(make_paper, three):
    table = make_paper(three, columns=["segments", "baseline_pvalue", "baseline_difference"])
    assert titles(table) == ["system", "CER %", "n", "p to tesseract4", "Δ to tesseract4 [95 %]"]
    assert [texts(row) for row in table.cells] == [
        ["pero", "3.01", "60", "0.310", "-0.80 [-1.30, +0.20]"],
        ["tesseract4", "3.81†", "60", "", ""],
        ["kraken", "15.57", "60", "< 0.001", "+11.76 [+11.26, +12.76]"],
    ]


def test_rates_can_be_fractions(make_paper, three):
    table = make_paper(three, unit="fraction", digits=4)
    assert titles(table)[1] == "CER"
    assert texts(table.cells[1])[1:3] == ["0.0381†", "[0.0281, 0.0481]"]


@pytest.mark.parametrize(
    ("order", "systems"),
    [
        ("rate", ["pero", "tesseract4", "kraken"]),
        ("configured", ["tesseract4", "pero", "kraken"]),
        ("name", ["kraken", "pero", "tesseract4"]),
    ],
)
def test_systems_stand_in_the_order_that_was_asked_for(make_paper, three, order, systems):
    table = make_paper(three, order=order)
    assert list(by_system(table)) == systems
    assert by_system(table)["tesseract4"][1].footnote == "†"


def test_systems_without_result_are_named_below_and_warnings_with_all_notes(make_paper, make_table, make_result):
    result = make_result({"a": 0.1}, not_applicable={"ears": "the system reads audio"}, warnings=("Too few.",))
    without = "Without result: ears (the system reads audio)."
    assert make_paper(result).notes == ["Intervals: bootstrap over 12 clusters (page).", without]
    everything = lay_out_rates(make_table(result), ReportSettings(["cer"]), all_notes=True)
    assert everything.notes == ["Intervals: bootstrap over 12 clusters (page).", "Too few.", without]


def test_the_dagger_is_explained_where_it_occurs_only(make_paper, three, make_result):
    assert "†: not significantly different from the best." in make_paper(three).marks
    assert not make_paper(make_result({"a": 0.1, "b": 0.2})).marks


def test_a_table_in_which_no_rate_is_defined_still_names_its_systems(make_paper, make_result):
    table = make_paper(make_result({"a": None}))
    assert table.cells == []
    assert "Without result: a (rate undefined: every reference is empty)." in table.notes


def test_sizes_are_said_in_thousands_and_one_segment_in_the_singular():
    assert size_text(1) == "1 segment"
    assert size_text(2, 1, "word") == "2 segments, 1 word"
    assert size_text(4668, 222303, "character") == "4,668 segments, 222,303 characters"


def test_metrics_have_titles_for_people():
    assert [metric_title(name) for name in ("cer", "wer_raw", "line_accuracy")] == ["CER", "WER (raw)", "line accuracy"]


def test_a_p_value_is_never_shown_as_zero():
    assert [pvalue_text(p) for p in (1e-300, 0.0004, 0.00099999, 0.001, 0.0012)] == ["< 0.001"] * 3 + ["0.001"] * 2


def test_a_rate_has_the_digits_asked_for():
    assert [RateFormat(digits).rate(0.030149) for digits in (0, 1, 2, 3)] == ["3", "3.0", "3.01", "3.015"]


def test_a_difference_that_rounds_to_zero_has_no_sign():
    assert [RateFormat().difference(d) for d in (0.0, -0.00001, 0.00001, -0.0001, 0.038)] == [
        *("0.00", "0.00", "0.00", "-0.01", "+3.80")
    ]


def test_the_interval_of_a_difference_has_signs_and_that_of_a_rate_has_none():
    interval = ConfidenceInterval(low=-0.01, high=0.02, confidence=0.95, method="percentile")
    assert RateFormat(1).interval(interval, signed=True) == "[-1.0, +2.0]"
    assert RateFormat().interval(replace(interval, low=0.0187, high=0.0441)) == "[1.87, 4.41]"
    assert level_title(interval) == "[95 %]"
    assert RateFormat().interval(None) == ""


def matrix(result):
    return lay_out_pairs(result, make_rate_table(result, "cer", ReportSettings(["cer"], names={"pero": "PERO"})))


def test_pairs_are_read_in_both_directions(three):
    table = matrix(three)
    assert [column.title for column in table.headings] == ["", "PERO", "tesseract4", "kraken"]
    there, back = table.cells[2][1], table.cells[0][3]
    assert (there.plain, back.plain) == ("▲ +12.56 [+12.06, +13.56]", "▼ -12.56 [-13.56, -12.06]")
    assert (there.remark, back.remark) == ("worse, p = 0.012", "better, p = 0.012")
    assert there.link == "#dataset=books&filter=wrong%3Akraken%3Apero"
    assert table.cells[0][1].plain == ""


def test_two_systems_need_no_matrix(make_result):
    assert matrix(make_result({"a": 0.1, "b": 0.2})) is None


def test_of_many_systems_only_the_best_has_a_column(make_result):
    table = matrix(make_result({f"s{number}": 0.1 + number / 100 for number in range(MOST_SYSTEMS + 1)}))
    assert [column.title for column in table.headings] == ["", "s0"]


def test_every_system_has_a_row_in_each_data_set_and_names_are_said_once(three, make_result):
    maps = make_result({"pero": 0.1, "kraken": 0.2}, dataset="maps")
    table = lay_out_overview([three, maps], ReportSettings(["cer"], names={"maps": "Maps"}))
    assert [[cell.plain for cell in row] for row in table.cells] == [
        ["books", "CER", "pero", "3.01 [2.01, 4.01]", "0.310", "60"],
        ["", "", "tesseract4", "3.81† [2.81, 4.81]", "", "60"],
        ["", "", "kraken", "15.57 [14.57, 16.57]", "< 0.001", "60"],
        ["Maps", "CER", "pero", "10.00 [9.00, 11.00]", "", "60"],
        ["", "", "kraken", "20.00 [19.00, 21.00]", "< 0.001", "60"],
    ]
    assert table.notes == ["Baseline on books: tesseract4.", "Baseline on Maps: pero."]
    assert table.marks == ["†: not significantly different from the best."]
    assert next(record[:4] for record in table.records) == ("books", "cer", "pero", 0.0301)
    assert {len(record) for record in table.records} == {len(table.record_names)}
    bold = lay_out_overview([make_result({"a": 0.1, "b": 0.2})], ReportSettings(["cer"]))
    assert [(row[2].is_bold, row[3].is_bold) for row in bold.cells] == [(True, True), (False, False)]


def test_money_has_its_currency_in_the_title_and_other_numbers_have_none():
    from misread import evaluate

    text = evaluate(["a"], {"x": ["a b"]}, metrics=["token_cost", "chars_per_token", "cer"], seed=1).to_markdown()
    titles = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| system")]
    assert titles == ["token cost USD", "chars per token", "CER %"]


@pytest.mark.parametrize(("systems", "shown"), [(2, 0), (3, 2), (4, 3), (7, 6)])
def test_pairs_that_are_shown_and_those_that_are_tested_are_told_apart(make_paper, make_result, systems, shown):
    result = make_result({f"s{number}": 0.1 + 0.01 * number for number in range(systems)})
    notes = [note for note in make_paper(result).notes if "pairs shown" in note]
    pairs = systems * (systems - 1) // 2
    sentence = f"{shown} of {pairs} pairs shown; --pairs baseline (statistics.pairs) compares with one."
    assert notes == ([sentence] if shown else [])
