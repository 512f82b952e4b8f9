"""Numbers for `dvc metrics diff` and points for `dvc plots diff`."""

from collections.abc import Sequence

from misread.stats import DatasetResult, GroupResult, MetricResult
from misread.tables import ReportSettings
from misread.tables.number_text import interval_ends
from misread.tables.render.csv import write_rows

Tree = dict[str, dict[str, dict[str, float]]]


def metrics_tree(results: Sequence[DatasetResult]) -> Tree:
    """Rates by data set, system and metric, without undefined ones: a column of `dvc exp show` each."""
    return {
        result.dataset: {
            system: {metric: rate.micro for metric, rate in metrics.items() if rate.micro is not None}
            for system, metrics in result.systems.items()
        }
        for result in results
    }


def rates_csv(results: Sequence[DatasetResult], settings: ReportSettings) -> str:
    """CSV of the first metric's rate, one row per data set and system."""
    metric = settings.metrics[0]
    rows = (
        [result.dataset, system, metric, f"{result.dataset} / {system}", *_ends(results_by_metric[metric])]
        for result in results
        for system, results_by_metric in result.systems.items()
    )
    return write_rows(["dataset", "system", "metric", "label", "rate", "low", "high"], rows, raw=settings.raw_csv)


def groups_csv(results: Sequence[DatasetResult], settings: ReportSettings) -> str:
    """CSV of the first metric's rate, one row per data set, group and system."""
    metric = settings.metrics[0]
    rows = (
        [result.dataset, column, group, system, metric, f"{system} / {group}", *_ends(scores[metric])]
        for result in results
        for column, groups in result.groups.items()
        for group in settings.sort_groups(column, list(groups))
        for system, scores in groups[group].items()
    )
    header = ["dataset", "column", "group", "system", "metric", "label", "rate", "low", "high"]
    return write_rows(header, rows, raw=settings.raw_csv)


def _ends(result: MetricResult | GroupResult) -> list[float | None]:
    return [result.micro, *interval_ends(result.confidence_interval)]
