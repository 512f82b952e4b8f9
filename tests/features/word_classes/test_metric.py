"""Error rates of classes of words, compared with published figures."""

import json

import numpy as np
import pytest

from misread.data import from_columns, with_annotations
from misread.data.formats.nlp import read_nlp_files
from misread.errors import ConfigurationError, InputFileError, InputValueError
from misread.evaluation import evaluate_table
from misread.features.word_classes import BiasingErrorRate, EntityErrorRate, FrequencyErrorRate
from misread.features.word_classes.table import Entities
from misread.metrics import ErrorRate, ScoredText
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS
from misread.sockets.metric_names import get_metric
from misread.tally import ScoredSystem

# By run: substitutions, insertions, deletions and length of WER, U-WER and B-WER (data/rare_words).
PUBLISHED = {
    "test-clean.b1.rnnt_baseline": ((1501, 195, 225, 52576), (725, 195, 190, 46815), (776, 0, 35, 5761)),
    "test-clean.s1.b1+db-rnnt.biasing_100": ((1263, 173, 197, 52576), (720, 173, 174, 46815), (543, 0, 23, 5761)),
    "test-clean.s5.s3+db-nnlm.biasing_100": ((751, 131, 160, 52576), (452, 131, 130, 46815), (299, 0, 30, 5761)),
}
RATES = {
    "test-clean.b1.rnnt_baseline": ("3.6538", "2.3710", "14.0774"),
    "test-clean.s1.b1+db-rnnt.biasing_100": ("3.1060", "2.2792", "9.8247"),
    "test-clean.s5.s3+db-nnlm.biasing_100": ("1.9819", "1.5230", "5.7108"),
}
BANDS = [(0, 1, "74.55"), (1, 10, "30.88"), (10, 100, "7.69"), (100, 1000, "3.19"), (1000, 10000, "1.91")]
BANDS.append((10000, 10**9, "1.65"))


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data / "rare_words"


@pytest.fixture(scope="module")
def texts_of(folder):
    rows = [line.split("\t") for line in (folder / "test-clean.ref.tsv").read_text(encoding="utf-8").splitlines()]
    annotations = {"biasing": [json.loads(row[2]) for row in rows]}

    def read(run):
        lines = (folder / f"{run}.tsv").read_text(encoding="utf-8").splitlines()
        found = dict(([*line.split("\t"), ""])[:2] for line in lines)
        return ScoredText([row[1] for row in rows], [found[row[0]] for row in rows], annotations=annotations)

    return read


@pytest.mark.parametrize("run", PUBLISHED)
def test_published_errors_inside_and_outside_of_biasing_lists_are_reproduced(texts_of, run):
    texts = texts_of(run)
    metrics = [
        ErrorRate("wer", "word", alignment="sclite"),
        BiasingErrorRate("u_wer", alignment="sclite", part="outside"),
        BiasingErrorRate("b_wer", alignment="sclite", part="inside"),
    ]
    for metric, published, rate in zip(metrics, PUBLISHED[run], RATES[run], strict=True):
        counts = metric.count(texts).sum(axis=0)
        of = dict(zip(metric.columns, counts.tolist(), strict=True))
        assert (of["substitutions"], of["insertions"], of["deletions"], of["length"]) == published
        assert f"{100 * metric.rate(counts):.4f}" == rate


def test_unit_costs_give_other_kinds_of_errors_than_those_published(texts_of):
    run = "test-clean.b1.rnnt_baseline"
    counts = ErrorRate("wer", "word").count(texts_of(run)).sum(axis=0)
    assert counts[1] == PUBLISHED[run][0][3]
    assert (counts[3], counts[5], counts[4]) != PUBLISHED[run][0][:3]


def test_errors_by_occurrences_in_training_are_those_known(texts_of, folder):
    texts = texts_of("test-clean.b1.rnnt_baseline")
    total = np.zeros(6, np.int64)
    for first, end, share in BANDS:
        metric = FrequencyErrorRate("band", "sclite", folder / "training_counts.tsv", first, end)
        counts = metric.count(texts).sum(axis=0)
        total += counts
        assert f"{100 * (counts[3] + counts[4]) / counts[1]:.2f}" == share
        if end == 1:
            assert (counts[3] + counts[4], counts[1]) == (246, 330)
    # Classes share every word and every insertion among them.
    assert total.tolist() == ErrorRate("wer", "word", alignment="sclite").count(texts).sum(axis=0).tolist()


def test_inside_and_outside_add_up_to_all_words():
    texts = ScoredText(["a rare word", "b"], ["a rear rare word", "c"], annotations={"biasing": [["rare"], []]})
    both = METRICS["b_wer"].count(texts) + METRICS["u_wer"].count(texts)
    np.testing.assert_array_equal(both, METRICS["wer"].count(texts))


def test_an_inserted_word_belongs_to_its_own_class():
    texts = ScoredText(["a b"], ["a rare b"], annotations={"biasing": [["rare"]]})
    assert METRICS["b_wer"].count(texts).tolist() == [[1, 0, 0, 0, 0, 1]]
    assert np.isnan(METRICS["b_wer"].rate(METRICS["b_wer"].count(texts))[0])
    assert METRICS["u_wer"].count(texts)[0, 0] == 0


