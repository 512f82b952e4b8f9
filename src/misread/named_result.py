"""Base of frozen results that can also be read like a dictionary."""

from dataclasses import fields
from typing import Any

from misread.errors import UnknownNameError


class Record:
    """Base of frozen dataclasses whose fields are read by attribute or by name: `ops.hits`, `ops["hits"]`."""

    def __getitem__(self, name: str) -> Any:
        names = self.keys()
        if name not in names:
            raise UnknownNameError("field", name, names, where=type(self).__name__)
        return getattr(self, name)

    def keys(self) -> list[str]:
        """Names of the fields, so that `dict(record)` works."""
        return [field.name for field in fields(self)]  # type: ignore[arg-type]
