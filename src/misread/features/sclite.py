"""The report of NIST's sc_stats: paired comparisons in sclite's alignment, by segment, sentence and speaker."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import scipy

from misread.errors import ConfigurationError, UndefinedResultError, setting
from misread.io.checks.choices import check_choice
from misread.metrics.error_rate import ErrorRate
from misread.stats.compare.shared_segments import share_segments
from misread.stats.results import DECIMALS, TestResult, positive_pvalue
from misread.stats.significance.mapsswe import (
    CORRECT,
    INSERTION,
    Operations,
    encode_letters,
    error_segments,
    mapsswe_test,
)
from misread.stats.significance.mcnemar import mcnemar_test
from misread.stats.significance.rate_differences import sign_test, wilcoxon_signed_rank
from misread.tables.number_text import pvalue_text
from misread.tally.scored_system import ScoredSystem
from misread.tally.scores import Scores
from misread.text.display import show_label
from misread.types import FloatArray, IntArray

# Percentage points: speakers whose rates differ by at most this count as equal.
EQUAL = 0.005

_WORDS = "words"


@dataclass(frozen=True, kw_only=True)
class SpeakerRanks:
    """The signed-rank test of sc_stats, in which equal speakers keep their ranks and alternate between the sides."""

    positive: int  # speakers on the side of the system with the higher mean rate
    negative: int
    positive_sum: float  # sum of their ranks
    negative_sum: float
    z: float  # of the side with fewer speakers, without a correction for ties
    pvalue: float  # two-sided, by the normal distribution


@dataclass(frozen=True, kw_only=True)
class ScStats:
    """Two systems side by side; without speakers the last three are None."""

    first: str
    second: str
    sentences: int
    segment_words: int  # reference words of the segments with errors
    mapsswe: TestResult  # statistic: errors of the first minus those of the second
    mcnemar: TestResult  # exact, on sentences without error; b counts those that only the first reads correctly
    speakers: Mapping[str, tuple[float, float]]  # word error rate of both systems in per cent
    ranks: SpeakerRanks | None
    wilcoxon: TestResult | None  # by speaker, without ties, like the sign test
    signs: TestResult | None


def compare_like_sc_stats(
    scores: Mapping[str, Scores], operations: Mapping[str, Sequence[str]], *, baseline: str | None = None
) -> list[ScStats]:
    """Compare every pair of systems as sc_stats does; clusters are speakers, and the baseline is first in its pairs.

    `operations` should be of words by the rule "sclite".
    """
    if len(scores) < 2:
        raise UndefinedResultError(f"a comparison needs two systems or more; there is {', '.join(scores) or 'none'}.")
    if baseline is not None:
        check_choice("system", baseline, scores, where="baseline")
    if lacking := [name for name in scores if name not in operations]:
        raise UndefinedResultError(f"there are no alignments of {', '.join(lacking)}.")
    shared = share_segments(scores, {name: {_WORDS: operations[name]} for name in scores})
    ordered = sorted(scores, key=lambda name: name != baseline)
    return [
        count_like_sc_stats(
            encode_letters(shared.operations[first][_WORDS]),
            encode_letters(shared.operations[second][_WORDS]),
            names=(first, second),
            speakers=shared.keys.cluster,
        )
        for first, second in combinations(ordered, 2)
    ]


def count_like_sc_stats(
    ops_a: Sequence[Operations],
    ops_b: Sequence[Operations],
    *,
    names: tuple[str, str],
    speakers: Sequence[str] | None = None,
) -> ScStats:
    """Compare two systems by segment, by sentence, and by speaker; operations as `mapsswe_test` takes them.

    Segments with their mean, standard deviation and Z, the table of sentences, and Z and signs by speaker are those of
    sc_stats, except for speakers with equal nonzero differences: they share a rank here, but in sc_stats only if their
    floats agree to the last bit, which changes that Z by a few hundredths. The p-values of McNemar's and the sign test
    are exact, unlike those of sc_stats: above 20 discordant sentences it prints p = .016 for 10 against 11, although
    the exact p-value is 1, and in its sign test half of the equal speakers count for either system. Speakers without
    reference words are left out.

    Pallett, Fisher & Fiscus (1990), Tools for the analysis of benchmark speech recognition tests; Gillick & Cox (1989).
    """
    matched = mapsswe_test(ops_a, ops_b)
    errors_a, errors_b, words = _count(ops_a, ops_b)
    rates = {} if speakers is None else _speaker_rates(errors_a, errors_b, words, speakers)
    pair = np.array(list(rates.values())).reshape(-1, 2)
    return ScStats(
        first=names[0],
        second=names[1],
        sentences=len(ops_a),
        segment_words=int(error_segments(ops_a, ops_b)[:, 0].sum()),
        mapsswe=matched,
        mcnemar=mcnemar_test(errors_a == 0, errors_b == 0, unit="sentence"),
        speakers=rates,
        ranks=_rank_speakers(pair[:, 0], pair[:, 1]) if rates else None,
        wilcoxon=wilcoxon_signed_rank(pair[:, 0] - pair[:, 1], unit="speaker") if rates else None,
        signs=sign_test(_level(pair[:, 0] - pair[:, 1]), unit="speaker") if rates else None,
    )


def _count(ops_a: Sequence[Operations], ops_b: Sequence[Operations]) -> tuple[IntArray, IntArray, IntArray]:
    """Errors of both systems and reference words, by sentence."""
    errors_a, errors_b = (
        np.array([np.count_nonzero(operations != CORRECT) for operations in side], dtype=np.int64)
        for side in (ops_a, ops_b)
    )
    words = np.array([np.count_nonzero(operations != INSERTION) for operations in ops_a], dtype=np.int64)
    return errors_a, errors_b, words


def _speaker_rates(
    errors_a: IntArray, errors_b: IntArray, words: IntArray, speakers: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Word error rates of both systems in per cent, by speaker in order of appearance."""
    code_by_speaker = {name: index for index, name in enumerate(dict.fromkeys(speakers))}
    codes = np.array([code_by_speaker[name] for name in speakers])
    sums = [np.bincount(codes, weights=column).tolist() for column in (errors_a, errors_b, words)]
    return {
        name: (100 * a / length, 100 * b / length)
        for name, a, b, length in zip(code_by_speaker, *sums, strict=True)
        if length
    }


