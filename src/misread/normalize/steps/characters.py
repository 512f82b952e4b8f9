"""Tables from code points to texts that fill themselves, and steps on digits and on full-width and half-width forms."""

import re
import unicodedata
from collections.abc import Callable

from misread.normalize.steps.unicode_forms import nfkc


class CharacterTable(dict[int, str]):
    """Replacements of characters, each computed once; pure, as they depend on the given function alone."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, code: int) -> str:
        changed = self[code] = self._change(chr(code))
        return changed


def script_of(character: str) -> str:
    """Script of a letter or mark by its Unicode name, as LATIN; empty for a character without a name."""
    return unicodedata.name(character, "").partition(" ")[0]


_DIGITS = CharacterTable(lambda character: str(unicodedata.decimal(character, character)))


def latin_digits(text: str) -> str:
    """Write the decimal digits of all scripts as 0 to 9.

    >>> latin_digits("٢٠٢٤, १२")
    '2024, 12'
    """
    return text if text.isascii() else text.translate(_DIGITS)


_FORMS = re.compile("[\u3000\uff01-\uffee]+")


def narrow_full_width(text: str) -> str:
    """Write full-width letters, digits and signs in ASCII, the ideographic space as space, half-width kana as usual.

    >>> narrow_full_width("ＡＢＣ　１２３！ ｶﾞ")
    'ABC 123! ガ'
    """
    return text if text.isascii() else _FORMS.sub(lambda match: nfkc(match[0]), text)
