"""Confusions of parts are summed and put in order as by counting them all, in memory and by tasks."""

from collections import Counter
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.compiled.budget import ALIGNING
from misread.records import Confusions, ConfusionTable, Origin
from misread.storage import confusion_parts, confusion_runs, parquet_writer, part_files, read_confusions
from misread.storage.confusion_files import write_confusion_parts
from misread.storage.confusion_parts import ConfusionSums
from misread.storage.confusion_runs import write_ordered
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
        for module in (confusion_runs, parquet_writer):
            patch.setattr(module, "GROUP_ROWS", rows_of_a_group)
        patch.setattr(confusion_runs, "_GROUPS_OF_A_TASK", 2)
        # What is encoded by a task goes into the table as it is.
        patch.setattr(part_files, "_read_encoded", pytest.fail)
        patch.setattr(confusion_runs, "_ROWS_OF_A_RUN", of_a_run)
        patch.setattr(confusion_runs, "_BLOCK", block)
        sums = ConfusionSums(Path(folder))
        # Of the first kind there are fewer, which may stay in memory where others do not.
        of_kinds = {"block": [part[:4] for part in parts], "word": parts}
        for number, part in enumerate(parts):
            facts, _ = order_confusions([table(part)])
            files = {}
            for kind, of_kind in of_kinds.items():
                _, ordered = order_confusions([table(of_kind[number])])
                files[kind] = write_ordered(Path(folder) / f"{number}.{kind}", ordered["word"])
            sums.add(facts, files)
        made = Path(folder) / "confusions"
        write_confusion_parts(made, sums.facts(), sums.confusions())
        for kind, found in read_confusions(made).confusions.items():
            rows = [(each.reference, each.hypothesis, each.count) for each in found]
            assert rows == counted(of_kinds[kind])
        assert [*Path(folder).iterdir()] == [made]
        assert sums.facts().reference_units["word"] == Counter(row[0] for part in parts for row in part)


@given(PARTS)
def test_runs_are_summed_in_the_same_order(parts):
    of_words = sum_confusions([*map(table, parts)]).confusions["word"]
    assert [(each.reference, each.hypothesis, each.count) for each in of_words] == counted(parts)


@given(PARTS)
def test_confusions_of_a_part_are_in_the_order_of_their_texts(parts):
    facts, ordered = order_confusions([*map(table, parts)])
    assert rows_of(ordered.values()) == sorted(counted(parts), key=_in_text_order)
    assert facts.facts["words"]["errors"] == sum(row[2] for row in chain.from_iterable(parts))


def test_many_words_of_one_reference_are_in_order():
    # More than are put in order one by one.
    words = [f"{number:03}" for number in range(200)]
    cells = [("the", word, 1) for word in words[::-1]]
    _, ordered = order_confusions([table(cells)])
    assert ordered["word"]["hypothesis"].to_pylist() == words
