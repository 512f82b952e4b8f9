"""Checks of a configuration that need no data, engines or results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from misread.errors import ConfigurationError, UnknownNameError
from misread.io.checks.choices import check_choice
from misread.pipeline.params import Params
from misread.provenance.plugins import STUDY, digest_plugin, find_study_module
from misread.sockets import get_views
from misread.sockets.settings import SETTINGS

if TYPE_CHECKING:
    from misread.data import Dataset
    from misread.stats import StatisticsSettings
    from misread.tables import ReportSettings

_NEEDED: Final = (
    *("systems", "datasets", "normalizer", "metrics", "statistics", "report"),
    *("executor", "baseline", "data_root", "missing", "crosscheck", "seed", "system_ids"),
)
_OPTIONAL: Final = ("plugins",)


def check_configuration(params: Params) -> None:
    """Make every object of a configuration, and compare names in one section with those in the others.

    No data is read and no engine is loaded: its package need not be installed. Raises UnknownNameError, which offers
    the nearest name, or ConfigurationError.
    """
    check_sections(params)
    features = {name: plug.load()() for name, plug in SETTINGS.items()}
    needed = [*_NEEDED, *(name for name, feature in features.items() if feature.needed)]
    lacking = [section for section in needed if section not in params.content]
    if lacking:
        raise ConfigurationError(
            f"{params.path} does not set {', '.join(lacking)}; choose in {params.path}/config.yaml."
        )
    datasets = {dataset_id: params.dataset(dataset_id) for dataset_id in params.datasets}
    check_readers(params)
    for system_id in params.systems:
        params.capture_settings(system_id)
    for dataset_id in params.datasets:
        params.slice(dataset_id)
        params.counts_settings(dataset_id)
        params.pairing(dataset_id)
    metric_ids = [metric.id for metric in params.metrics()]
    check_watched(params)
    statistics, report = params.statistics(), params.report()
    # Making them is the check.
    _ = (params.normalizer(), params.executor(), params.crosscheck())
    for feature in features.values():
        feature.check(params)
    _ = (params.baseline, params.missing, params.data_root)
    if not isinstance(params.content["seed"], int) or isinstance(params.content["seed"], bool):
        raise ConfigurationError(f"{params.path}: seed is {params.content['seed']!r}, expected a whole number.")
    # Making them is the check.
    get_views(report.views, where=f"{params.path}: report.views")
    for metric in report.metrics:
        check_choice("metric", metric, metric_ids, where=f"{params.path}: report.metrics")
    for test in report.test_columns:
        if test not in statistics.tests:
            raise ConfigurationError(
                f"{params.path}: report.columns names the test {test}, which statistics.tests does not run "
                f"({', '.join(statistics.tests)}); add it there."
            )
    _check_columns(params, datasets, statistics, report)


def check_sections(params: Params) -> None:
    """Refuse a section that no stage reads: nobody would notice what it holds."""
    for section in params.content:
        check_choice("section", section, (*_NEEDED, *_OPTIONAL, *SETTINGS), where=str(params.path))


def check_watched(params: Params) -> None:
    """Refuse a data set, code or a file of a metric in which a change would not be seen, and missing plug-ins."""
    for name in params.plugins:
        if (path := find_study_module(name, params.root)) and not (params.root / STUDY.parent / name).exists():
            raise ConfigurationError(
                f"{params.path}: plugins names {path}, in which no stage would notice a change; move its "
                f"modules into {STUDY}/, name them from {STUDY.name} on, and set plugins: [{STUDY.name}]."
            )
        if name != STUDY.name:
            digest_plugin(name)
    for dataset_id in params.datasets:
        params.check_watched(dataset_id)
    for path in params.metric_files():
        if not path.resolve().is_relative_to((params.root / STUDY).resolve()):
            raise ConfigurationError(
                f"{params.path}: metrics names {path}, in which no stage would notice a change; move it into "
                f"{STUDY}/, and name it from the project's folder."
            )


def check_readers(params: Params) -> None:
    """Refuse a system without a data set that it can read, and a data set without a system that can read it."""
    offers = {dataset_id: params.dataset(dataset_id).offers for dataset_id in params.datasets}
    # Not `params.systems`: no section but those of data sets and systems has a say.
    reads = {system_id: params.engine(system_id).reads for system_id in params.ids("systems")}
    readable = frozenset().union(*reads.values())
    offered = frozenset().union(*offers.values())
    for system_id, kinds in reads.items():
        if not kinds & offered:
            raise ConfigurationError(
                f"{params.path}: system {system_id!r} reads {_listed(kinds)}, which none of the data sets offers "
                f"({', '.join(offers)}: {_listed(offered)}); leave it out, or add a data set that does."
            )
    for dataset_id, kinds in offers.items():
        if not kinds & readable:
            raise ConfigurationError(
                f"{params.path}: data set {dataset_id!r} offers {_listed(kinds)}, which none of the systems reads "
                f"({', '.join(reads)}: {_listed(readable)}); leave it out, or add a system that does."
            )


def _check_columns(
    params: Params, datasets: Mapping[str, Dataset], statistics: StatisticsSettings, report: ReportSettings
) -> None:
    """Refuse group columns that a data set lacks where it needs them, and typos in those of the report.

    The report leaves out a column that no data set has; a name that is close to one of theirs is taken for a typo.
    """
    columns = {dataset_id: _group_columns(dataset, statistics) for dataset_id, dataset in datasets.items()}
    second = statistics.second_cluster
    for dataset_id, known in columns.items():
        if second is not None and known is not None and second not in known:
            where = f"{params.path}: statistics.second_cluster, for data set {dataset_id!r}"
            raise UnknownNameError("group column", second, known, where=where)
    if None in columns.values():
        return
    listed = sorted({column for known in columns.values() if known is not None for column in known})
    for setting, chosen in (("group_order", report.group_order), ("degradation", report.degradation)):
        for column in chosen:
            if column not in listed and get_close_matches(column, listed, n=1):
                raise UnknownNameError("group column", column, listed, where=f"{params.path}: report.{setting}")


def _group_columns(dataset: Dataset, statistics: StatisticsSettings) -> list[str] | None:
    """Columns by which results are broken down; None for a class of another package that does not say."""
    from misread.stats.compare.shared_segments import LENGTH_COLUMN

    is_ours = type(dataset).__module__.split(".")[0] == "misread"
    groups = getattr(dataset, "groups", () if is_ours else None)
    return None if groups is None else [*groups, *([LENGTH_COLUMN] if statistics.length_classes else [])]


def _listed(kinds: Iterable[str]) -> str:
    return ", ".join(sorted(kinds))
