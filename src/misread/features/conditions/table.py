"""Results of a probe as a table with a row for each concurrency, and as one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from misread.features.conditions.probe import ChangedTexts, ConcurrencyResult, Effect, Probe
from misread.stats import ConfidenceInterval
from misread.tables import Cell, Column, ReportSettings, Table, rate_column
from misread.tables.number_text import RateFormat, level_title, pvalue_sentence
from misread.tables.rates import SIGNS, VERDICT_WORDS
from misread.tables.rates_layout import metric_title
from misread.text.nouns import list_in_words

_SHARES: Final = RateFormat(digits=1)


def lay_out_probe(probe: Probe, settings: ReportSettings) -> Table:
    """One row per concurrency: texts that change, the rate, and verdicts."""
    rates, lowest = settings.rates, probe.concurrencies[0]
    level = level_title(lowest.again.interval or lowest.interval)

    def share_column(title: str, changed: Callable[[ConcurrencyResult], ChangedTexts | None], name: str) -> Column:
        def take_share(row: ConcurrencyResult) -> float | None:
            return None if (texts := changed(row)) is None else texts.share

        def take_interval(row: ConcurrencyResult) -> ConfidenceInterval | None:
            return None if (texts := changed(row)) is None else texts.interval

        return rate_column(title, take_share, _SHARES, interval=take_interval, level=level, name=name)

    def show_effect(effect: Effect) -> Cell:
        return Cell(
            rates.difference(effect.difference), rates.interval_of(effect.difference, effect.interval, signed=True)
        )

    columns = [
        Column("at", lambda row: row.concurrency, name="concurrency", keep=6),
        share_column("again", lambda row: row.again, "again"),
        share_column("changed", lambda row: row.changed, "changed"),
        rate_column(metric_title(probe.metric), lambda row: row.rate, rates, name="rate"),
        Column(f"Δ to {lowest.concurrency}", lambda row: row.effect, show_effect, detail=level),
    ]
    if probe.baseline:
        title = f"to {settings.name(probe.baseline)}"
        columns.append(
            Column(title, lambda row: row.against_baseline, lambda effect: SIGNS[effect.verdict], kind="sign")
        )
    if any(row.failed for row in probe.concurrencies):
        columns.append(Column("failed", lambda row: row.failed, name="failed"))
    return Table(
        caption=(
            f"{settings.name(probe.system)} on {settings.name(probe.dataset)} by concurrency: {probe.segments:,} "
            "segments, read twice at each."
        ),
        columns=columns,
        rows=probe.concurrencies,
        verdict=summarize(probe, settings),
        marks=[f"{', '.join(f'{SIGNS[verdict]} {words}' for verdict, words in VERDICT_WORDS.items())}."]
        if probe.baseline
        else [],
        notes=_notes(probe, lowest.concurrency),
    )


def _notes(probe: Probe, lowest: int) -> list[str]:
    notes = [f"Again: texts that change when asked again at the same concurrency. Changed: from those at {lowest}."]
    if probe.left_out:
        notes.append(f"{probe.left_out:,} of the segments drawn are left out, as a reading failed.")
    if len(probe.server_versions) > 1:
        notes.append(f"The server changed during the probe: {', '.join(probe.server_versions)}.")
    return notes


def summarize(probe: Probe, settings: ReportSettings) -> str:
    """The finding in one sentence, with what it means for rate and verdict."""
    name, pvalue = settings.name(probe.system), pvalue_sentence(probe.pvalue)
    lowest, *others = probe.concurrencies
    if probe.finding == "stable":
        at = list_in_words([str(row.concurrency) for row in probe.concurrencies])
        interval = lowest.again.interval
        bound = f": at most {_SHARES.rate(interval.high)} % of texts depend on it" if interval else ""
        return f"{name} gave the same texts at concurrency {at}{bound}."
    if probe.finding == "unclear":
        return (
            f"{name} changed {len(probe.changed_segments):,} of {probe.segments:,} texts, too few to tell noise from "
            f"an effect of concurrency ({pvalue})."
        )
    noise = f"{_percent(lowest.again)} of texts change when asked again at {lowest.concurrency}"
    shares = list_in_words([noise, *(f"{_percent(row.changed)} at {row.concurrency}" for row in others if row.changed)])
    if probe.finding == "noisy":
        return f"{name} is noisy at every concurrency: {shares}, no more than noise explains ({pvalue})."
    return f"{name} depends on concurrency: {shares} ({pvalue}); {_say_effects(probe, settings)}."


def _say_effects(probe: Probe, settings: ReportSettings) -> str:
    rows = [row for row in probe.concurrencies if row.effect]
    changes = [row for row in rows if row.effect and row.effect.verdict != "inconclusive"]
    title = metric_title(probe.metric)
    sizes = [
        f"{settings.rates.difference(row.effect.difference)} points at {row.concurrency}" for row in rows if row.effect
    ]
    said = f"{title} changes by {list_in_words(sizes)}{'' if changes else ', which is not significant'}"
    verdicts = [row.against_baseline.verdict for row in probe.concurrencies if row.against_baseline]
    if not verdicts:
        return said
    baseline = settings.name(probe.baseline)
    if len(set(verdicts)) == 1:
        return f"{said}; the verdict against {baseline} stays"
    words = [
        f"{VERDICT_WORDS[verdict]} at {row.concurrency}"
        for row, verdict in zip(probe.concurrencies, verdicts, strict=True)
    ]
    return f"{said}; the verdict against {baseline} changes: {list_in_words(words)}"


def _percent(texts: ChangedTexts) -> str:
    interval = _SHARES.interval(texts.interval)
    return f"{_SHARES.rate(texts.share)} %{f' {interval}' if interval else ''}"