@pytest.mark.parametrize(("value", "message"), [(None, "has no biasing list"), ("abc", "'abc' as its biasing list")])
def test_a_biasing_list_that_is_none_is_refused_by_segment(value, message):
    texts = ScoredText(["a"], ["a"], annotations={"biasing": [value]}, segment_ids=["s7"])
    with pytest.raises(InputValueError, match=rf"segment 's7' .*{message}|segment 's7' {message}"):
        METRICS["b_wer"].count(texts)


def test_biasing_lists_are_normalized_as_the_texts_are():
    table = with_annotations(from_columns(["RARE"], {"a": ["rare"]}), {"biasing": [["Rare"]]})
    made = evaluate_table(table, metrics="b_wer", normalizer="lower", seed=1)
    assert made.systems["a"]["b_wer"].counts["length"] == 1


@pytest.fixture
def counts_file(tmp_path):
    def write(text):
        path = tmp_path / "counts.tsv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_word_that_the_counts_lack_was_never_seen(counts_file):
    path = counts_file("a\t9\nb\t10\n")
    metric = get_metric(f"rare_word_error_rate(counts={path})")
    assert metric.count(ScoredText(["a b c"], ["x x x"]))[0, :2].tolist() == [2, 2]
    before = str(metric.signature("none"))
    counts_file("a\t10\nlater\t1\n")
    assert str(metric.signature("none")) != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no word"),
        ("a\t1\n\tb\n", "line 2: expected a word, a tab and its occurrences"),
        ("a 1\n", "line 1: expected"),
        ("a\t-1\n", "line 1: expected"),
        ("a\t1\na\t2\n", "line 2: 'a' occurs twice"),
    ],
)
def test_a_file_of_counts_that_is_none_is_refused_with_the_line(counts_file, text, message):
    metric = FrequencyErrorRate("rare", counts=counts_file(text))
    with pytest.raises(InputFileError, match=message):
        metric.count(ScoredText(["a"], ["a"]))


def test_without_counts_the_metric_says_how_to_give_them():
    with pytest.raises(ConfigurationError, match="rare_word_error_rate needs a file of word counts"):
        METRICS["rare_word_error_rate"].count(ScoredText(["a"], ["a"]))
    with pytest.raises(ConfigurationError, match="at_least is 5 and below 5"):
        FrequencyErrorRate("x", at_least=5, below=5)


def test_bands_and_entities_are_views_with_intervals_by_cluster(counts_file):
    path = counts_file("the\t1000\n")
    metrics = [get_metric(f"rare_word_error_rate(counts={path})"), METRICS["entity_error_rate"]]
    table = from_columns(
        ["the dog", "the cat", "the owl"] * 2, {"a": ["the dog", "the cut", "the oil"] * 2}, clusters=list("uvwxyz")
    )
    table = with_annotations(table, {"entities": [[[], ["PET"]], [[], ["PET", "CAT"]], [[], []]] * 2})
    made = evaluate_table(table, metrics=metrics, seed=1, statistics={"resamples": 99})
    bands = made.view("bands")
    assert bands[["occurrences", "words", "substitutions"]].values.tolist() == [
        ["never", 6, 4],
        ["1,000 to 9,999", 6, 0],
    ]
    assert bands["low"][0] < 2 / 3 < bands["high"][0]
    assert made.view("entities")[["entity", "words", "wrong"]].values.tolist() == [["CAT", 2, 1.0], ["PET", 4, 0.5]]
    assert made.systems["a"]["entity_error_rate"].rate == 0.5


@pytest.mark.slow
def test_entities_of_a_real_call_follow_the_words_of_a_normalizer(shared_data):
    root = shared_data / "earnings21_eval10"
    call = sorted((root / "transcripts" / "nlp_references").glob("*.nlp"))[0]
    system = root / "output" / "google" / call.name
    table = read_nlp_files(call, {"google": system}, entities=root / "transcripts" / "wer_tags")
    texts = normalize(table.captures()["google"], get_normalizer("basic"))
    scored = ScoredSystem(texts, [METRICS["wer"], METRICS["entity_error_rate"]])
    totals = {metric: of.total for metric, of in scored.scores.counts.items()}
    assert 0 < totals["entity_error_rate"][1] < totals["wer"][1]
    by_label = Entities("entities").count_classes(scored.normalized, scored.metrics)
    assert {"DATE", "MONEY", "ORG"} <= set(by_label)
    assert max(of.sum(axis=0)[1] for of in by_label.values()) <= totals["entity_error_rate"][1]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (
            ["", "", "NUM"],
            r"has '' as the labels of word 1, expected a list of labels for each word, such as \[\[\], \[\]",
        ),
        ([[], [], "NUM"], r"has 'NUM' as the labels of word 3"),
        ([[], [], [1]], r"has \[1\] as the labels of word 3"),
        ("NUM", r"has no lists of labels for the 3 words"),
        ([[], ["NUM"]], r"has 2 lists of labels for the 3 words .* such as \[\[\], \[\], \[\"NUM\"\]\]"),
    ],
)
def test_what_is_wrong_with_labels_is_said_with_an_example(labels, said):
    with pytest.raises(InputValueError, match=said):
        EntityErrorRate("entities").count(ScoredText(["a b c"], ["a b c"], annotations={"entities": [labels]}))
