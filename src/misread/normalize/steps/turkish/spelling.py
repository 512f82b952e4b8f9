"""Steps that write what Turkish readers say for numbers, ordinals, times, dates, units and symbols."""

import re
from typing import Final

from misread.alignment.encode.inputs import check_text
from misread.normalize.steps.turkish.number_words import (
    BACK,
    MOST_DIGITS,
    VOWELS,
    digit_words,
    fraction_words,
    number_words,
    ordinal_words,
)
from misread.normalize.steps.turkish.suffixes import add_suffix, is_suffix_of, voiced
from misread.normalize.steps.turkish.tables import (
    BEFORE,
    CURRENCIES,
    LETTERS_OF_CLASSES,
    MONTHS,
    NOT_DIVIDED,
    SIGNS,
    UNITS,
)

_DIGIT: Final = re.compile(r"[0-9]")
# Thousands are groups of three behind points; a comma begins the decimals.
_NUMBER: Final = r"(?:[0-9]{1,3}(?:\.[0-9]{3})+(?![0-9])|[0-9]+)(?:,[0-9]+)?"
_SUFFIX: Final = r"(?:'(?P<suffix>[^\W\d_]{1,10}))?"
_ORDINAL_ENDING: Final = r"'?[ıiuü]?nc[ıiuü]"

