"""The line that identifies a number: what was counted, on which text, by which rules, with which version."""

from __future__ import annotations

from collections.abc import Sequence

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

    References
    ----------
    Post, "A call for clarity in reporting BLEU scores", WMT 2018.

    Examples
    --------
    >>> make_signature("cer", [("unit", "char"), ("norm", "none")]).rsplit("|", 1)[0]
    'cer|unit:char|norm:none'
    """
    return "|".join([name, *(f"{key}:{value}" for key, value in (*parts, ("v", __version__)))])


def describe_normalizer(text: TextForm, normalizer: str) -> str:
    """Say what was done to the form of the text that a metric counts on.

    Parameters
    ----------
    text : {"raw", "normalized", "normalized_lines"}
        The form.
    normalizer : str
        Signature of the normalizer.

    Returns
    -------
    str

    Examples
    --------
    >>> describe_normalizer("raw", "lower@1a2b"), describe_normalizer("normalized_lines", "lower@1a2b")
    ('none', 'lower@1a2b:by-line')
    """
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
    return "|".join([facts, *(f"{key}:{value}" for key, value in parts), version])


def read_signature(signature: str) -> dict[str, str]:
    """Take a signature apart: fact by fact, without the name.

    Examples
    --------
    >>> read_signature("cer|unit:char|v:0.1.0")
    {'unit': 'char', 'v': '0.1.0'}
    """
    return dict(part.split(":", 1) for part in signature.split("|")[1:])
