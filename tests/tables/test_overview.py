from misread.tables import ReportSettings
from misread.tables.overview import lay_out_overview


def test_every_system_has_a_row_in_each_data_set_and_names_are_said_once(three, make_result):
    maps = make_result({"pero": 0.1, "kraken": 0.2}, dataset="maps")
    table = lay_out_overview([three, maps], ReportSettings(["cer"], names={"maps": "Maps"}))
    assert [[cell.plain for cell in row] for row in table.rows] == [
        ["books", "CER", "pero", "3.01 [2.01, 4.01]", "0.310", "60"],
        ["", "", "tesseract4", "3.81† [2.81, 4.81]", "", "60"],
        ["", "", "kraken", "15.57 [14.57, 16.57]", "< 0.001", "60"],
        ["Maps", "CER", "pero", "10.00 [9.00, 11.00]", "", "60"],
        ["", "", "kraken", "20.00 [19.00, 21.00]", "< 0.001", "60"],
    ]
    assert table.notes == [
        "Baseline on books: tesseract4.",
        "Baseline on Maps: pero.",
    ]
    assert table.marks == ["†: not significantly different from the best."]


def test_marks_are_those_of_the_table_of_the_metric(make_result):
    table = lay_out_overview([make_result({"a": 0.1, "b": 0.2})], ReportSettings(["cer"]))
    assert [(row[2].is_bold, row[3].is_bold) for row in table.rows] == [(True, True), (False, False)]


def test_records_name_everything_in_every_row(three):
    table = lay_out_overview([three], ReportSettings(["cer"]))
    assert next(record[:4] for record in table.records) == ("books", "cer", "pero", 0.0301)
    assert {len(record) for record in table.records} == {len(table.record_names)}
