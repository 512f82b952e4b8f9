"""Paired comparisons as text, in the units of NIST's sc_stats."""

from __future__ import annotations

from dataclasses import replace

from misread.features.sclite.sc_stats import ScStats
from misread.tables.numbers import pvalue_text
from misread.text.display import show_label

# Discordant sentences up to which the p-value that sc_stats prints is the exact one.
RIGHT_UP_TO = 20


def render_sc_stats(result: ScStats) -> str:
    """Render one pair of systems in lines of at most 80 characters, except for long names of systems."""
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
