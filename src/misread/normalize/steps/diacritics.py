"""Steps on diacritics and letters with strokes."""

import unicodedata
from functools import cache

from misread.errors import ConfigurationError
from misread.normalize.steps.characters import CharacterTable, script_of
from misread.normalize.steps.unicode_forms import nfc

_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW")
_SPECIAL = str.maketrans(
    {
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ß": "ss",
        "ẞ": "SS",
        "þ": "th",
        "Þ": "TH",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "ł": "l",
        "Ł": "L",
        "ı": "i",
    }
)


def remove_diacritics(text: str, *, scripts: tuple[str, ...] | list[str] = ("latin", "greek")) -> str:
    """Remove the marks on letters of these scripts; marks of all other scripts, such as vowel signs, stay.

    >>> remove_diacritics("Élan of हिन्दी")
    'Elan of हिन्दी'
    """
    upper = _check(tuple(scripts))
    if text.isascii():
        return text
    text = nfc(text).translate(_table(upper))
    if not any(map(unicodedata.combining, text)):
        return text
    # Marks that have no character together with their letter.
    characters: list[str] = []
    base = ""
    for character in text:
        if unicodedata.category(character) == "Mn":
            if base and script_of(base) in upper and script_of(character) == "COMBINING":
                continue
        else:
            base = character
        characters.append(character)
    return nfc("".join(characters))


def replace_special_letters(text: str) -> str:
    """Write Latin letters that no mark is part of as basic ones: æ as ae, ø as o, ß as ss, ł as l.

    >>> replace_special_letters("Søren, Łódź, Straße")
    'Soren, Lódź, Strasse'
    """
    return text if text.isascii() else text.translate(_SPECIAL)


@cache
def _check(scripts: tuple[str, ...]) -> tuple[str, ...]:
    for script in scripts:
        if script.upper() not in _SCRIPTS:
            raise ConfigurationError(f"script {script!r} is not one of: {', '.join(_SCRIPTS).lower()}.")
    return tuple(script.upper() for script in scripts)


@cache
def _table(scripts: tuple[str, ...]) -> CharacterTable:
    def without_marks(character: str) -> str:
        decomposed = unicodedata.normalize("NFD", character)
        return decomposed[0] if len(decomposed) > 1 and script_of(character) in scripts else character

    return CharacterTable(without_marks)
