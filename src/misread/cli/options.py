"""Options that several commands take, as text from the command line."""

from __future__ import annotations

from misread.errors import ConfigurationError


def split_list(text: str | None) -> list[str]:
    """Parts of a text that commas join, without blanks around them.

    Examples
    --------
    >>> split_list("cer, wer"), split_list(None)
    (['cer', 'wer'], [])
    """
    return [part.strip() for part in text.split(",") if part.strip()] if text else []


def named_values(entries: list[str], *, option: str = "--hyp", expected: str) -> dict[str, str]:
    """Take options of the form NAME=VALUE apart.

    Parameters
    ----------
    entries : list of str
        As given, one an option.
    option : str
        Its name, for messages.
    expected : str
        What an entry looks like, for messages.

    Returns
    -------
    dict of str to str

    Raises
    ------
    ConfigurationError
        If an entry has another form, or a name occurs twice.
    """
    named: dict[str, str] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise ConfigurationError(f"{option} {entry!r}: expected {expected}.")
        if name in named:
            raise ConfigurationError(f"{option} names {name!r} twice; every system needs a name of its own.")
        named[name] = value
    return named
