"""Files that hold segments: paired by ids, by times, by sessions, or cut again at the boundaries of the references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from misread.alignment import resegment
from misread.data.base import (
    below,
    digest_segments,
    number_turns,
    recorded_below,
    require_distinct,
    require_known_ids,
)
from misread.data.formats import FORMATS, find_format
from misread.data.formats.account import collecting_accounts, with_accounts
from misread.data.formats.base import Format, name_settings
from misread.data.formats.paired_files import DEFAULT, FolderOptions
from misread.data.formats.recognition import read_segments
from misread.data.formats.rolling_captions import describe_repeats
from misread.data.formats.timed_text import (
    TimedText,
    TimedTexts,
    column_of,
    leave_out_times_of,
    list_ignored,
    name_recording,
    recording_key,
)
from misread.data.segment_table import SegmentTable, TextFacts
from misread.data.sessions import leave_out_ignored, read_references, read_sessions
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.text import UTF_8
from misread.text.alternatives import has_choices, parse_alternatives
from misread.text.patterns import take_group

_SAME_TIME: Final = 0.011
"""Seconds by which the times of one segment may differ between files, which are written with two or three decimals."""

_RESEGMENT: Final = setting("resegment", value=True)


@dataclass(frozen=True)
class SegmentFiles:
    """Data set of files that hold segments, of references and of each system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        File of references, relative to `root`; of "nlp" also a folder.
    recorded : mapping of str to str
        File, or folder, of each system's outputs.
    format : str
        A format of segments with its settings, "nlp(alternatives=FOLDER)", as `misread score --format` calls it, or
        the dotted name of your own. Folders are relative to `root`.
    hypothesis_format : str, optional
        Of the outputs, where theirs is another one.
    sessions : bool
        Whether a segment is a whole session with the turns of all speakers, for rates such as `cp_wer`.
    resegment : bool
        Whether the outputs are cut at the boundaries of the references, after their words were aligned.
    cluster : str, optional
        Regular expression whose one group is the cluster in an id; else the speaker, the recording, or the session.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    ConfigurationError
        If the two formats cannot be paired, or do not have such a setting.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    format: str
    hypothesis_format: str = ""
    sessions: bool = False
    resegment: bool = False
    cluster: str = ""
    provenance: str = ""

    def __post_init__(self) -> None:
        reference, hypothesis = self._formats()
        is_paired_again = self.resegment or self.sessions
        check_formats(reference, hypothesis, cut_again=self.resegment, sessions=self.sessions)
        if self.cluster and not (is_paired_again or takes_cluster(hypothesis)):
            takers = ", ".join(str(form) for form in FORMATS.values() if takes_cluster(form))
            raise ConfigurationError(
                f"the data set in {self.root}: {setting('cluster')} is a setting of {takers}, and not of {hypothesis}."
            )

    def _formats(self) -> tuple[Format, Format]:
        where = f"the data set in {self.root}"
        reference, hypothesis = (
            find_format(name, where=where) for name in (self.format, self.hypothesis_format or self.format)
        )
        return reference, hypothesis

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_segment_files` say what they refuse."""
        root = Path(self.root)
        recorded = recorded_below(root, self.recorded)
        reference = below(root, self.reference, setting("reference"))
        formats = (_find_folders(root, form) for form in self._formats())
        table = read_segment_files(
            reference, recorded, *formats, sessions=self.sessions, cut_again=self.resegment, cluster=self.cluster
        )
        if table.facts.alternatives == "both":
            system = next(name for name, texts in table.hypotheses.items() if any(map(_reads_in_several_ways, texts)))
            raise InputFileError(
                f"the outputs of {system!r} have alternatives, which stages cannot score; `misread score` can."
            )
        return table


def takes_cluster(form: Format) -> bool:
    """Whether `cluster` is an expression on the ids of a format, where segments are not cut again."""
    return "cluster" in form.takes or (form.pair is None and form.has_segments)


def _find_folders(root: Path, form: Format) -> Format:
    """The format with the folders that its settings name below another."""
    paths = {name: path for name, path in form.changed.items() if name in form.folders}
    return form.given(**{name: str(below(root, path, setting(name))) for name, path in paths.items()})


def _reads_in_several_ways(text: str | None) -> bool:
    return text is not None and has_choices(parse_alternatives(text))


def check_formats(reference: Format, hypothesis: Format, *, cut_again: bool = False, sessions: bool = False) -> None:
    """Refuse formats whose files have no common key, and settings that nothing would read."""
    both = (reference, hypothesis)
    if hypothesis.pair and reference.name == hypothesis.name and reference.values != hypothesis.values:
        raise ConfigurationError(f"both sides of one format have the same settings: {reference}, and {hypothesis}.")
    if (cut_again or sessions) and (
        form := next((form for form in both if form.pair and {*form.changed} - {"verbatim"}), None)
    ):
        name = _RESEGMENT if cut_again else setting("sessions", value=True)
        raise ConfigurationError(f"{name} pairs texts as they are written: leave out the settings of {form}.")
    if sessions:
        silent = next((form for form in both if not form.has_turns), None)
        if silent is not None:
            having = ", ".join(name for name, form in FORMATS.items() if form.has_turns)
            raise ConfigurationError(
                f"sessions are read of formats that say who speaks in which recording ({having}), and {silent} does "
                "not."
            )
        return
    uncut = next((form for form in both if not form.has_segments), None)
    if cut_again and uncut is not None:
        raise ConfigurationError(
            f"{_RESEGMENT} cuts files that are read segment by segment, and those of {uncut} are not."
        )
    if cut_again or reference.fits(hypothesis):
        return
    fitting = [form for form in FORMATS.values() if reference.fits(form)]
    advice = f"; {_RESEGMENT} aligns the words of whole recordings and cuts them at the references' boundaries."
    raise ConfigurationError(
        f"no way to pair files of {hypothesis} with references of {reference}, which are scored against "
        f"{', '.join(map(str, fitting)) or 'none'}{'.' if uncut else advice}"
    )


@with_accounts
def read_segment_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    reference_format: str | Format,
    hypothesis_format: str | Format = "",
    *,
    sessions: bool = False,
    cut_again: bool = False,
    cluster: str = "",
    key: Callable[[str], str] | None = None,
    encoding: str = UTF_8,
    options: FolderOptions = DEFAULT,
) -> SegmentTable:
    """Read files of references and files of hypotheses, by system.

    Segments are paired as their format says: by ids, or by the times of recordings, which both files files
    must share. Whole `sessions` are paired by recordings. With `cut_again` the words of every recording are
    aligned, as `key` leaves each, and the hypothesis is cut at the boundaries of the reference. `options` are of
    folders, which some formats read.

    Raises InputFileError, with file and line or entry, if a file is broken, two segments have one id, a hypothesis has
    no reference, or segments are cut differently; UnknownNameError if there is no such format; ConfigurationError if
    formats do not go together.
    """
    ours, theirs = find_format(reference_format), find_format(hypothesis_format or reference_format)
    check_formats(ours, theirs, cut_again=cut_again, sessions=sessions)
    if sessions:
        return read_sessions(reference, hypotheses, ours, theirs, cluster=cluster, encoding=encoding)
    reads_folders = "options" in theirs.takes or ours.name != theirs.name
    if theirs.pair is not None and not cut_again and (reads_folders or not reference.is_dir()):
        context = {"cluster": cluster, "options": options}
        taken = {name: value for name, value in context.items() if name in theirs.takes}
        paired: SegmentTable = theirs.pair(reference, hypotheses, encoding=encoding, **taken, **theirs.arguments)
        return paired
    everything = read_references(reference, ours, encoding=encoding)
    if ours.name != theirs.name:
        everything = _without_channels(everything)
    references = leave_out_ignored(everything)
    if not references:
        raise InputFileError(f"{reference} has no segment.")
    texts = _require_texts(references)
    ids = name_segments(references)
    doubts = describe_repeats(reference, ours, everything)
    texts_by_system: dict[str, Sequence[str | None]] = {}
    for system, path in hypotheses.items():
        with collecting_accounts(system):
            read = theirs.read_hypotheses and partial(theirs.read_hypotheses, references=references)
            heard = leave_out_ignored(read_segments(theirs, path, encoding=encoding, read=read))
        doubts += describe_repeats(path, theirs, heard)
        if ours.name != theirs.name:
            heard = _without_channels(heard)
        if cut_again or ours.paired_by == "time":
            heard = name_recording(heard, references, reference)
        heard = leave_out_times_of(list_ignored(everything), heard)
        if cut_again:
            texts_by_system[system] = _cut_again(references, heard, reference, key)
        elif ours.paired_by == "time":
            texts_by_system[system] = _pair_by_time(references, heard, reference, path)
        else:
            texts_by_system[system] = _pair_by_id(ids, heard, reference)
    speakers, documents = (column_of(references, name) for name in ("speaker", "document"))
    table = SegmentTable(
        name=reference.parent.name if reference.name == "text" else reference.name.split(".")[0],
        digest=digest_segments(ids, texts),
        segment_id=ids,
        references=texts,
        groups={name: labels for name, labels in (("file", documents), ("speaker", speakers)) if all(labels)},
        times=_times(references),
        hypotheses=texts_by_system,
        facts=TextFacts(
            notes=[ours.note] if ours.note else [],
            resegmented=cut_again,
            formats=name_settings(ours, theirs),
            doubts=doubts,
        ),
    )
    if cluster:
        clusters = take_group(cluster, ids, name=setting("cluster"), what="cluster")[1]
        return replace(table, cluster=clusters, cluster_name="cluster")
    for name, values in (("speaker", speakers), (ours.document, documents)):
        # One cluster alone tells nothing of the spread between clusters.
        if all(values) and len(set(values)) > 1:
            return replace(table, cluster=values, cluster_name=name)
    return table


def _without_channels(segments: Sequence[TimedText]) -> Sequence[TimedText]:
    """Segments as a format has them that does not tell channels apart."""
    if isinstance(segments, TimedTexts):
        return replace(segments, channel=())
    return [segment._replace(channel="") for segment in segments]


def _require_texts(segments: Sequence[TimedText]) -> Sequence[str]:
    texts = column_of(segments, "text")
    if None in texts:
        raise InputFileError(f"{segments[texts.index(None)].location}: no text, and a reference needs one.")
    return texts


def _times(segments: Sequence[TimedText]) -> list[tuple[float, float]] | None:
    """Times of all segments; None where one has none."""
    starts, ends = (column_of(segments, name) for name in ("start", "end"))
    return None if None in starts or None in ends else list(zip(starts, ends, strict=True))


def name_segments(segments: Sequence[TimedText]) -> Sequence[str]:
    """Distinct ids: those of the format, else of the speakers or recordings with numbers."""
    ids = column_of(segments, "segment_id")
    if all(ids):
        require_distinct(ids, (segment.location for segment in segments))
        return ids
    return number_turns(segment.speaker or segment.document for segment in segments)


def _pair_by_id(ids: Sequence[str], heard: Sequence[TimedText], reference: Path) -> Sequence[str | None]:
    heard_ids, texts = (column_of(heard, name) for name in ("segment_id", "text"))
    require_distinct(heard_ids, (segment.location for segment in heard))
    if heard_ids == ids:
        return texts
    rows = {key: row for row, key in enumerate(heard_ids)}
    require_known_ids(rows, {*ids}, ids, heard, f"{reference} has no segment")
    positions = [rows.get(key) for key in ids]
    return [None if position is None else texts[position] for position in positions]


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
            where = str(path) if differing is None else heard[differing].location
            recording = f" of {references[rows[0]].document!r}" if any(document) else ""
            raise InputFileError(
                f"{where}: segments{recording} have other times than in {reference.name} ({len(others):,} against "
                f"{len(rows):,}); {_RESEGMENT} aligns the words and cuts at the references' boundaries."
            )
        for row, other in zip(rows, others, strict=True):
            texts[row] = heard[other].text
    return texts


def _is_same(reference: TimedText, heard: TimedText) -> bool:
    return all(
        first == second or (first is not None and second is not None and abs(first - second) < _SAME_TIME)
        for first, second in ((reference.start, heard.start), (reference.end, heard.end))
    )


def _by_document(segments: Sequence[TimedText]) -> dict[tuple[str, str], list[int]]:
    """Rows of every channel of every recording, in order of time."""
    rows_by_recording: dict[tuple[str, str], list[int]] = {}
    for row, segment in enumerate(segments):
        rows_by_recording.setdefault(recording_key(segment), []).append(row)
    return {
        document: sorted(rows, key=lambda row: (segments[row].start or 0.0, segments[row].end or 0.0))
        for document, rows in rows_by_recording.items()
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
                f"{heard[rows[0]].location}: {reference} has no recording {heard[rows[0]].document!r} to compare with."
            )


def _cut_again(
    references: Sequence[TimedText], heard: Sequence[TimedText], reference: Path, key: Callable[[str], str] | None
) -> list[str | None]:
    heard = [segment for segment in heard if segment.text is not None]
    said_in, heard_in = _by_document(references), _by_document(heard)
    if len(said_in) == 1 and len(heard_in) == 1:
        # Each file is of one recording, by whatever name.
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
