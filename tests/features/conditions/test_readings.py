from collections import Counter

from tests.engines.stand_ins import Width

from misread.data.segment_table import SegmentTable
from misread.features.conditions.readings import Sample


def passes(seed):
    segments = SegmentTable(segment_id=list("abcdefgh"), references=[""] * 8)
    sample = Sample(system="vlm", engine=Width(), segments=segments, whole=8, concurrencies=[1, 4, 16], seed=seed)
    return list(sample.passes())


def test_every_concurrency_has_two_passes_over_all_segments_the_second_after_all_first_ones():
    made = passes(1)
    assert Counter(concurrency for concurrency, _, _ in made[:3]) == {1: 1, 4: 1, 16: 1}
    assert [repeat for _, repeat, _ in made] == [1, 1, 1, 2, 2, 2]
    assert all(sorted(rows) == list(range(8)) for _, _, rows in made)


def test_order_is_shuffled_in_each_pass_and_belongs_to_the_seed():
    assert len({tuple(rows) for _, _, rows in passes(1)}) > 1
    assert len({tuple(concurrency for concurrency, _, _ in passes(seed)) for seed in range(5)}) > 1
    assert passes(1) == passes(1)
