"""Results made by hand: what a table says is then known beforehand."""

import operator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from misread.data.segment_table import SegmentKeys
from misread.metrics import Direction, Kind
from misread.metrics.base import UNIT_NOUNS
from misread.provenance.signature import Signature
from misread.sockets import METRICS
from misread.stats import ConfidenceInterval, DatasetResult, GroupResult, MetricResult, PairComparison, TestResult
from misread.stats.compare.groups import fairness_of_groups
from misread.stats.compare.ranking import assign_letters
from misread.stats.compare.schema import Rank, StatisticsFacts, VerdictReason
from misread.stats.compare.shared_segments import SharedSegments
from misread.tables import ReportSettings, lay_out_rates, make_rate_table
from misread.tally.scores import Counts
from misread.version import __version__

SIGNATURE = f"cer|unit:char|norm:none|data:books@0123|B:999|ci:percentile95|adj:holm(3)|seed:1|v:{__version__}"


def count_errors(errors, lengths=10, metric="cer"):
    """Counts of an error rate from the errors of every segment: substitutions, or insertions beyond its length."""
    errors = np.array(errors, dtype=np.int64)
    length = np.broadcast_to(np.array(lengths, dtype=np.int64), errors.shape)
    substitutions = np.minimum(errors, length)
    none = np.zeros_like(errors)
    values = [errors, length, length - substitutions, substitutions, none, errors - substitutions]
    return Counts(METRICS[metric].columns, np.stack(values, axis=-1))


def share_errors(systems, lengths=10, clusters=None, metric="cer", cluster_name="page", groups=None):
    """Segments of systems from the errors of each; clusters are labels or numbers."""
    counts = {name: {metric: count_errors(errors, lengths, metric)} for name, errors in systems.items()}
    segments = len(next(iter(counts.values()))[metric])
    codes = labels = None
    if clusters is not None:
        codes = np.unique(clusters, return_inverse=True)[1].astype(np.int64)
        labels = [label if isinstance(label, str) else f"p{label:02}" for label in clusters]
    keys = SegmentKeys([f"s{row:04}" for row in range(segments)], labels, groups or {})
    return SharedSegments(keys, counts, codes, "" if codes is None else cluster_name, 0)


def interval(low, high):
    return ConfidenceInterval(low=low, high=high, confidence=0.95, method="percentile")


def rate(micro, *, errors=10, with_interval=True, direction=Direction.LOWER_IS_BETTER, signature=SIGNATURE):
    has_interval = with_interval and micro is not None
    return MetricResult(
        micro=micro,
        macro=micro,
        median=micro,
        segments=60,
        empty_references=0,
        exact_segments=50,
        counts={
            "errors": errors,
            "length": 2923,
            "hits": 2900,
            "substitutions": errors - 3,
            "deletions": 2,
            "insertions": 1,
        },
        design_effect=None,
        effective_segments=None,
        confidence_interval=interval(micro - 0.01, micro + 0.01) if has_interval else None,
        direction=direction,
        kind=Kind.ERROR_RATE,
        counted=f"{UNIT_NOUNS[Signature.parse(signature).facts['unit']]} errors",
        signature=Signature.parse(signature),
    )


def of_group(micro):
    ends = None if micro is None else interval(micro - 0.01, micro + 0.02)
    return GroupResult(micro=micro, segments=20, confidence_interval=ends)


def verdict(difference, pvalue):
    if pvalue >= 0.05:
        return "inconclusive"
    return "better" if difference < 0 else "worse"


def bootstrap_test(difference, pvalue):
    return TestResult(
        name="bootstrap",
        statistic=difference,
        pvalue=pvalue,
        effect_size=0.1,
        effect_size_name="share",
        n=60,
        dropped=0,
        method="percentile",
        unit="page",
    )


def reason(code, **more):
    return VerdictReason(code=code, alpha=0.05, margin=None, correction="holm", pairs=1, **more)


def pair(baseline, system, difference, pvalue, *, with_interval=True):
    return PairComparison(
        baseline=baseline,
        system=system,
        metric="cer",
        difference=difference,
        confidence_interval=interval(difference - 0.005, difference + 0.01) if with_interval else None,
        verdict=verdict(difference, pvalue),
        verdict_reason=reason("difference" if pvalue < 0.05 else "no_difference"),
        tests={"bootstrap": bootstrap_test(difference, pvalue)},
        decided_by="bootstrap",
        pvalue_adjusted=pvalue,
        significant=pvalue < 0.05,
        equivalence=None,
        minimum_detectable_difference=0.02,
        further_segments=None if pvalue < 0.05 else 100,
        further_clusters=None if pvalue < 0.05 else 20,
        influence=None,
        notes=(),
        better=1,
        same=2,
        worse=3,
    )


