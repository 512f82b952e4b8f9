"""Results by name, where a name without a result is answered with the names that have one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from misread.errors import NoResultError, UnknownNameError

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
