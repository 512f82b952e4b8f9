import pytest

from misread import error_counts
from misread.alignment import error_table
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextFacts, TextPairs
from misread.errors import TooDifferentError, UndefinedResultError
from misread.metrics import ScoredText, error_rate
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS, get_metrics
from misread.tally import ScoredSystem, score


def texts(pairs, normalizer="whitespace", origin=None):
    references, hypotheses = zip(*pairs, strict=True) if pairs else ((), ())
    keys = SegmentKeys([f"s{row}" for row in range(len(pairs))], None, {})
    capture = Capture(origin or Origin("a", "b"), keys, TextPairs(references, hypotheses), [None] * len(pairs))
    return normalize(capture, get_normalizer(normalizer))


def test_every_metric_is_counted_in_the_order_given():
    assert list(score(texts([("a", "a")]), get_metrics(["wer", "cer"])).counts) == ["wer", "cer"]


@pytest.mark.parametrize("metric", ["cer", "ncer"])
def test_a_segment_too_different_to_be_aligned_is_named(metric):
    pairs = texts([("a", "a"), ("ab" * 5_000_000, "c" * 2_000_000)], "none", Origin("books", "kraken"))
    with pytest.raises(
        TooDifferentError, match=rf"{metric}, segment 's1' of 'books', system 'kraken': texts of 10,000,000 and"
    ):
        score(pairs, get_metrics([metric]))


def test_raw_and_normalized_text_are_counted_apart_unless_the_normalizer_leaves_it_as_it_is():
    counts = score(texts([("a  b", "a b")]), get_metrics(["cer", "cer_raw"])).counts
    assert [counts[metric]["errors"].tolist() for metric in ("cer", "cer_raw")] == [[0], [1]]
    counts = score(texts([("a b", "a c"), ("c", "c")]), get_metrics(["cer", "cer_raw"])).counts
    assert counts["cer_raw"].values is counts["cer"].values


def test_the_part_of_a_data_set_stands_in_the_signature_and_the_normalizer_in_that_of_normalized_metrics_only():
    origin = Origin("a", "b", facts=TextFacts(part="language fr, at most 100"))
    signatures = score(texts([("a", "a")], "lower", origin), get_metrics(["cer", "cer_raw"])).signatures
    assert f"|norm:{get_normalizer('lower').signature}|" in str(signatures["cer"])
    assert "|norm:none|" in str(signatures["cer_raw"])
    assert "|part:language fr, at most 100|v:" in str(signatures["cer"])


def test_equal_raw_references_have_equal_digests_and_other_ones_have_others():
    pairs = [("a", "x"), ("a", "y"), ("b", "x"), ("a b", "a"), ("a  b", "a")]
    digests = score(texts(pairs), get_metrics(["cer"])).reference_digest
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def test_a_system_that_cannot_read_the_data_set_has_no_rows_and_keeps_the_reason():
    origin = Origin("a", "b", not_applicable="the system reads audio")
    scores = score(texts([], origin=origin), get_metrics(["cer"]))
    assert len(scores.segments) == 0
    assert scores.origin.not_applicable == "the system reads audio"


def test_a_metric_stands_under_its_id():
    assert [metric.id for metric in METRICS.values()] == list(METRICS)


def test_a_reference_that_one_metric_cannot_use_counts_in_the_others():
    scores = score(texts([("no JSON", "a"), ('{"a": 1}', '{"a": 1}')]), get_metrics(["cer", "field_f1"]))
    assert scores.counts["cer"]["length"].tolist() == [7, 8]
    assert scores.counts["field_f1"].values.tolist() == [[0, 0, 0, 0], [1, 1, 1, 1]]
    assert list(scores.problems) == ["field_f1"]
    assert scores.problems["field_f1"]["s0"].startswith("it is not valid JSON")


def test_no_reference_that_a_metric_can_use_is_an_error_that_names_the_first():
    with pytest.raises(
        UndefinedResultError, match="can score none of the 2 segments; the first, 's0': it is not valid JSON"
    ):
        score(texts([("a", "a"), ("b", "b")]), get_metrics(["cer", "field_f1"]))


def test_metrics_that_align_have_operations():
    pairs, metrics = texts([("a b", "a x b")]), get_metrics(["wer", "ser"])
    assert ScoredSystem(pairs, metrics).operations(metrics) == {"wer": ["CIC"]}


def test_metrics_of_one_alignment_and_one_text_are_counted_once(monkeypatch):
    counted = []

    def count(texts, *, unit, alignment):
        counted.append((unit, list(texts.references)))
        return error_table(error_counts(texts.references, texts.hypotheses, unit=unit, alignment=alignment))

    monkeypatch.setattr(error_rate, "paired_error_table", count)
    names = ["cer", "ncer", "cer_raw", "wer", "wer_raw", "mer", "wil", "wip"]
    pairs = texts([("a b", "a c"), ("a  b", "a b"), ("c", "c ")])
    scores = score(pairs, get_metrics(names))
    # What the normalizer changed is counted a second time, raw.
    assert sorted(counted) == [
        (unit, some) for unit in ("char", "word") for some in (["a  b", "c"], ["a b", "a b", "c"])
    ]
    for name in names:
        assert scores.counts[name].values.tolist() == score(pairs, get_metrics([name])).counts[name].values.tolist()


# Those of tables need some.
RAW = [
    name
    for name, metric in METRICS.items()
    if metric.text == "raw" and not name.startswith(("teds", "detection", "end_to_end"))
]


@pytest.mark.parametrize("metric", RAW)
def test_raw_text_is_counted_as_if_it_stood_alone(metric):
    table = ("<table><tr><td>a  b</td></tr></table>", "<table><tr><td>a b</td></tr></table>")
    pairs = texts([("a b\n", "a c"), ("a  b\nc", "a b\nc"), ("c", "c "), ("", ""), table])
    alone = ScoredText(list(pairs.raw.references), list(pairs.raw.hypotheses))
    counts = score(pairs, get_metrics([metric])).counts[metric]
    assert counts.values.tolist() == METRICS[metric].count(alone).tolist()


def scored_with_alternatives(*metrics, normalizer="lower"):
    pairs = [("So { UM / uh } (Well) yes", "so uh yes"), ("x y", "x z")]
    origin = Origin("a", "b", facts=TextFacts(alternatives="references"))
    return ScoredSystem(texts(pairs, normalizer, origin), get_metrics(metrics))


def test_words_choose_their_reading_which_other_metrics_count_and_a_word_left_out_is_a_hit():
    system = scored_with_alternatives("wer", "cer", "ser", "wil", "wer_raw")
    counts, signatures = system.scores.counts, system.scores.signatures
    assert counts["wer"].values.tolist() == [[0, 4, 4, 0, 0, 0], [1, 2, 1, 1, 0, 0]]
    assert counts["cer"].values[:, :2].tolist() == [[0, 9], [1, 3]]
    assert counts["ser"]["wrong"].tolist() == [0, 1]
    assert counts["wil"].values[0].tolist() == [0, 3, 3, 0, 0, 0]
    # Raw text is read apart from normalized text.
    assert counts["wer_raw"]["errors"][0] > counts["wer"]["errors"][0] == 0
    assert "|alternatives:references-read-by-words|" in str(signatures["cer"])
    assert "|alternatives:references-aligned|" in str(signatures["wer"])
    # Letters have a unit for every place.
    assert system.operations(get_metrics(["wer"]))["wer"] == ["CCCC", "CS"]
