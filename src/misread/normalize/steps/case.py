"""Steps on upper and lower case."""

from string import ascii_lowercase, ascii_uppercase

from misread.io.checks.choices import check_choice

# Languages that tell a dotted i from a dotless one in both cases.
# A dot above an I of its own is the dot of i.
_DOTLESS = (("I\u0307", "i"), ("I", "ı"), ("İ", "i"))
_PAIRS = {"": (), "az": _DOTLESS, "tr": _DOTLESS}
_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)


def lower_case(text: str) -> str:
    """Map to lower case by the Unicode rules that hold for all languages (not right for Turkish I).

    >>> lower_case("ÉTÉ")
    'été'
    """
    return text.lower()


def lower_ascii(text: str) -> str:
    """Map A to Z to lower case and leave all other letters as they are, as NIST's sclite does.

    >>> lower_ascii("ÉTÉ")
    'ÉtÉ'
    """
    return text.translate(_ASCII)


def fold_case(text: str, *, language: str = "") -> str:
    """Fold case by the rules of a language, or by Unicode's full case folding (ß becomes ss, final sigma sigma).

    Turkish and Azerbaijani have i without and with a dot in both cases: I becomes ı, and İ i. Unicode, CaseFolding.txt,
    status T.

    >>> fold_case("ISPARTA İZMİR", language="tr")
    'ısparta izmir'
    >>> fold_case("STRASSE") == fold_case("Straße")
    True
    """
    check_choice("language of case folding", language, _PAIRS)
    for upper, lower in _PAIRS[language]:
        text = text.replace(upper, lower)
    return text.casefold()
