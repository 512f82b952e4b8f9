"""Transcripts whose files hold segments: paired by ids, by times, or cut again at the boundaries of the references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, cast, get_args

from misread.alignment import resegment
from misread.data.base import (
    SETTINGS,
    SettingNames,
    below,
    describe_alike,
    digest_segments,
    number_turns,
    recorded_below,
    require_distinct,
)
from misread.data.formats.docvqa import read_docvqa
from misread.data.formats.kaldi import read_kaldi
from misread.data.formats.marked_text import MarkedText, write_text
from misread.data.formats.nemo import read_nemo, read_predictions
from misread.data.formats.plain_text import read_plain_text
from misread.data.formats.seglst import read_seglst
from misread.data.formats.stm import read_stm
from misread.data.formats.subtitles import read_srt, read_webvtt
from misread.data.formats.textgrid import read_textgrid
from misread.data.formats.timed_text import TimedText, TimedTexts, column_of
from misread.data.formats.trn import read_trn
from misread.data.formats.whisper import read_whisper
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.io.text import UTF_8, split_lines
from misread.text.alternatives import Items, has_choices
from misread.text.patterns import take_group

SegmentFormat = Literal[
    "lines", "trn", "kaldi", "nemo", "docvqa", "stm", "seglst", "webvtt", "srt", "textgrid", "whisper"
]
"""Formats whose files hold segments."""

NAMED: Final[frozenset[SegmentFormat]] = frozenset({"kaldi", "nemo", "docvqa", "trn"})
"""Formats that name their segments, by which they are paired."""

TIMED: Final[frozenset[SegmentFormat]] = frozenset({"stm", "seglst", "webvtt", "srt", "textgrid", "whisper"})
"""Formats of recordings, whose segments have times."""

_SAME_TIME: Final = 0.011
"""Seconds by which the times of one segment may differ between files, which are written with two or three decimals."""

_OF_QUESTIONS: Final = (
    "Texts are JSON objects of answers, which --metrics qa_anls and qa_success compare; error rates count their source."
)


@dataclass(frozen=True)
class SegmentFiles:
    """Data set of transcripts in files that hold segments, one file of references and one per system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        File of references, relative to `root`.
    recorded : mapping of str to str
        File of each system's outputs.
    format : str
        "kaldi", "nemo", "docvqa", "stm", "seglst", "webvtt", "srt", "textgrid" or "whisper"; with `resegment` also
        "lines" and "trn".
    hypothesis_format : str, optional
        Of the outputs, where theirs is another one.
    resegment : bool
        Whether the outputs are cut at the boundaries of the references, after their words were aligned.
    cluster : str, optional
        Regular expression whose one group is the cluster in an id; else the speaker, or the recording.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    ConfigurationError
        If the two formats cannot be paired.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    format: SegmentFormat
    hypothesis_format: str = ""
    resegment: bool = False
    cluster: str = ""
    provenance: str = ""

    def __post_init__(self) -> None:
        for name in (self.format, self.hypothesis_format or self.format):
            check_choice("format", name, get_args(SegmentFormat), where=f"the data set in {self.root}")
        check_formats(*self._formats, cut_again=self.resegment)

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_segment_files` say what is refused."""
        root = Path(self.root)
        return read_segment_files(
            below(root, self.reference, "setting reference"),
            recorded_below(root, self.recorded),
            *self._formats,
            cut_again=self.resegment,
            cluster=self.cluster,
        )

    @property
    def _formats(self) -> tuple[SegmentFormat, SegmentFormat]:
        return self.format, cast("SegmentFormat", self.hypothesis_format or self.format)


def check_formats(reference: SegmentFormat, hypothesis: SegmentFormat, *, cut_again: bool) -> None:
    """Refuse formats whose segments have nothing in common to be paired by."""
    if cut_again or (reference == hypothesis and reference not in ("lines", "trn")) or {reference, hypothesis} <= TIMED:
        return
    raise ConfigurationError(
        f"no way to pair segments of {hypothesis} with those of {reference}; --resegment (in a data set, resegment: "
        "true) aligns the words of whole recordings and cuts them at the references' boundaries."
    )


def read_segment_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    reference_format: SegmentFormat,
    hypothesis_format: SegmentFormat,
    *,
    cut_again: bool = False,
    cluster: str = "",
    key: Callable[[str], str] | None = None,
    encoding: str = UTF_8,
    names: SettingNames = SETTINGS,
) -> SegmentTable:
    """Read a file of references and files of hypotheses, by system.

    Segments are paired by their ids where formats name them; those of recordings by their times, of which both files
    must have the same. With `cut_again` the words of every recording are aligned, as `key` leaves each, and the
    hypothesis is cut at the boundaries of the reference.

    Raises InputFileError, with file and line or entry, if a file is broken, two segments have one id, a hypothesis has
    no reference, or segments are cut differently; as `check_formats` if formats do not go together.
    """
    check_formats(reference_format, hypothesis_format, cut_again=cut_again)
    everything = READERS[reference_format](reference, encoding)
    if reference_format != hypothesis_format:
        everything = _without_channels(everything)
    references = leave_out_ignored(everything)
    if not references:
        raise InputFileError(f"{reference} has no segment.")
    texts = _require_texts(references)
    ids = name_segments(references)
    found: dict[str, Sequence[str | None]] = {}
    for system, path in hypotheses.items():
        if hypothesis_format == "nemo":
            heard: Sequence[TimedText] = read_predictions(path, references, encoding=encoding)
        else:
            heard = leave_out_ignored(READERS[hypothesis_format](path, encoding))
        if reference_format != hypothesis_format:
            heard = _without_channels(heard)
        heard = leave_out_times_of(list_ignored(everything), heard)
        if cut_again:
            found[system] = _cut_again(references, heard, reference, key)
        elif reference_format in NAMED:
            found[system] = _pair_by_id(ids, heard, reference)
        else:
            found[system] = _pair_by_time(references, heard, reference, path)
    speakers, documents = (column_of(references, name) for name in ("speaker", "document"))
    table = SegmentTable(
        name=reference.parent.name if reference.name == "text" else reference.name.split(".")[0],
        digest=digest_segments(ids, texts),
        segment_id=ids,
        references=texts,
        groups={name: of for name, of in (("file", documents), ("speaker", speakers)) if all(of)},
        times=_times(references),
        hypotheses=found,
        notes=[_OF_QUESTIONS] if reference_format == "docvqa" else [],
        resegmented=cut_again,
    )
    if cluster:
        clusters = take_group(cluster, ids, name=names.cluster, what="cluster")[1]
        return replace(table, cluster=clusters, cluster_name="cluster")
    for name, values in (("speaker", speakers), ("recording", documents)):
        # One cluster alone tells nothing of the spread between clusters.
        if all(values) and len(set(values)) > 1:
            return replace(table, cluster=values, cluster_name=name if reference_format != "docvqa" else "document")
    return table


def _without_channels(segments: Sequence[TimedText]) -> Sequence[TimedText]:
    """Segments as a format has them that does not tell channels apart."""
    return segments if isinstance(segments, TimedTexts) else [each._replace(channel="") for each in segments]


def _require_texts(segments: Sequence[TimedText]) -> Sequence[str]:
    texts = column_of(segments, "text")
    if None in texts:
        raise InputFileError(f"{segments[texts.index(None)].place}: no text, and a reference needs one.")
    return texts


def _times(segments: Sequence[TimedText]) -> list[tuple[float, float]] | None:
    """Times of all segments; None where one has none."""
    begins, ends = (column_of(segments, name) for name in ("begin", "end"))
    return None if None in begins or None in ends else list(zip(begins, ends, strict=True))


def name_segments(segments: Sequence[TimedText]) -> Sequence[str]:
    """Distinct ids: those of the format, else of the speakers or recordings with numbers."""
    ids = column_of(segments, "segment_id")
    if all(ids):
        require_distinct(ids, (each.place for each in segments))
        return ids
    return number_turns(each.speaker or each.document for each in segments)


def _pair_by_id(ids: Sequence[str], heard: Sequence[TimedText], reference: Path) -> Sequence[str | None]:
    heard_ids, texts = (column_of(heard, name) for name in ("segment_id", "text"))
    require_distinct(heard_ids, (each.place for each in heard))
    if heard_ids == ids:
        return texts
    rows = {key: row for row, key in enumerate(heard_ids)}
    if strange := rows.keys() - set(ids):
        first = heard[min(rows[key] for key in strange)]
        advice = describe_alike(first.segment_id, ids)
        raise InputFileError(f"{first.place}: {reference} has no segment {first.segment_id!r} to compare with{advice}.")
    found = [rows.get(key) for key in ids]
    return [None if row is None else texts[row] for row in found]


def _pair_by_time(
    references: Sequence[TimedText], heard: Sequence[TimedText], reference: Path, path: Path
) -> list[str | None]:
    """Texts of the segments at the same times; recordings without any segment are missing."""
    by_document = _by_document(heard)
    texts: list[str | None] = [None] * len(references)
    _require_known(by_document, _by_document(references), heard, reference)
    for document, rows in _by_document(references).items():
        others = by_document.get(document, [])
        if not others:
            continue
        pairs = zip(rows, others, strict=False)
        differing = next((other for row, other in pairs if not _is_same(references[row], heard[other])), None)
        if differing is not None or len(rows) != len(others):
            where = str(path) if differing is None else heard[differing].place
            named = f" of {references[rows[0]].document!r}" if any(document) else ""
            raise InputFileError(
                f"{where}: segments{named} have other times than in {reference.name} ({len(others):,} against "
                f"{len(rows):,}); --resegment (in a data set, resegment: true) aligns the words and cuts at the "
                "references' boundaries."
            )
        for row, other in zip(rows, others, strict=True):
            texts[row] = heard[other].text
    return texts


def _is_same(one: TimedText, two: TimedText) -> bool:
    return all(
        first is not None and second is not None and abs(first - second) < _SAME_TIME
        for first, second in ((one.begin, two.begin), (one.end, two.end))
    )


def _by_document(segments: Sequence[TimedText]) -> dict[tuple[str, str], list[int]]:
    """Rows of every channel of every recording, in order of time."""
    found: dict[tuple[str, str], list[int]] = {}
    for row, each in enumerate(segments):
        found.setdefault(_recording(each), []).append(row)
    return {
        document: sorted(rows, key=lambda row: (segments[row].begin or 0.0, segments[row].end or 0.0))
        for document, rows in found.items()
    }


def _require_known(
    heard_in: Mapping[tuple[str, str], Sequence[int]],
    known: Mapping[tuple[str, str], object],
    heard: Sequence[TimedText],
    reference: Path,
) -> None:
    for document, rows in heard_in.items():
        if document not in known:
            raise InputFileError(
                f"{heard[rows[0]].place}: {reference} has no recording {heard[rows[0]].document!r} to compare with."
            )


def _cut_again(
    references: Sequence[TimedText], heard: Sequence[TimedText], reference: Path, key: Callable[[str], str] | None
) -> list[str | None]:
    heard = [each for each in heard if each.text is not None]
    said_in, heard_in = _by_document(references), _by_document(heard)
    if len(said_in) > 1 and set(heard_in) - set(said_in) == {("", "")}:
        raise InputFileError(
            f"{heard[0].place}: it does not say which recording it belongs to, and {reference} has {len(said_in):,}."
        )
    if len(said_in) == 1 and len(heard_in) == 1:
        # Formats of one recording do not name it.
        heard_in = dict(zip(said_in, heard_in.values(), strict=True))
    _require_known(heard_in, said_in, heard, reference)
    texts: list[str | None] = [None] * len(references)
    for document, rows in said_in.items():
        if document in heard_in:
            whole = " ".join(heard[row].text or "" for row in heard_in[document])
            cut = resegment([references[row].text or "" for row in rows], whole, key=key)
            for row, text in zip(rows, cut, strict=True):
                texts[row] = text
    return texts


def _read_lines(path: Path, encoding: str) -> list[TimedText]:
    lines = split_lines(read_plain_text(path, encoding=encoding))
    return [TimedText(line, f"{path}, line {number}", str(number)) for number, line in enumerate(lines, start=1)]


def _read_trn(path: Path, encoding: str) -> list[TimedText]:
    return [
        TimedText(
            write_text(each.text, in_notation=False), each.place, each.utterance_id, items=_alternatives(each.text)
        )
        for each in read_trn(path, encoding=encoding)
    ]


def _read_stm(path: Path, encoding: str) -> list[TimedText]:
    return [
        TimedText(
            write_text(each.text, in_notation=False),
            each.place,
            "",
            each.file,
            each.speaker,
            each.begin,
            each.end,
            each.channel,
            each.labels,
            _alternatives(each.text),
            each.ignored,
        )
        for each in read_stm(path, encoding=encoding, in_order=False)[0]
    ]


def _alternatives(text: MarkedText) -> Items:
    return text if isinstance(text, tuple) and has_choices(text) else ()


def list_ignored(segments: Sequence[TimedText]) -> list[TimedText]:
    """Segments that are to be ignored."""
    return [] if isinstance(segments, TimedTexts) else [each for each in segments if each.ignored]


def leave_out_ignored(segments: Sequence[TimedText]) -> Sequence[TimedText]:
    """Segments that are not to be ignored; refuses alternatives."""
    if isinstance(segments, TimedTexts):
        return segments
    for each in segments:
        if each.items:
            raise InputFileError(
                f"{each.place}: the text has alternatives; only --format trn, and --ref-format stm with --hyp-format "
                "ctm, take them."
            )
    return [each for each in segments if not each.ignored]


def leave_out_times_of(ignored: Sequence[TimedText], heard: Sequence[TimedText]) -> Sequence[TimedText]:
    """Segments that were heard whose middle lies in none that is to be ignored."""
    if not ignored:
        return heard
    spans: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for each in ignored:
        spans.setdefault(_recording(each), []).append((each.begin or 0.0, each.end or 0.0))
    return [
        each
        for each in heard
        if each.begin is None
        or each.end is None
        or not any(begin <= (each.begin + each.end) / 2 <= end for begin, end in spans.get(_recording(each), ()))
    ]


def _recording(segment: TimedText) -> tuple[str, str]:
    return segment.document.casefold(), segment.channel.casefold()


READERS: Final[Mapping[SegmentFormat, Callable[[Path, str], Sequence[TimedText]]]] = {
    "lines": _read_lines,
    "trn": _read_trn,
    "kaldi": lambda path, encoding: read_kaldi(path, encoding=encoding),
    "nemo": lambda path, encoding: read_nemo(path, encoding=encoding),
    "docvqa": lambda path, encoding: read_docvqa(path, encoding=encoding),
    "stm": _read_stm,
    "seglst": lambda path, encoding: read_seglst(path, encoding=encoding),
    "webvtt": lambda path, encoding: read_webvtt(path, encoding=encoding),
    "srt": lambda path, encoding: read_srt(path, encoding=encoding),
    "textgrid": lambda path, encoding: read_textgrid(path, encoding=encoding),
    "whisper": lambda path, encoding: read_whisper(path, encoding=encoding),
}
