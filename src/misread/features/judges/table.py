"""Agreement of recorded judges as a table, and decisions of several judges side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.features.judges.decision_files import read_decisions
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tables import Cell, Column, Table
from misread.tables.number_text import level_title
from misread.text.display import file_stem
from misread.types import IntArray

if TYPE_CHECKING:
    from misread.stats import Agreement, DatasetResult, GroupAgreement, JudgesResult
    from misread.tables import ReportSettings

_NAMES: Final = (
    *("dataset", "statistic", "first", "second", "kappa", "low", "high", "share_alike", "segments"),
    "accepted_by",
)


def lay_out_judges(result: DatasetResult, settings: ReportSettings) -> list[Table]:
    """How far the judges among the metrics of a comparison agree; none where there are fewer than two."""
    if result.judges is None:
        return []
    table = lay_out_agreement(
        result.judges,
        unit=result.statistics.unit,
        name=settings.name,
        dataset=result.dataset,
        stem=file_stem(result.dataset, "agreement"),
        signature=result.signature,
    )
    return [table]


def lay_out_agreement(
    judges: JudgesResult,
    *,
    unit: str,
    name: Callable[[str], str] = str,
    dataset: str = "",
    stem: str = "",
    signature: str = "",
) -> Table:
    """One row per pair of judges, and one for all of them where there are more; `name` is what people read."""
    rows, records = [], []
    for pair in judges.pairs:
        of = pair.agreement
        counts = (of.both, of.first_only, of.second_only, of.neither)
        rows.append([Cell(name(pair.first)), Cell(name(pair.second)), *_cells(of, counts)])
        records.append(_record(dataset, "cohen", pair.first, pair.second, of, counts))
    if judges.together:
        number = len(judges.together.accepted_by) - 1
        rows.append([Cell(f"all {number}"), Cell(""), *_cells(judges.together, judges.together.accepted_by)])
        records.append(_record(dataset, "fleiss", "", "", judges.together, judges.together.accepted_by))
    level = next(filter(None, (level_title(pair.agreement.interval) for pair in judges.pairs)), "")
    together = (
        " Last row: Fleiss' kappa of all, the share of pairs of judges alike, and hypotheses by how many accept, "
        "from none to all."
        if judges.together
        else ""
    )
    return Table(
        stem=stem,
        caption="Agreement of judges on texts that differ from their references.",
        columns=[
            *(Column(title, kind="name") for title in ("first", "second")),
            Column("kappa", level, keep=6),
            Column("alike %", kind="decimal", keep=4),
            Column("both/first/second/neither", keep=1),
            Column("n", keep=3),
        ],
        rows=rows,
        notes=[
            f"Cohen's kappa, 1 for full agreement and 0 for that of chance; interval by Student's t over {unit}s. "
            f"Counts: hypotheses that both accept, only the first, only the second, and neither.{together}"
        ],
        signature=signature,
        record_names=_NAMES,
        records=records,
    )


def _cells(of: Agreement | GroupAgreement, counts: tuple[int, ...]) -> list[Cell]:
    ends = "" if of.interval is None else f"[{of.interval.low:.3f}, {of.interval.high:.3f}]"
    return [
        Cell(f"{of.kappa:.3f}", ends),
        Cell(f"{100 * of.agreement:.1f}"),
        Cell("/".join(f"{count:,}" for count in counts)),
        Cell(f"{sum(counts):,}"),
    ]


def _record(
    dataset: str, statistic: str, first: str, second: str, of: Agreement | GroupAgreement, counts: tuple[int, ...]
) -> list[str | float | None]:
    ends = (None, None) if of.interval is None else (of.interval.low, of.interval.high)
    in_one = "/".join(map(str, counts))
    return [dataset, statistic, first, second, of.kappa, *ends, of.agreement, sum(counts), in_one]


def decisions_side_by_side(texts: Mapping[str, NormalizedTexts], files: Sequence[Path]) -> tuple[IntArray, IntArray]:
    """Decisions on segments of all systems whose texts differ, shape (segments, judges), and the cluster of each.

    1 where a judge accepts, 0 where not, -1 where that is open.
    """
    judges = [read_decisions(path).by_texts for path in files]
    decisions: list[list[int]] = []
    among: list[str] = []
    for of in texts.values():
        clusters = of.segments.cluster or of.segments.segment_id
        for cluster, *pair in zip(clusters, of.normalized.references, of.normalized.hypotheses, strict=True):
            found = [judge.get((pair[0] or "", pair[1] or "")) for judge in judges]
            decisions.append([-1 if each is None or each.same is None else int(each.same) for each in found])
            among.append(cluster)
    _, codes = np.unique(among, return_inverse=True)
    return np.array(decisions, np.int64).reshape(-1, len(files)), codes.astype(np.int64)
