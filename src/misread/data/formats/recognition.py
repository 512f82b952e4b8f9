"""Recognition of formats from content that fits no other."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, get_args

from misread.data.formats import FORMATS, TABLES
from misread.data.formats.account import Account
from misread.data.formats.base import SEGMENTED, Format, Kind
from misread.data.formats.content import Content
from misread.data.formats.timed_text import TimedText
from misread.errors import InputFileError
from misread.io.file_lists import is_listed

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


def read_segments(
    form: Format, path: Path, *, encoding: str, read: Callable[..., Sequence[TimedText]] | None = None
) -> Sequence[TimedText]:
    """Segments of a file, or of all files of a folder, as the format or `read` reads them.

    An error says of which format a file is, if that is another one.
    """
    read = read or form.read_segments
    if path.is_dir() and not (path / "text").is_file():
        return _read_folder(form, path, partial(read, encoding=encoding))
    try:
        return read(path, encoding=encoding)
    except InputFileError as error:
        other = guess_format(path, kinds=SEGMENTED)
        if other is None or other.name == form.name:
            raise
        raise InputFileError(f"{error} Its content is {other.label}: name the format {other.name}.") from None


def _read_folder(form: Format, folder: Path, read: Callable[[Path], Sequence[TimedText]]) -> Sequence[TimedText]:
    """Segments of the files of a format in a folder; a file that does not name its recording is one."""
    account = Account(form.label, folder)
    segments: list[TimedText] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and is_listed(path.relative_to(folder))):
        guess = guess_format(path, kinds=SEGMENTED) if form.recognise else form
        if guess is None or guess.name != form.name:
            account.doubt("files of other formats", path.name, f"file {path.name}")
            continue
        recording = path.relative_to(folder).with_suffix("").as_posix()
        segments += (segment._replace(document=segment.document or recording) for segment in read(path))
    if not segments:
        raise InputFileError(f"{folder} is a folder without a file of the format {form.name}.")
    return segments
