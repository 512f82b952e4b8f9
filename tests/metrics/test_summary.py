import statistics

import numpy as np
import pytest

from misread.errors import UndefinedResultError
from misread.metrics import ScoredText, describe_spread, summarize
from misread.sockets import METRICS

CER = METRICS["cer"]


def summary(*pairs):
    references, hypotheses = zip(*pairs, strict=True)
    return summarize(CER, CER.count(ScoredText(references, hypotheses)))


def test_micro_is_the_rate_of_summed_counts_macro_and_median_those_of_the_rates_of_segments():
    found = summary(("aaaa", "aaaa"), ("bb", "bx"), ("c", "x"))
    assert (found.micro, found.macro, found.median) == (2 / 7, (0 + 1 / 2 + 1) / 3, 1 / 2)


def test_the_spread_is_that_of_the_rates_of_segments():
    lengths = range(1, 30)
    texts = ScoredText(["a" * length for length in lengths], ["a" * (length // 2) for length in lengths])
    rates = [(length - length // 2) / length for length in lengths]
    spread = describe_spread(CER, CER.count(texts))
    assert spread.standard_deviation == pytest.approx(statistics.stdev(rates))
    cuts = statistics.quantiles(rates, n=20, method="inclusive")
    found = [spread[f"percentile_{percent}"] for percent in (5, 25, 50, 75, 95)]
    assert found == pytest.approx([cuts[number] for number in (0, 4, 9, 14, 18)])


def test_segments_without_a_rate_are_no_part_of_the_spread():
    counts = CER.count(ScoredText(["", "ab", "ab"], ["xx", "ab", "a"]))
    assert describe_spread(CER, counts) == describe_spread(CER, counts[1:])
    assert describe_spread(CER, counts[:1]) is None
    alone = describe_spread(CER, counts[2:])
    assert (alone.standard_deviation, alone.percentile_5, alone.percentile_95) == (None, 0.5, 0.5)


def test_segments_and_counts_are_summed():
    found = summary(("ab", "ab"), ("ab", "a"), ("a", "ab"), ("a", "x"))
    assert found.segments == 4
    assert found.counts == {"errors": 3, "length": 6, "hits": 4, "substitutions": 1, "deletions": 1, "insertions": 1}


def test_an_empty_reference_is_counted_in_micro_and_left_out_of_macro_and_median():
    found = summary(("", "xx"), ("ab", "ab"))
    assert (found.empty_references, found.micro, found.macro, found.median) == (1, 2 / 2, 0.0, 0.0)


def test_with_empty_references_only_there_is_no_rate():
    found = summary(("", ""), ("", "a"))
    assert (found.micro, found.macro, found.median, found.empty_references) == (None, None, None, 2)


def test_no_segment_is_an_error_and_not_a_perfect_score():
    with pytest.raises(UndefinedResultError, match="no segment to compute cer from"):
        summarize(CER, np.empty((0, 6), dtype=np.int64))
