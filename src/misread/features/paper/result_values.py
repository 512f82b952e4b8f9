"""Every number of the results under a stable key, as papers quote it, and LaTeX macros for them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from misread.io.json_files import to_plain
from misread.stats import DatasetResult
from misread.tables.number_text import RateFormat, pvalue_text
from misread.tables.render.latex import escape_latex
from misread.version import __version__

Kind = Literal["rate", "difference", "pvalue", "count", "number"]

_RATES = frozenset({"micro", "macro", "median"})
_DIFFERENCES = frozenset({"difference", "minimum_detectable_difference", "margin"})
_INTERVAL = "confidence_interval"
_WITHOUT_KEY = frozenset({_INTERVAL, "counts", "extra"})
"""Fields whose values get the key of what they belong to."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_.:+-]+")
_SIGNIFICANT = 4


@dataclass(frozen=True, slots=True)
class ResultValue:
    """One number; rates and their differences are fractions. The kind decides how it is written."""

    value: float
    kind: Kind

    def text(self, rates: RateFormat) -> str:
        """The number as tables show it."""
        if self.kind == "rate":
            return rates.rate(self.value)
        if self.kind == "difference":
            return rates.difference(self.value)
        if self.kind == "pvalue":
            return pvalue_text(self.value)
        return str(int(self.value)) if self.kind == "count" else f"{self.value:.{_SIGNIFICANT}g}"


def read_result_values(results: Sequence[DatasetResult]) -> dict[str, ResultValue]:
    """Every number of the results by key, in the order of the results.

    Keys are made of ids, joined by dots:

    - `DATASET.segments`, and other facts of the whole data set;
    - `DATASET.SYSTEM.METRIC.micro`, `.low` and `.high` of its interval, `.errors`, `.rank`;
    - `DATASET.SYSTEM-vs-BASELINE.METRIC.difference`, `.low`, `.high`, `.pvalue_adjusted`, `.better`;
    - `DATASET.by.COLUMN.GROUP.SYSTEM.METRIC.micro`, `.low`, `.high`.

    Characters of group names that are not allowed in keys become a hyphen; of equal keys, later ones get a
    number.
    """
    values: dict[str, ResultValue] = {}
    for key, value in (pair for result in results for pair in _of_dataset(result)):
        unique, number = key, 2
        while unique in values:
            unique, number = f"{key}-{number}", number + 1
        values[unique] = value
    return values


def _of_dataset(result: DatasetResult) -> Iterator[tuple[str, ResultValue]]:
    name = result.dataset
    whole = {
        "segments": result.segments,
        "excluded": result.excluded,
        "clusters": result.clusters,
        "statistics": to_plain(result.statistics),
    }
    yield from _numbers(name, whole)
    for system, metrics in result.systems.items():
        for metric, score in metrics.items():
            yield from _numbers(f"{name}.{system}.{metric}", to_plain(score))
    for metric, ranks in result.ranking.items():
        for system, rank in ranks.items():
            yield from _numbers(f"{name}.{system}.{metric}", to_plain(rank))
    for pair in result.comparisons:
        numbers = {field: value for field, value in to_plain(pair).items() if field != "verdict_reason"}
        yield from _numbers(f"{name}.{pair.system}-vs-{pair.baseline}.{pair.metric}", numbers)
    for column, groups in result.groups.items():
        for group, systems in groups.items():
            for system, by_metric in systems.items():
                for metric, group_score in by_metric.items():
                    key = ".".join([name, "by", _safe(column), _safe(group), system, metric])
                    yield from _numbers(key, to_plain(group_score))


def _numbers(prefix: str, tree: Mapping[str, Any], parent: str = "") -> Iterator[tuple[str, ResultValue]]:
    """Leaves that are numbers."""
    for name, value in tree.items():
        key = prefix if name in _WITHOUT_KEY else f"{prefix}.{_safe(name)}"
        if isinstance(value, Mapping):
            yield from _numbers(key, value, "difference" if "difference" in tree and name == _INTERVAL else name)
        elif isinstance(value, bool) or not isinstance(value, int | float):
            continue
        elif not (name == "confidence" and parent in (_INTERVAL, "difference")):
            yield key, ResultValue(value, _kind(name, value, parent))


def _kind(name: str, value: float, parent: str) -> Kind:
    if parent == _INTERVAL or name in _RATES:
        return "rate"
    # Inside a test, margin and difference mean what the test defines.
    if parent == "difference" or (name in _DIFFERENCES and parent in ("", "statistics", "influence")):
        return "difference"
    if "pvalue" in name:
        return "pvalue"
    return "count" if isinstance(value, int) else "number"


def _safe(name: str) -> str:
    return _UNSAFE.sub("-", name) or "-"


_PREAMBLE = r"""% Made by `misread paper macros` (misread {version}); make it again instead of editing it.
%   \misreadvalue{{KEY}}    the number of the results
\makeatletter
\providecommand{{\misreadvalue}}[1]{{\@ifundefined{{misread@#1}}{{%
  \PackageError{{misread}}{{no result has the key `#1'}}{{Run `misread paper macros' again, or fix the key.}}}}{{%
  \csname misread@#1\endcsname}}}}
"""


def render_macros(values: Mapping[str, ResultValue], rates: RateFormat) -> str:
    r"""A file to be read with \input: LaTeX in ASCII, one line per number, newline at the end."""
    lines = [rf"\@namedef{{misread@{key}}}{{{_typeset(value.text(rates))}}}" for key, value in values.items()]
    return "\n".join([_PREAMBLE.format(version=__version__).rstrip("\n"), *lines, r"\makeatother", ""])


def _typeset(text: str) -> str:
    # A minus, not a hyphen; in mathematics and in text alike.
    if text.startswith(("-", "+", "<")):
        return rf"\ensuremath{{{text}}}"
    return escape_latex(text)
