"""docs/reliability.md as `make chaos` writes it."""

from tools.chaos.__main__ import COMMAND, HEADER, PAGE, show
from tools.chaos.study import STAGES, Outcome
from tools.parts import read_part


def test_the_table_has_what_was_inflicted_survived_and_lost():
    outcome = Outcome("a fault", "it goes on", inflicted=1200, bytes_lost=7, failures=["no"])
    assert show(outcome) == "| a fault | it goes on | 1,200 | 1,199 | 7 |"


def test_a_fault_that_could_not_be_inflicted_says_why():
    assert show(Outcome("a fault", "it goes on", skipped="no mounts")) == "| a fault | no mounts | – | – | – |"


def test_the_committed_table_is_of_these_stages_and_nothing_was_lost():
    header, line, *found = read_part(PAGE, COMMAND)
    assert (header, line) == HEADER
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in found]
    assert [name for name, *_ in cells[: len(STAGES)]] == [f"kill -9 of `{' '.join(stage)}`" for stage in STAGES]
    assert sum(int(inflicted) for _, _, inflicted, *_ in cells[: len(STAGES)]) >= 50
    for _, _, inflicted, survived, lost in cells:
        assert (survived, lost) == (inflicted, "0")
