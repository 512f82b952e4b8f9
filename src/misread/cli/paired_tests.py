"""Names of paired tests on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from misread.cli.options import split_list
from misread.errors import ConfigurationError, UnknownNameError

if TYPE_CHECKING:
    from misread.stats.compare.settings import PairedTest


def read_test_names(text: str) -> list[PairedTest]:
    """Split a list of tests; raises UnknownNameError or, if it is empty or has one twice, ConfigurationError."""
    from misread.stats.compare.settings import PairedTest

    if not text.strip(" ,"):
        raise ConfigurationError(f"--tests is empty; name at least one of {', '.join(get_args(PairedTest))}.")
    names = split_list(text, option="--tests")
    for name in names:
        if name not in get_args(PairedTest):
            raise UnknownNameError("test", name, get_args(PairedTest), where="--tests")
    return cast("list[PairedTest]", names)
