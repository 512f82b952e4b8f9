from misread.tables import ReportSettings, make_rate_table
from misread.tables.pairs import MOST_SYSTEMS, lay_out_pairs


def matrix(result):
    return lay_out_pairs(result, make_rate_table(result, "cer", ReportSettings(["cer"], names={"pero": "PERO"})))


def test_pairs_are_read_in_both_directions(three):
    table = matrix(three)
    assert [column.title for column in table.columns] == ["", "PERO", "tesseract4", "kraken"]
    there, back = table.rows[2][1], table.rows[0][3]
    assert (there.plain, back.plain) == ("▲ +12.56 [+12.06, +13.56]", "▼ -12.56 [-13.56, -12.06]")
    assert (there.remark, back.remark) == ("worse, p = 0.012", "better, p = 0.012")
    assert there.link == "#dataset=books&filter=wrong%3Akraken%3Apero"
    assert table.rows[0][1].plain == ""


def test_two_systems_need_no_matrix(make_result):
    assert matrix(make_result({"a": 0.1, "b": 0.2})) is None


def test_of_many_systems_only_the_best_has_a_column(make_result):
    table = matrix(make_result({f"s{number}": 0.1 + number / 100 for number in range(MOST_SYSTEMS + 1)}))
    assert [column.title for column in table.columns] == ["", "s0"]
