from misread.metrics import ScoredText
from misread.sockets import METRICS

REFUSAL = "I'm sorry, but I cannot read this image."


def test_refusals_are_a_share_of_the_answers():
    metric = METRICS["refusals"]
    counts = metric.count(ScoredText(["a letter", "a bill", "a deed"], [REFUSAL, "a bill", ""]))
    assert counts.tolist() == [[1, 1], [0, 1], [0, 1]]
    assert metric.rate(counts.sum(axis=0)) == 1 / 3


def test_a_document_that_says_so_is_no_refusal():
    assert METRICS["refusals"].count(ScoredText([REFUSAL], [REFUSAL])).tolist() == [[0, 1]]


def test_refusals_are_looked_for_in_what_the_model_wrote():
    assert METRICS["refusals"].text == "raw"
