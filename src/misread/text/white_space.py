"""The characters that are white space: those of the Unicode property White_Space, everywhere in misread."""

from typing import Final

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""All 25 characters. `str.split` also splits at U+001C to U+001F, which do not have the property.

References
----------
Unicode Character Database, PropList.txt, White_Space.
"""
