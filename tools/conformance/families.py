"""Cases that follow from a list: separators of words, Unicode forms, grapheme clusters, letters in two cases."""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from conformance.runners.serve import WHITE_SPACE

from tools.conformance.completion import CASES, complete, write_cases

_PROPERTY: Final = "Unicode Character Database, PropList.txt, White_Space"
_NO_WHITE_SPACE: Final = "\x1c\x1d\x1e\x1f\xad\u180e\u200b\u200c\u200d\u2060\ufeff"
_FORMS: Final = {
    "German": "Mu\u0308ll",
    "French": "e\u0301te\u0301",
    "Spanish": "an\u0303o",
    "Swedish": "A\u030angstro\u0308m",
    "Czech": "r\u030cec\u030c",
    "Turkish": "I\u0307pek",
    "Vietnamese": "tie\u0302\u0301ng",
    "Russian": "и\u0306од",
    "Greek": "α\u0301λφα",
    "Japanese": "か\u3099くせい",
    "Korean": "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "Arabic": "ا\u0653خر",
}
"""Words in decomposed form; composed they have fewer code points and the same graphemes."""
_EXCLUDED: Final = {"Devanagari": "\u0958लम", "Hebrew": "\ufb2aלום", "Gurmukhi": "\u0a59ਤ"}
"""Letters that composition takes apart, too: NFC has no form of one code point for them."""
_CLUSTERS: Final = {
    "a letter with two marks": "e\u0323\u0302",
    "CR and LF": "\r\n",
    "a Korean syllable of three letters": "\u1112\u1161\u11ab",
    "a Tamil letter with its vowel sign": "நி",
    "a Thai letter with a mark above": "กิ",
    "a Devanagari letter with its vowel sign": "कि",
    "a Malayalam letter with its virama": "ക്",
    "a Hebrew letter with two points": "שּׁ",
    "an Arabic letter with its vowel mark": "بَ",
    "a flag of two indicators": "🇩🇪",
    "a thumb with a skin tone": "👍🏽",
    "a family joined by zero-width joiners": "👩\u200d👩\u200d👧",
    "a profession joined by a zero-width joiner": "🧑\u200d🚀",
    "a keycap": "1\ufe0f\u20e3",
    "a heart with a variation selector": "❤\ufe0f",
    "a flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a letter with many marks": "z\u0300\u0301\u0302\u0303",
    "a circled digit in an enclosing keycap": "①\u20dd",
}
_CASES: Final = {
    "German": ("Größe", "GRÖSSE"),
    "Greek with a final sigma": ("λόγος", "ΛΌΓΟΣ"),
    "Turkish with a dot": ("İzmir", "izmir"),
    "Turkish without a dot": ("Iğdır", "ığdır"),
    "Dutch": ("ĳs", "Ĳs"),
    "Croatian": ("ǆep", "ǅep"),
    "Armenian": ("և", "ԵՒ"),
    "Cherokee": ("ꭰ", "Ꭰ"),
    "Georgian": ("ა", "Ა"),
    "Deseret": ("𐐨", "𐐀"),
    "a ligature": ("ﬀ", "FF"),
    "the Kelvin sign": ("k", "\u212a"),
}
"""Words in two cases; which of the two rules makes them equal differs."""


def _case(name: str, phenomenon: str, texts: tuple[str, str], reason: str, source: str, **rule: Any) -> dict[str, Any]:
    reference, hypothesis = texts
    return {
        "id": name,
        "phenomenon": phenomenon,
        "references": [reference],
        "hypotheses": [hypothesis],
        "rule": rule,
        "reason": reason,
        "source": [source],
    }


