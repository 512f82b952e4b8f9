"""Steps on contracted forms and titles of English."""

import re
from typing import Final

# Whole words, in lower case.
CONTRACTIONS: Final = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "let's": "let us",
    "ain't": "aint",
    "shan't": "shall not",
    "y'all": "you all",
    "wanna": "want to",
    "kinda": "kind of",
    "sorta": "sort of",
    "dunno": "do not know",
    "gotta": "got to",
    "gonna": "going to",
    "i'ma": "i am going to",
    "imma": "i am going to",
    "woulda": "would have",
    "coulda": "could have",
    "shoulda": "should have",
    "'cause": "because",
    "'til": "until",
    "ma'am": "madam",
    "lemme": "let me",
    "gimme": "give me",
    "'em": "them",
    "'tis": "it is",
    "'twas": "it was",
}
"""Contracted words."""

ENDINGS: Final = {
    "n't": " not",
    "'re": " are",
    "'s": " is",
    "'d": " would",
    "'ll": " will",
    "'t": " not",
    "'ve": " have",
    "'m": " am",
}
"""Contracted endings; that of the genitive is written as that of "is", with which it is spelled."""

# After these endings a participle follows, so that 's and 'd are forms of "have".
_PARTICIPLES: Final = {"been": ("'s", "'d"), "gone": ("'s", "'d"), "done": ("'d",), "got": ("'s",)}

TITLES: Final = {
    "mr": "mister",
    "mrs": "missus",
    "dr": "doctor",
    "prof": "professor",
    "capt": "captain",
    "gov": "governor",
    "ald": "alderman",
    "gen": "general",
    "sen": "senator",
    "rep": "representative",
    "pres": "president",
    "rev": "reverend",
    "hon": "honorable",
    "asst": "assistant",
    "assoc": "associate",
    "lt": "lieutenant",
    "col": "colonel",
    "jr": "junior",
    "sr": "senior",
    "esq": "esquire",
}
"""Titles before and behind names."""

_WORDS: Final = re.compile(rf"(?<![^\W\d])(?:{'|'.join(map(re.escape, CONTRACTIONS))})(?![^\W\d])")
_ENDINGS: Final = re.compile(rf"(?<=\w)(?:{'|'.join(map(re.escape, ENDINGS))})(?!\w)(?=(?: +(\w+))?)")
_TITLES: Final = re.compile(rf"(?<![^\W\d]|')({'|'.join(TITLES)})(?![^\W\d])\.?(?!')")
_LOOSE_APOSTROPHE: Final = re.compile(r"(?<=\w) {1,3}'(?=(?:s|d|m|t|re|ve|ll)\b)")
# "21st st" is a street, "st john" a saint; the point of an abbreviation does not end a sentence.
_SAINT: Final = re.compile(
    r"(?P<before>\b[0-9]{1,4}(?:st|nd|rd|th) )?(?<![\w'])st(?![^\W\d]|')\.?(?= (?P<next>[^\W\d_]+))?"
)
_NOT_NAMES: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "between",
        "but",
        "by",
        "corner",
        "for",
        "from",
        "had",
        "has",
        "in",
        "is",
        "near",
        "of",
        "off",
        "on",
        "or",
        "the",
        "then",
        "to",
        "was",
        "were",
        "with",
    ]
)


def expand_english_contractions(text: str) -> str:
    """Write contracted forms of lower-case English in full, whatever they mean: 's is always "is".

    >>> expand_english_contractions("i can't, she's been, o'neill's")
    "i can not, she has been, o'neill is"
    """
    if "'" in text:
        text = _LOOSE_APOSTROPHE.sub("'", text)
    text = _WORDS.sub(lambda match: CONTRACTIONS[match[0]], text)
    return _ENDINGS.sub(_ending, text) if "'" in text else text


def expand_english_titles(text: str) -> str:
    """Write titles of lower-case English in full; "st" is a saint before a name, and a street otherwise.

    >>> expand_english_titles("mr. park, assoc. prof. kim jr., st. john on 21st st.")
    'mister park, associate professor kim junior, saint john on 21st street'
    """
    text = _TITLES.sub(lambda match: TITLES[match[1]], text)
    return _SAINT.sub(_saint, text) if "st" in text else text


def _ending(match: re.Match[str]) -> str:
    if match[0] in _PARTICIPLES.get(match[1] or "", ()):
        return " has" if match[0] == "'s" else " had"
    return ENDINGS[match[0]]


def _saint(match: re.Match[str]) -> str:
    is_saint = match["next"] is not None and match["next"] not in _NOT_NAMES and not match["before"]
    return f"{match['before'] or ''}{'saint' if is_saint else 'street'}"
