from misread.stats import ConfidenceInterval
from misread.tables import Column, Records, Table, in_files, rate_column
from misread.tables.number_text import RateFormat
from misread.tables.table import join_detail, say_once
from misread.text.display import show_label


def test_a_small_part_stands_behind_a_space_unless_it_begins_with_a_slash():
    assert join_detail("3.01", "[1.87, 4.41]") == "3.01 [1.87, 4.41]"
    assert join_detail("88", "/2923") == "88/2923"
    assert join_detail("3.01", "") == "3.01"


PAIRS = [{"first": "a", "kappa": 0.625, "counts": (1200, 3)}, {"first": "b\u202e", "kappa": None, "counts": (0, 5)}]
COLUMNS = [
    in_files("dataset", "letters"),
    Column("first", lambda pair: pair["first"], str.upper, name="first", kind="name"),
    Column("kappa", lambda pair: pair["kappa"], digits=2, name="kappa"),
    Column("both/neither", lambda pair: pair["counts"], name=("both", "neither")),
    Column("n", lambda pair: sum(pair["counts"])),
]


def test_cells_and_records_come_from_one_description():
    table = Table(columns=COLUMNS, rows=PAIRS)
    assert [column.plain for column in table.headings] == ["first", "kappa", "both/neither", "n"]
    assert [cell.plain for cell in table.cells[0]] == ["A", "0.62", "1,200/3", "1,203"]
    # Nothing is shown of None, and controls are seen by people alone.
    first, kappa, *_ = table.cells[1]
    assert (first.text, kappa.text) == (show_label("B\u202e"), "")
    assert table.record_names == ("dataset", "first", "kappa", "both", "neither")
    assert table.records[0] == ("letters", "a", 0.625, 1200, 3)
    assert table.named_records[1] == {"dataset": "letters", "first": "b\u202e", "kappa": None, "both": 0, "neither": 5}
    table = Table(columns=COLUMNS, rows=PAIRS, shown=PAIRS[:1])
    assert (len(table.cells), len(table.records)) == (1, 2)


def test_files_of_a_wide_table_have_rows_of_their_own():
    long = Records(PAIRS, [in_files("first", lambda pair: pair["first"])])
    table = Table(columns=[Column("all", show=", ".join)], rows=[["a", "b"]], long=long)
    assert [cell.text for cell in table.cells[0]] == ["a, b"]
    assert (table.record_names, table.records) == (("first",), [("a",), ("b\u202e",)])


def test_a_rate_has_its_interval_beside_it_and_its_ends_in_files():
    interval = ConfidenceInterval(low=0.1, high=0.3, confidence=0.95, method="jackknife")
    column = rate_column(
        "wrong", lambda row: row[0], RateFormat(), interval=lambda row: row[1], level="[95 %]", name="wrong_rate"
    )
    assert column.plain == "wrong % [95 %]"
    assert [column.cell(row).plain for row in ((0.2, interval), (0.2, None), (None, None))] == [
        "20.00 [10.00, 30.00]",
        "20.00 [--]",
        "",
    ]
    assert column.names == ("wrong_rate", "low", "high")
    assert column.values((0.2, interval)) == (0.2, 0.1, 0.3)


def test_what_all_tables_say_stands_below_the_last_one_and_the_rest_stays():
    def table(*notes, mark="†: open."):
        return Table(columns=COLUMNS, rows=PAIRS, verdict="The same.", marks=[mark], notes=notes)

    tables = say_once([table("all", "cer alone"), table("all", "wer", "mer"), table("wer", "all")])
    assert [table.notes for table in tables] == [["cer alone"], ["wer", "mer"], ["wer", "all"]]
    assert [table.marks for table in tables] == [[], [], ["†: open."]]
    assert [table.verdict for table in tables] == ["The same."] * 3
    different = say_once([table("all", mark="‡: other."), table("all")])
    assert [table.marks for table in different] == [["‡: other."], ["†: open."]]


def test_one_table_keeps_what_it_says():
    alone = Table(columns=COLUMNS, rows=PAIRS, notes=["all"])
    assert (say_once([alone]), say_once([])) == ([alone], [])
