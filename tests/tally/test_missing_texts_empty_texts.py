import pyarrow as pa
import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.normalize import get_normalizer, normalize
from misread.sockets import get_metrics
from misread.tally import score
from misread.tally.missing_texts import EmptyTexts, describe_empty_texts, find_empty_texts
from misread.text.arrow import ArrowTexts

IDS = ["p1", "p2", "p3", "p4", "p5", "p6"]


def scored(references, hypotheses, normalizer="none", missing="error"):
    capture = Capture(Origin("d", "a"), SegmentKeys(IDS, None, {}), TextPairs(references, hypotheses), [None] * 6)
    return score(normalize(capture, get_normalizer(normalizer)), get_metrics(["cer"]), missing=missing)


@pytest.mark.parametrize("texts", [list, lambda texts: ArrowTexts.of(pa.array(texts))])
def test_empty_texts_of_either_side_are_counted_with_what_they_cost(texts):
    references = texts(["", "", "", "", "five", ""])
    hypotheses = texts(["one", "two", "three", "four", "", ""])
    found = find_empty_texts(IDS, references, hypotheses, hypotheses)
    assert describe_empty_texts("a", 6, *found) == [
        "a: 4 of 6 references are empty where there is a hypothesis (p1, p2, p3 and 1 more), whose 15 characters "
        "count as insertions.",
        "a: 1 of 6 hypotheses is empty where there is a reference (p5), whose 4 characters count as deletions.",
    ]


def test_an_id_of_a_million_characters_is_shortened():
    found = find_empty_texts(["i" * 10**6], ["five"], [""], [""])
    (note,) = describe_empty_texts("a", 1, *found)
    assert note.startswith(f"a: 1 of 1 hypotheses is empty where there is a reference ({'i' * 60}... (1,000,000 charac")


def test_texts_that_are_empty_on_both_sides_are_nothing_to_say():
    assert scored(["one", "", "two", "", "", "x"], ["one", "", "two", "", "", "x"]).origin.facts.notes == ()


def test_a_missing_hypothesis_is_not_an_empty_one():
    references = ["one", "two", "three", "four", "five", "six"]
    sentences = scored(references, ["one", None, "", "four", None, "six"], missing="empty").origin.facts.sentences
    assert sentences == (
        "a: 2 of 6 hypotheses are missing and count as empty texts (p2, p5).",
        "a: 1 of 6 hypotheses is empty where there is a reference (p3), whose 5 characters count as deletions.",
    )
    notes = scored(references, ["one", None, "", "four", None, "six"], missing="drop").origin.facts.notes
    assert notes == (
        "a: 1 of 4 hypotheses is empty where there is a reference (p3), whose 5 characters count as deletions.",
    )


def test_texts_count_as_they_are_scored():
    references, hypotheses = ["one", " ", "two", "x", "x", "x"], ["one", "y", "two", "x", "x", "x"]
    assert scored(references, hypotheses).origin.facts.notes == ()
    (note,) = scored(references, hypotheses, "whitespace").origin.facts.notes
    assert note.startswith("a: 1 of 6 references is empty where there is a hypothesis (p2), whose 1 character counts")


def test_counts_of_insertions_are_those_that_are_scored():
    scores = scored(["", "two", "", "x", "x", "x"], ["abc", "two", "de", "x", "x", "x"])
    assert "whose 5 characters count as insertions" in scores.origin.facts.notes[0]
    assert scores.counts["cer"]["errors"].sum() == 5


def test_empty_texts_of_parts_add_up_to_those_of_the_whole():
    references, hypotheses = ["", "two", "", "", "five", ""], ["one", "", "three", "four", "", ""]
    sides = [
        find_empty_texts(IDS[part], references[part], hypotheses[part], hypotheses[part])
        for part in (slice(0, 2), slice(2, 3), slice(3, 6))
    ]
    whole = find_empty_texts(IDS, references, hypotheses, hypotheses)
    assert [sum(side, EmptyTexts()) for side in zip(*sides, strict=True)] == [*whole]
