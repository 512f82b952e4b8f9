"""Confusions of parts are summed and put in order as by counting them all, in memory and by tasks.

Tasks that put confusions of some references together.
"""

import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.compiled.budget import ALIGNING
from misread.data.segment_table import Origin
from misread.execution.executor import plain_results
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.storage import confusion_parts, parquet_writer, part_files, read_confusions
from misread.storage.confusion_parts import (
    MergedRun,
    encode_rows,
    merge_confusions,
    merge_run,
    plan_encoding,
    plan_runs,
    write_ordered,
    write_runs,
)
from misread.storage.explanation_files import write_confusion_parts
from misread.storage.part_files import take_part
from misread.tally.confusion_sums import order_confusions, sum_confusions

DELETED, INSERTED = "<DELETE>", "<INSERT>"
# Around the eight bytes of a key, and texts that only their length tells apart.
KEYS = ["abcdefg", "abcdefgh", "abcdefghi", "abcdefghj", "日本語", "日本人", "𐐀"]
WORDS = ["", "\0", "a", "a\0", "é", *KEYS, INSERTED, DELETED]
CELLS = st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS), st.integers(1, 3) | st.integers(7, 10))
BLOCKS = st.sampled_from([1, 2, 7, 100])
PARTS = st.lists(st.lists(CELLS, max_size=40), min_size=1, max_size=4)


def table(cells):
    references, hypotheses, counts = zip(*cells, strict=True) if cells else ((), (), ())
    facts = {"words": {"errors": sum(counts), "length": 5}}
    units = {"word": dict(Counter(references))}
    return ConfusionTable(Origin("d", "s"), {"word": Confusions(references, hypotheses, counts)}, facts, units)


def counted(parts):
    """The same by a Counter and the order that is promised."""
    sums = Counter()
    for reference, hypothesis, count in chain.from_iterable(parts):
        sums[reference, hypothesis] += count
    rows = [(reference, hypothesis, count) for (reference, hypothesis), count in sums.items()]
    return sorted(rows, key=lambda row: (-row[2], *_in_text_order(row)))


def _in_text_order(row):
    return row[0] == INSERTED, row[0].encode(), row[1] == DELETED, row[1].encode()


def rows_of(tables):
    return [tuple(row.values()) for cells in tables for row in cells.to_pylist()]


@pytest.mark.parametrize("seconds", [0.0, 1e9], ids=["compiled", "interpreted"])
@given(
    parts=PARTS,
    most_in_memory=st.sampled_from([0, 20, 1000]),
    of_a_run=st.sampled_from([1, 4, 1000]),
    block=BLOCKS,
    rows_of_a_group=st.sampled_from([1, 3, 1000]),
)
def test_sums_of_parts_are_those_of_a_counter(seconds, parts, most_in_memory, of_a_run, block, rows_of_a_group):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ALIGNING, "seconds", seconds)
        patch.setattr(confusion_parts, "MOST_IN_MEMORY", most_in_memory)
        for module in (confusion_parts, parquet_writer):
            patch.setattr(module, "GROUP_ROWS", rows_of_a_group)
        patch.setattr(confusion_parts, "_GROUPS_OF_A_TASK", 2)
        # What is encoded by a task goes into the table as it is.
        patch.setattr(part_files, "_read_encoded", pytest.fail)
        patch.setattr(confusion_parts, "_ROWS_OF_A_RUN", of_a_run)
        patch.setattr(confusion_parts, "_BLOCK", block)
        files = {"block": [], "word": []}
        # Of the first kind there are fewer, which may stay in memory where others do not.
        of_kinds = {"block": [part[:4] for part in parts], "word": parts}
        for number in range(len(parts)):
            for kind, of_kind in of_kinds.items():
                cells = order_confusions([table(of_kind[number])])["word"]
                files[kind].append(write_ordered(Path(folder) / f"{number}.{kind}", cells))
        made = Path(folder) / "confusions"
        write_confusion_parts(made, table([]), merge_confusions(files, Path(folder)))
        for kind, found in read_confusions(made).confusions.items():
            rows = [(each.reference, each.hypothesis, each.count) for each in found]
            assert rows == counted(of_kinds[kind])
        assert [*Path(folder).iterdir()] == [made]


@given(PARTS)
def test_runs_are_summed_in_the_same_order(parts):
    total = sum_confusions([*map(table, parts)])
    of_words = total.confusions["word"]
    assert [(each.reference, each.hypothesis, each.count) for each in of_words] == counted(parts)
    assert total.reference_units["word"] == Counter(row[0] for part in parts for row in part)
    assert total.facts["words"]["errors"] == sum(row[2] for row in chain.from_iterable(parts))


@given(PARTS)
def test_confusions_of_a_part_are_in_the_order_of_their_texts(parts):
    ordered = order_confusions([*map(table, parts)])
    assert rows_of(ordered.values()) == sorted(counted(parts), key=_in_text_order)


