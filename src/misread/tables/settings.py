"""Settings of tables, figures and the page."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, cast, get_args

from misread.errors import ConfigurationError, UnknownNameError
from misread.metrics import Kind
from misread.stats import MetricResult
from misread.stats.compare.settings import PairedTest
from misread.tables.number_text import RateFormat, RateUnit

Order = Literal["rate", "configured", "name"]
FigureFormat = Literal["pdf", "png"]
RateColumn = Literal[
    "interval",
    "rank",
    "operations",
    "errors",
    "segments",
    "macro",
    "difference",
    "pvalue",
    "baseline_difference",
    "baseline_pvalue",
]
TableColumn = Literal[RateColumn, PairedTest, "spread"]
"""Columns of the table of rates, or of a table of its own below it: tests of all pairs, and the spread of segments."""


# Enough for the cost of a page in dollars.
_DIGITS_OF_NUMBERS = 5

SMALLEST_PAGE = 1_000_000
"""Bytes: tables, figures and the program of the explorer need about half of that."""


@dataclass(frozen=True)
class PageSettings:
    """Settings of reports/index.html.

    Parameters
    ----------
    max_bytes : int
        Largest size of the file; if all segments need more, the explorer has a part of them and says so.
    media_bytes : int
        Largest total size of images and audio inside the page; the others are linked.
    static_segments : int
        Segments per data set that are printed, and shown without JavaScript: those on which systems disagree most.
    """

    max_bytes: int = 25_000_000
    media_bytes: int = 4_000_000
    static_segments: int = 20

    def __post_init__(self) -> None:
        if self.max_bytes < SMALLEST_PAGE:
            raise ConfigurationError(f"report.page.max_bytes is {self.max_bytes}, expected {SMALLEST_PAGE} or more.")
        for name in ("media_bytes", "static_segments"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"report.page.{name} is {getattr(self, name)}, expected 0 or more.")


@dataclass(frozen=True)
class ReportSettings:
    """Settings of tables and figures.

    Parameters
    ----------
    metrics : sequence of str
        Metrics that get a table, in this order; figures and plots show the first.
    digits : int
        Digits of rates after the decimal point, as shown.
    unit : {"percent", "fraction"}
        How rates are shown.
    order : {"rate", "configured", "name"}
        Order of systems: best first, as in the configuration, or by name.
    columns : sequence of str
        Columns of rate tables after the rate, in this order. `rank`, of three systems or more whose pairs were all
        tested, has the ranks that the tests leave open, and letters of groups. `difference` and `pvalue` are to the
        best system, `baseline_difference` and `baseline_pvalue` to the baseline. Names of tests, such as `wilcoxon` and
        `mcnemar`, make a table of all pairs with these next to the test that the verdict follows; `spread` makes one of
        the standard deviation and percentiles of the rates of segments.
    siunitx : bool
        Whether LaTeX aligns plain numbers at their decimal point with the package siunitx.
    names : mapping of id to str
        Names of systems and data sets for people; the default is the id.
    group_order : mapping of group column to sequence of str
        Order of groups; others follow by name, numbers by size. `check_group_order` refuses those that do not occur.
    degradation : sequence of str
        Group columns that are levels of degradation; the clean one is the first level of their `group_order`, or the
        first by name without one.
    figure_formats : sequence of {"pdf", "png"}
        Formats of figures besides SVG, which the page shows.
    page : PageSettings
        Sizes of reports/index.html.
    confusions : int
        Number of confusions of each system in tables, most frequent first; 0 omits tables and heat maps.
    views : sequence of str
        Further tables that look at the segments, in this order, with settings in brackets after the name, such as
        flags(most=50); those that have nothing to show are left out.
    raw_csv : bool
        Whether CSV has names and texts as they are, for programs. Otherwise they are escaped so that no spreadsheet
        reads one as a formula.
    runs : str
        Folder that keeps every run on a data set by its id, with config.json, results.json and summary.json; empty for
        none.
    """

    metrics: Sequence[str]
    digits: int = 2
    unit: RateUnit = "percent"
    order: Order = "rate"
    columns: Sequence[TableColumn] = ("interval", "rank", "operations", "errors", "difference", "pvalue")
    siunitx: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    group_order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    degradation: Sequence[str] = ()
    figure_formats: Sequence[FigureFormat] = ("pdf", "png")
    page: PageSettings = field(default_factory=PageSettings)
    confusions: int = 10
    views: Sequence[str] = ("flags",)
    raw_csv: bool = False
    runs: str = ""

    def __post_init__(self) -> None:
        if not self.metrics:
            raise ConfigurationError("report.metrics is empty; name at least one metric.")
        for setting, names in (
            ("metrics", self.metrics),
            ("columns", self.columns),
            ("figure_formats", self.figure_formats),
            ("views", self.views),
        ):
            twice = next((name for name in names if list(names).count(name) > 1), None)
            if twice is not None:
                raise ConfigurationError(f"report.{setting} names {twice!r} twice; once is enough.")
        for column, order in self.group_order.items():
            repeated = next((level for level, number in Counter(order).items() if number > 1), None)
            if repeated is not None:
                raise ConfigurationError(f"report.group_order.{column} names {repeated!r} twice; once is enough.")
        if not 0 <= self.digits <= 6:
            raise ConfigurationError(f"report.digits is {self.digits}, expected 0 to 6.")
        if self.confusions < 0:
            raise ConfigurationError(f"report.confusions is {self.confusions}, expected 0 or more.")
        for name, value, choices in (
            ("unit", self.unit, get_args(RateUnit)),
            ("order", self.order, get_args(Order)),
            *(("column", column, get_args(TableColumn)) for column in self.columns),
            *(("figure format", file_format, get_args(FigureFormat)) for file_format in self.figure_formats),
        ):
            if value not in choices:
                raise UnknownNameError(name, str(value), choices, where="report")

    @property
    def rate_columns(self) -> tuple[RateColumn, ...]:
        """Those of `columns` that tables of rates have."""
        return tuple(cast("RateColumn", name) for name in self.columns if name in get_args(RateColumn))

    @property
    def test_columns(self) -> tuple[PairedTest, ...]:
        """Those of `columns` that are tests of pairs."""
        return tuple(cast("PairedTest", name) for name in self.columns if name in get_args(PairedTest))

    @property
    def rates(self) -> RateFormat:
        """Format of rates."""
        return RateFormat(self.digits, self.unit)

    def rates_of(self, result: MetricResult) -> RateFormat:
        """Format of the scores of a metric: those that are not a share are never in per cent, and may be small."""
        if result.kind is not Kind.OTHER:
            return self.rates
        # What has a price is money.
        return RateFormat(_DIGITS_OF_NUMBERS, "fraction", "USD" if "price" in result.signature.facts else "")

    def name(self, entry_id: str) -> str:
        """Name for people."""
        return self.names.get(entry_id, entry_id)

    def with_systems(self, systems: Iterable[str]) -> Self:
        """The same settings, with names by which these systems are told apart.

        Systems that would have one name get their id behind it, in parentheses.

        Parameters
        ----------
        systems : iterable of str
            Ids of all systems that tables and figures show.

        Examples
        --------
        >>> settings = ReportSettings(["cer"], names={"tess4": "Tesseract", "tess5": "Tesseract"})
        >>> settings.with_systems(["tess4", "tess5", "kraken"]).name("tess5")
        'Tesseract (tess5)'
        """
        names = {system: self.name(system) for system in systems}
        number_by_name = Counter(names.values())
        told_apart = {system: f"{name} ({system})" for system, name in names.items() if number_by_name[name] > 1}
        return replace(self, names={**self.names, **told_apart})

    def check_group_order(self, groups: Mapping[str, Collection[str]]) -> None:
        """Refuse a level of `group_order` that no segment has, unless all that there are have their place.

        Parameters
        ----------
        groups : mapping of group column to collection of str
            Levels that there are; a column that is not among them is not checked.

        Raises
        ------
        UnknownNameError
            Names the level and lists those that there are.
        """
        for column, order in self.group_order.items():
            levels = groups.get(column, ())
            unknown = [level for level in order if level not in levels]
            # A part of the data may lack levels; one that is misspelt leaves another one without a place.
            if unknown and not {*levels} <= {*order}:
                raise UnknownNameError("level", unknown[0], levels, where=f"report.group_order.{column}")

    def sort_groups(self, column: str, groups: Sequence[str]) -> list[str]:
        """Sort groups of one column by `group_order`, then by name."""
        order = {group: index for index, group in enumerate(self.group_order.get(column, ()))}
        return sorted(groups, key=lambda group: (order.get(group, len(order)), _natural(group)))

    def clean_level(self, column: str, groups: Sequence[str]) -> str | None:
        """Clean level of a column of degradation; None if no segment has it, rather than the next level."""
        if column not in self.degradation:
            return None
        level = [*self.group_order.get(column, ()), *self.sort_groups(column, groups)][0]
        return level if level in groups else None


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sorting key in which 9 comes before 10."""
    parts = re.findall(r"\d+|\D+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
