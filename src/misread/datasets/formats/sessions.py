"""Sessions with several speakers: SegLST (JSON) and STM files of both sides."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from misread.datasets.base import digest_segments
from misread.datasets.formats.marked_text import write_text
from misread.datasets.formats.stm import read_stm
from misread.errors import InputFileError
from misread.files.json_files import decode_json
from misread.files.text import UTF_8, read_text
from misread.records import SegmentTable
from misread.text.labels import show_label

Turns = list[dict[str, Any]]


def read_sessions(reference: Path, hypotheses: Mapping[str, Path], *, encoding: str = UTF_8) -> SegmentTable:
    """Read turns of all speakers, by system; a segment is a session, with its words in order of time.

    Files that end in .stm are STM, others SegLST. Turns are the annotations "reference_turns" and "turns". A session
    that a system lacks is a missing hypothesis.
    """
    references = _read(reference, encoding)
    if not references:
        raise InputFileError(f"{reference} has no turn, expected objects with session_id, speaker and words.")
    ids = list(references)
    texts = [_join(turns) for turns in references.values()]
    found = {}
    for system, path in hypotheses.items():
        sessions = _read(path, encoding)
        for session in sessions:
            if session not in references:
                raise InputFileError(f"{path}: {reference} has no session {show_label(session)!r} to compare with.")
        found[system] = [sessions.get(session) for session in ids]
    return SegmentTable(
        name=reference.stem,
        digest=digest_segments(ids, texts),
        segment_id=ids,
        references=texts,
        cluster=ids,
        cluster_name="session",
        hypotheses={system: [None if turns is None else _join(turns) for turns in of] for system, of in found.items()},
        annotations={"reference_turns": list(references.values())},
        annotations_of={system: {"turns": of} for system, of in found.items()},
    )


def _read(path: Path, encoding: str) -> dict[str, Turns]:
    return _read_stm(path, encoding) if path.suffix.lower() == ".stm" else _read_seglst(path, encoding)


def _read_seglst(path: Path, encoding: str) -> dict[str, Turns]:
    content = decode_json(read_text(path, encoding=encoding), path)
    if not isinstance(content, list):
        raise InputFileError(f"{path}: expected a list of objects with session_id, speaker and words (SegLST).")
    sessions: dict[str, Turns] = {}
    for place, turn in enumerate(content, start=1):
        needed = ("session_id", "speaker", "words")
        if not isinstance(turn, dict) or not all(isinstance(turn.get(key), str) for key in needed):
            raise InputFileError(
                f"{path}, entry {place}: expected an object whose session_id, speaker and words are texts."
            )
        kept = {key: turn[key] for key in ("speaker", "words", "start_time", "end_time") if turn.get(key) is not None}
        sessions.setdefault(turn["session_id"], []).append(kept)
    return sessions


def _read_stm(path: Path, encoding: str) -> dict[str, Turns]:
    segments, _ = read_stm(path, encoding=encoding, in_order=False)
    sessions: dict[str, Turns] = {}
    for segment in segments:
        words = write_text(segment.text, in_notation=False)
        turn = {"speaker": segment.speaker, "words": words, "start_time": segment.begin, "end_time": segment.end}
        if not segment.ignored:
            sessions.setdefault(segment.file, []).append(turn)
    return sessions


def _join(turns: Turns) -> str:
    """Words of all turns in order of time, where all have one."""
    if all(isinstance(turn.get("start_time"), int | float | str) for turn in turns):
        # What is no time is refused where times are used, with the segment.
        with contextlib.suppress(ValueError):
            turns = sorted(turns, key=lambda turn: float(turn["start_time"]))
    return " ".join(turn["words"] for turn in turns if turn["words"])
