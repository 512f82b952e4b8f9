"""Rates as entries of `.eval_results/*.yaml`, which model pages of Hugging Face and leaderboards of benchmarks show."""

from __future__ import annotations

from collections.abc import Sequence

from misread.io.yaml_files import dump_yaml
from misread.tables.rates import RateRow, RateTable
from misread.tables.rates_layout import metric_title


def render_eval_results(tables: Sequence[RateTable]) -> str:
    """One list in YAML with an entry for each system and metric, system by system, in the unit of the tables.

    The displayed name of the data set is the id of the benchmark, and the id of the metric that of its task. Notes have
    the system, the interval, the ranks that the tests leave open, and the signature.

    The keys are those of https://huggingface.co/docs/hub/eval-results as huggingface_hub 2.4.0 reads them.
    """
    systems = dict.fromkeys(row.system for table in tables for row in table.rows)
    rows = [(table, row) for system in systems for table in tables for row in table.rows if row.system == system]
    return dump_yaml([_entry(table, row) for table, row in rows])


def _entry(table: RateTable, row: RateRow) -> dict[str, object]:
    rate = row.result.micro
    assert rate is not None  # noqa: S101  a row has a rate
    return {
        "dataset": {"id": table.dataset_name, "task_id": table.metric},
        "value": round(table.format.scaled(rate), table.format.digits + 2),
        "notes": f"{row.name}: {', '.join(_facts(table, row))}; {table.signature}",
    }


def _facts(table: RateTable, row: RateRow) -> list[str]:
    interval, rank = row.result.confidence_interval, row.rank
    facts = [f"{metric_title(table.metric)}{table.format.axis}, {table.direction.value} is better"]
    if interval is not None:
        facts.append(f"{100 * interval.confidence:g} % interval {table.format.interval(interval)}")
    if table.has_groups:
        ranks = f"{rank.highest}" if rank.highest == rank.lowest else f"{rank.highest} to {rank.lowest}"
        facts.append(f"rank {ranks} of {len(table.rows)}, group {rank.letters}")
    return facts
