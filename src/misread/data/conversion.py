"""Segments from one format to another, with a word on everything that the other cannot hold."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from misread.data.formats import FORMATS, TABLES, find_format
from misread.data.formats.account import Account, collecting_accounts, describe_accounts
from misread.data.formats.base import SEGMENTED, Format
from misread.data.formats.content import Content
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.plain_text import name_unreadable
from misread.data.formats.recognition import recognise
from misread.data.formats.tables import read_table_segments
from misread.data.formats.timed_text import TimedText
from misread.data.logs import read_log
from misread.data.segment_files import name_segments
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.checks.choices import check_choice
from misread.io.checks.outputs import check_outputs
from misread.io.json_files import write_text
from misread.io.names import bare_name
from misread.io.pointers import absence
from misread.io.text import UTF_8
from misread.text.nouns import count_of
from misread.text.words import join_words

# How a table is called, whatever separates its columns.
_TABLE: Final = "table"
_IGNORED: Final = "marks of segments to be ignored"
_MISSING: Final = "missing texts"
_FIELDS: Final[Mapping[str, str]] = {
    "ids": "segment_id",
    "recordings": "document",
    "channels": "channel",
    "speakers": "speaker",
    "times": "start",
    "labels": "labels",
    "alternatives": "items",
    _IGNORED: "ignored",
}


def convert(
    source: Path,
    target: Path,
    source_format: str | Format,
    target_format: str | Format,
    *,
    recording: str = "",
    encoding: str = UTF_8,
) -> list[str]:
    """Write the segments of a file in another format.

    Parameters
    ----------
    source, target : Path
        Files; the source may be a folder of Kaldi.
    source_format : str or Format
        A format that is read by segments ("ctm": every word a segment) or pages ("page(level=line)"), your own too, or
        "table" with the columns that `convert` writes, where only text is needed.
    target_format : str or Format
        A format that is written, such as "jsonl", "trn", "stm" and "ctm", or your own.
    recording : str, optional
        Name of the recording where the source does not say it.
    encoding : str
        Of a source of text.

    Returns
    -------
    list of str
        Whole sentences on what the target cannot hold and so is lost.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    InputFileError
        If the source is broken, or the target needs what the source has not; names file and line.
    ConfigurationError
        If the source would be overwritten.
    """
    read = _find_reader(source_format)
    form = _find_target(target_format)
    check_outputs([target], [source])
    with collecting_accounts() as accounts:
        segments = list(read(source, encoding=encoding))
    if not segments:
        raise InputFileError(f"{source} has no segment to convert.")
    if recording:
        segments = [segment if segment.document else segment._replace(document=recording) for segment in segments]
    notes = [*describe_accounts(accounts), *_list_losses(segments, form)]
    written = [
        segment
        for segment in segments
        if (_IGNORED in form.holds or not segment.ignored) and (_MISSING in form.holds or segment.text is not None)
    ]
    if not written:
        raise InputFileError(
            f"{source} has no segment to convert: every segment lacks a text, or is marked to be ignored."
        )
    write_text(target, form.write_segments(written, name_segments(written)))
    return notes


def _find_target(target_format: str | Format) -> Format:
    if isinstance(target_format, Format) or "." in target_format:
        return find_format(target_format)
    targets = {name: form for name, form in chain(FORMATS.items(), TABLES.items()) if form.write is not None}
    check_choice("format to convert to", target_format, targets)
    return targets[target_format]


def _source_names() -> list[str]:
    return [*(name for name, form in FORMATS.items() if _is_read(form)), _TABLE]


def _is_read(form: Format) -> bool:
    return form.has_segments or form.has_layout or form.kind == "log"


def _find_reader(source_format: str | Format) -> Callable[..., Sequence[TimedText]]:
    if source_format == _TABLE:
        return read_table_segments
    if isinstance(source_format, str) and "." not in bare_name(source_format):
        check_choice("format to convert from", bare_name(source_format), _source_names())
    form = find_format(source_format, kinds=[*SEGMENTED, "pages", "log"])
    if form.kind == "log":
        return partial(_read_answers, form)
    return partial(_read_pages, form) if form.has_layout else form.read_segments


def _read_answers(form: Format, path: Path, *, encoding: str) -> list[TimedText]:
    """Answers of a log by the ids of their samples, with the epoch where there are several."""
    log = read_log(path, form, encoding=encoding)
    account = Account(form.label, path)
    for entry in log.entries:
        account.leave_out("references, which score reads", entry.reference, entry.location.removeprefix(f"{path}, "))
    has_runs = len({entry.run for entry in log.entries}) > 1
    return [
        TimedText(entry.text, entry.location, f"{entry.segment_id}@{entry.run}" if has_runs else entry.segment_id)
        for entry in log.entries
    ]


def _read_pages(form: Format, path: Path, *, encoding: str) -> list[TimedText]:
    """Parts of a page at the level of its format, by their ids."""
    texts, _ = LayoutReader(format=form, encoding=encoding).read(path)
    return [TimedText(text, str(path), name or path.stem) for name, text in texts.items()]


def guess_source_format(path: Path) -> str:
    """The format of a file or folder that can be of no other, by its content.

    Raises InputFileError if there is no such file, and ConfigurationError, with the choices, if it may be of several
    formats or is of one that is not converted.
    """
    if not path.exists():
        raise InputFileError(f"{absence(path)}.")
    if (path / "text").is_file():
        return "kaldi"
    if path.is_dir():
        raise InputFileError(f"{path} is a folder, but not one of Kaldi (with a file text); name a file.")
    content = Content.of_start(path)
    form = recognise(content)
    if form and (form.kind == "table" or _is_read(form)):
        return _TABLE if form.kind == "table" else form.name
    if label := name_unreadable(content):
        raise ConfigurationError(f"{path} is {label}, which has no segments to convert; take the text out of it first.")
    raise ConfigurationError(
        f"{path} may be of several formats; {setting('source_format')} names a format: {', '.join(_source_names())}."
    )


def _list_losses(segments: Sequence[TimedText], form: Format) -> list[str]:
    notes = []
    for what, name in _FIELDS.items():
        # A time of 0 is one.
        values = [getattr(segment, name) for segment in segments]
        having = sum(value is not False and value not in ("", None, ()) for value in values)
        if having and what not in form.holds:
            taken = {"alternatives": "; the first of each is written", _IGNORED: "; those are left out"}.get(what, "")
            notes.append(
                f"{form} has no place for {what}, found in {having:,} of {count_of(len(segments), 'segment')}{taken}."
            )
    spaced = sum(segment.text != join_words(segment.text) for segment in segments if segment.text)
    if spaced and "white space" not in form.holds:
        notes.append(
            f"{form} has one blank between words: other white space becomes a blank in {count_of(spaced, 'segment')}."
        )
    missing = sum(segment.text is None for segment in segments)
    if missing and _MISSING not in form.holds:
        notes.append(f"{form} cannot mark a missing text: {count_of(missing, 'segment')} without one left out.")
    return [*notes, *(form.note_changes(segments) if form.note_changes else ())]