_NUMBERS: Final = re.compile(
    rf"(?:(?<![^\s(\[\"'])(?P<minus>-)(?=[0-9]))?(?P<number>{_NUMBER})"
    r"(?:'(?=(?P<next>[^\W\d_]))|(?P<letters>[a-zçğıöşü]{1,10})(?!\w))?"
)
_ORDINALS: Final = re.compile(
    rf"(?<![0-9.,])(?P<number>[0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]+)(?:{_ORDINAL_ENDING}(?P<more>[^\W\d_]*)"
    r"|(?P<dot>\.)(?=,? +[a-zçğıöşüâîû]|,? +[0-9]+\.[ ,]|, ?[0-9]))"
)
# At, to and from an hour.
_WHEN: Final = r"y?[ae]|[dt][ae](?:n|ki)?"
_TIMES: Final = re.compile(
    r"(?<![0-9.,:])(?:(?P<said>[Ss]aati?(?:nde)? +))?(?P<hour>[01]?[0-9]|2[0-4])(?P<mark>[:.])(?P<minute>[0-5][0-9])"
    rf"(?::(?P<second>[0-5][0-9]))?(?![0-9:]|[.,][0-9])"
    rf"(?:'(?P<suffix>[^\W\d_]{{1,10}})|(?P<joined>{_WHEN})(?!\w))?"
)
_LEADING_ZEROS: Final = re.compile(r"(?<=[Ss]aat )0(?=[1-9](?![0-9]|[.,:/][0-9]))")
_DATES: Final = re.compile(
    r"(?<![0-9.,/-])(?P<day>0?[1-9]|[12][0-9]|3[01])(?P<mark>[./-])(?P<month>0?[1-9]|1[0-2])(?P=mark)"
    r"(?P<year>[12][0-9]{3})(?![0-9]|[./-][0-9])"
)
_DIMENSIONS: Final = re.compile(rf"(?<=[0-9])(?P<unit> ?(?:[mck]?m|km))? ?[x×*] ?(?={_NUMBER})", re.IGNORECASE)
_CURRENCY: Final = "|".join(map(re.escape, sorted(CURRENCIES, key=len, reverse=True)))
_BEFORE: Final = "|".join(map(re.escape, BEFORE))
_UNIT: Final = "|".join(map(re.escape, sorted(UNITS, key=len, reverse=True)))
_SCALES: Final = "bin|milyon|milyar|trilyon"
_SCALE: Final = rf"(?: {{1,3}}(?:{_SCALES})(?!\w))?"
_CURRENCY_FIRST: Final = re.compile(rf"(?<!\w)(?P<sign>{_CURRENCY}) ?(?P<number>-?{_NUMBER}{_SCALE}){_SUFFIX}")
_CURRENCY_LAST: Final = re.compile(rf"(?<=[0-9])(?P<scale>{_SCALE}) ?(?P<sign>{_CURRENCY})(?!\w){_SUFFIX}")
_SIGNS_OF_MONEY: Final = "".join(sign for sign in CURRENCIES if not sign[0].isalpha())
_CURRENCY_ALONE: Final = re.compile(rf"(?P<sign>[{re.escape(_SIGNS_OF_MONEY)}]){_SUFFIX}")
_BEFORE_FIRST: Final = re.compile(rf"(?P<sign>{_BEFORE}) ?(?=-?[0-9])")
_BEFORE_LAST: Final = re.compile(rf"(?<![\w.,])(?P<number>{_NUMBER}) ?(?P<sign>{_BEFORE})")
_UNITS: Final = re.compile(rf"(?<=[0-9])(?P<space> ?)(?P<unit>{_UNIT})(?![\w²³/°]){_SUFFIX}")
_DECIMALS: Final = re.compile(r"[0-9],[0-9]{1,15}")
_LIK: Final = re.compile("l[ıiuü]k")
_FRACTIONS: Final = re.compile(r"(?<![\w.,/])([1-9][0-9]?)/([1-9][0-9]?)(?![\w/]|[.,][0-9])")
# Letters whose names are the letter and a vowel.
_LETTERS: Final = re.compile(r"(?<=[0-9]) ?(?P<letter>[BCÇDFGHJKLMNPRSŞTVYZ])'(?P<suffix>[^\W\d_]{1,10})(?!\w)")
_FIRST_VOWEL_IS_BACK: Final = re.compile(f"[^{VOWELS}]*[{BACK}]")
# Before and behind a number with a point that is an amount and no time.
_AMOUNT_BEFORE: Final = re.compile(rf"(?:[^\W\d_]|(?<![0-9])-|(?:{_BEFORE}|{_CURRENCY}) ?)\Z")
_AMOUNT_BEHIND: Final = re.compile(
    rf" ?(?:(?:{_CURRENCY}|{_BEFORE}|{_UNIT}|{_SCALES})(?!\w)|(?:lira|dolar|avro|euro|derece|metre|kilo|puan))"
)
_BETWEEN: Final = re.compile("|".join(map(re.escape, SIGNS)))
_SIGNED: Final = re.compile(
    rf"[{re.escape(''.join({sign[0] for sign in (*CURRENCIES, *BEFORE, *SIGNS) if not sign[0].isalpha()}))}0-9]"
)

_ROMAN: Final = re.compile(
    rf"(?<![\w.'])(?P<roman>[IVXLCDM]{{1,15}})(?:(?P<dot>\.)(?= +(?P<next>\w+))|(?P<ending>{_ORDINAL_ENDING}))"
)
_VALID_ROMAN: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_INITIAL: Final = re.compile(r"(?<!\w)[A-ZÇĞİÖŞÜ]\. *\Z")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_HATTED: Final = re.compile("[âîûÂÎÛ]")
_HATS: Final = str.maketrans("âîûÂÎÛ", "aiuAİU")