def separators() -> Iterator[dict[str, Any]]:
    """Every character of the property White_Space divides words; characters that look like it do not."""
    for sign in WHITE_SPACE:
        code = f"U+{ord(sign):04X}"
        yield _case(
            f"separator-{code[2:].lower()}",
            "Each of the 25 characters of White_Space between words",
            (f"ein{sign}Wort", "ein Wort"),
            f"{code} {unicodedata.name(sign, 'control')} has the property White_Space: two words, no error.",
            _PROPERTY,
            unit="word",
        )
    for sign in _NO_WHITE_SPACE:
        code = f"U+{ord(sign):04X}"
        yield _case(
            f"no-separator-{code[2:].lower()}",
            "Characters that are not White_Space between letters",
            (f"ein{sign}Wort", "ein Wort"),
            f"{code} {unicodedata.name(sign, 'control')} lacks the property White_Space: one word against two.",
            _PROPERTY,
            unit="word",
        )


def forms() -> Iterator[dict[str, Any]]:
    """Composed against decomposed words: as code points, as graphemes, as words, and after composing."""
    source = "Unicode Standard Annex #15"
    composing: dict[str, Any] = {"unit": "char", "normalization": ["nfc"]}
    rules: dict[str, tuple[str, str, dict[str, Any]]] = {
        "char": ("Composed and decomposed letters as code points", "The marks count as code points", {}),
        "grapheme": ("Composed and decomposed letters as graphemes", "Equivalent graphemes are equal", {}),
        "word": ("Composed and decomposed letters in words", "The words differ as code points", {}),
        "composed": ("Composed before characters are counted", "Composed, there is no difference", composing),
    }
    for language, decomposed in _FORMS.items():
        for name, (phenomenon, reason, changes) in rules.items():
            rule = {"unit": name, **changes}
            composed = unicodedata.normalize("NFC", decomposed)
            yield _case(
                f"forms-{language.lower()}-{name}",
                phenomenon,
                (composed, decomposed),
                f"{language}: {composed!r} has {len(composed)} code points, decomposed {len(decomposed)}. {reason}.",
                source,
                **rule,
            )
    for script, word in _EXCLUDED.items():
        taken_apart = unicodedata.normalize("NFD", word)
        for unit in ("char", "grapheme"):
            yield _case(
                f"excluded-{script.lower()}-{unit}",
                "Letters that have no composed form",
                (word, taken_apart),
                f"{script}: {len(word)} code points, {len(taken_apart)} in NFC and NFD. Graphemes are equal.",
                source,
                unit=unit,
            )


def clusters() -> Iterator[dict[str, Any]]:
    """Clusters of several code points, each read as one letter."""
    for number, (name, cluster) in enumerate(_CLUSTERS.items(), 1):
        for unit in ("char", "grapheme"):
            what = "one grapheme: one substitution" if unit == "grapheme" else f"{len(cluster)} code points"
            yield _case(
                f"cluster-{number:02}-{unit}",
                f"Extended grapheme clusters as {'graphemes' if unit == 'grapheme' else 'code points'}",
                (f"a{cluster}b", "axb"),
                f"{name[0].upper()}{name[1:]}, read as x, is {what}.",
                "Unicode Standard Annex #29",
                unit=unit,
            )


def letters_in_two_cases() -> Iterator[dict[str, Any]]:
    """Words in two cases under the two rules that fold case."""
    for name, texts in _CASES.items():
        for step in ("lower", "casefold"):
            equal = len({getattr(text, step)() for text in texts}) == 1
            yield _case(
                f"{step}-{name.lower().replace(' ', '-')}",
                f"Words in two cases after {'lower-casing' if step == 'lower' else 'full case folding'}",
                texts,
                f"{name}: {texts[0]} and {texts[1]} are {'equal' if equal else 'different'} then.",
                "Unicode Standard, section 3.13",
                unit="word",
                normalization=[step],
            )


FAMILIES: Final = {
    "white space": ("separators", separators),
    "Unicode forms": ("unicode_forms", forms),
    "graphemes": ("grapheme_clusters", clusters),
    "case": ("letters_in_two_cases", letters_in_two_cases),
}
"""By subject: the name of the file, and the cases."""


def write_families() -> None:
    """Write the files of all families."""
    for subject, (name, cases) in FAMILIES.items():
        write_cases(CASES / f"{name}.json", subject, [complete(case) for case in cases()])
