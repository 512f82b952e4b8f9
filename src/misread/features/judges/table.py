"""Agreement of recorded judges as a table, and decisions of several judges side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from misread.features.judges.decision_files import read_decisions
from misread.normalize.normalized_texts import NormalizedTexts
from misread.stats import Agreement, GroupAgreement, RatersResult
from misread.tables import Cell, Column, Table, in_files
from misread.tables.number_text import RateFormat, interval_ends, level_title
from misread.tables.table import rate_column
from misread.text.nouns import plural
from misread.types import IntArray


def lay_out_agreement(
    judges: RatersResult,
    *,
    unit: str,
    name: Callable[[str], str] = str,
    dataset: str = "",
    stem: str = "",
    signature: str = "",
) -> Table:
    """One row per pair of judges, and one for all of them where there are more; `name` is what people read."""
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
            in_files("dataset", dataset),
            in_files(("statistic", "first", "second"), attrgetter("statistic", "first", "second")),
            Column("first", lambda row: row.first_name, kind="name"),
            Column("second", lambda row: row.second_name, kind="name"),
            Column(
                "kappa",
                lambda row: (row.agreement.kappa, *interval_ends(row.agreement.interval)),
                _show_kappa,
                name=("kappa", "low", "high"),
                detail=level,
                keep=6,
            ),
            rate_column("alike", lambda row: row.agreement.agreement, RateFormat(1), name="share_alike", keep=4),
            Column("both/first/second/neither", lambda row: row.counts, keep=1),
            Column("n", lambda row: sum(row.counts), name="segments", keep=3),
            in_files("accepted_by", lambda row: "/".join(map(str, row.counts))),
        ],
        rows=list(_agreement_rows(judges, name)),
        notes=[
            f"Cohen's kappa, 1 for full agreement and 0 for that of chance; interval by Student's t over "
            f"{plural(unit)}. "
            f"Counts: hypotheses that both accept, only the first, only the second, and neither.{together}"
        ],
        signature=signature,
    )


class _AgreementRow(NamedTuple):
    """Agreement of two judges, or of all, by their ids and as people know them; hypotheses by who accepts them."""

    first: str
    second: str
    first_name: str
    second_name: str
    statistic: str
    agreement: Agreement | GroupAgreement
    counts: tuple[int, ...]


def _agreement_rows(judges: RatersResult, name: Callable[[str], str]) -> Iterator[_AgreementRow]:
    for pair in judges.pairs:
        counts = _counts(pair.agreement)
        names = name(pair.first), name(pair.second)
        yield _AgreementRow(pair.first, pair.second, *names, "cohen", pair.agreement, counts)
    if judges.together:
        counts = judges.together.accepted_by
        yield _AgreementRow("", "", f"all {len(counts) - 1}", "", "fleiss", judges.together, counts)


def _counts(agreement: Agreement) -> tuple[int, ...]:
    return (agreement.both, agreement.first_only, agreement.second_only, agreement.neither)


def _show_kappa(value: tuple[float, float | None, float | None]) -> Cell:
    kappa, low, high = value
    return Cell(f"{kappa:.3f}", "" if low is None else f"[{low:.3f}, {high:.3f}]")


def decisions_side_by_side(texts: Mapping[str, NormalizedTexts], files: Sequence[Path]) -> tuple[IntArray, IntArray]:
    """Decisions on segments of all systems whose texts differ, shape (segments, judges), and the cluster of each.

    1 where a judge accepts, 0 where not, -1 where that is open.
    """
    judges = [read_decisions(path).by_texts for path in files]
    decisions: list[list[int]] = []
    among: list[str] = []
    for outputs in texts.values():
        clusters = outputs.segments.cluster or outputs.segments.segment_id
        for cluster, *pair in zip(clusters, outputs.normalized.references, outputs.normalized.hypotheses, strict=True):
            answers = [judge.get((pair[0] or "", pair[1] or "")) for judge in judges]
            decisions.append([-1 if answer is None or answer.same is None else int(answer.same) for answer in answers])
            among.append(cluster)
    _, codes = np.unique(among, return_inverse=True)
    return np.array(decisions, np.int64).reshape(-1, len(files)), codes.astype(np.int64)
