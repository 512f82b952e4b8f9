"""Texts and names from outside as they are displayed: in messages, tables, cells of a terminal and file names."""

import hashlib
import re
import unicodedata
from typing import Final

# Not printable to Python, and yet with a shape or a width of their own: spaces, private and newer letters.
_SHAPED: Final = frozenset({"Zs", "Co", "Cn"})
_JOINERS: Final = "\u200c\u200d"
# The wide forms are the same signs to spreadsheets of East Asian countries; a sign alone is not a formula.
_FORMULA: Final = re.compile(r"'*\s*[=+\-@\uff1d\uff0b\uff0d\uff20].", re.DOTALL)
_LONGEST: Final = 120
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def show_label(label: str) -> str:
    """Write as an escape whatever in a label cannot be seen or would act on what shows it; one line.

    Control characters would move a terminal's cursor, line ends would tear a table, marks of direction would turn
    the text around them (Unicode Technical Report #36, section 2.5). Joiners stay between letters of scripts that
    are joined by them.
    """
    if label.isprintable():
        return label
    shown = " "
    for character in label:
        # A joiner after an escape has nothing to join.
        shown += repr(character)[1:-1] if _is_hidden(character, shown[-1]) else character
    return shown[1:]


def shorten_label(label: str) -> str:
    """A label for use in a sentence; one that is too long is cut, with its length."""
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST // 2]}... ({len(label):,} characters)"


def show_in_spreadsheet(label: str) -> str:
    """Do as `show_label`, with an apostrophe before what starts like a formula, so that no spreadsheet computes it.

    A number stays one, whatever its sign. See OWASP, "CSV Injection".
    """
    return guard_formula(show_label(label))


def guard_formula(text: str) -> str:
    """Put an apostrophe before what starts like a formula; different texts stay different."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _is_hidden(character: str, before: str) -> bool:
    if character in _JOINERS:
        return before.isascii()
    return not character.isprintable() and unicodedata.category(character) not in _SHAPED


_ISOLATE: Final = "\u2068"
_END_OF_ISOLATE: Final = "\u2069"
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_DOTTED_CIRCLE: Final = "\u25cc"
_SPACE: Final = "\u2423"
_NAMED: Final = {"\n": "\u21b5", "\t": "\u21e5", "\r": "\u240d", "\r\n": "\u240d\u21b5"}
# Controls, formats, surrogates, private use, unassigned; separators other than the space.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"})


def show_unit(unit: str, *, is_ascii: bool = False) -> str:
    """Write a code point, a grapheme or a word so that it can be seen in a cell.

    A space becomes an open box (with `is_ascii` it stays blank), a line end an arrow, any other character that shows
    nothing its code point; a mark without its letter gets a circle as its base; text from right to left is
    isolated (Unicode Standard Annex #9, section 2.4), so that a terminal which reorders lines leaves the cells where
    they are.
    """
    if unit in _NAMED:
        return _NAMED[unit]
    if unit == " ":
        return unit if is_ascii else _SPACE
    shown = unit
    # Joiners shape their neighbours; in a cell of more than one character they work unseen.
    if not _is_one_glyph(unit):
        shown = "".join(_name(character) if _is_unseen(character) else character for character in unit)
    if unicodedata.category(shown[0]).startswith("M"):
        shown = _DOTTED_CIRCLE + shown
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in shown):
        shown = f"{_ISOLATE}{shown}{_END_OF_ISOLATE}"
    return shown


def cell_width(shown: str) -> int:
    """Columns of a terminal that a text takes; East Asian wide characters take two, marks none."""
    from wcwidth import wcswidth

    return max(wcswidth(shown), 0)


def _is_one_glyph(unit: str) -> bool:
    """Whether the unit is an emoji or a letter with joiners, drawn as one."""
    return (
        len(unit) > 1
        and not _is_unseen(unit[0])
        and all(character in "\u200c\u200d" or not _is_unseen(character) for character in unit)
    )


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN


def _name(character: str) -> str:
    return f"U+{ord(character):04X}"


# A name that ends like a hash gets its own, so that it cannot equal another name with its hash.
_PLAIN: Final = re.compile(r"(?!.*-[0-9a-f]{10}$)[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
_LONGEST_STEM: Final = 32
_DIGITS: Final = 10


def file_stem(*parts: str) -> str:
    """Join names to a file name without extension that is safe in every file system and in LaTeX.

    Names of ASCII letters, digits, _ and - stay as they are; others keep these characters and get a hash, so that no
    path leaves its folder and different names never share a file.
    """
    return "_".join(map(_safe, parts))


def _safe(part: str) -> str:
    if _PLAIN.fullmatch(part):
        return part
    # Lone surrogates come from file names that are not UTF-8.
    digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    stem = re.sub("[^A-Za-z0-9_]+", "-", part).strip("-")[:_LONGEST_STEM]
    return f"{stem or 'name'}-{digest}"
