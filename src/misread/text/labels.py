"""Names from outside, escaped for display: of systems, groups, columns, segments and files."""

import re
import unicodedata
from typing import Final

# Not printable to Python, and yet with a shape or a width of their own: spaces, private and newer letters.
_SHAPED: Final = frozenset({"Zs", "Co", "Cn"})
_JOINERS: Final = "\u200c\u200d"
# The wide forms are the same signs to spreadsheets of East Asian countries; a sign alone is not a formula.
_FORMULA: Final = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20].")
_LONGEST: Final = 120
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def show_label(label: str) -> str:
    """Write as an escape whatever in a label cannot be seen or would act on what shows it; one line.

    Control characters would move a terminal's cursor, line ends would tear a table, marks of direction would turn
    what stands around them (Unicode Technical Report #36, section 2.5). Joiners stay between letters of scripts that
    are joined by them.
    """
    if label.isprintable():
        return label
    shown = " "
    for character in label:
        # A joiner after an escape has nothing to join.
        shown += _escape(character) if _is_hidden(character, shown[-1]) else character
    return shown[1:]


def shorten_label(label: str) -> str:
    """A label to be named in a sentence: the beginning of one that is too long, with its length."""
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST // 2]}... ({len(label):,} characters)"


def show_in_spreadsheet(label: str) -> str:
    """`show_label`, with an apostrophe before what begins like a formula, so that no spreadsheet computes it.

    A number stays one, whatever its sign. See OWASP, "CSV Injection".
    """
    shown = show_label(label)
    return f"'{shown}" if _FORMULA.match(shown) and not _NUMBER.fullmatch(shown) else shown


def _is_hidden(character: str, before: str) -> bool:
    if character in _JOINERS:
        return before.isascii()
    return not character.isprintable() and unicodedata.category(character) not in _SHAPED


def _escape(character: str) -> str:
    return repr(character)[1:-1]
