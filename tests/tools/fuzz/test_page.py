"""docs/reliability.md as `make fuzz` writes it."""

import sys
from types import SimpleNamespace

import pytest
from tools.fuzz.running import Outcome
from tools.parts import read_part

from tools.fuzz import __main__ as program

KINDS = {"stm": "data files", "csv": "data files", "worker": "worker"}
OUTCOMES = {"stm": Outcome(2000, 5, 1995), "csv": Outcome(2000, 1, 1999), "worker": Outcome(20, 20, 0)}


@pytest.fixture(autouse=True)
def page(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table: make fuzz -->\nold\n<!-- end of table: make fuzz -->\nafter\n")
    targets = {name: SimpleNamespace(name=name, kind=kind) for name, kind in KINDS.items()}
    monkeypatch.setattr(program, "PAGE", page)
    monkeypatch.setattr(program, "all_targets", lambda: targets)
    monkeypatch.setattr(program, "run", lambda target, *_: OUTCOMES[target.name])
    monkeypatch.setattr(program, "compare_pairs", lambda *_: None)
    return page


def test_a_run_of_all_targets_writes_a_row_for_each_kind_of_reader(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fuzz"])
    program.main()
    assert read_part(program.PAGE, program.COMMAND) == [
        *program.HEADER,
        "| data files | 2 | 4,000 | 6 | 3,994 | 0 |",
        "| worker | 1 | 20 | 20 | 0 | 0 |",
    ]


def test_a_run_of_one_target_prints_its_row_and_writes_nothing(monkeypatch, capsys, page):
    monkeypatch.setattr(sys, "argv", ["fuzz", "csv"])
    program.main()
    assert "| csv | 1 | 2,000 | 1 | 1,999 | 0 |" in capsys.readouterr().out
    assert "old" in page.read_text()


def test_a_finding_is_named_and_ends_with_status_1(monkeypatch, capsys):
    found = Outcome(20, 5, 15, {"KeyError in x": "csv-1.input"})
    monkeypatch.setattr(program, "run", lambda *_: found)
    monkeypatch.setattr(sys, "argv", ["fuzz", "csv"])
    with pytest.raises(SystemExit, match="1"):
        program.main()
    assert "  FOUND KeyError in x: csv-1.input" in capsys.readouterr().out
