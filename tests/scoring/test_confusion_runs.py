"""Tasks that put confusions of some references together."""

import subprocess
import sys

import pyarrow as pa
import pytest

from misread.scoring import confusion_runs
from misread.scoring.confusion_runs import merge_run, plan_runs, take_runs, write_ordered


def ordered(*references):
    return pa.table(
        {
            "reference": pa.array(references, pa.large_string()),
            "hypothesis": pa.array(["x"] * len(references), pa.large_string()),
            "count": pa.array([1] * len(references)),
        }
    )


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(confusion_runs, "_ROWS_OF_A_RUN", 4)
    monkeypatch.setattr(confusion_runs, "_BLOCK", 2)


@pytest.mark.usefixtures("small")
def test_runs_are_of_about_equal_size_and_read_the_blocks_that_they_need(tmp_path):
    files = [write_ordered(tmp_path / "0", ordered(*"aabbccdd")), write_ordered(tmp_path / "1", ordered(*"ccddeeff"))]
    tasks = plan_runs(files, tmp_path, "word")
    assert [task.target.name for task in tasks] == ["word-0", "word-1", "word-2", "word-3"]
    assert [[(piece.path.name, piece.blocks) for piece in task.pieces] for task in tasks] == [
        [("0", range(3)), ("1", range(1))],
        [("0", range(2, 4)), ("1", range(2))],
        [("0", range(3, 4)), ("1", range(1, 3))],
        [("0", range(3, 4)), ("1", range(2, 4))],
    ]


@pytest.mark.usefixtures("small")
def test_confusions_of_one_reference_are_one_run(tmp_path):
    files = [write_ordered(tmp_path / str(number), ordered(*"aaaaaaaa")) for number in range(3)]
    assert len(plan_runs(files, tmp_path, "word")) == 1


@pytest.mark.usefixtures("small")
def test_a_task_that_is_done_twice_leaves_the_same_file(tmp_path):
    tasks = plan_runs([write_ordered(tmp_path / "0", ordered(*"abcdefgh"))], tmp_path, "word")
    runs = [merge_run(task) for task in tasks]
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert [merge_run(task) for task in tasks] == runs
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    assert pa.concat_tables(take_runs(runs))["reference"].to_pylist() == [*"abcdefgh"]
    assert [path.name for path in tmp_path.iterdir()] == ["0"]


@pytest.mark.process
def test_nothing_of_it_imports_pandas(tmp_path):
    code = """
import sys
from pathlib import Path
import pyarrow as pa
from misread.scoring.confusion_runs import merge_run, plan_runs, take_runs, write_ordered
from misread.text.arrow_numpy import to_column
kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
values = {"reference": ["a"], "hypothesis": ["b"], "count": [1]}
cells = pa.table({name: to_column(values[name], kind) for name, kind in kinds.items()})
files = [write_ordered(Path("0"), cells)]
assert sum(map(len, take_runs([merge_run(task) for task in plan_runs(files, Path(), "word")]))) == 1
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
