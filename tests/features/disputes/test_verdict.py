"""Verdicts from spans, beside those of the full truth."""

import pytest

import misread
from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import compare_people, reach_verdict
from misread.stats import StatisticsSettings

from .made_readings import make_lines, misread_at_random

LINES = make_lines(60)
PAGES = [f"p{number // 5:02}" for number in range(60)]
SYSTEMS = {name: misread_at_random(LINES, share, seed) for name, share, seed in (("a", 0.03, 2), ("b", 0.06, 3))}
THREE = {**SYSTEMS, "c": misread_at_random(LINES, 0.1, 4)}
SETTINGS = StatisticsSettings(seed=1, tests=["randomisation"])


def decide(disputes, truths, **settings):
    options = {"metrics": ["cer"], "statistics": SETTINGS, **settings}
    return reach_verdict(disputes, Filled(name="anna.csv", truths=truths), **options)


@pytest.mark.parametrize("systems", [SYSTEMS, THREE])
@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_differences_are_those_of_the_full_truth_where_no_error_is_shared(systems, metric):
    # The first of them never errs where the second does, so that all errors are disputed.
    systems = {"truth": LINES, **systems}
    disputes = misread.dispute(systems, seed=1, clusters=PAGES, context=2)
    verdict = decide(
        disputes,
        {
            key: stretch.readings(disputes.texts)[disputes.order.index("truth")]
            for key, stretch in disputes.drawn.items()
        },
        metrics=[metric],
    )
    full = misread.evaluate(LINES, systems, clusters=PAGES, metrics=metric, statistics=SETTINGS)
    for pair, comparisons in full.pairs.items():
        ours = verdict.pairs[pair][metric]
        assert ours.difference == comparisons[metric].difference
        assert ours.interval == comparisons[metric].interval
        assert ours.pvalue == comparisons[metric].pvalue
    for system in systems:
        assert verdict.rates[system][metric].at_least == full.systems[system][metric].rate


def test_an_error_that_all_share_leaves_the_difference_and_lowers_the_rates():
    shared = [line.replace("a", "o", 1) for line in LINES]
    systems = {"a": shared, "b": [line.replace("e", "c", 1) for line in shared]}
    disputes = misread.dispute(systems, seed=1, clusters=PAGES, context=0)
    verdict = decide(
        disputes,
        {key: stretch.readings(disputes.texts)[disputes.order.index("a")] for key, stretch in disputes.drawn.items()},
    )
    full = misread.evaluate(LINES, systems, clusters=PAGES, metrics="cer", statistics=SETTINGS)
    assert verdict.pairs["a", "b"]["cer"].difference == pytest.approx(full.pairs["a", "b"]["cer"].difference)
    known = verdict.rates["a"]["cer"]
    assert known.at_least == 0 < full.systems["a"]["cer"].rate < known.at_most


def test_the_signature_says_where_the_truth_comes_from():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES, context=2, budget=900)
    verdict = decide(disputes, dict.fromkeys(disputes.drawn, "x"))
    assert "|truth:disputed(context=2,budget=900)|" in str(verdict.signature)
    assert verdict.result.systems["a"]["cer"].signature.facts["truth"] == "disputed(context=2,budget=900)"


def test_a_budget_leaves_the_clusters_that_were_drawn():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES, budget=300)
    verdict = decide(disputes, dict.fromkeys(disputes.drawn, "x"))
    clusters = {PAGES[row] for row in disputes.rows}
    assert verdict.result.clusters == len(clusters) < 12
    assert verdict.result.segments == 5 * len(clusters)
    assert {span.cluster for span in disputes.spans} <= clusters


def test_with_a_budget_clusters_stand_in_random_order_and_segments_in_theirs():
    spans = misread.dispute(SYSTEMS, seed=1, clusters=PAGES, budget=10_000).spans
    order = [*dict.fromkeys(span.cluster for span in spans)]
    assert sorted(order) == sorted({*PAGES}) != order
    for page in order:
        segments = [int(span.segment_id) for span in spans if span.cluster == page]
        assert segments == sorted(segments)


