"""How far recorded judges agree on what the systems read, as a section of a comparison."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from misread.errors import UndefinedResultError
from misread.features.judges.table import lay_out_agreement
from misread.metrics import Metric
from misread.stats import DatasetResult, RatersResult, SectionResult, StatisticsSettings, compare_raters
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.significance.agreement import OPEN
from misread.tables import ReportSettings, Section, Table
from misread.text.display import file_stem
from misread.types import IntArray


@dataclass(frozen=True)
class JudgeAgreement(Section):
    """Agreement of the judges among the metrics, by cluster; nothing where there are fewer than two."""

    record = RatersResult

    def compute(self, shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings) -> SectionResult:
        """Cohen's kappa of every pair and Fleiss' of all, and a warning where they have none.

        Readings of all systems and runs count that differ from their references and that both judges have decided.
        """
        judges = [metric.id for metric in metrics if metric.decides]
        if len(judges) < 2:
            return SectionResult()
        codes = np.arange(len(shared.keys)) if shared.cluster_codes is None else shared.cluster_codes
        decisions = np.concatenate(
            [np.stack([_decisions(shared, system, judge) for judge in judges], axis=-1) for system in shared.counts]
        )
        clusters = np.tile(codes, len(decisions) // len(codes))
        try:
            return SectionResult(compare_raters(decisions, clusters, judges, confidence=settings.confidence))
        except UndefinedResultError as error:
            return SectionResult(warnings=[f"The agreement of judges is not shown: {error}"])

    def tables(self, record: RatersResult, result: DatasetResult, settings: ReportSettings) -> Iterator[Table]:
        """One row per pair of judges, and one for all."""
        yield lay_out_agreement(
            record,
            unit=result.statistics.unit,
            name=settings.name,
            dataset=result.dataset,
            stem=file_stem(result.dataset, "agreement"),
            signature=str(result.signature),
        )


def _decisions(shared: SharedSegments, system: str, judge: str) -> IntArray:
    """Decisions on the readings of a system, run after run: 1, 0, or OPEN."""
    counts = shared.runs[system].counts[judge] if system in shared.runs else shared.own_counts(system, judge)
    wrong, _, decided = np.moveaxis(counts, -1, 0)
    return np.where(decided > 0, 1 - wrong, OPEN).ravel()
