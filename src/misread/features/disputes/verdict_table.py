"""A verdict from disputed spans as tables: differences of pairs, and bounds of the rates."""

from collections.abc import Callable, Iterator
from typing import Final

from misread.features.disputes.verdict_records import DisputedRate, VerdictRecord
from misread.stats import PairComparison, RatersResult
from misread.tables import Cell, Column, Table, in_files
from misread.tables.number_text import RateFormat, interval_ends, level_title, pvalue_text
from misread.tables.rates import VERDICT_WORDS
from misread.tables.rates_layout import metric_title
from misread.text.display import shorten_label
from misread.text.nouns import count_of, list_in_words

SHARED: Final = (
    "An error that all systems share is not seen: it changes rates, and differences next to nothing. The rates "
    "shown are lower bounds; a few pages that are drawn and typed as a whole give the rates (`misread plan next`)."
)

_MOST_NAMED: Final = 3


def lay_out_verdict(verdict: VerdictRecord, rates: RateFormat | None = None) -> list[Table]:
    """Tables of all pairs and of the rates."""
    rates = rates or RateFormat()
    return [_lay_out_pairs(verdict, rates), _lay_out_rates(verdict, rates)]


def _lay_out_pairs(verdict: VerdictRecord, rates: RateFormat) -> Table:
    pairs = verdict.result.comparisons
    level = next(filter(None, (level_title(pair.interval) for pair in pairs)), "")
    facts = verdict.result.statistics

    def show_difference(pair: PairComparison) -> Cell:
        return Cell(rates.difference(pair.difference), rates.interval_of(pair.difference, pair.interval, signed=True))

    return Table(
        caption=(
            f"Differences from the truth of {count_of(verdict.spans, 'span')} in which systems "
            f"differ: {verdict.characters:,} characters, {verdict.share:.1%} of the text."
        ),
        columns=[
            Column("metric", lambda pair: metric_title(pair.metric), kind="name", name="metric", keep=4),
            Column("system", lambda pair: pair.system, kind="name", name="system", keep=7),
            Column("against", lambda pair: pair.baseline, kind="name", name="baseline", keep=7),
            Column(f"Δ{rates.sign}", show=show_difference, detail=level, keep=6),
            in_files(("difference", "low", "high"), lambda pair: (pair.difference, *interval_ends(pair.interval))),
            Column("p", lambda pair: pair.pvalue_adjusted, pvalue_text, name="pvalue_adjusted", keep=5),
            Column("verdict", lambda pair: pair.verdict, VERDICT_WORDS.__getitem__, kind="text", name="verdict"),
        ],
        rows=pairs,
        notes=[f"Intervals and p over {count_of(facts.units, facts.unit)}.", *_notes(verdict)],
        signature=str(verdict.signature),
    )


def _lay_out_rates(verdict: VerdictRecord, rates: RateFormat) -> Table:
    rows = [(system, metric, rate) for system, known in verdict.rates.items() for metric, rate in known.items()]

    def rate_of(take: Callable[[DisputedRate], float]) -> Callable[[tuple[str, str, DisputedRate]], str]:
        return lambda row: rates.rate(take(row[2]))

    return Table(
        caption="What is known of the rates.",
        columns=[
            Column("system", lambda row: row[0], kind="name", keep=7),
            Column("metric", lambda row: metric_title(row[1]), kind="name"),
            Column(f"at least{rates.sign}", rate_of(lambda rate: rate.at_least), kind="decimal", keep=6),
            Column(f"at most{rates.sign}", rate_of(lambda rate: rate.at_most), kind="decimal", keep=1),
        ],
        rows=rows,
        notes=[SHARED],
    )


def _notes(verdict: VerdictRecord) -> Iterator[str]:
    yield from verdict.notes
    if verdict.unreadable:
        yield f"{count_of(verdict.unreadable, 'span')} cannot be read and counts for no system."
    if verdict.suspicious:
        examples = "; ".join(
            f"{truth.segment_id}: {_quote(truth.truth)} for {list_in_words([*map(_quote, truth.readings)], 'or')}"
            for truth in verdict.suspicious[:_MOST_NAMED]
        )
        more = len(verdict.suspicious) - _MOST_NAMED
        yield (f"Far from everything that was read, and kept: {examples}{f'; and {more:,} more' if more > 0 else ''}.")


def _quote(text: str) -> str:
    return repr(shorten_label(text))


def lay_out_people(judges: RatersResult, spans: int) -> Table:
    """How far people agree on which readings are right."""

    def show(pair: object) -> Cell:
        agreement = pair.agreement  # type: ignore[attr-defined]
        low, high = interval_ends(agreement.interval)
        return Cell(f"{agreement.kappa:.3f}", "" if low is None else f"[{low:.3f}, {high:.3f}]")

    level = next(filter(None, (level_title(pair.agreement.interval) for pair in judges.pairs)), "")
    return Table(
        caption=f"Agreement of people on which readings of {count_of(spans, 'span')} are right.",
        columns=[
            Column("first", lambda pair: pair.first, kind="name", keep=7),
            Column("second", lambda pair: pair.second, kind="name", keep=7),
            Column("kappa", show=show, detail=level, keep=6),
            Column("alike %", lambda pair: 100 * pair.agreement.agreement, digits=1, kind="decimal"),
        ],
        rows=judges.pairs,
        notes=["Cohen's kappa: 1 for full agreement, 0 for that of chance."],
    )