def spell_turkish_numbers(text: str, *, joined: bool = False) -> str:
    """Write numbers in Turkish words, with thousands points, decimal comma, minus, and suffixes behind an apostrophe.

    Letters without an apostrophe are a suffix where they follow the number by vowel harmony (8i, 7yi), else a word.
    With `joined`, the words of one number are one word, as on cheques.

    >>> spell_turkish_numbers("Bu 42 sayısı, 15.000'den çok; 3,14")
    'Bu kırk iki sayısı, on beş binden çok; üç virgül on dört'
    >>> spell_turkish_numbers("Bu 42 sayısı", joined=True)
    'Bu kırkiki sayısı'
    """
    if not _DIGIT.search(text):
        return text
    joint = "" if joined else " "

    def spell(match: re.Match[str]) -> str:
        whole, comma, fraction = match["number"].replace(".", "").partition(",")
        words = _whole_words(whole)
        if comma:
            words = [*words, "virgül", *fraction_words(fraction)]
        if match["minus"]:
            words.insert(0, "eksi")
        letters = match["letters"] or ""
        is_word = bool(letters) and not is_suffix_of(words[-1], letters)
        words[-1] = voiced(words[-1], "" if is_word else letters or match["next"] or "")
        return _apart(match, f"{joint.join(words)}{' ' if is_word else ''}{letters}")

    return _NUMBERS.sub(spell, text)


def spell_turkish_ordinals(text: str) -> str:
    """Write ordinals in Turkish words: 3. before a lower-case word, 3'üncü, 3üncü; not the number of an item of a list.

    >>> spell_turkish_ordinals("1. sınıf, 2'nci kat, 4üncü sıra")
    'birinci sınıf, ikinci kat, dördüncü sıra'
    >>> spell_turkish_ordinals("1., 2. ve 3. sınıflar")
    'birinci, ikinci ve üçüncü sınıflar'
    >>> spell_turkish_ordinals("1. Sabah kahvaltısı")
    '1. Sabah kahvaltısı'
    """
    if not _DIGIT.search(text):
        return text

    def spell(match: re.Match[str]) -> str:
        digits = match["number"].replace(".", "")
        return _apart(match, " ".join(_ordinal(digits)) + (match["more"] or ""))

    return _ORDINALS.sub(spell, text)


def spell_turkish_times(text: str) -> str:
    """Write times of day in Turkish words; full hours have no minutes, and half past is "buçuk".

    14:30 is a time, and so is 14.30: decimals have a comma, and a point divides groups of three. With a point, an hour
    of one digit must follow "saat" or have the suffix of at, to or from; a number with a unit or money is none.

    >>> spell_turkish_times("14:30'da, saat 09.05'te, 07.00'de, saat 08")
    "on dört buçukta, saat dokuz sıfır beş'te, yedide, saat 8"
    >>> spell_turkish_times("9.30'da; 9.30; 12.30 TL")
    'dokuz buçukta; 9.30; 12.30 TL'
    """
    if not _DIGIT.search(text):
        return text

    def spell(match: re.Match[str]) -> str:
        if not _is_time(match):
            return match[0]
        hour, minute, second = int(match["hour"]), match["minute"], match["second"]
        suffix = match["suffix"] or match["joined"] or ""
        words = number_words(hour)
        if second:
            words += [word for part in (minute, second) for word in fraction_words(part)]
        elif minute == "30" and hour > 0:
            words.append("buçuk")
        elif minute != "00":
            words += fraction_words(minute)
        if not second and (minute == "00" or words[-1] == "buçuk"):
            # The suffix was written for digits that are not said.
            words[-1], suffix = add_suffix(words[-1], suffix), ""
        else:
            words[-1] = voiced(words[-1], suffix)
        spelled = _apart(match, " ".join(words) + (f"'{suffix}" if suffix else ""))
        return f"{match['said'] or ''}{spelled}"

    return _LEADING_ZEROS.sub("", _TIMES.sub(spell, text))


def spell_turkish_dates(text: str) -> str:
    """Write dates in Turkish words: 29.10.1923, 29/10/1923 and 29-10-1923.

    >>> spell_turkish_dates("29.10.1923'te")
    "yirmi dokuz ekim bin dokuz yüz yirmi üç'te"
    """
    if not _DIGIT.search(text):
        return text

    def spell(match: re.Match[str]) -> str:
        day, year = number_words(int(match["day"])), number_words(int(match["year"]))
        return _apart(match, " ".join([*day, MONTHS[int(match["month"]) - 1], *year]))

    return _DATES.sub(spell, text)


