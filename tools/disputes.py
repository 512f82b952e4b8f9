"""Fill disputed spans from real references, and compare verdicts: `python -m tools.disputes DATA [--draws 1000]`.

DATA is the folder with `das22_directories` and `earnings21_eval10`. The tables are those of docs/how-to/less-truth.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from misread import dispute, distances, error_counts, evaluate
from misread.alignment import PairedTexts, paired_operations
from misread.alignment.kernels.kinds import DELETION, INSERTION
from misread.features.planning.disputes.audited_rates import AuditCounts, audited_rate
from misread.features.planning.disputes.disputes import Disputes
from misread.features.planning.disputes.random_draws import draw_windows
from misread.features.planning.disputes.stretches import Stretch
from misread.features.planning.disputes.tables import Filled
from misread.features.planning.disputes.verdict import reach_verdict
from misread.stats import StatisticsSettings, ratio_interval
from misread.stats.significance.randomisation import sign_flip
from misread.text.words import join_words
from misread.types import IntArray
from tools.real_sets import read_calls, read_directories

CONTEXTS: Final = (0, 1, 2, 4, 8)
AUDITS: Final = (100, 200, 500)
CLUSTERS: Final = (12, 20, 40)
SHARES: Final = (0.005, 0.01, 0.02, 0.05, 0.1)
ALPHA: Final = 0.05
BLOCK: Final = 30
"""Entries of a page that are one cluster, where fifty are needed."""
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, eq=False)
class Readings:
    """References, texts by system, and the cluster of every segment."""

    references: list[str]
    systems: Mapping[str, list[str]]
    clusters: list[str]

    def take(self, names: Sequence[str]) -> Readings:
        """Keep some systems."""
        return Readings(self.references, {name: self.systems[name] for name in names}, self.clusters)

    def dispute(self, context: int = 1, **draw: int) -> Disputes:
        """Spans in which the systems differ."""
        return dispute(self.systems, seed=1, clusters=self.clusters, context=context, **draw)


def directories(folder: Path, *, block: int | None = None) -> Readings:
    """Entries of directories by three OCR systems, by book, or by so many entries of a page."""
    references, systems, pages = read_directories(folder)
    if block is None:
        return Readings(references, systems, [page.partition("/")[0] for page in pages])
    numbers: dict[str, int] = {}
    clusters = []
    for page in pages:
        number = numbers[page] = numbers.get(page, -1) + 1
        clusters.append(f"{page}/{number // block}")
    return Readings(references, systems, clusters)


def calls(folder: Path) -> Readings:
    """Calls by three speech systems, in clusters of 300 words."""
    references, systems, pieces = read_calls(folder, ("amazon", "google", "espnet"))
    return Readings(references, {name: [*map(join_words, texts)] for name, texts in systems.items()}, pieces)


def fill(disputes: Disputes, references: Sequence[str], stretches: Mapping[str, Stretch]) -> dict[str, str]:
    """Truth of stretches by key, as an alignment with the reference has it.

    In every segment the reference is aligned with the system that is nearest to it. What it has more where two
    stretches meet belongs to the disputed one, or else to the second.
    """
    nearest = np.stack([distances(references, texts) for texts in disputes.texts]).argmin(axis=0)
    texts = [disputes.texts[system][row] for row, system in enumerate(nearest.tolist())]
    operations = paired_operations(PairedTexts(texts, references), unit="char", alignment="unit")
    before: list[IntArray] = []
    behind: list[IntArray] = []
    for start, end in pairwise(operations.offsets.tolist()):
        codes = operations.codes[start:end]
        is_text, is_reference = codes != INSERTION, codes != DELETION
        positions = (np.cumsum(is_reference) - is_reference)[is_text]
        before.append(positions)
        behind.append(positions + is_reference[is_text])
    truths = {}
    for key, stretch in stretches.items():
        row, system = stretch.row, int(nearest[stretch.row])
        start, end = stretch.starts[system], stretch.ends[system]
        truth, length = references[row], len(texts[row])
        after_dispute = not stretch.is_disputed and any(
            other.ends[system] == start for other in disputes.disputed[row] if other is not stretch
        )
        first = 0 if start == 0 else int(before[row][start] if after_dispute else behind[row][start - 1])
        last = len(truth) if end == length else int(before[row][end] if stretch.is_disputed else behind[row][end - 1])
        truths[key] = truth[first:last]
    return truths


class Shares(NamedTuple):
    """What is typed for a verdict, and how far its differences are from those of the full truth."""

    checked: float  # share of the characters of the truth that lie in spans
    typed: float  # of those in spans where no reading is right
    apart: dict[tuple[str, str], float]  # in rates
    same: bool  # whether all verdicts are those of the full truth


def measure(readings: Readings, context: int) -> Shares:
    """Fill spans from the references and compare the verdicts with those of the references themselves."""
    disputes = readings.dispute(context)
    truths = fill(disputes, readings.references, disputes.drawn)
    settings = StatisticsSettings(seed=1, tests=["randomisation"])
    verdict = reach_verdict(
        disputes, Filled(name="references", truths=truths), metrics=["cer"], partial=False, statistics=settings
    )
    full = evaluate(
        readings.references, readings.systems, clusters=readings.clusters, metrics="cer", statistics=settings
    )
    pairs = [*combinations(readings.systems, 2)]
    whole = sum(map(len, readings.references))
    wrong = [len(truth) for key, truth in truths.items() if truth not in disputes.drawn[key].readings(disputes.texts)]
    return Shares(
        checked=sum(map(len, truths.values())) / whole,
        typed=sum(wrong) / whole,
        apart={pair: abs(verdict.pairs[pair]["cer"].difference - full.pairs[pair]["cer"].difference) for pair in pairs},
        same=all(verdict.pairs[pair]["cer"].verdict == full.pairs[pair]["cer"].verdict for pair in pairs),
    )


def context_lines(readings: Readings) -> Iterator[str]:
    """Rows of the table of what is typed, by context, of each pair and of all systems."""
    choices = [*combinations(readings.systems, 2), tuple(readings.systems)]
    yield f"| context | {' | '.join(', '.join(names) for names in choices)} |"
    yield f"|---|{'---|' * len(choices)}"
    for context in CONTEXTS:
        cells = []
        for names in choices:
            shares = measure(readings.take(names), context)
            apart = 100 * max(shares.apart.values())
            cells.append(
                f"{shares.checked:.1%} ({shares.typed:.1%}), {apart:.3f}{'' if shares.same else ', another verdict'}"
            )
        yield f"| {context} | {' | '.join(cells)} |".replace("%", " %")


@dataclass(frozen=True, eq=False)
class Population:
    """Clusters of real readings, of which samples are drawn; of one system."""

    readings: Readings
    disputes: Disputes
    system: str

    @cached_property
    def names(self) -> list[str]:
        """Clusters."""
        return sorted({*self.readings.clusters})

    @cached_property
    def codes(self) -> IntArray:
        """Number of the cluster of every segment."""
        return np.unique(self.readings.clusters, return_inverse=True)[1].astype(np.int64)

    def _sum(self, values: IntArray) -> IntArray:
        return np.bincount(self.codes, values, len(self.names)).astype(np.int64)

    def _count(self, truths: Mapping[str, str], stretches: Mapping[str, Stretch]) -> tuple[IntArray, IntArray]:
        """Errors and length of every segment if so much of the truth is known."""
        references = write(self.disputes, truths, stretches)
        counts = error_counts(references, self.readings.systems[self.system])
        return counts.errors, counts.reference_length

    @cached_property
    def known(self) -> tuple[IntArray, IntArray]:
        """Errors and length of every segment from disputed spans."""
        return self._count(fill(self.disputes, self.readings.references, self.disputes.drawn), self.disputes.drawn)

    @cached_property
    def sums(self) -> tuple[IntArray, IntArray]:
        """The same of every cluster."""
        errors, length = self.known
        return self._sum(errors), self._sum(length)

    @cached_property
    def full(self) -> tuple[IntArray, IntArray]:
        """Errors and length of every cluster from the references."""
        counts = error_counts(self.readings.references, self.readings.systems[self.system])
        return self._sum(counts.errors), self._sum(counts.reference_length)

    @cached_property
    def windows(self) -> list[IntArray]:
        """Of every window of each cluster: the errors and length that its truth adds by itself, and its characters."""
        listed = [window for name in self.names for window in self.disputes.windows[name]]
        spans = fill(self.disputes, self.readings.references, self.disputes.drawn)
        keys = {f"w{number}": window for number, window in enumerate(listed)}
        truths = fill(self.disputes, self.readings.references, keys)
        errors, length = self.known
        by_row: dict[int, dict[str, Stretch]] = {}
        for key, stretch in self.disputes.drawn.items():
            by_row.setdefault(stretch.row, {})[key] = stretch
        texts = [
            write_row(
                self.disputes, {**spans, key: truths[key]}, {**by_row.get(window.row, {}), key: window}, window.row
            )
            for key, window in keys.items()
        ]
        rows = np.array([window.row for window in listed])
        counts = error_counts(texts, [self.readings.systems[self.system][row] for row in rows])
        added = np.stack(
            [
                counts.errors - errors[rows],
                counts.reference_length - length[rows],
                np.array([window.ends[0] - window.starts[0] for window in listed]),
            ],
            axis=-1,
        )
        return [added[self.codes[rows] == cluster] for cluster in range(len(self.names))]

    def draw(self, clusters: int, audit: int, seed: int) -> tuple[bool, float, float]:
        """Whether the interval covers the rate of all clusters, and its width and that from the full truth."""
        chosen = np.random.default_rng([seed, clusters]).integers(len(self.names), size=clusters)
        windows = {
            f"{turn:04}": [(turn, row) for row in range(len(self.windows[cluster]))]
            for turn, cluster in enumerate(chosen.tolist())
        }
        table = np.zeros((clusters, 3), np.int64)
        for turn, row in draw_windows(windows, audit, seed):
            table[turn] += self.windows[chosen[turn]][row]
        further_errors, further_length, audited = table.T
        counts = AuditCounts(
            errors=self.sums[0][chosen],
            length=self.sums[1][chosen],
            further_errors=further_errors,
            further_length=further_length,
            agreed=np.array([self.windows[cluster][:, 2].sum() for cluster in chosen], np.int64),
            audited=audited,
        )
        _, interval = audited_rate(counts, CONFIDENCE)
        errors, length = self.full
        full = ratio_interval(errors[chosen], length[chosen], None, CONFIDENCE)
        if interval is None or full is None:
            return False, float("nan"), float("nan")
        rate = errors.sum() / length.sum()
        return bool(interval.low <= rate <= interval.high), interval.high - interval.low, full.high - full.low

    def covers(self, clusters: int, seed: int) -> bool:
        """Whether the interval from the full truth covers the rate of all clusters."""
        chosen = np.random.default_rng([seed, clusters]).integers(len(self.names), size=clusters)
        errors, length = self.full
        interval = ratio_interval(errors[chosen], length[chosen], None, CONFIDENCE)
        return interval is not None and interval.low <= errors.sum() / length.sum() <= interval.high


def write(disputes: Disputes, truths: Mapping[str, str], stretches: Mapping[str, Stretch]) -> list[str]:
    """Agreed text and the truth of stretches."""
    by_row: dict[int, dict[str, Stretch]] = {}
    for key, stretch in stretches.items():
        by_row.setdefault(stretch.row, {})[key] = stretch
    return [write_row(disputes, truths, by_row.get(row, {}), row) for row in range(len(disputes.texts[0]))]


def write_row(disputes: Disputes, truths: Mapping[str, str], stretches: Mapping[str, Stretch], row: int) -> str:
    """The same of one segment."""
    text, parts, end = disputes.texts[0][row], [], 0
    for key, stretch in sorted(stretches.items(), key=lambda entry: entry[1].starts):
        parts += [text[end : stretch.starts[0]], truths[key]]
        end = stretch.ends[0]
    return "".join([*parts, text[end:]])


def coverage_lines(populations: Mapping[str, Population], draws: int) -> Iterator[str]:
    """Rows of the table of coverage and width of audited rates."""
    yield f"| clusters | windows | {' | '.join(populations)} |"
    yield f"|---|---|{'---|' * len(populations)}"
    for clusters in CLUSTERS:
        full = [
            np.mean([population.covers(clusters, seed) for seed in range(draws)]) for population in populations.values()
        ]
        yield f"| {clusters} | all text | {' | '.join(write_share(float(share)) for share in full)} |"
        for audit in AUDITS:
            cells = []
            for population in populations.values():
                covered, width, full = zip(
                    *(population.draw(clusters, audit, seed) for seed in range(draws)), strict=True
                )
                ratio = float(np.nanmedian(width) / np.nanmedian(full))
                cells.append(f"{write_share(float(np.mean(covered)))} / {ratio:.2f}")
            yield f"| {clusters} | {audit} | {' | '.join(cells)} |"


def write_share(share: float) -> str:
    """Three digits without the zero in front."""
    return f"{share:.3f}".removeprefix("0")


def budget_lines(pairs: Mapping[str, Readings], draws: int) -> Iterator[str]:
    """Rows of the table of verdicts from some clusters: how many draws have that of the full truth."""
    yield f"| checked | {' | '.join(pairs)} |"
    yield f"|---|{'---|' * len(pairs)}"
    tried = [try_budgets(readings, draws) for readings in pairs.values()]
    for turn, share in enumerate(SHARES):
        yield f"| {100 * share:g} % | {' | '.join(f'{100 * column[turn]:.1f} %' for column in tried)} |"


def try_budgets(readings: Readings, draws: int) -> list[float]:
    """Share of draws whose verdict is that of the full truth, by the share of the characters that are checked."""
    baseline, system = readings.systems
    disputes = readings.dispute()
    truths = fill(disputes, readings.references, disputes.drawn)
    references = write(disputes, truths, disputes.drawn)
    codes = np.unique(readings.clusters, return_inverse=True)[1]
    known = [error_counts(references, readings.systems[name]) for name in (baseline, system)]
    full = [error_counts(readings.references, readings.systems[name]) for name in (baseline, system)]
    differences = np.bincount(codes, known[1].errors - known[0].errors).astype(np.int64)
    lengths = np.bincount(codes, known[0].reference_length).astype(np.int64)
    typed = np.zeros(len(lengths))
    for key, truth in truths.items():
        typed[codes[disputes.drawn[key].row]] += len(truth)
    whole = decide(
        np.bincount(codes, full[1].errors - full[0].errors).astype(np.int64), int(full[0].reference_length.sum())
    )
    shares = []
    for share in SHARES:
        budget = share * sum(map(len, readings.references))
        same = 0
        for seed in range(draws):
            order = np.random.default_rng(seed).permutation(len(lengths))
            chosen = order[np.cumsum(typed[order]) <= budget]
            same += len(chosen) > 1 and decide(differences[chosen], int(lengths[chosen].sum())) == whole
        shares.append(same / draws)
    return shares


def decide(differences: IntArray, length: int) -> int:
    """Sign of a significant difference, or 0."""
    test = sign_flip(differences, length=length, resamples=999, seed=1, alpha=ALPHA)
    return int(np.sign(test.statistic)) if test.pvalue < ALPHA else 0


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int, default=1000, help="samples of clusters and windows")
    parser.add_argument("--tables", default="contexts,coverage,budgets", help="which tables to print")
    options = parser.parse_args()
    blocks, speech = directories(options.data, block=BLOCK), calls(options.data)
    names = options.tables.split(",")
    tables: list[Iterator[str]] = []
    if "contexts" in names:
        tables += [context_lines(directories(options.data)), context_lines(speech)]
    if "coverage" in names:
        populations = {}
        for readings, systems in ((blocks, ("pero", "tesseract4")), (speech, ("amazon", "google"))):
            pair = readings.take(systems)
            disputes = pair.dispute()
            populations |= {name: Population(pair, disputes, name) for name in systems}
        tables.append(coverage_lines(populations, options.draws))
    if "budgets" in names:
        pairs = {
            f"{', '.join(pair)} ({len({*readings.clusters})})": readings.take(pair)
            for readings in (blocks, speech)
            for pair in combinations(readings.systems, 2)
        }
        tables.append(budget_lines(pairs, options.draws))
    for lines in tables:
        for line in lines:
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