def _level(differences: FloatArray) -> FloatArray:
    """Set differences that sc_stats counts as 0 to 0."""
    return np.where(np.abs(differences) <= EQUAL, 0.0, differences)


def _rank_speakers(first: FloatArray, second: FloatArray) -> SpeakerRanks:
    differences = first - second if first.sum() > second.sum() else second - first
    # Equal differences must tie, in spite of the last bits of their floats.
    ranks = scipy.stats.rankdata(np.round(np.abs(differences), DECIMALS))
    equal = np.abs(differences) <= EQUAL
    is_positive = np.where(equal, np.cumsum(equal) % 2 == 1, differences > 0)
    n, positive = len(differences), int(np.count_nonzero(is_positive))
    sums = float(ranks[is_positive].sum()), float(ranks[~is_positive].sum())
    smaller = sums[0] if positive < n - positive else sums[1]
    z = (smaller - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return SpeakerRanks(
        positive=positive,
        negative=n - positive,
        positive_sum=sums[0],
        negative_sum=sums[1],
        z=z,
        pvalue=positive_pvalue(2 * float(scipy.stats.norm.sf(abs(z)))),
    )


# Up to this number of discordant sentences, the p-value of sc_stats is exact.
RIGHT_UP_TO = 20


def render_sc_stats(result: ScStats) -> str:
    """Text on one pair of systems in lines of at most 80 characters, except for long names of systems."""
    result = replace(
        result,
        first=show_label(result.first),
        second=show_label(result.second),
        speakers={show_label(name): rates for name, rates in result.speakers.items()},
    )
    title = f"{result.first} against {result.second}, words aligned as by sclite"
    parts = [[title, "=" * len(title)], _matched_pairs(result), _sentences(result), _speakers(result)]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _matched_pairs(result: ScStats) -> list[str]:
    test, words = result.mapsswe, result.segment_words
    lines = [
        "Matched pairs: segments between two words or more right in both (MAPSSWE)",
        f"  sentences {result.sentences}   segments {test.n} ({test.n / result.sentences:.3f} per sentence)"
        f" of {words} words",
        f"  errors  {_errors(result.first, test.extra['errors_a'], words)}"
        f"   {_errors(result.second, test.extra['errors_b'], words)}",
    ]
    if test.method == "none":
        return [*lines, f"  mean {test.extra['mean']:.3f}   {test.notes[0]}"]
    return [
        *lines,
        f"  mean {test.extra['mean']:.3f}   sd {test.extra['sd']:.3f}   Z {test.statistic:.3f}"
        f"   p {pvalue_text(test.pvalue)} (normal), {pvalue_text(test.extra['pvalue_t'])} (t)",
        *(f"  {note}" for note in test.notes),
    ]


def _errors(name: str, errors: float, words: int) -> str:
    return f"{name} {errors:.0f} ({100 * errors / words:.2f} %)" if words else f"{name} {errors:.0f}"


def _sentences(result: ScStats) -> list[str]:
    test = result.mcnemar
    first, second = f"{result.first} right", f"{result.second} right"
    wide = max(len(first), len(second), 8)
    rows = [(first, test.extra["both_correct"], test.extra["b"]), ("wrong", test.extra["c"], test.extra["both_wrong"])]
    trust = "and here, it is wrong" if test.n > RIGHT_UP_TO else "it is wrong"
    return [
        "Sentences without error (McNemar)",
        f"  {'':>{wide}}  {second:>{wide}}  {'wrong':>8}",
        *(f"  {name:>{wide}}  {right:>{wide}.0f}  {wrong:>8.0f}" for name, right, wrong in rows),
        f"  p {pvalue_text(test.pvalue)} (exact, {test.n} discordant)",
        f"  The p of sc_stats is the same up to {RIGHT_UP_TO} of them; above, {trust}.",
    ]


def _speakers(result: ScStats) -> list[str]:
    if result.ranks is None or result.wilcoxon is None or result.signs is None:
        return ["Speakers: none are named, so there is no Wilcoxon and no sign test by speaker."]
    ranks, exact, signs = result.ranks, result.wilcoxon, result.signs
    wide = max(map(len, [*result.speakers, "speaker"]))
    columns = [max(len(name), 8) for name in (result.first, result.second)]
    means = [sum(rates) / len(result.speakers) for rates in zip(*result.speakers.values(), strict=True)]
    rows = [*result.speakers.items(), ("mean", tuple(means))]
    return [
        f"Speakers ({len(result.speakers)}): word error rate in per cent",
        f"  {'speaker':<{wide}}  {result.first:>{columns[0]}}  {result.second:>{columns[1]}}  difference",
        *(f"  {name:<{wide}}  {a:>{columns[0]}.2f}  {b:>{columns[1]}.2f}  {a - b:>+10.2f}" for name, (a, b) in rows),
        f"  Wilcoxon  Z {ranks.z:.2f}   p {pvalue_text(ranks.pvalue)} (as sc_stats, equal speakers ranked)",
        f"            p {pvalue_text(exact.pvalue)} ({exact.method}, {exact.extra['zeros']:.0f} equal dropped)",
        f"  Signs     N(+) {signs.extra['positive']:.0f}   N(-) {signs.extra['negative']:.0f}"
        f"   N(0) {signs.extra['ties']:.0f}   p {pvalue_text(signs.pvalue)} (exact, equal dropped)",
        f"  N(+) counts speakers on which {result.first} has the higher rate.",
    ]


def report_like_sc_stats(scored: Mapping[str, ScoredSystem], baseline: str | None) -> tuple[list[ScStats], str]:
    """Compare all pairs, words aligned as by sclite; raises ConfigurationError for a system with several runs."""
    words = ErrorRate("wer", "word", alignment="sclite")
    if several := [name for name, system in scored.items() if system.texts.further_runs]:
        raise ConfigurationError(
            f"{setting('report', 'sc_stats')} is for systems with one run, which has an alignment; {several[0]} has "
            "more: score one of its runs alone."
        )
    scores = {name: system.scores for name, system in scored.items()}
    aligned = {name: system.operations([words])[words.id] for name, system in scored.items()}
    pairs = compare_like_sc_stats(scores, aligned, baseline=baseline)
    return pairs, "\n".join(map(render_sc_stats, pairs))
