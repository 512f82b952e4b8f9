"""The line that identifies a number: what was counted, on which text, by which rules, with which version."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, unquote

from misread.metrics.base import TextForm
from misread.version import __version__


def make_signature(name: str, parts: Sequence[tuple[str, str]]) -> str:
    """Join a metric's name and the facts that its value depends on.

    Parameters
    ----------
    name : str
        Of the metric.
    parts : sequence of (str, str)
        Facts in a fixed order; the version is put behind them.

    Returns
    -------
    str
        One line; in names and values, `%`, `|` and what cannot be printed are percent-encoded.

    References
    ----------
    Post, "A call for clarity in reporting BLEU scores", WMT 2018.

    Examples
    --------
    >>> make_signature("cer", [("unit", "char"), ("norm", "none")]).rsplit("|", 1)[0]
    'cer|unit:char|norm:none'
    >>> make_signature("cer", [("strata", "left|right")]).rsplit("|", 1)[0]
    'cer|strata:left%7Cright'
    """
    return "|".join([_escape(name), *_join([*parts, ("v", __version__)])])


def describe_normalizer(text: TextForm, normalizer: str) -> str:
    """Value of the fact `norm`: what was done to the form of the text that a metric counts on."""
    if text == "raw":
        return "none"
    return normalizer if text == "normalized" else f"{normalizer}:by-line"


def extend_signature(signature: str, parts: Sequence[tuple[str, str]]) -> str:
    """Put further facts into a signature, before the version.

    Parameters
    ----------
    signature : str
        As `make_signature` gives it.
    parts : sequence of (str, str)
        Facts in a fixed order.

    Returns
    -------
    str

    Examples
    --------
    >>> extend_signature("cer|unit:char|v:0.1.0", [("seed", "1")])
    'cer|unit:char|seed:1|v:0.1.0'
    """
    facts, version = signature.rsplit("|", 1)
    return "|".join([facts, *_join(parts), version])


def replace_fact(signature: str, key: str, value: str) -> str:
    """Give a fact of a signature another value.

    Parameters
    ----------
    signature : str
        As `make_signature` gives it.
    key, value : str
        The fact, which the signature has.

    Returns
    -------
    str

    Examples
    --------
    >>> replace_fact("cer|unit:char|norm:none|v:0.1.0", "norm", "none+lower")
    'cer|unit:char|norm:none+lower|v:0.1.0'
    """
    name, *parts = signature.split("|")
    return "|".join([name, *(f"{key}:{_escape(value)}" if part.startswith(f"{key}:") else part for part in parts)])


def read_signature(signature: str) -> dict[str, str]:
    """Take a signature apart: fact by fact, without the name.

    Examples
    --------
    >>> read_signature("cer|unit:char|v:0.1.0")
    {'unit': 'char', 'v': '0.1.0'}
    """
    parts = (part.split(":", 1) for part in signature.split("|")[1:])
    return {key: unquote(value, errors="surrogatepass") for key, value in parts}


def signature_name(signature: str) -> str:
    """Name of the metric, or of whatever else a signature is of.

    Examples
    --------
    >>> signature_name("cer|unit:char|v:0.1.0")
    'cer'
    """
    return unquote(signature.split("|", 1)[0], errors="surrogatepass")


def _join(parts: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{key}:{_escape(value)}" for key, value in parts]


def _escape(text: str) -> str:
    """Percent-encode what would end a fact or the line, and the sign of that encoding itself."""
    return "".join(
        quote(sign, safe="", errors="surrogatepass") if sign in "%|" or not sign.isprintable() else sign
        for sign in text
    )
