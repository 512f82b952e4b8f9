"""Environment of processes: the variables that Git may see, and the state that foreign code must not change."""

import locale
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError

# Hooks set these, and Git would take another repository, index or store of objects. What users set stays: how to reach
# a server (GIT_SSH_COMMAND, GIT_ASKPASS, GIT_SSL_CAINFO), settings (GIT_CONFIG_COUNT and others, by which containers
# allow a folder of another owner), and names of authors.
_OF_A_REPOSITORY: Final = frozenset(
    {
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_PREFIX",
        "GIT_NAMESPACE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_GRAFT_FILE",
        "GIT_SHALLOW_FILE",
        "GIT_REPLACE_REF_BASE",
        "GIT_CONFIG",
    }
)


def git_environment() -> dict[str, str]:
    """Environment of this process without the variables by which a hook names its repository; Git speaks English."""
    return {name: value for name, value in os.environ.items() if name not in _OF_A_REPOSITORY} | {"LANGUAGE": "en"}


def git_reason(stderr: bytes | str) -> str:
    """Git's reason for its failure, and the cure, in one line without a full stop."""
    said = stderr if isinstance(stderr, str) else stderr.decode("utf-8", "replace")
    said = re.sub(r"^(?:fatal|error): ", "", said, flags=re.MULTILINE)
    return " ".join(said.split()).removesuffix(".") or "no reason was given"


@contextmanager
def unchanged_process(who: str) -> Iterator[None]:
    """Raise ConfigurationError for code that changes the state of the process; sets the working directory back."""
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
