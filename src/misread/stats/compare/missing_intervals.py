"""Rates without an interval: why, which units decide them, and between which values they lie without one of these."""

from collections.abc import Iterable, Sequence

import numpy as np

from misread.metrics import Kind, Metric
from misread.stats.bootstrap.jackknife import FEWEST_FREEDOM, degrees_of_freedom
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.settings import StatisticsSettings
from misread.types import IntArray

_MOST_NAMED = 3


def reasons_without_interval(
    replicates: Replicates,
    metric: Metric,
    systems: Iterable[str],
    unit_names: Sequence[str],
    settings: StatisticsSettings,
) -> dict[str, str]:
    """Reason by system, for those whose rate has no interval; names the units that decide."""
    if replicates.reason:
        return dict.fromkeys(systems, replicates.reason)
    return {
        system: f"{_why(replicates, system, unit_names, settings)} Without one {replicates.unit} the rate is "
        f"{_range(replicates, metric, system)}."
        for system in _without_interval(replicates, settings)
    }


def warn_of_missing_intervals(
    replicates: Replicates, metric: Metric, unit_names: Sequence[str], settings: StatisticsSettings
) -> list[str]:
    """One sentence for all systems: the reason of the first, and the range of each."""
    if replicates.reason:
        return [f"{metric.id}: no interval. {replicates.reason}"]
    systems = _without_interval(replicates, settings)
    if not systems:
        return []
    ranges = ", ".join(f"{system} {_range(replicates, metric, system)}" for system in systems)
    why = _why(replicates, systems[0], unit_names, settings)
    return [f"{metric.id}: no interval of {', '.join(systems)}. {why} Rates without one {replicates.unit}: {ranges}."]


def _without_interval(replicates: Replicates, settings: StatisticsSettings) -> list[str]:
    return [name for name in replicates.observed if replicates.interval(name, settings) is None]


def _why(replicates: Replicates, system: str, unit_names: Sequence[str], settings: StatisticsSettings) -> str:
    freedom, sizes = replicates.estimate(system, settings).freedom, replicates.sizes[system]
    units, needed = f"{replicates.n} {replicates.unit}s", f"an interval needs {FEWEST_FREEDOM:g}"
    left = f"leave {freedom:.1f} effective degrees of freedom, and {needed}"
    if replicates.n <= FEWEST_FREEDOM:
        return f"{units} {left}."
    if degrees_of_freedom(sizes) < FEWEST_FREEDOM:
        return f"{units} {left}: {_deciding(sizes, unit_names)} of what is counted."
    if replicates.most_freedom < FEWEST_FREEDOM:
        return f"{units} and the few values of '{settings.second_cluster}' {left}."
    runs = replicates.run_squares[system].run_count
    return f"{units} and {runs} runs, which share an effect, {left}."


def _deciding(sizes: IntArray, unit_names: Sequence[str]) -> str:
    """The largest units that together hold more than half, with their share: "'type-10' holds 61 %"."""
    order = np.argsort(-sizes, kind="stable")
    shares = np.cumsum(sizes[order]) / sizes.sum()
    number = min(int(np.searchsorted(shares, 0.5, side="right")) + 1, _MOST_NAMED)
    names = " and ".join(f"'{unit_names[unit]}'" for unit in order[:number].tolist())
    return f"{names} {'holds' if number == 1 else 'hold'} {100 * shares[number - 1]:.0f} %"


def _range(replicates: Replicates, metric: Metric, system: str) -> str:
    """Lowest and highest rate without one of the units."""
    without = replicates.leave_one_out[system]
    low, high = float(without.min()), float(without.max())
    return f"{low:.4g} to {high:.4g}" if metric.kind is Kind.OTHER else f"{100 * low:.2f} to {100 * high:.2f} %"