def spell_turkish_dimensions(text: str) -> str:
    """Write the sign between dimensions as "çarpı".

    >>> spell_turkish_dimensions("10x20 cm, 3 × 4 × 5")
    '10 çarpı 20 cm, 3 çarpı 4 çarpı 5'
    """
    return _DIMENSIONS.sub(lambda match: f"{match['unit'] or ''} çarpı ", text) if _DIGIT.search(text) else text


def spell_turkish_measures(text: str) -> str:
    """Write units, currencies, per cent and other signs in Turkish words; suffixes follow the word that they now end.

    A capital that may be the letter of a class or bus line (9B, 12A) is a unit behind decimals and before -lik only.

    >>> spell_turkish_measures("9B'de 2,5 A; 16A'lık; 1/2'si")
    "9 bede 2,5 amper; 16 amperlik; 1 bölü 2'si"
    >>> spell_turkish_measures("%50'si, $100'e, 5 km'lik, 75,5 €, 20 °C")
    "yüzde 50'si, 100 dolara, 5 kilometrelik, 75,5 avro, 20 santigrat derece"
    """
    if not _SIGNED.search(text):
        return text

    def first(match: re.Match[str]) -> str:
        return f"{match['number']} {add_suffix(CURRENCIES[match['sign']], match['suffix'] or '')}"

    def last(match: re.Match[str]) -> str:
        return f"{match['scale']} {add_suffix(CURRENCIES[match['sign']], match['suffix'] or '')}"

    def unit(match: re.Match[str]) -> str:
        if match["unit"] in LETTERS_OF_CLASSES and not _is_measured(match):
            return match[0]
        return f" {add_suffix(UNITS[match['unit']], match['suffix'] or '')}"

    text = _CURRENCY_FIRST.sub(first, text)
    text = _CURRENCY_LAST.sub(last, text)
    text = _BEFORE_FIRST.sub(lambda match: f"{BEFORE[match['sign']]} ", text)
    text = _BEFORE_LAST.sub(lambda match: f"{BEFORE[match['sign']]} {match['number']}", text)
    text = _UNITS.sub(unit, text)
    text = _LETTERS.sub(_letter_name, text)
    text = _FRACTIONS.sub(lambda match: match[0] if match[0] in NOT_DIVIDED else f"{match[1]} bölü {match[2]}", text)
    text = _CURRENCY_ALONE.sub(lambda match: f" {add_suffix(CURRENCIES[match['sign']], match['suffix'] or '')} ", text)
    return _BETWEEN.sub(lambda match: f" {SIGNS[match[0]]} ", text)


def read_turkish_romans(text: str) -> str:
    """Write Roman numerals that are ordinals, with a point or ending, in digits; initials of names keep their letters.

    A single letter is a numeral before a lower-case word. Before a capital only I is, as hardly a name begins with it,
    and not next to another initial. Letters that are initials or words as well (C., MD., CD.) never are.

    >>> read_turkish_romans("XX. yüzyılda I. Dünya Savaşı, V. Hugo, A. I. Yılmaz, IV'üncü")
    "20. yüzyılda 1'nci Dünya Savaşı, V. Hugo, A. I. Yılmaz, 4'üncü"
    """

    def read(match: re.Match[str]) -> str:
        roman, following = match["roman"], match["next"] or ""
        certain = set(roman) <= set("IVX") or (set(roman) <= set("IVXL") and len(roman) > 2) or len(roman) > 4
        if not _VALID_ROMAN.fullmatch(roman) or not certain:
            return match[0]
        if match["ending"]:
            return f"{_roman_value(roman)}{match['ending']}"
        if following[0].islower():
            return f"{_roman_value(roman)}."
        # Before a capital a point would be the end of a sentence.
        is_numeral = len(roman) > 1 or (roman == "I" and not _is_beside_initial(match))
        return f"{_roman_value(roman)}'nci" if is_numeral else match[0]

    return _ROMAN.sub(read, text)


