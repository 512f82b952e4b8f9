"""Results by name, and pairs of systems in either order."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from misread.errors import InputTypeError, NoResultError, UnknownNameError
from misread.stats import DatasetResult, PairComparison
from misread.stats.compare.schema import find_pair

Result = TypeVar("Result")


class Named(Mapping[str, Result]):
    """Results by the names of systems or metrics.

    An unknown name raises UnknownNameError; one that is known and has no result NoResultError, with the reason.
    """

    def __init__(self, kind: str, results: Mapping[str, Result], without: Mapping[str, str] | None = None) -> None:
        self._kind = kind
        self._results = dict(results)
        self._without = dict(without or {})

    def __getitem__(self, name: str) -> Result:
        if name in self._results:
            return self._results[name]
        if name in self._without:
            raise NoResultError(f"{self._kind} {name!r}", self._without[name], self._results)
        raise UnknownNameError(self._kind, name, self._results)

    # Those of Mapping expect a KeyError.
    def __contains__(self, name: object) -> bool:
        return name in self._results

    def get(self, name: Any, default: Any = None, /) -> Any:
        """The result, or `default` where there is none."""
        return self._results.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<{self._kind}s: {', '.join(self._results)}>"


class Pairs(Mapping[tuple[str, str], Mapping[str, PairComparison]]):
    """Compared pairs, baseline first, by metric; the other order is answered too.

    What is not a compared pair raises UnknownNameError or NoResultError.
    """

    def __init__(self, result: DatasetResult) -> None:
        self._result = result
        self._compared = list(dict.fromkeys((pair.baseline, pair.system) for pair in result.comparisons))

    def __getitem__(self, names: tuple[str, str]) -> Mapping[str, PairComparison]:
        if not isinstance(names, tuple) or len(names) != 2:
            raise InputTypeError(f"pairs[{names!r}]: expected the names of two systems, such as pairs['a', 'b'].")
        baseline, system = names
        pairs = {
            metric: pair
            for metric in self._result.first_system
            if (pair := find_pair(self._result.pairs(metric), baseline, system))
        }
        if not pairs:
            raise self._refusal(baseline, system)
        without = dict.fromkeys(self._result.first_system.keys() - pairs, "one of the two systems has no rate")
        return Named("metric", pairs, without)

    # Those of Mapping expect a KeyError.
    def __contains__(self, names: object) -> bool:
        return isinstance(names, tuple) and (names in self._compared or names[::-1] in self._compared)

    def get(self, names: Any, default: Any = None, /) -> Any:
        """The pair, or `default` where it was not compared."""
        try:
            return self[names]
        except (LookupError, TypeError):
            return default

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._compared)

    def __len__(self) -> int:
        return len(self._compared)

    def __repr__(self) -> str:
        return f"<pairs: {self._shown()}>"

    def _refusal(self, baseline: str, system: str) -> UnknownNameError | NoResultError:
        result = self._result
        for name in (baseline, system):
            if name in result.not_applicable:
                return NoResultError(f"system {name!r}", result.not_applicable[name], result.systems)
            if name not in result.systems:
                return UnknownNameError("system", name, result.systems)
        if baseline == system:
            reason = "a system is not compared with itself"
        elif result.statistics.pairs == "baseline" and result.baseline not in (baseline, system):
            reason = f"each system was compared with the baseline {result.baseline!r} alone (pairs='baseline')"
        else:
            reason = "one of the two systems has no rate"
        return NoResultError(f"the pair {baseline!r}, {system!r}", reason, [self._shown()] if self._compared else [])

    def _shown(self) -> str:
        return "; ".join(f"{baseline!r}, {system!r}" for baseline, system in self._compared)
