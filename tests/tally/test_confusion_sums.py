"""Confusions of parts and of runs are summed and put in order as by counting them all."""

from collections import Counter
from itertools import chain

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.compiled.budget import ALIGNING
from misread.data.segment_table import Origin
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.tally import confusion_sums
from misread.tally.confusion_sums import SHARES, most_frequent, order_confusions, share_out, sum_confusions

DELETED, INSERTED = "<DELETE>", "<INSERT>"
# Around the eight bytes of a key, and texts that only their length tells apart.
KEYS = ["abcdefg", "abcdefgh", "abcdefghi", "abcdefghj", "日本語", "日本人", "𐐀"]
WORDS = ["", "\0", "a", "a\0", "é", *KEYS, INSERTED, DELETED]
CELLS = st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS), st.integers(1, 3) | st.integers(7, 10))
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


def rows_of(cells):
    return [tuple(row.values()) for row in cells.to_pylist()]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 1e9], ids=["compiled", "interpreted"])
@given(parts=PARTS, most_at_once=st.sampled_from([0, 1000]), most_single=st.sampled_from([0, 1, 3, 1000]))
def test_sums_of_parts_are_those_of_a_counter(seconds, parts, most_at_once, most_single):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ALIGNING, "seconds", seconds)
        patch.setattr(confusion_sums, "MOST_SINGLE", most_single)
        shares = [share_out(order_confusions([table(part)])["word"]) for part in parts]
        patch.setattr(confusion_sums, "_MOST_AT_ONCE", most_at_once)

        def read(numbers):
            return [pa.concat_tables([share[number] for number in numbers]) for share in shares]

        cells, left_out = most_frequent(sum(map(len, parts)), read)
    expected = counted(parts)
    repeated = sum(count > 1 for *_, count in expected)
    assert rows_of(cells) == expected[: repeated + most_single]
    assert left_out == max(0, len(expected) - repeated - most_single)


def test_confusions_are_shared_out_about_evenly():
    words = [f"{number:03}" for number in range(40)]
    shares = share_out(order_confusions([table([(one, other, 1) for one in words for other in words])])["word"])
    assert sum(map(len, shares)) == 1600
    assert max(map(len, shares)) < 3 * 1600 / SHARES


@given(PARTS)
def test_runs_are_summed_in_the_same_order(parts):
    total = sum_confusions([*map(table, parts)])
    words = total.confusions["word"]
    assert [(word.reference, word.hypothesis, word.count) for word in words] == counted(parts)
    assert total.reference_units["word"] == Counter(row[0] for part in parts for row in part)
    assert total.facts["words"]["errors"] == sum(row[2] for row in chain.from_iterable(parts))


@given(PARTS)
def test_confusions_of_a_part_are_in_the_order_of_their_texts(parts):
    ordered = order_confusions([*map(table, parts)])
    assert rows_of(ordered["word"]) == sorted(counted(parts), key=_in_text_order)


def test_many_words_of_one_reference_are_in_order():
    # More than are put in order one by one.
    words = [f"{number:03}" for number in range(200)]
    ordered = order_confusions([table([("the", word, 1) for word in words[::-1]])])
    assert ordered["word"]["hypothesis"].to_pylist() == words
