"""A section of params.yaml that a feature reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.pipeline.params import Params


class SettingsSection(ABC):
    """A section of params.yaml, which `misread.sockets.settings` lists."""

    needed: ClassVar[bool] = True
    """Whether params.yaml must have it."""

    @abstractmethod
    def read(self, params: Params) -> Any:
        """Make what the section describes; raises ConfigurationError."""

    def check(self, params: Params) -> None:
        """Compare the section with the others; raises ConfigurationError."""
        self.read(params)

    def metric(self, params: Params, entry_id: str, dataset_id: str | None) -> Metric | None:  # noqa: ARG002
        """The metric that an entry of the section is on a data set, if it is one."""
        return None

    def catalogue(self) -> Iterator[tuple[str, ...]]:
        """Titles, and a row for each entry that misread brings, for `misread list`."""
        yield from ()
