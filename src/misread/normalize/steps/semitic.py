"""Steps on Arabic and Hebrew."""

import re

_ARABIC_MARKS = re.compile(
    "[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff]+"
)
_HEBREW_MARKS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+")
_ALEF = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك"})


def remove_arabic_marks(text: str) -> str:
    """Remove vowel marks, marks of recitation and the lengthening stroke (tatweel) of Arabic.

    >>> remove_arabic_marks("مُحَمَّـد")
    'محمد'
    """
    return _ARABIC_MARKS.sub("", text).replace("\u0640", "") if not text.isascii() else text


def unify_arabic_letters(text: str, *, final_heh: bool = False) -> str:
    """Write alef with hamza or madda as alef, final yeh and Persian kaf and yeh as the Arabic ones.

    With `final_heh`, teh marbuta becomes heh, which many people write for it.

    >>> unify_arabic_letters("أحمد إلى")
    'احمد الي'
    """
    text = text.translate(_ALEF)
    return text.replace("ة", "ه") if final_heh else text


def remove_hebrew_marks(text: str) -> str:
    """Remove points and accents of Hebrew.

    >>> remove_hebrew_marks("שָׁלוֹם")
    'שלום'
    """
    return text if text.isascii() else _HEBREW_MARKS.sub("", text)
