"""Units of text in cells of a terminal: the invisible is named, and every cell has a known width."""

import unicodedata
from typing import Final

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
    nothing its code point; a mark without its letter gets a circle to stand on; what is written from right to left is
    isolated (Unicode Standard Annex #9, section 2.4), so that a terminal which reorders lines leaves the cells where
    they are.
    """
    if unit in _NAMED:
        return _NAMED[unit]
    if unit == " ":
        return unit if is_ascii else _SPACE
    shown = unit
    # Joiners shape what stands beside them; in a cell of more than one character they do their work unseen.
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
