import time

import pytest
from tools.bench.__main__ import CHOSEN, COMMAND, HEADER, PERFORMANCE, README, ROWS, choose_rows, is_worse, read_figures
from tools.bench.measure import Measured, Process
from tools.parts import read_part

from tools.bench import command_rows


def test_the_readme_shows_the_chosen_rows_of_the_whole_table():
    shown = read_part(README, COMMAND)
    assert shown == choose_rows(read_part(PERFORMANCE, COMMAND))
    assert len(shown) == 2 + len(CHOSEN)


def test_figures_are_read_from_the_whole_table():
    table = read_part(PERFORMANCE, COMMAND)
    figures = read_figures(table)
    assert len(figures) == len(table) - len(HEADER)
    assert all(figure > 0 for figure in figures.values())


@pytest.mark.parametrize(
    ("values", "more_is_better", "expected"),
    [
        # By more than a twentieth, in every round.
        ([1.8, 1.7, 1.89], True, True),
        ([1.8, 1.7, 1.91], True, False),
        ([2.3, 2.11], False, True),
        ([2.3, 2.09], False, False),
        ([1.0], False, False),
    ],
)
def test_a_row_is_worse_where_all_rounds_are(values, more_is_better, expected):
    assert is_worse(Measured("jiwer", "", values, more_is_better), 2.0) is expected


@pytest.fixture
def command(misread, monkeypatch):
    """Commands are run here, without a process of their own, which is tried by the row of normalize and score."""

    def run(name, *arguments):
        start = time.process_time()
        assert misread(*arguments).status == 0
        return Process(time.process_time() - start, 1.0, 1_000_000)

    monkeypatch.setattr(command_rows, "run_command", run)


# A new environment and long texts take longer than a test may.
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.usefixtures("command")
@pytest.mark.parametrize("name", sorted(ROWS.keys() - {"books", "processes"}))
def test_rows_are_measured_on_a_little_work_and_are_those_of_the_page(name):
    shown = [line.split(" | ")[1] for line in read_part(PERFORMANCE, COMMAND)[len(HEADER) :]]
    for row in ROWS[name](0.0005):
        assert row.measure(1).figure[0].isdigit()
        assert row.output in shown
