"""Sessions with several speakers: whole recordings, with the turns of all speakers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from misread.data.base import digest_segments
from misread.data.formats import FORMATS
from misread.data.formats.account import collecting_accounts, refuse_unknown
from misread.data.formats.base import Format, name_settings
from misread.data.formats.recognition import read_segments
from misread.data.formats.rolling_captions import describe_repeats
from misread.data.formats.timed_text import (
    TimedText,
    TimedTexts,
    column_of,
    leave_out_times_of,
    list_ignored,
    name_recording,
)
from misread.data.segment_table import SegmentTable, TextFacts
from misread.data.transcript_notes import REFERENCES
from misread.errors import InputFileError, setting
from misread.io.text import UTF_8
from misread.text.display import show_label
from misread.text.patterns import take_group


def read_sessions(
    reference: Path,
    hypotheses: Mapping[str, Path],
    reference_format: Format,
    hypothesis_format: Format,
    *,
    cluster: str = "",
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read turns of all speakers, by system; a segment is a session, with its words in order of time.

    Turns are the annotations "reference_turns" and "turns". A session that a system lacks is a missing hypothesis.
    `cluster` is a regular expression whose one group is the cluster in the name of a session; else each is one.

    Raises InputFileError, with file and line or entry, if a file is broken, a segment has no speaker, a text has
    alternatives, or a hypothesis has a session that the reference lacks.
    """
    everything = read_references(reference, reference_format, encoding=encoding)
    said = leave_out_ignored(everything)
    references = _by_session(said)
    if not references:
        raise InputFileError(f"{reference} has no turn, expected segments with a recording, a speaker and words.")
    ignored = list_ignored(everything)
    # The one recording of a format that does not name it is called as its file.
    ids = [session or reference.stem for session in references]
    doubts = describe_repeats(reference, reference_format, said)
    texts = [_join(turns) for turns in references.values()]
    turns_by_system = {}
    for system, path in hypotheses.items():
        with collecting_accounts(system):
            heard = leave_out_ignored(read_segments(hypothesis_format, path, encoding=encoding))
        doubts += describe_repeats(path, hypothesis_format, heard)
        sessions = _by_session(leave_out_times_of(ignored, name_recording(heard, said, reference)))
        for session in sessions:
            if session not in references:
                raise InputFileError(f"{path}: {reference} has no session {show_label(session)!r} to compare with.")
        turns_by_system[system] = [sessions.get(session) for session in references]
    table = SegmentTable(
        name=reference.stem,
        digest=digest_segments(ids, texts),
        segment_id=ids,
        references=texts,
        cluster=ids,
        cluster_name="session",
        hypotheses={
            system: [None if turns is None else _join(turns) for turns in by_session]
            for system, by_session in turns_by_system.items()
        },
        annotations={"reference_turns": [_describe(turns) for turns in references.values()]},
        annotations_of={
            system: {"turns": [None if turns is None else _describe(turns) for turns in by_session]}
            for system, by_session in turns_by_system.items()
        },
        facts=TextFacts(doubts=doubts, formats=name_settings(reference_format, hypothesis_format)),
    )
    if not cluster:
        return table
    clusters = take_group(cluster, ids, name=setting("cluster"), what="cluster")[1]
    return replace(table, cluster=clusters, cluster_name="cluster")


def read_references(path: Path, form: Format, *, encoding: str) -> Sequence[TimedText]:
    """Segments of references; refuses a file without text in them that has text elsewhere."""
    with collecting_accounts(REFERENCES) as accounts:
        segments = read_segments(form, path, encoding=encoding)
    if not segments or not any(column_of(segments, "text")):
        refuse_unknown(accounts, path)
    return segments


def leave_out_ignored(segments: Sequence[TimedText]) -> Sequence[TimedText]:
    """Segments that are not to be ignored; refuses alternatives."""
    if isinstance(segments, TimedTexts) and not len(segments.ignored) and not next(segments.marked(), None):
        return segments
    for segment in segments:
        if segment.items:
            takers = [form.as_options for form in FORMATS.values() if form.pair and "alternatives" in form.holds]
            raise InputFileError(
                f"{segment.location}: the text has alternatives; only {' and '.join(takers)} take them."
            )
    return [segment for segment in segments if not segment.ignored]


def _by_session(segments: Sequence[TimedText]) -> dict[str, list[TimedText]]:
    """Segments by recording, those of each in order of time where all have one."""
    sessions: dict[str, list[TimedText]] = {}
    for turn in segments:
        if not turn.speaker:
            raise InputFileError(f"{turn.location}: no speaker, which rates of several speakers need.")
        sessions.setdefault(turn.document, []).append(turn)
    for turns in sessions.values():
        if all(turn.start is not None for turn in turns):
            turns.sort(key=lambda turn: turn.start or 0.0)
    return sessions


def _join(turns: Sequence[TimedText]) -> str:
    return " ".join(turn.text for turn in turns if turn.text)


def _describe(turns: Sequence[TimedText]) -> list[dict[str, Any]]:
    """Turns as annotations have them."""
    described = []
    for turn in turns:
        times = {"start_time": turn.start, "end_time": turn.end}
        known = {name: seconds for name, seconds in times.items() if seconds is not None}
        described.append({"speaker": turn.speaker, "words": turn.text or "", **known})
    return described
