import pytest

from misread.alignment import api, operations
from misread.alignment.operations import _find_batches
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import TooDifferentError, UndefinedResultError
from misread.metrics import ErrorRate
from misread.metrics.confusion_table import Confusion
from misread.normalize import get_normalizer, normalize
from misread.sockets import get_metrics
from misread.tally import ScoredSystem, score


def texts(pairs, normalizer="none", origin=None):
    references, hypotheses = zip(*pairs, strict=True) if pairs else ((), ())
    keys = SegmentKeys([f"s{row}" for row in range(len(pairs))], None, {})
    capture = Capture(origin or Origin("a", "b"), keys, TextPairs(references, hypotheses), [None] * len(pairs))
    return normalize(capture, get_normalizer(normalizer))


def explained(pairs, metrics, **settings):
    scored = ScoredSystem(pairs, metrics, **settings)
    return scored.alignments, scored.confusions


def test_every_segment_has_the_letters_of_its_characters_and_words():
    alignments, _ = explained(texts([("one two", "one too"), ("", "x")]), get_metrics(["cer", "wer"]))
    assert alignments.segment_id == ["s0", "s1"]
    assert (alignments.characters, alignments.words) == (["CCCCCSC", "I"], ["CS", "I"])


def test_the_letters_are_the_errors_that_are_scored():
    pairs = texts([("Zwei  Worte", "zwei Wort"), ("é", "e\u0301"), ("a", "")], "whitespace")
    metrics = get_metrics(["ser", "wer", "ger", "cer"])
    alignments, confusions = explained(pairs, metrics)
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
        alignments, _ = explained(pairs, get_metrics(metrics))
        facts = alignments.facts["characters"]
        assert (facts["metric"], facts["text"], alignments.characters) == (
            metrics[0],
            text,
            ["SDCC" if text == "raw" else "CCC"],
        )


def test_without_an_error_rate_characters_and_words_are_those_of_cer_and_wer():
    alignments, _ = explained(texts([("a", "a")]), get_metrics(["ser"]))
    assert [alignments.facts[level]["metric"] for level in ("characters", "words")] == ["cer", "wer"]


def test_a_swap_is_one_error_and_two_units():
    swaps = ErrorRate("swaps", "char", alignment="transpositions")
    alignments, confusions = explained(texts([("hello world", "helo wrold")]), [swaps])
    facts = alignments.facts["characters"]
    assert (facts["errors"], facts["length"]) == (2, 11)
    assert Confusion("or", "ro", 1) in confusions.confusions["character"]


def test_references_are_counted_by_character_block_and_category():
    _, confusions = explained(texts([("aé1", "ae1")]), get_metrics(["cer"]))
    assert confusions.reference_units == {
        "character": {"1": 1, "a": 1, "é": 1},
        "block": {"Basic Latin": 2, "Latin-1 Supplement": 1},
        "category": {"Nd": 1, "Ll": 2},
    }
    assert [*confusions.confusions["block"]] == [Confusion("Latin-1 Supplement", "Basic Latin", 1)]


def test_segments_left_out_of_the_scores_have_no_alignment():
    pairs = texts([("a", None), ("b", "b")])
    alignments, _ = explained(pairs, get_metrics(["cer"]), missing="drop")
    assert (alignments.segment_id, alignments.characters) == (["s1"], ["C"])
    with pytest.raises(UndefinedResultError, match="s0: no hypothesis"):
        explained(pairs, get_metrics(["cer"]))


def test_a_system_that_cannot_read_the_data_set_has_no_rows_and_keeps_the_reason():
    origin = Origin("a", "b", not_applicable="the system reads audio")
    alignments, confusions = explained(texts([], origin=origin), [])
    assert (alignments.characters, confusions.confusions) == ([], {})
    assert alignments.origin.not_applicable == confusions.origin.not_applicable == "the system reads audio"


@pytest.mark.parametrize(("alignment", "letters"), [("unit", ["ICD", "C"]), ("transpositions", ["T", "C"])])
def test_alignments_are_those_of_their_metrics_in_memory_and_in_files(alignment, letters):
    pairs, ser = texts([("a b", "b a"), ("c", "c")]), *get_metrics(["ser"])
    metrics = [ErrorRate("wer", "word", alignment=alignment), ser]
    scored = ScoredSystem(pairs, metrics)
    assert scored.operations(metrics) == {"wer": letters}
    assert list(scored.alignments.operations) == ["cer", "wer"]
    assert scored.alignments.operations["wer"] == letters


@pytest.mark.parametrize("names", [["cer", "wer"], ["cer_raw", "cer", "wer_raw"], ["ger", "wer", "mer", "ncer"]])
def test_counts_are_the_same_whether_texts_were_aligned_before_or_not(names):
    pairs = texts([("Zwei  Worte", "zwei Wort"), ("\u00e9", "e\u0301"), ("a", ""), ("", "b"), ("", "")], "whitespace")
    metrics = get_metrics(names)
    aligned = ScoredSystem(pairs, metrics)
    assert len(aligned.alignments.characters) == len(aligned.confusions.origin.dataset) * 5
    for metric, counts in score(pairs, metrics).counts.items():
        assert aligned.scores.counts[metric].values.tolist() == counts.values.tolist()


def test_texts_are_aligned_once(monkeypatch):
    aligned = []

    def find(batches, number, alignment):
        aligned.append((number, alignment))
        return _find_batches(batches, number, alignment)

    monkeypatch.setattr(operations, "_find_batches", find)
    monkeypatch.setattr(api, "_count_batches", None)
    metrics = get_metrics(["cer", "wer", "mer", "ncer"])
    scored = ScoredSystem(texts([("a b", "a c"), ("c", "c")]), metrics)
    scored.alignments, scored.confusions, scored.operations(metrics), scored.scores
    assert aligned == [(2, "unit")] * 2


def test_texts_that_cannot_be_aligned_are_named_by_metric_and_segment():
    pairs = texts([("a", "a"), ("ab" * 5_000_000, "c" * 2_000_000)], origin=Origin("books", "kraken"))
    with pytest.raises(TooDifferentError, match=r"cer, segment 's1' of 'books', system 'kraken': texts of 10,000,000"):
        ScoredSystem(pairs, get_metrics(["cer"])).alignments  # noqa: B018
