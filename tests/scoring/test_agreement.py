"""Two judges on the same segments."""

import json

import numpy as np
import pytest

from misread.errors import UndefinedResultError
from misread.records import NormalizedTexts, Origin, SegmentKeys, TextPairs
from misread.scoring.agreement import count_agreement
from misread.scoring.judging import import_decisions

REFERENCES = ["one", "two", "three", "four", "five"]
HYPOTHESES = ["one", "to", "tree", "for", None]


@pytest.fixture
def texts():
    pairs = TextPairs(REFERENCES, HYPOTHESES)
    keys = SegmentKeys([f"l{number}" for number in range(5)], ["p2", "p2", "p1", "p1", "p1"], {})
    return NormalizedTexts(
        Origin("lines", "a"),
        keys,
        raw=pairs,
        normalized=pairs,
        normalized_lines=pairs,
        reasons=[None] * 5,
        normalizer="none",
    )


def judged(path, decided):
    rows = [{"reference": reference, "hypothesis": read, "same": same} for (reference, read), same in decided.items()]
    path.write_text("\n".join(map(json.dumps, [{"judge": {"model": "m"}}, *rows])))
    return path


def test_segments_are_counted_by_cluster_where_both_have_decided(texts, tmp_path):
    two, three, four = ("two", "to"), ("three", "tree"), ("four", "for")
    first = judged(tmp_path / "first", {two: True, three: True, four: False})
    second = judged(tmp_path / "second", {two: True, three: False, four: False})
    assert np.array_equal(count_agreement({"a": texts}, first, second), [[0, 1, 0, 1], [1, 0, 0, 0]])
    third = judged(tmp_path / "third", {two: None, three: True})
    assert np.array_equal(count_agreement({"a": texts}, second, third), [[0, 0, 1, 0]])


def test_judges_without_a_common_segment_are_named(texts, tmp_path):
    first, second = judged(tmp_path / "first", {("two", "to"): True}), judged(tmp_path / "second", {})
    with pytest.raises(UndefinedResultError, match=r"first and .*second have no decision on the same segment"):
        count_agreement({"a": texts}, first, second)


def test_decisions_of_others_are_taken_where_texts_differ_and_something_was_said(texts):
    found = import_decisions({"model": "m"}, {"a": texts}, {"a": ["no", "yes", "", "false", "yes"]}).by_texts
    assert {pair: of.same for pair, of in found.items()} == {("two", "to"): True, ("four", "for"): False}
