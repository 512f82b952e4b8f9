"""Names of paired tests on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from misread.errors import ConfigurationError, UnknownNameError

if TYPE_CHECKING:
    from misread.stats.settings import PairedTest


def read_test_names(text: str) -> list[PairedTest]:
    """Take a list of tests apart.

    Parameters
    ----------
    text : str
        Names joined by commas.

    Returns
    -------
    list of str
        In the order given, each once.

    Raises
    ------
    UnknownNameError
        If there is no such test; lists those there are.
    ConfigurationError
        If the list is empty.
    """
    from misread.stats.settings import PairedTest

    names = [part.strip() for part in text.split(",") if part.strip()]
    for name in names:
        if name not in get_args(PairedTest):
            raise UnknownNameError("test", name, get_args(PairedTest), where="--tests")
    if not names:
        raise ConfigurationError(f"--tests is empty; name at least one of {', '.join(get_args(PairedTest))}.")
    return list(dict.fromkeys(cast("list[PairedTest]", names)))
