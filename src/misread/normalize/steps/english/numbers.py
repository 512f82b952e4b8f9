"""Step that writes the number words of English in digits."""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from misread.normalize.steps.characters import CharacterTable

_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS: Final = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES: Final = ("thousand", "million", "billion", "trillion", "quadrillion", "quintillion")

_SMALL: Final = {
    **{word: value for value, word in enumerate(_UNITS, start=1)},
    **{word: value for value, word in enumerate(_TEENS, start=10)},
    **{word: value * 10 for value, word in enumerate(_TENS, start=2)},
    "zero": 0,
}
_MULTIPLIERS: Final = {"hundred": 100, **{word: 1000**power for power, word in enumerate(_SCALES, start=1)}}
_SPOKEN_ZERO: Final = frozenset(("o", "oh"))
_REPEATS: Final = {"double": 2, "triple": 3}


def _endings() -> dict[str, tuple[str, str]]:
    """Ordinals and plurals: their cardinal, and the ending of its digits."""
    irregular = {"first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight"}
    irregular |= {"ninth": "nine", "twelfth": "twelve", "zeroth": "zero"}
    endings = {
        ordinal: (word, {"one": "st", "two": "nd", "three": "rd"}.get(word, "th"))
        for ordinal, word in irregular.items()
    }
    for word in (*_SMALL, *_MULTIPLIERS):
        stem = f"{word[:-1]}ie" if word.endswith("y") else word
        if word not in irregular.values():
            endings[f"{stem}th"] = (word, "th")
        endings[f"{stem}es" if word == "six" else f"{stem}s"] = (word, "s")
    return endings


_ENDINGS: Final = _endings()
_SIGNS: Final = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
_CURRENCIES: Final = {
    "dollar": "$",
    "dollars": "$",
    "pound": "£",
    "pounds": "£",
    "euro": "€",
    "euros": "€",
    "cent": "¢",
    "cents": "¢",
}
_BEGINNINGS: Final = frozenset((*_SMALL, *_MULTIPLIERS, *_ENDINGS, *_SIGNS, *_REPEATS))
_NUMERAL: Final = re.compile(r"([-+]?)([$€£¢]?)([0-9]+(?:\.[0-9]+)?)(%|st|nd|rd|th|s)?")
# Without these next to it, a number that was written is not read with other words.
_UNSETTLED: Final = _BEGINNINGS | {*_CURRENCIES, "point", "and", "per", "percent", "s", "st", "nd", "rd", "th"}
_NUMERIC: Final = re.compile(r"[0-9$€£¢%.+-]")
_COMMA: Final = re.compile(r"(?<=[0-9]),(?=[0-9])")
_LETTER_DIGIT: Final = re.compile(r"(?<=[^\W\d_])(?=[0-9])|(?<=[0-9])(?=[^\W\d_])")
_LOOSE_ENDING: Final = re.compile(r"(?<=[0-9]) +(?=(?:st|nd|rd|th|s)\b)")
_CENTS: Final = re.compile(r"([$€£])([0-9]+) (?:and )?¢([0-9]{1,2})(?![\w.])")
_ONLY_CENTS: Final = re.compile(r"[$€£]0\.([0-9]{1,2})(?![\w.])")
_LOOSE_SIGN: Final = re.compile(r"[-+](?![$€£¢]?[0-9])|(?<=[\w%])[-+]|[$€£¢](?![0-9])|(?<![0-9])[%.]|\.(?![0-9])")
_MOST_READINGS: Final = 8
_KEPT: Final = frozenset(".%$€£¢+-")
_SYMBOLS: Final = CharacterTable(
    lambda character: " " if character not in _KEPT and unicodedata.category(character)[0] in "PS" else character
)


def read_english_numbers(text: str) -> str:
    """Write number words of lower-case English in digits, with signs of currencies, % and endings of ordinals.

    All other punctuation becomes a space. Digits that are said one by one, and years, are joined; "o" and "oh" are zero
    only behind another digit, so that names and exclamations stay.

    >>> read_english_numbers("one oh one of two point five million dollars, may twenty first nineteen ninety nine")
    '101 of $2500000 may 21st 1999'
    """
    text = _COMMA.sub("", text).translate(_SYMBOLS)
    words = text.split()
    if _BEGINNINGS.isdisjoint(words) and not _NUMERIC.search(text):
        return " ".join(words)
    # What a number becomes may be read together with the words next to it, as in "thousand point three".
    for _ in range(_MOST_READINGS):
        before, text = text, _read_once(text)
        if text == before or _UNSETTLED.isdisjoint(text.split()):
            break
    return text


