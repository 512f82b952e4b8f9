from misread.report.cells import caption, columns, header, make_cells, metric_title, notes
from misread.report.numbers import interval_text, per_cent, pvalue_text, signed_points


def by_system(table):
    return {row.name: row for row in make_cells(table)}


def test_the_dagger_is_exactly_on_those_not_separated_from_the_best(make_table, three):
    assert {name: row.has_dagger for name, row in by_system(make_table(three)).items()} == {
        "pero": False,
        "tesseract4": True,
        "kraken": False,
    }


def test_the_best_is_not_bold_while_one_is_not_separated(make_table, three):
    assert not any(row.is_bold for row in make_cells(make_table(three)))


def test_the_best_is_bold_when_all_others_are_separated(make_table, make_result):
    cells = by_system(make_table(make_result({"a": 0.3, "b": 0.1, "c": 0.2})))
    assert {name: row.is_bold for name, row in cells.items()} == {"a": False, "b": True, "c": False}


def test_one_system_is_not_bold(make_table, make_result):
    assert not make_cells(make_table(make_result({"a": 0.1})))[0].is_bold


def test_one_system_has_no_columns_of_comparison(make_table, make_result):
    table = make_table(make_result({"a": 0.1}))
    assert header(table) == ["system", "CER %", "[95 %]", "S/D/I", "errors/N"]
    assert columns(make_cells(table)[0], table) == ["a", "10.00", "[9.00, 11.00]", "7/2/1", "10/2923"]


def test_a_row_has_a_cell_for_every_title(make_table, three):
    table = make_table(three)
    assert {len(columns(row, table)) for row in make_cells(table)} == {len(header(table))} == {7}


def test_without_intervals_the_header_says_so_and_cells_are_empty(make_table, make_result):
    table = make_table(make_result({"a": 0.1, "b": 0.2}, with_interval=False))
    assert header(table)[2] == "[no interval]"
    assert [row.interval for row in make_cells(table)] == ["", ""]
    assert columns(make_cells(table)[1], table)[5] == "+10.00"


def test_a_metric_without_counts_of_errors_has_no_columns_for_them(make_table, make_result):
    of = make_result({"a": 0.1})
    for name in ("errors", "length", "substitutions", "deletions", "insertions"):
        del of["systems"]["a"]["cer"][name]
    table = make_table(of)
    assert header(table) == ["system", "CER %", "[95 %]"]
    assert len(columns(make_cells(table)[0], table)) == 3


def test_the_caption_says_what_on_what_and_how_much(make_table, three):
    assert caption(make_table(three)) == "CER on books (60 segments, 2,923 characters). Lower is better."


def test_systems_without_result_are_named_below(make_table, make_result):
    of = make_result({"a": 0.1}, not_applicable={"ears": "the system reads audio"})
    assert "Without result: ears (the system reads audio)." in notes(make_table(of))


def test_the_dagger_is_explained_where_it_occurs_only(make_table, three, make_result):
    assert "†: not separated from the best." in notes(make_table(three))
    assert not any("†" in note for note in notes(make_table(make_result({"a": 0.1, "b": 0.2}))))


def test_warnings_are_among_the_notes(make_table, make_result):
    assert "Too few." in notes(make_table(make_result({"a": 0.1}, warnings=["Too few."])))


def test_a_table_in_which_no_rate_is_defined_still_names_its_systems(make_table, make_result):
    table = make_table(make_result({"a": None}))
    assert make_cells(table) == []
    assert "Without result: a (rate undefined: every reference is empty)." in notes(table)


def test_metrics_have_titles_for_people():
    assert [metric_title(name) for name in ("cer", "wer_raw")] == ["CER", "WER (raw)"]


def test_a_p_value_is_never_shown_as_zero():
    assert [pvalue_text(p) for p in (1e-300, 0.0004, 0.00099999, 0.001, 0.0012)] == ["< 0.001"] * 3 + ["0.001"] * 2


def test_a_rate_has_the_digits_asked_for():
    assert [per_cent(0.030149, digits) for digits in (0, 1, 2, 3)] == ["3", "3.0", "3.01", "3.015"]


def test_a_difference_that_rounds_to_zero_has_no_sign():
    assert [signed_points(d, 2) for d in (0.0, -0.00001, 0.00001, -0.0001)] == ["0.00", "0.00", "0.00", "-0.01"]


def test_the_interval_of_a_difference_has_signs():
    interval = {"low": -0.01, "high": 0.02, "confidence": 0.95, "method": "percentile"}
    assert interval_text(interval, 1, signed=True) == "[-1.0, +2.0]"


def test_no_interval_is_no_text():
    assert interval_text(None, 2) == ""
