import numpy as np
import pytest

from misread.stats import ConfidenceInterval, Look, SequentialVerdict, decide_sequentially
from misread.tables import describe_sequential, lay_out_sequential

NAMES = {"baseline": "tesseract", "system": "pero"}


def verdict(word, *, difference=-0.021, ends=(-0.038, -0.004), further=0, total=60, margin=None):
    interval = ends and ConfidenceInterval(low=ends[0], high=ends[1], confidence=0.95, method="confidence sequence")
    look = Look(checked=23, difference=difference, interval=interval, verdict=word, further=further)
    return SequentialVerdict(looks=(look,), total=total, margin=margin, level=0.05)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (
            verdict("better"),
            "After 23 of 60 checked pages: pero is better than tesseract by 2.10 [0.40, 3.80] points: decided.",
        ),
        (
            verdict("worse", difference=0.021, ends=(0.004, 0.038), total=None),
            "After 23 checked pages: pero is worse than tesseract by 2.10 [0.40, 3.80] points: decided.",
        ),
        (
            verdict("equivalent", difference=0.001, ends=(-0.004, 0.006), margin=0.005),
            "After 23 of 60 checked pages: pero and tesseract differ by less than 0.500 points (0.10 [-0.40, 0.60] "
            "points): decided.",
        ),
        (
            verdict("not yet", ends=(-0.05, 0.01), further=12),
            "After 23 of 60 checked pages: pero minus tesseract is -2.10 [-5.00, 1.00] points, not decided yet; "
            "about 12 more pages to expect.",
        ),
        (
            verdict("not yet", ends=None, further=1, total=None),
            "After 23 checked pages: pero minus tesseract is -2.10 [--] points, not decided yet; about 1 more page to "
            "expect.",
        ),
        (
            verdict("not yet", ends=(-0.05, 0.01), further=37),
            "After 23 of 60 checked pages: pero minus tesseract is -2.10 [-5.00, 1.00] points, not decided yet; "
            "it is likely to take all 60 pages.",
        ),
        (
            verdict("not yet", difference=None, ends=None, further=None, total=None),
            "After 23 checked pages: not decided yet; no number of further pages would decide if all went on like "
            "this.",
        ),
    ],
)
def test_the_sentence_says_what_is_known(result, sentence):
    assert describe_sequential(result, unit="page", **NAMES) == sentence


def test_the_table_has_doublings_the_deciding_look_and_the_last_and_files_have_all():
    rng = np.random.default_rng(5)
    lengths = rng.integers(200, 400, 70)
    result = decide_sequentially(rng.binomial(lengths[:, np.newaxis], [0.10, 0.092]), lengths, margin=0.02)
    table = lay_out_sequential(result, unit="page", metric="CER", **NAMES)
    assert [look.checked for look in table.shown] == sorted({10, 20, 40, 70, result.decided_after})
    assert len(table.records) == 70
    assert table.record_names == ("checked", "verdict", "difference", "low", "high", "further")
    assert table.verdict == describe_sequential(result, unit="page", **NAMES)


def test_it_says_that_the_order_has_to_be_random_and_that_no_margin_means_no_equivalence():
    without, with_margin = (
        lay_out_sequential(verdict("not yet", further=5, margin=margin), **NAMES) for margin in (None, 0.01)
    )
    assert "random order" in without.notes[0]
    assert "Without a margin" in without.notes[1]
    assert len(with_margin.notes) == 1
