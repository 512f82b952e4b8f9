"""Errors and lengths by cluster, under every regime, as the committed files have them: no text is in them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from misread.data.segment_table import Capture
from misread.features.regimes.averages import average
from misread.features.regimes.regime import Regime, read_regimes
from misread.features.word_classes.metric import BiasingErrorRate
from misread.metrics import Kind
from misread.metrics.base import ScoredText
from misread.normalize import normalize
from misread.tally import score
from misread.types import IntArray
from tools.rankings.sets import RANKINGS, Texts

FOLDER: Final = Path(__file__).resolve().parent / "counts"
_PARTS: Final = {"u_wer": "outside", "b_wer": "inside"}


@dataclass(frozen=True, slots=True)
class Key:
    """What was counted: a rate under a regime, summed over segments (micro) or as a mean of their rates (segments)."""

    regime: str
    rate: str
    average: str


@dataclass(frozen=True, eq=False)
class Counted:
    """Counts by system, shape (clusters, 2): errors and lengths, or sums of rates in billionths and their numbers."""

    clusters: list[str]
    systems: Mapping[str, IntArray]


def count(name: str, folder: Path, own_files: Mapping[str, Path]) -> dict[Key, Counted]:
    """Count all systems of a set under its regimes, with further ones that a file has."""
    ranking = RANKINGS[name]
    counts: dict[Key, Counted] = {}
    for regime in read_regimes(ranking.regimes):
        texts = ranking.read(folder, regime.readings == "aligned")
        for system, path in own_files.items():
            texts = texts.with_system(system, path)
        by_key: dict[Key, dict[str, IntArray]] = {}
        names, rows = np.unique(np.asarray(texts.clusters), return_inverse=True)
        for system, capture in texts.as_table(name).captures().items():
            for key, values in _count_capture(regime, capture):
                sums = np.zeros((len(names), 2), np.int64)
                np.add.at(sums, rows, values)
                by_key.setdefault(key, {})[system] = sums
        counts |= {key: Counted(names.tolist(), systems) for key, systems in by_key.items()}
        if texts.biasing and regime.id == "sclite":
            counts |= _count_biasing(texts, names, rows)
    return counts


def _count_capture(regime: Regime, capture: Capture) -> Iterator[tuple[Key, IntArray]]:
    """Errors and lengths of every segment, for all error rates of a regime."""
    for rate in regime.chosen:
        if rate.metric.kind is not Kind.ERROR_RATE:
            continue
        scores = score(normalize(capture, rate.normalizer), [rate.metric], missing="error")
        for name in regime.averaging:
            averaged, metric = average(scores, rate.metric, name)
            counts = averaged.counts[metric.id]
            columns = metric.columns if metric.kind is Kind.OTHER else ("errors", "length")
            yield Key(regime.id, rate.metric.id, name), np.stack([counts[column] for column in columns[:2]], axis=-1)


def _count_biasing(texts: Texts, names: IntArray, rows: IntArray) -> dict[Key, Counted]:
    """Words outside and inside of biasing lists, aligned as sclite does."""
    counts: dict[Key, Counted] = {}
    for rate, part in _PARTS.items():
        metric = BiasingErrorRate(rate, alignment="sclite", part=part)
        systems = {}
        for system, outputs in texts.systems.items():
            scored = ScoredText(texts.references, outputs, annotations={"biasing": texts.biasing})
            systems[system] = np.zeros((len(names), 2), np.int64)
            np.add.at(systems[system], rows, metric.count(scored)[:, :2])
        counts[Key("sclite", rate, "micro")] = Counted(names.tolist(), systems)
    return counts


def write_counts(name: str, counts: Mapping[Key, Counted]) -> None:
    """Write the counts of a set, one row per regime, rate and cluster."""
    first = next(iter(counts.values()))
    titles = [f"{system}.{column}" for system in first.systems for column in ("errors", "length")]
    with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["regime", "rate", "average", "cluster", *titles])
        for key, counted in counts.items():
            table = np.concatenate([*counted.systems.values()], axis=1).tolist()
            for cluster, values in zip(counted.clusters, table, strict=True):
                writer.writerow([key.regime, key.rate, key.average, cluster, *values])


def read_counts(name: str) -> dict[Key, Counted]:
    """Read the committed counts of a set."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    systems = [title.removesuffix(".errors") for title in rows[0] if title.endswith(".errors")]
    grouped: dict[Key, list[dict[str, str]]] = {}
    for row in rows:
        grouped.setdefault(Key(row["regime"], row["rate"], row["average"]), []).append(row)
    return {
        key: Counted(
            [row["cluster"] for row in some],
            {
                system: np.array([[int(row[f"{system}.{column}"]) for column in ("errors", "length")] for row in some])
                for system in systems
            },
        )
        for key, some in grouped.items()
    }
