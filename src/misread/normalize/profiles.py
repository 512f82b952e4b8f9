"""Profiles: normalizers with names, as lists of steps.

This is their one source; `misread list normalizers` prints them, and a configuration names one or lists its own steps.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_UNICODE: Final = ("remove_invisible", "nfc")
_MARKS: Final = ("straighten_quotes", "unify_dashes", "expand_ellipses")

PROFILES: Final[Mapping[str, Sequence[str | Mapping[str, Any]]]] = {
    "none": (),
    "whitespace": ("collapse_whitespace",),
    # Unicode's default rules, which are wrong for Turkish and Azerbaijani; `turkish` has theirs.
    "lower": ("collapse_whitespace", "lower_case"),
    # As NIST's sclite does without -s: letters beyond A to Z keep their case.
    "lower_ascii": ("collapse_whitespace", "lower_ascii"),
    "unfenced": ("unwrap_code_fence",),
    # Historical print: what a transcriber may write in one way or another, and no more; case and punctuation stay.
    "ocr": (
        # A soft hyphen divides a word at the end of a line; elsewhere it is removed with all that has no shape.
        "nfc",
        "rejoin_hyphens",
        *_UNICODE,
        "expand_ligatures",
        "replace_letter_forms",
        "replace_long_s",
        *_MARKS,
        "rejoin_hyphens",
        "nfc",
        "collapse_whitespace",
    ),
    # Every script: letters, their marks and digits stay, so that no word is divided at a vowel sign.
    "basic": (
        *_UNICODE,
        "straighten_quotes",
        "nfkc",
        "fold_case",
        {"step": "remove_bracketed", "brackets": ("[]", "<>", "()")},
        {"step": "remove_punctuation", "categories": ("P", "S"), "by": " "},
        "nfkc",
        "collapse_whitespace",
        "join_unspaced",
    ),
    # As strict as the English normalizer of Whisper (Radford et al. 2022, appendix C).
    "english": (
        *_UNICODE,
        "straighten_quotes",
        "nfkc",
        "unify_dashes",
        "fold_case",
        {"step": "remove_bracketed", "brackets": ("[]", "<>", "()")},
        {"step": "remove_diacritics", "scripts": ("latin",)},
        "replace_special_letters",
        "expand_english_contractions",
        {"step": "remove_punctuation", "categories": ("P", "S"), "keep": ".,%$¢€£+-", "by": " "},
        {"step": "remove_fillers", "language": "en"},
        "expand_english_titles",
        "read_english_numbers",
        "spell_american",
        "collapse_whitespace",
    ),
    # Turkish as it is spoken: numbers, times, dates, units and signs in words.
    "turkish": (
        *_UNICODE,
        "straighten_quotes",
        "unify_dashes",
        "read_turkish_romans",
        "spell_turkish_dates",
        "spell_turkish_times",
        "spell_turkish_dimensions",
        "spell_turkish_measures",
        "spell_turkish_ordinals",
        "spell_turkish_numbers",
        "remove_turkish_hats",
        {"step": "fold_case", "language": "tr"},
        "join_suffixes",
        # A sign of money without a name stays.
        {"step": "remove_punctuation", "categories": ("P", "Sm", "Sk", "So"), "by": " "},
        "nfc",
        "collapse_whitespace",
    ),
    "chinese": (
        *_UNICODE,
        "nfkc",
        "unify_chinese_variants",
        "fold_case",
        {"step": "remove_punctuation", "categories": ("P", "S"), "by": " "},
        "nfkc",
        "collapse_whitespace",
        "join_unspaced",
    ),
    "arabic": (
        "remove_invisible",
        "nfkc",
        "remove_arabic_marks",
        "unify_arabic_letters",
        "latin_digits",
        "fold_case",
        {"step": "remove_punctuation", "categories": ("P", "S"), "by": " "},
        "nfkc",
        "collapse_whitespace",
    ),
    # Answers of language models that are transcriptions: without their frames and what the outputs of a system share.
    "answer": ("keep_answer", "remove_shared", "collapse_whitespace"),
    # Answers of language models that are JSON: without the prose and the fence around them, without a mark of order.
    "structured": ("remove_invisible", "unwrap_code_fence", "extract_json", "nfc"),
    # What NIST's scoring does before the rules of a .glm file, which SCTK's csrfilt applies.
    "nist": (
        *_UNICODE,
        "fold_case",
        {"step": "remove_bracketed", "brackets": ("[]", "<>")},
        {"step": "remove_punctuation", "categories": ("P",), "keep_in_words": "'-", "by": " "},
        "nfc",
        "collapse_whitespace",
    ),
}
"""Steps of every profile by its name."""
