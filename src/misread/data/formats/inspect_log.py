"""Logs of Inspect: an archive of JSON (.eval), or all in one file of JSON.

Source: UK AI Security Institute, Inspect, "Log file format", version 2: `header.json` and a file for each sample and
epoch, compressed by Zstandard since inspect_ai 0.3.200 or so, by Deflate before.
"""

import hashlib
import math
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.log import Log, LogEntry, read_record
from misread.errors import InputFileError, MisreadError
from misread.io.json_files import decode_json, split_object
from misread.io.pointers import absence, pointer_at
from misread.io.text import UTF_8, read_text

MOST_BYTES: Final = 1 << 26
"""Limit for the members of a small archive once they are unpacked, which a few kilobytes may be packed from."""

MOST_TIMES: Final = 200
"""Limit for those of a large one, in sizes of its file: texts are packed to a tenth of their size."""

_VERSION: Final = 2
_HEADER: Final = "header.json"
_STARTED: Final = "_journal/start.json"
_SAMPLES: Final = "samples/"
_ARCHIVE: Final = "PK\x03\x04"
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_ENCRYPTED: Final = 1  # bit of the flags of a member
_LOCAL_HEADER: Final = 30  # bytes before the name of a member
_LONGEST_LABEL: Final = 1_000
_MOST_NAMES: Final = 100
_ATTACHMENT: Final = "attachment://"
_BEGIN: Final = re.compile(r'\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":')
# What Inspect takes for a number (`value_to_float`).
_GRADES: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NO_TEXT: Final = {
    **silent("model stop_reason source role id type usage time metadata error"),
    "target": "targets after the first",
    "output": "answers after the first or with an error, thoughts, and calls of tools",
}


@dataclass(frozen=True)
class _Dataset:
    sample_ids: list[int | str] | None = None


@dataclass(frozen=True)
class _Config:
    epochs_reducer: list[str] | None = None


@dataclass(frozen=True)
class _Evaluation:
    model: str
    task: str = ""
    dataset: _Dataset | None = None
    config: _Config | None = None


@dataclass(frozen=True)
class _Header:
    eval: _Evaluation
    status: str = ""


@dataclass(frozen=True)
class _Part:
    type: str = ""
    text: str = ""


@dataclass(frozen=True)
class _Message:
    content: str | list[_Part] = ""


@dataclass(frozen=True)
class _Choice:
    message: _Message
    stop_reason: str = "stop"


@dataclass(frozen=True)
class _Output:
    choices: list[_Choice] = field(default_factory=list)


@dataclass(frozen=True)
class _Score:
    value: Any


@dataclass(frozen=True)
class _Usage:
    input_tokens: float | None = None
    input_tokens_cache_read: float | None = None
    input_tokens_cache_write: float | None = None
    output_tokens: float | None = None
    total_cost: float | None = None


@dataclass(frozen=True)
class _Sample:
    id: int | str
    epoch: int
    target: str | list[str]
    output: _Output | None = None
    scores: dict[str, _Score] | None = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    attachments: dict[str, str] | None = None
    model_usage: dict[str, _Usage] | None = None
    working_time: float | None = None


_READ: Final = {"version", "status", "eval", *(part.name for part in fields(_Sample))}
# By the first byte of a list or an object; labels keep its type alone.
_LARGE: Final[Mapping[int, Any]] = {ord("["): [], ord("{"): {}}


def read_inspect(path: Path, *, encoding: str = UTF_8) -> Log:
    """Read the samples of all epochs, which are runs; the text is the model's answer, and errors leave none.

    Raises InputFileError if the archive is cut short, of another version, of an evaluation that has not ended, or a
    sample is broken; names file and sample.
    """
    members = _read_archive(path) if path.suffix == ".eval" else _read_json(path, encoding)
    _, content = next(members)
    if (version := content.get("version")) != _VERSION:
        raise InputFileError(
            f"{path} is a log of version {version!r}, expected {_VERSION}, which inspect_ai 0.3 writes: write it again "
            "with that."
        )
    header = read_record(content, _Header, str(path))
    ids = header.eval.dataset.sample_ids or [] if header.eval.dataset else []
    order = {str(sample): row for row, sample in enumerate(ids)}
    account = Account(INSPECT.label, path)
    samples = [_read_sample(member, location, header.eval.model, account) for location, member in members]
    if not samples:
        raise InputFileError(f"{path} has no sample.")
    samples.sort(key=lambda sample: (order.get(sample.entry.segment_id, len(order)), sample.epoch))
    return Log(
        source=str(path),
        task=header.eval.task or path.stem,
        model=header.eval.model,
        entries=[sample.entry for sample in samples],
        notes=[f"{path.name}: {note}" for note in _find_notes(header, samples)],
    )


