import pytest
from tools.bench.__main__ import CHOSEN, COMMAND, HEADER, PERFORMANCE, README, ROWS, choose_rows

BEGIN, END = f"<!-- table: {COMMAND} -->", f"<!-- end of table: {COMMAND} -->"


def table_of(path):
    """Lines of the table between its markers."""
    return path.read_text(encoding="utf-8").partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0].split("\n")


def test_the_readme_shows_the_chosen_rows_of_the_whole_table():
    shown = table_of(README)
    assert shown == choose_rows(table_of(PERFORMANCE))
    assert len(shown) == 2 + len(CHOSEN)


# A new environment, long texts and whole comparisons take longer than a test may.
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ROWS.keys() - {"books", "comparison", "processes"}))
def test_rows_are_measured_on_a_little_work_and_are_those_of_the_page(name):
    shown = [line.split(" | ")[1] for line in table_of(PERFORMANCE)[len(HEADER) :]]
    for row in ROWS[name](0.0005):
        _, figure = row.measure(1)
        assert figure[0].isdigit() or " MB" in figure
        assert row.output in shown
