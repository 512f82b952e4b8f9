"""Verdicts from spans, beside those of the full truth."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import misread
from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import reach_verdict
from misread.stats import StatisticsSettings

from .made_readings import make_lines, misread_at_random

LINES = make_lines(60)
PAGES = [f"p{number // 5:02}" for number in range(60)]
SYSTEMS = {name: misread_at_random(LINES, share, seed) for name, share, seed in (("a", 0.03, 2), ("b", 0.06, 3))}
THREE = {**SYSTEMS, "c": misread_at_random(LINES, 0.1, 4)}
SETTINGS = StatisticsSettings(seed=1, tests=["randomisation"])


def decide(disputes, truths, **settings):
    options = {"metrics": ["cer"], "partial": False, "statistics": SETTINGS, **settings}
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
    assert known.rate is None


def test_windows_that_are_all_typed_give_the_rate_of_the_full_truth():
    shared = [line.replace("a", "o", 1) for line in LINES]
    systems = {"a": shared, "b": [line[:-1] + "#" for line in shared]}
    disputes = misread.dispute(systems, seed=1, clusters=PAGES, audit=10_000)
    truths = {key: LINES[stretch.row][stretch.starts[0] : stretch.ends[0]] for key, stretch in disputes.drawn.items()}
    verdict = decide(disputes, truths)
    full = misread.evaluate(LINES, systems, clusters=PAGES, metrics="cer", statistics=SETTINGS)
    for system in systems:
        assert verdict.rates[system]["cer"].rate == pytest.approx(full.systems[system]["cer"].rate)
    assert "audit=10000" in str(verdict.signature)


def test_the_signature_says_where_the_truth_comes_from():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES, context=2, audit=7, budget=900)
    verdict = decide(disputes, dict.fromkeys(disputes.drawn, "x"))
    assert "|truth:disputed(context=2,audit=7,budget=900)|" in str(verdict.signature)
    assert verdict.result.systems["a"]["cer"].signature.facts["truth"] == "disputed(context=2,audit=7,budget=900)"


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


def test_spans_without_a_truth_are_refused_and_give_bounds_on_request():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES)
    truths = know_by_readings(disputes)
    keys = [*truths]
    some = {key: truths[key] for key in keys[:-4]}
    with pytest.raises(UndefinedResultError, match=r"anna.csv: 4 spans of \d+ have no truth \(the first: \d+, in seg"):
        decide(disputes, some)
    verdict = decide(disputes, some, partial=True)
    (bounds,) = verdict.bounds
    assert verdict.open == 4
    assert bounds.low <= decide(disputes, truths).pairs["a", "b"]["cer"].difference <= bounds.high
    assert bounds.low < bounds.high


def test_with_open_spans_nothing_but_bounds_is_given():
    disputes = misread.dispute({"a": ["xn the rain"] * 14, "b": ["in the rain"] * 14}, seed=1)
    verdict = decide(disputes, dict.fromkeys([*disputes.drawn][:7], "in"), partial=True)
    (bounds,) = verdict.bounds
    assert (bounds.fewest, bounds.most) == (-14, 0)
    assert (verdict.result.comparisons, verdict.result.systems, verdict.rates) == ((), {}, {})
    with pytest.raises(UndefinedResultError, match="7 spans of 14 have no truth: differences have `bounds` alone"):
        verdict.pairs["a", "b"]
    assert "verdict before all spans have a truth" in str(verdict)
    assert "better" not in str(verdict)


def test_open_windows_of_agreed_text_leave_the_differences_and_no_rate():
    disputes = misread.dispute(SYSTEMS, seed=1, clusters=PAGES, audit=6)
    truths = know_by_readings(disputes)
    some = {key: truth for key, truth in truths.items() if disputes.drawn[key].is_disputed}
    verdict, whole = decide(disputes, some, partial=True), decide(disputes, truths)
    assert not verdict.bounds
    assert verdict.pairs["a", "b"]["cer"].interval == whole.pairs["a", "b"]["cer"].interval
    assert verdict.rates["a"]["cer"].rate is None
    assert verdict.rates["a"]["cer"].at_least == whole.rates["a"]["cer"].at_least


READ = ["the quick brown fox", "a lazy dog own", "", "jumps over it", "pack my box"]
TEXTS = st.text("abo n", max_size=9)


@pytest.mark.slow
@given(
    systems=st.fixed_dictionaries({name: st.tuples(*[st.sampled_from(READ) | TEXTS] * 5) for name in "abc"}),
    typed=st.lists(TEXTS | st.none(), min_size=40, max_size=40),
    share=st.floats(0, 0.99),
    metric=st.sampled_from(["cer", "wer", "ger"]),
)
def test_bounds_hold_whatever_the_open_spans_are(systems, typed, share, metric):
    assume(len({*systems.values()}) > 1)
    disputes = misread.dispute(systems, seed=1)
    truths = dict(zip(disputes.drawn, typed, strict=False))
    some = dict([*truths.items()][: int(share * len(truths))])
    partial, whole = decide(disputes, some, partial=True, metrics=[metric]), decide(disputes, truths, metrics=[metric])
    assert len(partial.bounds) == 3
    for bounds in partial.bounds:
        first, second = (whole.result.systems[name][metric] for name in (bounds.baseline, bounds.system))
        assert bounds.fewest <= second.counts["errors"] - first.counts["errors"] <= bounds.most
        if first.micro is not None:
            assert bounds.low - 1e-12 <= second.micro - first.micro <= bounds.high + 1e-12


def test_bounds_are_refused_for_errors_that_are_no_distance():
    disputes = misread.dispute(SYSTEMS, seed=1)
    with pytest.raises(ConfigurationError, match=r"wer\(alignment=sclite\), whose differences have no bounds"):
        decide(disputes, {}, metrics=["wer(alignment=sclite)"], partial=True)


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
        decide(disputes, {}, metrics=["line_accuracy"], partial=True)


def know_by_readings(disputes):
    """A person who takes the reading of the better system everywhere."""
    better = disputes.order.index("a")
    return {key: stretch.readings(disputes.texts)[better] for key, stretch in disputes.drawn.items()}
