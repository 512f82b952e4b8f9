"""The claims, study by study: what is simulated, what is asked of each sample, and how often it should be so."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final, get_args

from misread.features.disputes.agreement.order import DrawBy
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.compare.settings import EquivalenceTest, PairedTest
from tools.calibrate import agreement, outcomes, parts, populations, sequential
from tools.calibrate.outcomes import RUNS, SETTINGS, Outcome, covers, rejects
from tools.calibrate.populations import F1, Population
from tools.calibrate.running import Claim, Line, Study
from tools.calibrate.samples import ALPHA, CONFIDENCE, WER

_with_margin = partial(Claim, has_margin=True)
LEVEL, AT_MOST_LEVEL = _with_margin(ALPHA, ALPHA), _with_margin(high=ALPHA)
COVERAGE, ABOUT_COVERAGE = _with_margin(CONFIDENCE, CONFIDENCE), _with_margin(0.94)
BITES = Claim(0.15)
"""Of tests that must fail, or the simulation would show nothing."""
PLANNED = Claim(0.75, 0.85)

TESTS: Final[dict[str, PairedTest]] = {
    "randomisation": "randomisation",
    "bootstrap": "bootstrap",
    "Wilcoxon": "wilcoxon",
    "paired t": "paired_t",
    "MAPSSWE": "mapsswe",
}
EQUIVALENCE: Final[dict[str, EquivalenceTest]] = {
    "bootstrap": "bootstrap",
    "jackknife": "jackknife",
    "Student": "paired_t",
}
INDEPENDENT = Population(clusters=100)
CLUSTERED = Population(clusters=20, segments=15, deviation=0.4)
ALIKE = Population(clusters=12, segments=15, deviation=0.1, hardness=0.3)
STRONG = replace(ALIKE, deviation=0.8, hardness=0.8)
STRONG_UNEQUAL = replace(STRONG, unequal=True, effect=0.3)
F1_OF_WORDS = F1(WER.id, unit="word")
STRONG_F1 = replace(STRONG_UNEQUAL, metric=F1_OF_WORDS)
RUNAWAY_SEGMENTS = Population(clusters=300, runaways=0.02)
FEWER, LARGE = "strong, unequal", "large ones harder"
"""In these one system makes 30 % fewer errors, unless another effect is named."""
SMALL = "strong, small rates"
CORPORA = {
    "alike": ALIKE,
    "alike, unequal": replace(ALIKE, unequal=True),
    "strong": STRONG,
    FEWER: STRONG_UNEQUAL,
    LARGE: replace(ALIKE, deviation=0.5, hardness=0.6, unequal=True, large_is_hard=0.5, effect=0.3),
    "runaways, unequal": Population(clusters=12, segments=15, deviation=0.4, unequal=True, runaways=0.02),
}
CLUSTERS = (8, 12, 20, 30, 50)
RATE_CORPORA = {**CORPORA, "small rates": replace(ALIKE, deviation=0.3, hardness=0.5, usual_rate=0.002)}
RATE_CLUSTERS = (5, 8, 12, 20, 50, 200)
LOOKS = (10, 20, 50, 100, 200, 500)
IN_BULK = ("S20", "S21", "S22", "S23", "S24", "S25", "S26", "S27")

Lines = Iterator[Line]


def _lines(population: Any, *lines: tuple[str, Outcome, Claim]) -> Lines:
    """Lines of one population."""
    return (Line(name, population, outcome, claim) for name, outcome, claim in lines)


def _interval(name: str, population: Any, claim: Claim, method: IntervalMethod = "jackknife", **options: Any) -> Line:
    """Line of the intervals of a score, or of a difference."""
    outcome = covers(population, replace(SETTINGS, interval=method), **options)
    return Line(f"{name}, {method}", population, outcome, claim)


def _by_number(
    name: str, simulate: Callable[[int], Any], claim: Claim, outcome: Callable[[Any], Outcome] = covers
) -> Lines:
    """Lines of populations of a few clusters and of some more."""
    for clusters in (12, 30):
        population = simulate(clusters)
        yield Line(f"{name}, {clusters} clusters", population, outcome(population), claim)


def _rate_and_difference(name: str, population: Any, claim: Claim, **settings: Any) -> Lines:
    """Lines of the interval of a rate and of that of a difference."""
    for what in ("rate", "difference"):
        outcome = covers(population, replace(SETTINGS, **settings), difference=what == "difference")
        yield Line(f"{what}, {name}", population, outcome, claim)


def size() -> Lines:
    """Size on independent segments."""
    yield from _lines(
        INDEPENDENT,
        *((name, rejects(test), LEVEL) for name, test in TESTS.items()),
        ("sign", rejects("sign"), AT_MOST_LEVEL),
        ("McNemar", rejects("mcnemar"), AT_MOST_LEVEL),
    )
    yield Line("randomisation, 12 segments", Population(12), rejects("randomisation"), AT_MOST_LEVEL)


def size_by_cluster() -> Lines:
    """Size on clustered segments."""
    return _lines(
        CLUSTERED,
        ("randomisation by cluster", rejects("randomisation"), LEVEL),
        ("bootstrap by cluster", rejects("bootstrap"), Claim(high=0.10)),
        ("randomisation by segment", rejects("randomisation", by_segment=True), BITES),
        ("bootstrap by segment", rejects("bootstrap", by_segment=True), BITES),
        *((name, rejects(TESTS[name]), BITES) for name in ("Wilcoxon", "paired t", "MAPSSWE")),
    )


def coverage() -> Lines:
    """Coverage on independent segments."""
    for n in (30, 100, 300):
        population = Population(clusters=n)
        for method in get_args(IntervalMethod):
            # Known to be too narrow with few segments.
            claim = COVERAGE if n > 30 and method != "basic" else Claim(0.90)
            yield _interval(f"rate, {n} segments", population, claim, method)
        for method in ("jackknife", "percentile"):
            claim = COVERAGE if n > 30 or method == "jackknife" else Claim(0.90)
            yield _interval(f"difference, {n} segments", population, claim, method, difference=True)
    short = Population(clusters=100, short_is_hard=1.5)
    for method in ("jackknife", "percentile", "bca"):
        name = "rate, 100 segments, short ones harder"
        yield _interval(name, short, COVERAGE, method)
    f1 = replace(INDEPENDENT, metric=F1_OF_WORDS)
    yield _interval("F1, 100 segments", f1, COVERAGE)
    yield _interval("difference of F1, 100 segments", f1, COVERAGE, difference=True)


def power() -> Lines:
    """Power grows with the effect."""
    claims = {0.0: LEVEL, 0.1: Claim(0.10, 0.25), 0.2: Claim(0.35, 0.65), 0.3: Claim(0.70)}
    for (name, test), (effect, claim) in product(TESTS.items(), claims.items()):
        yield Line(f"{name}, {effect:.0%} fewer errors", Population(100, effect=effect), rejects(test), claim)


def families() -> Lines:
    """Families of comparisons."""
    yield from _lines(
        replace(INDEPENDENT, systems=4),
        ("no correction", outcomes.any_pair("none"), Claim(0.12)),
        ("Holm", outcomes.any_pair("holm"), AT_MOST_LEVEL),
        ("Benjamini-Hochberg", outcomes.any_pair("benjamini_hochberg"), AT_MOST_LEVEL),
    )


def equivalence() -> Lines:
    """Equivalence at the margin."""
    at_margin, at_half = Population(clusters=300, effect=0.3), Population(clusters=100, effect=0.5)
    margin, half = (population.rate(0) - population.rate(1) for population in (at_margin, at_half))
    for words, population, declared, claim in (
        ("at the margin", at_margin, margin, LEVEL),
        ("no difference", Population(clusters=300), margin, Claim(0.80)),
        ("100 segments, at a far margin", at_half, half, Claim(high=0.15)),
    ):
        for name, test in EQUIVALENCE.items():
            yield Line(f"{name}, {words}", population, outcomes.is_equivalent(test, declared), claim)
    unequal = Population(clusters=12, segments=15, deviation=0.4, unequal=True, effect=0.3)
    for name, claim in (("bootstrap", Claim(high=0.15)), ("jackknife", AT_MOST_LEVEL)):
        outcome = outcomes.is_equivalent(EQUIVALENCE[name], margin)
        yield Line(f"{name}, 12 unequal clusters, at the margin", unequal, outcome, claim)


def detectable() -> Lines:
    """Power at the minimum detectable difference."""
    for words, corpus in (("100 segments", INDEPENDENT), ("20 clusters", CLUSTERED)):
        population = replace(corpus, effect=outcomes.detectable_effect(corpus))
        name = f"randomisation{' by cluster' if corpus is CLUSTERED else ''}, {words}"
        yield Line(name, population, rejects("randomisation"), PLANNED)


def _percentiles(*, difference: bool) -> Lines:
    for clusters in CLUSTERS:
        population = replace(STRONG_UNEQUAL, clusters=clusters)
        name = f"{FEWER}, {clusters} clusters"
        yield _interval(name, population, Claim(high=0.93), "percentile", difference=difference)


def differences() -> Lines:
    """Coverage of differences by cluster."""
    for (name, corpus), clusters in product(CORPORA.items(), CLUSTERS):
        claim = ABOUT_COVERAGE if clusters > CLUSTERS[0] else _with_margin(0.92)
        if name == LARGE:
            # Known to be too narrow where a few large clusters, which a sample may lack, have most errors.
            claim = Claim(0.90)
        yield _interval(f"{name}, {clusters} clusters", replace(corpus, clusters=clusters), claim, difference=True)
    yield _interval("runaways, 300 segments", RUNAWAY_SEGMENTS, ABOUT_COVERAGE, difference=True)
    yield from _percentiles(difference=True)
    for clusters in (12, 30):
        population = replace(STRONG_F1, clusters=clusters)
        yield _interval(f"F1, strong, unequal, {clusters} clusters", population, ABOUT_COVERAGE, difference=True)


def rates() -> Lines:
    """Coverage of rates by cluster, and widths.

    Known to be too narrow but for clusters alike: few of them may lack what is rare, such as an endless output.
    """
    corpora = [
        *(
            (f"{name}, {number} clusters", replace(RATE_CORPORA[name], clusters=number))
            for name, number in product(RATE_CORPORA, RATE_CLUSTERS)
        ),
        ("runaways, 300 segments", RUNAWAY_SEGMENTS),
        *((f"F1, strong, unequal, {number} clusters", replace(STRONG_F1, clusters=number)) for number in (12, 30)),
    ]
    for name, population in corpora:
        lowest = {"large": 0.82, "runaways": 0.80}.get(name.split()[0].rstrip(","), 0.88)
        claim = ABOUT_COVERAGE if name.startswith(("alike", "small")) else Claim(lowest)
        # Five clusters with two or three errors in all are wide by any method.
        widest = (1.5 if population.clusters == RATE_CLUSTERS[0] else 1.4, 2.0)
        yield Line(name, population, covers(population, widths=True), claim, widest)
    yield from _percentiles(difference=False)


def crossed() -> Lines:
    """Coverage over clusters of two kinds."""
    for size in (8, 12, 25):
        population = populations.crossed_clusters(size, size)
        yield from _rate_and_difference(f"{size} x {size}", population, Claim(0.90), second_cluster="reader")


def runs() -> Lines:
    """Coverage of repeated runs."""
    for clusters, (shared, effect, rule, claim) in product(
        (12, 30),
        (
            (0.0, "no effect", "averaged", ABOUT_COVERAGE),
            (0.0, "no effect", "crossed", ABOUT_COVERAGE),
            (0.3, "an effect", "averaged", Claim(high=0.88)),
            (0.3, "an effect", "crossed", _with_margin(0.92)),
        ),
    ):
        population = populations.repeated_runs(clusters, 5, shared=shared)
        name = f"{clusters} clusters, {effect}, {rule}"
        yield from _rate_and_difference(name, population, claim, **RUNS[rule])
    components = {"clusters": 1.0, "runs": 0.09, "residual": 0.25}
    normal = populations.normal_runs(20, 5, tuple(components.values()))
    for source, variance in components.items():
        # The intervals of differences of mean squares are approximate, and rather too wide.
        claim = COVERAGE if source == "residual" else _with_margin(CONFIDENCE)
        outcome = outcomes.covers_variance(source, variance / 2)
        yield Line(f"variance of {source}, 20 clusters", normal, outcome, claim)


def tests_of_runs() -> Lines:
    """Size and power of tests of repeated runs."""
    alone, shared = populations.repeated_runs(20, 4), populations.repeated_runs(20, 4, shared=0.3)
    averaged, crossed = rejects("randomisation"), rejects("jackknife", replace(SETTINGS, **RUNS["crossed"]))
    yield Line("randomisation, runs averaged, no effect", alone, averaged, LEVEL)
    yield Line("jackknife, runs crossed, no effect", alone, crossed, AT_MOST_LEVEL)
    yield Line("randomisation, runs averaged, an effect", shared, averaged, Claim(0.30))
    yield Line("jackknife, runs crossed, an effect", shared, crossed, Claim(high=0.08))
    yield Line("effect of runs, where there is none", alone, outcomes.finds_effect, LEVEL)
    yield Line("effect of runs, where there is one", shared, outcomes.finds_effect, Claim(0.80))
    for words, rule, plan in (
        ("2 runs averaged", "averaged", outcomes.planned((1.0, 0.0, 0.5), 0.4, 2)),
        ("3 runs averaged", "averaged", outcomes.planned((1.0, 0.0, 2.0), 0.4, 3)),
        ("6 runs crossed, an effect", "crossed", outcomes.planned((1.0, 0.05, 0.5), 0.4, 6)),
    ):
        yield Line(f"power as planned, {words}", plan, outcomes.finds_difference(rule), PLANNED)


def kappa() -> Lines:
    """Coverage of kappa."""
    for words, number in (("two judges", 2), ("three judges", 3)):
        yield from _by_number(words, partial(populations.judges, number), ABOUT_COVERAGE, outcomes.covers_kappa)


def doubts() -> Lines:
    """Coverage of scores of confidences, and of classes of words."""
    for metric, name, claim in (
        ("normalized_cross_entropy", "normalized cross entropy", ABOUT_COVERAGE),
        ("brier_score", "Brier score", ABOUT_COVERAGE),
        ("expected_calibration_error", "expected calibration error", ABOUT_COVERAGE),
        ("maximum_calibration_error", "maximum calibration error", Claim(0.50)),
    ):
        yield from _by_number(name, partial(populations.doubts, metric), claim)
    for mean in (3, 10):
        words = partial(populations.shares, mean)
        yield from _by_number(f"class of {mean} words", words, COVERAGE, outcomes.covers_class)


def counted() -> Lines:
    """Coverage of single metrics by cluster."""
    for metric, name, claim in (
        ("teds", "TEDS", ABOUT_COVERAGE),
        ("error_reduction", "errors that a correction takes away", ABOUT_COVERAGE),
        ("order_error_rate", "errors of order", Claim(0.90)),
        ("loop_error_share", "share of errors in loops", Claim(0.86)),
    ):
        yield from _by_number(name, partial(populations.counted_clusters, metric), claim)


def review() -> Lines:
    """Coverage of the share of words to check."""
    covers_share = partial(covers, settings=replace(SETTINGS, resamples=199))
    yield from _by_number("to check", partial(populations.doubts, "review_share"), ABOUT_COVERAGE, covers_share)


def disagreement() -> Lines:
    """How often interval and deciding test disagree."""
    for name, clusters in product((FEWER, LARGE), (12, 20, 50)):
        population = replace(CORPORA[name], clusters=clusters)
        for words, excludes, claim in (
            ("p alone", False, Claim(high=0.20)),
            ("interval alone", True, Claim(high=0.05)),
        ):
            outcome = outcomes.disagree(excludes=excludes)
            yield Line(f"{words}, {name}, {clusters} clusters", population, outcome, claim)


def catastrophes() -> Lines:
    """How often a system that fails on a few pages is called better."""
    for share in (0.05, 0.02):
        for pages, claim in ((12, Claim(0.20)), (20, Claim(0.20)), (50, Claim(0.05)), (200, Claim(high=0.15))):
            name = f"one page in {round(1 / share)}, {pages} pages"
            yield Line(name, populations.rare_catastrophes(pages, share), outcomes.is_better, claim)


def looks() -> Lines:
    """Coverage of the intervals of all looks together."""
    for (name, corpus), clusters in product(CORPORA.items(), LOOKS):
        population = replace(corpus, clusters=clusters)
        outcome = sequential.covers_always(population)
        yield Line(f"{name}, {clusters} clusters", sequential.Clusters(population), outcome, _with_margin(CONFIDENCE))
    for clusters in (100, 500):
        population = replace(ALIKE, clusters=clusters)
        outcome = sequential.covers_naively(population)
        name = f"alike, {clusters} clusters, interval for a fixed number"
        # Or the simulation would show nothing.
        yield Line(name, sequential.Clusters(population), outcome, Claim(high=0.8))


def looks_at_all() -> Lines:
    """Coverage of the difference of a known number of clusters."""
    for (name, corpus), clusters in product(CORPORA.items(), (20, 60, 200)):
        population = replace(corpus, clusters=clusters)
        # Known to be too narrow where a few clusters, which may be the last ones, have most errors.
        claim = ABOUT_COVERAGE if name in ("alike", "alike, unequal", "strong") else Claim(0.85)
        outcome = sequential.covers_all(population)
        yield Line(f"{name}, {clusters} clusters", sequential.Clusters(population), outcome, claim)


def sequential_verdicts() -> Lines:
    """How often sequential verdicts are wrong."""
    effects = {"no difference": 0.0, "10 % fewer errors": 0.1, "30 % fewer errors": 0.3, "50 % more errors": -0.5}
    corpora = {**CORPORA, SMALL: replace(STRONG, usual_rate=0.01)}
    for (name, corpus), (words, effect), total in product(corpora.items(), effects.items(), (None, 60)):
        if total is not None and effect not in (0.0, 0.3):
            continue
        population = replace(corpus, clusters=total or LOOKS[-1], effect=effect)
        of_all = "" if total is None else f", all {total}"
        outcome = sequential.errs(population, usual_effect=0.2, total=total)
        # Known to err more where few clusters have most of few errors.
        claim = Claim(high=0.085) if name == SMALL else AT_MOST_LEVEL
        yield Line(f"{name}, {words}{of_all}", sequential.Clusters(population), outcome, claim)
    for clusters, total, claim in ((60, None, BITES), (LOOKS[-1], None, BITES), (60, 60, Claim(0.10))):
        # Known to err where one system fails on few clusters: most samples lack them at first.
        outcome = sequential.errs(ALIKE, usual_effect=0.2, total=total)
        of_all = "" if total is None else f", all {total}"
        yield Line(f"one system fails on few pages, {clusters}{of_all}", sequential.Failing(clusters), outcome, claim)


def stopping() -> Lines:
    """Clusters until a sequential verdict."""
    by_corpus = dict.fromkeys(("alike", "alike, unequal", "strong"), (50, 100, 200, 500))
    for name, numbers in {**by_corpus, FEWER: (200, 500), LARGE: (200, 500)}.items():
        for planned, (words, times, longest) in product(
            numbers, (("no difference", 0.0, 3), ("twice the margin", 2.0, 1))
        ):
            share = 0.6 if times else 1.3
            corpora = sequential.Planned(CORPORA[name], planned, times, longest)
            outcome = sequential.stops_within(corpora, share)
            yield Line(f"{name}, {planned} planned, {words}", corpora, outcome, Claim(0.5))
    for name, planned, (words, times, longest) in product(
        ("alike", "strong"), (50, 200), (("as large as planned", 1.0, 5), ("twice as large", 2.0, 2))
    ):
        corpora = sequential.Planned(CORPORA[name], planned, times, longest)
        line = f"{name}, {planned} planned, {words}, no margin"
        yield Line(line, corpora, sequential.stops_as_expected(corpora), Claim(0.5))


def fixed_plans() -> Lines:
    """Power of the number of clusters that `misread plan size` plans."""
    by_corpus = dict.fromkeys(("alike", "alike, unequal", "strong"), (12, 20, 50, 100))
    for name, numbers in {**by_corpus, FEWER: (200,), LARGE: (200,)}.items():
        for planned in numbers:
            corpora = sequential.Planned(CORPORA[name], planned, 1.0, 1)
            yield Line(f"{name}, {planned} planned", corpora, sequential.finds, Claim(0.75))


def coverage_of_few(name: str, draw: DrawBy, *, pairs: bool) -> tuple[float, str]:
    """Least coverage of intervals from few typed units, and why it is known to be below .93."""
    match name:
        case "earnings21":
            return 0.87, "five units alone"
        case "repeated_runs" if pairs:
            return 0.87, "two runs of one model"
        case "shared errors":
            return 0.89, "half of the errors in no disagreement"
        case "repeated_runs" if draw == "random":
            return 0.87, "few pages have most errors"
        case "heavy tails" | "runaways" if draw == "random":
            return 0.55, "few pages have most errors"
    return 0.93, ""


def few_typed() -> Lines:
    """Coverage of rates and differences from few typed units."""
    numbers = {"das22, entries": (30, 100), "das22, pages": (10, 20), "earnings21": (5,)}
    for name in agreement.NAMES:
        # Errors that all systems share change no difference.
        kinds = (False,) if name.startswith("shared") else (False, True)
        for number, draw, pairs in product(numbers.get(name, (10,)), get_args(DrawBy), kinds):
            population = agreement.Typed(name, number, draw, pairs)
            least, why = coverage_of_few(name, draw, pairs=pairs)
            words = f"{'differences' if pairs else 'rates'}, {number} of {name}, {draw}"
            yield Line(f"{words}: {why}" if why else words, population, agreement.covers_all, Claim(least))


def equal_totals() -> Lines:
    """Size of the test of two systems with as many errors."""
    for name, number, draw in product(("das22, pages", "light tails", "heavy tails"), (5, 10, 20), get_args(DrawBy)):
        population = agreement.Typed(f"equal totals, {name}", number, draw)
        yield Line(f"{name}, {number} typed, {draw}", population, agreement.rejects_equal, Claim(high=0.06))


def parts_of_pages() -> Lines:
    """Coverage of parts of rates and of differences."""
    rows: list[tuple[str, str, Sequence[int], str, float]] = [
        ("das22, pages", "char", (20, 40), "", 0.90),
        ("das22, pages", "char", (12,), "five pages have most dashes", 0.80),
        ("das22, pages", "word", (20, 40), "", 0.90),
        ("das22, pages", "word", (12,), "one page has far more boundaries", 0.85),
        ("repeated_runs", "char", (20,), "one page has a third of the marks", 0.75),
        ("repeated_runs", "word", (20,), "", 0.90),
    ]
    for name, unit, numbers, why, least in rows:
        for number in numbers:
            words = f"{unit}s, {number} of {name.partition(',')[0]}"
            population = parts.Pages(name, number, "ocr", unit)
            yield Line(f"{words}: {why}" if why else words, population, parts.covers_shown, Claim(least))
    population = parts.Pages("earnings21", 11, "english", "word")
    yield Line("words, 11 of earnings21: one call has twice the fillers", population, parts.covers_shown, Claim(0.70))


BY_ID = {
    study_id: Study(study_id, samples, lines, is_in_bulk=study_id in IN_BULK)
    for study_id, samples, lines in (
        ("S1", 4000, size),
        ("S2", 2000, size_by_cluster),
        ("S3", 2000, coverage),
        ("S4", 500, power),
        ("S5", 2000, families),
        ("S6", 2000, equivalence),
        ("S8", 1000, detectable),
        ("S9", 4000, differences),
        ("S9b", 2000, rates),
        ("S9c", 1000, crossed),
        ("S10", 2000, runs),
        ("S11", 2000, tests_of_runs),
        ("S13", 2000, kappa),
        ("S14", 2000, doubts),
        ("S15", 2000, counted),
        ("S17", 600, review),
        ("S18", 2000, disagreement),
        ("S19", 2000, catastrophes),
        ("S20", 2000, looks),
        ("S21", 2000, looks_at_all),
        ("S22", 2000, sequential_verdicts),
        ("S23", 2000, stopping),
        ("S24", 2000, fixed_plans),
        ("S25", 1000, few_typed),
        ("S26", 2000, equal_totals),
        ("S27", 2000, parts_of_pages),
    )
}
STUDIES = tuple(BY_ID.values())