class _ReadSample(NamedTuple):
    """Values kept of a sample."""

    entry: LogEntry
    epoch: int
    has_several_targets: bool
    stop_reason: str


def _find_notes(header: _Header, samples: Sequence[_ReadSample]) -> Iterator[str]:
    if header.status != "success":
        yield f"the evaluation ended with the status {header.status!r}."
    several = sum(sample.has_several_targets for sample in samples)
    if several:
        counted = "1 sample has" if several == 1 else f"{several:,} samples have"
        yield f"{counted} several targets; the first one is the reference."
    unfinished = Counter(sample.stop_reason for sample in samples if sample.stop_reason != "stop")
    for reason, count in unfinished.items():
        yield f"{count:,} of {len(samples):,} answers ended with {reason!r}, not 'stop', and are scored as they are."
    reducers = header.eval.config.epochs_reducer or ["mean"] if header.eval.config else ["mean"]
    if reducers != ["mean"] and any(sample.epoch > 1 for sample in samples):
        yield (
            f"Inspect joined epochs by {', '.join(reducers)}; here runs are averaged, so that `recorded` is "
            f"{'not the figure of the log' if 'mean' not in reducers else 'that of mean'}."
        )


def _read_archive(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Header, and samples one after the other, with their places; of a sample that was written again, the last."""
    try:
        with ZipFile(path) as archive:
            members = archive.NameToInfo
            if _HEADER not in members:
                why = "of an evaluation that has not ended" if _STARTED in members else "not of Inspect"
                raise InputFileError(f"{path} is a log {why}: it has no {_HEADER}.")
            samples = [name for name in members if name.startswith(_SAMPLES) and name.endswith(".json")]
            most, unpacked, names = max(MOST_BYTES, MOST_TIMES * path.stat().st_size), 0, list[str]()
            for name in (_HEADER, *samples):
                unpacked += members[name].file_size
                if unpacked > most:
                    raise InputFileError(
                        f"{path} has {unpacked:,} bytes or more once it is unpacked, and at most {most:,} are read."
                    )
                location = f"{path}, {name}"
                content = _read_member(archive, members[name], location)
                values = _decode_parts(content, location, names) or _decode(content.decode(), location)
                # Most samples have those of the one before.
                names = [*values][:_MOST_NAMES]
                yield location, values
    except FileNotFoundError:
        raise InputFileError(f"{absence(path)}.") from None
    except MisreadError:
        raise
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, ValueError, LookupError, struct.error) as error:
        wrong = pointer_at(path) or f"cut short or damaged, expected a whole archive ({error}): copy it again"
        raise InputFileError(f"{path} is {wrong}.") from None
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror or error}.") from None


def _read_member(archive: ZipFile, member: ZipInfo, location: str) -> bytes:
    """Content of a member, at most as long as the archive says; zipfile reads no Zstandard before Python 3.14."""
    if member.flag_bits & _ENCRYPTED or member.compress_type not in (_STORED, _DEFLATED, _ZSTANDARD):
        raise InputFileError(f"{location} is encrypted, or packed in a way that Inspect does not use.")
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import pyarrow as pa

    stream = cast("Any", archive.fp)
    stream.seek(member.header_offset)
    local = stream.read(_LOCAL_HEADER)
    stream.seek(int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little"), 1)
    with pa.input_stream(pa.py_buffer(stream.read(member.compress_size)), compression="zstd") as packed:
        content: bytes = packed.read(member.file_size + 1)
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise BadZipFile(f"bad checksum of {member.filename}")
    return content


def _decode_parts(content: bytes, location: str, names: Iterable[str]) -> dict[str, Any]:
    """Values in a file, None for those that are not read, which may be large; empty if only Python can decode it."""
    try:
        parts = split_object(content, location, names=names, within="metadata")
        return {name: _decode_part(part, location) if name in _READ else None for name, part in parts.items()}
    except ValueError:
        return {}


def _decode_part(part: Any, location: str) -> Any:
    """A value; labels of the metadata, which have the type alone of large ones."""
    if isinstance(part, dict):
        return {
            name: _LARGE[first] if (first := memoryview(label)[0]) in _LARGE else _decode_part(label, location)
            for name, label in part.items()
        }
    return decode_json(str(part, "utf-8"), location)


def _decode(text: str, location: str) -> dict[str, Any]:
    value = decode_json(text, location, with_nan=True)
    if not isinstance(value, dict):
        raise InputFileError(f"{location}: expected a JSON object, got {type(value).__name__}.")
    return value


def _read_json(path: Path, encoding: str) -> Iterator[tuple[str, Any]]:
    header = _decode(read_text(path, encoding=encoding), str(path))
    samples = header.get("samples") or []
    if not isinstance(samples, list):
        raise InputFileError(f"{path}: samples are {type(samples).__name__}, expected a list.")
    yield str(path), header
    yield from ((f"{path}, sample {number}", sample) for number, sample in enumerate(samples, start=1))


def _read_sample(content: Any, location: str, model: str, account: Account) -> _ReadSample:
    sample = read_record(content, _Sample, location)
    entry = _read_entry(sample, location, model)
    texts = (entry.reference, entry.text or "", *(f"{_ATTACHMENT}{name}" for name in sample.attachments or ()))
    account.add_json(
        {name: content.get(name) for name in ("target", "output")},
        texts,
        _NO_TEXT,
        location.removeprefix(f"{account.path}, "),
    )
    several = isinstance(sample.target, list) and len(sample.target) > 1
    choices = sample.output.choices if entry.text is not None and sample.output else []
    return _ReadSample(entry, sample.epoch, several, choices[0].stop_reason if choices else "stop")


def _read_entry(sample: _Sample, location: str, model: str) -> LogEntry:
    target = sample.target if isinstance(sample.target, str) else next(iter(sample.target), "")
    answer = None if sample.error or sample.output is None else _read_answer(sample.output)
    attachments = sample.attachments or {}
    return LogEntry(
        location,
        str(sample.id),
        str(sample.epoch),
        _resolve(target, attachments, location),
        None if answer is None else _resolve(answer, attachments, location),
        dict(_read_scores(sample.scores or {})),
        {key: _shorten(value) for key, value in (sample.metadata or {}).items()},
        _read_effort(sample, (sample.model_usage or {}).get(model, _Usage())),
    )


def _read_answer(output: _Output) -> str | None:
    """Text of the first answer; None if the model gave none."""
    if not output.choices:
        return None
    content = output.choices[0].message.content
    return content if isinstance(content, str) else "\n".join(part.text for part in content if part.type == "text")


def _resolve(text: str, attachments: Mapping[str, str], location: str) -> str:
    """A text, which may be elsewhere in the sample if it is long."""
    if not text.startswith(_ATTACHMENT):
        return text
    name = text.removeprefix(_ATTACHMENT)
    if name not in attachments:
        raise InputFileError(f"{location}: there is no attachment {name[:40]!r}, in which a text is said to be.")
    return attachments[name]


def _shorten(value: object) -> object:
    """A value that may be a label; only its type for a list or a mapping, and begin and digest for a long text."""
    if isinstance(value, str) and len(value) > _LONGEST_LABEL:
        return f"{value[:_LONGEST_LABEL]}… ({hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()[:16]})"
    return type(value)() if isinstance(value, dict | list) else value


def _read_scores(scores: Mapping[str, _Score]) -> Iterator[tuple[str, Any]]:
    """Score by scorer; one that gives several has a name for each, SCORER/KEY."""
    for scorer, score in scores.items():
        value = score.value
        parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else None
        if parts is None:
            yield scorer, _read_value(value)
        else:
            yield from ((f"{scorer}/{key}", _read_value(part)) for key, part in parts.items())


def _read_value(value: Any) -> Any:
    """A number as Inspect takes it, None for NaN, which is its sign for no score; else the value itself."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        if value in _GRADES:
            return _GRADES[value]
        try:
            number = float(_WORDS.get(value.lower(), value))
        except ValueError:
            return value
        return number if math.isfinite(number) else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _read_effort(sample: _Sample, usage: _Usage) -> dict[str, float]:
    sent = [usage.input_tokens, usage.input_tokens_cache_read, usage.input_tokens_cache_write]
    known = [tokens for tokens in sent if tokens is not None]
    effort = {
        "latency_seconds": sample.working_time,
        "input_tokens": sum(known) if known else None,
        "output_tokens": usage.output_tokens,
        "usd": usage.total_cost,
    }
    return {name: value for name, value in effort.items() if value is not None and not value < 0}


def is_inspect(content: Content) -> bool:
    """Whether it is an archive that is called so, or begins as a log in JSON does."""
    if content.ending == ".eval":
        return content.begin.startswith(_ARCHIVE)
    return _BEGIN.match(content.begin) is not None


INSPECT = Format(
    name="inspect",
    label="a log of Inspect",
    kind="log",
    paired_by="id",
    help="logs of Inspect (.eval or .json) with targets, answers and scores; epochs are runs, and the system is the "
    "model",
    endings=frozenset({".eval"}),
    recognise=is_inspect,
    read=read_inspect,
)
