"""Values by name, each made when it is looked at."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Generic, TypeVar

Made = TypeVar("Made")


class LazyMapping(Mapping[str, Made], Generic[Made]):
    """A mapping whose values are made, by name, each time that they are asked for, and not kept."""

    def __init__(self, names: Collection[str], make: Callable[[str], Made]) -> None:
        self._names, self._make = names, make

    def __getitem__(self, name: str) -> Made:
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
