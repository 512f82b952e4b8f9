from benchmarks.__main__ import CHOSEN, COMMAND, PERFORMANCE, README, choose_rows
from documents.measured_tables import markers, replace_table

BEGIN, END = markers(COMMAND)


def table_of(path):
    """Lines of the table between its markers."""
    return path.read_text(encoding="utf-8").partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0].split("\n")


def test_the_readme_shows_the_chosen_rows_of_the_whole_table():
    shown = table_of(README)
    assert shown == choose_rows(table_of(PERFORMANCE))
    assert len(shown) == 2 + len(CHOSEN)


def test_a_table_is_replaced_between_its_markers(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    replace_table(path, COMMAND, ["| new |", "|---|"])
    assert path.read_text(encoding="utf-8") == f"before\n{BEGIN}\n| new |\n|---|\n{END}\nafter\n"
