"""Steps on letters of Arabic and Hebrew, and on Chinese characters."""

import re
import unicodedata
from functools import cache
from typing import Any, Final

from misread.errors import MissingDependencyError

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


# Compatibility ideographs, radicals, and the supplement.
_COMPATIBLE: Final = re.compile("[\u2e80-\u2fd5\uf900-\ufad9\U0002f800-\U0002fa1d]")
# Shapes of one character that Unicode encodes apart, though no language tells them apart (Unihan, kZVariant).
_VARIANTS: Final = str.maketrans(
    "裡峯羣牀綫衆鷄啓强吴兎説産為僞温録緑",
    "裏峰群床線眾雞啟強吳兔說產爲偽溫錄綠",
)


def unify_chinese_variants(text: str) -> str:
    """Write variants of Chinese characters as one: compatibility ideographs, radicals, and common shape variants.

    >>> unify_chinese_variants("羣⼭")
    '群山'
    """
    if text.isascii():
        return text
    return _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text).translate(_VARIANTS)


def simplify_chinese(text: str) -> str:
    """Write traditional characters as simplified ones, by the package OpenCC.

    >>> simplify_chinese("漢語拼音")
    '汉语拼音'
    """
    return str(_converter().convert(text)) if not text.isascii() else text


@cache
def _converter() -> Any:
    try:
        import opencc
    except ImportError:
        raise MissingDependencyError("simplified Chinese needs opencc: pip install 'misread[normalize]'.") from None
    return opencc.OpenCC("t2s")
