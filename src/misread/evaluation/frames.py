"""Results as pandas DataFrames, and the file of all segments with their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from misread.errors import ConfigurationError, InputValueError, MissingDependencyError, MissingResultsError, needed_for
from misread.io.atomic import replacing
from misread.io.json_files import write_text
from misread.metrics import Spread
from misread.normalize.normalized_texts import NormalizedTexts
from misread.stats import DatasetResult
from misread.tables.number_text import interval_ends
from misread.tables.render.csv import write_rows
from misread.tally import ScoredSystem
from misread.text.display import show_in_spreadsheet

if TYPE_CHECKING:
    import pandas as pd

_SPREAD = tuple(field.name for field in fields(Spread))
_SIZES = ("segments", "empty_references", "exact_segments")
_PAIR_TYPES = {
    **dict.fromkeys(("baseline", "system", "metric"), "str"),
    **dict.fromkeys(("difference", "low", "high"), "float64"),
    "test": "str",
    **dict.fromkeys(("pvalue", "pvalue_raw"), "float64"),
    "verdict": "str",
    **dict.fromkeys(("better", "same", "worse"), "int64"),
}


def make_segments_frame(scored: Mapping[str, ScoredSystem]) -> pd.DataFrame:
    """One row per segment and system, of the segments that all systems have; in the order of the first one.

    Where a system read everything several times, one row per segment, system and run. Where the texts of a commit are
    not at hand, columns of texts are left out.
    """
    with needed_for("DataFrames need", "pandas", "frames"):
        import pandas as pd

    shared = shared_segments(scored)
    runs = {system: system_scores.scores.runs for system, system_scores in scored.items()}
    numbers = {system: len(counts.runs) if counts else 1 for system, counts in runs.items()}
    with_run = any(runs.values())
    texts = _texts_at_hand(scored)
    frames = [
        pd.DataFrame(_columns(system, system_scores, texts.get(system), shared, run, with_run=with_run))
        for system, system_scores in scored.items()
        for run in range(numbers[system])
    ]
    return pd.concat(frames, ignore_index=True)


def shared_segments(scored: Mapping[str, ScoredSystem]) -> list[str]:
    """Ids of the segments that all systems have, in the order of the first one."""
    first, *others = (system_scores.scores.segments.segment_id for system_scores in scored.values())
    common = set(first).intersection(*others)
    return [segment_id for segment_id in first if segment_id in common]


def find_rows(have: Sequence[str], want: Sequence[str]) -> list[int]:
    """Rows of some segments."""
    row_of = {segment_id: row for row, segment_id in enumerate(have)}
    return [row_of[segment_id] for segment_id in want]


def _texts_at_hand(scored: Mapping[str, ScoredSystem]) -> dict[str, NormalizedTexts]:
    """Texts of all systems, or of none."""
    try:
        return {system: system_scores.texts for system, system_scores in scored.items()}
    except (MissingDependencyError, MissingResultsError):
        return {}


def _columns(
    system: str,
    scored: ScoredSystem,
    all_texts: NormalizedTexts | None,
    segment_ids: Sequence[str],
    run: int,
    *,
    with_run: bool,
) -> dict[str, Any]:
    scores = scored.scores
    texts = None if all_texts is None else [all_texts, *all_texts.further_runs][run]
    run_name = texts.run if texts else scores.runs.runs[run] if scores.runs else "1"
    rows = find_rows(scores.segments.segment_id, segment_ids)
    keys = scores.segments.take(rows)
    labels = {} if keys.cluster is None else {scores.origin.cluster_name or "cluster": keys.cluster}
    for group, values in keys.groups.items():
        if labels.get(group, values) != values:
            raise InputValueError(f"segments: clusters and a group are both called {group!r}; rename one of them.")
        labels[group] = values
    columns: dict[str, Any] = {
        "segment_id": keys.segment_id,
        "system": [system] * len(rows),
        **({"run": [run_name] * len(rows)} if with_run else {}),
    }
    if texts is not None:
        raw = texts.raw.take(find_rows(texts.segments.segment_id, segment_ids))
        columns |= {"reference": raw.references, "hypothesis": raw.hypotheses}
    for metric in scored.metrics:
        run_counts = scores.runs.counts[metric.id][run] if scores.runs else scores.counts[metric.id].values
        counts = run_counts[rows]
        columns |= {f"{metric.id}_{name}": counts[:, index] for index, name in enumerate(metric.columns)}
        columns[f"{metric.id}_rate"] = metric.rate(counts)
    for label in labels:
        if label in columns:
            raise InputValueError(f"segments: {label!r} is the name of another column; rename the clusters or group.")
    return {"segment_id": columns.pop("segment_id"), **labels, **columns}


def make_rates_frame(result: DatasetResult) -> pd.DataFrame:
    """One row per system and metric; counts that a metric does not have are missing."""
    with needed_for("DataFrames need", "pandas", "frames"):
        import pandas as pd

    names = list(
        dict.fromkeys(name for result_of_metric in result.first_system.values() for name in result_of_metric.counts)
    )
    rows = []
    for system, metrics in result.systems.items():
        outputs = result.missing_outputs.get(system)
        for metric, score in metrics.items():
            low, high = interval_ends(score.interval)
            row = {"system": system, "metric": metric, "rate": score.rate, "low": low, "high": high}
            row |= {name: getattr(score, name) for name in ("macro", "median", *_SIZES)}
            row |= dict(zip(("missing", "failed"), outputs.total if outputs else (0, 0), strict=True))
            row |= {name: score.spread[name] if score.spread else None for name in _SPREAD}
            row |= {name: score.counts.get(name) for name in names}
            rows.append({**row, "signature": str(score.signature)})
    numbers = dict.fromkeys(("rate", "low", "high", "macro", "median", *_SPREAD), "float64")
    return pd.DataFrame(rows).astype({**numbers, **dict.fromkeys(names, "Int64")})


def make_pairs_frame(result: DatasetResult) -> pd.DataFrame:
    """One row per compared pair and metric."""
    with needed_for("DataFrames need", "pandas", "frames"):
        import pandas as pd

    rows = []
    for pair in result.comparisons:
        low, high = interval_ends(pair.confidence_interval)
        names = (pair.baseline, pair.system, pair.metric)
        pvalues = (pair.pvalue_adjusted, pair.tests[pair.decided_by].pvalue)
        segments = (pair.better, pair.same, pair.worse)
        rows.append((*names, pair.difference, low, high, pair.decided_by, *pvalues, pair.verdict, *segments))
    return pd.DataFrame(rows, columns=list(_PAIR_TYPES)).astype(_PAIR_TYPES)


def write_segment_scores(segments: pd.DataFrame, path: Path, *, raw_csv: bool) -> None:
    """Write a frame as Parquet or CSV, by the ending of the name; the file is complete, or not there."""
    if path.suffix == ".parquet":
        with replacing(path) as temporary:
            segments.to_parquet(temporary, index=False)
    elif path.suffix == ".csv":
        header = list(segments.columns) if raw_csv else list(map(show_in_spreadsheet, segments.columns))
        values = segments.astype(object).where(segments.notna(), None)
        write_text(path, write_rows(header, values.itertuples(index=False, name=None), raw=raw_csv))
    else:
        raise ConfigurationError(f"{path}: segments are written as .parquet or .csv; choose one of these endings.")
