"""Recognition of formats from content that fits no other."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from misread.data.formats import FORMATS, TABLES
from misread.data.formats.content import Content

if TYPE_CHECKING:
    from misread.data.formats.base import Format, Kind


def recognise(content: Content, formats: Iterable[Format] | None = None) -> Format | None:
    """The first of the formats, of all if none are named, whose recogniser is certain; else None.

    None is for plain text, and where it may be several.
    """
    known = chain(FORMATS.values(), TABLES.values()) if formats is None else formats
    return next((form for form in known if form.recognise is not None and form.recognise(content)), None)


def describe_recognised(source: object, form: object) -> str:
    """A whole sentence on a file whose format nobody has named."""
    return f"{source} is read as {form}, as its content says."


def guess_page_format(path: Path) -> Format | None:
    """The format of a page whose content can be of no other; None for plain text, or where it may be several."""
    return guess_format(path, kinds=["pages"])


def guess_format(path: Path, *, kinds: Collection[Kind]) -> Format | None:
    """The format of one of these kinds, if the content of a file can be of no other of them."""
    return recognise(Content.of_start(path), (form for form in FORMATS.values() if form.kind in kinds))