FACTS = StatisticsFacts(
    seed=1,
    confidence=0.95,
    interval="percentile",
    resamples=999,
    second_cluster=None,
    tests=("bootstrap",),
    decided_by="bootstrap",
    alpha=0.05,
    correction="holm",
    pairs="all",
    family="all pairs",
    family_size=3,
    margin=None,
    equivalence="jackknife",
    power=0.8,
    unit="page",
    units=12,
    smallest_pvalue=0.0005,
)


def result(rates, pvalues=None, groups=None, *, with_interval=True, signature=SIGNATURE, **changes):
    """All systems by their rate; p-values by pair, 0.0001 where none is given."""
    pvalues = pvalues or {}
    systems = {
        name: {
            "cer": micro
            if isinstance(micro, MetricResult)
            else rate(micro, with_interval=with_interval, signature=signature)
        }
        for name, micro in rates.items()
    }
    known = {name: of["cer"].micro for name, of in systems.items()}
    pairs = tuple(
        pair(a, b, known[b] - known[a], pvalues.get((a, b), 0.0001), with_interval=with_interval)
        for a, b in combinations(known, 2)
        if known[a] is not None and known[b] is not None
    )
    made = DatasetResult(
        dataset="books",
        data_digest="0123456789",
        segments=60,
        excluded=0,
        missing="error",
        clusters=12,
        cluster_name="page",
        baseline=next(iter(rates), ""),
        engines={name: {} for name in rates},
        systems=systems,
        groups=groups or {},
        fairness={
            column: {
                "cer": fairness_of_groups(of, "cer", direction=Direction.LOWER_IS_BETTER, has_band=True) if of else {}
            }
            for column, of in (groups or {}).items()
        },
        comparisons=pairs,
        ranking={},
        statistics=FACTS,
        not_applicable={},
        warnings=(),
        signature=Signature.parse(SIGNATURE),
    )
    made = replace(made, **changes)
    return replace(made, ranking={"cer": rank_made(known, made.pairs("cer"))})


def rank_made(rates, pairs):
    """Ranks of systems that have a rate, from the pairs that were tested."""
    ranked = sorted((name for name in rates if rates[name] is not None), key=rates.get)
    apart = {frozenset((pair.baseline, pair.system)) for pair in pairs if pair.significant}
    letters = assign_letters(ranked, apart) if len(pairs) == len(ranked) * (len(ranked) - 1) / 2 else {}

    def apart_from(name, is_ahead):
        return sum({name, other} in apart and is_ahead(rates[other], rates[name]) for other in ranked)

    return {
        name: Rank(
            rank=1 + sum(rates[other] < rates[name] for other in ranked),
            first=None,
            letters=letters.get(name),
            highest=1 + apart_from(name, operator.lt),
            lowest=len(ranked) - apart_from(name, operator.gt),
        )
        for name in ranked
    }


@pytest.fixture(scope="session")
def make_result():
    return result


@pytest.fixture
def make_rate():
    return rate


@pytest.fixture
def make_group():
    return of_group


@pytest.fixture
def make_table():
    def make(of, **settings):
        return make_rate_table(of, "cer", ReportSettings(["cer"], **settings))

    return make


@pytest.fixture
def make_paper():
    def make(of, **settings):
        chosen = ReportSettings(["cer"], **settings)
        return lay_out_rates(make_rate_table(of, "cer", chosen), chosen)

    return make


@pytest.fixture
def three():
    """Kraken is far behind; PERO and Tesseract cannot be told apart."""
    pvalues = {("tesseract4", "pero"): 0.31, ("tesseract4", "kraken"): 0.0001, ("pero", "kraken"): 0.0123}
    return result({"tesseract4": 0.0381, "pero": 0.0301, "kraken": 0.1557}, pvalues)


@pytest.fixture(scope="session")
def grouped():
    rates = {"pero": 0.02, "kraken": 0.1}
    of_level = {name: {"cer": of_group(micro)} for name, micro in rates.items()}
    return result(rates, groups={"degradation": dict.fromkeys(("clean", "heavy", "light"), of_level)})
