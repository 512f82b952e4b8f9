"""docs/reliability.md as `make fuzz` writes it."""

import pytest
from tools.fuzz.running import Outcome
from tools.parts import read_part

from tools.fuzz import __main__ as program

NAMES = ["one", "two", "three"]


@pytest.fixture(autouse=True)
def page(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    rows = [
        *program.HEADER,
        "| one | data files | 1,000 | 1 | 999 | 0 |",
        "| gone | data files | 1,000 | 1 | 999 | 0 |",
    ]
    page.write_text(
        "\n".join(["before", "<!-- table: make fuzz -->", *rows, "<!-- end of table: make fuzz -->", "after"])
    )
    monkeypatch.setattr(program, "PAGE", page)
    return page


def test_a_target_that_is_run_alone_leaves_the_rows_of_others(page):
    program.write_row("two", "worker", Outcome(20, 5, 15, {"KeyError in x": "two-1.input"}), NAMES)
    assert page.read_text().splitlines()[4:6] == [
        "| one | data files | 1,000 | 1 | 999 | 0 |",
        "| two | worker | 20 | 5 | 15 | 1 |",
    ]


def test_rows_of_targets_that_are_gone_are_dropped():
    row = program.write_row("one", "data files", Outcome(2000, 5, 1995), NAMES)
    assert row == "| one | data files | 2,000 | 5 | 1,995 | 0 |"
    assert read_part(program.PAGE, program.COMMAND) == [*program.HEADER, row]