def test_many_words_of_one_reference_are_in_order():
    # More than are put in order one by one.
    words = [f"{number:03}" for number in range(200)]
    cells = [("the", word, 1) for word in words[::-1]]
    ordered = order_confusions([table(cells)])
    assert ordered["word"]["hypothesis"].to_pylist() == words


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
    monkeypatch.setattr(confusion_parts, "_ROWS_OF_A_RUN", 4)
    monkeypatch.setattr(confusion_parts, "_BLOCK", 2)


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
def test_insertions_are_cut_by_what_was_inserted(tmp_path):
    inserted = [f"{number:02}" for number in range(12)]
    cells = pa.table(
        {
            "reference": pa.array(["<INSERT>"] * 12, pa.large_string()),
            "hypothesis": pa.array(inserted, pa.large_string()),
            "count": pa.array([2] * 12),
        }
    )
    files = [write_ordered(tmp_path / str(number), cells) for number in range(2)]
    runs = [merge_run(task) for task in plan_runs(files, tmp_path, "word")]
    assert max(sum(run.sizes) for run in runs) < 6
    _, encoded = write_runs(runs, tmp_path, "word", before=0, map_tasks=plain_results)
    columns = take_part(encoded)
    assert columns["hypothesis"].to_pylist() == inserted
    assert columns["count"].to_pylist() == [4] * 12


@pytest.mark.usefixtures("small")
def test_a_task_that_is_done_twice_leaves_the_same_file(tmp_path):
    tasks = plan_runs([write_ordered(tmp_path / "0", ordered(*"abcdefgh"))], tmp_path, "word")
    runs = [merge_run(task) for task in tasks]
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert [merge_run(task) for task in tasks] == runs
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    often, *encoded = write_runs(runs, tmp_path, "word", before=0, map_tasks=plain_results)
    assert len(often) == 0
    assert [take_part(path)["reference"].to_pylist() for path in encoded] == [[*"abcdefgh"]]
    assert [path.name for path in tmp_path.iterdir()] == ["0"]


def sections(task):
    """Where a task finds its rows: files with their drawers, and which rows of all of these."""
    return [(of.path.name, of.number) for of in task.drawers], task.rows


def test_confusions_are_cut_where_row_groups_of_their_table_end(tmp_path, monkeypatch):
    monkeypatch.setattr(confusion_parts, "GROUP_ROWS", 4)
    monkeypatch.setattr(confusion_parts, "_GROUPS_OF_A_TASK", 2)
    # Nine drawers each; what occurs often, in the first, is not encoded by tasks.
    runs = [MergedRun(Path("a"), [5, 3, *[0] * 6, 10]), MergedRun(Path("b"), [1, 0, 2, *[0] * 5, 6])]
    tasks = plan_encoding(runs, tmp_path, "word", before=7)
    empty = [(path, number) for number in range(3, 8) for path in "ab"]
    # One row fills the second row group of the table; 20 others are five more.
    assert [sections(task) for task in tasks] == [
        ([("a", 1)], range(1)),
        ([("a", 1), ("b", 1), ("a", 2), ("b", 2), *empty, ("a", 8)], range(1, 9)),
        ([("a", 8), ("b", 8)], range(4, 12)),
        ([("b", 8)], range(2, 6)),
    ]
    assert [task.target.name for task in tasks] == [f"word-part-{number}" for number in range(4)]


@pytest.mark.parametrize(("before", "cuts"), [(0, [3]), (1, [3]), (2, [2, 1]), (3, [1, 2])])
def test_what_fills_no_row_group_is_a_part_too(tmp_path, monkeypatch, before, cuts):
    monkeypatch.setattr(confusion_parts, "GROUP_ROWS", 4)
    tasks = plan_encoding([MergedRun(Path("a"), [9, 3, *[0] * 7])], tmp_path, "word", before=before)
    assert [len(task.rows) for task in tasks] == cuts


def test_where_nothing_occurs_seldom_nothing_is_left_to_tasks(tmp_path):
    assert plan_encoding([MergedRun(Path("a"), [9, *[0] * 8])], tmp_path, "word", before=3) == []


@pytest.mark.usefixtures("small")
def test_encoding_that_is_done_twice_leaves_the_same_file(tmp_path):
    runs = [merge_run(task) for task in plan_runs([write_ordered(tmp_path / "0", ordered("a"))], tmp_path, "word")]
    [task] = plan_encoding(runs, tmp_path, "word", before=0)
    content = encode_rows(task).read_bytes()
    assert encode_rows(task).read_bytes() == content


@pytest.mark.process
def test_nothing_of_it_imports_pandas(tmp_path):
    code = """
import sys
from pathlib import Path
import pyarrow as pa
from misread.execution.executor import plain_results
from misread.storage.confusion_parts import merge_run, plan_runs, write_ordered, write_runs
from misread.text.arrow_numpy import to_column
kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
values = {"reference": ["a"], "hypothesis": ["b"], "count": [1]}
cells = pa.table({name: to_column(values[name], kind) for name, kind in kinds.items()})
runs = [merge_run(task) for task in plan_runs([write_ordered(Path("0"), cells)], Path(), "word")]
assert len([*write_runs(runs, Path(), "word", before=0, map_tasks=plain_results)]) == 2
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
