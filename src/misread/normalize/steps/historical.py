"""Steps on characters of historical print and manuscripts."""

from typing import Final

# Unicode's own, and those that the Medieval Unicode Font Initiative (MUFI 4.0) and eMOP have in the private use area.
LIGATURES: Final = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "\u017ft",
    "\ufb06": "st",
    "\u0132": "IJ",
    "\u0133": "ij",
    "\ua732": "AA",
    "\ua733": "aa",
    "\ua734": "AO",
    "\ua735": "ao",
    "\ua736": "AU",
    "\ua737": "au",
    "\ua738": "AV",
    "\ua739": "av",
    "\ua73c": "AY",
    "\ua73d": "ay",
    "\ua74e": "OO",
    "\ua74f": "oo",
    "\ueada": "\u017ft",
    "\ueba2": "\u017fi",
    "\ueba3": "\u017fl",
    "\ueba5": "\u017fp",
    "\ueba6": "\u017f\u017f",
    "\ueba7": "\u017f\u017fi",
    "\ueec4": "ck",
    "\ueec5": "ct",
    "\ueedc": "tz",
    "\uf4f9": "ll",
    "\uf502": "ch",
    "\uf532": "as",
    "\uf533": "is",
    "\uf534": "us",
    "\uf535": "Qu",
}

# Letter forms, and letters with an e or o above as one character.
LETTER_FORMS: Final = {
    "\ua75a": "R",
    "\ua75b": "r",
    "\ue42c": "\u00e4",
    "\ue644": "\u00f6",
    "\ue72b": "\u00fc",
    "\uf50e": "q\u0301",
    "\u1e9c": "\u017f",
    "\u1e9d": "\u017f",
    "\u2e17": "-",
    "\u2e40": "-",
    "\u204a": "&",
}

_LIGATURE_TABLE = str.maketrans(LIGATURES)
_FORM_TABLE = str.maketrans(LETTER_FORMS)
_UMLAUTS = {f"{letter}\u0364": umlaut for letter, umlaut in zip("aouAOU", "äöüÄÖÜ", strict=True)}


def expand_ligatures(text: str) -> str:
    """Write ligatures as their letters: those of print and those of MUFI; not æ and œ, which are letters.

    >>> expand_ligatures("ﬃ")
    'ffi'
    """
    return text if text.isascii() else text.translate(_LIGATURE_TABLE)


def replace_long_s(text: str) -> str:
    """Write the long s as s.

    >>> replace_long_s("Waſſer")
    'Wasser'
    """
    return text.replace("ſ", "s").replace("\ufb05", "st")


def replace_letter_forms(text: str) -> str:
    """Write forms of letters as the letters of today: r rotunda, double hyphen, Tironian et, a small e above a vowel.

    MUFI character recommendation, version 4.0.

    >>> replace_letter_forms("Vꝛſach\u2e17 Bu\u0364cher")
    'Vrſach- Bücher'
    """
    if text.isascii():
        return text
    for decomposed, umlaut in _UMLAUTS.items():
        text = text.replace(decomposed, umlaut)
    return text.translate(_FORM_TABLE)
