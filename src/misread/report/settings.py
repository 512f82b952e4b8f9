"""How results are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from misread.errors import ConfigurationError


@dataclass(frozen=True)
class ReportSettings:
    """Settings of tables and figures.

    Parameters
    ----------
    metrics : sequence of str
        Metrics that get a table, in this order; the first is the one of figures and plots.
    digits : int
        After the point of rates in per cent.
    names : mapping of id to str
        Names of systems and data sets for people; an id without one stands for itself.
    group_order : mapping of group column to sequence of str
        Order of groups; those not named follow by name.
    """

    metrics: Sequence[str]
    digits: int = 2
    names: Mapping[str, str] = field(default_factory=dict)
    group_order: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.metrics:
            raise ConfigurationError("report.metrics is empty; name at least one metric.")
        if not 0 <= self.digits <= 6:
            raise ConfigurationError(f"report.digits is {self.digits}, expected 0 to 6.")

    def name(self, entry_id: str) -> str:
        """Name for people."""
        return self.names.get(entry_id, entry_id)

    def sort_groups(self, column: str, groups: Sequence[str]) -> list[str]:
        """Put groups of one column into their order."""
        order = {group: place for place, group in enumerate(self.group_order.get(column, ()))}
        return sorted(groups, key=lambda group: (order.get(group, len(order)), group))
