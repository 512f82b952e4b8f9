"""Texts that are made when they are first looked at: many runs never ask for every form of a text."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

from misread.text.arrow_numpy import to_column

Text = TypeVar("Text", bound="str | None")


class DeferredTexts(Sequence[Text]):
    """A sequence of `number` texts; `make` is called when one is first looked at, and once at most.

    What it makes may be texts in Arrow buffers, which become Arrow arrays again without a copy.
    """

    def __init__(self, number: int, make: Callable[[], Sequence[Text]]) -> None:
        self._number = number
        self._make = make

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> Text: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Text]: ...
    def __getitem__(self, index: int | slice) -> Text | Sequence[Text]:
        return self._texts[index]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and self._texts == list(other))

    __hash__ = None  # type: ignore[assignment]

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - Arrow's name
        import pyarrow as pa

        return to_column(self._texts, pa.large_string() if type is None else type)

    @cached_property
    def _texts(self) -> Sequence[Text]:
        return self._make()
