from tools.bench.__main__ import CHOSEN, COMMAND, PERFORMANCE, README, choose_rows

BEGIN, END = f"<!-- table: {COMMAND} -->", f"<!-- end of table: {COMMAND} -->"


def table_of(path):
    """Lines of the table between its markers."""
    return path.read_text(encoding="utf-8").partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0].split("\n")


def test_the_readme_shows_the_chosen_rows_of_the_whole_table():
    shown = table_of(README)
    assert shown == choose_rows(table_of(PERFORMANCE))
    assert len(shown) == 2 + len(CHOSEN)