def remove_turkish_hats(text: str) -> str:
    """Write â, î and û without their hats, which few people write; other letters of names stay.

    >>> remove_turkish_hats("kâğıt, millî, sükûn, José")
    'kağıt, milli, sükun, José'
    """
    return text.translate(_HATS) if _HATTED.search(text) else text


def _is_time(match: re.Match[str]) -> bool:
    """Whether two numbers are hour and minute: always with a colon, and with a point if nothing speaks against it."""
    if match["mark"] == ":" or match["said"]:
        return True
    if len(match["hour"]) < 2 and not re.fullmatch(_WHEN, match["suffix"] or match["joined"] or ""):
        return False
    before = match.string[max(0, match.start() - 5) : match.start()]
    return not _AMOUNT_BEFORE.search(before) and not _AMOUNT_BEHIND.match(match.string, match.end())


def _is_measured(match: re.Match[str]) -> bool:
    """Whether a letter is a unit: what has decimals or -lik is no number of a class."""
    before = match.string[max(0, match.start() - 17) : match.start()]
    return _LIK.fullmatch(match["suffix"] or "") is not None or _DECIMALS.search(before) is not None


def _letter_name(match: re.Match[str]) -> str:
    """Name of a letter with its suffix, which was written for the name: 5G'ye is beş geye; K and H have two names."""
    letter = match["letter"].lower()
    vowel = "a" if letter in "kh" and _FIRST_VOWEL_IS_BACK.match(match["suffix"]) else "e"
    return f" {add_suffix(letter + vowel, match['suffix'])}"


def _whole_words(digits: str) -> list[str]:
    """Words of digits without points; leading zeros are said, as in a number of a telephone."""
    if len(digits) > MOST_DIGITS:
        return digit_words(digits)
    return fraction_words(digits) if len(digits) > 1 and digits[0] == "0" else number_words(int(digits))


def _ordinal(digits: str) -> list[str]:
    return ordinal_words(int(digits)) if len(digits) <= MOST_DIGITS else digit_words(digits)


def _is_beside_initial(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 4) : match.start()]
    is_followed = len(match["next"]) == 1 and match.string[match.end("next") :][:1] == "."
    return is_followed or _INITIAL.search(before) is not None


def _roman_value(roman: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in roman]
    following = [*values[1:], 0]
    return sum(-value if value < next_value else value for value, next_value in zip(values, following, strict=True))


def _apart(match: re.Match[str], words: str) -> str:
    """Words with a space where letters touch them."""
    text = match.string
    before = " " if match.start() and text[match.start() - 1].isalpha() else ""
    # A suffix behind an apostrophe belongs to the number.
    touches = match.end() < len(text) and text[match.end()].isalpha() and not match[0].endswith("'")
    return f"{before}{words}{' ' if touches else ''}"


def convert_numbers_to_words_wrapper(text: str, *, merge_words: bool = False) -> str:
    """Write the numbers of a Turkish text in words.

    Parameters
    ----------
    text : str
        Numbers may have thousands points, a decimal comma, a minus, and a suffix behind an apostrophe.
    merge_words : bool
        Whether the words of one number are written together.

    Returns
    -------
    str
        The text with words; all that is not a number is unchanged: per cent, times, fractions and units are read by the
        profile `turkish`.

    Raises
    ------
    InputTypeError
        If it is not one text.

    References
    ----------
    Text Similarity Metrics (trnorm), "Integration with Other Modules".

    Examples
    --------
    >>> convert_numbers_to_words_wrapper("Bu 42 sayısı önemlidir")
    'Bu kırk iki sayısı önemlidir'
    >>> convert_numbers_to_words_wrapper("Bu 42 sayısı önemlidir", merge_words=True)
    'Bu kırkiki sayısı önemlidir'
    """
    return spell_turkish_numbers(check_text("text", text), joined=merge_words)
