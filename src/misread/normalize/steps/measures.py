"""Steps that write signs of currencies and units in words."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from misread.io.checks.choices import check_choice

CURRENCIES: Final = {
    "de": {"€": "Euro", "$": "Dollar", "£": "Pfund", "¥": "Yen", "¢": "Cent", "%": "Prozent"},
    "en": {"€": "euros", "$": "dollars", "£": "pounds", "¥": "yen", "¢": "cents", "%": "percent"},
    "es": {"€": "euros", "$": "dólares", "£": "libras", "¥": "yenes", "¢": "centavos", "%": "por ciento"},
    "fr": {"€": "euros", "$": "dollars", "£": "livres", "¥": "yens", "¢": "cents", "%": "pour cent"},
}
"""Signs by language; all are said behind the number."""

UNITS: Final = {
    "de": {
        "km": "Kilometer",
        "m": "Meter",
        "cm": "Zentimeter",
        "mm": "Millimeter",
        "kg": "Kilogramm",
        "g": "Gramm",
        "l": "Liter",
        "ml": "Milliliter",
        "km/h": "Kilometer pro Stunde",
        "°C": "Grad Celsius",
        "h": "Stunden",
    },
    "en": {
        "km": "kilometers",
        "m": "meters",
        "cm": "centimeters",
        "mm": "millimeters",
        "kg": "kilograms",
        "g": "grams",
        "l": "liters",
        "ml": "milliliters",
        "km/h": "kilometers per hour",
        "°C": "degrees celsius",
        "°F": "degrees fahrenheit",
        "mph": "miles per hour",
        "lb": "pounds",
        "ft": "feet",
    },
    "es": {
        "km": "kilómetros",
        "m": "metros",
        "cm": "centímetros",
        "mm": "milímetros",
        "kg": "kilogramos",
        "g": "gramos",
        "l": "litros",
        "ml": "mililitros",
        "km/h": "kilómetros por hora",
        "°C": "grados celsius",
    },
    "fr": {
        "km": "kilomètres",
        "m": "mètres",
        "cm": "centimètres",
        "mm": "millimètres",
        "kg": "kilogrammes",
        "g": "grammes",
        "l": "litres",
        "ml": "millilitres",
        "km/h": "kilomètres par heure",
        "°C": "degrés celsius",
    },
}
"""Units by language."""


def spell_currency(text: str, *, language: str) -> str:
    """Write signs of currencies and the per cent sign in words, behind their number.

    >>> spell_currency("$5 and 20 %", language="en")
    '5 dollars and 20 percent'
    """
    check_choice("language of currencies", language, CURRENCIES)
    names = CURRENCIES[language]
    before, behind = _signs(language)
    text = before.sub(lambda match: f"{match[2]} {names[match[1]]}", text)
    return behind.sub(lambda match: f" {names[match[1]]}", text)


def spell_units(text: str, *, language: str) -> str:
    """Write units behind a number in words.

    >>> spell_units("10km, 5 kg", language="fr")
    '10 kilomètres, 5 kilogrammes'
    """
    check_choice("language of units", language, UNITS)
    names = UNITS[language]
    return _units(language).sub(lambda match: f" {names[match[1]]}", text)


@cache
def _signs(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    signs = "".join(map(re.escape, CURRENCIES[language]))
    return re.compile(rf"([{signs}]) ?([0-9]+(?:[.,][0-9]+)*)"), re.compile(rf"(?<=[0-9]) ?([{signs}])")


@cache
def _units(language: str) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(UNITS[language], key=len, reverse=True)))
    return re.compile(rf"(?<=[0-9]) ?({listed})(?![\w/²³])")
