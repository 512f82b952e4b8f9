"""Recognition of formats from content that fits no other."""

from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, get_args

from misread.data.formats import FORMATS, TABLES
from misread.data.formats.base import SEGMENTED, Format, Kind
from misread.data.formats.content import Content
from misread.data.formats.timed_text import TimedText
from misread.errors import InputFileError

_KINDS: Final[Sequence[Kind]] = get_args(Kind)


def recognise(content: Content, kinds: Collection[Kind] = _KINDS) -> Format | None:
    """The first of the formats of these kinds whose recogniser is certain, else that of the name's ending; or None.

    None is for plain text, and where it may be several; endings of pages say little. Of long JSON its first characters
    are looked at before the rest, which may tell another format from a table.
    """
    for part in content.beginnings():
        for form in chain(FORMATS.values(), TABLES.values()):
            if form.kind not in kinds or (part is not content and form.kind == "table"):
                continue
            if form.recognise is not None and form.recognise(part):
                return form
    for form in chain(FORMATS.values(), TABLES.values()) if content.entries else ():
        if form.kind in kinds and form.kind != "pages" and content.ending in form.endings:
            return form
    return None


def describe_recognised(source: object, form: object) -> str:
    """A whole sentence on a file whose format nobody has named."""
    return f"{source} is read as {form}, as its content says."


def guess_format(path: Path, *, kinds: Collection[Kind]) -> Format | None:
    """The format of one of these kinds, if the content of a file can be of no other of them."""
    return recognise(Content.of_start(path), kinds)


def read_segments(form: Format, path: Path, *, encoding: str) -> Sequence[TimedText]:
    """Segments of a file; an error says of which format it is, if that is another one."""
    try:
        return form.read_segments(path, encoding=encoding)
    except InputFileError as error:
        other = guess_format(path, kinds=SEGMENTED)
        if other is None or other.name == form.name:
            raise
        raise InputFileError(f"{error} Its content is {other.label}: name the format {other.name}.") from None
