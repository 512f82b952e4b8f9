"""The paired tests by name, and all of them on one pair of systems, with p-values adjusted over the family of pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from misread.stats.compare.settings import PairedTest
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import TestResult
from misread.stats.significance.corpus_scores import FEW_UNITS, jackknife_test, paired_bootstrap
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.significance.mapsswe import encode_letters, mapsswe_test
from misread.stats.significance.mcnemar import mcnemar_test
from misread.stats.significance.pvalue_adjustment import adjust
from misread.stats.significance.randomisation import randomisation_test, sign_flip
from misread.stats.significance.rate_differences import paired_t_test, sign_test, wilcoxon_signed_rank


def tests_of(pair: SystemPair) -> list[PairedTest]:
    """Requested tests that apply to the metric, in the order of the settings; MAPSSWE needs alignments."""
    aligned = bool(pair.baseline_operations and pair.system_operations)
    return [name for name in pair.settings.tests if aligned or name != "mapsswe"]


def run_wilcoxon(pair: SystemPair) -> TestResult:
    """Wilcoxon's signed-rank test on the rates of segments."""
    return wilcoxon_signed_rank(pair.rate_differences, zero_method=pair.settings.zero_method)


def run_mcnemar(pair: SystemPair) -> TestResult:
    """McNemar's test on the segments without error; A is the baseline."""
    is_exact = pair.metric.is_exact
    return mcnemar_test(
        is_exact(pair.baseline_counts),
        is_exact(pair.system_counts),
        variant=pair.settings.mcnemar,
        confidence=pair.settings.confidence,
    )


def run_mapsswe(pair: SystemPair) -> TestResult:
    """MAPSSWE on the alignments of the metric; A is the baseline."""
    return mapsswe_test(encode_letters(pair.baseline_operations), encode_letters(pair.system_operations))


def run_bootstrap(pair: SystemPair) -> TestResult:
    """The paired bootstrap on the corpus rate; p = 1 with the reason if there is too little to draw from."""
    replicates = pair.replicates
    if replicates.reason:
        return TestResult(
            name="paired_bootstrap",
            statistic=pair.difference,
            pvalue=1.0,
            effect_size=0.5,
            effect_size_name="probability_of_improvement",
            n=replicates.n,
            dropped=0,
            method="none",
            unit=replicates.unit,
            notes=(replicates.reason,),
        )
    sign = pair.improvement_sign
    first, second = (pair.baseline, pair.system) if sign > 0 else (pair.system, pair.baseline)
    return paired_bootstrap(
        sign * pair.difference,
        sign * pair.difference_replicates,
        confidence=pair.settings.confidence,
        unit=replicates.unit,
        n=replicates.n,
        # The test uses the resamples, so its interval does too, whatever the other intervals use.
        interval=None if pair.settings.interval == "jackknife" else replicates.difference_interval(first, second),
    )


def run_randomisation(pair: SystemPair) -> TestResult:
    """Approximate randomisation of the corpus rate, exchanging whole clusters if there are any."""
    settings, sign, unit = pair.settings, pair.improvement_sign, pair.replicates.unit
    shared = pair.numerator_differences
    if shared is not None:
        differences, denominator = shared
        return sign_flip(
            sign * differences,
            length=denominator,
            resamples=settings.resamples,
            seed=settings.seed,
            alpha=settings.alpha,
            unit=unit,
        )
    return randomisation_test(
        pair.baseline_units,
        pair.system_units,
        lambda counts: sign * pair.metric.rate(counts),
        resamples=settings.resamples,
        seed=settings.seed,
        alpha=settings.alpha,
        unit=unit,
    )


def run_jackknife(pair: SystemPair) -> TestResult:
    """Student's t test with the standard error of the interval; p = 1 with the reason if there are too few data."""
    replicates, sign = pair.replicates, pair.improvement_sign
    if replicates.reason:
        return TestResult(
            name="jackknife",
            statistic=sign * pair.difference,
            pvalue=1.0,
            effect_size=0.0,
            effect_size_name="standardised_difference",
            n=replicates.n,
            dropped=0,
            method="none",
            unit=replicates.unit,
            notes=(replicates.reason,),
        )
    estimate = pair.difference_estimate
    return jackknife_test(replace(estimate, value=sign * estimate.value), unit=replicates.unit, n=replicates.n)


def run_paired_t(pair: SystemPair) -> TestResult:
    """Student's t test on the mean of the rates of segments."""
    return paired_t_test(pair.rate_differences, confidence=pair.settings.confidence)


def run_sign(pair: SystemPair) -> TestResult:
    """The sign test on the rates of segments."""
    return sign_test(pair.rate_differences)


PAIRED_TESTS: Mapping[PairedTest, Callable[[SystemPair], TestResult]] = {
    "wilcoxon": run_wilcoxon,
    "mcnemar": run_mcnemar,
    "bootstrap": run_bootstrap,
    "randomisation": run_randomisation,
    "jackknife": run_jackknife,
    "paired_t": run_paired_t,
    "sign": run_sign,
    "mapsswe": run_mapsswe,
}


def run_tests(pairs: Sequence[SystemPair]) -> list[SystemPair]:
    """The pairs of a family, compared by one metric, with all their tests, adjusted."""
    if not pairs:
        return []
    settings = pairs[0].settings
    # All pairs of a family share a metric, to which a test applies or not.
    names = tests_of(pairs[0])
    tests = [{name: PAIRED_TESTS[name](pair) for name in names} for pair in pairs]
    adjusted = {
        name: adjust([results[name].pvalue for results in tests], method=settings.correction).tolist() for name in names
    }
    equivalences = [_test_equivalence(pair) for pair in pairs]
    equivalences_adjusted = adjust(
        [equivalence.pvalue if equivalence else 1.0 for equivalence in equivalences], method=settings.correction
    ).tolist()
    family = tuple(results[settings.deciding_test].pvalue for results in tests)
    return [
        replace(
            pair,
            tests=tests[position],
            adjusted={name: adjusted[name][position] for name in names},
            family=family,
            position=position,
            equivalence=equivalences[position],
            equivalence_adjusted=equivalences_adjusted[position],
        )
        for position, pair in enumerate(pairs)
    ]


def _test_equivalence(pair: SystemPair) -> TestResult | None:
    replicates, margin = pair.replicates, pair.settings.margin
    if margin is None or replicates.reason or replicates.n < FEW_UNITS:
        return None
    if pair.settings.equivalence == "paired_t":
        return paired_t_equivalence(pair.unit_rate_differences, margin=margin, unit=replicates.unit)
    if pair.settings.equivalence == "jackknife":
        return jackknife_equivalence(pair.difference_estimate, margin=margin, unit=replicates.unit, n=replicates.n)
    return bootstrap_equivalence(
        pair.difference, pair.difference_replicates, margin=margin, unit=replicates.unit, n=replicates.n
    )
