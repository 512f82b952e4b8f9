import pytest
from tools.bench.__main__ import CHOSEN, COMMAND, HEADER, PERFORMANCE, README, ROWS, choose_rows
from tools.parts import read_part


def test_the_readme_shows_the_chosen_rows_of_the_whole_table():
    shown = read_part(README, COMMAND)
    assert shown == choose_rows(read_part(PERFORMANCE, COMMAND))
    assert len(shown) == 2 + len(CHOSEN)


# A new environment and long texts take longer than a test may.
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ROWS.keys() - {"books", "processes"}))
def test_rows_are_measured_on_a_little_work_and_are_those_of_the_page(name):
    shown = [line.split(" | ")[1] for line in read_part(PERFORMANCE, COMMAND)[len(HEADER) :]]
    for row in ROWS[name](0.0005):
        _, figure = row.measure(1)
        assert figure[0].isdigit() or " MB" in figure
        assert row.output in shown
