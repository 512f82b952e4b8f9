"""Rates as entries of `.eval_results/*.yaml`, which model pages of Hugging Face and leaderboards of benchmarks show."""

from collections.abc import Sequence

from misread.io.yaml_files import dump_yaml
from misread.tables.rates import RateRow, RateTable
from misread.tables.rates_layout import metric_title, rank_cell


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
    rate, interval = row.result.micro, row.result.confidence_interval
    assert rate is not None  # noqa: S101  a row has a rate
    facts = [f"{metric_title(table.metric)}{table.format.axis}", f"{table.direction.value} is better"]
    if interval is not None:
        facts.append(f"{100 * interval.confidence:g} % interval {table.format.interval(interval)}")
    if table.has_groups:
        facts.append(f"rank {rank_cell(row.rank).text} of {len(table.rows)}, group {row.rank.letters}")
    return {
        "dataset": {"id": table.dataset_name, "task_id": table.metric},
        "value": round(table.format.scaled(rate), table.format.digits + 2),
        "notes": f"{row.name}: {', '.join(facts)}; {table.signature}",
    }
