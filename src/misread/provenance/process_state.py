"""The state of the process that code of others has to leave as it is."""

import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from misread.errors import ConfigurationError


@contextmanager
def unchanged_process(who: str) -> Iterator[None]:
    """Refuse code that leaves the process in another state; the working directory is set back."""
    folder, before = Path.cwd(), _state()
    yield
    after = _state()
    changed = [f"{name} ({before[name]} -> {after[name]})" for name in before if before[name] != after[name]]
    if changed:
        os.chdir(folder)
        raise ConfigurationError(
            f"{who} changes {', '.join(changed)} of the process, on which all results depend; leave them as they are, "
            "or set them back."
        )


def _state() -> dict[str, object]:
    return {
        "the working directory": str(Path.cwd()),
        "the locale": locale.setlocale(locale.LC_ALL),
        "standard output": sys.stdout,
        "standard error": sys.stderr,
    }
