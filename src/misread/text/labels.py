"""Names from outside, made fit to be shown: of systems, groups, columns, segments and files."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# What Python does not print, and yet has a shape or a width of its own: spaces, private and newer letters.
_SHAPED: Final = frozenset({"Zs", "Co", "Cn"})
_JOINERS: Final = "\u200c\u200d"
# The wide forms are the same signs to spreadsheets of East Asian countries; a sign alone is no formula.
_FORMULA: Final = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20].")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def show_label(label: str) -> str:
    r"""Write what could not be seen in a label, or would act on what shows it, as an escape.

    Control characters would move a terminal's cursor, line ends would tear a table, marks of direction would turn what
    stands around them. A text is returned as it is if it has none of these.

    Parameters
    ----------
    label : str
        A name, or a sentence with names in it.

    Returns
    -------
    str
        One line. Joiners stay between letters of scripts that are joined by them.

    References
    ----------
    Unicode Technical Report #36, section 2.5 (bidirectional text spoofing); ECMA-48, section 5.3 (escape sequences).

    Examples
    --------
    >>> show_label("page 1"), show_label("\x1b[2Jpage\n1"), show_label("\u202egnp.exe")
    ('page 1', '\\x1b[2Jpage\\n1', '\\u202egnp.exe')
    """
    if label.isprintable():
        return label
    return "".join(
        _escape(character) if _is_hidden(character, before) else character
        for before, character in zip(" " + label, label, strict=False)
    )


def show_in_spreadsheet(label: str) -> str:
    """Write a label so that no spreadsheet computes it: what begins like a formula gets an apostrophe in front.

    Parameters
    ----------
    label : str
        A name or a text.

    Returns
    -------
    str
        Shown as by `show_label`; a number stays one, whatever its sign.

    References
    ----------
    OWASP, "CSV Injection".

    Examples
    --------
    >>> show_in_spreadsheet("=1+1"), show_in_spreadsheet("-5"), show_in_spreadsheet("page 1")
    ("'=1+1", '-5', 'page 1')
    """
    shown = show_label(label)
    return f"'{shown}" if _FORMULA.match(shown) and not _NUMBER.fullmatch(shown) else shown


def _is_hidden(character: str, before: str) -> bool:
    if character in _JOINERS:
        return before.isascii()
    return not character.isprintable() and unicodedata.category(character) not in _SHAPED


def _escape(character: str) -> str:
    return repr(character)[1:-1]
