"""Steps on Chinese characters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any, Final

from misread.errors import MissingDependencyError

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
    return _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text).translate(_VARIANTS)


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