def _read_once(text: str) -> str:
    if _NUMERIC.search(text):
        text = _LOOSE_SIGN.sub(" ", _LOOSE_ENDING.sub("", _LETTER_DIGIT.sub(" ", text)))
    text = " ".join(_Reader(text.split()).read())
    text = _ONLY_CENTS.sub(lambda match: f"¢{int(match[1].ljust(2, '0'))}", text)
    text = _CENTS.sub(lambda match: f"{match[1]}{match[2]}.{int(match[3]):02d}", text)
    return _LOOSE_ENDING.sub("", " ".join(_LOOSE_SIGN.sub(" ", text).split()))


@dataclass
class _Number:
    """A number as it is read: digits and the signs around them."""

    digits: str
    ending: str = ""
    sign: str = ""
    currency: str = ""

    def __str__(self) -> str:
        return f"{self.sign}{self.currency}{self.digits}{self.ending}"


class _Reader:
    """Words of a text, read from left to right."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    def read(self) -> list[str]:
        written: list[str] = []
        while self._at < len(self._words):
            word = self._words[self._at]
            if word not in _BEGINNINGS and word.isalpha():
                written.append(word)
                self._at += 1
                continue
            sign = _SIGNS.get(word, "")
            self._at += bool(sign)
            number = self._number()
            if number is None:
                written.append(word)
                self._at += not sign
                continue
            number.sign = number.sign or sign
            self._add_unit(number)
            written.append(str(number))
        return written

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else ""

    def _number(self) -> _Number | None:
        """The number that begins here, without its currency; None where there is none."""
        numeral = _NUMERAL.fullmatch(self._peek())
        if numeral:
            self._at += 1
            number = _Number(numeral[3], numeral[4] or "", numeral[1], numeral[2])
            if not number.ending:
                self._scale(number)
            return number
        return self._spoken()

    def _spoken(self) -> _Number | None:
        number = self._pieces()
        if number is not None and not number.ending:
            self._scale(number)
        return number

    def _pieces(self) -> _Number | None:
        """Cardinals side by side, as in "nineteen ninety nine" and "nine one one", joined."""
        digits, ending, scaled = "", "", False
        while not ending:
            piece = self._cardinal(zero=bool(digits)) if not scaled else None
            if piece is None:
                break
            text, ending, scaled = piece
            digits += text
        return _Number(digits, ending) if digits else None

    def _cardinal(self, *, zero: bool) -> tuple[str, str, bool] | None:
        """One number with hundreds and thousands: its digits, its ending, and whether it had such."""
        repeats = _REPEATS.get(self._peek())
        if repeats:
            digit = self._digit(self._peek(1))
            if digit is None:
                return None
            self._at += 2
            return digit * repeats, "", False
        if zero and self._peek() in _SPOKEN_ZERO and (self._digit(self._peek(1)) is not None or self._is_piece(1)):
            self._at += 1
            return "0", "", False
        total, begun, ending, scaled = 0, False, "", False
        least = 10**30
        while not ending:
            start = self._at
            if begun and self._peek() == "and" and self._is_piece(1):
                self._at += 1
            part = self._below_hundred()
            if part is None and not begun and self._base(self._peek()) in _MULTIPLIERS:
                part = (1, "")
            if part is None:
                self._at = start
                break
            value, ending = part
            if not ending and self._base(self._peek()) == "hundred":
                value, ending, scaled = value * 100, self._take_ending(), True
                if not ending:
                    rest = self._rest_of_hundred()
                    value, ending = value + rest[0], rest[1]
            factor = _MULTIPLIERS.get(self._base(self._peek()), 1) if not ending else 1
            if begun and (value * factor >= least or value == 0):
                self._at = start
                ending = ""
                break
            if factor > 1:
                ending, scaled, least = self._take_ending(), True, factor
            total, begun = total + value * factor, True
            if factor == 1:
                break
        return (str(total), ending, scaled) if begun else None

    def _rest_of_hundred(self) -> tuple[int, str]:
        start = self._at
        if self._peek() == "and" and self._base(self._peek(1)) in _SMALL:
            self._at += 1
        rest = self._below_hundred()
        if rest is None or rest[0] == 0:
            self._at = start
            return 0, ""
        return rest

    def _below_hundred(self) -> tuple[int, str] | None:
        """Tens and ones."""
        base = self._base(self._peek())
        if base not in _SMALL:
            return None
        value, ending = _SMALL[base], self._take_ending()
        if value >= 20 and not ending:
            following = _SMALL.get(self._base(self._peek()), 0)
            if 0 < following < 10:
                return value + following, self._take_ending()
        return value, ending

    def _scale(self, number: _Number) -> None:
        """Take decimals, "and a half", and a scale behind them."""
        if self._peek() == "point" and "." not in number.digits and not number.currency:
            self._decimals(number)
        elif self._peek() == "and" and (self._peek(1), self._peek(2)) == ("a", "half") and "." not in number.digits:
            self._at += 3
            number.digits += ".5"
        factor = _MULTIPLIERS.get(self._base(self._peek()))
        if factor is None or number.ending:
            return
        scaled = Fraction(number.digits) * factor
        if scaled.denominator == 1:
            number.ending = self._take_ending()
            number.digits = str(scaled.numerator)
            if not number.ending:
                self._rest_of_scale(number, factor)

    def _rest_of_scale(self, number: _Number, factor: int) -> None:
        """Add what follows a scale behind digits, as in "3 thousand two hundred"."""
        start = self._at
        if self._peek() == "and" and self._is_piece(1):
            self._at += 1
        rest = self._cardinal(zero=False)
        if rest is None or int(rest[0]) >= factor or int(rest[0]) == 0 or int(number.digits) % factor:
            self._at = start
            return
        number.digits, number.ending = str(int(number.digits) + int(rest[0])), rest[1]

    def _decimals(self, number: _Number) -> None:
        start = self._at
        self._at += 1
        numeral = self._peek()
        if numeral.isascii() and numeral.isdigit():
            self._at += 1
            number.digits += f".{numeral}"
            return
        digits = ""
        while True:
            if digits and self._peek() in _SPOKEN_ZERO:
                self._at += 1
                digits += "0"
                continue
            repeats = _REPEATS.get(self._peek())
            if repeats and (digit := self._digit(self._peek(1))) is not None:
                self._at += 2
                digits += digit * repeats
                continue
            if self._peek() not in _SMALL:
                break
            part = self._below_hundred()
            if part is None:
                break
            digits += str(part[0])
            if part[1]:
                number.ending = part[1]
                break
        if digits:
            number.digits += f".{digits}"
        elif self._peek() in _SPOKEN_ZERO:
            self._at += 1
            number.digits += ".0"
        else:
            self._at = start

    def _add_unit(self, number: _Number) -> None:
        """Take a currency or per cent behind a number."""
        if number.ending or number.currency:
            return
        if self._peek() in _CURRENCIES:
            number.currency = _CURRENCIES[self._peek()]
            self._at += 1
        elif self._peek() == "percent":
            number.ending = "%"
            self._at += 1
        elif (self._peek(), self._peek(1)) == ("per", "cent"):
            number.ending = "%"
            self._at += 2

    def _is_piece(self, ahead: int) -> bool:
        return self._base(self._peek(ahead)) in _SMALL or self._peek(ahead) in _REPEATS

    @staticmethod
    def _digit(word: str) -> str | None:
        if word in _SPOKEN_ZERO:
            return "0"
        value = _SMALL.get(word)
        return str(value) if value is not None and value < 10 else None

    @staticmethod
    def _base(word: str) -> str:
        return _ENDINGS[word][0] if word in _ENDINGS else word

    def _take_ending(self) -> str:
        word = self._peek()
        self._at += 1
        return _ENDINGS[word][1] if word in _ENDINGS else ""
