"""Marks of a model's answer."""

import pytest

from misread.pairing.model_marks import find_marked

PLAIN = ["the fox", "a dog", "no cat"]


@pytest.mark.parametrize(
    "mark", ["{}<|endoftext|>", "```\n{}\n```", "Here is the transcription: {}", "Sure, here is the text: {}"]
)
def test_references_with_marks_that_outputs_lack_are_evidence(mark):
    marked = [mark.format(text) for text in PLAIN]
    assert find_marked(marked, PLAIN) == [0, 1, 2]
    assert find_marked(PLAIN, marked) == []
    assert find_marked(marked, [marked[0], None, "x"]) == []


def test_one_mark_and_words_alike_are_no_evidence():
    assert find_marked(["the fox<|endoftext|>", *PLAIN], [*PLAIN, ""]) == []
    assert find_marked(["and here is the fox", "a | b <c>", "use `x` here"], PLAIN) == []
