"""Packages that only some uses need: each is part of an extra, and an error says which."""

from collections.abc import Iterator
from contextlib import contextmanager

from misread.errors import MissingDependencyError


@contextmanager
def needed_for(use: str, package: str, extra: str) -> Iterator[None]:
    """Import a package in this context, or raise MissingDependencyError with the line that installs it."""
    try:
        yield
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == "misread":
            raise
        raise MissingDependencyError(f"{use} {package}: pip install 'misread[{extra}]'.") from None
