"""Table and figure of the parts of error rates and of their differences."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from misread.alignment.encode.texts import Unit
from misread.errors import ConfigurationError
from misread.features.parts.decomposition import Part, Parts, decompose
from misread.features.parts.step_sets import SETS, find_steps
from misread.metrics.base import UNIT_NOUNS
from misread.metrics.error_rate import ErrorRate
from misread.provenance.signature import Signature
from misread.tables import Cell, Column, ReportSettings, Table, View, ViewInput, in_files
from misread.tables.number_text import RateFormat, confidence_title, interval_ends
from misread.tally import ScoredSystem
from misread.text.display import file_stem
from misread.text.nouns import list_in_words

_OTHER: Final = "other steps"
_SMALL: Final = 5e-5
_NO_ENDS: Final = (None, None)
_CONFIDENCE: Final = 0.95
_ABOUT: Final = (
    "Parts are Shapley values over steps and structure: the mean change over all orders, in units of the raw "
    "references, so that they add up.",
    "All texts are in NFC with single spaces: the sum is the rate of these, whatever the normalizer of other tables.",
)
_ABOUT_ENDS: Final = (
    "first, last: the change by this alone, and after all others; steps that remove the same errors share them."
)
_ABOUT_INTERVALS: Final = (
    "Intervals by cluster; none of a part that fewer than six clusters have, or a quarter of up to forty."
)


class PartRow(NamedTuple):
    """A line of the table: rates by system, differences by pair, and ends of the one that is shown last."""

    name: str
    rates: Mapping[str, Part | float]
    differences: Mapping[str, Part | float]
    ends: tuple[float | None, float | None] = _NO_ENDS


@dataclass(frozen=True)
class PartsView(View):
    """What an error rate, and the difference of two, is made of: conventions, structure, misreading.

    Parameters
    ----------
    steps : str
        `english`, `ocr`, or up to eight steps of normalizers, separated by "+".
    metric : str
        Id of an error rate of words or characters; empty for the first.
    """

    steps: str = "english"
    metric: str = ""

    def __post_init__(self) -> None:
        find_steps(self._steps)

    @property
    def _steps(self) -> str | list[str]:
        return self.steps if self.steps in SETS else [name for name in self.steps.split("+") if name]

    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems on the segments that all of them have; None if nothing is read."""
        parts = source.once(self._find)
        if parts is None:
            return None
        settings, systems = source.settings, list(parts.counts)
        pairs = _pairs(parts, systems)
        ended = pairs[0] if len(pairs) == 1 else (systems[0], None)
        rows = _rows(parts, pairs, parts.of(*ended) if len(systems) < 3 else None)
        rates = settings.rates
        columns = [
            in_files("dataset", source.dataset),
            Column("part", lambda row: row.name, kind="name", name="part", keep=4),
        ]
        for system in systems:
            columns += _columns(
                settings.name(system), partial(_take, "rates", system), rates, name=f"part_{system}", alone=not pairs
            )
        for system, other in pairs:
            title, name = f"{settings.name(system)} - {settings.name(other)}", f"difference_{system}_{other}"
            columns += _columns(title, partial(_take, "differences", system), rates, name=name, alone=True, signed=True)
        if len(systems) < 3:
            show = rates.difference if pairs else rates.rate
            for index, end in enumerate(("first", "last")):
                columns.append(Column(end, partial(_take, "ends", index), show, name=end, keep=1))
        notes = [*_ABOUT, *[_ABOUT_ENDS] * (len(systems) < 3), _ABOUT_INTERVALS]
        noun = UNIT_NOUNS[parts.unit]
        facts = {"steps": self.steps, "unit": parts.unit, "texts": str(len(parts.lengths))}
        return Table(
            stem=file_stem(source.dataset, self.id),
            caption=f"Parts of the {noun} errors on {settings.name(source.dataset)} by the steps {self.steps}.",
            columns=columns,
            rows=rows,
            notes=[*(_say(parts, pair, settings) for pair in pairs), *notes],
            signature=str(Signature.of("parts", facts)),
        )

    def _find(self, source: ViewInput) -> Parts | None:
        scored = {name: system for name, system in source.scored.items() if not system.texts.origin.not_applicable}
        if not scored:
            return None
        unit = self._unit(next(iter(scored.values())))
        readings = {name: _read_runs(system) for name, system in scored.items()}
        first, *_ = next(iter(readings.values()))
        shared = [key for key in first.rows if all(key in run.rows for runs in readings.values() for run in runs)]
        if not shared:
            return None
        rows = [first.rows[key] for key in shared]
        clusters = next(iter(scored.values())).clusters
        # Texts are there once for each run, and those of a system with fewer runs again.
        times = math.lcm(*map(len, readings.values()))
        hypotheses = {
            name: [run.outputs[run.rows[key]] for run in runs for key in shared] * (times // len(runs))
            for name, runs in readings.items()
        }
        return decompose(
            [first.references[row] for row in rows] * times,
            hypotheses,
            steps=self._steps,
            unit=unit,
            clusters=(shared if clusters is None else [clusters[row] for row in rows]) * times,
        )

    def _unit(self, system: ScoredSystem) -> Unit:
        rates = [metric for metric in system.metrics if isinstance(metric, ErrorRate) and metric.unit != "grapheme"]
        rates = [
            metric for metric in rates if metric.rate_columns == ("errors", "length") and metric.alignment == "unit"
        ]
        chosen = next((metric for metric in rates if self.metric in ("", metric.id)), None)
        if chosen is None:
            choices = ", ".join(metric.id for metric in rates) or "none here; --metrics cer or wer"
            raise ConfigurationError(
                f"view {self.id!r} takes an error rate of words or characters apart, with unit costs, got "
                f"{self.metric or 'none'}; choices: {choices}."
            )
        return chosen.unit

    def draw(self, source: ViewInput, folder: Path) -> list[Path]:
        """Draw the parts of every system as bars on each other."""
        from misread.tables.figures.canvas import LINE_HEIGHT, add_legend, drawing, height_with_legend, mark_of, plain

        parts = source.once(self._find)
        if parts is None:
            return []
        settings, systems = source.settings, list(parts.counts)
        values = {system: [part.value for part in parts.of(system)] for system in systems}
        shown = [number for number in range(len(parts.names)) if any(abs(values[s][number]) >= _SMALL for s in systems)]
        names = [parts.names[number] for number in reversed(shown)]
        height = height_with_legend(names, LINE_HEIGHT * (3.5 + 2 * len(systems)))
        stem = folder / file_stem(source.dataset, self.id)
        with drawing(stem, settings.figure_formats, height) as (figure, paths):
            axes, marks = figure.add_subplot(), []
            # Negative parts are to the left of zero, the others to the right.
            ends = np.zeros((2, len(systems)))
            for index, number in enumerate(reversed(shown)):
                widths = np.array([settings.rates.scaled(values[system][number]) for system in systems])
                side = (widths > 0).astype(int)
                starts = ends[side, np.arange(len(systems))]
                look = {"color": mark_of(index)["color"], "hatch": "" if index < 8 else "///", "height": 0.7}
                marks.append(axes.barh(range(len(systems)), widths, left=starts, **look))
                ends[side, np.arange(len(systems))] += widths
            axes.set_yticks(range(len(systems)), [plain(settings.name(system)) for system in systems])
            axes.invert_yaxis()
            axes.axvline(0, color="black", linewidth=0.8)
            axes.set_xlabel(f"{UNIT_NOUNS[parts.unit]} errors{settings.rates.axis}")
            add_legend(figure, marks, names)
        return paths


class _Run(NamedTuple):
    """Raw texts of a run, and the row of each segment."""

    rows: Mapping[str, int]
    references: Sequence[str]
    outputs: Sequence[str]


def _read_runs(system: ScoredSystem) -> list[_Run]:
    runs = []
    for run in system.runs:
        if run.texts.origin.facts.alternatives:
            raise ConfigurationError(
                "texts may be read in several ways, and which one fits changes with the steps; choose one reading "
                "first, or leave the parts out."
            )
        raw = run.texts.raw.take(run.rows)
        rows = {key: row for row, key in enumerate(run.segments.segment_id)}
        runs.append(_Run(rows, raw.references, [text or "" for text in raw.hypotheses]))
    return runs


def _pairs(parts: Parts, systems: Sequence[str]) -> list[tuple[str, str]]:
    """Every other system with the one that has the fewest errors."""
    best = min(systems, key=lambda system: parts.counts[system].sum())
    return [(system, best) for system in systems if system != best]


def _rows(parts: Parts, pairs: Sequence[tuple[str, str]], ended: Sequence[Part] | None) -> list[PartRow]:
    by_system = {system: parts.of(system) for system in parts.counts}
    by_pair = {system: parts.of(system, other) for system, other in pairs}
    every = [*by_system.values(), *by_pair.values()]
    small = [number for number in range(parts.steps) if all(abs(values[number].value) < _SMALL for values in every)]

    def row_of(number: int) -> PartRow:
        rates, differences = (
            {system: values[number] for system, values in side.items()} for side in (by_system, by_pair)
        )
        return PartRow(
            parts.names[number], rates, differences, (ended[number].first, ended[number].last) if ended else _NO_ENDS
        )

    def add_up(name: str, value: Callable[[str], float]) -> PartRow:
        rates = {system: value(system) for system in by_system}
        return PartRow(name, rates, {system: rates[system] - rates[other] for system, other in pairs})

    length = parts.lengths.sum()
    rows = [row_of(number) for number in range(parts.steps) if number not in small]
    if small:
        rows.append(add_up(_OTHER, lambda system: sum(by_system[system][number].value for number in small)))
    rows += map(row_of, range(parts.steps, len(parts.names)))
    whole = {system: parts.whole(system) for system in by_system}
    return [
        *rows,
        PartRow("sum", whole, {system: parts.whole(system, other) for system, other in pairs}),
        add_up("left by all steps", lambda system: float(parts.final_errors[system].sum() / length)),
        add_up("length", lambda system: parts.final_rate(system) - float(parts.final_errors[system].sum() / length)),
        add_up("after all steps", parts.final_rate),
    ]


def _take(kind: str, key: Any, row: PartRow) -> Any:
    return getattr(row, kind)[key]


def _columns(
    title: str,
    take: Callable[[PartRow], Part | float],
    rates: RateFormat,
    *,
    name: str,
    alone: bool,
    signed: bool = False,
) -> list[Column]:
    """Values of parts, with their intervals where they are of the rate or difference that is shown alone."""
    write = rates.difference if signed else rates.rate

    def show(part: Part | float) -> Cell:
        if not isinstance(part, Part):
            return Cell(write(part), value=part)
        detail = rates.interval_of(part.value or None, part.interval, signed=signed) if alone else ""
        return Cell(write(part.value), detail, value=part.value)

    def values(row: PartRow) -> tuple[float | None, ...]:
        part = take(row)
        value, interval = (part.value, part.interval) if isinstance(part, Part) else (part, None)
        return (value, *interval_ends(interval)) if alone else (value,)

    names = (name, f"{name}_low", f"{name}_high") if alone else (name,)
    detail = confidence_title(_CONFIDENCE) if alone else ""
    shown = Column(f"{title}{rates.sign}", take, show, detail=detail, keep=3 if alone else 2)
    return [shown, in_files(names, values)]


def _say(parts: Parts, pair: tuple[str, str], settings: ReportSettings) -> str:
    """What a difference is made of: the parts that are clear of 0, and the rest."""
    system, other = (settings.name(name) for name in pair)
    *shares, rest = parts.of(*pair)
    clear = parts.clear([*shares, rest])
    rates, points = settings.rates, " points" if settings.unit == "percent" else ""
    pieces = []
    for sign, verbs in ((1, ("adds", "add")), (-1, ("takes off", "take off"))):
        movers = sorted(
            (part for part in clear if part is not rest and sign * part.value > 0), key=lambda part: -abs(part.value)
        )
        if movers:
            value = rates.rate(sum(sign * part.value for part in movers))
            pieces.append(f"{list_in_words([part.name for part in movers])} {verbs[len(movers) > 1]} {value}")
    side = "ahead" if rest.value < 0 else "behind"
    if rest.interval is None:
        short = f"{rates.rate(abs(rest.value))} {side}" if rest.value else "level"
        verdict = f"it is {short}, on too few clusters for a verdict"
    elif rest in clear:
        ends = sorted(abs(end) for end in interval_ends(rest.interval) if end is not None)
        shown = f"[{', '.join(map(rates.rate, ends))}]"
        verdict = f"it is {rates.rate(abs(rest.value))} {shown} {side}"
    else:
        verdict = "the two cannot be told apart"
    total = sum(part.value for part in (*shares, rest))
    whole = f"{rates.rate(total)}{points} behind {other}" if total else f"level with {other}"
    pieces.append(f"{'and ' if pieces else ''}in the rest, which no convention explains, {verdict}")
    return f"{system} is {whole}: {', '.join(pieces)}."
