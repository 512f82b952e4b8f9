"""Two judges on the same segments."""

import json

import pytest

from misread.data.segment_table import Origin, SegmentKeys, TextPairs
from misread.features.judges.judging import import_decisions
from misread.features.judges.table import decisions_side_by_side
from misread.normalize.normalized_texts import NormalizedTexts

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


def test_decisions_stand_side_by_side_with_the_cluster_of_their_segment(texts, tmp_path):
    two, three, four = ("two", "to"), ("three", "tree"), ("four", "for")
    first = judged(tmp_path / "first", {two: True, three: True, four: False})
    second = judged(tmp_path / "second", {two: None, three: False, four: False})
    decisions, clusters = decisions_side_by_side({"a": texts}, [first, second])
    assert decisions.tolist() == [[-1, -1], [1, -1], [1, 0], [0, 0], [-1, -1]]
    assert clusters.tolist() == [1, 1, 0, 0, 0]


def test_decisions_of_others_are_taken_where_texts_differ_and_something_was_said(texts):
    found = import_decisions({"model": "m"}, {"a": texts}, {"a": ["no", "yes", "", "false", "yes"]}).by_texts
    assert {pair: of.same for pair, of in found.items()} == {("two", "to"): True, ("four", "for"): False}
