import pytest

from misread.errors import UndefinedResultError
from misread.metrics import ErrorRate, get_metrics
from misread.normalize import get_normalizer, normalize
from misread.records import Capture, Confusion, Origin, SegmentKeys, TextPairs
from misread.scoring import explain, nothing_to_explain, score, with_alignments


def texts(pairs, normalizer="none", origin=None):
    references, hypotheses = zip(*pairs, strict=True) if pairs else ((), ())
    keys = SegmentKeys([f"s{row}" for row in range(len(pairs))], None, {})
    capture = Capture(origin or Origin("a", "b"), keys, TextPairs(references, hypotheses), [None] * len(pairs))
    return normalize(capture, get_normalizer(normalizer))


def test_every_segment_has_the_letters_of_its_characters_and_words():
    alignments, _ = explain(texts([("one two", "one too"), ("", "x")]), get_metrics(["cer", "wer"]))
    assert alignments.segment_id == ["s0", "s1"]
    assert (alignments.characters, alignments.words) == (["CCCCCSC", "I"], ["CS", "I"])


def test_the_letters_are_the_errors_that_are_scored():
    pairs = texts([("Zwei  Worte", "zwei Wort"), ("é", "e\u0301"), ("a", "")], "whitespace")
    metrics = get_metrics(["ser", "wer", "ger", "cer"])
    alignments, confusions = explain(pairs, metrics)
    counts = score(pairs, metrics).counts
    for metric, strings in (("ger", alignments.characters), ("wer", alignments.words)):
        assert [len(string) - string.count("C") for string in strings] == counts[metric]["errors"].tolist()
    for level, metric, kinds in (("characters", "ger", ("character", "block", "category")), ("words", "wer", ["word"])):
        facts = confusions.facts[level]
        assert (facts["errors"], facts["length"]) == tuple(counts[metric].total[:2].tolist())
        for kind in kinds:
            assert sum(confusions.confusions[kind].counts) == facts["errors"]


def test_the_first_error_rate_of_each_kind_says_what_is_aligned():
    pairs = texts([("A  b", "a b")], "lower")
    for metrics, text in ((["cer_raw", "cer"], "raw"), (["cer", "cer_raw"], "normalized")):
        alignments, _ = explain(pairs, get_metrics(metrics))
        facts = alignments.facts["characters"]
        assert (facts["metric"], facts["text"], alignments.characters) == (
            metrics[0],
            text,
            ["SDCC" if text == "raw" else "CCC"],
        )


def test_without_an_error_rate_characters_and_words_are_those_of_cer_and_wer():
    alignments, _ = explain(texts([("a", "a")]), get_metrics(["ser"]))
    assert [alignments.facts[level]["metric"] for level in ("characters", "words")] == ["cer", "wer"]


def test_a_swap_is_one_error_and_two_units():
    swaps = ErrorRate("swaps", "char", alignment="transpositions")
    alignments, confusions = explain(texts([("hello world", "helo wrold")]), [swaps])
    facts = alignments.facts["characters"]
    assert (facts["errors"], facts["length"]) == (2, 11)
    assert Confusion("or", "ro", 1) in confusions.confusions["character"]


def test_references_are_counted_by_character_block_and_category():
    _, confusions = explain(texts([("aé1", "ae1")]), get_metrics(["cer"]))
    assert confusions.reference_units == {
        "character": {"1": 1, "a": 1, "é": 1},
        "block": {"Basic Latin": 2, "Latin-1 Supplement": 1},
        "category": {"Nd": 1, "Ll": 2},
    }
    assert [*confusions.confusions["block"]] == [Confusion("Latin-1 Supplement", "Basic Latin", 1)]


def test_segments_left_out_of_the_scores_have_no_alignment():
    pairs = texts([("a", None), ("b", "b")])
    alignments, _ = explain(pairs, get_metrics(["cer"]), missing="drop")
    assert (alignments.segment_id, alignments.characters) == (["s1"], ["C"])
    with pytest.raises(UndefinedResultError, match="s0: no hypothesis"):
        explain(pairs, get_metrics(["cer"]))


def test_a_system_that_cannot_read_the_data_set_has_no_rows_and_keeps_the_reason():
    origin = Origin("a", "b", not_applicable="the system reads audio")
    alignments, confusions = nothing_to_explain(texts([], origin=origin))
    assert (alignments.characters, confusions.confusions) == ([], {})
    assert alignments.origin.not_applicable == confusions.origin.not_applicable == "the system reads audio"


def test_kept_alignments_come_to_the_counts_of_their_metrics():
    pairs, ser = texts([("a b", "b a"), ("c", "c")]), *get_metrics(["ser"])
    for alignment, letters in (("unit", ["ICD", "C"]), ("transpositions", ["CS", "C"])):
        metrics = [ErrorRate("wer", "word", alignment=alignment), ser]
        alignments, _ = explain(pairs, metrics)
        assert with_alignments(score(pairs, metrics), alignments).operations == {"wer": letters}