def test_what_cannot_be_read_counts_for_no_system():
    systems = {"a": ["one two", "red fox"], "b": ["oXX two", "red fux"]}
    disputes = misread.dispute(systems, seed=1, context=0)
    first, second = disputes.spans
    verdict = decide(disputes, {first.key: None, second.key: "o"})
    assert verdict.unreadable == 1
    counts = [verdict.result.systems[name]["cer"].counts for name in ("a", "b")]
    assert [(count["errors"], count["length"]) for count in counts] == [(0, 12), (1, 12)]


def test_spans_without_a_truth_are_refused():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES)
    truths = know_by_readings(disputes)
    keys = [*truths]
    some = {key: truths[key] for key in keys[:-4]}
    with pytest.raises(UndefinedResultError, match=r"anna.csv: 4 spans of \d+ have no truth \(the first: \d+, in seg"):
        decide(disputes, some)


def test_forms_that_nobody_sees_while_typing_are_told():
    disputes = misread.dispute({"a": ["caf\u00e9 x\nb"] * 4, "b": ["caf\u00e9 y\nb"] * 4}, seed=1, context=8)
    texts = ["caf\u00e9 x\nb", "cafe\u0301 x\nb", "caf\u00e9 x b", "caf\u00e9 x\nb "]
    verdict = decide(disputes, dict(zip(disputes.drawn, texts, strict=True)))
    assert [note.partition(")")[0] for note in verdict.notes] == [
        f"The truth of 1 span (the first: {number}" for number in (2, 3, 4)
    ]
    words = " ".join(str(verdict).split())
    for form in ("decomposed letters (NFD)", "has no line break", "begins or ends with a blank"):
        assert form in words


def test_a_truth_far_from_every_reading_is_named_and_kept():
    systems = {"a": ["a brown fox"] * 3, "b": ["a brovn fox"] * 3}
    disputes = misread.dispute(systems, seed=1, context=3)
    first, *others = disputes.drawn
    verdict = decide(disputes, {first: "something else", **dict.fromkeys(others, "rown fo")})
    (suspicious,) = verdict.suspicious
    assert (suspicious.segment_id, suspicious.truth) == ("1", "something else")
    assert "Far from everything that was read, and kept: 1: 'something else'" in " ".join(str(verdict).split())


def test_the_truth_is_normalized_as_the_texts_are():
    systems = {"a": ["The Fox", "A Dog"], "b": ["the fux", "A dog"]}
    disputes = misread.dispute(systems, seed=1, normalizer="lower")
    assert len(disputes) == 1
    verdict = decide(disputes, dict.fromkeys(disputes.drawn, "FOX"))
    assert verdict.result.systems["a"]["cer"].counts["errors"] == 0
    assert not verdict.suspicious


def test_metrics_that_are_no_error_rates_are_refused():
    disputes = misread.dispute(SYSTEMS, seed=1)
    with pytest.raises(ConfigurationError, match="choose cer, ger or wer"):
        decide(disputes, {}, metrics=["line_accuracy"])


def test_people_who_agree_have_kappa_one_and_less_where_they_differ():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES)
    anna = know_by_readings(disputes)
    ben = {**anna, **dict.fromkeys([*anna][:10], "other")}
    people = [Filled(name=name, truths=truths) for name, truths in (("anna", anna), ("anna too", anna), ("ben", ben))]
    same, *others = (pair.agreement for pair in compare_people(disputes, people, 0.95).pairs)
    assert same.kappa == 1
    assert all(0 < agreement.kappa < 1 for agreement in others)


def know_by_readings(disputes):
    """A person who takes the reading of the better system everywhere."""
    better = disputes.order.index("a")
    return {key: stretch.readings(disputes.texts)[better] for key, stretch in disputes.drawn.items()}
