"""The claims, study by study: what is simulated, what is asked of each sample, and how often it should be so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, get_args

from misread.stats.bootstrap.intervals import IntervalMethod
from tools.calibrate import outcomes, repeated_runs, single_metrics
from tools.calibrate.outcomes import ALPHA, CONFIDENCE, Outcome, covers
from tools.calibrate.populations import Population
from tools.calibrate.repeated_runs import CrossedClusters, NormalRuns, RepeatedRuns, planned
from tools.calibrate.running import Claim, Line, Study
from tools.calibrate.single_metrics import CountedClusters, Doubts, RareCatastrophes, Shares, ThreeJudges, TwoJudges

LEVEL, AT_MOST_LEVEL = Claim("is", ALPHA), Claim("at_most", ALPHA)
COVERAGE, ABOUT_COVERAGE = Claim("is", CONFIDENCE), Claim("at_least", 0.94)
BITES = Claim("above", 0.15)
"""Of tests that must fail, or the simulation would show nothing."""

INDEPENDENT = Population(clusters=100)
CLUSTERED = Population(clusters=20, segments=15, deviation=0.4)
ALIKE = Population(clusters=12, segments=15, deviation=0.1, hardness=0.3)
STRONG = replace(ALIKE, deviation=0.8, hardness=0.8)
STRONG_UNEQUAL = replace(STRONG, unequal=True, effect=0.3)
CORPORA = {
    "alike": ALIKE,
    "alike, unequal": replace(ALIKE, unequal=True),
    "strong": STRONG,
    "strong, unequal, 30 % fewer errors": STRONG_UNEQUAL,
    "large ones harder, 30 % fewer errors": replace(
        ALIKE, deviation=0.5, hardness=0.6, unequal=True, large_is_hard=0.5, effect=0.3
    ),
    "runaways, unequal": Population(clusters=12, segments=15, deviation=0.4, unequal=True, runaways=0.02),
}
CLUSTERS = (8, 12, 20, 30, 50)
RATE_CORPORA = {**CORPORA, "small rates": replace(ALIKE, deviation=0.3, hardness=0.5, usual_rate=0.002)}
RATE_CLUSTERS = (5, 8, 12, 20, 50, 200)
RUNAWAY_SEGMENTS = Population(clusters=300, runaways=0.02)

FEWER, LARGE = "strong, unequal, 30 % fewer errors", "large ones harder, 30 % fewer errors"
BY_ID: dict[str, Study] = {}

Lines = Iterator[Line]


def _study(study_id: str, replications: int) -> Callable[[Callable[[], Lines]], None]:
    """Enter a study with its lines."""

    def enter(lines: Callable[[], Lines]) -> None:
        BY_ID[study_id] = Study(study_id, replications, tuple(lines()))

    return enter


def _lines(population: Any, *lines: tuple[str, Outcome, Claim]) -> Lines:
    """Lines of one population."""
    return (Line(name, population, outcome, claim) for name, outcome, claim in lines)


def _claim_of_rate(corpus: str) -> Claim:
    """Known to be too narrow but for clusters alike: few of them may lack what is rare, such as an endless output."""
    if corpus.startswith(("alike", "small")):
        return ABOUT_COVERAGE
    return Claim("above", {"large": 0.82, "runaways": 0.80}.get(corpus.split()[0].rstrip(","), 0.88))


def _percentiles(*, difference: bool) -> Lines:
    for clusters in CLUSTERS:
        population = replace(STRONG_UNEQUAL, clusters=clusters)
        outcome = covers(population, "percentile", difference=difference)
        yield Line(f"{FEWER}, {clusters} clusters, percentile", population, outcome, Claim("below", 0.93))


@_study("S1", 4000)
def size() -> Lines:
    """Size on independent segments."""
    yield from _lines(
        INDEPENDENT,
        ("randomisation", outcomes.flip, LEVEL),
        ("randomisation, 21 exchanges drawn", outcomes.exchange, Claim("is", 1 / (outcomes.FEW_RESAMPLES + 1))),
        ("bootstrap", outcomes.bootstrap, LEVEL),
        ("Wilcoxon", outcomes.wilcoxon, LEVEL),
        ("paired t", outcomes.student, LEVEL),
        ("MAPSSWE", outcomes.matched_pairs, LEVEL),
        ("sign", outcomes.sign, AT_MOST_LEVEL),
        ("McNemar", outcomes.right_segments, AT_MOST_LEVEL),
    )
    yield from _lines(
        Population(clusters=12),
        ("randomisation, 12 segments", outcomes.flip, AT_MOST_LEVEL),
        ("paired t, 4 normal differences", outcomes.student_of_four, LEVEL),
    )


@_study("S2", 2000)
def size_by_cluster() -> Lines:
    """Size on clustered segments."""
    return _lines(
        CLUSTERED,
        ("randomisation by cluster", outcomes.flip_clusters, LEVEL),
        ("bootstrap by cluster", outcomes.bootstrap_clusters, Claim("below", 0.10)),
        ("randomisation by segment", outcomes.flip, BITES),
        ("bootstrap by segment", outcomes.bootstrap, BITES),
        ("Wilcoxon", outcomes.wilcoxon, BITES),
        ("paired t", outcomes.student, BITES),
        ("MAPSSWE", outcomes.matched_pairs, BITES),
    )


@_study("S3", 2000)
def coverage() -> Lines:
    """Coverage on independent segments."""
    for n in (30, 100, 300):
        population = Population(clusters=n)
        for method in get_args(IntervalMethod):
            # Known to be too narrow with few segments.
            claim = COVERAGE if n > 30 and method != "basic" else Claim("above", 0.90)
            yield Line(f"rate, {n} segments, {method}", population, covers(population, method, by_cluster=False), claim)
        for method in ("jackknife", "percentile"):
            claim = COVERAGE if n > 30 or method == "jackknife" else Claim("above", 0.90)
            outcome = covers(population, method, by_cluster=False, difference=True)
            yield Line(f"difference, {n} segments, {method}", population, outcome, claim)
    short = Population(clusters=100, short_is_hard=1.5)
    for method in ("jackknife", "percentile", "bca"):
        outcome = covers(short, method, by_cluster=False)
        yield Line(f"rate, 100 segments, short ones harder, {method}", short, outcome, COVERAGE)
    for difference, name in ((False, "F1"), (True, "difference of F1")):
        outcome = covers(INDEPENDENT, by_cluster=False, difference=difference, score=outcomes.f1)
        yield Line(f"{name}, 100 segments, jackknife", INDEPENDENT, outcome, COVERAGE)


@_study("S4", 500)
def power() -> Lines:
    """Power grows with the effect."""
    for test, outcome in (
        ("randomisation", outcomes.flip),
        ("bootstrap", outcomes.bootstrap),
        ("Wilcoxon", outcomes.wilcoxon),
        ("paired t", outcomes.student),
        ("MAPSSWE", outcomes.matched_pairs),
    ):
        for effect in (0.0, 0.1, 0.2, 0.3):
            claim = Claim("grows") if effect else LEVEL
            yield Line(f"{test}, {effect:.0%} fewer errors", Population(100, effect=effect), outcome, claim)


@_study("S5", 2000)
def families() -> Lines:
    """Families of comparisons."""
    yield from _lines(
        replace(INDEPENDENT, systems=4),
        ("no correction", outcomes.any_pair("none"), Claim("above", 0.12)),
        ("Holm", outcomes.any_pair("holm"), AT_MOST_LEVEL),
        ("Benjamini-Hochberg", outcomes.any_pair("benjamini_hochberg"), AT_MOST_LEVEL),
    )
    yield from _lines(
        replace(CLUSTERED, systems=4),
        ("Friedman", outcomes.ranks, LEVEL),
        ("Nemenyi", outcomes.any_rank, AT_MOST_LEVEL),
    )


@_study("S6", 2000)
def equivalence() -> Lines:
    """Equivalence at the margin."""
    at_margin, at_half = Population(clusters=300, effect=0.3), Population(clusters=100, effect=0.5)
    margin, half = (population.rate(0) - population.rate(1) for population in (at_margin, at_half))
    tests = {
        "bootstrap": outcomes.equivalent_by_bootstrap,
        "jackknife": outcomes.equivalent_by_jackknife,
        "Student": outcomes.equivalent_by_student,
    }
    for words, population, declared, claim in (
        ("at the margin", at_margin, margin, LEVEL),
        ("no difference", Population(clusters=300), margin, Claim("above", 0.80)),
        ("100 segments, at a far margin", at_half, half, Claim("below", 0.15)),
    ):
        for name, test in tests.items():
            yield Line(f"{name}, {words}", population, test(declared), claim)
    unequal = Population(clusters=12, segments=15, deviation=0.4, unequal=True, effect=0.3)
    for name, claim in (("bootstrap", Claim("below", 0.15)), ("jackknife", AT_MOST_LEVEL)):
        outcome = tests[name](margin, by_cluster=True)
        yield Line(f"{name}, 12 unequal clusters, at the margin", unequal, outcome, claim)


@_study("S8", 1000)
def detectable() -> Lines:
    """Power at the minimum detectable difference."""
    for words, population, by_cluster, outcome in (
        ("randomisation, 100 segments", INDEPENDENT, False, outcomes.flip),
        ("randomisation by cluster, 20 clusters", CLUSTERED, True, outcomes.flip_clusters),
    ):
        effect = outcomes.detectable_effect(population, by_cluster=by_cluster)
        yield Line(words, replace(population, effect=effect), outcome, Claim("near", 0.80))


@_study("S9", 4000)
def differences() -> Lines:
    """Coverage of differences by cluster."""
    for name, corpus in CORPORA.items():
        for clusters in CLUSTERS:
            population = replace(corpus, clusters=clusters)
            claim = Claim("at_least", 0.94 if clusters > CLUSTERS[0] else 0.92)
            if name == LARGE:
                # Known to be too narrow where a few large clusters, which a sample may lack, have most errors.
                claim = Claim("above", 0.90)
            outcome = covers(population, difference=True)
            yield Line(f"{name}, {clusters} clusters, jackknife", population, outcome, claim)
    outcome = covers(RUNAWAY_SEGMENTS, by_cluster=False, difference=True)
    yield Line("runaways, 300 segments, jackknife", RUNAWAY_SEGMENTS, outcome, ABOUT_COVERAGE)
    yield from _percentiles(difference=True)
    for clusters in (12, 30):
        population = replace(STRONG_UNEQUAL, clusters=clusters)
        outcome = covers(population, difference=True, score=outcomes.f1)
        yield Line(f"F1, strong, unequal, {clusters} clusters, jackknife", population, outcome, ABOUT_COVERAGE)


@_study("S9b", 2000)
def rates() -> Lines:
    """Coverage of rates by cluster, and widths."""
    for name, corpus in RATE_CORPORA.items():
        for clusters in RATE_CLUSTERS:
            population = replace(corpus, clusters=clusters)
            # Five clusters with two or three errors in all are wide by any method.
            widest = (1.5 if clusters == RATE_CLUSTERS[0] else 1.4, 2.0)
            yield Line(f"{name}, {clusters} clusters", population, covers(population), _claim_of_rate(name), widest)
    outcome = covers(RUNAWAY_SEGMENTS, by_cluster=False)
    yield Line("runaways, 300 segments", RUNAWAY_SEGMENTS, outcome, _claim_of_rate("runaways"), (1.4, 2.0))
    for clusters in (12, 30):
        population = replace(STRONG_UNEQUAL, clusters=clusters)
        name, outcome = f"F1, strong, unequal, {clusters} clusters", covers(population, score=outcomes.f1)
        yield Line(name, population, outcome, _claim_of_rate("strong"), (1.4, 2.0))
    yield from _percentiles(difference=False)


@_study("S9c", 1000)
def crossed() -> Lines:
    """Coverage over clusters of two kinds."""
    for size in (8, 12, 25):
        population = CrossedClusters(size, size)
        for what in ("rate", "difference"):
            outcome = population.covers(difference=what == "difference")
            yield Line(f"{what}, {size} x {size}", population, outcome, Claim("above", 0.90))


@_study("S10", 2000)
def runs() -> Lines:
    """Coverage of repeated runs."""
    for clusters in (12, 30):
        for shared, effect, rule, claim in (
            (0.0, "no effect of runs", "averaged", ABOUT_COVERAGE),
            (0.0, "no effect of runs", "crossed", ABOUT_COVERAGE),
            (0.3, "an effect of runs", "averaged", Claim("below", 0.88)),
            (0.3, "an effect of runs", "crossed", Claim("at_least", 0.92)),
        ):
            population = RepeatedRuns(clusters, 5, shared=shared)
            for what in ("rate", "difference"):
                outcome = population.covers(rule, difference=what == "difference")
                yield Line(f"{what}, {clusters} clusters in 5 runs, {effect}, {rule}", population, outcome, claim)
    normal = NormalRuns(20, 5)
    for source in ("clusters", "runs", "residual"):
        # The intervals of differences of mean squares are approximate, and rather too wide.
        claim = COVERAGE if source == "residual" else Claim("at_least", 0.95)
        yield Line(f"variance of {source}, 20 clusters in 5 runs", normal, normal.covers(source), claim)


@_study("S11", 2000)
def tests_of_runs() -> Lines:
    """Size and power of tests of repeated runs."""
    alone, shared = RepeatedRuns(20, 4), RepeatedRuns(20, 4, shared=0.3)
    averaged, crossed = repeated_runs.differ("averaged"), repeated_runs.differ("crossed")
    yield Line("randomisation, runs averaged, no effect of runs", alone, averaged, LEVEL)
    yield Line("jackknife, runs crossed, no effect of runs", alone, crossed, AT_MOST_LEVEL)
    yield Line("randomisation, runs averaged, an effect of runs", shared, averaged, Claim("above", 0.30))
    yield Line("jackknife, runs crossed, an effect of runs", shared, crossed, Claim("below", 0.08))
    yield Line("effect of runs, where there is none", alone, repeated_runs.finds_effect, LEVEL)
    yield Line("effect of runs, where there is one", shared, repeated_runs.finds_effect, Claim("above", 0.80))
    for words, rule, plan in (
        ("2 runs averaged", "averaged", planned((1.0, 0.0, 0.5), 0.4, 2)),
        ("3 runs averaged", "averaged", planned((1.0, 0.0, 2.0), 0.4, 3)),
        ("6 runs crossed, an effect of runs", "crossed", planned((1.0, 0.05, 0.5), 0.4, 6)),
    ):
        yield Line(f"power as planned, {words}", plan, repeated_runs.finds_difference(rule), Claim("near", 0.80))


@_study("S12", 2000)
def predictions() -> Lines:
    """Coverage of what was not checked."""
    for checked, rest in ((12, 12), (12, 200), (30, 15), (30, 300)):
        population = RepeatedRuns(checked + rest, 1)
        for what in ("the rest", "all"):
            outcome = repeated_runs.covers_rest(checked, whole=what == "all")
            yield Line(f"{what}, {checked} of {checked + rest} clusters checked", population, outcome, ABOUT_COVERAGE)


@_study("S13", 2000)
def kappa() -> Lines:
    """Coverage of kappa."""
    for words, judges in (("", TwoJudges), ("three judges, ", ThreeJudges)):
        for population in (judges(12), judges(30)):
            yield Line(f"{words}{population.clusters} clusters", population, population.covers, ABOUT_COVERAGE)


@_study("S14", 2000)
def doubts() -> Lines:
    """Coverage of scores of confidences, and of classes of words."""
    for population in (Doubts(12), Doubts(30)):
        for metric, name, claim in (
            ("normalized_cross_entropy", "normalized cross entropy", ABOUT_COVERAGE),
            ("brier_score", "Brier score", ABOUT_COVERAGE),
            ("expected_calibration_error", "expected calibration error", ABOUT_COVERAGE),
            ("maximum_calibration_error", "maximum calibration error", Claim("above", 0.50)),
        ):
            outcome = single_metrics.covers_doubts(population, metric)
            yield Line(f"{name}, {population.clusters} clusters", population, outcome, claim)
    for clusters, mean in ((12, 3), (12, 10), (30, 3), (30, 10)):
        words = Shares(clusters, mean)
        outcome = single_metrics.covers_class(words)
        yield Line(f"class, {clusters} clusters with {mean} words", words, outcome, COVERAGE)


@_study("S15", 2000)
def counted() -> Lines:
    """Coverage of single metrics by cluster."""
    for kind, metric, name, claim in (
        ("pages", "flexible_character_accuracy", "flexible character accuracy", ABOUT_COVERAGE),
        ("tables", "teds", "TEDS", ABOUT_COVERAGE),
        ("corrections", "error_reduction", "errors that a correction takes away", ABOUT_COVERAGE),
        ("order", "order_error_rate", "errors of order", Claim("above", 0.90)),
        ("loops", "loop_error_share", "share of errors in loops", Claim("above", 0.86)),
    ):
        for clusters in (12, 30):
            population = CountedClusters(kind, metric, clusters)
            yield Line(f"{name}, {clusters} clusters", population, single_metrics.covers_counted(population), claim)
    for clusters in (12, 30):
        places = Shares(clusters, 3, share=0.2, spread=10.0)
        outcome = single_metrics.covers_repeats(places)
        yield Line(f"repeated errors, {clusters} clusters", places, outcome, ABOUT_COVERAGE)


@_study("S17", 600)
def review() -> Lines:
    """Coverage of the share of words to check."""
    for population in (Doubts(12), Doubts(30)):
        outcome = single_metrics.covers_doubts(population, "review_share")
        yield Line(f"{population.clusters} clusters", population, outcome, ABOUT_COVERAGE)


@_study("S18", 2000)
def disagreement() -> Lines:
    """How often interval and deciding test disagree."""
    for name in (FEWER, LARGE):
        for clusters in (12, 20, 50):
            yield from _lines(
                replace(CORPORA[name], clusters=clusters),
                (
                    f"p below .05, interval contains 0, {name}, {clusters} clusters",
                    outcomes.disagree(excludes=False),
                    Claim("below", 0.20),
                ),
                (
                    f"p above .05, interval excludes 0, {name}, {clusters} clusters",
                    outcomes.disagree(excludes=True),
                    Claim("below", 0.05),
                ),
            )


@_study("S19", 2000)
def catastrophes() -> Lines:
    """How often a system that fails on a few pages is called better."""
    for share in (0.05, 0.02):
        for pages, kind, limit in ((12, "above", 0.20), (20, "above", 0.20), (50, "above", 0.05), (200, "below", 0.15)):
            population = RareCatastrophes(pages, share)
            name = f"one page in {round(1 / share)}, {pages} pages"
            yield Line(name, population, population.is_called_better, Claim(kind, limit))


STUDIES = tuple(BY_ID.values())
